"""What the test of a verifier comes to: figures, findings, verdicts."""

import pickle

import pytest

from benchmarks.contract.mutants.operators import FAULTS, HARMLESS, MOST_FAULTS, MOST_HARMLESS
from benchmarks.contract.mutants.subject import Example
from benchmarks.contract.mutants.verifying import verify_task
from benchmarks.records.verifier import VerifierReport
from tests.benchmarks.contract.making import call, contract, effect, exact, rollout, said_value
from tests.benchmarks.contract.mutants.probing import ANSWERED, offered, subject

NUMBER = {"match": "number", "value": 25}
REFUND = effect("issue_refund", order_id=exact("A-7"), amount=NUMBER)
LOOKED = call("get_order", order_id="A-7")
RIGHT = rollout(LOOKED, call("issue_refund", order_id="A-7", amount=25))
WRONG = rollout(LOOKED, call("issue_refund", order_id="A-7", amount=30))
TOOLS = offered("issue_refund", "get_order", "cancel_order")
SEEN = {"order_id": ["A-7", "B-8"]}
TIGHT = contract(REFUND, ANSWERED)


def task(demand=TIGHT, *rollouts, fails=(), **more):
    examples = tuple(Example(f"fx-f{n}", one, name=f"trial {n}") for n, one in enumerate(fails))
    return subject(
        demand, *(rollouts or (RIGHT,)), tools=TOOLS, values=SEEN, fails=examples, **more
    )


def test_a_tight_verifier_is_tested():
    row = verify_task(task(fails=[WRONG]), 7).row
    assert (row.verdict, row.why, row.valid_pass, row.wrong_fail) == ("tested", None, True, True)
    assert row.mutation_score == 1
    assert row.fixtures.dump() == {"pass": 1, "pass_accepted": 1, "fail": 1, "fail_rejected": 1}
    assert row.mutants.dump() == {"made": 14, "rejected": 14, "equivalent": 0, "broken": 0}
    assert row.harmless.dump() == {"made": 12, "accepted": 12}
    assert row.survivors == []
    assert (row.refused, row.set_aside) == (None, None)
    assert {name: one.dump() for name, one in row.by_obligation.items()} == {
        "o1": {"made": 11, "rejected": 11, "killed": True},
        "a1": {"made": 1, "rejected": 1, "killed": True},
    }
    assert {name: one.made for name, one in row.by_operator.items()} == {
        "drop_write": 1, "drop_reply": 1, "wrong_entity": 1, "wrong_number": 5, "wrong_key": 2,
        "extra_write": 1, "duplicate_write": 1, "reject_write": 1, "refuse": 1,
    }  # fmt: skip


def test_the_same_task_and_seed_give_the_same_bytes_in_any_process():
    there = pickle.loads(pickle.dumps(task()))
    first, second = verify_task(task(), 7), verify_task(there, 7)
    assert first.row.dump() == second.row.dump()
    stamp = {"created_at": "2026-11-02T10:00:00.000Z", "actor": "os:ci", "every": True}
    assert [one.dump() for one in first.fixtures(**stamp)] == [
        one.dump() for one in second.fixtures(**stamp)
    ]
    assert len({one.fixture_id for one in first.mutants}) == len(first.mutants) == 26


def test_a_captured_failure_that_passes_is_the_first_thing_a_reviewer_sees():
    any_amount = effect("issue_refund", order_id=exact("A-7"), amount={"match": "any"})
    weak = contract(any_amount, ANSWERED)
    authored = Example("fx-a", WRONG, "authored", "by hand")
    found = task(weak, fails=[WRONG])
    found = subject(weak, RIGHT, tools=TOOLS, values=SEEN, fails=(authored, *found.fails))
    row = verify_task(found, 7).row
    assert [(one.operator, one.fixture_id, one.say) for one in row.survivors[:2]] == [
        ("captured", "fx-f0", "trial 0 failed, and the verifier passes it"),
        ("authored", "fx-a", "by hand failed, and the verifier passes it"),
    ]
    assert row.verdict == "weak"
    assert row.why == ["2 of 2 wrong rollouts passed"]
    assert (row.wrong_fail, row.fixtures.fail_rejected) == (False, 0)


