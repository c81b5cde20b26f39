from typing import Any

import pytest

from benchmarks.intake.dialects.openhands import OpenHandsEvents, OpenHandsOutput
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.records.conversation import Conversation

EVENTS = OpenHandsEvents()
OUTPUT = OpenHandsOutput()


def event(event_id: int, source: str = "agent", **fields: Any) -> dict[str, Any]:
    return {"id": event_id, "timestamp": "2026-05-01T10:00:00", "source": source, **fields}


def said(event_id: int, source: str, text: str) -> dict[str, Any]:
    return event(event_id, source, action="message", args={"content": text})


def asked(*calls: tuple[str, str, str], text: str | None = None, answer: str = "r1") -> Any:
    """What the model answered: calls as (id, name, arguments)."""
    tool_calls = [
        {"id": i, "type": "function", "function": {"name": name, "arguments": arguments}}
        for i, name, arguments in calls
    ]
    message = {"role": "assistant", "content": text, "tool_calls": tool_calls}
    return {
        "id": answer,
        "model": "m-1",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


def about(call_id: str, name: str, response: Any) -> dict[str, Any]:
    return {"tool_call_id": call_id, "function_name": name, "model_response": response}


def pieces(*events: dict[str, Any], path: str = "log.json") -> list[Any]:
    founds = [
        Found(one, f"{path}#/{at}", f"s{at}", f"r{at}", path, "c") for at, one in enumerate(events)
    ]
    return list(EVENTS.read(path, founds))


def conversation(*events: dict[str, Any]) -> Conversation:
    (piece,) = pieces(*events)
    assert isinstance(piece.result, Reading)
    return piece.result.conversation


def shape(found: Conversation) -> list[tuple[str, str, list[str], int]]:
    return [
        (turn.role, turn.text(), [call.name for call in turn.calls()], len(turn.results()))
        for turn in found.turns
    ]


LIST = asked(("c1", "execute_bash", '{"command": "ls"}'), text="I look.")
RUN = event(
    3,
    action="run",
    args={"command": "ls", "thought": "I look.", "hidden": False},
    tool_call_metadata=about("c1", "execute_bash", LIST),
)
SEEN = event(
    4,
    observation="run",
    cause=3,
    content="a.txt\r\n",
    tool_call_metadata=about("c1", "execute_bash", LIST),
)
END = asked(("c2", "finish", '{"message": "Done."}'), answer="r2")
FINISH = event(
    9,
    action="finish",
    args={"final_thought": "Done."},
    tool_call_metadata=about("c2", "finish", END),
)


def test_actions_are_calls_and_observations_their_results() -> None:
    found = conversation(said(0, "user", "What is there?"), RUN, SEEN, FINISH)
    assert shape(found) == [
        ("user", "What is there?", [], 0),
        ("assistant", "I look.", ["execute_bash"], 0),
        ("tool", "", [], 1),
        ("assistant", "", ["finish"], 0),
    ]
    result = found.turns[2].results()[0]
    assert (result.call.turn, result.status, result.parts[0].text) == (1, "ok", "a.txt\r\n")
    assert (found.dialect, found.granularity, found.end.reason) == (
        "openhands",
        "session",
        "finish",
    )


def test_name_and_arguments_are_those_of_the_models_answer() -> None:
    call = conversation(RUN).turns[0].calls()[0]
    assert (call.call_id, call.name, call.arguments) == ("c1", "execute_bash", {"command": "ls"})


def test_usage_of_a_repeated_answer_counts_once() -> None:
    found = conversation(RUN, SEEN, FINISH)
    assert (found.usage.input_tokens, found.usage.output_tokens, found.usage.calls) == (200, 20, 2)
    assert found.turns[0].usage.input_tokens == 100
    assert found.turns[0].model == "m-1"


def test_an_answer_with_two_calls_is_one_turn() -> None:
    both = asked(("a", "look", '{"at": 1}'), ("b", "look", '{"at": 2}'))
    found = conversation(
        event(1, action="read", args={}, tool_call_metadata=about("a", "look", both)),
        event(2, observation="read", cause=1, content="one"),
        event(3, action="read", args={}, tool_call_metadata=about("b", "look", both)),
        event(4, observation="read", cause=3, content="two"),
    )
    assert shape(found) == [
        ("assistant", "", ["look", "look"], 0), ("tool", "", [], 1), ("tool", "", [], 1),
    ]  # fmt: skip
    results = [turn.results()[0] for turn in found.turns[1:]]
    assert [(r.call.part, r.parts[0].text) for r in results] == [(0, "one"), (1, "two")]
    assert found.usage.calls == 1


def test_without_the_models_answer_the_action_itself_is_the_call() -> None:
    found = conversation(
        event(5, action="run", args={"command": "ls", "thought": "I look."}),
        event(6, observation="run", cause=5, content="a.txt"),
    )
    assert shape(found) == [("assistant", "I look.", ["run"], 0), ("tool", "", [], 1)]
    assert found.turns[0].calls()[0].arguments == {"command": "ls"}
    assert found.turns[1].results()[0].orphan is None
    assert found.usage is None


def test_a_call_that_the_named_answer_does_not_hold_is_read_from_its_action() -> None:
    found = conversation(
        event(1, action="run", args={"command": "ls"}, tool_call_metadata=about("zz", "sh", LIST))
    )
    call = found.turns[0].calls()[0]
    assert (call.call_id, call.name, call.arguments) == ("zz", "sh", {"command": "ls"})


@pytest.mark.parametrize(
    "state",
    [
        event(2, "user", action="recall", args={"query": "q"}),
        event(4, "environment", observation="recall", cause=2, content="context"),
        event(5, observation="null", content=""),
        event(6, action="null", args={}),
        event(7, "environment", observation="agent_state_changed", content=""),
        event(8, action="change_agent_state", args={"agent_state": "finished"}),
    ],
)
def test_the_programs_own_state_is_no_turn(state: dict[str, Any]) -> None:
    assert len(conversation(said(0, "user", "Hi"), state).turns) == 1


def test_the_system_event_holds_the_tools_and_the_system_text() -> None:
    tool = {"name": "look", "description": "Looks.", "parameters": {"required": ["at"]}}
    system = event(0, action="system", args={"content": "Be kind.", "tools": [{"function": tool}]})
    found = conversation(system, said(1, "user", "Hi"))
    assert shape(found)[0] == ("system", "Be kind.", [], 0)
    assert [(t.name, t.description, t.required) for t in found.tools] == [
        ("look", "Looks.", ["at"])
    ]  # fmt: skip


def test_messages_are_said_by_their_source_and_show_their_images() -> None:
    shown = event(
        1, "user", action="message", args={"content": "See", "image_urls": ["https://x/i.png", 3]}
    )
    found = conversation(shown, said(2, "agent", "A cat."))
    assert [turn.role for turn in found.turns] == ["user", "assistant"]
    assert found.turns[0].parts[1].uri == "https://x/i.png"
    assert found.end.reason == "reply"


def test_a_users_own_command_is_the_users() -> None:
    found = conversation(event(1, "user", action="run", args={"command": "ls"}))
    assert (found.turns[0].role, found.turns[0].calls()[0].name) == ("user", "run")


def test_an_error_that_no_call_caused_is_kept_as_a_result_of_nothing() -> None:
    found = conversation(RUN, SEEN, event(5, observation="error", content="no such parameter"))
    result = found.turns[2].results()[0]
    assert (result.orphan, result.status, result.name) == (True, "error", "error")
    assert [issue.code for issue in found.issues] == ["orphan_result"]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"observation": "run", "success": False}, "error"),
        ({"observation": "run", "success": True, "extras": {"exit_code": 1}}, "ok"),
        ({"observation": "run", "extras": {"metadata": {"exit_code": 2}}}, "error"),
        ({"observation": "run", "extras": {"metadata": {"exit_code": 0}}}, "ok"),
        ({"observation": "run", "extras": {"metadata": {"exit_code": -1}}}, "ok"),
        ({"observation": "user_rejected"}, "error"),
        ({"observation": "edit", "content": "ERROR:\nNo replacement"}, "error"),
        ({"observation": "edit", "content": "done"}, "ok"),
    ],
)
def test_a_result_is_rejected_where_the_source_says_so(fields: dict[str, Any], status: str) -> None:
    found = conversation(RUN, event(4, **{"cause": 3, "content": "", **fields}))
    assert found.turns[1].results()[0].status == status


