"""The figures of one arm, from its rows as the one evidence set placed them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Counts
from benchmarks.records.row import Row
from benchmarks.records.vocabulary import ArmKind
from benchmarks.stats.bootstrap import headline
from benchmarks.stats.costs import SuccessCost, success_cost
from benchmarks.stats.estimates import Estimate, Insufficient, mean, quantile, rounded
from benchmarks.stats.intervals import small_sample
from benchmarks.stats.repeats import Passes, pass_at, pass_hat
from benchmarks.stats.seeding import TaskKey, code_units, seed_of
from benchmarks.versioning.staleness import Versioned
from reviews.rigor.evidence import Place, Placed, counts_of

RANKED_KINDS = frozenset({ArmKind.INCUMBENT, ArmKind.CANDIDATE, ArmKind.APP_REPLAY})
PASS_AT = (1, 2, 4, 8, 16)
MIXED = "mixed"
LOW_FIDELITY = "low_fidelity"
TIMEOUT = "rollout_timeout"

Interval = Estimate | Insufficient


@dataclass(frozen=True, slots=True)
class Board:
    """The benchmark that a leaderboard is about."""

    benchmark_id: str
    tasks: Mapping[str, Versioned]
    threshold: float = 1.0
    """The score from which a rollout is a success."""
    dense_metric: str = "final_state_partial_credit"
    """The subscore of the manifest's verifier that is graded."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over tasks with both intervals."""

    overall: float | None
    """None when nothing was scored."""
    ci: Interval
    ci_small: Interval
    counts: Counts

    def document(self) -> JsonObject:
        """The figures under their keys; `attempted` is the mean with what is missing at 0."""
        bounds = self.counts.bounds
        return {
            "overall": self.overall,
            "ci": self.ci.document(),
            "ci_small": self.ci_small.document(),
            "attempted": bounds[0] if bounds else None,
            "bounds": bounds,
            "counts": self.counts.dump(),
        }


