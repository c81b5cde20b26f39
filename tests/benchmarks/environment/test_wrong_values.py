"""Wrong in one place, after its kind."""

from typing import Any

import pytest

from benchmarks.environment.wrong_values import wrong_arguments, wrong_text
from benchmarks.records.contract import Entry


@pytest.mark.parametrize(
    ("matcher", "value", "wrong"),
    [
        ({"match": "exact", "value": "A-7"}, "A-7", ["A-7 another"]),
        ({"match": "exact", "value": True}, True, [False]),
        ({"match": "exact", "value": 7}, 7, [1007]),
        ({"match": "number", "value": 25}, 25, [1025]),
        ({"match": "number", "value": 2.5}, 2.5, [1002.5]),
        ({"match": "number", "value": "25"}, "25", [1025]),
        ({"match": "text", "value": "late check-in"}, "late check-in", ["late check-in another"]),
        ({"match": "date", "value": "2026-05-12"}, "2026-05-12", ["1999-12-31"]),
        ({"match": "date", "value": "1999-12-31"}, "1999-12-31", ["1999-11-30"]),
        ({"match": "prose", "value": "a long word"}, "a long word", [""]),
        ({"match": "absent"}, None, ["another"]),
        ({"match": "ref", "entry": "o1", "path": ""}, "tkt-1", ["another"]),
        ({"match": "any"}, "x", []),
        ({"match": "set", "value": ["a", "b"], "of": "exact"}, ["a", "b"], [["a another", "b"]]),
        ({"match": "set", "value": [], "of": "exact", "optional": True}, [], [["another"]]),
        (
            {"match": "object", "fields": {"a": {"match": "exact", "value": 1}}},
            {"a": 1, "b": 2},
            [{"a": 1001, "b": 2}],
        ),
        ({"match": "one_of", "options": [{"match": "any"}]}, "x", []),
        ({"match": "number", "value": 1, "tolerance": 5000}, 1, []),
    ],
)
def test_value_is_changed_after_its_kind(matcher: Any, value: Any, wrong: list[Any]) -> None:
    assert list(wrong_arguments({"v": matcher}, {"v": value})) == [("v", one) for one in wrong]


@pytest.mark.parametrize(
    ("entry", "text", "wrong"),
    [
        ({"type": "value_propagation", "value": 7}, "7 bags", "1007"),
        ({"type": "value_propagation", "value": "RF-1"}, "RF-1", "another"),
        ({"type": "value_propagation", "value": "4", "as": "exact"}, "It is 4.", "another"),
        ({"type": "value_propagation", "value": "another"}, "another", "I am done."),
        (
            {"type": "value_propagation", "value": 7, "must_reach": {"kind": "tool_args"}},
            "",
            None,
        ),
        ({"kind": "answered"}, "x", None),
        ({"kind": "json_parses"}, "{}", "I am done."),
        ({"kind": "schema_valid"}, '{"a": 1}', "{}"),
        ({"kind": "contains_category", "expected": "spam", "labels": ["spam", "ham"]}, "", "ham"),
        ({"kind": "contains_category", "expected": "spam"}, "", "another thing"),
        (
            {"kind": "value", "at": "/a/b", "matcher": {"match": "number", "value": 1}},
            'So: {"a": {"b": 1, "c": "é"}}',
            '{"a": {"b": 1001, "c": "é"}}',
        ),
        (
            {"kind": "value", "at": "answer", "matcher": {"match": "number", "value": 18}},
            "#### 18",
            "1018",
        ),
        ({"kind": "value", "at": "/a", "matcher": {"match": "number", "value": 1}}, "none", None),
    ],
)
def test_words_are_wrong_where_they_are_judged(entry: Any, text: str, wrong: str | None) -> None:
    typed = {"type": "response_obligation", **entry}
    assert wrong_text(Entry.read(typed), text) == wrong
