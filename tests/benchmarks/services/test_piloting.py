"""The first build writes one task; the rest waits for its audit, or for a recorded waiver."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import AlreadyExists, ApprovalRequired, InvalidArguments, PilotRequired
from benchmarks.records.caller import Caller
from benchmarks.records.direction import Dependencies, Dependency
from benchmarks.records.pilot import Audit, PilotAudit
from tests.benchmarks.services.factories import (
    LATER,
    build,
    desk,
    files,
    look_up,
    refund,
    task_lines,
)

AGENT = Caller("mcp:claude@mira", "mcp")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return desk(tmp_path / "captures")


@pytest.fixture
def piloted(tmp_path: Path, source: Path) -> Path:
    build(tmp_path / "desk", source, waive_pilot=None)
    return tmp_path / "desk"


def audited(path: Path, verdict: str = "pass", **changes: Any) -> PilotAudit:
    """Record an audit of the only task, as the reviews do."""
    task = task_lines(path)[0]
    audit = Audit(
        verdict="pass", run_id="run-1", rollout=0, trajectory_sha256="9d0e",
        actor="os:mira", door="shell", at="2026-11-02T12:30:00.000Z",
    )  # fmt: skip
    found = PilotAudit(
        task_id=task["task_id"],
        task_version=task["version"],
        content_hashes=task["content_hashes"],
        agent_audit=audit,
        verifier_audit=audit.with_(verdict=verdict),
        verdict=verdict,
        **changes,
    )
    BenchmarkDir(path).replace(layout.PILOT_AUDIT, found)
    return found


def test_the_first_build_writes_one_task_and_the_rest_is_pending(
    tmp_path: Path, source: Path
) -> None:
    answer = build(tmp_path / "desk", source, waive_pilot=None)
    (task,) = task_lines(tmp_path / "desk")
    assert answer["pilot_task_id"] == task["task_id"]
    assert answer["pilot"] == {"task_id": task["task_id"], "pending": 5}
    assert answer["dropped"] == {"pilot_pending": 5, "superseded_history": 10}
    assert (answer["counts"]["tasks"], answer["counts"]["conversations"]) == (1, 6)
    assert (task["split"], answer["splits"]) == ("dev", "train 0 / dev 1 / holdout 0")
    rows = BenchmarkDir(tmp_path / "desk").read(layout.EXECUTION_INDEX).records
    assert [row.exclusion_reasons for row in rows if row.task_id is None] == [["pilot_pending"]] * 5


def test_without_an_audit_the_rest_is_not_built(piloted: Path) -> None:
    before = files(piloted)
    (task,) = task_lines(piloted)
    with pytest.raises(PilotRequired, match="nobody audited the pilot") as raised:
        build(piloted, waive_pilot=None)
    assert raised.value.details == {"task_id": task["task_id"], "state": "absent"}
    assert [action.command.split()[1:3] for action in raised.value.next_actions] == [
        ["reviews", "submit"],
        ["traces", "build-benchmark"],
    ]
    assert files(piloted) == before


def test_an_audit_that_passed_lets_the_same_command_write_all_and_the_pilot_stays_as_it_was(
    piloted: Path,
) -> None:
    (pilot,) = task_lines(piloted)
    audited(piloted)
    answer = build(piloted, waive_pilot=None, now=LATER)
    assert answer["counts"]["tasks"] == 6
    assert answer["pilot"] == {"task_id": pilot["task_id"], "pending": 0}
    assert answer["dropped"] == {"superseded_history": 10}
    again = next(line for line in task_lines(piloted) if line["task_id"] == pilot["task_id"])
    assert again["content_hashes"] == pilot["content_hashes"]
    assert (again["split"], again["version"]) == ("dev", "1.0.0")


def test_a_whole_build_makes_the_same_tasks_but_for_the_splits(
    tmp_path: Path, source: Path, piloted: Path
) -> None:
    audited(piloted)
    build(piloted, waive_pilot=None)
    build(tmp_path / "other", source)
    one = {line["task_id"]: line["content_hashes"] for line in task_lines(piloted)}
    other = {line["task_id"]: line["content_hashes"] for line in task_lines(tmp_path / "other")}
    assert one == other


@pytest.mark.parametrize(
    ("verdict", "change", "said"),
    [
        ("fail", {}, "the audit of the pilot failed"),
        ("pass", {"title": "Another"}, None),
        ("pass", {"posture": "live"}, "the pilot changed since it was audited"),
    ],
)
def test_a_failed_audit_and_one_that_is_out_of_date_make_the_rest_wait(
    piloted: Path, verdict: str, change: dict[str, Any], said: str | None
) -> None:
    found = audited(piloted, verdict)
    (task,) = task_lines(piloted)
    hashes = dict(task["content_hashes"])
    if "posture" in change:
        hashes["env_sha256"] = "0" * 64
    if "title" in change:
        hashes["meta_sha256"] = "0" * 64
    BenchmarkDir(piloted).replace(layout.PILOT_AUDIT, found.with_(content_hashes=hashes))
    if said is None:
        assert build(piloted, waive_pilot=None)["counts"]["tasks"] == 6
        return
    with pytest.raises(PilotRequired, match=said):
        build(piloted, waive_pilot=None)


def test_once_it_is_out_of_date_new_tasks_wait_again_and_existing_ones_stay(
    tmp_path: Path, piloted: Path
) -> None:
    found = audited(piloted)
    build(piloted, waive_pilot=None)
    stale = found.content_hashes.with_(verifier_sha256="0" * 64) if found.content_hashes else None
    BenchmarkDir(piloted).replace(layout.PILOT_AUDIT, found.with_(content_hashes=stale))
    more = desk(tmp_path / "more", refund(7), look_up(8))
    answer = build(piloted, more, waive_pilot=None, rebuild=True, now=LATER)
    assert len(task_lines(piloted)) == 6
    assert answer["pilot"] == {"task_id": found.task_id, "pending": 2}
    assert answer["dropped"]["pilot_pending"] == 2


def test_a_waiver_after_the_pilot_writes_all_and_stands_in_both_files(piloted: Path) -> None:
    (pilot,) = task_lines(piloted)
    before = audited(piloted, "fail")
    answer = build(piloted, waive_pilot="we looked at it together", now=LATER)
    waived = {
        "reason": "we looked at it together",
        "actor": "os:mira",
        "door": "shell",
        "at": "2026-11-03T12:00:00.000Z",
    }
    assert answer["counts"]["tasks"] == 6
    assert answer["pilot"] == {"waived": waived, "task_id": pilot["task_id"], "pending": 0}
    document = json.loads((piloted / "pilot-audit.json").read_text(encoding="utf-8"))
    assert (document["verdict"], document["waiver"]) == ("waived", waived)
    kept = before.dump()
    kept.pop("history")
    assert document["history"] == [kept]
    assert build(piloted, waive_pilot=None)["counts"]["tasks"] == 6


def test_an_agent_waives_only_with_a_persons_word(piloted: Path) -> None:
    with pytest.raises(ApprovalRequired, match="a person's decision"):
        build(piloted, caller=AGENT)
    assert build(piloted, caller=AGENT, confirm=True)["counts"]["tasks"] == 6


def test_a_pilot_is_built_again_on_request_and_stays_the_same_task(piloted: Path) -> None:
    before = files(piloted)
    answer = build(piloted, pilot=True, waive_pilot=None)
    assert answer["pilot"]["pending"] == 5
    assert files(piloted) == before


def test_a_refused_pilot_is_followed_by_another(piloted: Path) -> None:
    (first,) = task_lines(piloted)
    line = {"benchmark_id": "desk", "task_id": first["task_id"], "decision": "reject"}
    with (piloted / "reviews.jsonl").open("w", encoding="utf-8") as ledger:
        ledger.write(json.dumps({**line, "created_at": "2026-11-02T13:00:00.000Z"}) + "\n")
    answer = build(piloted, pilot=True, waive_pilot=None)
    assert len(task_lines(piloted)) == 2
    assert answer["pilot"]["pending"] == 4
    assert answer["pilot_task_id"] != first["task_id"]


def test_no_pilot_is_built_where_other_tasks_stand(tmp_path: Path, source: Path) -> None:
    build(tmp_path / "desk", source)
    with pytest.raises(InvalidArguments, match="6 other tasks stand"):
        build(tmp_path / "desk", pilot=True, waive_pilot=None)


def test_a_pilot_and_its_waiver_exclude_each_other(tmp_path: Path, source: Path) -> None:
    with pytest.raises(InvalidArguments, match="not both"):
        build(tmp_path / "desk", source, pilot=True)


def test_a_directory_from_before_pilots_keeps_its_tasks_and_new_ones_wait(
    tmp_path: Path, source: Path
) -> None:
    path = tmp_path / "desk"
    build(path, source)
    manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
    del manifest["pilot"]
    (path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    more = desk(tmp_path / "more", refund(7))
    answer = build(path, more, waive_pilot=None, rebuild=True)
    assert len(task_lines(path)) == 6
    assert answer["pilot"] == {"pending": 1}
    assert "pilot_task_id" not in answer


def test_the_same_command_with_its_source_builds_the_rest_and_then_nothing_more(
    piloted: Path, source: Path
) -> None:
    with pytest.raises(PilotRequired):
        build(piloted, source, waive_pilot=None)
    audited(piloted)
    assert build(piloted, source, waive_pilot=None)["counts"]["tasks"] == 6
    with pytest.raises(AlreadyExists, match="has 6 tasks"):
        build(piloted, source, waive_pilot=None)


def test_a_pilot_may_use_a_posture_that_is_only_suggested_and_the_rest_waits_for_approval(
    tmp_path: Path, source: Path
) -> None:
    path = tmp_path / "desk"
    build(path, source, waive_pilot=None)
    (task,) = task_lines(path)
    suggested = Dependency(
        name="application tools", kind="other", tools=["get_order", "issue_refund"],
        posture="simulated", seed=0,
    )  # fmt: skip
    BenchmarkDir(path).replace(layout.DEPENDENCIES, Dependencies(dependencies=[suggested]))
    build(path, pilot=True, waive_pilot=None)
    audited(path)
    with pytest.raises(ApprovalRequired, match="nobody approved how application tools is played"):
        build(path, waive_pilot=None)
    approved = suggested.with_(approved_by="os:mira")
    BenchmarkDir(path).replace(layout.DEPENDENCIES, Dependencies(dependencies=[approved]))
    assert build(path, waive_pilot=None)["counts"]["tasks"] == 6
    assert task["posture"] == "simulated"
