"""Promoting on disk: all refusals at once, files in order, and again after a crash."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.claim import ClaimOwner
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.artifacts.stage import stage
from benchmarks.errors import (
    ApprovalRequired,
    Claimed,
    GateFailed,
    InvalidArguments,
    InvalidBenchmark,
    ReadOnly,
    WrongStage,
)
from benchmarks.records.caller import Caller
from benchmarks.records.vocabulary import Stage
from reviews.services import promoting
from reviews.services.promoting import promote
from reviews.services.recording import submit_review
from tests.reviews.desks import add_rows, make_dag, make_desk, make_promoted_desk, validate
from tests.reviews.factories import ANSWERED, make_contract, make_score, make_task, make_trivial_row

REFUSAL = make_contract(ANSWERED, {"id": "o2", "type": "no_state_change"})


def run(desk: Located, caller: Caller, now: datetime, **arguments: Any) -> dict[str, Any]:
    return promote(located=desk, caller=caller, now=now, **arguments)


def body(desk: Located, name: str) -> Any:
    return json.loads(desk.directory.path.joinpath(name).read_text(encoding="utf-8"))


def test_born_accepted_proposal_promotes_without_a_review(
    desk: Located, mira: Caller, now: datetime
) -> None:
    answer = run(desk, mira, now)
    assert answer["ok"] is True
    assert (answer["version"], answer["accepted_tasks"]) == ("1.0.0", ["t1", "t2"])
    assert answer["excluded_tasks"] == []
    assert answer["gate"]["status"] == "passed"
    assert "null_floor" in answer["gate"]["unknowns"]
    assert stage(desk.directory).stage is Stage.PROMOTED
    assert not desk.directory.exists(layout.REVIEWS)


def test_record_says_who_what_and_over_which_doubts(
    desk: Located, mira: Caller, now: datetime
) -> None:
    before = desk.directory.digest(layout.TASKS)
    record = run(desk, mira, now)["record"]
    assert record == body(desk, "promotion-record.json")
    assert (record["promoted_by"], record["door"]) == ("os:mira", "shell")
    assert record["promoted_at"] == "2026-11-04T09:00:00.000Z"
    assert record["counts"] == {"proposed": 2, "accepted": 2, "excluded": 0}
    assert record["decisions"]["t1"] == {
        "decision": "accept",
        "note": "",
        "reviewed_at": None,
        "source": None,
        "explicit": False,
    }
    assert record["pilot"] == {"verdict": None, "waived": True}
    assert record["waivers"] == [
        {"issue": "pilot", "rationale": "no pilot yet", "evidence": ["manifest.json: pilot.waived"]}
    ]
    assert record["inputs"]["tasks.jsonl"] == before
    outcomes = {gate["gate"]: gate["outcome"] for gate in record["gates"]}
    assert (outcomes["validation"], outcomes["verifier"]) == ("passed", "passed")
    assert record["verifiers"] == {"tested": 2, "weak": 0, "untested": 0}


def test_promoted_directory_holds_accepted_tasks_only(
    desk: Located, mira: Caller, now: datetime
) -> None:
    submit_review(located=desk, task_ids=["t1"], decision="reject", caller=mira, now=now)
    proposal = body(desk, "benchmark.json")
    answer = run(desk, mira, now)
    assert answer["excluded_tasks"] == [{"task_id": "t1", "decision": "reject"}]
    assert [task["task_id"] for task in body(desk, "benchmark.json")["tasks"]] == ["t2"]
    environment = "environment/understudy_trace_env"
    assert [task["task_id"] for task in body(desk, f"{environment}/tasks.json")] == ["t2"]
    fixtures = body(desk, f"{environment}/servers/fixtures.json")
    assert [row.get("task_id") for row in fixtures] == ["t2", None]
    assert [task["task_id"] for task in body(desk, "environment/gold.json")["tasks"]] == ["t2"]
    validation = body(desk, "environment/offline-validation.json")
    assert [row["task_id"] for row in validation["tasks"]] == ["t2"]
    assert body(desk, "benchmark-proposal.json") == proposal
    assert list(desk.directory.tasks()) == ["t1", "t2"]


def test_first_version_line_is_one_snapshot(desk: Located, mira: Caller, now: datetime) -> None:
    run(desk, mira, now)
    [line] = desk.directory.read(layout.VERSIONS).records
    assert (line.version, line.cause, line.actor) == ("1.0.0", "promote", "os:mira")
    assert [stamp.task_id for stamp in line.tasks or []] == ["t1", "t2"]


def test_promoting_again_changes_nothing(desk: Located, mira: Caller, now: datetime) -> None:
    first = run(desk, mira, now)
    files = {path: path.read_bytes() for path in desk.directory.path.rglob("*.json*")}
    again = run(desk, mira, now)
    assert again["replayed"] is True
    assert again["record"] == first["record"]
    assert {path: path.read_bytes() for path in desk.directory.path.rglob("*.json*")} == files


@pytest.mark.parametrize("survivors", range(9))
def test_crash_between_two_writes_leaves_a_proposal_that_promotes(
    desk: Located,
    mira: Caller,
    now: datetime,
    survivors: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    submit_review(located=desk, task_ids=["t1"], decision="reject", caller=mira, now=now)
    left = survivors

    class Crashing(BenchmarkDir):
        def replace(self, file: Any, content: Any) -> None:
            self.die()
            super().replace(file, content)

        def append(self, file: Any, *records: Any) -> None:
            self.die()
            super().append(file, *records)

        def die(self) -> None:
            nonlocal left
            if not left:
                raise KeyboardInterrupt
            left -= 1

    crashing = Located(Crashing(desk.directory.path), desk.slug, read_only=False)
    if survivors < 8:
        with pytest.raises(KeyboardInterrupt):
            run(crashing, mira, now)
    else:
        run(crashing, mira, now)
    expected = Stage.PROPOSED if survivors < 7 else Stage.PROMOTED
    assert stage(desk.directory).stage is expected
    answer = run(desk, mira, now)
    assert answer["accepted_tasks"] == ["t2"]
    assert stage(desk.directory).stage is Stage.PROMOTED
    assert len(desk.directory.read(layout.VERSIONS).records) == 1
    assert body(desk, "benchmark-proposal.json")["promotion_blockers"] == []
    assert len(body(desk, "benchmark-proposal.json")["tasks"]) == 2


def test_every_refusal_comes_at_once_and_nothing_is_written(
    tmp_path: Path, mira: Caller, now: datetime
) -> None:
    desk = make_desk(tmp_path, make_task("t1"), make_task("t2", outcome_contract=REFUSAL))
    add_rows(
        desk, *(make_trivial_row("null_agent", task, int(task == "t2")) for task in ("t1", "t2"))
    )
    validate(desk.directory, list(desk.directory.tasks().values()), t1={"oracle": make_score(0)})
    desk.directory.replace(layout.SOURCE_DAG, make_dag(quarantined_groups=["g1"]))
    before = {path: path.read_bytes() for path in desk.directory.path.rglob("*.json*")}
    with pytest.raises(GateFailed) as caught:
        run(desk, mira, now)
    codes = [complaint.path for complaint in caught.value.errors]
    assert codes == ["source_dag_quarantines", "oracle_failed", "null_floor"]
    assert caught.value.details["codes"] == codes
    assert caught.value.details["refusals"][2]["task_ids"] == ["t2"]
    assert {path: path.read_bytes() for path in desk.directory.path.rglob("*.json*")} == before


def floored(tmp_path: Path) -> Located:
    """Two tasks of which the null agent passes one."""
    desk = make_desk(tmp_path, make_task("t1"), make_task("t2", outcome_contract=REFUSAL))
    add_rows(
        desk, *(make_trivial_row("null_agent", task, int(task == "t2")) for task in ("t1", "t2"))
    )
    return desk


def test_floor_refuses_until_the_passed_task_is_rejected(
    tmp_path: Path, mira: Caller, now: datetime
) -> None:
    desk = floored(tmp_path)
    with pytest.raises(GateFailed) as caught:
        run(desk, mira, now)
    assert caught.value.details["codes"] == ["null_floor"]
    assert caught.value.hint == (
        "null_floor: understudy benchmarks tasks local--refund-desk --attention trivial_pass"
    )
    submit_review(located=desk, task_ids=["t2"], decision="reject", caller=mira, now=now)
    assert run(desk, mira, now)["accepted_tasks"] == ["t1"]


def test_contract_that_asks_for_nothing_refuses_before_anything_was_run(
    tmp_path: Path, mira: Caller, now: datetime
) -> None:
    desk = make_desk(tmp_path, make_task("t1"), make_task("t2", outcome_contract=REFUSAL))
    with pytest.raises(GateFailed) as caught:
        run(desk, mira, now)
    assert caught.value.details["refusals"][0]["task_ids"] == ["t2"]
    assert caught.value.errors[0].message == (
        "1 of 2 contracts are met by doing nothing (50 %, bar 5 %); "
        "no null_agent row on any of 2 tasks"
    )


def test_override_is_recorded_and_noticed(tmp_path: Path, mira: Caller, now: datetime) -> None:
    answer = run(floored(tmp_path), mira, now, override_rigor="refusals are the point")
    assert answer["gate"]["status"] == "overridden"
    assert answer["gate"]["failures"] == ["null_floor"]
    assert answer["record"]["rigor_gate"]["override_reason"] == "refusals are the point"
    assert answer["notices"] == [
        {"kind": "override", "text": "promoted over rigor: refusals are the point"}
    ]


def test_agent_needs_a_persons_word_to_override(
    tmp_path: Path, agent: Caller, now: datetime
) -> None:
    desk = floored(tmp_path)
    for lift in ({"override_rigor": "x"}, {"waive_dag": "x"}):
        with pytest.raises(ApprovalRequired) as caught:
            run(desk, agent, now, **lift)
        assert caught.value.details == {"needs": list(lift)}
    assert run(desk, agent, now, override_rigor="x", confirm=True)["ok"]


def test_override_without_a_reason_is_refused(desk: Located, mira: Caller, now: datetime) -> None:
    with pytest.raises(InvalidArguments):
        run(desk, mira, now, override_rigor="  ")


def test_dry_run_shows_the_same_and_writes_nothing(
    tmp_path: Path, mira: Caller, now: datetime
) -> None:
    desk = floored(tmp_path)
    with pytest.raises(GateFailed):
        run(desk, mira, now, dry_run=True)
    answer = run(desk, mira, now, dry_run=True, override_rigor="why not")
    assert (answer["dry_run"], answer["accepted_tasks"]) == (True, ["t1", "t2"])
    assert "record" not in answer
    assert stage(desk.directory).stage is Stage.PROPOSED


def test_strict_refuses_what_is_not_measured(desk: Located, mira: Caller, now: datetime) -> None:
    with pytest.raises(GateFailed) as caught:
        run(desk, mira, now, strict=True)
    assert "null_floor" in caught.value.details["codes"]


def test_held_claim_alone_is_claimed_and_with_others_one_of_them(
    tmp_path: Path, mira: Caller, now: datetime
) -> None:
    desk = floored(tmp_path)
    owner = ClaimOwner(executor_version="0.1.0", now=now)
    with BenchmarkDir(desk.directory.path).claim(owner):
        with pytest.raises(GateFailed) as caught:
            run(desk, mira, now)
        assert caught.value.details["codes"] == ["claimed", "null_floor"]
        submit_review(located=desk, task_ids=["t2"], decision="reject", caller=mira, now=now)
        with pytest.raises(Claimed) as held:
            run(desk, mira, now)
    assert held.value.details["claimed_by"]["pid"] == owner.pid


def test_edited_task_is_a_conflict(desk: Located, mira: Caller, now: datetime) -> None:
    tasks = list(desk.directory.tasks().values())
    desk.directory.replace(layout.TASKS, [tasks[0].with_(title="Other"), tasks[1]])
    with pytest.raises(GateFailed) as caught:
        run(desk, mira, now)
    assert caught.value.details["refusals"][0]["code"] == "schema_conflict"
    assert caught.value.errors[0].message == "t1: edited by hand since it was stamped"


def test_task_that_the_manifest_lacks_is_a_conflict_of_itself_only(
    desk: Located, mira: Caller, now: datetime
) -> None:
    manifest = desk.directory.load(layout.BENCHMARK)
    assert manifest is not None
    desk.directory.replace(layout.BENCHMARK, manifest.with_(tasks=manifest.tasks[:1]))
    found = promoting.conflicts_of(promoting.open_dossier(desk))
    assert found == {"t2": "benchmark.json does not list it"}
    with pytest.raises(GateFailed):
        run(desk, mira, now)


def test_empty_contract_is_refused(tmp_path: Path, mira: Caller, now: datetime) -> None:
    empty = make_task("t1", outcome_contract={**make_contract(), "required": []})
    desk = make_desk(tmp_path, empty)
    validate(desk.directory, list(desk.directory.tasks().values()), t1={"oracle": make_score(None)})
    with pytest.raises(GateFailed) as caught:
        run(desk, mira, now)
    assert caught.value.errors[0].message == "t1: the contract cannot judge"


def test_promoted_elsewhere_is_the_wrong_stage(tmp_path: Path, mira: Caller, now: datetime) -> None:
    desk = make_promoted_desk(tmp_path)
    desk.directory.path.joinpath("promotion-record.json").unlink()
    desk.directory.path.joinpath("manifest.json").unlink()
    with pytest.raises(WrongStage):
        run(desk, mira, now)


def test_broken_manifest_cannot_be_promoted(desk: Located, mira: Caller, now: datetime) -> None:
    desk.directory.path.joinpath("benchmark.json").write_text("{nope", encoding="utf-8")
    with pytest.raises(InvalidBenchmark):
        run(desk, mira, now)


def test_read_only_directory_is_refused(desk: Located, mira: Caller, now: datetime) -> None:
    frozen = Located(BenchmarkDir(desk.directory.path, read_only=True), desk.slug, read_only=True)
    with pytest.raises(ReadOnly):
        run(frozen, mira, now)
    assert run(frozen, mira, now, dry_run=True)["ok"]