def test_a_call_nobody_answered_before_the_next_is_a_missing_result() -> None:
    found = conversation(RUN, FINISH)
    assert [issue.code for issue in found.issues] == ["missing_result"]


def test_ids_have_gaps_and_a_smaller_one_starts_another_session() -> None:
    found = pieces(said(0, "user", "One"), said(7, "agent", "1"), said(0, "user", "Two"))
    assert [len(piece.result.conversation.turns) for piece in found] == [2, 1]
    assert [(piece.at, piece.made_from) for piece in found] == [(0, ["r0", "r1"]), (2, ["r2"])]


def test_a_folder_with_a_file_for_each_event_is_one_session_in_the_order_of_ids() -> None:
    founds = [
        Found(
            said(i, "user", str(i)), f"s/events/{i}.json#", "s", f"r{i}", f"s/events/{i}.json", ""
        )
        for i in (0, 10, 2)
    ]
    keys = {key for found in founds for key in EVENTS.keys(found)}
    assert keys == {"s/events/"}
    (piece,) = EVENTS.read("s/events/", founds)
    assert [turn.text() for turn in piece.result.conversation.turns] == ["0", "2", "10"]


def test_a_file_of_one_event_may_be_one_line() -> None:
    compact = Found(RUN, "s/events/3.json#L1", "s", "r", "s/events/3.json", "c")
    assert list(EVENTS.keys(compact)) == ["s/events/"]


