"""One benchmark directory for each rule of the next command, in the default root of a home."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.intake.ingest import IntakeOptions, ingest
from benchmarks.records.calibration import Calibration
from benchmarks.records.caller import Caller
from benchmarks.records.direction import Dependencies
from benchmarks.records.note import Feedback
from benchmarks.records.pilot import PilotAudit
from benchmarks.records.review import ReviewPolicy
from benchmarks.records.rigor import RigorReport
from benchmarks.records.row import Row
from benchmarks.services.answering import Answer
from benchmarks.services.directing import propose_directions
from reviews.services.dossier import Dossier
from tests.regrading import FIRST, NOBODY, make_measured, want
from tests.reviews.desks import DESK, add_rows, make_desk, make_promoted_desk
from tests.reviews.factories import (
    ANSWERED,
    BENCHMARK_ID,
    STAMPS,
    make_contract,
    make_review,
    make_row,
    make_task,
    make_trivial_row,
)
from tests.runs.services.requests import make_request, queue

TASKS = ("t1", "t2")
SHELL = Caller("os:mira", "shell")
SEEN_AT = datetime(2026, 11, 3, tzinfo=UTC)
PAIR = {
    "request": {
        "model": "gpt-5.5",
        "messages": [{"role": "user", "content": "Refund order A-1007, it came broken."}],
    },
    "response": {"choices": [{"message": {"role": "assistant", "content": "On it."}}]},
}
PROVIDED = {"executor_version": "0.0.1", "missing": ["trivial_arms"], "at": "x"}


def report_on(located: Located, *items: dict[str, Any], **gate: Any) -> None:
    """A rigor report about the files as they are."""
    report = RigorReport.read({
        "benchmark_id": BENCHMARK_ID,
        "benchmark_version": "1.0.0",
        "generated_at": "2026-11-04T08:30:00.000Z",
        "threshold": 1,
        "evidence": {},
        "items": list(items),
        "tasks": [],
        "counts": {},
        "row_counts": {},
        "anomaly_counts": {},
        "split_counts": {},
        "provenance_origin": None,
        "gate": {"status": "pass", "failures": [], "unknowns": [], **gate},
        "seed": 0,
        "inputs": Dossier(located.directory).inputs(),
    })
    located.directory.replace(layout.RIGOR_REPORT, report)


def calibration_of(*passed: bool, floor: float = 0.0) -> Calibration:
    """Both tasks measured: the incumbent's verdicts, and the scores of both floors."""
    floors = {
        name: {
            "arm_kind": kind,
            "scores": {task: {"score": floor, "run_id": "run-1"} for task in TASKS},
        }
        for name, kind in (("null_floor", "null_agent"), ("spam_floor", "spam_agent"))
    }
    return Calibration.read({
        "benchmark_id": BENCHMARK_ID,
        "run_id": "run-1",
        "incumbent_models": ["m1"],
        "threshold": 1,
        "tasks": [
            {"task_id": task, "score": float(won), "passed": won, "rollouts": 1}
            for task, won in zip(TASKS, passed, strict=True)
        ],
        "passed_count": sum(passed),
        "failed_count": len(passed) - sum(passed),
        "failed_task_ids": [],
        **floors,
    })


def keep_captures(directory: BenchmarkDir) -> None:
    """One captured pair and the report of reading it."""
    source = directory.path.parent / "captures.jsonl"
    source.write_text(json.dumps(PAIR) + "\n", encoding="utf-8")
    now = datetime(2026, 11, 4, tzinfo=UTC)
    found = ingest([source], options=IntakeOptions(now=now, max_age_days=0))
    directory.append(layout.CAPTURES, *found.captures)
    directory.replace(layout.INTAKE_REPORT, found.report)


def invalid(root: Path) -> Located:
    directory = BenchmarkDir(root / DESK)
    directory.path.mkdir(parents=True)
    (directory.path / "benchmark.json").write_text("{}", encoding="utf-8")
    return Located(directory, f"local--{DESK}", read_only=False)


def proposal(root: Path) -> Located:
    desk = make_desk(root)
    report_on(desk)
    return desk


def promoted(root: Path) -> Located:
    """Nothing is left to do but to read the result."""
    desk = make_promoted_desk(root)
    desk.directory.replace(layout.CALIBRATION, calibration_of(True, True))
    add_rows(desk, make_row("t1", 1), make_row("t2", 0))
    report_on(desk)
    return desk


