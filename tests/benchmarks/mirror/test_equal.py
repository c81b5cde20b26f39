"""Whatever happens to a directory in whatever order, tables and files end up equal."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from benchmarks.artifacts import layout
from benchmarks.artifacts.jsonl import Appender
from benchmarks.errors import AlreadyExists
from benchmarks.mirror import checking, deriving, document, engine, ledger, syncing, table
from benchmarks.mirror.checking import differences
from benchmarks.mirror.engine import sync_directory
from benchmarks.mirror.syncing import drop
from benchmarks.models import BenchmarkEntry
from benchmarks.records.review import Review, ReviewPolicy
from tests.factories import AT, Desk, make_desk, queue
from tests.reviews.factories import make_row

pytestmark = pytest.mark.django_db

LOCKING = (ledger, table, document, deriving)
JUNK = (b"{]\n", b"[]\n", b"\n", b" \r\n", b'{"schema_version":"other.v1"}\n', b"\xff\n")


def add(path: Path, data: bytes) -> None:
    """As our writer adds: a torn tail is cut first."""
    with Appender(path) as appender:
        appender.append_lines(data.removesuffix(b"\n").split(b"\n"))


def rows_file(desk: Desk, number: int) -> Path:
    return desk.path / layout.rows("run-1", f"m{number % 2}").path


def row(desk: Desk, number: int, fence: int) -> bytes:
    line = make_row(desk.task_ids[number % 3], float(number % 2), rollout=number).dump()
    return orjson.dumps({**line, "fence": fence})


def add_rows(desk: Desk, number: int) -> None:
    lines = (row(desk, n, 1 + n % 3) for n in range(number, number + 3))
    add(rows_file(desk, number), b"\n".join(lines))


def tear(desk: Desk, number: int) -> None:
    with rows_file(desk, number).open("ab") as file:
        file.write(row(desk, number, 9)[: 5 + number])


def add_junk(desk: Desk, number: int) -> None:
    add(desk.path / "versions.jsonl", JUNK[number % len(JUNK)])


def add_review(desk: Desk, number: int) -> None:
    review = {"benchmark_id": "", "task_id": desk.task_ids[number % 3], "decision": "accept"}
    desk.directory.append(layout.REVIEWS, Review.read({**review, "note": "", "created_at": AT}))


def edit_tasks(desk: Desk, number: int) -> None:
    tasks = [task.with_(title=f"Title {number}") for task in desk.directory.tasks().values()]
    desk.directory.replace(layout.TASKS, tasks[number % 3 :] + tasks[: number % 3])


def edit_policy(desk: Desk, number: int) -> None:
    if number % 3 == 0:
        (desk.path / layout.REVIEW_POLICY.path).unlink(missing_ok=True)
    else:
        policy = ReviewPolicy(min_confidence=("low", "medium")[number % 2])
        desk.directory.replace(layout.REVIEW_POLICY, policy)


def ask(desk: Desk, number: int) -> None:
    with suppress(AlreadyExists):
        queue(desk, f"run-{number}", models=["m0"])


def be_overtaken(desk: Desk, number: int) -> None:
    with overtaken(number, lambda: both(desk, number)):
        sync_directory(desk.located)


ACTIONS: dict[str, Callable[[Desk, int], object]] = {
    "rows": add_rows,
    "torn": tear,
    "junk": add_junk,
    "review": add_review,
    "tasks": edit_tasks,
    "policy": edit_policy,
    "request": ask,
    "sync": lambda desk, _: sync_directory(desk.located),
    "hurried": lambda desk, _: sync_directory(desk.located, deadline=0.0),
    "thorough": lambda desk, _: sync_directory(desk.located, thorough=True),
    "drop": lambda desk, _: drop(desk.located),
    "overtaken": be_overtaken,
}
"""What happens to a directory and its tables."""


def both(desk: Desk, number: int) -> None:
    """What another process does while a sync is about to write: it adds, and is faster."""
    add_rows(desk, number)
    edit_tasks(desk, number)
    edit_policy(desk, number)
    sync_directory(desk.located)


@contextmanager
def overtaken(after: int, work: Callable[[], None]) -> Iterator[None]:
    """Do `work` once, before some lock of the sync inside is taken."""
    left = [after % 6]
    real = ledger.locked

    def slow(entry: BenchmarkEntry) -> BenchmarkEntry:
        left[0] -= 1
        if left[0] == -1:
            work()
        return real(entry)

    with pytest.MonkeyPatch.context() as patch:
        for module in LOCKING:
            patch.setattr(module, "locked", slow)
        yield


SLOW = {"standings", "status"}
"""Derived by services of their own, each with its tests; what they need is in these tables."""


@pytest.fixture
def quick_mirrors(monkeypatch: pytest.MonkeyPatch) -> None:
    every = tuple(mirror for mirror in engine.mirrors() if mirror.name not in SLOW)
    for module in (engine, checking, syncing):
        monkeypatch.setattr(module, "mirrors", lambda: every)
    monkeypatch.setattr(ledger, "BATCH_LINES", 4)
    monkeypatch.setattr(ledger, "SHORT_BATCH_LINES", 2)


STEPS = st.lists(st.tuples(st.sampled_from(sorted(ACTIONS)), st.integers(0, 11)), max_size=14)


@pytest.mark.slow
@settings(
    max_examples=40,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=STEPS)
def test_tables_are_equal_to_the_files_after_any_order_of_syncs(
    tmp_path: Path, quick_mirrors: None, steps: list[tuple[str, int]]
) -> None:
    folder = tmp_path / f"desk-{time.monotonic_ns()}"
    desk = make_desk(folder, 3)
    for kind, number in steps:
        ACTIONS[kind](desk, number)
    assert sync_directory(desk.located).complete
    assert [each.document() for each in differences(desk.located)] == []
    again = sync_directory(desk.located, thorough=True)
    assert (again.changed, again.lines) == (frozenset(), 0)
    shutil.rmtree(folder)


def test_everything_that_is_derived_is_equal_too(desk: Desk) -> None:
    for number, kind in enumerate(sorted(ACTIONS)):
        ACTIONS[kind](desk, number)
    sync_directory(desk.located)
    assert [each.document() for each in differences(desk.located)] == []
