"""What the environment and a project file say, each value checked, its source known.

Flag beats environment beats project file beats default. A project file names folders of its own
project and a workload, nothing else: a cloned repository must not redirect anything
(spec/surface.md 7.1).
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.artifacts import document
from benchmarks.artifacts.filesystem import leads_into, real_path
from benchmarks.errors import Complaint, InvalidArguments, Unreadable

T = TypeVar("T")

CONCURRENCY = 8
AUTHORS = ("gemma-4-31b-it", "gemma-4-*")
HUB_PORT = 1421
MAX_PORT = 65_535
SECRET_CHARS = 32
DATABASES = ("sqlite", "postgres", "postgresql")
BROKERS = ("redis", "rediss", "redis+socket", "unix")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
SWITCHES = {"0": False, "false": False, "no": False, "1": True, "true": True, "yes": True}
HOST = re.compile(r"\.?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")
ORIGIN = re.compile(r"https?://(\*\.)?[A-Za-z0-9.\[\]:-]+")
SECRET_VARIABLES = frozenset({"UNDERSTUDY_SECRET_KEY", "DATABASE_URL", "REDIS_URL"})
"""Their values may hold a password: a complaint shows none."""
FORMATS = ("auto", "json", "text")
PROJECT_FILE = ".understudy/config.json"
PROJECT_KEYS = ("captures", "benchmarks", "workload")


@dataclass(frozen=True, slots=True)
class Settings:
    """The variables of this release, read and checked once."""

    home: Path
    roots: tuple[Path, ...] = ()
    readonly_roots: tuple[Path, ...] = ()
    source_roots: tuple[Path, ...] = ()
    trust_file: Path | None = None
    prices_file: Path | None = None
    profile_file: Path | None = None
    actor: str | None = None
    format: str = "auto"
    concurrency: int = CONCURRENCY
    authors: tuple[str, ...] = AUTHORS
    """The models that write definitions where none is named, the best first; patterns."""
    database_url: str | None = None
    """None: SQLite in the home."""
    redis_url: str | None = None
    """None: no lease, and a broker only where the `embedded` extra gives one."""
    hub_port: int = HUB_PORT
    allowed_hosts: tuple[str, ...] = ()
    """Beside loopback."""
    trusted_origins: tuple[str, ...] = ()
    behind_proxy: bool = False
    """A proxy in front speaks TLS and says so in `X-Forwarded-Proto`."""
    secret_key: str | None = field(default=None, repr=False)
    debug: bool = False
    log_level: str = "WARNING"


@dataclass(frozen=True, slots=True)
class Project:
    """What `.understudy/config.json` of the nearest ancestor says."""

    folder: Path
    captures: Path | None = None
    benchmarks: Path | None = None
    workload: str | None = None
    ignored: tuple[str, ...] = ()
    """Keys that a project file cannot set."""


def read_settings(environ: Mapping[str, str]) -> Settings:
    """The settings in an environment; an empty variable is an absent one.

    Raises:
        InvalidArguments: values do not parse; each is listed with its variable and the form wanted.
    """
    reader = _Reader(environ)
    settings = Settings(
        home=reader.take("UNDERSTUDY_HOME", _path) or Path.home() / ".understudy",
        roots=(
            *(reader.take("UNDERSTUDY_ROOTS", _paths) or ()),
            *(reader.take("BENCHMARK_HUB_DATA_DIR", _paths) or ()),
        ),
        readonly_roots=reader.take("UNDERSTUDY_READONLY_ROOTS", _paths) or (),
        source_roots=reader.take("UNDERSTUDY_SOURCE_ROOTS", _paths) or (),
        trust_file=reader.take("UNDERSTUDY_TRUST_FILE", _path),
        prices_file=reader.take("UNDERSTUDY_PRICES_FILE", _path),
        profile_file=reader.take("UNDERSTUDY_PROFILE_FILE", _path),
        actor=reader.take("UNDERSTUDY_ACTOR", _actor),
        format=reader.take("UNDERSTUDY_FORMAT", _format) or "auto",
        concurrency=reader.take("UNDERSTUDY_CONCURRENCY", _count) or CONCURRENCY,
        authors=reader.take("UNDERSTUDY_AUTHORS", _names) or AUTHORS,
        database_url=reader.take("DATABASE_URL", _database),
        redis_url=reader.take("REDIS_URL", _redis),
        hub_port=reader.take("UNDERSTUDY_HUB_PORT", _port) or HUB_PORT,
        allowed_hosts=reader.take("UNDERSTUDY_ALLOWED_HOSTS", _hosts) or (),
        trusted_origins=reader.take("UNDERSTUDY_TRUSTED_ORIGINS", _origins) or (),
        behind_proxy=reader.take("UNDERSTUDY_BEHIND_PROXY", _switch) or False,
        secret_key=reader.take("UNDERSTUDY_SECRET_KEY", _secret),
        debug=reader.take("UNDERSTUDY_DEBUG", _switch) or False,
        log_level=reader.take("UNDERSTUDY_LOG_LEVEL", _level) or "WARNING",
    )
    reader.finish()
    return settings


class _Reader:
    """Takes variables one by one and keeps every complaint."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._complaints: list[Complaint] = []

    def take(self, name: str, parse: Callable[[str], T]) -> T | None:
        text = self._environ.get(name, "")
        if not text.strip():
            return None
        try:
            return parse(text)
        except ValueError as error:
            shown = "(hidden)" if name in SECRET_VARIABLES else text
            self._complaints.append(Complaint(name, shown, str(error)))
            return None

    def finish(self) -> None:
        if not self._complaints:
            return
        said = "; ".join(f"{each.path}={each.value!r} {each.message}" for each in self._complaints)
        raise InvalidArguments(
            said, hint="set the variable in that form, or unset it", errors=self._complaints
        )


