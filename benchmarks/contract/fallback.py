"""The smallest contract that can judge anything: ids that the answer says (spec/build.md 4.7)."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.contract.claims import CAP_CUT, doubt
from benchmarks.contract.plain_text import says
from benchmarks.contract.shapes import id_tokens
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Entry

FALLBACK = "fallback_minimal"
MAX_ANCHORS = 3


@dataclass(frozen=True, slots=True)
class Fallback:
    """The anchors of an answer, and the claims about what was left out."""

    entries: tuple[Entry, ...]
    claims: tuple[JsonObject, ...]


def fallback_anchors(prompt: str, final_text: str) -> Fallback:
    """Up to 3 ids that the final text brings, then up to 3 of the prompt that it repeats."""
    said = id_tokens(final_text)
    own = [token for token in said if not says(prompt, token)]
    repeated = [token for token in id_tokens(prompt) if says(final_text, token)]
    return Fallback(
        entries=(
            *(anchor(token, "answer") for token in own[:MAX_ANCHORS]),
            *(anchor(token, "prompt") for token in repeated[:MAX_ANCHORS]),
        ),
        claims=(*cut(own, "ids of the answer"), *cut(repeated, "ids of the prompt")),
    )


def anchor(token: str, kind: str) -> Entry:
    """The entry that the final text says an id."""
    return Entry(
        type="value_propagation",
        source={"kind": kind},
        value=token,
        as_="exact",
        must_reach={"kind": "final_response"},
        provenance={"kind": FALLBACK},
    )


def cut(tokens: Sequence[str], what: str) -> list[JsonObject]:
    """The claim that not all were kept, where that is so."""
    if len(tokens) <= MAX_ANCHORS:
        return []
    return [doubt(CAP_CUT, f"kept {MAX_ANCHORS} of {len(tokens)} {what}", "low")]
