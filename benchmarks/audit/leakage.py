"""The leakage audit: whether a candidate can read the answer where it should have to work for it.

Tier 1 is verbatim and a finding, tier 2 is likeness and advice (spec/build.md 7.1). What the task
gives by itself is no leak, wherever else it stands; what is looked up is none where it is recorded.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from benchmarks.audit.exposed import incumbent_shown, post_state_rows
from benchmarks.audit.golds import NUMBER_DIGITS, Form, GoldValue, Kind, golds_of, is_telling
from benchmarks.audit.surfaces import (
    NAMES,
    WORD,
    Library,
    Shelf,
    Surface,
    four_grams,
    given,
    listed_values,
    numbers_of,
    shown_surfaces,
)
from benchmarks.audit.written import Subject, Written, subjects
from benchmarks.foundry.wording import EMAIL, specific_tokens
from benchmarks.records.build import LeakageAudit, LeakageFinding
from benchmarks.records.digest import canonical
from benchmarks.records.vocabulary import AuditStatus, LeakTier

EXCERPT = 160
LONG_WORDS = 8
CONTAINED = 0.5
FRACTION = re.compile(r"[\d.,:/%-]+")
"""A number, a share or a clock time: only its digits count."""
HEURISTIC = "whole texts, ids and numbers; shared runs of four words; no search by meaning"


def leakage_audit(written: Written, package_sha256: str | None = None) -> LeakageAudit:
    """Every leak of every task, on every surface that a candidate can reach.

    `package_sha256` is the package that was read: an audit of another one is out of date.
    """
    library = Library(written)
    found = subjects(written)
    findings = [one for subject in found for one in task_findings(subject, library)]
    counts = Counter(one.tier for one in findings)
    return LeakageAudit(
        status=status_of(counts),
        checked_tasks=len(found),
        findings=findings,
        tier_counts={tier.value: counts[tier] for tier in LeakTier},
        heuristic=HEURISTIC,
        surfaces=list(NAMES),
        package_sha256=package_sha256,
    )


def status_of(counts: Counter[LeakTier]) -> AuditStatus:
    """The word for an audit with these findings."""
    if counts[LeakTier.VERBATIM]:
        return AuditStatus.FINDINGS
    return AuditStatus.ADVISORY if counts.total() else AuditStatus.CLEAN


def task_findings(subject: Subject, library: Library) -> list[LeakageFinding]:
    """The leaks of one task, each place once for each thing that stands there."""
    case = Case(subject, library)
    found = [*shown_work(subject), *late_answers(subject), *verbatim(case), *alike(case)]
    return list({(one.location, one.kind, one.tier, one.excerpt): one for one in found}.values())


@dataclass(frozen=True)
class Case:
    """One task while it is audited: what would give it away, where, and what is no leak."""

    subject: Subject
    library: Library

    @cached_property
    def golds(self) -> list[GoldValue]:
        """What would give the task away."""
        return golds_of(self.subject.task, self.subject.gold)

    @cached_property
    def shelves(self) -> tuple[Shelf, Shelf]:
        """What is shown of the task, and what its tools say."""
        return (
            Shelf(tuple(shown_surfaces(self.subject))),
            self.library.offered(self.subject.task),
        )

    @cached_property
    def given(self) -> Surface:
        """What the task gives by itself."""
        return Surface("", given(self.subject))

    @cached_property
    def listed(self) -> frozenset[str]:
        """The values that its tools list."""
        return listed_values(self.subject.task.tool_definitions)

    @cached_property
    def answers(self) -> Surface:
        """What looking up gives."""
        return Surface("", self.library.answers(self.subject))

    def excuses(self, gold: GoldValue, place: Surface) -> bool:
        """Whether a gold is no leak at a place."""
        if holds(self.given, gold):
            return True
        if not gold.kind.is_speech and gold.folded in self.listed:
            return True
        if gold.kind is Kind.TURN and place.restates:
            return True
        return place.recorded and holds(self.answers, gold)


def shown_work(subject: Subject) -> Iterator[LeakageFinding]:
    """The incumbent's own turns in what is shown."""
    place, signal = Surface("candidate_prompt", ""), Signal("incumbent_turn")
    for one in incumbent_shown(subject):
        kind = "incumbent_call" if one.is_call else Kind.TURN
        yield finding(subject, place, kind, one.text, signal)


def late_answers(subject: Subject) -> Iterator[LeakageFinding]:
    """Fixture rows that show the state after a write."""
    for row in post_state_rows(subject):
        place = Surface(f"fixtures.json#{row.tool}", "")
        said = row.content if isinstance(row.content, str) else canonical(row.content).decode()
        yield finding(subject, place, "post_state", said, Signal("post_state"))


def verbatim(case: Case) -> Iterator[LeakageFinding]:
    """Golds that stand somewhere as they are and where that is a leak."""
    for gold in case.golds:
        for place in places(case.shelves, gold):
            if not case.excuses(gold, place):
                signal = Signal(gold.form)
                yield finding(case.subject, place, gold.kind, gold.text, signal)


