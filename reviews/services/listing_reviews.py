"""Who decided what, task by task."""

from typing import Any

from benchmarks.artifacts.roots import Located
from reviews import autoaccept
from reviews.services.dossier import Dossier
from reviews.services.reading import review_summary
from reviews.services.writing import need_tasks


def list_reviews(
    *,
    located: Located,
    task_id: str | None = None,
    history: bool = False,
    undecided: bool = False,
) -> dict[str, Any]:
    """The decision in force for each task; `history` adds every line.

    `undecided` keeps the tasks that wait for somebody: nobody decided, and they are flagged or the
    policy leaves them pending.

    Raises:
        UnknownTask: `task_id` names none.
    """
    dossier = Dossier(located.directory, slug=located.slug)
    need_tasks(dossier, [task_id] if task_id is not None else [])
    ids = [each for each in dossier.tasks if task_id in {None, each}]
    if undecided:
        ids = autoaccept.undecided(ids, dossier.decisions, dossier.doubts)
    return {
        "slug": located.slug,
        "tasks": [_row(dossier, each, history=history) for each in ids],
        "summary": review_summary(dossier),
        "policy": dossier.policy.dump(),
        "warnings": dossier.warnings(),
    }


def _row(dossier: Dossier, task_id: str, *, history: bool) -> dict[str, Any]:
    decided = dossier.decisions[task_id]
    row = {
        "task_id": task_id,
        "name": dossier.tasks[task_id].name,
        "effective_decision": decided.document(),
        "attention_flags": dossier.flag_words(task_id),
        "review": decided.review.dump() if decided.review else None,
    }
    if not history:
        return row
    lines = [line.dump() for line in dossier.reviews.records if line.task_id == task_id]
    return {**row, "history": lines}
