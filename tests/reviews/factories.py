"""Hand-made records for the tests of this app; each takes only what a test speaks of."""

from collections.abc import Sequence
from typing import Any

from benchmarks.records.blocks import Hashes
from benchmarks.records.environment import TaskValidation
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.note import Flag
from benchmarks.records.review import Review, ReviewPolicy
from benchmarks.records.row import Row
from benchmarks.records.task import Task
from benchmarks.records.version import VersionLine
from reviews.decisions import decide
from reviews.rigor.evidence import Evidence, evidence
from reviews.rigor.floors import LANES, measure
from reviews.rigor.subject import Subject

BENCHMARK_ID = "trace-a774ea2432856c8a"
NOW = "2026-11-04T09:00:00.000Z"
ENV, VERIFIER, META = "e" * 64, "5" * 64, "3" * 64
STAMPS = {"env_sha256": ENV, "verifier_sha256": VERIFIER, "meta_sha256": META}
ANSWERED = {"id": "o1", "type": "response_obligation", "kind": "answered"}
REFUND = {
    "id": "o1",
    "type": "state_effect",
    "tool": "issue_refund",
    "arguments": {"order_id": {"match": "exact", "value": "A-1007"}},
}


def make_contract(*required: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "status": "machine_proposed",
        "grading": "final_state_and_obligations",
        "writes": "forbid",
        "required": list(required or (REFUND,)),
        "preserved": [],
        "forbidden": [],
        **changes,
    }


def make_task(task_id: str = "t1", **changes: Any) -> Task:
    return Task.read({
        "task_id": task_id,
        "title": f"Refund {task_id}",
        "split": "dev",
        "category_id": "cap-1",
        "boundary_rule": "earliest",
        "machine_confidence": "high",
        "tool_surface": ["issue_refund"],
        "tool_effects": {"issue_refund": {"effect": "write", "source": "lexicon"}},
        "outcome_contract": make_contract(),
        "version": "1.0.0",
        "content_hashes": STAMPS,
        "self_check": {"ok": True, "failures": []},
        **changes,
    })


def make_manifest(*task_ids: str, **changes: Any) -> BenchmarkManifest:
    return BenchmarkManifest.read({
        "schema_version": "understudy.benchmark_proposal.v1",
        "benchmark_id": BENCHMARK_ID,
        "version": "1.0.0",
        "provenance": {"origin": "derived-from-traces", "source_refs": [], "imported_from": None},
        "taxonomy": [{"category_id": "cap-1", "name": "refunds"}],
        "tasks": [
            {
                "task_id": task_id,
                "category_id": "cap-1",
                "genesis": "replayed",
                "split": "dev",
                "gold": {"kind": "final-state", "ref": f"tasks.jsonl#{task_id}"},
                "version": "1.0.0",
                "content_hashes": STAMPS,
            }
            for task_id in task_ids or ("t1",)
        ],
        "environment": {"format": "verifiers.v1", "package_ref": "environment"},
        "verifier": {"kind": "final-state", "strict_metric": "task_completed_correctly"},
        "splits": {"boundary": "dev", "contamination": "clean"},
        **changes,
    })


def make_row(task_id: str = "t1", score: float | None = 1, **changes: Any) -> Row:
    status = "ok" if score is not None else "error"
    line: dict[str, Any] = {
        "run_id": "run-1",
        "benchmark_id": BENCHMARK_ID,
        "task_id": task_id,
        "split": "dev",
        "model": "m1",
        "arm_kind": "candidate",
        "rollout": 0,
        "route": "offline",
        "score": score,
        "status": status,
        "created_at": NOW,
        "provenance": {"task_version": "1.0.0", "task_content_hashes": STAMPS},
        **changes,
    }
    return Row.read(line)


def make_trivial_row(kind: str, task_id: str, score: float | None = 0, **changes: Any) -> Row:
    return make_row(task_id, score, model=kind, arm_kind=kind, **changes)


def make_review(task_id: str, decision: str, **changes: Any) -> Review:
    line = {
        "benchmark_id": "refund-desk",
        "task_id": task_id,
        "decision": decision,
        "created_at": NOW,
        "source": "human",
    }
    return Review.read({**line, **changes})


def make_flag(task_id: str | None, reason: str = "bad-gold", **changes: Any) -> Flag:
    line = {
        "benchmark_id": BENCHMARK_ID,
        "task_id": task_id,
        "reason": reason,
        "note": None,
        "created_at": NOW,
        "status": "open",
    }
    return Flag.read({**line, **changes})


def make_bump(task_id: str, bump: str, at: str) -> VersionLine:
    return VersionLine.read({
        "created_at": at,
        "version": "1.1.0",
        "task_bumps": [{"task_id": task_id, "bump": bump, "from": "1.0.0", "to": "1.1.0"}],
    })


def stamps(**changes: str) -> Hashes:
    return Hashes.read({**STAMPS, **changes})


def make_validation(task_id: str = "t1", **changes: Any) -> TaskValidation:
    return TaskValidation.read({
        "task_id": task_id,
        "verifier_sha256": VERIFIER,
        "oracle": make_score(1),
        "sentinels": {"wrong_value": make_score(0)},
        **changes,
    })


def make_score(strict: int | None) -> dict[str, Any]:
    return {
        "judgeable": strict is not None,
        "strict": strict,
        "score": strict,
        "met": [],
        "unmet": [],
        "violated": [],
        "unexpected_writes": 0,
    }


def make_evidence(rows: Sequence[Row], *task_ids: str, **facts: Any) -> Evidence:
    ids = task_ids or ("t1", "t2")
    standing = {
        "manifest": make_manifest(*ids),
        "tasks": {task_id: make_task(task_id) for task_id in ids},
        "versions": [],
        "flags": [],
        "decisions": decide(ids, facts.pop("reviews", []), ReviewPolicy()),
        **facts,
    }
    return evidence(rows, **standing)


def make_subject(rows: Sequence[Row] = (), *task_ids: str, **facts: Any) -> Subject:
    """A benchmark with these rows; its floors are measured from them."""
    ids = task_ids or ("t1", "t2")
    found = make_evidence(rows, *ids)
    tasks = facts.pop("tasks", {task_id: make_task(task_id) for task_id in ids})
    threshold = facts.get("threshold", 1.0)
    floors = {
        lane.key: measure(lane, found.placed, tasks=list(tasks), threshold=threshold)
        for lane in LANES
    }
    given = {"manifest": make_manifest(*ids), "floors": floors, **facts}
    return Subject(evidence=found, tasks=tasks, **given)