def test_a_right_rollout_that_is_refused_is_named_with_its_reason():
    other = rollout(call("issue_refund", order_id="A-7", amount=26))
    row = verify_task(task(TIGHT, RIGHT, other), 7).row
    assert [(one.operator, one.obligation_id, one.say) for one in row.refused] == [
        (
            "captured", "o1",
            "fx-2 is right, and the verifier refuses it: call 1 to issue_refund is nearest: "
            "amount is 26, wanted 25",
        ),
    ]  # fmt: skip
    assert (row.verdict, row.valid_pass) == ("weak", False)
    assert row.why == ["1 of 2 right rollouts refused"]
    twice = rollout(*RIGHT.calls, call("cancel_order", order_id="A-7"))
    [refused] = verify_task(task(TIGHT, RIGHT, twice), 7).row.refused
    assert refused.say.endswith("call 3 is a write that nothing asks for")


def test_an_original_that_is_refused_makes_no_mutants():
    row = verify_task(task(TIGHT, WRONG), 7).row
    assert (row.mutants.made, row.harmless.made, row.mutation_score) == (0, 0, None)
    assert row.verdict == "untested"
    assert row.why == ["no wrong rollout was ever put to it"]
    with_failure = verify_task(task(TIGHT, WRONG, fails=[WRONG]), 7).row
    assert with_failure.verdict == "weak"


def test_mutants_are_made_of_the_first_right_rollout_that_passes():
    found = verify_task(task(TIGHT, WRONG, RIGHT), 7)
    assert found.row.mutation_score == 1
    assert (found.row.verdict, found.row.fixtures.pass_accepted) == ("weak", 1)


def test_a_contract_that_cannot_be_judged_is_untested():
    row = verify_task(task(contract()), 7).row
    assert (row.verdict, row.valid_pass, row.wrong_fail) == ("untested", False, False)
    assert row.why == ["the contract cannot be judged: nothing is required"]
    assert row.refused is None


def test_a_value_that_the_contract_forgot_passes_and_is_seen():
    forgotten = contract(effect("issue_refund", order_id=exact("A-7")), ANSWERED)
    row = verify_task(task(forgotten), 7).row
    assert sorted(one.say for one in row.survivors) == [
        f"issue_refund (o1) with amount {slip} instead of 25" for slip in (-25, 24, 250, 26, 725)
    ]
    assert row.verdict == "weak"
    varied = rollout(LOOKED, call("issue_refund", order_id="A-7", amount=20))
    assert verify_task(task(forgotten, RIGHT, varied), 7).row.verdict == "tested"
    told = contract(
        effect("issue_refund", order_id=exact("A-7"), amount={"match": "any"}), ANSWERED
    )
    assert verify_task(task(told), 7).row.verdict == "tested"


def test_an_entity_that_the_contract_forgot_makes_it_weak():
    row = verify_task(task(contract(effect("issue_refund", amount=NUMBER), ANSWERED)), 7).row
    assert [(one.operator, one.say) for one in row.survivors] == [
        ("wrong_entity", 'issue_refund (o1) with order_id "B-8" instead of "A-7"')
    ]
    assert row.why == ["passes wrong_entity"]


def test_a_survivor_of_a_critical_operator_makes_it_weak_whatever_the_score():
    row = verify_task(task(contract(REFUND)), 7).row
    assert [(one.operator, one.obligation_id, one.say) for one in row.survivors] == [
        ("drop_reply", None, "stops without its closing act")
    ]
    assert (row.verdict, row.mutation_score) == ("weak", 0.9286)
    assert row.why == ["passes drop_reply"]
    assert row.by_operator["drop_reply"].dump() == {"made": 1, "rejected": 0}


def test_a_score_below_the_bar_makes_it_weak():
    row = verify_task(task(contract(REFUND), min_mutation_score=0.95), 7).row
    assert row.why == ["rejects 93% of the faults, fewer than 95%", "passes drop_reply"]


