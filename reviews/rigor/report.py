"""The rigor report: every check, and the figures behind them, as one record."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.records.base import JsonObject
from benchmarks.records.rigor import RigorReport
from benchmarks.records.task import Task
from reviews.attention import trials_share
from reviews.rigor.checks import run_checks
from reviews.rigor.evidence import Excluded, anomaly_of, counts_of
from reviews.rigor.gate import verdict_of
from reviews.rigor.subject import Subject


@dataclass(frozen=True, slots=True)
class Stamp:
    """What the report says about itself."""

    generated_at: str
    benchmark_version: str
    seed: int = 0
    inputs: Mapping[str, str] = field(default_factory=dict)
    """The digest of each file that was read."""
    planned: Mapping[str, int] = field(default_factory=dict)
    """Cells asked for, by arm."""


def rigor_report(
    subject: Subject, stamp: Stamp, *, flags: Mapping[str, Sequence[str]] | None = None
) -> RigorReport:
    """Every check that applies and every count behind it; pure but for what `stamp` says."""
    items = run_checks(subject)
    used = subject.used
    anomalies = Counter(kind for item in used if (kind := anomaly_of(item.row)) is not None)
    kinds = Counter(item.row.arm_kind for item in used)
    anomalous = Counter(item.row.task_id for item in used if anomaly_of(item.row) is not None)
    splits = Counter(task.split.value for task in subject.tasks.values())
    manifest = subject.manifest
    return RigorReport(
        benchmark_id=manifest.benchmark_id if manifest else "",
        benchmark_version=stamp.benchmark_version,
        generated_at=stamp.generated_at,
        threshold=subject.threshold,
        threshold_run=subject.threshold_run,
        evidence=_evidence(subject),
        items=items,
        tasks=[
            {
                **_task_line(task, subject),
                "anomalous_rows": anomalous[task_id],
                "flags": list((flags or {}).get(task_id, ())),
            }
            for task_id, task in subject.tasks.items()
        ],
        counts={
            label: counts_of(rows, planned=stamp.planned.get(label)).dump()
            for label, rows in subject.evidence.by_arm().items()
        },
        row_counts={"total": len(used), "by_arm_kind": dict(sorted(kinds.items()))},
        anomaly_counts=dict(sorted(anomalies.items())),
        split_counts=dict(sorted(splits.items())),
        provenance_origin=(manifest.provenance or {}).get("origin") if manifest else None,
        gate=verdict_of(items).document(),
        seed=stamp.seed,
        inputs=dict(sorted(stamp.inputs.items())),
    )


def _evidence(subject: Subject) -> JsonObject:
    reasons = Counter(item.reason for item in subject.evidence.used)
    return {
        "rows": len(subject.evidence.placed),
        "places": subject.evidence.counts(),
        "excluded": {word.value: reasons[word.value] for word in Excluded},
        "left_out": subject.evidence.left_out(),
        "runs": subject.evidence.run_ids(),
    }


def _task_line(task: Task, subject: Subject) -> JsonObject:
    contract = task.outcome_contract
    kinds = Counter(entry.type or "state_effect" for entry in contract.required)
    line: JsonObject = {
        "task_id": task.task_id,
        "split": task.split.value,
        "required_total": len(contract.required),
        "required_by_kind": dict(sorted(kinds.items())),
        "forbidden": len(contract.forbidden),
        "preserved": len(contract.preserved),
    }
    share = trials_share(subject.validation.get(task.task_id))
    return {**line, "fidelity": share} if share is not None else line
