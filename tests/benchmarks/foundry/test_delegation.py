from typing import Any

import pytest

from benchmarks.contract.mutating import Policy
from benchmarks.foundry.delegation import linked
from benchmarks.foundry.drafting import policy_in_force, policy_of
from benchmarks.records.capture import Capture
from benchmarks.records.tool_policy import ToolEntry, ToolPolicy
from tests.benchmarks.foundry.factories import call, capture, result, session_record, tool

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
WORK = "Find every open ticket of the customer and close it."
ASK = ("user", "Please tidy up my account.")
HANDED = ("assistant", call("Task", "t1", prompt=WORK))
GIVEN = ("user", WORK)
CLOSE = ("assistant", call("close_ticket", "c1", ticket_id="T-1"))
CLOSED = ("tool", result("closed", "close_ticket", "c1"))
LIST = ("assistant", call("list_tickets", "c1"))
LISTED = ("tool", result("none", "list_tickets", "c1"))
DONE = ("assistant", "All done.")


def callers(*captures: Capture) -> list[tuple[str, str] | None]:
    ids = {one.capture_key: one.capture_id for one in captures}
    return [
        (ids[one.helper_of.capture_key], one.helper_of.call_id) if one.helper_of else None
        for one in linked(captures)
    ]


def test_a_first_turn_that_a_call_of_the_trace_hands_over_is_a_helpers() -> None:
    first = capture([ASK], [HANDED], line=1, trace=TRACE)
    helper = capture([GIVEN], [LIST], line=2, trace=TRACE)
    later = capture([GIVEN, LIST, LISTED], [DONE], line=3, trace=TRACE)
    assert callers(first, helper, later) == [None, ("req-1", "t1"), ("req-1", "t1")]


def test_the_call_is_found_where_it_was_made_not_where_it_was_repeated() -> None:
    back = ("tool", result("done", "Task", "t1"))
    again = capture([ASK, HANDED, back], [DONE], at="09:00:09", line=3, trace=TRACE)
    first = capture([ASK], [HANDED], at="09:00:00", line=1, trace=TRACE)
    helper = capture([GIVEN], [DONE], at="09:00:05", line=2, trace=TRACE)
    assert callers(again, first, helper) == [None, None, ("req-1", "t1")]


def test_nothing_is_linked_across_traces_or_without_one() -> None:
    other = "a" * 32
    assert callers(
        capture([ASK], [HANDED], line=1, trace=TRACE),
        capture([GIVEN], [DONE], line=2, trace=other),
        capture([GIVEN], [DONE], line=3),
    ) == [None, None, None]


def test_words_as_short_as_chance_link_nothing() -> None:
    assert callers(
        capture(
            [ASK], [("assistant", call("Task", "t1", prompt="yes please"))], line=1, trace=TRACE
        ),
        capture([("user", "yes please")], [DONE], line=2, trace=TRACE),
    ) == [None, None]


def test_a_call_that_repeats_what_its_own_conversation_asks_starts_no_helper() -> None:
    search = ("assistant", call("search", "s1", query=WORK))
    found = ("tool", result("x", "search", "s1"))
    first = capture([GIVEN], [search], line=1, trace=TRACE)
    second = capture([GIVEN, search, found], [DONE], line=2, trace=TRACE)
    summary = capture([("system", "Summarise."), GIVEN], [DONE], line=3, trace=TRACE)
    assert callers(first, second, summary) == [None, None, None]


def test_a_request_passed_on_whole_needs_a_tool_that_delegates() -> None:
    passed = ("assistant", call("Task", "t1", prompt=WORK))
    first = capture([("system", "You route."), GIVEN], [passed], line=1, trace=TRACE)
    helper = capture([("system", "You work."), GIVEN], [DONE], line=2, trace=TRACE)
    assert callers(first, helper) == [None, ("req-1", "t1")]


def test_a_span_under_a_captured_call_is_a_helpers() -> None:
    first = capture([ASK], [HANDED], line=1, trace=TRACE, name="span-1")
    helper = capture([("user", "Anything.")], [DONE], line=2, trace=TRACE, span="span-1")
    assert callers(first, helper) == [None, ("span-1", "")]


