"""Lists of runs, newest first: every filter, pages by key, and how the database finds them."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.models import BenchmarkEntry
from benchmarks.models.dated import UNDATED
from benchmarks.models.keyset import MOST_DRIVEN, Key, bounded_count
from runs.models import EventEntry, RequestEntry, RowEntry
from runs.selectors import (
    EventQuestion,
    RequestQuestion,
    RowQuestion,
    list_events,
    list_requests,
    list_rows,
    statuses_of,
)
from tests.plans import goes_by, plans_of, seeks, sorts

pytestmark = pytest.mark.django_db
FIRST = 1_793_000_000_000_000
ROWS = 24


@pytest.fixture
def benchmarks() -> list[int]:
    made = [
        BenchmarkEntry.objects.create(slug=f"local--{name}", name=name, root="local", path="/x")
        for name in ("desk", "shop")
    ]
    return [entry.pk for entry in made]


@pytest.fixture
def rows(benchmarks: list[int]) -> list[RowEntry]:
    """Rows of two benchmarks, their times mixed; every sixth has none."""
    made = [
        RowEntry(
            benchmark_id=benchmarks[number // 12],
            file=f"rows-run-{number % 3}.jsonl",
            line=number + 1,
            offset=0,
            length=1,
            moment=UNDATED if number % 6 == 5 else FIRST + (number * 7 % ROWS) * 1_000_000,
            run_id=f"run-{number % 3}",
            task_id=f"t{number % 4}",
            arm=("m1", "m2")[number // 2 % 2],
            split=("train", "holdout")[number // 3 % 2],
            status=("ok", "ok", "error", "unscored")[number % 4],
            anomaly="low_fidelity" if number % 5 == 0 else None,
            stale="stale_rerun" if number % 8 == 0 else None,
        )
        for number in range(ROWS)
    ]
    RowEntry.objects.bulk_create(made)
    return list(RowEntry.objects.order_by("-moment", "-id"))


def pages(question: RowQuestion, limit: int) -> Iterator[list[int]]:
    after: Key | None = None
    while True:
        window = list_rows(question, limit=limit, after=after)
        yield [row.pk for row in window.entries]
        after = window.next
        if after is None:
            return


def all_of(question: RowQuestion, limit: int = 5) -> list[int]:
    return [pk for page in pages(question, limit) for pk in page]


def wanted(rows: list[RowEntry], **values: Any) -> list[int]:
    return [
        row.pk for row in rows if all(getattr(row, name) in among for name, among in values.items())
    ]


def test_pages_follow_each_other_without_loss_or_repeat(rows: list[RowEntry]) -> None:
    found = list(pages(RowQuestion(), 5))
    assert [len(page) for page in found] == [5, 5, 5, 5, 4]
    assert [pk for page in found for pk in page] == [row.pk for row in rows]


def test_rows_without_a_time_come_last(rows: list[RowEntry]) -> None:
    found = list_rows(RowQuestion(), limit=ROWS).entries
    undated = [row.moment == UNDATED for row in found]
    assert undated == [False] * 20 + [True] * 4
    assert [row.pk for row in found[-4:]] == sorted((row.pk for row in found[-4:]), reverse=True)


def test_the_last_page_that_is_full_leads_nowhere(rows: list[RowEntry]) -> None:
    assert list_rows(RowQuestion(), limit=ROWS).next is None
    assert list_rows(RowQuestion(), limit=ROWS - 1).next is not None
    assert list_rows(RowQuestion(runs=["run-none"]), limit=5).entries == []


QUESTIONS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"runs": ["run-1"]}, {"run_id": {"run-1"}}),
    ({"tasks": ["t1", "t2"]}, {"task_id": {"t1", "t2"}}),
    ({"arms": ["m2"]}, {"arm": {"m2"}}),
    ({"splits": ["holdout"]}, {"split": {"holdout"}}),
    ({"statuses": ["error", "unscored"]}, {"status": {"error", "unscored"}}),
    ({"statuses": ["ok", "error"]}, {"status": {"ok", "error"}}),
    ({"anomalies": ["low_fidelity"]}, {"anomaly": {"low_fidelity"}}),
    ({"stale": True}, {"stale": {"stale_rerun"}}),
    ({"stale": False}, {"stale": {None}}),
    ({"runs": ["run-1"], "statuses": ["ok"]}, {"run_id": {"run-1"}, "status": {"ok"}}),
    ({"arms": ["m1", "m2"], "splits": ["train"]}, {"split": {"train"}}),
    (
        {"tasks": ["t1"], "arms": ["m1"], "splits": ["train", "holdout"]},
        {"task_id": {"t1"}, "arm": {"m1"}},
    ),
]


@pytest.mark.parametrize("of_one", [False, True])
@pytest.mark.parametrize(("asked", "values"), QUESTIONS)
def test_a_filter_is_or_within_a_name_and_and_across_names(
    rows: list[RowEntry],
    benchmarks: list[int],
    asked: dict[str, Any],
    values: dict[str, Any],
    of_one: bool,
) -> None:
    among = benchmarks[:1] if of_one else benchmarks
    expected = wanted(rows, benchmark_id=set(among), **values)
    assert expected
    question = RowQuestion(benchmarks=among if of_one else (), **asked)
    assert all_of(question, limit=3) == expected


def test_times_bound_the_list_from_the_first_to_before_the_last(rows: list[RowEntry]) -> None:
    since = datetime.fromtimestamp((FIRST + 5_000_000) / 1e6, UTC)
    until = datetime.fromtimestamp((FIRST + 12_000_000) / 1e6, UTC)
    found = list_rows(RowQuestion(since=since, until=until), limit=ROWS).entries
    assert [row.moment for row in found] == sorted(
        (row.moment for row in rows if FIRST + 5_000_000 <= row.moment < FIRST + 12_000_000),
        reverse=True,
    )
    assert found


def test_more_values_than_queries_are_still_answered(rows: list[RowEntry]) -> None:
    many = [f"run-{number}" for number in range(MOST_DRIVEN + 5)]
    assert all_of(RowQuestion(runs=many)) == [row.pk for row in rows]


PLANS: list[tuple[str, dict[str, Any], str]] = [
    ("everything", {}, "rows_newest"),
    ("benchmark", {"benchmarks": 1}, "rows_of_benchmark"),
    ("run", {"runs": ["run-1"]}, "rows_of_run"),
    ("run in a benchmark", {"benchmarks": 1, "runs": ["run-1"]}, "rows_of_run"),
    ("run of a split", {"benchmarks": 1, "runs": ["r"], "splits": ["dev"]}, "rows_of_run"),
    ("task", {"tasks": ["t1"]}, "rows_of_task"),
    ("task and status", {"benchmarks": 1, "tasks": ["t1"], "statuses": ["ok"]}, "rows_of_task"),
    ("arm", {"arms": ["m1"]}, "rows_of_arm"),
    ("arm in a benchmark", {"benchmarks": 1, "arms": ["m1"]}, "rows_of_arm_in"),
    ("split in a benchmark", {"benchmarks": 1, "splits": ["train"]}, "rows_of_split_in"),
    ("split", {"splits": ["train"]}, "rows_newest"),
    ("status", {"statuses": ["error"]}, "rows_of_status"),
    ("status in a benchmark", {"benchmarks": 1, "statuses": ["error"]}, "rows_of_status_in"),
    (
        "errors of an arm",
        {"benchmarks": 1, "arms": ["m1"], "statuses": ["error"]},
        "rows_of_status_in",
    ),
    ("scores of an arm", {"benchmarks": 1, "arms": ["m1"], "statuses": ["ok"]}, "rows_of_arm_in"),
    ("anomaly", {"anomalies": ["low_fidelity"]}, "rows_with_anomaly"),
    ("anomaly in a benchmark", {"benchmarks": 1, "anomalies": ["x"]}, "rows_with_anomaly"),
    ("stale in a benchmark", {"benchmarks": 1, "stale": True}, "rows_stale_in"),
    ("since", {"since": datetime(2026, 11, 1, tzinfo=UTC)}, "rows_newest"),
    ("run since", {"runs": ["r"], "since": datetime(2026, 11, 1, tzinfo=UTC)}, "rows_of_run"),
]


@pytest.mark.parametrize("after", [None, (FIRST, 7)])
@pytest.mark.parametrize(("name", "asked", "index"), PLANS)
def test_every_filter_is_an_index_in_the_order_of_the_list(
    rows: list[RowEntry],
    benchmarks: list[int],
    name: str,
    asked: dict[str, Any],
    index: str,
    after: Key | None,
) -> None:
    said = {**asked, **({"benchmarks": benchmarks[:1]} if "benchmarks" in asked else {})}
    question = RowQuestion(**said)
    plans = plans_of(lambda: list_rows(question, limit=50, after=after))
    assert plans
    for plan in plans:
        assert goes_by(plan, index), (name, plan)
        assert not sorts(plan), (name, plan)
        if after is not None or index != "rows_newest" or "since" in asked:
            assert seeks(plan, "runs_rowentry", index), (name, plan)


def test_events_are_listed_by_run_and_kind(benchmarks: list[int]) -> None:
    for number in range(6):
        EventEntry.objects.create(
            benchmark_id=benchmarks[0],
            file="runs/events.jsonl",
            line=number + 1,
            offset=0,
            length=1,
            moment=FIRST + number,
            run_id=f"run-{number % 2}",
            type=("rollout", "run_started")[number // 4],
            arm="m1",
        )
    found = list_events(EventQuestion(runs=["run-1"], types=["rollout"]), limit=10).entries
    assert [event.line for event in found] == [4, 2]
    assert list_events(EventQuestion(tasks=["t1"]), limit=10).entries == []


def test_requests_are_listed_by_status_and_arm(lab_home: Path, benchmarks: list[int]) -> None:
    for number, (status, arms) in enumerate([
        ("done", ["gpt-5", "null_agent"]),
        ("queued", ["gpt-5.5"]),
        ("queued", ["null_agent"]),
    ]):
        entry = BenchmarkEntry.objects.get(pk=benchmarks[0])
        document = entry.documents.create(kind="requests", file=f"q{number}", sha256="0")
        RequestEntry.objects.create(
            benchmark=entry,
            document=document,
            moment=FIRST + number,
            run_id=f"run-{number}",
            status=status,
            kind="run",
            arms=arms,
            arm_words="\x1f".join(["", *arms, ""]),
        )
    queued = list_requests(RequestQuestion(statuses=["queued"]), limit=10).entries
    assert [each.run_id for each in queued] == ["run-2", "run-1"]
    of_arm = list_requests(RequestQuestion(arms=["gpt-5"]), limit=10).entries
    assert [each.run_id for each in of_arm] == ["run-0"]
    either = list_requests(RequestQuestion(arms=["gpt-5", "gpt-5.5"]), limit=10).entries
    assert [each.run_id for each in either] == ["run-1", "run-0"]


def test_a_bounded_count_stops_one_beyond_its_bound(rows: list[RowEntry]) -> None:
    assert bounded_count(RowEntry.objects.all(), 10) == 11
    assert bounded_count(RowEntry.objects.all(), ROWS) == ROWS


def test_a_benchmark_that_was_not_synced_has_no_status(benchmarks: list[int]) -> None:
    assert statuses_of(benchmarks) == {}
