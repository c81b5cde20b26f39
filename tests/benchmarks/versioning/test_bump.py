import pytest

from benchmarks.errors import InvalidBenchmark
from benchmarks.records.contract import Contract
from benchmarks.records.task import Task
from benchmarks.records.version import TaskBump, TaskStamp
from benchmarks.records.vocabulary import Bump
from benchmarks.versioning.bump import bump_version, diff, parse_version, snapshot
from benchmarks.versioning.hashing import restamp


def task(task_id: str = "t1", *, amount: int = 25, prompt: str = "k1", title: str = "A") -> Task:
    contract = Contract.read({
        "status": "machine_proposed",
        "required": [{"id": "o1", "type": "state_effect", "tool": "refund", "value": amount}],
    })
    return restamp(
        None,
        Task(
            task_id=task_id,
            title=title,
            candidate_boundary=prompt,
            boundary_rule="earliest",
            outcome_contract=contract,
            version="1.2.3",
        ),
    )


@pytest.mark.parametrize(
    ("version", "bump", "expected"),
    [
        ("1.2.3", Bump.MAJOR, "2.0.0"),
        ("1.2.3", Bump.MINOR, "1.3.0"),
        ("1.2.3", Bump.PATCH, "1.2.4"),
        ("v1.2", Bump.MINOR, "1.1.0"),
        (None, Bump.PATCH, "1.0.1"),
        ("1.2.3-rc1", Bump.MAJOR, "2.0.0"),
        ("¹.2.3", Bump.PATCH, "1.0.1"),
    ],
)
def test_bump_version(version: str | None, bump: Bump, expected: str) -> None:
    assert bump_version(version, bump) == expected


def test_versions_are_three_plain_integers() -> None:
    assert parse_version("10.0.7") == (10, 0, 7)
    assert parse_version("10.0.7\n") == (1, 0, 0)


@pytest.mark.parametrize(
    ("change", "bump", "to", "keys", "plan"),
    [
        ({"title": "B"}, Bump.PATCH, "1.2.4", ("title",), "reuse"),
        ({"amount": 26}, Bump.MINOR, "1.3.0", ("outcome_contract",), "regrade"),
        ({"prompt": "k2"}, Bump.MAJOR, "2.0.0", ("candidate_boundary",), "rerun"),
        (
            {"prompt": "k2", "title": "B"},
            Bump.MAJOR,
            "2.0.0",
            ("title", "candidate_boundary"),
            "rerun",
        ),
    ],
)
def test_an_edit_bumps_its_own_task_and_no_other(
    change: dict[str, str], bump: Bump, to: str, keys: tuple[str, ...], plan: str
) -> None:
    found = diff([task("t1"), task("t2")], [task("t1", **change), task("t2")])
    (only,) = found.per_task
    assert (only.task_id, only.bump, only.from_version, only.to_version) == (
        "t1",
        bump,
        "1.2.3",
        to,
    )
    assert only.changed_keys == keys
    assert found.benchmark_bump is bump
    plans = {"rerun": found.rerun, "regrade": found.regrade, "reuse": found.reuse}
    assert "t1" in plans[plan]
    assert "t2" in found.reuse
    assert sum(map(len, plans.values())) == 2


def test_an_edit_by_hand_counts_though_both_lines_read_alike() -> None:
    edited = task().with_(title="By hand")
    (change,) = diff([edited], [edited]).per_task
    assert change.bump is Bump.PATCH
    assert change.reason == "meta changed: reuse"


def test_added_is_major_and_removed_is_minor() -> None:
    found = diff([task("t1"), task("t2")], [task("t1"), task("t3")])
    assert (found.added, found.removed) == (("t3",), ("t2",))
    assert [change.record() for change in found.per_task] == [
        TaskBump(task_id="t3", bump=Bump.MAJOR, from_=None, to="1.2.3", reason="added: rerun"),
        TaskBump(task_id="t2", bump=Bump.MINOR, from_="1.2.3", to=None, reason="removed"),
    ]
    assert (found.rerun, found.reuse) == (("t3",), ("t1",))
    assert diff([task("t1"), task("t2")], [task("t1")]).benchmark_bump is Bump.MINOR


def test_nothing_changed_is_an_empty_diff() -> None:
    found = diff([task("t1")], [task("t1")])
    assert not found
    assert found.document() == {
        "added": [],
        "removed": [],
        "per_task": [],
        "plan": {"rerun": [], "regrade": [], "reuse": ["t1"]},
        "benchmark_bump": None,
    }


def test_a_repeated_id_names_both_lines() -> None:
    with pytest.raises(InvalidBenchmark, match="t1 stands on lines 1 and 3 of the new tasks"):
        diff([], [task("t1"), task("t2"), task("t1")])


def test_a_snapshot_is_sorted_by_task_id() -> None:
    first, second = task("t1"), task("t2")
    assert snapshot([second, first]) == [
        TaskStamp(task_id="t1", version="1.2.3", content_hashes=first.content_hashes),
        TaskStamp(task_id="t2", version="1.2.3", content_hashes=second.content_hashes),
    ]