def queued(root: Path) -> Located:
    desk = promoted(root)
    queue(desk, make_request())
    return desk


def interrupted(root: Path) -> Located:
    desk = promoted(root)
    queue(desk, make_request(status="running"))
    return desk


def left_by_an_older_executor(root: Path) -> Located:
    desk = promoted(root)
    queue(desk, make_request(unsupported=PROVIDED, trivial_arms=["null_agent"]))
    return desk


def intake(root: Path) -> Located:
    directory = BenchmarkDir(root / DESK)
    directory.path.mkdir(parents=True)
    keep_captures(directory)
    return Located(directory, f"local--{DESK}", read_only=False)


def with_cards(root: Path) -> Located:
    desk = intake(root)
    answer(desk, Answer())
    return desk


def with_a_pick(root: Path) -> Located:
    """A card is picked, and needs what nobody approved a posture of."""
    desk = with_cards(root)
    directory = desk.directory
    found = directory.load(layout.DIRECTIONS)
    card = found.directions[0].with_(needs=["order service"])
    directory.replace(layout.DIRECTIONS, found.with_(directions=[card]))
    service = {"name": "order service", "kind": "mcp", "tools": ["get_order"], "posture": "frozen"}
    directory.replace(layout.DEPENDENCIES, Dependencies.read({"dependencies": [service]}))
    answer(desk, Answer(pick=card.direction_id))
    return desk


def interviewed(root: Path) -> Located:
    desk = with_a_pick(root)
    answer(desk, Answer(postures={"order service": "frozen"}))
    return desk


def answer(desk: Located, said: Answer) -> None:
    propose_directions(
        directory=desk.directory, slug=desk.slug, answer=said, caller=SHELL, now=SEEN_AT
    )


def edited_by_hand(root: Path) -> Located:
    desk = make_desk(root)

    def change(tasks: list[Any]) -> list[Any]:
        return [task.with_(outcome_contract=make_contract(ANSWERED)) for task in tasks]

    desk.directory.edit_table(layout.TASKS, change)
    return desk


def without_an_environment(root: Path) -> Located:
    desk = make_desk(root)
    (desk.directory.path / layout.ENV_TASKS.path).unlink()
    return desk


def with_an_unknown_tool(root: Path) -> Located:
    tool = {"type": "state_effect", "tool": "flagOrder", "id": "o1", "arguments": {}}
    task = make_task(
        "t1",
        tool_surface=["flagOrder"],
        tool_effects={"flagOrder": {"effect": "unknown", "source": "lexicon"}},
        outcome_contract=make_contract(tool),
    )
    return make_desk(root, task, make_task("t2"))


def with_a_pilot(root: Path, verdict: str | None = None, *, shown: bool = False) -> Located:
    """A pilot that others wait for: audited with this verdict, run after that or not."""
    desk = make_desk(root)
    keep_captures(desk.directory)
    build = desk.directory.load(layout.MANIFEST)
    assert build is not None
    desk.directory.replace(layout.MANIFEST, build.with_(pilot={"task_id": "t1", "pending": 5}))
    hashes = desk.directory.tasks()["t1"].content_hashes
    assert hashes is not None
    if verdict is not None:
        audit = PilotAudit(task_id="t1", content_hashes=hashes, verdict=verdict)
        desk.directory.replace(layout.PILOT_AUDIT, audit)
    if shown:
        stamps = {"task_version": "1.0.0", "task_content_hashes": hashes.dump()}
        add_rows(desk, make_row("t1", 1, provenance=stamps))
    return desk


def with_untested_verifiers(root: Path) -> Located:
    desk = make_desk(root)
    (desk.directory.path / layout.VERIFIER_REPORT.path).unlink()
    return desk


def with_a_weak_verifier(root: Path) -> Located:
    weak = make_task("t1", outcome_contract=make_contract(ANSWERED))
    return make_desk(root, weak, make_task("t2"))


def with_open_feedback(root: Path) -> Located:
    desk = proposal(root)
    said = Feedback(
        benchmark_id=DESK,
        task_id="t1",
        feedback="Refund the item only.",
        created_at="2026-11-04T08:00:00.000Z",
    )
    desk.directory.append(layout.FEEDBACK, said)
    return desk


def with_a_flagged_task(root: Path) -> Located:
    return make_desk(root, make_task("t1", machine_confidence="low"), make_task("t2"))


def pending(root: Path) -> Located:
    desk = make_desk(root)
    desk.directory.replace(layout.REVIEW_POLICY, ReviewPolicy(default_decision="pending"))
    return desk


