"""The audit of a pilot, as `reviews submit` writes it."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.roots import Located
from benchmarks.errors import GateFailed, InvalidArguments, NotMeasured
from benchmarks.records.build import BuildManifest
from benchmarks.records.caller import Caller
from benchmarks.records.digest import json_digest
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.pilot import PilotState
from benchmarks.records.trajectory import Trajectory
from benchmarks.records.verifier import TaskVerification, VerifierReport
from benchmarks.records.vocabulary import ArmKind
from reviews.services.dossier import Dossier
from reviews.services.pilot_auditing import READ, Found, read_found
from reviews.services.recording import submit_review
from tests.reviews.desks import add_rows
from tests.reviews.factories import make_row

PASS = Found("pass", "pass")
INCUMBENT = "gpt-5.5"


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "UNDERSTUDY_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def pilot(desk: Located) -> Located:
    """A desk whose pilot is t1, tested, and run once."""
    build = desk.directory.load(layout.MANIFEST)
    assert build is not None
    desk.directory.replace(layout.MANIFEST, build.with_(pilot={"task_id": "t1", "pending": 5}))
    verified(desk)
    played(desk)
    return desk


def verified(desk: Located, verdict: str = "tested") -> None:
    hashes = desk.directory.tasks()["t1"].content_hashes
    assert hashes is not None
    counts = {"pass": 1, "pass_accepted": 1, "fail": 1, "fail_rejected": 1}
    row = TaskVerification.read({
        "task_id": "t1",
        "verifier_sha256": hashes.verifier_sha256,
        "valid_pass": True,
        "wrong_fail": True,
        "fixtures": counts,
        "mutants": {"made": 4, "rejected": 4, "equivalent": 0, "broken": 0},
        "mutation_score": 1,
        "harmless": {"made": 2, "accepted": 2},
        "verdict": verdict,
    })
    report = VerifierReport(generated_at="2026-11-04T08:00:00.000Z", seed=0, tasks=[row])
    desk.directory.replace(layout.VERIFIER_REPORT, report)


def played(desk: Located, rollout: int = 0, **changes: Any) -> Trajectory:
    """One rollout of t1, with its row."""
    hashes = desk.directory.tasks()["t1"].content_hashes
    assert hashes is not None
    row = make_row(
        "t1",
        rollout=rollout,
        **{
            "provenance": {"task_version": "1.0.0", "task_content_hashes": hashes.dump()},
            **changes,
        },
    )
    add_rows(desk, row)
    kept = Trajectory(
        run_id=row.run_id,
        benchmark_id="refund-desk",
        task_id="t1",
        model=row.model,
        arm_kind=row.arm_kind,
        rollout=rollout,
        attempt=1,
        fence=1,
        seed=0,
        started_at="2026-11-04T08:00:00.000Z",
        finished_at="2026-11-04T08:00:01.000Z",
        termination="finished",
        turns=[],
        calls=[],
        content_hashes=hashes,
    )
    desk.directory.append(layout.trajectories(row.run_id, row.model), kept)
    return kept


def audit(desk: Located, caller: Caller, now: datetime, found: Found = PASS, **more: Any) -> Any:
    given = {"task_ids": ["t1"], "decision": "accept", **more}
    return submit_review(located=desk, pilot_audit=found, caller=caller, now=now, **given)


def test_both_words_of_the_newest_rollout_are_kept_with_who_read_it(
    pilot: Located, mira: Caller, now: datetime
) -> None:
    kept = played(pilot, 1, created_at="2026-11-04T10:00:00.000Z")
    found = Found("pass", "pass", ("agent: the order service answered", "verifier: met is met"))
    answer = audit(pilot, mira, now, found)
    task = pilot.directory.tasks()["t1"]
    assert task.content_hashes is not None
    block = {
        "verdict": "pass",
        "run_id": "run-1",
        "rollout": 1,
        "trajectory_sha256": json_digest(kept.dump()),
        "actor": "os:mira",
        "door": "shell",
        "at": "2026-11-04T09:00:00.000Z",
        "arm": "m1",
        "arm_kind": "candidate",
    }
    written = pilot.directory.load(layout.PILOT_AUDIT)
    assert written is not None
    assert written.dump() == {
        "schema_version": "understudy.pilot_audit.v1",
        "task_id": "t1",
        "task_version": "1.0.0",
        "content_hashes": task.content_hashes.dump(),
        "agent_audit": {**block, "findings": ["the order service answered"]},
        "verifier_audit": {**block, "findings": ["met is met"]},
        "verdict": "pass",
        "history": [],
    }
    assert answer["pilot_audit"]["verdict"] == "pass"
    assert [line.decision for line in pilot.directory.read(layout.REVIEWS).records] == ["accept"]
    assert Dossier(pilot.directory).pilot.state is PilotState.PASSED


@pytest.mark.parametrize("found", [Found("fail", "pass"), Found("pass", "fail")])
def test_one_word_against_it_fails_the_pilot_whatever_the_decision(
    pilot: Located, mira: Caller, now: datetime, found: Found
) -> None:
    verified(pilot, "untested")
    assert audit(pilot, mira, now, found, decision="needs_more")["pilot_audit"]["verdict"] == "fail"
    assert Dossier(pilot.directory).pilot.state is PilotState.FAILED


def test_a_replaced_verdict_moves_into_the_history_and_the_same_again_moves_nothing(
    pilot: Located, mira: Caller, now: datetime
) -> None:
    audit(pilot, mira, now, Found("fail", "pass"))
    audit(pilot, mira, now)
    audit(pilot, mira, now)
    written = pilot.directory.load(layout.PILOT_AUDIT)
    assert written is not None
    assert (written.verdict, [line["verdict"] for line in written.history]) == ("pass", ["fail"])
    assert "history" not in written.history[0]


def test_a_named_rollout_is_read_instead_of_the_newest(
    pilot: Located, mira: Caller, now: datetime
) -> None:
    played(pilot, 1, created_at="2026-11-04T10:00:00.000Z")
    answer = audit(pilot, mira, now, Found("pass", "pass", run_id="run-1", rollout=0))
    assert answer["pilot_audit"]["agent_audit"]["rollout"] == 0
    with pytest.raises(NotMeasured, match="no current rollout shows task t1 in run run-9"):
        audit(pilot, mira, now, Found("pass", "pass", run_id="run-9"))


def test_without_a_rollout_that_shows_it_there_is_no_audit(
    desk: Located, mira: Caller, now: datetime
) -> None:
    played(desk, model="null_agent", arm_kind="null_agent")
    with pytest.raises(NotMeasured, match="no current rollout shows task t1") as raised:
        audit(desk, mira, now)
    (run,) = raised.value.next_actions
    assert run.command.endswith("--reference-arms replay --tasks t1")
    assert not desk.directory.exists(layout.PILOT_AUDIT)
    assert desk.directory.read(layout.REVIEWS).records == []


def test_a_row_whose_rollout_was_not_kept_shows_nothing(
    desk: Located, mira: Caller, now: datetime
) -> None:
    verified(desk)
    played(desk)
    for path in (desk.directory.path / layout.TRAJECTORIES).iterdir():
        path.unlink()
    with pytest.raises(NotMeasured):
        audit(desk, mira, now)


def test_a_replay_counts_where_the_incumbent_cannot_be_reached_and_the_record_says_so(
    desk: Located, mira: Caller, now: datetime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verified(desk)
    played(desk, model="replay", arm_kind="replay")
    manifest = desk.directory.load(layout.BENCHMARK)
    assert manifest is not None
    incumbent = {**manifest.dump(), "incumbent": {"model": INCUMBENT, "observed_calls": 1}}
    desk.directory.replace(layout.BENCHMARK, BenchmarkManifest.read(incumbent))
    home = Home(tmp_path / "home")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with pytest.raises(NotMeasured) as raised:
        audit(desk, mira, now, home=home)
    assert raised.value.next_actions[0].command.endswith(f"--models {INCUMBENT} --tasks t1")
    monkeypatch.delenv("OPENAI_API_KEY")
    answer = audit(desk, mira, now, home=home)
    assert answer["pilot_audit"]["agent_audit"]["note"] == READ[ArmKind.REPLAY]
    assert answer["pilot_audit"]["agent_audit"]["arm_kind"] == "replay"


def test_an_untested_verifier_lets_no_pilot_pass(
    pilot: Located, mira: Caller, now: datetime
) -> None:
    (pilot.directory.path / layout.VERIFIER_REPORT.path).unlink()
    with pytest.raises(NotMeasured, match="the verifier of t1 is untested") as raised:
        audit(pilot, mira, now)
    assert raised.value.hint.startswith("understudy benchmarks verify ")
    verified(pilot, "weak")
    with pytest.raises(GateFailed, match="the verifier of t1 is weak"):
        audit(pilot, mira, now)
    assert not pilot.directory.exists(layout.PILOT_AUDIT)


@pytest.mark.parametrize(
    ("found", "more", "path"),
    [
        (Found("good", "pass"), {}, "pilot_audit.agent"),
        (Found("pass", ""), {}, "pilot_audit.verifier"),
        (Found("pass", "pass", ("",)), {}, "pilot_audit.findings.0"),
        (Found("pass", "pass", ("x" * 1001,)), {}, "pilot_audit.findings.0"),
        (Found("pass", "pass", ("x",) * 21), {}, "pilot_audit.findings"),
        (Found("pass", "pass", rollout=0), {}, "pilot_audit.rollout"),
        (PASS, {"task_ids": ["t1", "t2"]}, "task_id"),
        (PASS, {"task_ids": ["t2"]}, "task_id"),
        (PASS, {"decision": "reject"}, "decision"),
    ],
)
def test_what_does_not_fit_is_named_and_nothing_is_written(
    pilot: Located, mira: Caller, now: datetime, found: Found, more: dict[str, Any], path: str
) -> None:
    with pytest.raises(InvalidArguments) as raised:
        audit(pilot, mira, now, found, **more)
    assert [complaint.path for complaint in raised.value.errors] == [path]
    assert not pilot.directory.exists(layout.PILOT_AUDIT)
    assert pilot.directory.read(layout.REVIEWS).records == []


def test_a_table_has_no_pilot(desk: Located, mira: Caller, now: datetime) -> None:
    table = BuildManifest(schema_version="understudy.dataset_foundry.v1")
    desk.directory.replace(layout.MANIFEST, table)
    with pytest.raises(InvalidArguments, match="a table has no pilot"):
        audit(desk, mira, now)


def test_a_keyed_audit_is_written_once(pilot: Located, now: datetime) -> None:
    keyed = Caller("mcp:claude-code@mira", "mcp", "key-1")
    audit(pilot, keyed, now)
    assert audit(pilot, keyed, now)["replayed"] is True
    assert len(pilot.directory.read(layout.REVIEWS).records) == 1


@pytest.mark.parametrize("text", ["pass", "agent=pass", "agent=pass,agent=fail", "a=b,c=d", ""])
def test_the_shell_spells_both_words(text: str) -> None:
    with pytest.raises(InvalidArguments, match=r"agent=pass\|fail,verifier=pass\|fail"):
        read_found(text)
    assert read_found("verifier=fail, agent=pass", ["seen"]) == Found("pass", "fail", ("seen",))


def test_an_oracle_is_not_called_a_replay(
    desk: Located, mira: Caller, now: datetime, tmp_path: Path
) -> None:
    verified(desk)
    played(desk, model="oracle", arm_kind="oracle")
    answer = audit(desk, mira, now, home=Home(tmp_path / "home"))
    assert answer["pilot_audit"]["agent_audit"]["note"] == READ[ArmKind.ORACLE]
    assert answer["pilot_audit"]["agent_audit"]["arm_kind"] == "oracle"
