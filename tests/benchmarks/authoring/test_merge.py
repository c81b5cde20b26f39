"""What a grounded reply adds: nothing twice, nothing removed, no status raised."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.authoring.evidence import Evidence
from benchmarks.authoring.merge import (
    Authorship,
    canonical_entry,
    merged_contract,
    refused,
    verified,
)
from benchmarks.authoring.reply import Reply, read_reply
from benchmarks.records.authoring import grounding_of
from benchmarks.records.contract import Entry

BY = Authorship("m1", "2026-11-02T09:50:00.000Z", ("1 claim left out",))
Good = Callable[..., dict[str, Any]]


def read(reply: dict[str, Any]) -> Reply:
    found, wrong = read_reply(json.dumps(reply))
    assert found is not None, wrong
    return found


def test_merging_twice_is_merging_once(refund: Evidence, good: Good) -> None:
    reply = read(good(refund))
    once = merged_contract(refund.task.outcome_contract, reply, {"required[0]"}, BY)
    assert [one.id for one in once.required] == ["o1", "o2", "o3"]
    assert merged_contract(once, reply, {"required[0]"}, BY) == once


def test_an_entry_in_other_words_is_the_same_entry(refund: Evidence, good: Good) -> None:
    twice = [
        {"type": "read_obligation", "tool": "get_order",
         "arguments_semantic": {"order_id": "A-1001"}, "reason": "it is looked up"},
        {"type": "read_obligation", "tool": "get_order", "call_id": "a1",
         "arguments": {"order_id": {"match": "exact", "value": "A-1001"}}},
    ]  # fmt: skip
    reply = read(good(refund, contract={"required": twice}))
    merged = merged_contract(refund.task.outcome_contract, reply, set(), BY)
    assert [one.id for one in merged.required] == ["o1", "o2", "o3"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"type": "value_propagation", "value": 7},
         {"type": "value_propagation", "value": 7, "as": "number",
          "must_reach": {"kind": "final_response"}}, True),
        ({"type": "value_propagation", "value": 7},
         {"type": "value_propagation", "value": 7, "must_reach": {"kind": "response"}}, False),
        ({"tool": "t", "arguments": {}}, {"type": "state_effect", "tool": "t", "arguments": {}},
         True),
        ({"tool": "t", "arguments": {}}, {"type": "read_obligation", "tool": "t", "arguments": {}},
         False),
    ],
)  # fmt: skip
def test_what_makes_two_entries_one(one: dict[str, Any], other: dict[str, Any], same: bool) -> None:
    first, second = (canonical_entry(Entry.read(each), "required") for each in (one, other))
    assert (first == second) is same


def test_a_verified_task_keeps_its_status_and_says_who_wrote(refund: Evidence, good: Good) -> None:
    reply = read(good(refund))
    contract = merged_contract(refund.task.outcome_contract, reply, {"required[0]"}, BY)
    for status in ("machine_proposed", "needs_review", "blocked", "human_approved"):
        task = verified(refund.task.with_(status=status), reply, contract, BY)
        assert task.status == status
    block = task.authored
    assert block["schema_version"] == "understudy.task_authoring.v1"
    assert (block["model"], block["authored_at"]) == ("m1", "2026-11-02T09:50:00.000Z")
    assert (block["grounding"], block["grounding_violations"]) == ("verified", [])
    assert block["evidence_truncated"] == ["1 claim left out"]
    assert block["statement"] == "Do what the customer asks about the one order that is named."
    assert len(block["contract"]["required"]) == 2
    assert task.outcome_contract.status == refund.task.outcome_contract.status
    assert task.task_hash != refund.task.task_hash


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("machine_proposed", "needs_review"),
        ("needs_review", "needs_review"),
        ("blocked", "blocked"),
        ("human_approved", "human_approved"),
    ],
)
def test_a_refused_reply_merges_nothing_and_never_raises_a_status(
    before: str, after: str, refund: Evidence
) -> None:
    task = refused(refund.task.with_(status=before), None, ["rule 1: no JSON"], BY)
    assert task.status == after
    assert task.outcome_contract == refund.task.outcome_contract
    assert task.authored["grounding"] == "failed"
    assert task.authored["grounding_violations"] == ["rule 1: no JSON"]
    assert task.authored["statement"] is None


def test_a_later_failure_takes_nothing_from_a_verified_task(refund: Evidence, good: Good) -> None:
    reply = read(good(refund))
    task = verified(refund.task, reply, refund.task.outcome_contract, BY)
    assert refused(task, None, ["rule 1: no JSON"], BY) == task


def test_the_verdict_is_read_in_both_forms() -> None:
    assert grounding_of({"grounding": "verified"}) == "verified"
    assert grounding_of({"grounding": {"status": "failed"}}) == "failed"
    assert grounding_of(None) is None
    assert grounding_of({"grounding": 3}) is None
