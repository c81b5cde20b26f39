"""A benchmark as people and agents read it: its tasks with decisions, doubts and scores."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.errors import InvalidArguments, UnknownArm
from benchmarks.records import cures
from benchmarks.records.base import JsonObject
from benchmarks.records.review import Review
from benchmarks.records.vocabulary import Attention, Decision, Split, known
from reviews.rigor.evidence import Place, Placed
from reviews.rigor.floors import LANES
from reviews.rigor.scores import NO_SCORES, scores_by_task, task_mean
from reviews.services.build_warnings import build_warnings, edit_warnings
from reviews.services.deciding import deciding
from reviews.services.dossier import Dossier
from reviews.services.holdout import looks_notice

SORTS = ("manifest", "attention", "score", "name")
PENDING = "pending"


@dataclass(frozen=True, slots=True)
class Question:
    """Which tasks are asked for, and in which order."""

    attention: bool | str | None = None
    split: str | None = None
    category: str | None = None
    decision: str | None = None
    passed_by: str | None = None
    failed_by: str | None = None
    sort: str = "manifest"


def read_benchmark(
    *,
    located: Located,
    attention: bool | str | None = None,
    split: str | None = None,
    category: str | None = None,
    decision: str | None = None,
    passed_by: str | None = None,
    failed_by: str | None = None,
    sort: str = "manifest",
    include: Collection[str] = (),
    with_tasks: bool = True,
) -> dict[str, Any]:
    """The benchmark without its task list in the manifest, and the tasks that were asked for.

    Without `with_tasks` there are none: that is the dear part. Of the flagged ones those that
    somebody rejected are left out, unless a decision is asked for. `include` adds `overview`,
    `versions` and `holdout_ledger`.

    Raises:
        InvalidArguments: a filter has a value that no task can have.
        UnknownArm: no row is of the arm that should have passed or failed.
    """
    asked = Question(attention, split, category, decision, passed_by, failed_by, sort)
    dossier = Dossier(located.directory, slug=located.slug)
    rows = task_rows(dossier, asked) if with_tasks else []
    manifest = dossier.manifest.dump() if dossier.manifest else None
    document: dict[str, Any] = {
        "slug": located.slug,
        "stage": dossier.stage.value,
        "dir": str(located.directory.path),
        "version": dossier.version,
        "manifest": _without_tasks(manifest),
        "review_summary": review_summary(dossier),
        "review_policy": dossier.policy.dump(),
        "calibration": dossier.calibration.dump() if dossier.calibration else None,
        "experiments": _experiments(dossier),
        "cross_check_errors": [f"{task}: {how}" for task, how in dossier.conflicts.items()],
        "attention_counts": attention_counts(dossier),
        "warnings": [
            *dossier.warnings(),
            *build_warnings(dossier.build),
            *edit_warnings(dossier.edited, located.slug),
        ],
        "errors": dossier.stage_report.errors,
        **({"tasks": rows} if with_tasks else {}),
        **({"next_actions": _looked_over(dossier, rows)} if attention else {}),
        **_included(dossier, include),
    }
    return {**document, "notices": [notice]} if (notice := holdout_notice(dossier)) else document


def task_rows(dossier: Dossier, asked: Question) -> list[JsonObject]:
    """One row per task that the question lets through, in its order."""
    keep = _filters(dossier, asked)
    scores = scores_by_task(dossier.evidence.placed)
    rows = [
        task_row(dossier, task_id, scores.get(task_id, NO_SCORES))
        for task_id in dossier.tasks
        if all(test(task_id) for test in keep)
    ]
    return sorted(rows, key=ORDERS[asked.sort])


def task_row(dossier: Dossier, task_id: str, scores: Mapping[str, Any]) -> JsonObject:
    """A task as lists show it."""
    task, decided = dossier.tasks[task_id], dossier.decisions[task_id]
    return {
        "task_id": task_id,
        "name": task.name,
        "split": task.split.value,
        "category_id": task.category_id,
        "status": task.status,
        "machine_confidence": task.machine_confidence,
        "review": decided.review.dump() if decided.review else None,
        "effective_decision": decided.document(),
        "edited": task_id in dossier.edited,
        "attention_flags": dossier.flag_words(task_id),
        "attention_reasons": {
            doubt.flag.value: doubt.reason for doubt in dossier.doubts.get(task_id, ())
        },
        "scores": scores,
    }


def _looked_over(dossier: Dossier, rows: Sequence[JsonObject]) -> list[JsonObject]:
    """Read the first of these that nobody decided, and keep it or take it out; else the status."""
    slug = dossier.slug
    waiting = [row["task_id"] for row in rows if not row["effective_decision"]["explicit"]]
    if not waiting:
        return [cures.read_status(slug).document()]
    first = waiting[0]
    actions = [cures.read_task(slug, first), *deciding(dossier, first)]
    return [each.document() for each in actions]


def review_summary(dossier: Dossier) -> dict[str, int]:
    """How many tasks stand where: by their newest explicit line, and without one."""
    lines = [found.review for found in dossier.decisions.values() if found.review is not None]
    return {
        **{word.value: sum(line.decision is word for line in lines) for word in Decision},
        "unreviewed": len(dossier.decisions) - len(lines),
        "auto": _by(lines, "auto"),
        "agent": _by(lines, "agent"),
    }


def attention_counts(dossier: Dossier) -> dict[str, int]:
    """How many tasks carry each flag, but for rejected ones."""
    counts = Counter(doubt.flag for found in dossier.open_doubts.values() for doubt in found)
    return {flag.value: counts[flag] for flag in Attention if counts[flag]}


def holdout_notice(dossier: Dossier) -> JsonObject | None:
    """What stands over every answer with holdout figures; None where there are none."""
    shown = any(
        item.split is Split.HOLDOUT and item.place is Place.SCORED
        for item in dossier.evidence.placed
    )
    return looks_notice(len(dossier.counted_looks)).dump() if shown else None


def _by(lines: Sequence[Review], source: str) -> int:
    return sum(line.source == source for line in lines)


def _without_tasks(manifest: JsonObject | None) -> JsonObject | None:
    if manifest is None:
        return None
    return {key: value for key, value in manifest.items() if key != "tasks"}


def _experiments(dossier: Dossier) -> list[JsonObject]:
    lines = [line.dump() for line in dossier.directory.read(layout.EXPERIMENTS).records]
    return list({str(line["experiment_id"]): line for line in lines}.values())


def _included(dossier: Dossier, include: Collection[str]) -> JsonObject:
    found: JsonObject = {}
    if "overview" in include:
        overview = dossier.directory.load(layout.OVERVIEW)
        found["overview"] = overview.dump() if overview else None
    if "versions" in include:
        found["versions"] = [line.dump() for line in dossier.versions.records]
    if "holdout_ledger" in include:
        found["holdout_ledger"] = [line.dump() for line in dossier.looks.records]
    return found


Test = Callable[[str], bool]


def _filters(dossier: Dossier, asked: Question) -> list[Test]:
    if asked.sort not in SORTS:
        raise _not_one_of("sort", asked.sort, SORTS)
    tests: list[Test] = []
    if asked.attention not in {None, False}:
        tests.append(_by_attention(dossier, asked))
    if asked.split not in {None, "all"}:
        if known(Split, asked.split) is None:
            raise _not_one_of("split", asked.split, [*Split, "all"])
        tests.append(lambda task: dossier.tasks[task].split == asked.split)
    if asked.category is not None:
        tests.append(lambda task: dossier.tasks[task].category_id == asked.category)
    if asked.decision is not None:
        if asked.decision != PENDING and known(Decision, asked.decision) is None:
            raise _not_one_of("decision", asked.decision, [*Decision, PENDING])
        tests.append(lambda task: dossier.decisions[task].word == asked.decision)
    if asked.passed_by is not None:
        tests.append(_by_verdict(dossier, asked.passed_by, passes=True))
    if asked.failed_by is not None:
        tests.append(_by_verdict(dossier, asked.failed_by, passes=False))
    return tests


def _by_verdict(dossier: Dossier, arm: str, *, passes: bool) -> Test:
    verdicts = verdicts_of(dossier, arm)
    return lambda task: verdicts.get(task) is passes


def _by_attention(dossier: Dossier, asked: Question) -> Test:
    """Those with the flag; of them a rejected one only where a decision is asked for."""
    found = dossier.open_doubts if asked.decision is None else dossier.doubts
    if asked.attention is True:
        return lambda task: task in found
    flag = known(Attention, asked.attention)
    if flag is None:
        raise _not_one_of("attention", asked.attention, list(Attention))
    flagged = frozenset(found).intersection(dossier.flagged(flag))
    return lambda task: task in flagged


def verdicts_of(dossier: Dossier, arm: str) -> dict[str, bool]:
    """Whether an arm, by label or by kind, passes each task that it has a score of.

    Raises:
        UnknownArm: it has no row here; the arms that have are listed.
    """
    lane = next((each for each in LANES if each.arm_kind == arm), None)
    floor = dossier.floors[lane.key] if lane is not None else None
    if floor is not None and floor.measured:
        return {task: task in floor.passed_task_ids for task in floor.scores or {}}
    rows: dict[str, list[Placed]] = {}
    for item in dossier.evidence.at(Place.SCORED):
        if arm in {item.row.model, item.row.arm_kind}:
            rows.setdefault(item.row.task_id, []).append(item)
    if not rows:
        arms = ", ".join(dossier.evidence.by_arm()) or "none"
        raise UnknownArm(
            f"{dossier.slug} has no scored row of {arm!r}", hint=f"arms with rows: {arms}"
        )
    return {task: (task_mean(items) or 0.0) >= dossier.threshold for task, items in rows.items()}


def tasks_by_verdict(
    *, located: Located, passed_by: Collection[str] = (), failed_by: Collection[str] = ()
) -> list[str]:
    """The tasks that any of the first arms passes and that any of the second ones fails.

    Raises:
        UnknownArm: no row is of one of the arms.
    """
    dossier = Dossier(located.directory, slug=located.slug)
    passing = [verdicts_of(dossier, arm) for arm in passed_by]
    failing = [verdicts_of(dossier, arm) for arm in failed_by]
    return [
        task
        for task in dossier.tasks
        if (not passing or any(found.get(task) is True for found in passing))
        and (not failing or any(found.get(task) is False for found in failing))
    ]


def _not_one_of(name: str, value: object, words: Sequence[str]) -> InvalidArguments:
    return InvalidArguments(f"{name} {value!r} is not one of {', '.join(map(str, words))}")


def _score(row: JsonObject) -> tuple[bool, float]:
    mean = row["scores"]["mean_score"]
    return (mean is None, mean if mean is not None else 0.0)


ORDERS: Mapping[str, Callable[[JsonObject], Any]] = {
    "manifest": lambda row: 0,
    "attention": lambda row: (
        not row["attention_flags"],
        row["effective_decision"]["explicit"],
        -len(row["attention_flags"]),
    ),
    "score": _score,
    "name": lambda row: row["name"].casefold(),
}
"""Flagged ones first, of those the undecided, then the most doubted; lowest score first, unmeasured
last. Sorting is stable."""
