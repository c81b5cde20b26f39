"""The sections of a benchmark's status that are counted from its ledgers, runs and reports."""

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from benchmarks.records.base import JsonObject
from benchmarks.records.note import Feedback, Flag
from benchmarks.records.promotion import PromotionRecord
from benchmarks.records.request import RunRequest
from benchmarks.records.review import Review, ReviewPolicy
from benchmarks.records.rigor import RigorItem, RigorReport
from benchmarks.records.row import Row
from benchmarks.records.times import read_time
from benchmarks.records.version import VersionLine
from benchmarks.records.vocabulary import ZERO_COST_ARMS, Decision, RunStatus
from benchmarks.stats.estimates import rounded
from benchmarks.versioning.staleness import BreakingLines
from reviews.attention import Doubt
from reviews.autoaccept import undecided
from reviews.decisions import Decisions, newest_reviews
from reviews.notes import OPEN, newest_feedback, newest_flags
from reviews.rigor.evidence import Placed
from runs.requests.arms import arms_of
from runs.requests.authoring import is_authoring
from runs.status.facts import Gate

FIRST = 5
PAID = ("recorded_usd", "lost_usd", "late_usd")
"""What was paid, in the `spend` block of a request; only authoring has no rows that say it."""
GATE_FILE = "rigor-report.json"
TASK = "TASK"
"""The word that stands for a task in a remedy."""
GATE_WORDS = {"passed": "pass", "failed": "fail", "overridden": "fail"}
"""What a promotion record says of its gate, in the words of a report."""
LOWEST_FIRST = ("patch", "minor", "major")


def version_section(
    current: str, lines: Sequence[VersionLine], *, from_manifest: bool
) -> JsonObject:
    """`version`: today's, where it is written, and what the newest line changed."""
    ledger = any(line.version for line in lines)
    source = "versions.jsonl" if ledger else "manifest" if from_manifest else "none"
    bumps = [line for line in lines if line.task_bumps]
    return {
        "current": current,
        "source": source,
        "last_bump": _bump(bumps[-1]) if bumps else None,
        "lines": len(lines),
    }


def _bump(line: VersionLine) -> JsonObject:
    widest = max((bump.bump.value for bump in line.task_bumps), key=LOWEST_FIRST.index)
    return {
        "bump": widest,
        "at": line.created_at,
        "tasks": [bump.task_id for bump in line.task_bumps],
        "note": line.note,
    }


def reviews_section(decisions: Decisions, reviews: Iterable[Review]) -> JsonObject:
    """`ledgers.reviews`: what is decided, explicitly or at birth, and who decided.

    `excluded` of the explicit ones are about tasks that promotion left out.
    """
    newest = newest_reviews(reviews)
    explicit = Counter(line.decision.value for line in newest.values())
    sources = Counter(line.source for line in newest.values())
    born = [found for found in decisions.values() if not found.explicit]
    return {
        **{decision.value: explicit[decision.value] for decision in Decision},
        "excluded": sum(task not in decisions for task in newest),
        "auto": sources["auto"],
        "agent": sources["agent"],
        "born_accepted": sum(found.accepted for found in born),
        "pending": sum(found.decision is None for found in born),
    }


def notes_section(feedback: Iterable[Feedback], flags: Iterable[Flag]) -> JsonObject:
    """`ledgers.feedback` and `ledgers.flags`: how many are open."""
    said = Counter(line.status == OPEN for line in newest_feedback(feedback).values())
    raised = Counter(flag.status == OPEN for flag in newest_flags(flags).values())
    return {
        "feedback": {"open": said[True], "addressed": said[False]},
        "flags": {"open": raised[True], "resolved": raised[False]},
    }


def policy_section(policy: ReviewPolicy) -> JsonObject:
    """`ledgers.policy`: the operator's bars."""
    return {key: value for key, value in policy.dump().items() if key != "schema_version"}


def attention_section(doubts: Mapping[str, Sequence[Doubt]], decisions: Decisions) -> JsonObject:
    """`attention`: the flags, and the first tasks that wait for a decision."""
    waiting = undecided(decisions, decisions, doubts)
    flags = Counter(
        doubt.flag.value
        for task, found in doubts.items()
        if not decisions[task].rejected
        for doubt in found
    )
    return {
        "undecided": len(waiting),
        "by_flag": dict(sorted(flags.items())),
        "first": waiting[:FIRST],
    }