@dataclass(frozen=True, slots=True)
class Costs:
    """What an arm cost, over all its attempted rollouts, failed ones too."""

    per_task: float | None
    """The mean over tasks of the mean known cost."""
    per_success: SuccessCost | Insufficient | None
    known_usd: float
    priced: int
    rows: int

    @property
    def fully_priced(self) -> bool:
        """Whether every rollout's cost is known whole; otherwise each figure is a lower bound."""
        return self.rows > 0 and self.priced == self.rows

    def document(self) -> JsonObject:
        """The figures as doors show them."""
        per_success = self.per_success.document() if self.per_success else None
        return {
            "per_task_usd": self.per_task,
            "per_success": per_success,
            "known_usd": self.known_usd,
            "priced": self.priced,
            "rows": self.rows,
            "priced_share": rounded(self.priced / self.rows) if self.rows else None,
            "lower_bound": self.rows > 0 and not self.fully_priced,
        }


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast an arm was, over its scored rows, and how often the clock cut it."""

    p50_ms: float | None
    p95_ms: float | None
    timeout_share: float | None
    tokens_per_sec: float | None
    peak_memory_bytes: int | None

    def document(self) -> JsonObject:
        """The figures as doors show them."""
        return {
            "latency_p50_ms": self.p50_ms,
            "latency_p95_ms": self.p95_ms,
            "timeout_share": self.timeout_share,
            "tokens_per_sec": self.tokens_per_sec,
            "peak_memory_bytes": self.peak_memory_bytes,
        }


@dataclass(frozen=True, slots=True)
class Arm:
    """One line of a leaderboard."""

    label: str
    kinds: tuple[str, ...]
    route: str
    tasks: int
    """With a scored row."""
    rollouts: int
    """Scored."""
    mean: Mean
    dense: float | None
    categories: Mapping[str, Mean]
    costs: Costs
    speed: Speed
    fidelity: JsonObject
    passes: JsonObject

    @property
    def ranked(self) -> bool:
        """Whether the arm competes: every kind of it is a model or an app."""
        return RANKED_KINDS.issuperset(self.kinds)

    def document(self) -> JsonObject:
        """The line as doors show it, without its place in the table."""
        return {
            "label": self.label,
            "kinds": list(self.kinds),
            "route": self.route,
            "tasks": self.tasks,
            "rollouts": self.rollouts,
            **self.mean.document(),
            "dense": self.dense,
            "cost": self.costs.document(),
            **self.speed.document(),
            "fidelity": self.fidelity,
            "pass_at_k": self.passes,
            "categories": {name: mean.document() for name, mean in self.categories.items()},
        }


def arm_figures(
    label: str, items: Sequence[Placed], board: Board, *, planned: int | None = None
) -> Arm:
    """The figures of an arm over its rows in use; `planned` is how many cells were asked for."""
    scored = [item.row for item in items if item.place is Place.SCORED]
    attempted = [item.row for item in items if item.attempted]
    by_task = scores_by_task(scored)
    routes = {item.row.route.value for item in items}
    return Arm(
        label=label,
        kinds=tuple(sorted({item.row.arm_kind for item in items})),
        route=routes.pop() if len(routes) == 1 else MIXED,
        tasks=len(by_task),
        rollouts=len(scored),
        mean=mean_of(label, items, board, planned=planned),
        dense=_dense(scored, board.dense_metric),
        categories=_categories(label, items, board),
        costs=_costs(label, items, attempted, board),
        speed=_speed(scored, attempted),
        fidelity=_fidelity(items),
        passes=_passes(by_task, board.threshold),
    )


def mean_of(
    label: str, items: Sequence[Placed], board: Board, *, planned: int | None = None
) -> Mean:
    """The mean over task means of the scored rows, with both intervals and all counts."""
    by_task = scores_by_task(item.row for item in items if item.place is Place.SCORED)
    means = [mean(scores) for scores in by_task.values()]
    rollouts = sum(map(len, by_task.values()))
    seed = seed_of("headline", board.benchmark_id, label, task_keys(by_task, board))
    return Mean(
        overall=rounded(mean(means)) if means else None,
        ci=headline(means, rollouts=rollouts, seed=seed),
        ci_small=small_sample(means, rollouts=rollouts),
        counts=counts_of(items, planned=planned),
    )


def scores_by_task(rows: Iterable[Row]) -> dict[str, list[float]]:
    """The scores of each task, tasks in code-unit order of their id."""
    return by_task((row.task_id, row.score) for row in rows if row.score is not None)


def by_task(pairs: Iterable[tuple[str, float]]) -> dict[str, list[float]]:
    """Numbers by task, tasks in code-unit order of their id."""
    grouped: dict[str, list[float]] = {}
    for task_id, number in pairs:
        grouped.setdefault(task_id, []).append(number)
    return {task_id: grouped[task_id] for task_id in sorted(grouped, key=code_units)}


def task_keys(task_ids: Iterable[str], board: Board) -> list[TaskKey]:
    """The tasks as a seed sees them: with the digests that they have today."""
    keys = []
    for task_id in task_ids:
        task = board.tasks.get(task_id)
        hashes = task.content_hashes if task else None
        keys.append(
            TaskKey(task_id, hashes.env_sha256, hashes.verifier_sha256)
            if hashes
            else TaskKey(task_id)
        )
    return keys


def _categories(label: str, items: Iterable[Placed], board: Board) -> dict[str, Mean]:
    grouped: dict[str, list[Placed]] = {}
    for item in items:
        if item.row.category_id is not None:
            grouped.setdefault(item.row.category_id, []).append(item)
    if len(grouped) < 2:
        return {}
    return {name: mean_of(label, grouped[name], board) for name in sorted(grouped)}


def _dense(scored: Iterable[Row], metric: str) -> float | None:
    graded = by_task(
        (row.task_id, float(value))
        for row in scored
        if isinstance(value := (row.subscores or {}).get(metric), int | float)
    )
    return rounded(mean([mean(values) for values in graded.values()])) if graded else None


def _costs(label: str, items: Iterable[Placed], attempted: Sequence[Row], board: Board) -> Costs:
    known = by_task((row.task_id, row.cost) for row in attempted if row.cost is not None)
    successes = by_task(
        (
            item.row.task_id,
            float(
                item.place is Place.SCORED
                and item.row.score is not None
                and item.row.score >= board.threshold
            ),
        )
        for item in items
        if item.attempted and item.row.task_id in known
    )
    spent = [mean(costs) for costs in known.values()]
    seed = seed_of("cost_per_success", board.benchmark_id, label, task_keys(known, board))
    per_success = success_cost(spent, [mean(w) for w in successes.values()], seed=seed)
    return Costs(
        per_task=rounded(mean(spent)) if spent else None,
        per_success=per_success if spent else None,
        known_usd=rounded(sum(cost for costs in known.values() for cost in costs)),
        priced=sum(_priced(row) for row in attempted),
        rows=len(attempted),
    )


def _priced(row: Row) -> bool:
    return row.cost is not None and not (row.pricing is not None and row.pricing.partial)


def _speed(scored: Sequence[Row], attempted: Sequence[Row]) -> Speed:
    times = sorted(row.latency_ms for row in scored if row.latency_ms is not None)
    rates = [row.tokens_per_sec for row in scored if row.tokens_per_sec is not None]
    memory = [row.peak_memory_bytes for row in attempted if row.peak_memory_bytes is not None]
    cut = sum(_timed_out(row) for row in attempted)
    return Speed(
        p50_ms=rounded(quantile(times, 0.5)) if times else None,
        p95_ms=rounded(quantile(times, 0.95)) if times else None,
        timeout_share=rounded(cut / len(attempted)) if attempted else None,
        tokens_per_sec=rounded(mean(rates)) if rates else None,
        peak_memory_bytes=max(memory, default=None),
    )


def _timed_out(row: Row) -> bool:
    return row.missing_reason is not None and row.missing_reason.code == TIMEOUT


def _fidelity(items: Iterable[Placed]) -> JsonObject:
    """The mean share of answers from the recording, and the rollouts below the bar."""
    rows = [item.row for item in items if item.attempted]
    shares = [
        row.fidelity.share
        for row in rows
        if row.fidelity is not None and row.fidelity.share is not None
    ]
    low = sum(
        row.missing_reason is not None and row.missing_reason.code == LOW_FIDELITY for row in rows
    )
    return {"mean_share": rounded(mean(shares)) if shares else None, LOW_FIDELITY: low}


def _passes(scores: Mapping[str, Sequence[float]], threshold: float) -> JsonObject:
    """pass@k and pass^k for the k that some task reaches; null where another task does not."""
    tasks = [
        Passes(sum(score >= threshold for score in found), len(found)) for found in scores.values()
    ]
    counts = Counter(task.rollouts for task in tasks)
    most, least = max(counts, default=0), min(counts, default=0)
    figures: JsonObject = {}
    for k in PASS_AT:
        if k <= most:
            line: JsonObject = {"pass_at": pass_at(tasks, k), "pass_hat": pass_hat(tasks, k)}
            figures[str(k)] = line if k <= least else {**line, "needs": k, "smallest": least}
    return figures
