"""Fixtures on disk and the rollouts that they are."""

import pytest

from benchmarks.contract.mutants.fixtures import observed_of, rollout_fields, telling_tools
from benchmarks.records.verifier import VerifierFixture
from benchmarks.records.vocabulary import Termination
from tests.benchmarks.contract.making import call, contract, effect, rejected, rollout

STAMP = {"fixture_id": "fx-1", "task_id": "t", "expect": "pass", "origin": "authored",
         "created_at": "2026-11-02T10:00:00.000Z"}  # fmt: skip


def fixture(**fields):
    return VerifierFixture.read({**STAMP, **fields})


@pytest.mark.parametrize(
    ("final", "termination", "texts"),
    [("Done.", Termination.FINISHED, ("Done.",)), ("  ", Termination.MAX_TURNS, ()),
     (None, Termination.MAX_TURNS, ())],
)  # fmt: skip
def test_how_it_ended_is_told_by_its_last_words_where_nothing_else_tells(final, termination, texts):
    observed = observed_of(fixture(final_response=final))
    assert (observed.termination, observed.texts) == (termination, texts)


def test_what_is_said_stands():
    observed = observed_of(fixture(final_response=None, texts=["a"], termination="finished"))
    assert (observed.termination, observed.texts, observed.final_response) == (
        "finished",
        ("a",),
        None,
    )


def test_a_rollout_comes_back_as_it_was_but_for_results_that_tell_nothing():
    before = rollout(
        call("get_order", {"a": 1}, order_id="A-7"),
        rejected("issue_refund", order_id="A-7"),
        call("create-ticket", {"id": "T-1"}, title="x"),
        said=["One.", "Two."],
    )
    after = observed_of(fixture(**rollout_fields(before, {"create-ticket"})))
    assert [one.result for one in after.calls] == [None, None, {"id": "T-1"}]
    assert [(one.tool, one.arguments, one.status) for one in after.calls] == [
        (one.tool, one.arguments, one.status) for one in before.calls
    ]
    assert (after.texts, after.final_response, after.termination) == (
        before.texts,
        before.final_response,
        before.termination,
    )


def test_the_tools_whose_results_are_read():
    demand = contract(
        {"type": "state_effect", "tool": "create-ticket", "arguments": {}},
        effect("close-ticket", "o2", ticket_id={"match": "ref", "entry": "o1", "path": "/id"}),
    )
    assert telling_tools(demand) == {"create-ticket"}
