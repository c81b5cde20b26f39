"""Reviews from a file: of an older tool, or of another directory.

Each line stands for itself: one that does not fit is rejected with its reason, the others are kept.
What is in the ledger already is not written again.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.jsonl import NumberedLine, Place, Tally, lines_of, opened
from benchmarks.artifacts.roots import Located
from benchmarks.errors import SourceNotFound
from benchmarks.records.base import JsonObject
from benchmarks.records.caller import Caller
from benchmarks.records.review import Review
from benchmarks.records.times import read_time, stamp
from benchmarks.records.vocabulary import Decision, Stage, known
from reviews.decisions import newest_reviews
from reviews.services.dossier import Dossier
from reviews.services.writing import NOTE_CHARS, source_of, writing, written

SOURCES = ("human", "agent", "auto")
SHOWN_CHARS = 80
KEPT = frozenset({
    "task_id", "decision", "note", "created_at", "reviewed_at", "source", "task_hash",
    "reviewed_by", "reviewer",
})  # fmt: skip
"""What of a line stands in the ledger afterwards."""
OURS = frozenset(Review.model_fields)
"""What else a line of a ledger has: it is made anew for this one."""


def import_reviews(*, located: Located, path: Path, caller: Caller, now: datetime) -> JsonObject:
    """Append the reviews of a file, each under the time at which it was made.

    Read are lines of `reviews.jsonl` and of the older `review-decisions.jsonl`, whose time is
    `reviewed_at`; keys that no review has are counted and left out. A review that is older than
    the decision in force on its task is rejected: the newest line of a ledger decides.

    Raises:
        SourceNotFound: there is no such file.
        Unreadable: it is no regular file, or may not be read.
        WrongStage: the benchmark is no proposal.
    """
    if not path.exists():
        raise SourceNotFound(f"{path} does not exist", details={"path": str(path)})
    tally = Tally()
    with opened(path) as source:
        lines = list(lines_of(source, tally, Place(), ledger=False))
    broken = [(number, f"{reason.value}: {message}") for number, reason, message in tally.rejected]
    with writing(located, Stage.PROPOSED, "a review") as dossier:
        taking = _Taking(dossier, caller, now)
        for line in lines:
            taking.take(line)
        located.directory.append(layout.REVIEWS, *taking.taken)
    rejected = sorted([*broken, *taking.rejected])
    return {
        **written(caller),
        "ok": not rejected,
        "imported": len(taking.taken),
        "unchanged": taking.unchanged,
        "rejected": [{"line": number, "reason": reason} for number, reason in rejected],
        "not_kept": dict(sorted(taking.not_kept.items())),
    }


@dataclass
class _Taking:
    """Lines on their way into the ledger, in the order of their file."""

    dossier: Dossier
    caller: Caller
    now: datetime
    taken: list[Review] = field(default_factory=list)
    unchanged: int = 0
    rejected: list[tuple[int, str]] = field(default_factory=list)
    not_kept: Counter[str] = field(default_factory=Counter)
    """Keys that no review has, and how many of the lines taken in have each."""

    def __post_init__(self) -> None:
        records = self.dossier.reviews.records
        self.known = {_mark(one) for one in records}
        self.newest = newest_reviews(records)

    def take(self, line: NumberedLine) -> None:
        """Take a line in, or say why not."""
        reason = self._reason(line.value)
        if reason is not None:
            self.rejected.append((line.number, reason))
            return
        review = self._review(line.value)
        if self._stands(review, timed=_time(line.value) is not None):
            self.unchanged += 1
        elif self._is_late(review):
            stands = self.newest[review.task_id]
            said = f"older than the decision in force: {stands.decision} of {stands.created_at}"
            self.rejected.append((line.number, said))
        else:
            self.taken.append(review)
            self.not_kept.update(line.value.keys() - KEPT - OURS)
            self.known.add(_mark(review))
            self.newest[review.task_id] = review

    def _reason(self, value: Mapping[str, Any]) -> str | None:
        """Why a line is no review of a task here; None when it is one."""
        task = self.dossier.tasks.get(str(value.get("task_id")))
        if task is None:
            return f"unknown task {_shown(value.get('task_id'))}"
        if known(Decision, value.get("decision")) is None:
            words = ", ".join(each.value for each in Decision)
            return f"decision {_shown(value.get('decision'))}: one of {words} is wanted"
        pinned = value.get("task_hash")
        if pinned is not None and pinned != task.task_hash:
            return f"task_hash {_shown(pinned)}: the task has changed, it is {task.task_hash} now"
        return next(_faults(value), None)

    def _review(self, value: Mapping[str, Any]) -> Review:
        source = value.get("source")
        moment = read_time(_time(value)) or self.now
        kept = {
            "reviewed_by": value.get("actor") or value.get("reviewed_by") or value.get("reviewer")
        }
        return Review.read({
            "benchmark_id": self.dossier.directory.name,
            "task_id": value["task_id"],
            "decision": value["decision"],
            "note": value.get("note") or "",
            "created_at": stamp(moment),
            "source": source if source in SOURCES else source_of(self.caller),
            "actor": self.caller.actor,
            "door": self.caller.door,
            "task_hash": self.dossier.tasks[value["task_id"]].task_hash,
            **{name: word for name, word in kept.items() if isinstance(word, str)},
        })

    def _stands(self, review: Review, *, timed: bool) -> bool:
        """Whether the ledger says it already; without a time of its own, whether it is in force."""
        if timed:
            return _mark(review) in self.known
        newest = self.newest.get(review.task_id)
        return newest is not None and (newest.decision, newest.note) == (
            review.decision,
            review.note,
        )

    def _is_late(self, review: Review) -> bool:
        newest = self.newest.get(review.task_id)
        made, stands = (read_time(one.created_at) if one else None for one in (review, newest))
        return made is not None and stands is not None and made < stands


def _faults(value: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the words and the time of a line."""
    note, time = value.get("note"), _time(value)
    if note is not None and not isinstance(note, str):
        yield f"note {_shown(note)}: a text is wanted"
    elif note is not None and len(note) > NOTE_CHARS:
        yield f"the note has {len(note):,} characters, at most {NOTE_CHARS:,} are kept"
    if time is not None and read_time(time) is None:
        yield f"time {_shown(time)}: RFC 3339 is wanted"


def _time(value: Mapping[str, Any]) -> Any:
    """When a review was made, by either name; None where it does not say."""
    made = value.get("created_at")
    return made if made is not None else value.get("reviewed_at")


def _mark(review: Review) -> tuple[str, str, str, datetime | None]:
    """What makes two lines one review."""
    return review.task_id, review.decision, review.note, read_time(review.created_at)


def _shown(value: Any) -> str:
    return repr(value)[:SHOWN_CHARS]