def alike(case: Case) -> Iterator[LeakageFinding]:
    """Long golds that stand somewhere in other words, or whose ids do: advice, not proof."""
    for gold in case.golds:
        if gold.form is not Form.TEXT or len(WORD.findall(gold.folded)) < LONG_WORDS:
            continue
        grams, prints = four_grams(gold.folded), fingerprints(gold.folded)
        for shelf in case.shelves:
            if contained(grams, shelf.grams) >= CONTAINED:
                yield from reworded(case, gold, grams, shelf)
            if any(one in shelf.whole for one in prints):
                yield from betrayed(case, gold, prints, shelf)


def reworded(
    case: Case, gold: GoldValue, grams: frozenset[str], shelf: Shelf
) -> Iterator[LeakageFinding]:
    """Places that hold half of a gold's runs of four words, though not the whole."""
    if contained(grams, case.given.grams) >= CONTAINED:
        return
    for place in shelf.surfaces:
        if contained(grams, place.grams) < CONTAINED or gold.folded in place.text:
            continue
        if gold.kind is Kind.TURN and place.restates:
            continue
        alike = likeness(gold.folded, place.text)
        yield finding(case.subject, place, gold.kind, gold.text, Signal("four_grams", alike))


def betrayed(
    case: Case, gold: GoldValue, prints: Sequence[str], shelf: Shelf
) -> Iterator[LeakageFinding]:
    """Places that hold half of the ids, e-mails, dates and long numbers that only a gold has."""
    inputs = (case.given.text, case.answers.text)
    own = [one for one in prints if not any(has_token(text, one) for text in inputs)]
    for place in shelf.surfaces:
        present = [one for one in own if has_token(place.text, one)]
        if own and 2 * len(present) >= len(own) and gold.folded not in place.text:
            share = round(len(present) / len(own), 4)
            signal = Signal("fingerprints", share)
            yield finding(case.subject, place, gold.kind, ", ".join(present), signal)


@dataclass(frozen=True, slots=True)
class Signal:
    """How a leak was found; one without a similarity is verbatim."""

    name: str
    similarity: float | None = None


def finding(
    subject: Subject, place: Surface, kind: str, text: str, signal: Signal
) -> LeakageFinding:
    """One finding, its excerpt on one line."""
    fuzzy = signal.similarity is not None
    return LeakageFinding(
        task_id=subject.task.task_id,
        location=place.location,
        kind=str(kind),
        excerpt=" ".join(text.split())[:EXCERPT],
        tier=LeakTier.FUZZY if fuzzy else LeakTier.VERBATIM,
        similarity=signal.similarity if signal.similarity is not None else 1,
        signal=signal.name,
    )


def places(shelves: Iterable[Shelf], gold: GoldValue) -> Iterator[Surface]:
    """The surfaces on which a gold stands."""
    for shelf in shelves:
        if gold.form is Form.NUMBER:
            if gold.number not in shelf.numbers:
                continue
        elif gold.folded not in shelf.whole:
            continue
        yield from (place for place in shelf.surfaces if holds(place, gold))


def holds(place: Surface, gold: GoldValue) -> bool:
    """Whether a gold stands at a place."""
    if gold.form is Form.TEXT:
        return gold.folded in place.text
    if gold.form is Form.TOKEN:
        return has_token(place.text, gold.folded)
    return gold.number in numbers_of(place.text)


def has_token(text: str, token: str) -> bool:
    """Whether a token stands in a text with no letter, digit or `_` beside it."""
    at = text.find(token)
    while at >= 0:
        beside = text[max(at - 1, 0) : at] + text[at + len(token) : at + len(token) + 1]
        if not any(sign.isalnum() or sign == "_" for sign in beside):
            return True
        at = text.find(token, at + 1)
    return False


def fingerprints(folded: str) -> list[str]:
    """The ids, e-mails, dates and long numbers of a text, each once."""
    found = (token for token in specific_tokens(folded) if len(token) >= NUMBER_DIGITS)
    return [token for token in found if is_print(token)]


def is_print(token: str) -> bool:
    """Whether a token of five characters or more is specific to one case."""
    if not FRACTION.fullmatch(token):
        return EMAIL.fullmatch(token) is not None or is_telling(token)
    return sum(sign.isdigit() for sign in token) >= NUMBER_DIGITS


def contained(grams: frozenset[str], other: frozenset[str]) -> float:
    """The share of some runs of words that others hold."""
    return len(grams & other) / len(grams) if grams else 0.0


def likeness(one: str, other: str) -> float:
    """How well the shorter of two texts fits into the longer, from 0 to 1."""
    from rapidfuzz import fuzz  # noqa: PLC0415 - 100 ms

    return round(fuzz.partial_ratio(one, other) / 100, 4)
