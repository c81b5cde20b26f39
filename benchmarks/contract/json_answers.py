"""Obligations of an answer that is JSON (spec/build.md 4.6)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.claims import CAP_CUT, doubt
from benchmarks.contract.inferring import Path, infer_matcher
from benchmarks.contract.json_text import pointer_to, whole_json
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Entry

MAX_KEYS = 16
MAX_LEAVES = 12
MAX_DEPTH = 2


@dataclass(frozen=True, slots=True)
class JsonAnswer:
    """The entries for a JSON answer, and the claims about what was left out."""

    entries: tuple[Entry, ...] = ()
    claims: tuple[JsonObject, ...] = ()


def json_answer(final_text: str) -> JsonAnswer:
    """The entries for a final text that is an object or array, whole or fenced."""
    value = whole_json(final_text)
    if value is None:
        return JsonAnswer()
    parses = Entry(type="response_obligation", kind="json_parses", provenance={"kind": "trace"})
    if not isinstance(value, dict):
        return JsonAnswer((parses,))
    keys = [key for key, inner in value.items() if inner is not None]
    valued = [entry for path, leaf in leaves(value, ()) if (entry := leaf_entry(path, leaf))]
    shape = Entry(
        type="response_obligation",
        kind="schema_valid",
        expected_keys=keys[:MAX_KEYS],
        provenance={"kind": "trace"},
    )
    claims = [
        *cut_claim("keys", len(keys), MAX_KEYS),
        *cut_claim("leaves", len(valued), MAX_LEAVES),
    ]
    return JsonAnswer((parses, shape, *valued[:MAX_LEAVES]), tuple(claims))


def leaves(value: dict[str, Any], path: Path) -> Iterator[tuple[Path, Any]]:
    """The leaves of an object down to depth 2, in key order; an array is one leaf."""
    for key in sorted(value):
        inner, here = value[key], (*path, key)
        if isinstance(inner, dict):
            if len(here) < MAX_DEPTH:
                yield from leaves(inner, here)
        else:
            yield here, inner


def leaf_entry(path: Path, leaf: Any) -> Entry | None:
    """The entry of one leaf; prose is covered by the shape."""
    matcher = infer_matcher(path, leaf)
    if matcher["match"] == "prose":
        return None
    return Entry(
        type="response_obligation",
        kind="value",
        at=pointer_to(path),
        matcher=matcher,
        provenance={"kind": "trace"},
    )


def cut_claim(what: str, count: int, limit: int) -> list[JsonObject]:
    """The claim that not all were kept, where that is so."""
    if count <= limit:
        return []
    return [doubt(CAP_CUT, f"kept {limit} of {count} {what} of the answer", "medium")]
