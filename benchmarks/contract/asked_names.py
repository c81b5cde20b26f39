"""The name that an answer is about: what was chosen, found or recommended (spec/build.md 4.5)."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.contract.lexicon import words
from benchmarks.contract.observed import ObservedCall
from benchmarks.contract.plain_text import folded, says
from benchmarks.contract.source_text import as_text
from benchmarks.records.base import JsonObject

CHOICE = re.compile(
    r"\b(?:recommend\w*|suggest\w*|names?|empfehl\w*|empfiehl\w*|recommand\w*|recomi?end\w*"
    r"|consigli\w*|aanbevel\w*)\b|推荐|推薦|おすすめ|추천"
)
"""Asking for a choice; what a thing is called."""
WORD = re.compile(r"[^\W_][\w'’&-]*")
JOINTS = words("of the and de la le les du des der die das von van di da do el los del & y et und")
LABEL = re.compile(r"[*_]*[ \t]*[:：]")
BETWEEN = re.compile(r"[ \t]+")


def main_name(
    text: str, given: str, calls: Sequence[ObservedCall]
) -> tuple[str, JsonObject] | None:
    """The name of two words or more that a text says most, with the result that it comes from.

    Only names count that a result holds, and neither the user nor the system said; of several
    that are said as often, the first.
    """
    results = [(call, folded(as_text(call.result))) for call in calls if call.accepted]

    def source_of(name: str) -> ObservedCall | None:
        key = folded(name)
        held = (call for call, words in results if key in words and says(words, key))
        return next(held, None)

    counts: Counter[str] = Counter()
    for run in names_in(text):
        name = next((part for part in parts_of(run) if source_of(part)), None)
        if name is not None and not says(given, name):
            counts[name] += 1
    if not counts:
        return None
    name = max(counts, key=lambda one: counts[one])
    source = source_of(name)
    return name, {"kind": "tool_result", "call_id": source.call_id if source else None}


def names_in(text: str) -> Iterator[list[str]]:
    """The runs of capitalised words of a text, small words between them; a label is none."""
    run: list[str] = []
    end = 0
    for match in WORD.finditer(text):
        word = match[0]
        is_next = bool(run) and BETWEEN.fullmatch(text, end, match.start()) is not None
        if word[0].isupper() or (is_next and word.casefold() in JOINTS):
            run, ended = ([*run, word], None) if is_next else ([word], run)
        else:
            run, ended = [], run
        if ended and not LABEL.match(text, end):
            yield ended
        end = match.end()
    if run and not LABEL.match(text, end):
        yield run


def parts_of(run: Sequence[str]) -> Iterator[str]:
    """A run as a name, then without the words it begins or ends with, two words at least."""
    for size in range(len(run), 1, -1):
        for start in range(len(run) - size + 1):
            part = run[start : start + size]
            if part[0][0].isupper() and part[-1][0].isupper():
                yield " ".join(part)
