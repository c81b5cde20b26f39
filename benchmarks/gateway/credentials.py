"""Which URL and key a model is reached with: the chain of spec/surface.md 7.3, first hit wins.

A key goes only to the URL of its own source.
"""

import json
import logging
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.errors import CredentialsMissing, InvalidArguments, UnderstudyError, Unsupported
from benchmarks.records.vocabulary import Route

LOG = logging.getLogger(__name__)
GATEWAY_URL = "https://api.understudylabs.com"
OPENAI_URL = "https://api.openai.com/v1"
LOCAL_SERVERS = "http://127.0.0.1:8080,http://127.0.0.1:8000"
OLLAMA = "127.0.0.1:11434"
LOCAL_KEY = "local"
SCRIPTED = "scripted"


@dataclass(frozen=True, slots=True)
class Target:
    """Where a model is, and what opens the door."""

    model: str
    """The id on the wire."""
    base_url: str
    key: str = field(repr=False)
    source: str
    route: Route = Route.GATEWAY


@dataclass(frozen=True, slots=True)
class Credentials:
    """Everything that may yield a key: the environment and the credentials file."""

    environ: Mapping[str, str] = field(repr=False)
    document: Mapping[str, Any] = field(default_factory=dict, repr=False)
    file: str = "credentials.json"
    warnings: tuple[str, ...] = ()

    def providers(self) -> dict[str, Mapping[str, Any]]:
        """The named providers of the file."""
        value = self.document.get("providers")
        named = value.items() if isinstance(value, Mapping) else ()
        return {str(name): block for name, block in named if isinstance(block, Mapping)}


def read_credentials(path: Path, environ: Mapping[str, str]) -> Credentials:
    """The credentials file beside the environment; a missing or damaged file is an empty one."""
    warnings = []
    document: Mapping[str, Any] = {}
    try:
        mode = path.stat().st_mode
        value = json.loads(path.read_bytes())
    except FileNotFoundError:
        return Credentials(environ, file=str(path))
    except (OSError, ValueError):
        warnings.append(f"{path.name} cannot be read as JSON and is passed over")
    else:
        document = value if isinstance(value, dict) else {}
        if stat.S_IMODE(mode) & 0o077:
            warnings.append(f"{path.name} can be read by others: chmod 600 {path}")
    for warning in warnings:
        _warn_once(warning)
    return Credentials(environ, document, str(path), tuple(warnings))


@cache
def _warn_once(warning: str) -> None:
    """Say it once in the life of a process, however often the file is read."""
    LOG.warning("%s", warning)


def find_target(model: str, credentials: Credentials) -> Target | None:
    """Where the chain finds a model; None when only a local server could have it.

    Raises:
        Unsupported: the source speaks a wire that this version does not.
        InvalidArguments: a URL of the chain holds a key or is no http URL.
    """
    provider, _, rest = model.partition("/")
    if rest and provider in {*credentials.providers(), "openai", "anthropic"}:
        pinned = _pinned(provider, rest, credentials)
        if pinned is not None:
            return pinned
    return (
        _gateway(model, credentials)
        or _file_gateway(model, credentials)
        or _listing_provider(model, credentials)
        or _direct(model, credentials)
    )


def gateway_target(credentials: Credentials) -> Target | None:
    """The gateway, whatever model is asked of it; None where none is set up.

    Raises:
        InvalidArguments: its URL holds a key or is no http URL.
    """
    return _gateway("", credentials) or _file_gateway("", credentials)


KEYS = "OPENAI_API_KEY, or UNDERSTUDY_API_KEY with UNDERSTUDY_GATEWAY_URL"
"""The shortest ways to a key."""


def missing(model: str, credentials: Credentials) -> CredentialsMissing:
    """The error that names every source tried, and no value."""
    return CredentialsMissing(
        f"no key for model {model}: tried UNDERSTUDY_API_KEY, {credentials.file} (api_key, orgs,"
        " providers), OPENAI_API_KEY and the local servers",
        hint=f"set {KEYS}",
        details={"model": model},
    )


def local_servers(environ: Mapping[str, str]) -> list[str]:
    """The base URLs of OpenAI-compatible servers on this machine that may be asked."""
    named = environ.get("UNDERSTUDY_LOCAL_SERVERS") or LOCAL_SERVERS
    ollama = environ.get("OLLAMA_HOST") or OLLAMA
    if "//" not in ollama:
        ollama = f"http://{ollama}"
    urls = [url.strip() for url in named.split(",") if url.strip()]
    return [_versioned(_checked(url, "UNDERSTUDY_LOCAL_SERVERS")) for url in [*urls, ollama]]


