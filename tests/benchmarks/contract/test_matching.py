"""Every accepts and refuses cell of spec/files.md 7.3, and what a mismatch says."""

from typing import Any

import pytest

from benchmarks.contract.matching import (
    Mismatch,
    match_arguments,
    matches,
    mismatch,
    no_results,
)

MISSING = object()


def fits(matcher: dict[str, Any], value: Any) -> bool:
    return matches(matcher, value is not MISSING, None if value is MISSING else value)


def m(kind: str, value: Any = None, **fields: Any) -> dict[str, Any]:
    return {"match": kind, "value": value, **fields}


DAY = "2026-05-12"
OBJECT = {"match": "object", "fields": {"id": m("number", 1)}}
SET = m("set", ["a", "b"], of="text")
LIST = m("list", ["a", "b"], of="text")


@pytest.mark.parametrize(
    ("matcher", "value"),
    [
        (m("exact", "A-7"), "A-7"),
        (m("exact", 7), "7"),
        (m("exact", "7"), 7),
        (m("exact", "7"), 7.0),
        (m("exact", 2.5), "2.5"),
        (m("exact", "caf\u00e9"), "cafe\u0301"),
        (m("exact", True), True),
        (m("exact", {"a": [1, 2.0]}), {"a": [1.0, 2]}),
        (m("exact", "USD", optional=True), MISSING),
        (m("exact", "USD", optional=True), None),
        (m("number", 25), 25),
        (m("number", 25), 25.0),
        (m("number", 25), "25"),
        (m("number", 25), "+25"),
        (m("number", 25), " 25.00 "),
        (m("number", "25"), 25),
        (m("number", -5), "\u22125"),
        (m("number", 0.1), "0.1"),
        (m("number", 1000), "1e3"),
        (m("number", 3), "٣"),
        (m("number", 9007199254740993), 9007199254740993),
        (m("number", 10, tolerance=0.5), 10.5),
        (m("text", "Kim  LEE"), "kim lee"),
        (m("text", "ß"), "SS"),
        (m("text", "7"), 7),
        (m("date", DAY), "2026-05-12T00:00:00"),
        (m("date", DAY), "2026-05-12T23:59:00+14:00"),
        (m("date", "2026-05-12T09:00:00Z"), "2026-05-12T11:00:00+02:00"),
        (m("date", "2026-05-12T09:00"), "2026-05-12 09:00:59"),
        (m("date", "2026-05-12T09:00:00", precision="day"), DAY),
        (SET, ["b", "a"]),
        (SET, "['b', 'a']"),
        (m("set", ["a"], of="text", contains=True), ["x", "a"]),
        (m("set", [1, 1], of="number"), ["1", 1.0]),
        (m("set", [], optional=True), MISSING),
        (m("set", [], optional=True), []),
        (LIST, ["a", "b"]),
        (LIST, '["a", "b"]'),
        (m("list", ["a", "b"], contains=True), ["x", "a", "y", "b"]),
        (OBJECT, {"id": 1, "x": 2}),
        (OBJECT, '{"id": 1}'),
        (m("prose", "Arrived broken."), "any sentence"),
        (m("prose", "Arrived broken."), "是"),
        ({"match": "one_of", "options": [m("exact", "a"), m("exact", "b")]}, "b"),
        ({"match": "one_of", "options": [m("exact", "a"), m("absent")]}, MISSING),
        ({"match": "any"}, MISSING),
        ({"match": "any"}, {"x": 1}),
        ({"match": "absent"}, MISSING),
        ({"match": "absent"}, None),
    ],
)
def test_a_matcher_accepts(matcher: dict[str, Any], value: Any) -> None:
    assert fits(matcher, value)


@pytest.mark.parametrize(
    ("matcher", "value"),
    [
        (m("exact", "A-7"), "a-7"),
        (m("exact", 7), "07"),
        (m("exact", "CA"), "CA "),
        (m("exact", "02139"), 2139),
        (m("exact", 25), "25.0"),
        (m("exact", True), 1),
        (m("exact", True), "true"),
        (m("exact", 1), True),
        (m("exact", {"a": 1}), {"a": 1, "b": 2}),
        (m("exact", "USD"), MISSING),
        (m("exact", "USD"), None),
        (m("exact", "USD", optional=True), "EUR"),
        (m("number", 25), 125),
        (m("number", 25), "-25"),
        (m("number", 25), "25 USD"),
        (m("number", 1250), "1,250"),
        (m("number", 1), True),
        (m("number", 25), "2_5"),
        (m("number", 25), ""),
        (m("number", 25), [25]),
        (m("number", 10, tolerance=0.5), 10.51),
        (m("number", 9007199254740993), 9007199254740992),
        (m("text", "Kim  LEE"), "kim"),
        (m("text", "Kim  LEE"), "kim lee jr"),
        (m("text", "true"), True),
        (m("text", "kim"), ["kim"]),
        (m("date", DAY), "2026-05-22"),
        (m("date", DAY), "12.05."),
        (m("date", DAY), 20260512),
        (m("date", "2026-05-12T09:00:00Z"), "2026-05-12T09:00:00+02:00"),
        (m("date", "2026-05-12T09:00"), DAY),
        (SET, ["a"]),
        (SET, ["a", "b", "b"]),
        (SET, "a, b"),
        (m("set", ["a"], of="text", contains=True), ["x"]),
        (LIST, ["b", "a"]),
        (LIST, ["a"]),
        (LIST, ["a", "b", "c"]),
        (LIST, "a"),
        (LIST, 7),
        (m("list", ["a", "b"], contains=True), ["b", "a"]),
        (OBJECT, {"x": 2}),
        (OBJECT, {"id": 2}),
        (OBJECT, [1]),
        (m("prose", "Arrived broken."), ""),
        (m("prose", "Arrived broken."), "  "),
        (m("prose", "Arrived broken."), "…!"),
        (m("prose", "Arrived broken."), None),
        (m("prose", "Arrived broken."), 7),
        ({"match": "one_of", "options": [m("exact", "a"), m("exact", "b")]}, "c"),
        ({"match": "one_of", "options": [m("exact", "a")]}, MISSING),
        ({"match": "absent"}, ""),
        ({"match": "absent"}, 0),
        ({"match": "regex", "value": "x"}, "x"),
        ({}, "x"),
    ],
)
def test_a_matcher_refuses(matcher: dict[str, Any], value: Any) -> None:
    assert not fits(matcher, value)


