"""Repeats and superseded writes (spec/build.md 4.4)."""

import pytest

from benchmarks.contract.folding import fold
from benchmarks.contract.mutating import effective_policy
from benchmarks.contract.observed import ObservedCall
from tests.benchmarks.contract.making import call, rejected, tool

POLICY = effective_policy(
    None,
    [
        tool("set_status", ["ticket_id", "status"]),
        tool("set_path_mode", ["path", "file_id", "mode"]),
        tool("assign_ticket", ["ticket_id", "person"]),
        tool("close_ticket", ["ticket_id"]),
        tool("reopen_ticket", ["ticket_id"]),
        tool("update_price", ["item_id", "price"]),
        tool("create_ticket", ["title"]),
        tool("enable_alarm", ["mode"]),
        tool("disable_alarm", []),
        tool("get_ticket", ["ticket_id"]),
        tool("update_link", ["ticket_id", "other_id", "note"]),
    ],
)


def status(ticket: str, word: str) -> ObservedCall:
    return call("set_status", ticket_id=ticket, status=word)


OPEN, BUSY, DONE = status("T-1", "open"), status("T-1", "busy"), status("T-1", "done")
CLOSE, REOPEN = call("close_ticket", ticket_id="T-1"), call("reopen_ticket", ticket_id="T-1")

ALARM = call("enable_alarm", mode="a")


@pytest.mark.parametrize(
    ("calls", "folded"),
    [
        ([CLOSE, CLOSE], {1: 0}),
        ([CLOSE, CLOSE, CLOSE], {1: 0, 2: 0}),
        ([CLOSE, call("close_ticket", ticket_id="T-2"), CLOSE], {2: 0}),
        ([CLOSE, REOPEN, CLOSE], {}),
        ([CLOSE, call("get_ticket", ticket_id="T-1"), CLOSE], {2: 0}),
        ([CLOSE, rejected("reopen_ticket", ticket_id="T-1"), CLOSE], {2: 0}),
        ([rejected("close_ticket", ticket_id="T-1"), CLOSE], {}),
        ([call("create_ticket", title="x")] * 2, {}),
        ([call("update_price", item_id="i", price=5)] * 2, {}),
        ([ALARM] * 2, {1: 0}),
        ([ALARM, call("disable_alarm"), ALARM], {}),
    ],
)  # fmt: skip
def test_identical_repeats(calls: list[ObservedCall], folded: dict[int, int]) -> None:
    assert fold(calls, POLICY) == folded


@pytest.mark.parametrize(
    ("calls", "folded"),
    [
        ([OPEN, DONE], {0: 1}),
        ([OPEN, BUSY, DONE], {0: 2, 1: 2}),
        ([OPEN, BUSY, OPEN], {0: 2, 1: 2}),
        ([OPEN, CLOSE, DONE], {}),
        ([OPEN, status("T-2", "done")], {}),
        ([OPEN, call("set_status", ticket_id="T-1", status="done", note="x")], {}),
        ([call("set_status", status="open"), call("set_status", status="done")], {}),
        ([call("update_price", item_id="i", price=price) for price in (5, 6)], {}),
        ([call("assign_ticket", ticket_id="T-1", person=who) for who in ("Kim", "Lee")], {}),
        ([call("enable_alarm", mode="a"), call("enable_alarm", mode="b")], {}),
        ([call("set_path_mode", file_id=1, path=path, mode=path) for path in ("/a", "/b")], {}),
        ([call("set_path_mode", file_id=1, path="/a", mode=mode) for mode in ("r", "w")], {0: 1}),
        ([call("update_link", ticket_id=1, other_id=other, note="n") for other in (2, 3)], {}),
        ([call("update_link", ticket_id=1, other_id=2, note=note) for note in ("a", "b")], {0: 1}),
    ],
)  # fmt: skip
def test_superseded_writes(calls: list[ObservedCall], folded: dict[int, int]) -> None:
    assert fold(calls, POLICY) == folded


def test_a_repeat_after_another_setting_of_a_verb_that_does_not_supersede_is_kept() -> None:
    calls = [call("assign_ticket", ticket_id="T-1", person=who) for who in ("Kim", "Lee", "Kim")]
    assert fold(calls, POLICY) == {}


def test_numbers_of_one_value_are_one_entity_and_one_call() -> None:
    calls = [call("close_ticket", ticket_id=7), call("close_ticket", ticket_id=7.0)]
    assert fold(calls, POLICY) == {1: 0}


def test_an_entity_may_be_a_list_or_a_huge_number() -> None:
    listed = call("close_ticket", ticket_id=["T-1", "T-2"])
    huge = call("close_ticket", ticket_id=10**5000)
    assert fold([listed, huge, listed, huge], POLICY) == {2: 0, 3: 1}


def test_calls_whose_arguments_did_not_parse_fold_by_their_text() -> None:
    raw = ObservedCall("close_ticket", arguments_raw="{oops")
    assert fold([raw, raw], POLICY) == {1: 0}
    assert fold([raw, ObservedCall("close_ticket", arguments_raw="{other")], POLICY) == {}


def test_a_tool_without_an_entry_is_left_alone() -> None:
    assert fold([CLOSE, CLOSE], {}) == {}
