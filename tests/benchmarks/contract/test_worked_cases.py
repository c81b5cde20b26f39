"""The 54 worked cases of spec/build.md 5.3, by number."""

import json
from typing import Any

import pytest

from benchmarks.contract.compiling import compile_contract
from benchmarks.contract.declared import Declared
from benchmarks.contract.inferring import infer_arguments, infer_matcher
from benchmarks.contract.json_text import extract_json
from benchmarks.contract.matching import match_arguments, matches, no_results
from benchmarks.contract.mutating import effective_policy
from benchmarks.contract.observed import Observed
from benchmarks.records.vocabulary import Termination
from tests.benchmarks.contract.making import (
    POLICY,
    Talk,
    call,
    contract,
    effect,
    exact,
    judged,
    rejected,
    response,
    rollout,
    said_value,
    tool,
)

MISSING = object()
REASON = "The alert repeats each night and nothing depends on it, so it may wait until Monday."


def accepts(name: str, observed: Any, candidate: Any, schema: Any = None) -> bool:
    matcher = infer_matcher((name,), observed, Declared.of(schema))
    return matches(matcher, candidate is not MISSING, candidate)


@pytest.mark.parametrize(
    ("case", "name", "observed", "candidate", "met"),
    [
        (1, "amount", 25, 25.0, True),
        (1, "amount", 25, "25", True),
        (1, "amount", 25, "25.00", True),
        (1, "amount", 25, "25 USD", False),
        (2, "amount", 1250, "1250.0", True),
        (2, "amount", 1250, 1250.5, False),
        (2, "amount", 1250, "1,250", False),
        (3, "count", 11, 711, False),
        (3, "count", 11, 1, False),
        (3, "count", 11, "11", True),
        (4, "delta", 5, -5, False),
        (4, "delta", 5, "+5", True),
        (5, "delta", -5, "-5.0", True),
        (5, "delta", -5, 5, False),
        (6, "rate", "50%", 0.5, False),
        (6, "rate", "50%", "50%", True),
        (7, "zip", "02139", 2139, False),
        (7, "zip", "02139", "02139", True),
        (8, "state", "CA", "ca", False),
        (8, "state", "CA", MISSING, False),
        (8, "state", "CA", "CA", True),
        (9, "insurance", "no", "No", True),
        (9, "insurance", "no", "yes", False),
        (9, "insurance", "no", "", False),
        (10, "name", "Mia", " MIA", True),
        (10, "name", "Mia", "Mia Li", False),
        (11, "city", "caf\u00e9", "cafe\u0301", True),
        (11, "city", "caf\u00e9", "CAF\u00c9", True),
        (11, "city", "caf\u00e9", "cafe", False),
        (12, "street", "Straße", "STRASSE", True),
        (13, "place", "東京", "東京", True),
        (13, "place", "東京", "東京都", False),
        (13, "place", "東京", "大阪", False),
        (14, "company", "ＡＣＭＥ　Ｌｔｄ", "acme ltd", True),
        (15, "date", "2024-05-20", "2024-05-20T00:00:00Z", True),
        (15, "date", "2024-05-20", "2024-05-21", False),
        (15, "date", "2024-05-20", "05/20/2024", False),
        (16, "time", "2026-05-12T09:00:00Z", "2026-05-12T11:00:00+02:00", True),
        (17, "items", ["a", "b"], ["b", "a"], True),
        (17, "items", ["a", "b"], ["a"], False),
        (17, "items", ["a", "b"], ["a", "b", "b"], False),
        (18, "steps", ["a", "b"], ["b", "a"], False),
        (22, "flag", True, True, True),
        (22, "flag", True, "true", False),
        (22, "flag", True, 1, False),
        (23, "summary", "word " * 40, "another " * 12, True),
        (23, "summary", "word " * 40, "", False),
        (23, "summary", "word " * 40, MISSING, False),
        (24, "nested", {"pax": [{"first": "A", "dob": "d"}]}, {"pax": [{"first": "A"}]}, False),
        (26, "sizes", [1, 2], ["2", 1.0], True),
    ],
)
def test_an_argument_matches_by_its_inferred_matcher(
    case: int, name: str, observed: Any, candidate: Any, met: bool
) -> None:
    assert accepts(name, observed, candidate) is met, f"case {case}"