def with_an_old_gate(root: Path) -> Located:
    desk = proposal(root)
    add_rows(desk, make_trivial_row("oracle", "t1", 1))
    return desk


def with_a_failed_gate(root: Path) -> Located:
    desk = make_desk(root)
    item = {
        "id": "null_floor",
        "title": "Null-agent floor",
        "status": "FLAG",
        "hard": True,
        "detail": "1 of 2",
        "task_ids": ["t1"],
        "remedy": f"understudy benchmarks tasks local--{DESK} --passed-by null_agent",
    }
    add_rows(desk, make_trivial_row("null_agent", "t1", 1))
    desk.directory.append(layout.REVIEWS, make_review("t1", "accept"))
    report_on(desk, item, status="fail", failures=["null_floor"])
    return desk


def with_a_changed_verifier(root: Path) -> Located:
    desk = make_measured(root / "changed", models=[], incumbent_models=None)
    want(desk, FIRST, NOBODY)
    return desk.located


def with_stale_rows(root: Path) -> Located:
    desk = promoted(root)
    provenance = {
        "task_version": "1.0.0",
        "task_content_hashes": {**STAMPS, "env_sha256": "0" * 64},
    }
    old = make_row("t1", 1, run_id="run-0", model="m2", provenance=provenance)
    desk.directory.append(layout.rows("run-0", "m2"), Row.read(old.dump()))
    report_on(desk)
    return desk


def with_an_exceeded_floor(root: Path) -> Located:
    desk = promoted(root)
    desk.directory.replace(layout.CALIBRATION, calibration_of(True, True, floor=1))
    return desk


def uncalibrated(root: Path) -> Located:
    desk = promoted(root)
    (desk.directory.path / layout.CALIBRATION.path).unlink()
    return desk


def suspect(root: Path) -> Located:
    desk = make_promoted_desk(root)
    desk.directory.replace(layout.CALIBRATION, calibration_of(False, True))
    return desk


def without_candidates(root: Path) -> Located:
    desk = make_promoted_desk(root)
    desk.directory.replace(layout.CALIBRATION, calibration_of(True, True))
    return desk


def without_a_report(root: Path) -> Located:
    desk = promoted(root)
    (desk.directory.path / layout.RIGOR_REPORT.path).unlink()
    return desk


Make = Callable[[Path], Located]
BENCHES: dict[str, tuple[str, Make]] = {
    "invalid": ("fix_invalid", invalid),
    "left by an older executor": ("upgrade_executor", left_by_an_older_executor),
    "interrupted": ("resume_run", interrupted),
    "queued": ("execute", queued),
    "intake": ("propose_directions", intake),
    "cards": ("pick_direction", with_cards),
    "a pick": ("approve_postures", with_a_pick),
    "interviewed": ("build_pilot", interviewed),
    "edited by hand": ("regenerate", edited_by_hand),
    "without an environment": ("regenerate", without_an_environment),
    "unknown tool": ("classify_tools", with_an_unknown_tool),
    "untested verifiers": ("verify", with_untested_verifiers),
    "pilot": ("run_pilot", with_a_pilot),
    "pilot that ran": ("audit_pilot", partial(with_a_pilot, shown=True)),
    "failed pilot": ("fix_pilot", partial(with_a_pilot, verdict="fail")),
    "passed pilot": ("build_rest", partial(with_a_pilot, verdict="pass")),
    "weak verifier": ("fix_verifier", with_a_weak_verifier),
    "open feedback": ("address_feedback", with_open_feedback),
    "flagged task": ("review_flagged", with_a_flagged_task),
    "pending": ("accept_pending", pending),
    "no gate": ("gate", make_desk),
    "old gate": ("gate", with_an_old_gate),
    "failed gate": ("fix_gate", with_a_failed_gate),
    "passed gate": ("promote", proposal),
    "changed verifier": ("regrade", with_a_changed_verifier),
    "stale rows": ("rerun", with_stale_rows),
    "exceeded floor": ("fix_floor", with_an_exceeded_floor),
    "uncalibrated": ("calibrate", uncalibrated),
    "suspect": ("fix_suspects", suspect),
    "no candidates": ("run_candidates", without_candidates),
    "no report": ("rigor", without_a_report),
    "all current": ("leaderboard", promoted),
}
"""By name the rule that fires there, and how the directory is made. `wait_run` needs a holder."""
