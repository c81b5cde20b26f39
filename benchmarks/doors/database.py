"""The hub's database, made ready by whoever needs it first (spec/surface.md 7.2).

SQLite in the home is brought up to date by every verb that uses it, under a file lock of its own.
A PostgreSQL database belongs to an operator: only `manage.py migrate` changes its tables.
Importing this module costs 200 ms of Django: verbs do it when they run.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from benchmarks.artifacts import claim
from benchmarks.artifacts.disk import FILE_MODE, NO_SPACE, disk_full
from benchmarks.artifacts.home import Home, home
from benchmarks.errors import (
    Busy,
    GatewayFailed,
    NewerSchema,
    ReadOnly,
    UnderstudyError,
    Unreadable,
    Unsupported,
)

SETTINGS = "understudy_site.settings"
LOCK = "migrate.lock"
WAIT_S = 60.0
"""Another process may be making the tables: that takes seconds on a slow disk."""
MIGRATE = "python -m django migrate --settings understudy_site.settings"


def open_database(home: Home) -> bool:
    """Set Django up over this home; True where the tables had to be made or brought up to date.

    Raises:
        Unsupported: the tables of a PostgreSQL database are not those of this release, or the
            driver is not installed.
        Unreadable: the file of the database is damaged.
        NewerSchema: a newer release has changed the tables.
        ReadOnly: the home, or the file of the database, may not be written.
        DiskFull: there is no room for the tables.
        GatewayFailed: the database server does not answer.
        Busy: another process kept the database for too long.
    """
    home.ensure()
    if not home.writable:
        raise ReadOnly(
            f"the home {home.path} may not be written by this user",
            hint="name a folder that may: UNDERSTUDY_HOME or --home",
            details={"path": str(home.path)},
        )
    set_up(home)
    with database_errors():
        _own_file(connection.settings_dict["NAME"])
        missing = _pending()
        if not missing:
            return False
        if connection.vendor != "sqlite":
            raise Unsupported(
                "the tables of the database that DATABASE_URL names are not those of this release",
                hint=f"an operator brings them up to date: {MIGRATE}",
                details={"missing": missing},
            )
        with claim.guard(home.path / LOCK, wait_s=WAIT_S):
            return _migrate()


def set_up(home: Home) -> None:
    """Load Django's settings and apps, those of this home; a second call does nothing.

    Raises:
        Unsupported: DATABASE_URL names a server whose driver is not installed.
    """
    if apps.ready:
        return
    os.environ["UNDERSTUDY_HOME"] = str(home.path)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", SETTINGS)
    try:
        django.setup()
    except ImproperlyConfigured as error:
        if "psycopg" not in str(error):
            raise
        raise Unsupported(
            "DATABASE_URL names a PostgreSQL database, and its driver is not installed",
            hint="python -m pip install 'psycopg[binary]' (the extra postgres)",
            details={"missing": ["psycopg"]},
        ) from error


@contextmanager
def database_errors() -> Iterator[None]:
    """Say what a failing database means for a person, and what to do.

    Raises:
        UnderstudyError: one of those of `open_database`.
    """
    try:
        yield
    except DatabaseError as error:
        name = connection.settings_dict["NAME"]
        if connection.vendor == "sqlite":
            raise sqlite_error(Path(str(name)), str(error)) from error
        raise server_error(str(name), str(error)) from error
    except OSError as error:
        if error.errno not in NO_SPACE:
            raise
        raise disk_full(home().path, str(error.strerror)) from error


def sqlite_error(path: Path, said: str) -> UnderstudyError:
    """What SQLite's words mean for the one who runs the lab."""
    if "full" in said:
        return disk_full(path, said)
    if "readonly" in said or "unable to open" in said:
        return ReadOnly(
            f"{path} cannot be written ({said})",
            hint="let this user write the home, or name another: UNDERSTUDY_HOME or --home",
            details={"file": str(path)},
        )
    if "locked" in said:
        return Busy(
            f"{path} was locked by another process for 20 s",
            hint="run the command again",
            details={"file": str(path)},
        )
    return Unreadable(
        f"{path} is damaged or no database of this lab ({said})",
        hint="move it away and start again: every benchmark is read from its directory; "
        "users and tokens come back from a backup, or are made anew",
        details={"file": str(path)},
    )


def server_error(name: str, said: str) -> UnderstudyError:
    """What the words of a database server mean."""
    first = said.strip().splitlines()[0] if said.strip() else "no reason given"
    return GatewayFailed(
        f"the database {name!r} that DATABASE_URL names does not answer: {first}",
        hint="start it, or correct DATABASE_URL; without the variable the lab uses SQLite",
        details={"database": name},
    )


def _own_file(name: object) -> None:
    """The file of the database, readable by its owner only; SQLite would let others read it."""
    if connection.vendor == "sqlite" and isinstance(name, Path):
        try:
            os.close(os.open(name, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, FILE_MODE))
        except OSError as error:
            if error.errno in NO_SPACE:
                raise disk_full(name, str(error.strerror)) from error
            raise ReadOnly(
                f"{name} cannot be opened ({error.strerror})",
                hint="let this user write the folder, or name another: UNDERSTUDY_HOME or --home",
                details={"file": str(name)},
            ) from error


def _pending() -> list[str]:
    """The migrations of this release that the database has not.

    Raises:
        NewerSchema: it has one that this release does not know.
    """
    executor = MigrationExecutor(connection)
    loader = executor.loader
    strangers = sorted(
        f"{app}.{name}"
        for app, name in loader.applied_migrations
        if app in loader.migrated_apps and (app, name) not in loader.disk_migrations
    )
    if strangers:
        raise NewerSchema(
            f"a newer release of understudy has changed the database ({', '.join(strangers)})",
            hint="install that release, or name another home: --home DIR",
            details={"migrations": strangers},
        )
    plan = executor.migration_plan(loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def _migrate() -> bool:
    """Bring the tables up to date unless another process has just done so."""
    if not _pending():
        return False
    call_command("migrate", interactive=False, verbosity=0)
    return True
