from pathlib import Path

from benchmarks.artifacts.home import Home
from benchmarks.artifacts.settings import Settings
from runs.services.executors import Executor, Standing, Waiting
from understudy_site.hub.greeting import database_of, standing_lines

WAITING = tuple(Waiting("local--a", f"run-{number}", interrupted=False) for number in range(7))


def test_without_anything_it_says_so() -> None:
    assert list(standing_lines(Standing((), ()), None)) == [
        "executors  none at work",
        "broker     none: executors find requests by looking",
        "waiting    no request",
    ]


def test_waiting_requests_are_named_up_to_five() -> None:
    lines = list(standing_lines(Standing((Executor(7, "lab-1", "0.1.0"),), WAITING), None))
    assert lines == [
        "executors  pid 7 on lab-1 (version 0.1.0)",
        "broker     none: executors find requests by looking",
        "waiting    run-0 of local--a, run-1 of local--a, run-2 of local--a, run-3 of local--a,"
        " run-4 of local--a and 2 more",
    ]


def test_with_nobody_to_execute_the_command_is_given() -> None:
    *_, last = standing_lines(Standing((), WAITING[:1]), None)
    assert last.endswith("understudy runs execute --all --watch")
    *_, last = standing_lines(Standing((), WAITING[:1]), "redis://cache:6379/0")
    assert last.endswith("celery -A understudy_site worker")


def test_the_database_is_shown_without_its_password() -> None:
    url = "postgres://lab:hidden-word@db.example:5432/hub"
    home = Home(Path("/srv/lab"), Settings(home=Path("/srv/lab"), database_url=url))
    assert database_of(home) == "postgres://lab:***@db.example:5432/hub"
    assert database_of(Home(Path("/srv/lab"))) == "sqlite:////srv/lab/hub.sqlite3"
