"""The database that `DATABASE_URL` names, in Django's terms."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from benchmarks.errors import InvalidArguments

SQLITE = {
    # Readers go on while one writes, and a writer asks for the lock before it reads: with Django's
    # defaults, eight writers lose nine of ten transactions to "database is locked".
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
}


def database(url: str | None, default: Path) -> dict[str, Any]:
    """The `DATABASES` entry of a URL; without one, SQLite at `default`.

    Raises:
        InvalidArguments: the URL names no database.
    """
    if url is None:
        return _sqlite(default)
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return _sqlite(_file_of(url))
    name = unquote(parts.path.lstrip("/"))
    if not name:
        raise _unnamed("postgres://user@host:5432/name")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        # A web process serves from threads that come and go: no connection outlives its request.
        "CONN_MAX_AGE": 0,
        "OPTIONS": dict(parse_qsl(parts.query)),
    }


def _sqlite(path: Path) -> dict[str, Any]:
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": path, "OPTIONS": dict(SQLITE)}


def _file_of(url: str) -> Path:
    """`sqlite:////absolute` or `sqlite:///relative`."""
    _, _, path = url.partition("://")
    if not path.startswith("/") or not path[1:]:
        raise _unnamed("sqlite:////folder/hub.sqlite3")
    return Path(unquote(path[1:])).expanduser().absolute()


def _unnamed(form: str) -> InvalidArguments:
    return InvalidArguments("DATABASE_URL names no database", hint=f"a URL like {form}")
