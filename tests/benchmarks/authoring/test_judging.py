"""Each grounding rule of spec/build.md 10.1, broken once, and the words that say so."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.authoring.evidence import Evidence, KnownRollout
from benchmarks.authoring.judging import Verdict, judge_reply
from benchmarks.authoring.merge import Authorship
from benchmarks.contract.observed import Observed

BY = Authorship("m1", "2026-11-02T09:50:00.000Z")
Good = Callable[..., dict[str, Any]]


def judged(reply: Any, evidence: Evidence) -> Verdict:
    return judge_reply(reply if isinstance(reply, str) else json.dumps(reply), evidence, BY)


def effect(**changes: Any) -> dict[str, Any]:
    arguments = {"order_id": "A-1001", "amount": 25}
    entry = {"type": "state_effect", "tool": "issue_refund", "arguments_semantic": arguments}
    return {**entry, **changes}


def value(said: Any, **changes: Any) -> dict[str, Any]:
    return {
        "type": "value_propagation",
        "value": said,
        "source": {"kind": "tool_result"},
        "must_reach": {"kind": "final_response"},
        **changes,
    }


def test_a_careful_reply_is_verified_and_adds_what_the_contract_lacked(
    refund: Evidence, good: Good
) -> None:
    verdict = judged(good(refund), refund)
    assert verdict.violations == ()
    assert verdict.contract is not None
    *kept, added = verdict.contract.required
    assert kept == refund.task.outcome_contract.required
    assert added.dump() == {
        "id": "o3",
        "type": "read_obligation",
        "tool": "get_order",
        "arguments": {"order_id": {"match": "exact", "value": "A-1001"}},
        "provenance": {
            "kind": "authored",
            "proposed_by": "m1",
            "grounded": True,
            "authored_at": "2026-11-02T09:50:00.000Z",
            "call_id": "a1",
        },
    }


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("I would refund it.", "rule 1: the reply holds no JSON object"),
        ('{"statement": "cut off', "rule 1: the reply holds no JSON object"),
        ("[1, 2]", "rule 1: the reply holds no JSON object"),
    ],
)
def test_rule_1_a_reply_that_is_no_object(reply: str, words: str, refund: Evidence) -> None:
    assert judged(reply, refund).violations == (words,)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"statement": ""}, "statement is missing or no text"),
        (
            {"statement": "x" * 1201},
            "statement has 1201 characters, at most 1200 are allowed",
        ),
        ({"success_criteria": []}, "success_criteria has 0 entries, 1 to 8 are allowed"),
        ({"success_criteria": ["x"] * 9}, "success_criteria has 9 entries, 1 to 8 are allowed"),
        ({"difficulty": "trivial"}, "difficulty 'trivial' is not one of easy, medium, hard"),
        ({"confidence": None}, "confidence None is not one of high, medium, low"),
        ({"category_proposal": {"id": "x"}}, "category_proposal needs an id and a name"),
        ({"ambiguities": "none"}, "ambiguities is no list of texts"),
        ({"contract": {"required": "all"}}, "contract.required is no list"),
        (
            {"contract": {"required": [{"type": "be_kind"}]}},
            "contract.required[0].type: unknown type 'be_kind'; known: no_state_change, "
            "read_obligation, response_obligation, state_effect, value_propagation",
        ),
        (
            {"contract": {"required": [effect(optional=True)]}},
            "contract.required[0]: optional would loosen the contract: entries are only added",
        ),
        (
            {"contract": {"required": [effect(arguments={"amount": {"match": "about"}})]}},
            "contract.required[0].arguments.amount.match: unknown matcher 'about'; known: absent, "
            "any, date, exact, list, number, object, one_of, prose, ref, set, text",
        ),
        (
            {"contract": {"required": [{"type": "state_effect", "tool": 7}]}},
            "contract.required[0]: tool: Input should be a valid string",
        ),
    ],
)
def test_rule_1_each_part_is_checked(
    changes: dict[str, Any], words: str, refund: Evidence, good: Good
) -> None:
    assert judged(good(refund, **changes), refund).violations == (f"rule 1: {words}",)


def test_rule_1_lists_all_that_is_wrong_at_once(refund: Evidence, good: Good) -> None:
    said = judged(good(refund, statement=3, difficulty="?", confidence="sure"), refund)
    assert len(said.violations) == 3


@pytest.mark.parametrize(
    ("added", "words"),
    [
        (
            effect(tool="close_account"),
            "required[1] names close_account, to which no accepted call was made",
        ),
        (
            {"type": "read_obligation", "tool": "get_order",
             "arguments_semantic": {"order_id": "A-1002"}},
            "required[1] is met by no accepted call: call 1 to get_order is nearest:"
            ' order_id is "A-1001", wanted "A-1002"',
        ),
        (
            {"type": "read_obligation", "tool": "get_order", "call_id": "a9"},
            'required[1] cites call "a9", which was never made',
        ),
    ],
)  # fmt: skip
def test_rule_2_an_entry_about_a_call_that_was_never_made(
    added: dict[str, Any], words: str, refund: Evidence, good: Good
) -> None:
    said = judged(good(refund, contract={"required": [effect(), added]}), refund)
    assert said.violations == (f"rule 2: {words}",)


def test_rule_3_an_effect_that_is_left_out(refund: Evidence, good: Good) -> None:
    said = judged(good(refund, contract={"required": []}), refund)
    assert said.violations == (
        "rule 3: the compiled state_effect o1 (issue_refund) is not covered",
    )


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (
            value("RF-9", must_reach={"kind": "response"}),
            (
                'required[1]: "RF-9" does not stand in any tool result',
                'required[1]: "RF-9" stands in no text (response)',
            ),
        ),
        (
            value("RF-1"),
            ('required[1]: "RF-1" does not stand in the final text (final_response)',),
        ),
        (
            value("toaster", source={"kind": "tool_result", "call_id": "b1"}),
            ('required[1]: "toaster" does not stand in the result of b1',),
        ),
        (
            value("toaster", source={"kind": "answer"}),
            ('required[1]: source.kind "answer" is neither prompt nor tool_result',),
        ),
        (
            value("toaster", must_reach={"kind": "tool_args", "tool": "issue_refund"}),
            ('required[1]: "toaster" stands in no argument (tool_args)',),
        ),
    ],
)
def test_rule_4_a_value_without_source_or_reach(
    entry: dict[str, Any], words: tuple[str, ...], refund: Evidence, good: Good
) -> None:
    said = judged(good(refund, contract={"required": [effect(), entry]}), refund)
    assert said.violations == tuple(f"rule 4: {each}" for each in words)


def test_rule_4_a_value_that_stands_and_reaches_is_added(refund: Evidence, good: Good) -> None:
    entry = value("toaster", source={"kind": "prompt"})
    verdict = judged(good(refund, contract={"required": [effect(), entry]}), refund)
    assert verdict.violations == ()
    assert verdict.contract is not None
    assert verdict.contract.required[-1].value == "toaster"


def test_rule_4_a_value_that_the_contract_has_already_needs_no_source(
    refund: Evidence, good: Good
) -> None:
    entry = value("refunded", source={"kind": "answer"})
    required = [*refund.task.outcome_contract.dump()["required"], {**entry, "id": "o9"}]
    contract = refund.task.outcome_contract.with_(required=required)
    known = replace(refund, task=refund.task.with_(outcome_contract=contract))
    said = judged(good(refund, contract={"required": [effect(), entry]}), known)
    assert said.violations == ()
    assert said.contract == known.task.outcome_contract


def test_rule_5_a_response_that_is_not_the_captured_one(look_up: Evidence, good: Good) -> None:
    entry = {"type": "response_obligation", "kind": "json_parses"}
    changed = {"type": "response_obligation", "kind": "value", "at": "text",
               "matcher": {"match": "text", "value": "No."}}  # fmt: skip
    said = judged(good(look_up, contract={"required": [entry, changed]}), look_up)
    assert said.violations == (
        "rule 5: required[0] is not true of the captured answer: the answer holds no JSON",
        "rule 5: required[1] is not true of the captured answer: the text is"
        ' "Yes, it is on its way.", wanted "No."',
    )


def test_rule_5_nothing_changed_where_something_was(refund: Evidence, good: Good) -> None:
    said = judged(
        good(refund, contract={"required": [effect(), {"type": "no_state_change"}]}), refund
    )
    assert said.violations == (
        "rule 5: required[1] is not true of the captured answer: call 2 to issue_refund changed"
        " something",
    )


@pytest.mark.parametrize(
    ("contract", "words"),
    [
        (
            {"forbidden": [{"type": "forbidden_value", "value": "Z-9"}]},
            'forbidden[0]: "Z-9" stands in no input and no result',
        ),
        (
            {"forbidden": [{"type": "forbidden_value", "value": "toaster"}]},
            'forbidden[0]: the incumbent did it: "toaster" was said',
        ),
        (
            {"forbidden": [{"type": "forbidden_value", "value": "A-1001",
                            "where": "final_response"}]},
            'forbidden[0]: the incumbent did it: "A-1001" stands in call 1 to get_order',
        ),
        (
            {"forbidden": [{"type": "forbidden", "tool": "issue_refund"}]},
            "forbidden[0]: the incumbent did it: call 2 to issue_refund is forbidden",
        ),
        (
            {"forbidden": [{"type": "forbidden", "tool": "delete_shop"}]},
            "forbidden[0]: delete_shop was never offered",
        ),
        (
            {"preserved": [{"type": "preserved", "entity": {"type": "order", "id": "A-1001"}}]},
            "preserved[0]: the incumbent did not preserve it: call 2 to issue_refund touched it",
        ),
        (
            {"preserved": [{"type": "preserved", "entity": {"type": "order", "id": "Q-77"}}]},
            'preserved[0]: "Q-77" stands in no input and no result',
        ),
    ],
)  # fmt: skip
def test_rule_6_what_is_forbidden_was_there_and_never_done(
    contract: dict[str, Any], words: str, refund: Evidence, good: Good
) -> None:
    said = judged(good(refund, contract=contract), refund)
    assert said.violations == (f"rule 6: {words}",)


def test_rule_6_a_value_that_was_there_and_never_said_is_added(
    refund: Evidence, good: Good
) -> None:
    entry = {"type": "forbidden_value", "value": "RF-1", "reason": "an inner number"}
    verdict = judged(good(refund, contract={"forbidden": [entry]}), refund)
    assert verdict.violations == ()
    assert verdict.contract is not None
    assert [one.id for one in verdict.contract.forbidden] == ["x1"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"statement": "Say: Your toaster is refunded."},
            'statement gives away "Your toaster is refunded." (final response)',
        ),
        (
            {"intent_summary": "Your toaster is refunded."},
            'intent_summary gives away "Your toaster is refunded." (final response)',
        ),
    ],
)
def test_rule_7_words_that_give_the_answer_away(
    changes: dict[str, Any], words: str, refund: Evidence, good: Good
) -> None:
    assert judged(good(refund, **changes), refund).violations == (f"rule 7: {words}",)


def test_rule_7_what_the_user_says_himself_is_no_secret(refund: Evidence, good: Good) -> None:
    assert judged(good(refund, statement="Refund order A-1001."), refund).violations == ()


def test_rule_8_two_effects_for_one_call_fail_the_oracle(refund: Evidence, good: Good) -> None:
    twice = [effect(), effect(arguments={"amount": {"match": "number", "value": 25}})]
    said = judged(good(refund, contract={"required": twice}), refund)
    assert said.violations == (
        "rule 8: the oracle fails the merged contract (o3: each call to issue_refund fills"
        " another entry)",
    )


def test_rule_8_a_fixture_that_must_pass_still_passes(refund: Evidence, good: Good) -> None:
    words = replace(refund.observed, calls=refund.observed.calls[1:])
    kept = replace(refund, known=[KnownRollout("fx-1", must_pass=True, observed=words)])
    said = judged(good(kept), kept)
    assert said.violations == ("rule 8: the fixture fx-1 must pass and fails the merged contract",)


def test_rule_8_a_fixture_that_must_fail_still_fails(refund: Evidence, good: Good) -> None:
    same = replace(refund, known=[KnownRollout("fx-2", must_pass=False, observed=refund.observed)])
    said = judged(good(same), same)
    assert said.violations == ("rule 8: the fixture fx-2 must fail and passes the merged contract",)
    other = [KnownRollout("fx-3", must_pass=False, observed=Observed())]
    assert judged(good(refund), replace(refund, known=other)).violations == ()