def test_a_huge_number_is_compared_and_shown() -> None:
    assert fits(m("number", 10**5000), 10**5000)
    miss = mismatch(m("number", 10**5000), True, 10**5000 + 1, no_results)
    assert str(miss) == f"is 1{'0' * 58}…, wanted 1{'0' * 58}…"


def test_elements_of_a_set_are_matched_one_to_one() -> None:
    either = {"match": "one_of", "options": [m("exact", "a"), m("exact", "b")]}
    matcher = {"match": "set", "items": [either, m("exact", "a")]}
    assert fits(matcher, ["a", "b"])
    assert not fits(matcher, ["b", "b"])


def test_a_large_set_is_matched() -> None:
    values = [f"id-{number}" for number in range(400)]
    assert fits(m("set", values, of="exact"), list(reversed(values)))


@pytest.mark.parametrize(
    ("path", "result", "value", "met"),
    [
        ("/id", '{"id": "tkt-1"}', "tkt-1", True),
        ("/id", {"id": "tkt-1"}, "tkt-1", True),
        ("/ticket/no", '{"ticket": {"no": 7}}', "7", True),
        ("/items/1", '{"items": ["a", "b"]}', "b", True),
        ("/id", '{"id": "tkt-1"}', "tkt-2", False),
        ("/id", '{"number": "tkt-1"}', "tkt-1", False),
        ("", "Created (tkt-1).", "tkt-1", True),
        ("", "OK: create accepted (tkt-1)", "tkt-1", True),
        ("", "Created (tkt-1).", "tkt", False),
        ("", "Created a ticket", "ticket", False),
        ("/id", "Created tkt-1", "tkt-1", False),
        ("", "tkt-1", "tkt-1", True),
    ],
)
def test_a_reference_is_what_the_rollouts_own_world_gave(
    path: str, result: Any, value: str, met: bool
) -> None:
    matcher = {"match": "ref", "entry": "o1", "path": path}
    made = {"o1": [result]}
    assert matches(matcher, True, value, lambda entry: made.get(entry, ())) is met


def test_a_reference_to_nothing_made_is_refused() -> None:
    assert not fits({"match": "ref", "entry": "o1", "path": "/id"}, "tkt-1")


def test_arguments_that_are_not_named_are_free() -> None:
    assert match_arguments({"a": m("exact", 1)}, {"a": 1, "b": 2}, no_results) == []


def test_arguments_that_did_not_parse_match_only_where_nothing_has_to_be_there() -> None:
    assert match_arguments({}, None, no_results) == []
    assert match_arguments({"a": {"match": "any"}}, None, no_results) == []
    assert match_arguments({"a": m("exact", 1)}, None, no_results) == [
        Mismatch("a", "is missing, wanted 1")
    ]


@pytest.mark.parametrize(
    ("matcher", "value", "say"),
    [
        (m("number", 25), 30, "is 30, wanted 25"),
        (m("text", "Mia"), "Ann", 'is "Ann", wanted "Mia"'),
        (m("absent"), "x", 'must be absent, is "x"'),
        (m("prose", "Broken."), None, "is missing, wanted some words"),
        (m("regex", "x"), "x", "has the unknown matcher 'regex'"),
        (SET, ["a"], 'lacks "b"'),
        (SET, ["a", "b", "c"], 'has "c" besides'),
        (LIST, ["a", "c"], '1 is "c", wanted "b"'),
        (OBJECT, {"id": 2}, "id is 2, wanted 1"),
        (m("exact", "x" * 100), "y", f'is "y", wanted "{"x" * 58}…'),
    ],
)
def test_a_mismatch_names_the_first_path_that_differs(
    matcher: dict[str, Any], value: Any, say: str
) -> None:
    assert str(mismatch(matcher, True, value, no_results)) == say