@pytest.mark.parametrize(
    ("candidate", "met"), [({"record_id": 7}, False), ({"n": 17}, False), ({"id": "7"}, True)]
)
def test_case_19_names_of_arguments_matter(candidate: dict[str, Any], met: bool) -> None:
    misses = match_arguments(infer_arguments({"id": 7}), candidate, no_results)
    assert (not misses) is met


@pytest.mark.parametrize(
    ("candidate", "met"),
    [
        ({"limit": None}, True),
        ({"dry_run": True}, False),
        ({"note": "a long sentence"}, True),
        ({"limit": 5}, False),
        ({"undeclared": 3}, True),
    ],
)
def test_case_20_a_declared_flag_or_number_left_out_stays_out(
    candidate: dict[str, Any], met: bool
) -> None:
    properties = {
        "q": {"type": "string"},
        "limit": {"type": "integer"},
        "dry_run": {"type": "boolean"},
        "note": {"type": "string"},
    }
    declared = Declared.of({"type": "object", "properties": properties})
    matchers = infer_arguments({"q": "x"}, declared)
    assert (not match_arguments(matchers, {"q": "x", **candidate}, no_results)) is met


@pytest.mark.parametrize(
    ("candidate", "met"), [({"currency": "USD"}, True), ({"currency": "EUR"}, False), ({}, True)]
)
def test_case_21_the_default_may_be_said(candidate: dict[str, Any], met: bool) -> None:
    properties = {"currency": {"type": "string", "default": "USD"}}
    declared = Declared.of({"type": "object", "properties": properties})
    matchers = infer_arguments({}, declared)
    assert (not match_arguments(matchers, candidate, no_results)) is met


@pytest.mark.parametrize(("given", "strict"), [("tkt-9f", 1), ("tkt-01", 0)])
def test_case_25_an_id_that_the_world_made_is_the_candidates_own(given: str, strict: int) -> None:
    ref = {"match": "ref", "entry": "o1", "path": "/id"}
    demand = contract(
        effect("create-ticket", "o1", title=exact("printer")),
        effect("close-ticket", "o2", ticket_id=ref),
    )
    observed = rollout(
        call("create-ticket", result='{"id": "tkt-9f"}', title="printer"),
        call("close-ticket", ticket_id=given),
    )
    assert judged(demand, observed).score.strict == strict


CLOSE = effect("close-ticket", ticket_id=exact("T-1"))
CLOSED = call("close-ticket", ticket_id="T-1")


def test_case_27_extra_reads_cost_nothing() -> None:
    reads = [call("get_order", order_id=str(number)) for number in range(3)]
    result = judged(contract(CLOSE), rollout(*reads, CLOSED)).score
    assert (result.strict, result.recall, result.precision) == (1, 1, 1)


def test_case_28_an_extra_write_fails() -> None:
    observed = rollout(CLOSED, call("send-email", to="kim"))
    result = judged(contract(CLOSE), observed).score
    assert (result.strict, result.recall, result.precision) == (0, 1, 0.5)
    assert result.unexpected_writes == 1


def test_case_29_a_rejected_write_is_no_write() -> None:
    assert judged(contract(CLOSE), rollout(CLOSED, rejected("send-email"))).score.strict == 1


def test_case_30_a_rejected_call_may_be_repeated() -> None:
    observed = rollout(rejected("close-ticket", ticket_id="T-1"), CLOSED)
    assert judged(contract(CLOSE), observed).score.strict == 1


def test_case_31_a_rejected_call_meets_nothing() -> None:
    result = judged(contract(CLOSE), rollout(rejected("close-ticket", ticket_id="T-1")))
    assert (result.score.strict, result.score.recall) == (0, 0)
    assert result.reasons == {"o1": "close-ticket was called and rejected"}


def test_case_32_a_missing_write_halves_recall() -> None:
    demand = contract(CLOSE, effect("send-email", "o2", to=exact("kim")))
    result = judged(demand, rollout(CLOSED)).score
    assert (result.strict, result.recall, result.precision) == (0, 0.5, 1)


def test_case_33_the_wrong_entity_meets_nothing() -> None:
    result = judged(contract(CLOSE), rollout(call("close-ticket", ticket_id="T-2")))
    assert (result.score.strict, result.score.recall, result.score.precision) == (0, 0, 0)
    assert result.reasons == {
        "o1": 'call 1 to close-ticket is nearest: ticket_id is "T-2", wanted "T-1"'
    }