def test_the_next_call_of_a_conversation_under_the_span_of_the_one_before_is_no_helper() -> None:
    first = capture([ASK], [LIST], line=1, trace=TRACE, name="span-1")
    second = capture([ASK, LIST, LISTED], [DONE], line=2, trace=TRACE, span="span-1")
    other = capture([("user", "Other.")], [DONE], line=3, trace=TRACE)
    assert callers(first, second, other) == [None, None, None]


def test_what_a_source_says_of_itself_is_believed_unless_it_starts_itself() -> None:
    first = capture([ASK], [HANDED], line=1)
    helper = session_record([GIVEN, DONE], line=2, helper_of=(first, "t1"))
    own = helper.with_(
        helper_of={"capture_key": helper.capture_key, "call_id": "t1"}, capture_id="own"
    )
    assert callers(first, helper) == [None, ("req-1", "t1")]
    assert callers(own) == [None]


# What the tool that starts helpers does


def policy_for(*said: Any, filed: ToolPolicy | None = None) -> Policy:
    first = capture([ASK], [HANDED], line=1, tools=[tool("Task")])
    helper = session_record([GIVEN, *said], line=2, helper_of=(first, "t1"))
    return policy_in_force([first, helper], filed)


@pytest.mark.parametrize(
    ("said", "effect"),
    [
        ([LIST, LISTED, DONE], "read"),
        ([CLOSE, CLOSED, DONE], "write"),
        ([CLOSE, DONE], "write"),
        ([CLOSE, ("tool", result("no", "close_ticket", "c1", status="error")), DONE], "read"),
        ([("assistant", call("run_sql", "c1")), DONE], "read"),
    ],
)
def test_a_delegating_tool_writes_when_a_helper_made_an_accepted_write(
    said: list[Any], effect: str
) -> None:
    entry = policy_for(*said)["Task"]
    assert (entry.effect, entry.source, entry.evidence) == (effect, "lexicon", "fan_out")
    assert entry.role == "delegate"


def test_the_operators_word_stands_over_what_helpers_did() -> None:
    filed = ToolPolicy(tools={"Task": ToolEntry(effect="read", source="operator")})
    assert policy_for(CLOSE, CLOSED, DONE, filed=filed)["Task"].source == "operator"
    first = capture([ASK], [HANDED], line=1)
    helper = session_record([GIVEN, CLOSE, CLOSED, DONE], line=2, helper_of=(first, "t1"))
    assert policy_of([first, helper], filed).tools["Task"].effect == "read"
    assert policy_of([first, helper], None).tools["Task"].effect == "write"


def test_an_annotation_stands_over_what_helpers_did() -> None:
    said = tool("Task", annotations={"readOnlyHint": True})
    first = capture([ASK], [HANDED], line=1, tools=[said])
    helper = session_record([GIVEN, CLOSE, CLOSED, DONE], line=2, helper_of=(first, "t1"))
    assert policy_in_force([first, helper], None)["Task"].effect == "read"


def test_a_helper_that_delegates_writes_when_its_own_helper_does() -> None:
    deeper = ("assistant", call("Agent", "a1", prompt="Close ticket T-1, nothing else."))
    first = capture([ASK], [HANDED], line=1)
    helper = session_record([GIVEN, deeper, DONE], line=2, helper_of=(first, "t1"))
    inner = session_record([("user", "x"), CLOSE, CLOSED], line=3, helper_of=(helper, "a1"))
    policy = policy_in_force([first, helper, inner], None)
    assert (policy["Agent"].effect, policy["Task"].effect) == ("write", "write")


def test_a_write_that_a_later_capture_shows_rejected_is_none() -> None:
    refused = ("tool", result("no", "close_ticket", "c1", status="error"))
    first = capture([ASK], [HANDED], line=1)
    calling = capture([GIVEN], [CLOSE], line=2, helper_of=(first, "t1"))
    ended = capture([GIVEN, CLOSE, refused], [DONE], line=3, helper_of=(first, "t1"))
    assert policy_in_force([first, calling, ended], None)["Task"].effect == "read"
