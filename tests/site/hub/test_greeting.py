import pytest

from runs.services.executors import Executor, Standing, Waiting
from understudy_site.hub.greeting import standing_lines, without_password

WAITING = tuple(Waiting("local--a", f"run-{number}", interrupted=False) for number in range(7))


def test_without_anything_it_says_so_in_two_lines() -> None:
    assert list(standing_lines(Standing((), ()))) == [
        "executors  none alive",
        "waiting    no request",
    ]


def test_waiting_requests_are_named_up_to_five() -> None:
    lines = list(standing_lines(Standing((Executor(7, "lab-1", "0.1.0"),), WAITING)))
    assert lines == [
        "executors  pid 7 on lab-1 (version 0.1.0)",
        "waiting    run-0 of local--a, run-1 of local--a, run-2 of local--a, run-3 of local--a,"
        " run-4 of local--a and 2 more",
    ]


def test_with_nobody_to_execute_the_command_is_given() -> None:
    *_, last = standing_lines(Standing((), WAITING[:1]))
    assert last.endswith("understudy runs execute --all --watch")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgres://lab:word@db.example:5432/hub", "postgres://lab:***@db.example:5432/hub"),
        ("redis://:word@cache:6379/0", "redis://:***@cache:6379/0"),
        ("postgres://lab@db/hub", "postgres://lab@db/hub"),
        ("sqlite:////srv/hub.sqlite3", "sqlite:////srv/hub.sqlite3"),
    ],
)
def test_an_address_is_shown_without_its_password(url: str, shown: str) -> None:
    assert without_password(url) == shown
