"""Each case is a process of its own: Django is set up once in a process, for one home."""

import errno
import json
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.doors.database import database_errors, server_error, sqlite_error
from benchmarks.errors import Busy, DiskFull, ReadOnly, UnderstudyError, Unreadable
from tests.powers import without_root_powers

REPOSITORY = Path(__file__).resolve().parents[3]
OPEN = """
import json
from benchmarks.artifacts.home import home
from benchmarks.doors.database import open_database
from benchmarks.errors import UnderstudyError
try:
    answer = {"made": open_database(home())}
except UnderstudyError as error:
    answer = error.document()["error"]
print(json.dumps(answer))
"""


def opened(
    *, url: str | None = None, before: Callable[[], None] | None = None, after: str = ""
) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", OPEN + after],
        cwd=REPOSITORY,
        env={**os.environ, **({"DATABASE_URL": url} if url else {})},
        preexec_fn=before,
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_the_first_use_makes_the_tables_and_a_file_of_its_owner_alone(lab_home: Path) -> None:
    assert opened() == {"made": True}
    assert opened() == {"made": False}
    assert stat.S_IMODE((lab_home / "hub.sqlite3").stat().st_mode) == 0o600


def test_eight_first_uses_at_once_make_the_tables_once(lab_home: Path) -> None:
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True
        )
        for _ in range(8)
    ]
    answers = [json.loads(racer.communicate(timeout=120)[0]) for racer in racers]
    assert sorted(answer["made"] for answer in answers) == [False] * 7 + [True]


def test_a_damaged_database_is_named_with_what_to_do_and_left_alone(lab_home: Path) -> None:
    lab_home.mkdir()
    (lab_home / "hub.sqlite3").write_bytes(b"this is no database\n" * 100)
    error = opened()
    assert (error["code"], error["details"]) == (
        "unreadable",
        {"file": str(lab_home / "hub.sqlite3")},
    )
    assert error["hint"].startswith("move it away and start again")
    assert (lab_home / "hub.sqlite3").read_bytes() == b"this is no database\n" * 100


def test_tables_of_a_newer_release_are_refused(lab_home: Path) -> None:
    opened()
    with sqlite3.connect(lab_home / "hub.sqlite3") as database:
        database.execute(
            "insert into django_migrations (app, name, applied)"
            " values ('benchmarks', '9999_of_tomorrow', '2099-01-01')"
        )
    error = opened()
    assert (error["code"], error["details"]) == (
        "newer_schema",
        {"migrations": ["benchmarks.9999_of_tomorrow"]},
    )


def test_a_home_that_may_not_be_written_is_read_only(lab_home: Path) -> None:
    lab_home.mkdir(mode=0o500)
    error = opened(before=without_root_powers)
    assert (error["code"], error["details"]) == ("read_only", {"path": str(lab_home)})
    lab_home.chmod(0o700)


def test_a_home_that_is_a_file_is_refused_by_name(lab_home: Path) -> None:
    lab_home.write_text("not a folder", encoding="utf-8")
    error = opened()
    assert (error["code"], error["details"]) == ("read_only", {"path": str(lab_home)})


def test_a_server_that_does_not_answer_is_named_without_its_password(lab_home: Path) -> None:
    pytest.importorskip("psycopg", reason="no psycopg: the postgres extra is not installed")
    error = opened(url="postgres://lab:hidden-word@127.0.0.1:1/hub")
    assert error["code"] == "gateway_failed"
    assert error["message"].startswith("the database 'hub' that DATABASE_URL names does not answer")
    assert "hidden-word" not in json.dumps(error)


def test_only_an_operator_changes_the_tables_of_a_server(lab_home: Path, postgres_url: str) -> None:
    error = opened(url=postgres_url)
    assert (error["code"], error["hint"]) == (
        "unsupported",
        "an operator brings them up to date: "
        "python -m django migrate --settings understudy_site.settings",
    )
    assert "auth.0001_initial" in error["details"]["missing"]
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    env = {**os.environ, "DATABASE_URL": postgres_url}
    subprocess.run(migrate, cwd=REPOSITORY, env=env, check=True)
    assert opened(url=postgres_url) == {"made": False}
    assert not (lab_home / "hub.sqlite3").exists()


def test_a_full_disk_says_so_in_sqlites_own_words(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / "small.sqlite3")
    database.execute("pragma max_page_count = 1")
    with pytest.raises(sqlite3.OperationalError) as full:
        database.execute("create table big (text)")
    database.close()
    error = sqlite_error(tmp_path / "small.sqlite3", str(full.value))
    assert isinstance(error, DiskFull)
    assert error.details["file"] == str(tmp_path / "small.sqlite3")


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("attempt to write a readonly database", ReadOnly),
        ("unable to open database file", ReadOnly),
        ("database is locked", Busy),
        ("database disk image is malformed", Unreadable),
        ("file is not a database", Unreadable),
    ],
)
def test_what_sqlite_says_becomes_an_error_of_the_list(
    said: str, kind: type[UnderstudyError], tmp_path: Path
) -> None:
    error = sqlite_error(tmp_path / "hub.sqlite3", said)
    assert type(error) is kind
    assert said.split()[-1] in error.message or kind is Busy


def test_a_server_error_keeps_the_first_line_only() -> None:
    error = server_error("hub", "connection refused\n  is the server running?\n")
    assert error.message.endswith("does not answer: connection refused")


def test_a_write_that_the_file_system_cut_back_is_a_full_disk() -> None:
    with pytest.raises(DiskFull, match="No space left on device"), database_errors():
        raise OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(PermissionError), database_errors():
        raise PermissionError(errno.EACCES, "Permission denied")