def runs_section(
    requests: Sequence[RunRequest], rows: Iterable[Row], holder: Mapping[str, object] | None
) -> JsonObject:
    """`runs`: by status and executor, the newest, who holds the directory, and the money."""
    statuses = Counter(request.status for request in requests)
    versions = Counter(
        str(version)
        for request in requests
        if (version := (request.claimed_by or {}).get("executor_version")) is not None
    )
    spending = [row for row in rows if row.arm_kind not in ZERO_COST_ARMS]
    costs = [row.cost for row in spending]
    authoring = [request.spend for request in requests if is_authoring(request) and request.spend]
    authored = sum(float(spend.get(key) or 0) for spend in authoring for key in PAID)
    unpriced = sum(int(spend.get("unpriced_rows") or 0) for spend in authoring)
    return {
        **{status.value: statuses.pop(status.value, 0) for status in RunStatus},
        **dict(sorted(statuses.items())),
        "by_executor": dict(sorted(versions.items())),
        "newest": _newest_run(requests[-1]) if requests else None,
        "claim": claim_section(holder),
        "unsupported": [
            {"run_id": run_id, "missing": list(missing)}
            for run_id, missing in unsupported(requests).items()
        ],
        "spent_usd": rounded(sum(cost for cost in costs if cost is not None) + authored),
        "authoring_usd": rounded(authored),
        "unknown_cost_cells": sum(cost is None for cost in costs) + unpriced,
    }


def claim_section(holder: Mapping[str, object] | None) -> JsonObject:
    """Who holds the directory now."""
    found = holder or {}
    return {
        "live": holder is not None,
        "pid": found.get("pid"),
        "host": found.get("host"),
        "executor_version": found.get("executor_version"),
        "since": found.get("claimed_at"),
    }


def watcher_section(watcher: Mapping[str, object] | None) -> JsonObject:
    """Who looks here again and again, also while nobody holds the directory."""
    found = watcher or {}
    words = ("pid", "host", "executor_version", "since")
    return {"live": watcher is not None, **{word: found.get(word) for word in words}}


def unsupported(requests: Iterable[RunRequest]) -> dict[str, list[str]]:
    """The queued runs that an executor has left, with what it lacked."""
    return {
        request.run_id: [str(word) for word in request.unsupported.get("missing") or ()]
        for request in requests
        if request.status == RunStatus.QUEUED and request.unsupported
    }


def _newest_run(request: RunRequest) -> JsonObject:
    return {
        "run_id": request.run_id,
        "status": request.status,
        "arms": [arm.label for arm in arms_of(request)],
        "progress": request.progress,
    }


def gate_of(report: RigorReport | None, *, current: bool) -> Gate:
    """What the newest report says of the gate; a report about older files is stale."""
    if report is None:
        return Gate()
    failures = [str(name) for name in report.gate.get("failures") or ()]
    unknowns = [str(name) for name in report.gate.get("unknowns") or ()]
    hard = [item.id for item in report.items if item.hard]
    status = str(report.gate.get("status") or "unknown")
    if not failures and hard and set(hard) <= set(unknowns):
        status = "unknown"
    first = next((item for item in report.items if item.id in failures), None)
    return Gate(
        status=status if current else "stale",
        verdict=status,
        failures=failures,
        unknowns=unknowns,
        at=report.generated_at,
        remedy=_remedy(first) if first else "",
        source="report",
    )


def newest_gate(report: Gate, promotion: PromotionRecord | None) -> Gate:
    """The gate of the report, unless the promotion ran it later and that report is out of date.

    The promotion's own stands for what was promoted: a later report may say something else.
    """
    at = read_time(promotion.promoted_at) if promotion else None
    measured = read_time(report.at)
    if promotion is None or at is None or report.status not in {"not_run", "stale"}:
        return report
    if measured is not None and measured >= at:
        return report
    said = promotion.rigor_gate
    word = GATE_WORDS.get(str(said.get("status")))
    if word is None:
        return report
    return Gate(
        status=word,
        verdict=word,
        failures=[str(name) for name in said.get("failures") or ()],
        unknowns=[str(name) for name in said.get("unknowns") or ()],
        at=promotion.promoted_at,
        source="promotion",
    )


def _remedy(item: RigorItem) -> str:
    """What a check says to do, about the first task that it names."""
    words = item.remedy.split(" ")
    named = shlex.quote(item.task_ids[0]) if item.task_ids else TASK
    return " ".join(named if word == TASK else word for word in words)


def gate_section(gate: Gate) -> JsonObject:
    """`gate` of the status."""
    return {
        "status": gate.status,
        "verdict": gate.verdict,
        "failures": list(gate.failures),
        "unknowns": list(gate.unknowns),
        "at": gate.at,
        "source": gate.source,
    }


def stale_in_headline(
    report: RigorReport | None, stale: Iterable[Placed], breaking: BreakingLines
) -> JsonObject:
    """The written reports in whose figures rows stand that a later change has made stale."""
    written = read_time(report.generated_at) if report else None
    moved = [item for item in stale if written and _moved_since(item, breaking, written)]
    if not moved:
        return {"count": 0, "artifacts": []}
    tasks = list(dict.fromkeys(item.row.task_id for item in moved))
    why = f"{len(moved)} rows of {', '.join(tasks[:FIRST])} became stale after it was written"
    return {
        "count": len(moved),
        "artifacts": [{"path": GATE_FILE, "rows": len(moved), "task_ids": tasks, "why": why}],
    }


def _moved_since(item: Placed, breaking: BreakingLines, written: datetime) -> bool:
    """Whether a row was there when a report was written, and its task changed afterwards."""
    at, line = read_time(item.row.created_at), breaking.get(item.row.task_id)
    seen = at is None or at <= written
    return seen and line is not None and line.at is not None and line.at > written
