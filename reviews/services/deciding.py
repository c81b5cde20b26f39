"""What somebody who has read a task does next: keep it, take it out, or close what was said."""

from benchmarks.errors import Action
from benchmarks.records import cures
from benchmarks.records.vocabulary import Stage
from reviews.notes import open_feedback
from reviews.services.dossier import Dossier

UNJUDGED = "none"
"""The judgeability of a contract that requires nothing: no promotion takes such a task."""


def deciding(dossier: Dossier, task_id: str) -> list[Action]:
    """The commands that decide on a task; where nothing is to be decided, the status."""
    slug = dossier.slug
    closing = [
        cures.resolve(slug, line.ref) for line in open_feedback(dossier.feedback.records, task_id)
    ]
    if dossier.stage is not Stage.PROPOSED or dossier.decisions[task_id].explicit:
        return closing or [cures.read_status(slug)]
    judged = dossier.signs.judgeability.get(task_id) != UNJUDGED
    words = ("accept", "reject") if judged else ("reject",)
    return [*closing, *(cures.review(slug, [task_id], word) for word in words)]
