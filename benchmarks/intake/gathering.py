"""What the items of all processes come to: captures without repeats, groups, counts."""

from collections.abc import Iterator, Set
from typing import Any

from benchmarks.artifacts.parsing import parse_json
from benchmarks.intake.duplicates import merged
from benchmarks.intake.histories import gone_on
from benchmarks.intake.index import Index, Names
from benchmarks.intake.partial import Partial
from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.reporting.tally import Tally
from benchmarks.intake.reporting.totals import Totals
from benchmarks.intake.scope import Scoped
from benchmarks.intake.spool import Spool, SpooledBlobs
from benchmarks.intake.taking import Lost
from benchmarks.intake.told import told_of
from benchmarks.intake.work import CaptureLine, GroupWork, Item, Known, RecordLine, line_of
from benchmarks.records.blobs import BLOB_KEY, with_blobs
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Tool
from benchmarks.records.sharing import Sharing

KEPT_CAPTURES_BYTES = 64 * 2**20
"""Captures made in this process stay in memory while their lines come to no more than this."""


class Gathering:
    """The memory of one pass: small things here, long ones on disk."""

    def __init__(self, scope: Scoped, known: Set[str], partial: Partial | None = None) -> None:
        self.tally = Tally()
        self.blobs = SpooledBlobs()
        self.records: dict[str, Any] = {}
        self.duplicates = 0
        self._scope = scope
        self._known = known
        self._partial = partial
        self._lines = Spool()
        self._waiting = Spool()
        self._index = Index()
        self._tools: dict[str, Tool] = {}
        self._made: dict[int, Capture] = {}
        """Captures by number that need not be parsed again."""

    def take(self, item: Item) -> None:
        """Take in one item."""
        if isinstance(item, Known):
            self._take_again(item.work)
            return
        if self._partial is not None and not isinstance(item, RecordLine) and item.work:
            self._partial.add(item)
        self._settle(item)

    def _take_again(self, work: int) -> None:
        """What a work came to in a pass before this one."""
        if self._partial is not None:
            for item in self._partial.items(work):
                self._settle(item)

    def _settle(self, item: CaptureLine | RecordLine | Lost) -> None:
        if isinstance(item, Lost):
            self.tally.lost(item.dropped, item.dialect, item.nearest)
        elif isinstance(item, RecordLine):
            place = self._waiting.add(item.line)
            if item.refers is None:
                self._index.add_record(item.dialect, item.keys, place, item.about)
            else:
                names = Names(item.keys, item.refers)
                self._index.add_linked(item.dialect, names, place, item.about)
        else:
            self._capture(item)

    def groups(self) -> Iterator[GroupWork]:
        """Every group with its records, in the order of their first ones."""
        self._index.tie()
        for dialect, key in self._index.groups():
            found = self._index.records_of(dialect, key)
            lines = tuple((self._waiting.read(one.place), one.about) for one in found)
            yield GroupWork(dialect, key, lines)

    def finish(self) -> None:
        """Join the histories that providers keep, then see whether the filters left anything.

        Raises:
            NothingSelected: they did not.
        """
        self._waiting.close()
        self._join_histories()
        self._index.continuing.work_out()
        self._scope.check(self._index.captures)

    def captures(self) -> Iterator[Capture]:
        """Every capture, in the order in which they were met."""
        shared = Sharing()
        for number, place in self._index.places():
            made = self._made.get(number)
            yield made if made is not None else self._parsed(self._lines.read(place), shared)

    def lines(self) -> Iterator[bytes]:
        """Every capture as it stands in the ledger."""
        for _, place in self._index.places():
            yield self._lines.read(place)

    def totals(self) -> Totals:
        """What was recovered, counted."""
        index = self._index
        known = index.named("tools") & self._tools.keys()
        offered = {self._tools[digest].name: self._tools[digest] for digest in sorted(known)}
        return Totals(
            captures=index.captures,
            duplicates=self.duplicates,
            by_dialect=index.totals(),
            captures_by_file=index.files(),
            issues=index.counted("issues"),
            losses=index.counted("losses"),
            secrets=index.counted("secrets"),
            cut_texts=index.cut_texts(),
            tools=offered,
            called=index.named("called"),
        )

    def _capture(self, item: CaptureLine) -> None:
        told = item.told
        self.tally.kept(told.path, told.dialect)
        self._tools.update(item.tools)
        if self._known & {told.record_sha256, told.sha256}:
            self.duplicates += 1
            self.tally.repeated(told.path)
            return
        dropped = self._scope.dropped(told)
        if dropped is not None:
            self.tally.dropped.append(dropped)
            return
        self.blobs.add(item.blobs)
        number = self._index.number_of(told)
        if number is None:
            self._add(item)
        else:
            self.duplicates += 1
            self.tally.repeated(told.path)
            self._merge(number, item)

    def _add(self, item: CaptureLine) -> None:
        number = self._index.add(item.told, self._lines.add(item.line))
        if item.capture is not None and self._lines.size <= KEPT_CAPTURES_BYTES:
            self._made[number] = item.capture
        if item.record is not None:
            self.records.setdefault(item.told.capture_key, item.record)

    def _merge(self, number: int, item: CaptureLine) -> None:
        first = self._capture_of(number)
        again = item.capture or self._parsed(item.line)
        self._index.name(item.told, number)
        self._replace(number, merged(first, again))

    def _join_histories(self) -> None:
        """Each call after the one it goes on from, whatever order they were met in."""
        open_ends = self._open_ends()
        for start in list(open_ends):
            if start not in open_ends:
                continue
            line = [start]
            while (earlier := self._index.answered(open_ends[line[-1]])) in open_ends:
                if earlier is None or earlier in line:
                    break
                line.append(earlier)
            for number in reversed(line):
                self._go_on(number, open_ends.pop(number))

    def _open_ends(self) -> dict[int, str]:
        """Every call that goes on from another, with the answer that was its last.

        The first call of a conversation that a provider keeps goes on from none, but where it
        answers calls that none of its turns holds.
        """
        ends = dict(self._index.going_on())
        last: str | None = None
        inside: str | None = None
        for kept_in, number, answer, orphans in self._index.kept_in():
            if kept_in != inside:
                last, inside = None, kept_in
            if last is not None:
                ends.setdefault(number, last)
            elif orphans:
                ends.setdefault(number, kept_in)
            last = answer or last
        return dict(sorted(ends.items()))

    def _go_on(self, number: int, previous: str) -> None:
        later = self._capture_of(number)
        earlier = self._index.answered(previous)
        if earlier is not None and earlier != number:
            self._replace(number, gone_on(self._capture_of(earlier), later))
            self._index.continuing.mark(earlier)
            return
        self._index.remove(number)
        self._made.pop(number, None)
        source = later.source
        detail = f"goes on from {previous}, which no source holds"
        self.tally.dropped.append(
            Dropped(
                Reason.MISSING_HISTORY,
                source.pointer,
                detail,
                source.local_path,
                source.content_sha256,
            )
        )

    def _replace(self, number: int, capture: Capture) -> None:
        line, blobs = line_of(capture)
        self.blobs.add(blobs)
        self._index.add(told_of(capture), self._lines.add(line), number)
        if number in self._made:
            self._made[number] = capture

    def _capture_of(self, number: int) -> Capture:
        made = self._made.get(number)
        return (
            made if made is not None else self._parsed(self._lines.read(self._index.place(number)))
        )

    def _parsed(self, line: bytes, shared: Sharing | None = None) -> Capture:
        value = parse_json(line).value
        if BLOB_KEY in line:
            value = with_blobs(value, self.blobs.__getitem__)
        return Capture.read(value if shared is None else shared(value))
