"""Secrets that are shown once: made here, kept as their SHA-256."""

import hashlib
import hmac
import secrets

RANDOM_BYTES = 32
MOST_CHARS = 128


def new_secret(prefix: str) -> str:
    """A secret with 32 random bytes; the prefix says to people and scanners what it is."""
    return prefix + secrets.token_urlsafe(RANDOM_BYTES)


def fingerprint(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def is_same(one: str, other: str) -> bool:
    """Whether two fingerprints are equal, in constant time."""
    return hmac.compare_digest(one.encode("ascii"), other.encode("ascii"))
