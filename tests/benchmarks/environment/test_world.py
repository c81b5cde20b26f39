"""Each row of the table of answers (spec/build.md 6.3), and how they are counted."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.environment.world import World
from benchmarks.records.blocks import Fidelity
from benchmarks.records.environment import Guidance, ToolSchema
from tests.benchmarks.environment.bookings import GET_A, TOOLS, A, own, said, shared, tool, world


def test_row_1_unknown_tool_is_rejected_and_names_the_nearest() -> None:
    answer = world().call("get_bookings", {})
    assert (answer.status, answer.counted) == ("rejected", "rejected")
    assert answer.rejection is not None
    assert answer.rejection["class"] == "unknown_tool"
    assert "get_booking," in answer.content["message"]


def test_row_1_tool_of_another_task_is_unknown() -> None:
    answer = world(GET_A, tools=TOOLS[1:]).call("get_booking", {"booking_id": "A-7"})
    assert answer.rejection is not None
    assert answer.rejection["class"] == "unknown_tool"


@pytest.mark.parametrize(
    ("name", "arguments", "kind"),
    [
        ("get_booking", {}, "missing_required"),
        ("get_booking", {"booking_id": None}, "missing_required"),
        ("search_rooms", {"floor": "third"}, "type_mismatch"),
        ("create_ticket", {"title": "Leak", "priority": "p9"}, "enum_violation"),
    ],
)
def test_row_2_broken_declaration_is_rejected(name: str, arguments: Any, kind: str) -> None:
    answer = world().call(name, arguments)
    assert answer.rejection is not None
    assert (answer.status, answer.counted, answer.rejection["class"]) == (
        "rejected",
        "rejected",
        kind,
    )


def test_row_2_inferred_definition_declares_nothing() -> None:
    inferred = tool("get_booking", inferred=True, booking_id="string", required=("booking_id",))
    assert world(tools=[inferred]).call("get_booking", {}).status == "not_recorded"


def test_row_2_rule_that_the_recording_contradicts_is_not_enforced() -> None:
    schemas = {"get_booking": ToolSchema(unenforced=["type:booking_id"])}
    row = own("get_booking", A, booking_id=7)
    assert world(row, schemas=schemas).call("get_booking", {"booking_id": 7}).content == A


def test_row_2_rejection_speaks_in_the_style_and_words_given() -> None:
    told = world(
        schemas={"get_booking": ToolSchema(rejection_style="string")},
        guidance=Guidance(tools={"get_booking": {"missing_required:booking_id": "Ask for it."}}),
    ).call("get_booking", {})
    assert told.content == "Error: Ask for it."
    assert told.rejection == {"class": "missing_required", "message": "Ask for it."}


def test_row_2_arguments_that_do_not_parse_touch_nothing_and_are_counted() -> None:
    here = world(own("pay", "Error: declined", "error", method="card"))
    answer = here.malformed("pay", "end of text at column 12")
    assert answer.rejection == {
        "class": "malformed_arguments",
        "message": "arguments of pay are not a JSON object: end of text at column 12",
    }
    assert here.fidelity().rejected == 1
    assert here.call("pay", {"method": "card"}).content == "Error: declined"


@pytest.mark.parametrize("name", ["transfer_to_human_agents", "finish"])
def test_row_3_handoff_and_finish_end_the_rollout(name: str) -> None:
    answer = world().call(name, {})
    assert said(answer) == ("ok", {"ok": True}, "echoed", "closing")
    assert answer.ends
    assert not answer.write


def test_row_4_recorded_error_is_served_until_the_cursor_is_past_it() -> None:
    here = world(own("pay", "Error: declined", "error", method="card", amount=5))
    first = here.call("pay", {"amount": "5.00", "method": "card"})
    assert said(first) == ("error", "Error: declined", "served", "fixture")
    assert first.write
    assert said(here.call("pay", {"method": "card", "amount": 5}))[0::2] == ("ok", "echoed")


def test_row_4_error_that_followed_an_accepted_write_is_not_served_before_it() -> None:
    row = own("cancel_booking", "Error: already cancelled", "error", booking_id="A-7")
    here = world(row.with_(seq=2))
    assert here.call("cancel_booking", {"booking_id": "A-7"}).status == "ok"
    assert here.call("cancel_booking", {"booking_id": "A-7"}).content == "Error: already cancelled"
    assert here.call("cancel_booking", {"booking_id": "A-7"}).status == "ok"


def test_row_5_write_is_echoed() -> None:
    answer = world().call("pay", {"method": "cash", "amount": 5})
    assert (answer.status, answer.counted, answer.source) == ("ok", "echoed", "echo")
    assert answer.write
    assert answer.content["ok"] is True


def test_row_5_carrier_call_that_writes_is_echoed_and_one_that_reads_is_looked_up() -> None:
    here = world(own("run_sql", [[1]], query="SELECT 1"))
    assert here.call("run_sql", {"query": "DELETE FROM t"}).counted == "echoed"
    assert said(here.call("run_sql", {"query": "select 1"})) == ("ok", [[1]], "served", "fixture")


def test_row_6_next_occurrence_then_the_last_one_again() -> None:
    here = world(
        own("get_booking", {"n": 1}, booking_id="A-7"),
        own("get_booking", {"n": 2}, booking_id="A-7"),
    )
    answers = [here.call("get_booking", {"booking_id": "A-7"}) for _ in range(3)]
    assert [answer.content["n"] for answer in answers] == [1, 2, 2]
    assert {answer.counted for answer in answers} == {"served"}


def test_row_6_recorded_error_of_a_read_is_served_again_and_again() -> None:
    here = world(own("get_booking", "Error: no such booking", "error", booking_id="Z-1"))
    answers = [here.call("get_booking", {"booking_id": "Z-1"}) for _ in range(2)]
    assert {said(answer) for answer in answers} == {
        ("error", "Error: no such booking", "served", "fixture")
    }


def test_row_6_list_arguments_in_another_order_are_served() -> None:
    here = world(own("search_rooms", ["12"], views=["sea", "garden"]))
    assert here.call("search_rooms", {"views": ["garden", "sea"]}).counted == "served"


def test_row_7_shared_row_is_served() -> None:
    here = world(shared("list_rooms", ["12"], hotel="Adler"))
    assert said(here.call("list_rooms", {"hotel": "adler"})) == ("ok", ["12"], "served", "shared")


def test_row_7_own_row_hides_the_shared_one() -> None:
    here = world(shared("list_rooms", ["99"], hotel="Adler"), own("list_rooms", [], hotel="Adler"))
    answers = [here.call("list_rooms", {"hotel": "Adler"}) for _ in range(2)]
    assert [answer.content for answer in answers] == [[], []]


def test_row_7_row_of_another_task_is_never_served() -> None:
    row = own("get_booking", A, booking_id="A-7").with_(task_id="task-2")
    assert world(row).call("get_booking", {"booking_id": "A-7"}).status == "not_recorded"


def test_row_8_created_thing_can_be_read() -> None:
    here = world()
    made = here.call("create_ticket", {"title": "Leak", "priority": "p1"}).content["ticket_id"]
    assert said(here.call("get_ticket", {"ticket_id": made})) == (
        "ok",
        {"ticket_id": made, "title": "Leak", "priority": "p1"},
        "simulated",
        "overlay",
    )


def test_row_8_changed_thing_is_read_by_another_tool() -> None:
    here = world(GET_A, tools=[*TOOLS, tool("lookup_booking", booking_id="string")])
    here.call("cancel_booking", {"booking_id": "A-7"})
    answer = here.call("lookup_booking", {"booking_id": "A-7"})
    assert said(answer) == ("ok", {**A, "status": "cancelled"}, "simulated", "overlay")


def test_row_8_changed_thing_that_was_never_recorded_is_not_invented() -> None:
    here = world()
    here.call("update_booking", {"booking_id": "B-8", "cabin": "first"})
    assert here.call("get_booking", {"booking_id": "B-8"}).status == "not_recorded"


def test_row_8_read_of_another_kind_of_answer_is_not_recorded() -> None:
    schemas = {
        "lookup_booking": ToolSchema(
            reply_shape={"type": "object", "properties": {"pax": "array", "bags": "integer"}}
        )
    }
    here = world(
        GET_A, schemas=schemas, tools=[*TOOLS, tool("lookup_booking", booking_id="string")]
    )
    here.call("cancel_booking", {"booking_id": "A-7"})
    assert here.call("lookup_booking", {"booking_id": "A-7"}).status == "not_recorded"


def test_row_9_constant_tool_gives_its_one_result() -> None:
    here = world(shared("house_rules", "No pets."))
    assert said(here.call("house_rules", {"lang": "en"})) == (
        "ok",
        "No pets.",
        "simulated",
        "constant",
    )


def test_row_10_builtin_is_computed() -> None:
    answer = world().call("calculate", {"expression": "(4 + 2) / 4"})
    assert said(answer) == ("ok", "1.5", "simulated", "builtin")


@pytest.mark.parametrize("expression", ["4 +", "two", "1 / 0", "2 ** 9"])
def test_row_10_what_is_no_sum_is_not_recorded(expression: str) -> None:
    assert world().call("calculate", {"expression": expression}).status == "not_recorded"


def test_row_11_anything_else_is_an_honest_gap() -> None:
    here = world(GET_A)
    answer = here.call("get_booking", {"booking_id": "Z-9"})
    assert said(answer) == (
        "not_recorded",
        {
            "error": "not_recorded",
            "message": "get_booking: no recorded result for these arguments in this environment.",
        },
        "not_recorded",
        None,
    )
    assert answer.rejection is None


def test_unknown_tool_call_is_answered_like_a_read() -> None:
    here = world(own("sync", "done", part="inventory"))
    answer = here.call("sync", {"part": "inventory"})
    assert said(answer) == ("ok", "done", "served", "fixture")
    assert not answer.write
    assert here.call("sync", {"part": "other"}).status == "not_recorded"


def test_f40_four_served_one_gap_two_echoes_one_rejection() -> None:
    here = world(GET_A)
    for _ in range(4):
        here.call("get_booking", {"booking_id": "A-7"})
    here.call("get_booking", {"booking_id": "Z-9"})
    here.call("pay", {"method": "card"})
    here.call("pay", {"method": "cash"})
    here.call("no_such_tool", {})
    assert here.fidelity() == Fidelity(
        calls=8,
        served=4,
        not_recorded=1,
        echoed=2,
        simulated=0,
        live=0,
        rejected=1,
        share=0.8,
    )


def test_share_is_null_when_nothing_needed_the_recording() -> None:
    here = world()
    here.call("pay", {"method": "card"})
    assert here.fidelity().share is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e12, 1e12) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)
NAMES = st.sampled_from([*(one.name for one in TOOLS), "no_such_tool"])
CALLS = st.tuples(
    NAMES,
    st.dictionaries(
        st.sampled_from(["booking_id", "ticket_id", "title", "method", "query", "expression", "x"]),
        JSON,
        max_size=4,
    ),
)


@given(st.lists(CALLS, max_size=12))
def test_no_call_breaks_the_world_and_every_call_is_counted_once(
    calls: list[tuple[str, dict[str, Any]]],
) -> None:
    here = world(GET_A, own("pay", "Error: declined", "error", method="card"))
    answers = [here.call(name, arguments) for name, arguments in calls]
    found = here.fidelity()
    kinds = (found.served, found.not_recorded, found.echoed, found.simulated, found.rejected)
    assert sum(kinds) == found.calls == len(answers)
    again = World.of(here.scene)
    assert [again.call(name, arguments) for name, arguments in calls] == answers
