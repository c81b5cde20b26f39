from typing import Any

import pytest

from benchmarks.intake.detect import detect
from benchmarks.intake.not_captures import NOT_CAPTURES, name_of_other

SCORE = {"reward": 0.5, "feedback": "half right"}
VERDICT = {"metric_input": {"response": "r"}, "metric_output": 1}

EXAMPLES: list[tuple[str, Any]] = [
    ("a table of counts", {"captureDate": "d", "attributeSummary": {}}),
    ("a list of predictions", {"instance_id": "i", "model_patch": "diff"}),
    ("a list of predictions", {"org": "o", "repo": "r", "number": "4", "fix_patch": "diff"}),
    ("a list of predictions", {"i": {"instance_id": "i", "model_patch": "diff"}}),
    ("a terminal recording", {"version": 2, "width": 80, "height": 24}),
    ("a terminal recording", {"version": 3, "term": {"cols": 80, "rows": 24}}),
    ("a terminal recording", [0.25, "o", "$ ls\r\n"]),
    ("a chat-application export", {"title": "t", "mapping": {}, "current_node": "n"}),
    ("a chat-application export", {"uuid": "u", "name": "n", "chat_messages": []}),
    ("task definitions", {"id": "1", "user_scenario": {}, "evaluation_criteria": {}}),
    ("task definitions", {"problem_statement": "p", "base_commit": "c", "patch": "diff"}),
    ("task definitions", {"id": "q", "question": [], "function": []}),
    ("tool definitions", {"name": "n", "description": "d", "parameters": {}}),
    ("a JSON schema", {"$schema": "https://json-schema.org", "properties": {}}),
    ("a leaderboard", {"leaderboard": []}),
    ("a leaderboard", {"model_name": "m", "submission_date": "d", "results": {}}),
    ("a result table", {"metrics": {}, "model": "m"}),
    ("a result table", {"3": SCORE, "5": SCORE}),
    ("a result table", {"arm": {"3": SCORE}, "other": {"3": SCORE}}),
    ("a result table", {"helpful": [VERDICT, VERDICT]}),
    ("gold answers", {"id": "q", "ground_truth": ["a"]}),
    ("labelled examples", {"input": "i", "target": "t"}),
    ("labelled examples", {"question": "q", "answer": "a"}),
    ("lists of names", ["card_arrival", "card_linking"]),
    ("lists of names", {"train": ["1", "2"], "test": ["3"]}),
    ("a prompt history, without answers", {"session_id": "s", "text": "t", "ts": 1}),
    ("messages by span, as a parser read them", {"5b1c": {"input": {}, "output": {}}}),
    ("a test's expectations", {"description": "d", "events": [], "expected": {}}),
    ("records by id, a world's state", {"users": {"u": {"name": "N", "tasks": []}}}),
    ("a table of values by name", {"first": {"count": 3}, "second": {"count": 4}}),
    ("a page of a listing", {"products": [], "limit": 0, "skip": 0, "total": 9}),
]


@pytest.mark.parametrize(("name", "record"), EXAMPLES)
def test_what_is_no_capture_is_named(name: str, record: Any) -> None:
    assert name_of_other(record) == name


@pytest.mark.parametrize(("name", "record"), EXAMPLES)
def test_no_dialect_claims_what_is_no_capture(name: str, record: Any) -> None:
    assert detect(record) is None, name


def test_every_mark_has_an_example() -> None:
    assert {mark.name for mark in NOT_CAPTURES} == {name for name, _ in EXAMPLES}


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ({"b": 1, "a": 2}, "an object with a, b"),
        ({}, "an object with no key"),
        ({"k" * 90: 1}, f"an object with {'k' * 40}"),
        ({"3": {"reward": 1.0}, "note": "n"}, "an object with 3, note"),
        ({"instance_id": "i"}, "an object with instance_id"),
        ({"helpful": []}, "an object with helpful"),
        ([1], "a list"),
        ([0.1, "z", "text"], "a list"),
        ([0.1, ["o"], "text"], "a list"),
        ("text", "a bare value"),
        (None, "a bare value"),
    ],
)
def test_what_no_mark_knows_is_described_by_its_keys(record: Any, name: str) -> None:
    assert name_of_other(record) == name