def _pinned(provider: str, model: str, credentials: Credentials) -> Target | None:
    block = credentials.providers().get(provider)
    if block is not None:
        return _of_provider(provider, model, block, credentials)
    if provider == "openai":
        return _openai(model, credentials)
    if credentials.environ.get("ANTHROPIC_API_KEY"):
        raise _unsupported(model, "ANTHROPIC_API_KEY")
    return None


def _gateway(model: str, credentials: Credentials) -> Target | None:
    key = credentials.environ.get("UNDERSTUDY_API_KEY")
    if not key:
        return None
    url = credentials.environ.get("UNDERSTUDY_GATEWAY_URL") or GATEWAY_URL
    url = _versioned(_checked(url, "UNDERSTUDY_GATEWAY_URL"))
    return Target(model, url, key, "UNDERSTUDY_API_KEY")


def _file_gateway(model: str, credentials: Credentials) -> Target | None:
    orgs = credentials.document.get("orgs")
    blocks = [credentials.document, *(orgs.values() if isinstance(orgs, Mapping) else ())]
    for block in blocks:
        if not isinstance(block, Mapping):
            continue
        key, url = block.get("api_key"), block.get("gateway_url")
        if isinstance(key, str) and key and isinstance(url, str) and url:
            return Target(model, _versioned(_checked(url, "gateway_url")), key, credentials.file)
    return None


def _listing_provider(model: str, credentials: Credentials) -> Target | None:
    for name, block in credentials.providers().items():
        models = block.get("models")
        if isinstance(models, list) and model in models:
            return _of_provider(name, model, block, credentials)
    return None


def _of_provider(
    name: str, model: str, block: Mapping[str, Any], credentials: Credentials
) -> Target:
    if block.get("dialect") not in {None, "openai"}:
        raise _unsupported(model, f"provider {name} of {credentials.file}")
    url = _checked(str(block.get("base_url") or ""), f"base_url of provider {name}")
    named = block.get("api_key_env")
    key = block.get("api_key") or (credentials.environ.get(str(named)) if named else None)
    if not key and named:
        raise CredentialsMissing(
            f"provider {name} takes its key from {named}, which is not set",
            hint=f"set {named}",
            details={"model": model},
        )
    is_local = urlsplit(url).hostname in {"127.0.0.1", "localhost", "::1"}
    route = Route.LOCAL if is_local and not key else Route.BYO
    return Target(model, url, str(key or LOCAL_KEY), f"provider {name}", route)


def _direct(model: str, credentials: Credentials) -> Target | None:
    if model.startswith("claude"):
        if credentials.environ.get("ANTHROPIC_API_KEY"):
            raise _unsupported(model, "ANTHROPIC_API_KEY")
        return None
    return _openai(model, credentials)


def _openai(model: str, credentials: Credentials) -> Target | None:
    key = credentials.environ.get("OPENAI_API_KEY")
    if not key:
        return None
    url = credentials.environ.get("OPENAI_BASE_URL") or OPENAI_URL
    return Target(model, _checked(url, "OPENAI_BASE_URL"), key, "OPENAI_API_KEY", Route.BYO)


def _unsupported(model: str, source: str) -> Unsupported:
    return Unsupported(
        f"model {model} is reached through {source}, whose wire (anthropic messages) this version"
        " does not speak",
        hint="reach it through an OpenAI-compatible gateway: UNDERSTUDY_GATEWAY_URL",
        details={"missing": ["anthropic_messages"], "model": model},
    )


def _checked(url: str, name: str) -> str:
    try:
        parts = urlsplit(url)
        secret = parts.username or parts.password or "key=" in parts.query
        valid = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        secret, valid = None, False
    if secret:
        raise InvalidArguments(
            f"{name} holds a key in its URL", hint="give the key by its own name"
        )
    if not valid:
        raise InvalidArguments(f"{name} is no http URL: {url[:80]!r}")
    return url.rstrip("/")


def _versioned(url: str) -> str:
    """A gateway named by its host alone serves under /v1."""
    return url if urlsplit(url).path else f"{url}/v1"


def is_reachable(name: str | None, credentials: Credentials) -> bool:
    """Whether a key for the model is found; a name that cannot be one is not reachable."""
    try:
        return name is not None and find_target(name, credentials) is not None
    except UnderstudyError:
        return False