def test_an_obligation_that_nothing_kills_makes_it_weak():
    vacuous = said_value("A-7", "v1", must_reach={"kind": "response"})
    said_often = rollout(*RIGHT.calls, said=["A-7", "A-7 is refunded."])
    row = verify_task(task(contract(REFUND, vacuous), said_often), 7).row
    assert row.by_obligation["v1"].killed
    optional = contract(REFUND, {**vacuous, "optional": True})
    assert "v1" not in verify_task(task(optional, said_often), 7).row.by_obligation
    unseen = {"id": "p1", "type": "preserved", "entity": {"id": "A-9"}}
    nothing_writes = subject(contract(ANSWERED, preserved=[unseen]), rollout(LOOKED))
    row = verify_task(nothing_writes, 7).row
    assert row.why == ["no fault was caught by p1"]


@pytest.mark.parametrize(
    ("loo", "successes", "verdict"),
    [(0.5, 4, "weak"), (0.5, 3, "tested"), (0.8, 4, "tested"), (None, 9, "tested")],
)
def test_leaving_one_out_counts_from_four_successes_on(loo, successes, verdict):
    row = verify_task(task(loo_accept=loo, successes=successes), 7).row
    assert (row.verdict, row.loo_accept) == (verdict, loo)


def test_equivalent_and_broken_faults_are_listed_and_not_counted():
    alone = subject(TIGHT, RIGHT, tools=TOOLS)
    row = verify_task(alone, 7).row
    assert [(one.operator, one.why) for one in row.set_aside] == [("wrong_entity", "broken")]
    assert row.mutants.dump() == {"made": 14, "rejected": 13, "equivalent": 0, "broken": 1}
    assert row.mutation_score == 1
    swapped = contract(
        effect("issue_refund", "o1", order_id=exact("A-7"), amount=NUMBER),
        effect("issue_refund", "o2", order_id=exact("B-8"), amount=NUMBER, note=exact("x")),
    )
    both = rollout(
        call("issue_refund", order_id="A-7", amount=25, note="x"),
        call("issue_refund", order_id="B-8", amount=25, note="x"),
    )
    row = verify_task(task(swapped, both), 7).row
    assert [(one.operator, one.why) for one in row.set_aside] == [("swap_values", "equivalent")]


def test_the_fixtures_that_are_kept_are_those_a_reviewer_should_see():
    found = verify_task(subject(TIGHT, RIGHT, tools=TOOLS), 7)
    [kept] = found.fixtures(created_at="2026-11-02T10:00:00.000Z", actor="os:ci", door="shell")
    assert (kept.origin, kept.expect, kept.mutation.operator) == ("mutant", "fail", "wrong_entity")
    assert kept.fixture_id == found.row.set_aside[0].fixture_id
    assert kept.note == 'issue_refund (o1) with order_id "A-8" instead of "A-7"'
    every = list(found.fixtures(created_at="x", actor=None, every=True))
    assert len(every) == len(found.mutants)
    assert {one.expect for one in every if one.harmless} == {"pass"}


def test_every_operator_of_the_page_is_there_in_its_order():
    assert [one.__name__ for one in FAULTS] == [
        "drop_write", "drop_reply", "wrong_entity", "wrong_number", "wrong_text", "wrong_enum",
        "wrong_date", "wrong_key", "swap_values", "short_list", "long_list", "extra_write",
        "duplicate_write", "reject_write", "wrong_answer", "no_answer", "negated_answer",
        "refuse", "forbidden",
    ]  # fmt: skip
    assert [one.__name__ for one in HARMLESS] == [
        "extra_read", "extra_failed_read", "reorder_writes", "reorder_list", "reorder_keys",
        "number_spelling", "answer_spelling", "text_spelling", "date_spelling", "null_optional",
        "repeat_idempotent", "retry", "other_prose", "fence",
    ]  # fmt: skip
    assert (MOST_FAULTS, MOST_HARMLESS) == (40, 15)


def test_a_row_is_read_back_as_it_was_written():
    row = verify_task(subject(TIGHT, RIGHT, tools=TOOLS), 7).row
    report = VerifierReport(generated_at="2026-11-02T10:00:00.000Z", seed=7, tasks=[row])
    assert VerifierReport.read(report.dump()).dump() == report.dump()
