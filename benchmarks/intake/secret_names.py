"""Which names of keys, headers and options hold a secret (spec/build.md 1.7)."""

import re
from functools import lru_cache

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
PASSWORD_WORDS = frozenset({
    "password", "passwords", "passwd", "pwd", "passphrase", "secret", "secrets", "credential",
    "credentials",
})  # fmt: skip
PASSWORD_ENDS = ("password", "passwd", "passphrase")
"""Words that a name is joined to without a mark between: PGPASSWORD."""
TOKEN_NAMES = frozenset({
    ("access", "token"), ("refresh", "token"), ("id", "token"), ("auth", "token"),
    ("bearer", "token"), ("session", "token"), ("api", "token"),
})  # fmt: skip
TOKEN_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*_TOKEN|(?:[Xx]-[A-Za-z-]+|PRIVATE)-(?i:token)")
"""A variable of an environment or a header that is named for whose token it holds."""
OTHER_TOKENS = frozenset({
    "max", "min", "eos", "bos", "pad", "unk", "sep", "cls", "mask", "stop", "start", "end", "next",
    "page", "sync", "continuation", "per",
})  # fmt: skip
"""What stands before `token` where it is a piece of text, or a place in a list."""
KEY_NAMES = frozenset({("api", "key"), ("access", "key"), ("secret", "key")})
KEY_WORDS = frozenset({"apikey", "accesskey", "secretkey"})
HEADERS = {
    "authorization": "bearer",
    "proxy_authorization": "bearer",
    "cookie": "cookie",
    "set_cookie": "cookie",
}
HEADER_WORDS = frozenset({"header", "headers"})
ABOUT_A_SECRET = frozenset({
    "policy", "hint", "reset", "url", "uri", "length", "type", "name", "status", "expiry",
    "expires", "at", "required", "field", "label", "question", "version", "rotation", "source",
})  # fmt: skip
"""Last words that make a name speak about a secret instead of holding one."""


@lru_cache(maxsize=4096)
def kind_of_name(name: str) -> str | None:
    """The kind of secret that a value under this name is, or None."""
    words = tuple(word.lower() for word in WORD.findall(name))
    if not words:
        return None
    header = HEADERS.get("_".join(_behind_header(words)))
    if header is not None:
        return header
    if words[-1] in ABOUT_A_SECRET:
        return None
    pairs = set(zip(words, words[1:], strict=False))
    if ("private", "key") in pairs or "privatekey" in words:
        return "private_key"
    if pairs & KEY_NAMES or KEY_WORDS & set(words):
        return "api_key"
    if words[-2:] in TOKEN_NAMES or _is_token_variable(name, words):
        return "bearer"
    return "password" if any(map(_is_password_word, words)) else None


def _behind_header(words: tuple[str, ...]) -> tuple[str, ...]:
    """The name of the header in the name of a field, as in `http.request.header.cookie`."""
    for at in range(len(words) - 1, 0, -1):
        if words[at - 1] in HEADER_WORDS:
            return words[at:]
    return words


def _is_password_word(word: str) -> bool:
    return word in PASSWORD_WORDS or word.endswith(PASSWORD_ENDS)


def _is_token_variable(name: str, words: tuple[str, ...]) -> bool:
    return OTHER_TOKENS.isdisjoint(words) and TOKEN_VARIABLE.fullmatch(name) is not None
