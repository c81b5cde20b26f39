"""Where every piece of feedback and every flag stands today, by the rule of `reviews/notes.py`."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.parsing import parse_json
from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.records.note import Feedback, Flag
from reviews.models.note import FeedbackEntry, FlagEntry
from reviews.notes import newest_feedback, newest_flags

E = TypeVar("E", FeedbackEntry, FlagEntry)
N = TypeVar("N", Feedback, Flag)


def refresh_notes(entry: BenchmarkEntry, _directory: BenchmarkDir) -> None:
    """Write on the one line that stands for an id where it stands, and on no other."""
    _mark(FeedbackEntry, entry, Feedback, newest_feedback)
    _mark(FlagEntry, entry, Flag, newest_flags)


def _mark(
    model: type[E],
    entry: BenchmarkEntry,
    record: type[N],
    newest: Callable[[Iterable[N]], Mapping[str, N]],
) -> None:
    entries = list(model.objects.filter(benchmark=entry).order_by("file", "line"))
    lines = [record.read(parse_json(each.raw.encode()).value) for each in entries]
    standing = newest(lines)
    stands_for = {line.ref: each for line, each in zip(lines, entries, strict=True)}
    words = {stands_for[ref].pk: note.status for ref, note in standing.items() if ref in stands_for}
    changed = []
    for each in entries:
        word = words.get(each.pk, "")
        if each.standing != word:
            each.standing = word
            changed.append(each)
    model.objects.bulk_update(changed, ["standing"])
