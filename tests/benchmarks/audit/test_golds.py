"""What gives a task away: specific values and what the incumbent said, nothing common."""

from typing import Any

import pytest

from benchmarks.audit.golds import Form, Kind, contract_golds, form_of, golds_of, matcher_leaves
from benchmarks.records.contract import Contract, Entry
from benchmarks.records.environment import GoldTask
from benchmarks.records.task import Task


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("RF-88213", Form.TOKEN),
        ("A-1007", Form.TOKEN),
        ("A-107", None),
        ("mia@desk.example", Form.TOKEN),
        ("12345", Form.NUMBER),
        ("1234.5", Form.NUMBER),
        ("12500", None),
        ("4986", None),
        ("0.00012", None),
        ("2026-05-12", None),
        ("2026-05-12T10:00:00Z", None),
        ("basic_economy", None),
        ("30-day", None),
        ("15minutes", None),
        ("base64", None),
        ("sha-256", None),
        ("Arrived broken.", Form.TEXT),
        ("It is sent.", None),
        ("Zürich, 12 Uhr", Form.TEXT),
        ("", None),
    ],
)
def test_only_what_is_specific_is_looked_for(text: str, form: Form | None) -> None:
    assert form_of(text) is form


@pytest.mark.parametrize(
    ("matcher", "leaves"),
    [
        ({"match": "exact", "value": "A-1007"}, ["A-1007"]),
        ({"match": "number", "value": 12345}, [12345]),
        ({"match": "prose", "value": "Arrived broken."}, []),
        ({"match": "date", "value": "2026-05-12"}, []),
        ({"match": "ref", "entry": "o1", "path": "/id"}, []),
        ({"match": "any"}, []),
        ({"match": "set", "value": ["b", "a"], "of": "exact"}, ["a", "b"]),
        ({"match": "list", "value": ["2026-05-12"], "of": "date"}, []),
        ({"match": "list", "items": [{"match": "exact", "value": "x"}, {"match": "any"}]}, ["x"]),
        ({"match": "object", "fields": {"id": {"match": "exact", "value": 7}}}, [7]),
        (
            {"match": "one_of", "options": [{"match": "text", "value": "a"}, {"match": "absent"}]},
            ["a"],
        ),
    ],
)
def test_leaves_of_a_matcher_are_its_values_but_prose_and_dates(
    matcher: dict[str, Any], leaves: list[Any]
) -> None:
    assert sorted(matcher_leaves(matcher), key=str) == leaves


def contract(*required: dict[str, Any], forbidden: list[dict[str, Any]] | None = None) -> Contract:
    return Contract(
        status="operator",
        required=[Entry.read(one) for one in required],
        forbidden=[Entry.read(one) for one in forbidden or []],
    )


def test_every_part_of_a_contract_has_its_golds() -> None:
    found = contract_golds(
        contract(
            {
                "type": "state_effect",
                "tool": "issue_refund",
                "arguments": {"order_id": {"match": "exact", "value": "A-1007"}},
            },
            {"tool": "old_style", "observed_arguments": {"code": "ZX-99881"}},
            {"type": "value_propagation", "value": "RF-88213", "as": "exact"},
            {
                "type": "response_obligation",
                "kind": "value",
                "at": "answer",
                "matcher": {"match": "number", "value": 98765},
            },
            {
                "type": "response_obligation",
                "kind": "contains_category",
                "expected": "beneficiary_not_allowed",
            },
            {"type": "no_state_change"},
            forbidden=[{"type": "forbidden_value", "value": "4111-2222"}, {"tool": "x"}],
        )
    )
    assert [(one.kind, one.form, one.text) for one in found] == [
        (Kind.ARGUMENT, Form.TOKEN, "A-1007"),
        (Kind.ARGUMENT, Form.TOKEN, "ZX-99881"),
        (Kind.VALUE, Form.TOKEN, "RF-88213"),
        (Kind.ANSWER, Form.NUMBER, "98765"),
        (Kind.ANSWER, Form.TEXT, "beneficiary_not_allowed"),
        (Kind.FORBIDDEN, Form.TOKEN, "4111-2222"),
    ]


def test_what_the_incumbent_said_is_a_gold_and_its_last_word_is_told_apart() -> None:
    gold = GoldTask(
        task_id="t1",
        texts=["One moment.", "I look it up now.", "Your  kettle is refunded."],
        final_response="Your  kettle is refunded.",
    )
    task = Task(task_id="t1", outcome_contract=contract())
    assert [(one.kind, one.folded) for one in golds_of(task, gold)] == [
        (Kind.FINAL, "your kettle is refunded."),
        (Kind.TURN, "i look it up now."),
    ]
    assert golds_of(task, None) == []
