"""What could be measured, as cards to pick from, and how the world of it is to be played.

The interview before a build: sources become captures, captures become cards; an operator picks one
and says how each dependency is played. Who said so, and through which door, stands in the files.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.idempotency import replayed
from benchmarks.artifacts.roots import Located
from benchmarks.errors import (
    Action,
    AlreadyExists,
    Complaint,
    InvalidArguments,
    NothingSelected,
)
from benchmarks.foundry.dag import execution_index
from benchmarks.intake.ingest import MAX_LOSS, Intake, IntakeOptions
from benchmarks.records import cures
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Notice
from benchmarks.records.caller import Caller
from benchmarks.records.capture import Capture
from benchmarks.records.direction import Dependencies, Directions
from benchmarks.records.home import LiveEndpoint
from benchmarks.records.intake import IntakeReport
from benchmarks.records.times import stamp
from benchmarks.services.answering import LIVE, Answer
from benchmarks.services.asking import build_options_of, signed
from benchmarks.services.carding import Cards, cards_of
from benchmarks.services.doctoring import nothing_found
from benchmarks.services.making import dropped_records, ledger_entry, sources_name
from benchmarks.services.passes import take_in
from benchmarks.services.standing import Standing, if_readable, newest_captures, read_standing
from benchmarks.services.writing import Ingested, put, put_table, write_ingested

NOTICE_CHARS = 240


def propose_directions(
    *,
    directory: BenchmarkDir,
    slug: str,
    source: Sequence[Path] = (),
    answer: Answer,
    max_loss: float = MAX_LOSS,
    redact: bool = True,
    home: Home | None = None,
    caller: Caller,
    now: datetime,
) -> JsonObject:
    """Propose cards from sources, or from the captures that are there; record what is answered.

    `max_loss` is the share of a source that may be lost before it is said, and `redact` whether
    secrets are taken out of it. An answer alone changes no card. A pick stands while its card is
    proposed again with its tools; an approved posture stands until somebody gives another. The
    place of live tools is remembered in `home` too: an executor calls no place that nobody approved
    on its machine.

    Raises:
        UnderstudyError: a source is missing, no capture is found, the answer names what is not
            there, a live posture lacks a person's word, or the directory was written to meanwhile.
    """
    answer.check()
    standing = read_standing(directory)
    sources = sorted(dict.fromkeys(source))
    options = IntakeOptions(now=now, max_loss=max_loss, redact=redact)
    _check_reading(options, sources)
    asked = {"sources": [str(path) for path in sources], **_reading(options), **answer.document()}
    keyed = [standing.directions] if standing.directions is not None else []
    if replayed(keyed, caller, asked) is not None:
        return {"ok": True, "replayed": True, **signed(caller), **_told(standing, slug)}
    work = _Proposing(standing, sources, options, answer, caller, now)
    directions = work.directions
    if caller.idempotency_key is not None:
        directions = directions.with_(**caller.block(asked))
    with directory.guard():
        standing.check_unmoved()
        work.write_captures()
        put(directory, layout.DEPENDENCIES, work.dependencies)
        put(directory, layout.DIRECTIONS, directions)
    if home is not None:
        home.approve_endpoints(*work.endpoints())
    told = _document(directory, slug, directions, work.dependencies, work.report)
    return {
        "ok": True,
        "replayed": False,
        **signed(caller),
        **told,
        "notices": [notice.dump() for notice in _notices(answer)],
    }


def read_directions(*, located: Located) -> JsonObject:
    """The cards, the pick and the postures as they stand; nothing is proposed."""
    directory = located.directory
    return _document(
        directory,
        located.slug,
        directory.load(layout.DIRECTIONS),
        directory.load(layout.DEPENDENCIES),
        if_readable(lambda: directory.load(layout.INTAKE_REPORT)),
    )


@dataclass(frozen=True)
class _Proposing:
    """One call: each step is computed once, when first asked for."""

    standing: Standing
    sources: Sequence[Path]
    options: IntakeOptions
    answer: Answer
    caller: Caller
    now: datetime

    @cached_property
    def intake(self) -> Intake | None:
        """What the sources hold; None where none is named.

        Raises:
            AlreadyExists: the directory has tasks: a build adds sources to it.
            NothingSelected: nothing is a capture.
        """
        if not self.sources:
            return None
        name, tasks = self.standing.directory.name, self.standing.tasks
        if tasks:
            raise AlreadyExists(
                f"{name} has {len(tasks)} tasks",
                hint="--rebuild of traces build-benchmark adds these sources to it",
                details={"tasks": len(tasks), "dir": str(self.standing.directory.path)},
            )
        intake = take_in(self.sources, directory=self.standing.directory, options=self.options)
        if not intake.captures:
            raise nothing_found(self.sources, intake)
        return intake

    @cached_property
    def captures(self) -> list[Capture]:
        """All captures: those that were there, then the new ones.

        Raises:
            NothingSelected: there are none.
        """
        fresh = self.intake.captures if self.intake else []
        known = {capture.capture_key for capture in self.standing.captures}
        new = [capture for capture in fresh if capture.capture_key not in known]
        found = newest_captures([*self.standing.captures, *new])
        if not found:
            raise NothingSelected(
                f"{self.standing.directory.name} holds no captures",
                hint="name a source: a file or a folder of captures",
            )
        return found

    @cached_property
    def cards(self) -> Cards:
        """The cards of today; those that stand where only an answer is given to them."""
        standing = self.standing
        told, known = standing.directions, standing.dependencies
        if told is not None and known is not None and self.answer.is_given and not self.sources:
            return Cards(told, known)
        named = standing.directions.source if standing.directions is not None else None
        source = sources_name(self.sources) if self.sources else named
        return cards_of(self.captures, standing, source=source, at=stamp(self.now))

    @cached_property
    def directions(self) -> Directions:
        """The cards with the pick."""
        return self.answer.picked_in(self.cards.directions, self.caller, stamp(self.now))

    @cached_property
    def dependencies(self) -> Dependencies:
        """The dependencies with the approved postures."""
        seed = build_options_of(self.standing.build, self.standing.benchmark).seed
        return self.answer.approved_in(
            self.cards.dependencies, self.caller, stamp(self.now), seed=seed
        )

    def endpoints(self) -> list[LiveEndpoint]:
        """The places of live tools that this answer approved."""
        at = stamp(self.now)
        return [
            LiveEndpoint(endpoint=one.endpoint, **signed(self.caller), at=at)
            for one in self.dependencies.dependencies
            if one.endpoint is not None and self.answer.postures.get(one.name) == LIVE
        ]

    @property
    def report(self) -> IntakeReport | None:
        """What was read and lost: now, or when the captures came in."""
        return self.intake.report if self.intake else self.standing.report

    def write_captures(self) -> None:
        """What the sources add: captures, their ledger, the report, and what made none."""
        if self.intake is None:
            return
        directory, at = self.standing.directory, stamp(self.now)
        ingested = Ingested(
            captures=self.intake.captures,
            ledger=[ledger_entry(capture, at) for capture in self.intake.captures],
            blobs=self.intake.blobs,
            report=self.intake.report,
        )
        write_ingested(directory, ingested)
        dropped = dropped_records(self.standing, self.intake)
        put_table(directory, layout.EXECUTION_INDEX, execution_index((), dropped))
        self.intake.forget()


def _reading(options: IntakeOptions) -> JsonObject:
    """How a source is read, as far as it is not read as always."""
    said: JsonObject = {}
    if options.max_loss != MAX_LOSS:
        said["max_loss"] = options.max_loss
    if not options.redact:
        said["redact"] = False
    return said


def _check_reading(options: IntakeOptions, sources: Sequence[Path]) -> None:
    """Refuse a word about reading where nothing is read: captures that are there were read before.

    Raises:
        InvalidArguments: there is such a word and no source.
    """
    said = _reading(options)
    if said and not sources:
        wrong = [
            Complaint(name, value, "says how a source is read") for name, value in said.items()
        ]
        raise InvalidArguments(
            "; ".join(f"{one.path}: {one.message}" for one in wrong),
            hint="name a source",
            errors=wrong,
        )


def _told(standing: Standing, slug: str) -> JsonObject:
    return _document(
        standing.directory, slug, standing.directions, standing.dependencies, standing.report
    )


def _document(
    directory: BenchmarkDir,
    slug: str,
    directions: Directions | None,
    dependencies: Dependencies | None,
    report: IntakeReport | None,
) -> JsonObject:
    """The answer of every door: cards without their lists of captures, and what to do next."""
    cards = directions.directions if directions is not None else []
    picked = directions.picked if directions is not None else None
    known = dependencies.dependencies if dependencies is not None else []
    return {
        "slug": slug,
        "dir": str(directory.path),
        "directions": [card.with_(conversations=None).dump() for card in cards],
        "picked": picked.dump() if picked is not None else None,
        "dependencies": [one.dump() for one in known],
        "note": directions.note if directions is not None else None,
        "warnings": _warnings(report),
        "next_actions": [_next(slug, directions, dependencies).document()],
    }


def _notices(answer: Answer) -> list[Notice]:
    live = [name for name, word in answer.postures.items() if word == LIVE]
    if not live:
        return []
    text = f"live: {', '.join(live)}; rollouts reach something real, and are compared with nothing"
    return [Notice(kind="override", text=text[:NOTICE_CHARS])]


def _warnings(report: IntakeReport | None) -> list[str]:
    if report is None or report.verdict == "pass":
        return []
    return [f"{report.loss:.1%} of the source was lost, the bar is {report.bar:.1%}"]


def _next(slug: str, directions: Directions | None, dependencies: Dependencies | None) -> Action:
    """What an operator is asked next: cards, a pick, postures, a build."""
    if directions is None or not directions.directions:
        return cures.propose_directions(slug)
    if directions.picked is None:
        return cures.pick_direction(slug, [card.direction_id for card in directions.directions])
    card = directions.picked_card
    waiting = (dependencies or Dependencies()).unapproved(card.needs if card is not None else None)
    if waiting:
        return cures.approve_postures(slug, {one.name: one.posture for one in waiting})
    return cures.read_status(slug)