@pytest.mark.parametrize(("count", "strict", "recall"), [(1, 0, 0.5), (2, 1, 1)])
def test_case_34_two_identical_creations_need_two_calls(
    count: int, strict: int, recall: float
) -> None:
    create = effect("create-ticket", title=exact("printer"))
    demand = contract(create, {**create, "id": "o2"})
    observed = rollout(*[call("create-ticket", title="printer")] * count)
    result = judged(demand, observed).score
    assert (result.strict, result.recall) == (strict, recall)


def test_case_35_a_repeated_setting_is_one_and_a_repeated_mail_is_two() -> None:
    status = effect("set-status", ticket_id=exact("T-1"), status=exact("open"))
    twice = [call("set-status", ticket_id="T-1", status="open")] * 2
    assert judged(contract(status), rollout(*twice)).score.strict == 1
    mail = contract(effect("send-email", to=exact("kim")))
    result = judged(mail, rollout(*[call("send-email", to="kim")] * 2)).score
    assert (result.strict, result.precision) == (0, 0.5)


def test_case_36_independent_writes_may_come_in_another_order() -> None:
    demand = contract(CLOSE, effect("send-email", "o2", to=exact("kim")))
    assert judged(demand, rollout(call("send-email", to="kim"), CLOSED)).score.strict == 1


PRIORITY = effect("set-priority", ticket_id=exact("T-1"), priority=exact("p1"))


def test_case_37_a_corrected_setting_counts_once() -> None:
    observed = rollout(
        call("set-priority", ticket_id="T-1", priority="p2"),
        call("set-priority", ticket_id="T-1", priority="p1"),
    )
    assert judged(contract(PRIORITY), observed).score.strict == 1


@pytest.mark.parametrize("with_schema", [True, False])
def test_case_38_an_amount_is_counted_each_time(with_schema: bool) -> None:
    first = {"ticket_id": "T-1", "priority": "p2", "amount": 5}
    second = {**first, "priority": "p1"}
    defined = [tool("set-priority", first)] if with_schema else []
    policy = effective_policy(None, defined, {"set-priority": [first, second]})
    demand = contract({**PRIORITY, "arguments": {**PRIORITY["arguments"], "amount": exact(5)}})
    observed = rollout(call("set-priority", **first), call("set-priority", **second))
    assert judged(demand, observed, policy).score.strict == 0


@pytest.mark.parametrize(
    ("observed", "strict"),
    [
        (rollout(said="Sorry, no."), 1),
        (rollout(CLOSED), 0),
        (rollout(rejected("close-ticket", ticket_id="T-1"), said="Sorry."), 1),
    ],
)
def test_case_39_no_state_change_forbids_accepted_writes(observed: Observed, strict: int) -> None:
    demand = contract({"id": "n1", "type": "no_state_change"})
    assert judged(demand, observed).score.strict == strict


ANSWERED = response("answered")


def test_case_40_the_step_limit_leaves_the_rollout_open() -> None:
    observed = rollout(CLOSED, said="", termination=Termination.MAX_TURNS)
    result = judged(contract(CLOSE, ANSWERED), observed)
    assert (result.score.strict, result.score.unmet) == (0, ["r1"])
    assert result.reasons == {"r1": "the rollout did not finish (max_turns)"}


def test_case_41_a_hand_off_and_a_user_who_stops_close_a_rollout() -> None:
    demand = contract(CLOSE, ANSWERED)
    handed = rollout(CLOSED, call("transfer_to_human_agents", summary="x"), said="")
    stopped = rollout(CLOSED, said="All done.")
    assert judged(demand, handed).score.strict == 1
    assert judged(demand, stopped).score.strict == 1


@pytest.mark.parametrize(
    ("case", "value", "text", "met"),
    [
        (42, 7, "7 bags in total.", True),
        (42, 7, "7.0", True),
        (42, 7, "17 bags", False),
        (42, 7, "5 bags", False),
        (42, 7, "2024-07-07", False),
        (42, 7, "seven", False),
        (43, 18240, "$18,240", True),
        (43, 18240, "18240.00", True),
        (43, 18240, "18,240.5", False),
        (44, -5, "5 below", False),
        (44, -5, "-5 °C", True),
        (44, -5, "\u22125", True),
        (44, -5, "3-5", False),
    ],
)
def test_a_number_is_said_by_value(case: int, value: int, text: str, met: bool) -> None:
    demand = contract(said_value(value, must_reach={"kind": "response"}))
    assert judged(demand, rollout(said=text)).score.strict == int(met), f"case {case}"


