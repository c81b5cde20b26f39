"""Where two rollouts of one task part: in the tools they call, and in what they say to them."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from benchmarks.records.base import JsonObject
from benchmarks.records.digest import canonical
from benchmarks.records.trajectory import Call


def tool_sequence(a: Sequence[Call], b: Sequence[Call]) -> JsonObject:
    """The first call at which two rollouts differ, and what each did from there.

    `common_prefix` counts the calls whose tools agree; `diverges_at` is None when all do.
    """
    agreeing = common_prefix([call.tool for call in a], [call.tool for call in b])
    diverges_at = agreeing if agreeing < max(len(a), len(b)) else None
    arguments_at = next(
        (place for place in range(agreeing) if _arguments(a[place]) != _arguments(b[place])), None
    )
    start = diverges_at if diverges_at is not None else arguments_at
    return {
        "diverges_at": diverges_at,
        "arguments_diverge_at": arguments_at,
        "common_prefix": agreeing,
        "a_from_divergence": [] if start is None else _told(a[start:]),
        "b_from_divergence": [] if start is None else _told(b[start:]),
    }


def common_prefix(a: Iterable[object], b: Iterable[object]) -> int:
    """How many leading items two sequences share."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def obligations_side_by_side(a: Sequence[JsonObject], b: Sequence[JsonObject]) -> list[JsonObject]:
    """Each obligation with what either rollout made of it; those of one contract only, too."""
    other = {mark["id"]: mark for mark in b}
    own = {mark["id"]: mark for mark in a}
    return [
        {
            "id": name,
            "label": (own.get(name) or other[name])["label"],
            "kind": (own.get(name) or other[name])["kind"],
            "a": _met(own.get(name)),
            "b": _met(other.get(name)),
            "same": _met(own.get(name)).get("met") == _met(other.get(name)).get("met"),
        }
        for name in dict.fromkeys([*own, *other])
    ]


def _met(mark: JsonObject | None) -> JsonObject:
    if mark is None:
        return {"met": None, "met_at": None}
    return {"met": mark["met"], "met_at": mark["met_at"]}


def _arguments(call: Call) -> object:
    if call.arguments is not None:
        return canonical(call.arguments)
    return call.arguments_raw


def _told(calls: Iterable[Call]) -> list[JsonObject]:
    return [
        {
            "index": call.index,
            "tool": call.tool,
            "arguments": call.arguments if call.arguments is not None else call.arguments_raw,
            "status": call.status,
        }
        for call in calls
    ]