def _path(text: str) -> Path:
    if "\0" in text:
        raise ValueError("is not a path")
    try:
        return Path(text.strip()).expanduser().absolute()
    except RuntimeError:
        raise ValueError("names the home of a user that does not exist") from None


def _paths(text: str) -> tuple[Path, ...]:
    return tuple(_path(part) for part in text.split(os.pathsep) if part.strip())


ACTOR_CHARS = 120


def _actor(text: str) -> str:
    actor = text.strip()
    if len(actor) > ACTOR_CHARS or not actor.isprintable():
        raise ValueError(f"is not 1 to {ACTOR_CHARS} printable characters")
    return actor


def _format(text: str) -> str:
    if text not in FORMATS:
        raise ValueError(f"is not one of {', '.join(FORMATS)}")
    return text


def _count(text: str) -> int:
    if not text.strip().isdecimal() or int(text) < 1:
        raise ValueError("is not a whole number of 1 or more")
    return int(text)


def _database(text: str) -> str:
    scheme = _scheme(text)
    if scheme not in DATABASES:
        raise ValueError(f"is not a URL that starts with {_or(f'{each}:' for each in DATABASES)}")
    return text.strip()


def _redis(text: str) -> str:
    if _scheme(text) not in BROKERS:
        raise ValueError(f"is not a URL that starts with {_or(f'{each}:' for each in BROKERS)}")
    return text.strip()


def _scheme(text: str) -> str:
    return text.strip().partition(":")[0].lower()


def _or(words: Iterable[str]) -> str:
    return " or ".join(words)


def _port(text: str) -> int:
    if not text.strip().isdecimal() or not 0 <= int(text) <= MAX_PORT:
        raise ValueError(f"is not a port from 0 to {MAX_PORT}")
    return int(text)


def _listed(text: str) -> Iterator[str]:
    return (part for each in text.split(",") if (part := each.strip()))


def _names(text: str) -> tuple[str, ...]:
    names = tuple(_listed(text))
    if not names:
        raise ValueError("names no model")
    return names


def _hosts(text: str) -> tuple[str, ...]:
    hosts = tuple(_listed(text))
    if strangers := [host for host in hosts if not HOST.fullmatch(host)]:
        raise ValueError(f"names {strangers[0]!r}, which is no host name: no scheme, path or port")
    return hosts


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(_listed(text))
    if strangers := [origin for origin in origins if not ORIGIN.fullmatch(origin)]:
        raise ValueError(f"names {strangers[0]!r}, which is not like https://lab.example")
    return origins


def _secret(text: str) -> str:
    if len(text.strip()) < SECRET_CHARS:
        # The value stays out of every message.
        raise ValueError(f"has fewer than {SECRET_CHARS} characters")
    return text.strip()


def _switch(text: str) -> bool:
    word = text.strip().lower()
    if word not in SWITCHES:
        raise ValueError("is not 0 or 1")
    return SWITCHES[word]


def _level(text: str) -> str:
    level = text.strip().upper()
    if level not in LEVELS:
        raise ValueError(f"is not one of {', '.join(LEVELS)}")
    return level


def read_project(cwd: Path, home: Path) -> Project | None:
    """The project file of the nearest ancestor of `cwd` that is not the home folder, or None.

    Raises:
        InvalidArguments: values are wrong, or a folder leads out of the project; all are listed.
    """
    for folder in (cwd, *cwd.parents):
        path = folder / PROJECT_FILE
        if real_path(path.parent) == real_path(home) or not path.is_file():
            continue
        return _project(folder, path)
    return None


def _project(folder: Path, path: Path) -> Project:
    try:
        value = document.read(path) or {}
    except Unreadable as error:
        raise InvalidArguments(error.message, hint=f"mend or remove {path}") from error
    found: list[Complaint] = []
    captures = _folder_in(folder, value, "captures", found)
    benchmarks = _folder_in(folder, value, "benchmarks", found)
    workload = value.get("workload")
    if workload is not None and (not isinstance(workload, str) or not workload.strip()):
        found.append(Complaint("workload", workload, "a text is wanted"))
    if found:
        said = "; ".join(f"{each.path} = {each.value!r}: {each.message}" for each in found)
        raise InvalidArguments(f"{path}: {said}", hint=f"mend {path}", errors=found)
    ignored = tuple(key for key in value if key not in PROJECT_KEYS)
    return Project(folder, captures, benchmarks, workload, ignored)


def _folder_in(
    folder: Path, value: Mapping[str, Any], key: str, found: list[Complaint]
) -> Path | None:
    text = value.get(key)
    if text is None:
        return None
    if not isinstance(text, str) or not text.strip() or "\0" in text:
        found.append(Complaint(key, text, "a path is wanted"))
        return None
    path = folder / text
    if not leads_into(folder.resolve(), path):
        found.append(Complaint(key, text, "it leads out of the project"))
        return None
    return path