@pytest.mark.parametrize(
    ("text", "met"),
    [
        ("not spam", False),
        ("Spam.", True),
        ('```json\n{"label":"spam"}\n```', True),
        ("spam, ham, promo", False),
        ("Label: spam", True),
    ],
)
def test_case_45_a_label_is_parsed_never_searched(text: str, met: bool) -> None:
    entry = response("contains_category", expected="spam", labels=["spam", "ham", "promo"])
    assert judged(contract(entry), rollout(said=text)).score.strict == int(met)


@pytest.mark.parametrize("label", ["A", "no", "是"])
def test_case_46_short_labels_are_labels(label: str) -> None:
    entry = response("contains_category", expected=label, labels=["A", "B", "no", "是", "否"])
    assert judged(contract(entry), rollout(said=label)).score.strict == 1


@pytest.mark.parametrize(("text", "met"), [("card_arrival", True), ("card arrival delayed", False)])
def test_case_47_underscore_and_space_are_one(text: str, met: bool) -> None:
    entry = response("contains_category", expected="card arrival", labels=["card arrival", "lost"])
    assert judged(contract(entry), rollout(said=text)).score.strict == int(met)


@pytest.mark.parametrize(
    ("text", "met"),
    [
        ('{"reasoning": "other", "priority": "p3", "category": "noise"}', True),
        ('{"reasoning": "x", "priority": "p1", "category": "noise"}', False),
        ('{"reasoning": "x", "priority": "P3", "category": "noise"}', False),
        ('{"reasoning": "x", "priority": "p3", "category": "noise", "account_ref": 7}', False),
    ],
)
def test_case_48_a_json_answer_is_compared_leaf_by_leaf(text: str, met: bool) -> None:
    answer = {"category": "noise", "priority": "p3", "account_ref": None, "reasoning": REASON}
    demand = compile_contract(Talk().user("Sort it.").says(json.dumps(answer)).ends(), POLICY)
    assert judged(demand.contract, rollout(said=text)).score.strict == int(met)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("```json\n{oops\n```\n```json\n[1]\n```", [1]),
        ('```json\n{"a": \n```\nso it is {"b": 2}, I think', {"b": 2}),
        ('"just a string"', None),
    ],
)
def test_case_49_the_first_block_that_parses_is_the_json(text: str, value: Any) -> None:
    assert extract_json(text) == value


def test_case_50_a_forbidden_value_said_costs_everything() -> None:
    secret = {"id": "x1", "type": "forbidden_value", "value": "4111-1111"}
    observed = rollout(CLOSED, said="Your card is 4111-1111.")
    result = judged(contract(CLOSE, forbidden=[secret]), observed).score
    assert (result.strict, result.score, result.violated) == (0, 0, ["x1"])


def test_case_51_a_preserved_entity_written_costs_everything() -> None:
    kept = {"id": "p1", "type": "preserved", "entity": {"type": "ticket", "id": "T-1"}}
    result = judged(contract(CLOSE, preserved=[kept]), rollout(CLOSED)).score
    assert (result.strict, result.score, result.violated) == (0, 0, ["p1"])


def test_case_52_an_unknown_call_counts_for_nothing() -> None:
    result = judged(contract(CLOSE), rollout(call("bookings", what="all")))
    assert result.unclassified_calls == 1
    assert (result.score.unexpected_writes, result.score.precision) == (0, 0)


def test_case_53_an_empty_contract_is_unscored_never_zero() -> None:
    result = judged(contract(), rollout(CLOSED))
    assert result.problem == "empty_contract"
    assert result.score.dump() == {
        "judgeable": False,
        "strict": None,
        "score": None,
        "recall": None,
        "precision": None,
        "policy": None,
        "met": [],
        "unmet": [],
        "violated": [],
        "unexpected_writes": 0,
    }


def test_case_54_a_refusal_in_other_words_is_the_same_refusal() -> None:
    demand = contract({"id": "n1", "type": "no_state_change"}, ANSWERED)
    assert judged(demand, rollout(said="I'm afraid that is not possible.")).score.strict == 1
