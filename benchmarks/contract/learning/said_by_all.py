"""What every success says from the results of its calls (spec/build.md 4.9, rule 4)."""

from collections import Counter
from collections.abc import Sequence

from benchmarks.contract.asked import Said, facts_in
from benchmarks.contract.observed import Observed
from benchmarks.contract.plain_text import WORDS, folded
from benchmarks.contract.said import is_said
from benchmarks.contract.source_text import as_text
from benchmarks.records.contract import Entry

MAX_SAID = 12
LAST_TEXTS = 2


def said_by_all(seen: Sequence[Observed], given: str) -> list[Entry]:
    """An entry for each value that every success says at its end and a result of the first gave.

    `given` is what the users and the system said: repeating that says nothing.
    """
    last = ["\n".join(one.texts[-LAST_TEXTS:]) for one in seen]
    results = "\n".join(as_text(call.result) for call in seen[0].calls if call.accepted)
    counts = Counter(WORDS.findall(folded(results)))
    words = (Said(word, "text") for word in WORDS.findall(folded(last[0])) if not word.isdigit())
    found = [
        one
        for one in dict.fromkeys((*facts_in(last[0]), *words))
        if not is_said(given, one.value, one.kind)
        and all(is_said(text, one.value, one.kind) for text in (results, *last[1:]))
    ]
    found.sort(key=lambda one: counts[folded(str(one.value))])
    return [said_entry(one) for one in found[:MAX_SAID]]


def said_entry(one: Said) -> Entry:
    """The entry that a value must be said in some text of the rollout."""
    return Entry(
        type="value_propagation",
        source={"kind": "tool_result"},
        value=one.value,
        as_=one.kind,
        must_reach={"kind": "response"},
        provenance={"kind": "trace", "note": "said_by_all"},
    )
