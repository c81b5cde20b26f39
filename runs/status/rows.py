"""What the rows of a benchmark are worth today, and which of them to run again."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.records.base import JsonObject
from benchmarks.records.row import Row
from benchmarks.records.vocabulary import REFERENCE_ARMS, TRIVIAL_ARMS, ArmKind, RowStatus
from benchmarks.versioning.staleness import BreakingLines, Currency, Versioned, currency
from reviews.rigor.evidence import Evidence, Excluded, LeftOut, Place, Placed, anomaly_of
from runs.status.facts import Stale

RESULT_TYPES = {
    ArmKind.ORACLE: "oracle",
    ArmKind.REPLAY: "replay",
    ArmKind.APP_REPLAY: "app_replay",
    **dict.fromkeys(TRIVIAL_ARMS, "validation"),
}
"""What kind of result a row is, by its arm; every other row is `live`."""
TELLING = ("live", "app_replay", "fallback", "replay", "oracle", "validation")
"""Of several kinds in one run, the first names it."""
STALE_STATES = frozenset({Currency.STALE_REGRADE, Currency.STALE_RERUN})


@dataclass(frozen=True, slots=True)
class Worth:
    """Every row that is about a task of the benchmark, with what it is worth today."""

    current: Sequence[Placed] = ()
    unversioned: Sequence[Placed] = ()
    stale: Sequence[Placed] = ()
    """Of either kind; `Placed.currency` says which."""
    superseded: Sequence[Placed] = ()
    """The stale ones in whose place another row stands."""
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def standing(self) -> list[Placed]:
        """The stale rows in whose place nothing stands."""
        replaced = {id(item) for item in self.superseded}
        return [item for item in self.stale if id(item) not in replaced]

    def of(self, state: Currency) -> int:
        """How many stale rows are of one kind."""
        return sum(item.currency is state for item in self.stale)


def worth_of(evidence: Evidence, tasks: Mapping[str, Versioned], breaking: BreakingLines) -> Worth:
    """Tell the rows apart by what they are worth.

    A stale row is superseded when a row of the same arm, task and rollout counts today, whatever
    its run, or when a regrade or a retry names it.
    """
    judged = list(_judged(evidence, tasks, breaking))
    counting = [item for item in judged if item.currency and item.currency.counts]
    cells = {_cell(item) for item in counting if item.place is not Place.LEFT_OUT}
    stale = [item for item in judged if item.currency in STALE_STATES]
    return Worth(
        current=[item for item in counting if item.currency is Currency.CURRENT],
        unversioned=[item for item in counting if item.currency is Currency.UNVERSIONED],
        stale=stale,
        superseded=[item for item in stale if item.place is Place.LEFT_OUT or _cell(item) in cells],
        left_out=evidence.left_out(),
    )


def _judged(
    evidence: Evidence, tasks: Mapping[str, Versioned], breaking: BreakingLines
) -> Iterable[Placed]:
    """The rows in use and the superseded ones, each with its currency."""
    for item in evidence.placed:
        if item.place is not Place.LEFT_OUT:
            yield item
        elif item.reason == LeftOut.SUPERSEDED and item.row.task_id in tasks:
            state = currency(item.row, tasks[item.row.task_id], breaking)
            yield Placed(item.row, item.rollout, item.split, item.place, item.reason, state)


def _cell(item: Placed) -> tuple[str, str, int]:
    return (item.row.model, item.row.task_id, item.rollout)


def rows_section(worth: Worth) -> JsonObject:
    """`rows` of the status: each row is in exactly one of the four kinds, and `total` their sum.

    What is no evidence at all (of another benchmark, late, twice) stands in `left_out`.
    """
    every = [*worth.current, *worth.unversioned, *worth.stale]
    excluded = Counter(item.reason for item in every if item.place is Place.EXCLUDED)
    kinds = Counter(kind for item in every if (kind := anomaly_of(item.row)) is not None)
    statuses = Counter(item.row.status for item in every)
    return {
        "total": len(every),
        "current": len(worth.current),
        "stale_regrade": worth.of(Currency.STALE_REGRADE),
        "stale_rerun": worth.of(Currency.STALE_RERUN),
        "superseded": len(worth.superseded),
        "unversioned": len(worth.unversioned),
        "anomalous": dict(sorted(kinds.items())),
        "error": statuses[RowStatus.ERROR],
        "unscored": statuses[RowStatus.UNSCORED],
        "fallback": excluded[Excluded.FALLBACK],
        "flagged": excluded[Excluded.FLAGGED],
        "left_out": dict(worth.left_out),
    }


def result_types_section(worth: Worth, newest_run: str | None) -> JsonObject:
    """`result_types`: the kinds of result among the rows that count, and that of the newest run."""
    rows = [item.row for item in (*worth.current, *worth.unversioned)]
    newest = {_result_type(row) for row in rows if row.run_id == newest_run}
    return {
        "types": sorted({_result_type(row) for row in rows}),
        "newest": next((word for word in TELLING if word in newest), None),
    }


def _result_type(row: Row) -> str:
    if row.fallback_reason:
        return "fallback"
    return next((word for kind, word in RESULT_TYPES.items() if kind == row.arm_kind), "live")


def stale_cells(worth: Worth, task_ids: Sequence[str]) -> Stale:
    """The arms and tasks of stale rows that nothing has replaced, as a run that would do it.

    Prompt overrides and local arms are left to the caller: their texts and files are not in rows.
    """
    rows = [
        item
        for item in worth.standing
        if item.row.prompt_override is None and item.row.local_artifact is None
    ]
    about = {item.row.task_id for item in rows}
    moved = {item.row.task_id for item in rows if item.currency is not Currency.STALE_REGRADE}
    kinds = {item.row.model: item.row.arm_kind for item in rows}
    models = {ArmKind.CANDIDATE, ArmKind.INCUMBENT}
    return Stale(
        models=sorted(label for label, kind in kinds.items() if kind in models),
        trivial_arms=[kind.value for kind in TRIVIAL_ARMS if kind in kinds.values()],
        reference_arms=[kind.value for kind in REFERENCE_ARMS if kind in kinds.values()],
        task_ids=[task_id for task_id in task_ids if task_id in about],
        verifier_only=[task_id for task_id in task_ids if task_id in about - moved],
        rollouts=max((item.rollout + 1 for item in rows), default=1),
    )
