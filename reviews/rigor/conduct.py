"""Checks of what was run on the benchmark: who failed, what is missing, what can be compared."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from benchmarks.audit.verdicts import UNTESTED, with_verdict
from benchmarks.records.row import Row
from benchmarks.records.times import read_time
from benchmarks.records.vocabulary import TRIVIAL_ARMS, ArmKind, Split
from benchmarks.records.wording import many
from benchmarks.stats.quantiles import t_quantile
from reviews.rigor.evidence import Placed, anomaly_of
from reviews.rigor.floors import REPLAY_CEILING
from reviews.rigor.subject import (
    Subject,
    Verdict,
    cites,
    flagged,
    passed,
    percent,
    scored,
    some,
    unknown,
)

ROWS = "rows-*.jsonl"
LOW_FIDELITY = "low_fidelity"
MISSING_BAR = 0.05
FEWEST_TASKS = 2


def incumbent_calibration(subject: Subject) -> Verdict:
    """The incumbent passes the tasks that were made of its own work."""
    where = cites("calibration.json", "tasks")
    entries = {task: subject.calibration.get(task) for task in subject.tasks}
    apart = _apart(subject)
    flaky = [task for task, entry in entries.items() if entry and entry.flaky]
    failed = [
        task
        for task, entry in entries.items()
        if entry and entry.passed is False and not entry.flaky
    ]
    if failed or flaky:
        return flagged(
            f"{len(failed)} failed, {len(flaky)} flaky: {some([*failed, *flaky])}{apart}",
            [*failed, *flaky],
            where,
        )
    unmeasured = [task for task, entry in entries.items() if not entry or entry.passed is None]
    if not subject.incumbents or unmeasured or not entries:
        return unknown(
            f"{len(unmeasured)} of {len(entries)} tasks are unmeasured{apart}", unmeasured, where
        )
    said = f"{some(subject.incumbents)} passes all {many(len(entries), 'task')}"
    return passed(said + apart, where)


def _apart(subject: Subject) -> str:
    """The tasks whose verifier nobody tested: what is measured on them is told apart."""
    untested = with_verdict(UNTESTED, subject.tasks, subject.verifiers)
    return f"; by verifiers that nobody tested: {some(untested)}" if untested else ""


def replay_agreement(subject: Subject) -> Verdict:
    """The recorded incumbent, scored again, passes: else verifier or incumbent is wrong."""
    where = cites(ROWS, ArmKind.REPLAY.value)
    floor = subject.floors.get(REPLAY_CEILING.key)
    scores = (floor.scores if floor else None) or {}
    if not scores:
        return unknown("no replay row", (), where)
    failed = [task for task, score in scores.items() if score.score < subject.threshold]
    if failed:
        return flagged(f"the recorded incumbent fails {some(failed)}", failed, where)
    return passed(f"{many(len(scores), 'recorded solution')} judged, every one passes", where)


def environment_fidelity(subject: Subject) -> Verdict:
    """The worlds could answer what was asked of them; trivial arms ask for nonsense and are out."""
    where = cites(ROWS, "fidelity")
    bar = subject.policy.min_fidelity
    low: list[str] = []
    seen = 0
    asking = [item for item in subject.attempted if item.row.arm_kind not in TRIVIAL_ARMS]
    for label, items in _by_label(asking).items():
        shares = [share for item in items if (share := _fidelity_share(item.row)) is not None]
        seen += len(shares)
        starved = sum(_is_low_fidelity(item.row) for item in items) / len(items)
        if starved > MISSING_BAR or (shares and _mean(shares) < bar):
            mean = f"mean {percent(_mean(shares))}" if shares else "no share"
            low.append(f"{label}: {mean}, {percent(starved)} low_fidelity")
    if low:
        return flagged(f"below {percent(bar)}: {'; '.join(low)}", (), where)
    if not seen:
        return unknown("no call needed the recording", (), where)
    return passed(f"every arm is served at least {percent(bar)}", where)


def rollout_anomalies(subject: Subject) -> Verdict:
    """No rollout is one that a headline must leave out."""
    where = cites(ROWS, "anomaly")
    rows = subject.attempted
    if not rows:
        return unknown("no rows", (), where)
    found = [item.row for item in rows if anomaly_of(item.row) is not None]
    if not found:
        return passed(f"none in {many(len(rows), 'row')}", where)
    kinds = Counter(_kind_and_blame(row) for row in found)
    said = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    return flagged(
        f"{len(found)} of {len(rows)} rows: {said}",
        sorted({row.task_id for row in found}),
        where,
    )


def missing_rows(subject: Subject) -> Verdict:
    """Hardly a cell is without a score, and no run still owes any."""
    where = cites(ROWS, "missing_reason")
    arms = subject.spending
    owed = sum(subject.owed.values())
    if not arms and not owed:
        return unknown("no spending arm has rows", (), where)
    said = [f"{count} owed by {run}" for run, count in subject.owed.items() if count]
    for label, items in arms.items():
        blames = Counter(item.reason for item in items if item.row.score is None)
        if sum(blames.values()) / len(items) > MISSING_BAR:
            parts = ", ".join(
                f"{count} {blame}" for blame, count in sorted(blames.items(), key=str)
            )
            said.append(f"{label}: {parts} of {len(items)}")
    if said:
        return flagged("; ".join(said), (), where)
    return passed(f"at most {percent(MISSING_BAR)} of any arm", where)


def treatment_delivery(subject: Subject) -> Verdict:
    """What each arm was meant to send reached the wire, and overrides differ from their base."""
    where = cites(ROWS, "provenance.wire_sha256")
    rows = [item.row for items in subject.spending.values() for item in items]
    if not rows:
        return unknown("no model row", (), where)
    lost = sorted({row.model for row in rows if "treatment_undelivered" in _kinds(row)})
    same = _overrides_like_their_base(rows)
    if lost or same:
        return flagged(f"not delivered or not different: {some([*lost, *same])}", (), where)
    bare = sum(_wire(row) is None for row in rows)
    if bare:
        return unknown(f"{bare} of {len(rows)} rows carry no digest of what was sent", (), where)
    return passed(f"the digest of what was sent is known of {many(len(rows), 'row')}", where)


def intervals(subject: Subject) -> Verdict:
    """Every spending arm has enough tasks for an interval."""
    where = cites(ROWS, "score")
    arms = subject.spending
    if not arms:
        return unknown("no spending arm ran", (), where)
    tasks = {label: {item.row.task_id for item in scored(items)} for label, items in arms.items()}
    short = [
        f"{label} ({many(len(found), 'task')})"
        for label, found in tasks.items()
        if len(found) < FEWEST_TASKS
    ]
    if short:
        return flagged(f"insufficient: {some(short)}", (), where)
    return passed(f"every arm has one: {some(list(arms))}", where)


def noise_floor(subject: Subject) -> Verdict:
    """A difference that means nothing is smaller than the margin that was declared."""
    where = cites(ROWS, "rollout")
    floors = {
        label: floor
        for label, items in subject.spending.items()
        if (floor := noise_of(_rollouts_by_task(scored(items)))) is not None
    }
    if not floors:
        return unknown("no arm has two rollouts of every task", (), where)
    label, floor = max(floors.items(), key=lambda item: item[1])
    said = f"{floor:.4f} ({label})"
    if not subject.margins:
        return passed(f"{said}; no margin was declared", where)
    margin = min(subject.margins)
    if floor >= margin:
        return flagged(f"{said}, the smallest margin is {margin:g}", (), where)
    return passed(f"{said}, below the margin {margin:g}", where)


def noise_of(rollouts: Sequence[Sequence[float]]) -> float | None:
    """The noise floor of one arm (spec/run.md 10.4); None without two rollouts of every task."""
    n = len(rollouts)
    k = min((len(scores) for scores in rollouts), default=0)
    if n < FEWEST_TASKS or k < 2:
        return None
    within = math.fsum(_variance(scores) for scores in rollouts)
    half = math.sqrt(2 * within / k + 2 / k**2)
    return round(t_quantile(0.975, n + 1) * half / n, 6)


def holdout_looks(subject: Subject) -> Verdict | None:
    """Each arm looked at the holdout at most once since the tasks were divided.

    The number of looks is that of the ledger; how many of them are judged is said where it differs.
    """
    if not any(task.split is Split.HOLDOUT for task in subject.tasks.values()):
        return None
    where = cites("holdout-ledger.jsonl", "run")
    since = subject.split_changed_at
    runs = [
        look
        for look in subject.looks
        if look.kind == "run" and (since is None or _not_before(look.at, since))
    ]
    counts = Counter(arm for look in runs for arm in look.arms)
    more = [f"{arm} ({count})" for arm, count in sorted(counts.items()) if count > 1]
    total = len(subject.looks)
    looks = "1 look" if total == 1 else f"{total} looks"
    if len(runs) < total:
        looks = f"{looks} ({len(runs)} by runs since the tasks were divided)"
    if more:
        named = sorted({str(look.run_id) for look in runs})
        return flagged(f"{looks}, more than one of {some(more)}; runs {some(named)}", (), where)
    return passed(f"{looks}, none repeated", where)


def staleness(subject: Subject) -> Verdict:
    """No check rests on rows that are no longer about their tasks."""
    where = cites("versions.jsonl", "task_bumps")
    kinds: dict[str, list[bool]] = {}
    for item in subject.evidence.used:
        kinds.setdefault(item.row.arm_kind, []).append(item.reason == "stale")
    if not kinds:
        return unknown("no rows", (), where)
    only = sorted(_checks_of(kind) for kind, stale in kinds.items() if all(stale))
    if only:
        return flagged(f"only stale rows behind {some(only)}", (), where)
    total = sum(sum(stale) for stale in kinds.values())
    return passed(f"{many(total, 'stale row')}, none of them alone", where)


def cost_reporting(subject: Subject) -> Verdict:
    """Every row that spent says what it cost."""
    where = cites(ROWS, "cost")
    rows = [item.row for items in subject.spending.values() for item in items]
    if not rows:
        return unknown("no spending row", (), where)
    priced = sum(_is_priced(row) for row in rows)
    said = f"{priced} of {len(rows)} rows are priced"
    return passed(said, where) if priced == len(rows) else flagged(said, (), where)


def guidance_effectiveness(subject: Subject) -> Verdict:
    """Agents recover from the rejections that the worlds explain."""
    rejected = sum(
        item.row.fidelity.rejected for item in subject.attempted if item.row.fidelity is not None
    )
    where = cites("runs/trajectories", "rejection")
    if not rejected:
        return unknown("no rejection seen", (), where)
    return unknown(f"{rejected} rejected calls; recovery is not measured", (), where)


def _by_label(items: Iterable[Placed]) -> dict[str, list[Placed]]:
    found: dict[str, list[Placed]] = {}
    for item in items:
        found.setdefault(item.row.model, []).append(item)
    return dict(sorted(found.items()))


def _fidelity_share(row: Row) -> float | None:
    return row.fidelity.share if row.fidelity is not None else None


def _is_low_fidelity(row: Row) -> bool:
    coded = row.missing_reason is not None and row.missing_reason.code == LOW_FIDELITY
    return coded or LOW_FIDELITY in _kinds(row)


def _kinds(row: Row) -> set[str]:
    first = [row.anomaly] if row.anomaly is not None else []
    return {anomaly.kind for anomaly in [*first, *(row.anomalies or [])]}


def _kind_and_blame(row: Row) -> str:
    blame = f" ({row.missing_reason.blame})" if row.missing_reason is not None else ""
    return f"{anomaly_of(row)}{blame}"


def _wire(row: Row) -> str | None:
    wire = (row.provenance or {}).get("wire_sha256")
    return wire if isinstance(wire, str) else None


def _overrides_like_their_base(rows: Iterable[Row]) -> list[str]:
    """The overrides that sent, for some task, exactly what their base model was sent."""
    rows = list(rows)
    base = {
        (row.run_id, row.model, row.task_id, wire)
        for row in rows
        if row.prompt_override is None and (wire := _wire(row)) is not None
    }
    alike = {
        row.model
        for row in rows
        if row.prompt_override is not None
        and (row.run_id, row.prompt_override.get("base_model"), row.task_id, _wire(row)) in base
    }
    return sorted(alike)


def _rollouts_by_task(items: Iterable[Placed]) -> list[list[float]]:
    found: dict[str, list[float]] = {}
    for item in items:
        found.setdefault(item.row.task_id, []).append(item.row.score or 0.0)
    return [found[task] for task in sorted(found)]


def _not_before(at: str, since: datetime) -> bool:
    moment = read_time(at)
    return moment is None or moment >= since


def _checks_of(kind: str) -> str:
    if kind in TRIVIAL_ARMS:
        return f"{kind} floor"
    return {"oracle": "oracle_solvability", "replay": "replay_agreement"}.get(
        kind, f"{kind} figures"
    )


def _is_priced(row: Row) -> bool:
    partial = row.pricing is not None and row.pricing.partial
    return row.cost is not None and not partial


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    mean = _mean(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