def test_events_of_one_file_are_one_group() -> None:
    listed = Found(RUN, "a.json#/3", "s", "r", "a.json", "c")
    lined = Found(RUN, "a.jsonl#L4", "s", "r", "a.jsonl", "c")
    assert (list(EVENTS.keys(listed)), list(EVENTS.keys(lined))) == (["a.json"], ["a.jsonl"])


def line(*history: Any, **more: Any) -> Reading:
    record = {"instance_id": "task-1", "history": list(history), "error": None, **more}
    assert OUTPUT.detect(record)
    (piece,) = OUTPUT.read(record)
    assert isinstance(piece.result, Reading)
    return piece.result


def test_a_line_of_output_is_one_conversation_of_its_task() -> None:
    reading = line(said(0, "user", "Hi"), RUN, SEEN, metadata={"llm_config": {"model": "m"}})
    assert len(reading.conversation.turns) == 3
    assert reading.frame.identity.task_id == "task-1"
    assert reading.frame.captured_at == "2026-05-01T10:00:00.000Z"
    assert (reading.frame.routing.requested_model, reading.frame.routing.upstream_model) == (
        "m", "m-1",
    )  # fmt: skip
    assert reading.request.messages[0] == {"role": "user", "content": "Hi"}


def test_a_history_of_pairs_is_read_in_order() -> None:
    act = event(1, action="run", args={"command": "ls"})
    seen = event(-1, "environment", observation="run", content="a.txt")
    reading = line([act, seen], [said(2, "agent", "Done."), None])
    assert shape(reading.conversation) == [
        ("assistant", "", ["run"], 0), ("tool", "", [], 1), ("assistant", "Done.", [], 0),
    ]  # fmt: skip
    assert reading.conversation.turns[1].results()[0].orphan is None


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        ({}, None),
        ({"test_result": {"git_patch": "diff"}}, (None, "git_patch")),
        ({"test_result": {"git_patch": "diff"}, "error": "limit"}, (None, "git_patch")),
        ({"test_result": {"git_patch": ""}}, None),
        ({"error": "RuntimeError: no"}, (False, "error")),
        ({"test_result": {"report": {"resolved": True}}}, (True, "resolved")),
        ({"report": {"resolved": False}}, (False, "resolved")),
        ({"error": "late", "resolved": True}, (True, "resolved")),
        ({"resolved": "yes", "test_result": 3}, None),
    ],
)
def test_an_output_says_how_it_came_out(more: dict[str, Any], outcome: Any) -> None:
    found = line(said(0, "user", "Hi"), RUN, SEEN, **more).conversation.outcome
    assert (found and (found.success, found.source)) == outcome


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("RuntimeError: Agent reached maximum iteration. Current iteration: 50", "limit"),
        ("RateLimitError: too many", "error"),
        (None, "open"),
    ],
)
def test_an_output_says_why_it_broke_off(error: str | None, reason: str) -> None:
    assert line(said(0, "user", "Hi"), RUN, SEEN, error=error).conversation.end.reason == reason


def test_events_of_state_only_are_no_messages() -> None:
    (piece,) = pieces(event(0, observation="null", content=""))
    assert isinstance(piece.result, Refused)
    assert piece.result.reason is Reason.NO_MESSAGES


@pytest.mark.parametrize(
    "record",
    [
        {"id": 1, "source": "web", "action": "run"},
        {"id": 1, "source": "agent", "action": None},
        {"id": 1, "action": "run"},
        {"source": "agent", "action": "run"},
        {"history": [{"role": "user", "content": "hi"}]},
        {"history": [[]]},
        {"history": {}},
        [],
        "run",
    ],
)
def test_what_only_looks_like_an_event_is_none(record: Any) -> None:
    assert not EVENTS.detect(record)
    assert not OUTPUT.detect(record)


@pytest.mark.parametrize("odd", [None, 3, "x", [], {}, [None], {"a": []}, True, -1.5])
def test_fields_of_any_type_lose_no_event_before_them(odd: Any) -> None:
    names = (
        "args",
        "content",
        "cause",
        "tool_call_metadata",
        "extras",
        "timestamp",
        "id",
        "success",
    )
    for name in names:
        found = pieces(said(0, "user", "Hi"), {**RUN, name: odd}, {**SEEN, name: odd}, FINISH)
        turns = found[0].result.conversation.turns
        assert turns[0].text() == "Hi", name
    response = asked(("c1", "look", "{}"))
    for name in response:
        broken = about("c1", "look", {**response, name: odd})
        found = conversation(event(1, action="run", args={}, tool_call_metadata=broken))
        assert found.turns[0].calls()[0].name == "look", name


def test_twenty_thousand_events_are_read_in_order() -> None:
    events: list[dict[str, Any]] = []
    for at in range(0, 20_000, 2):
        events.append(event(at, action="run", args={"command": str(at)}))
        events.append(event(at + 1, observation="run", cause=at, content=str(at)))
    found = conversation(*events)
    assert len(found.turns) == 20_000
    assert found.turns[-1].results()[0].call.turn == 19_998
