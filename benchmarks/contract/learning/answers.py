"""What every success says, though nobody told it beforehand (spec/build.md 4.9, rule 4).

Figures, dates, times and ids count, and words of the results. A name must be said; of common words
any of several will do, for an answer can be put in other words. The fewer the successes, the more
of what they share is chance: then of several values any will do too.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from benchmarks.contract.asked import (
    QUANTITY_CUE,
    QUESTION_MARK,
    QUESTION_WORD,
    Said,
    facts_in,
)
from benchmarks.contract.plain_text import WORDS, folded
from benchmarks.contract.said import is_said
from benchmarks.records.contract import Entry

MAX_SAID = 12
FEW_FACTS = 3
"""So many shared facts are taken for the answer, however few the successes."""
SURE = 4
"""As many successes make each value that they share one to be said by itself."""
WORDS_A_GROUP = 6

TIME = re.compile(r"(?<![\w:.])\d{1,2}:\d{2}(?::\d{2})?(?![\w:])", re.ASCII)
CAPITALISED = re.compile(r"\b[^\W\d_a-z]\w*")
MIDST = re.compile(r"(?<!^)(?<![.!?:*\n-] )(?<![\n*\"'-])\b[^\W\d_a-z]\w*")
"""A capital where no sentence, entry or quotation begins."""
REPORT = re.compile(
    r"\b(?:tell|give|show) (?:me|us)\b|\blet (?:me|us) know\b"
    r"|\b(?:sag|sagen sie|nenne|nennen sie|zeig|zeige|gib|geben sie) (?:mir|uns)\b"
    r"|\b(?:dis|dites|donne|donnez|montre|montrez|indique|indiquez)[- ](?:moi|nous)\b"
    r"|\b(?:dime|dígame|muéstrame|indícame|diga-me|dimmi|mostrami|vertel me|laat me weten)\b"
    r"|告诉我|教えて|알려"
)
"""Beside the work that is to be done, the user wants to be told something."""


def wants_report(request: str) -> bool:
    """Whether a user asks to be told something, by a question or an order."""
    asked = folded(request)
    if REPORT.search(asked):
        return True
    cue = QUANTITY_CUE.search(asked) or QUESTION_WORD.search(asked)
    return bool(QUESTION_MARK.search(asked) and cue)


@dataclass(frozen=True)
class Answers:
    """The final texts of several successes, what they were given and what they looked up."""

    texts: tuple[str, ...]
    given: str
    """What users and the system said: repeating that says nothing."""
    results: str
    """What the accepted calls of the first success returned."""

    def entries(self) -> list[Entry]:
        """What has to be said: facts and names by themselves, of common words one in a group."""
        if not all(self.texts):
            return []
        facts, names = self.facts()[:MAX_SAID], self.names()
        chance = max(1, SURE + 1 - len(self.texts))
        by_facts = chance if len(facts) > FEW_FACTS else 1
        common = [word for word in self.words if word not in names][:MAX_SAID]
        whole = common[: len(common) // WORDS_A_GROUP * WORDS_A_GROUP]
        return [
            *self.grouped(facts, "facts", by_facts),
            *self.grouped(names[:MAX_SAID], "names", 1),
            *self.grouped(whole, "words", WORDS_A_GROUP),
        ]

    def facts(self) -> list[Said]:
        """Numbers wherever they come from, times, and the dates and ids of results."""
        first = self.texts[0]
        looked_up = (
            one
            for one in facts_in(first)
            if one.kind == "number" or is_said(self.results, one.value, one.kind)
        )
        times = (Said(time, "exact") for time in TIME.findall(first))
        return self.shared((*looked_up, *times))

    @cached_property
    def words(self) -> list[Said]:
        """The words of the results that all say, the rarest there first."""
        counts = Counter(WORDS.findall(folded(self.results)))
        said = (Said(word, "text") for word in WORDS.findall(folded(self.texts[0])))
        known = (one for one in said if counts[one.value] and not one.value.isdigit())
        return sorted(self.shared(known), key=lambda one: counts[one.value])

    def names(self) -> list[Said]:
        """Words with a capital wherever the results have them, and in the midst of every text."""
        small = {word for word in re.findall(r"\w+", self.results) if word[0].islower()}
        midst = [{folded(word) for word in MIDST.findall(text)} for text in self.texts]
        return [
            one
            for one in self.words
            if len(one.value) > 1
            and one.value not in small
            and all(one.value in words for words in midst)
        ]

    def shared(self, values: Iterable[Said]) -> list[Said]:
        """The values that every success says and nobody gave."""
        return [
            one
            for one in dict.fromkeys(values)
            if not is_said(self.given, one.value, one.kind)
            and all(is_said(text, one.value, one.kind) for text in self.texts)
        ]

    def grouped(self, values: Sequence[Said], name: str, size: int) -> Iterator[Entry]:
        """The entries of some values, of each `size` of them any one will do."""
        for place, one in enumerate(values):
            entry = said_entry(one)
            yield entry if size == 1 else entry.with_(any_of=f"{name} {place // size + 1}")


def said_entry(one: Said) -> Entry:
    """The entry that the final text must say a value."""
    return Entry(
        type="value_propagation",
        source={"kind": "tool_result"},
        value=one.value,
        as_=one.kind,
        must_reach={"kind": "final_response"},
        provenance={"kind": "trace", "note": "said_by_all"},
    )
