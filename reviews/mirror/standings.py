"""How tasks and benchmarks stand, as tables: what `reviews/services/standings.py` says, kept."""

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.errors import UnderstudyError
from benchmarks.mirror.columns import plain, text, word
from benchmarks.mirror.differences import write_differences
from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.models.task import TaskEntry
from reviews.models.standing import BenchmarkStandingEntry, TaskStandingEntry
from reviews.services.dossier import Dossier, dossier_of
from reviews.services.listing import listed
from reviews.services.standings import BenchmarkStanding, TaskStanding, standing_of

NOTHING = BenchmarkStanding(tasks=[], effective=0, candidate="")
"""How a directory stands that cannot be read as a benchmark."""


def work_out(entry: BenchmarkEntry, directory: BenchmarkDir) -> Callable[[], None]:
    """Everything but the writing, which is what is given back."""
    located = Located(directory, entry.slug, entry.read_only)
    dossier = dossier_of(located)
    lines = _line_digests(entry)
    standing = _standing(dossier, _known_digests(entry, lines))
    tasks = [_task_entry(entry, task, standing, lines) for task in standing.tasks]
    listing = plain(listed(dossier, located))
    columns = _benchmark_columns(dossier, standing, listing)

    def write() -> None:
        write_differences(TaskStandingEntry, entry.pk, "task_id", tasks)
        BenchmarkStandingEntry.objects.update_or_create(benchmark=entry, defaults=columns)

    return write


def _standing(dossier: Dossier, digests: Mapping[str, str]) -> BenchmarkStanding:
    try:
        return standing_of(dossier, digests=digests)
    except (UnderstudyError, OSError):
        return NOTHING


def _line_digests(entry: BenchmarkEntry) -> dict[str, str]:
    """The digest of the line of each task."""
    found = TaskEntry.objects.filter(benchmark=entry)
    return dict(found.values_list("task_id", "sha256"))


def _known_digests(entry: BenchmarkEntry, lines: Mapping[str, str]) -> dict[str, str]:
    """The digests of the tasks whose line is what it was when they were worked out."""
    found = TaskStandingEntry.objects.filter(benchmark=entry)
    known = found.values_list("task_id", "line_sha256", "digest")
    return {
        task_id: digest for task_id, line, digest in known if line and lines.get(task_id) == line
    }


def _task_entry(
    entry: BenchmarkEntry,
    task: TaskStanding,
    standing: BenchmarkStanding,
    lines: Mapping[str, str],
) -> TaskStandingEntry:
    row, review = task.row, task.review
    return TaskStandingEntry(
        benchmark_id=entry.pk,
        task_id=word(task.task_id),
        position=task.position,
        name=text(row["name"]),
        split=row["split"],
        category_id=word(row["category_id"]),
        status=word(row["status"], 64),
        confidence=word(row["machine_confidence"], 64),
        digest=task.digest,
        line_sha256=lines.get(task.task_id, ""),
        decision=row["effective_decision"]["decision"],
        explicit=task.explicit,
        source=word(task.source, 16),
        actor=word(review.actor) if review else "",
        door=word(review.door, 32) if review else "",
        decided_at=word(review.created_at, 64) if review else "",
        review=plain(row["review"]),
        changed=task.changed,
        edited=row["edited"],
        flags=list(task.flags),
        reasons=plain(row["attention_reasons"]),
        flag_words=" ".join(["", *task.flags, ""]) if task.flags else "",
        flag_count=len(task.flags),
        waiting=task.waiting,
        trivial_arms=list(task.trivial_arms),
        verifier=task.verifier,
        open_feedback=task.open_feedback,
        open_flags=task.open_flags,
        scores=plain(row["scores"]),
        mean_score=row["scores"]["mean_score"],
        incumbent_mean=task.incumbent_mean,
        candidate_mean=task.candidate_mean,
        candidate=word(standing.candidate) if task.candidate_mean is not None else "",
        inbox_rank=task.inbox_rank,
    )


def _benchmark_columns(
    dossier: Dossier, standing: BenchmarkStanding, listing: Mapping[str, Any]
) -> dict[str, Any]:
    tasks = standing.tasks
    return {
        "listing": listing,
        "stage": listing["stage"],
        "version": word(dossier.version, 64),
        "tasks": len(tasks),
        "effective": standing.effective,
        "attention": listing["attention"],
        "attention_counts": standing.attention_counts,
        "review_summary": standing.review_summary,
        "undecided": standing.undecided,
        "waiting": sum(task.waiting for task in tasks),
        "undecided_flagged": standing.undecided_flagged,
        "changed": sum(task.changed for task in tasks),
        "candidate": word(standing.candidate),
        "open_feedback": standing.open_feedback,
        "open_flags": standing.open_flags,
        "floors": plain(standing.floors),
        "floors_exceeded": list(standing.floors_exceeded),
        "errors": plain(listing["errors"]),
        "warnings": plain(listing["warnings"]),
    }
