from typing import Any

import pytest

from benchmarks.intake.dialects.openai_threads import OpenAiThreads
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.records.conversation import Conversation
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

DIALECT = OpenAiThreads()
START = 1_777_629_600


def thing(kind: str, name: str, second: int, **fields: Any) -> dict[str, Any]:
    return {"id": name, "object": kind, "thread_id": "th-1", "created_at": START + second, **fields}


def message(name: str, second: int, role: str, words: str, **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": {"value": words, "annotations": []}}]
    return thing("thread.message", name, second, **{"role": role, "content": content, **more})


def step(name: str, second: int, details: dict[str, Any], spent: int, **more: Any) -> dict:
    used = {"prompt_tokens": spent, "completion_tokens": 5, "total_tokens": spent + 5}
    return thing(
        "thread.run.step", name, second, run_id="run-1", step_details=details, usage=used, **more
    )


def called(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool_calls", "tool_calls": [*calls]}


def look(call_id: str, output: Any) -> dict[str, Any]:
    inner = {"name": "look", "arguments": '{"city": "Oslo"}', "output": output}
    return {"id": call_id, "type": "function", "function": inner}


WROTE = {"type": "message_creation", "message_creation": {"message_id": "m-2"}}
SCHEMA = {"type": "object", "properties": {}}
LOOK = {"type": "function", "function": {"name": "look", "parameters": SCHEMA}}
TOOLS = [LOOK, {"type": "code_interpreter"}]
RUN = thing(
    "thread.run", "run-1", 1, status="completed", model="m-1", instructions="You help.",
    tools=TOOLS, usage={"prompt_tokens": 30, "completion_tokens": 10, "total_tokens": 40},
)  # fmt: skip
ASK = message("m-1", 0, "user", "Weather?")
SAYS = message("m-2", 4, "assistant", "It rains.", run_id="run-1")
STEPS = [step("s-1", 2, called(look("c1", "rain")), 10), step("s-2", 4, WROTE, 20)]
THREAD = [ASK, SAYS, RUN, *STEPS]
WHOLE = [
    ("system", "You help.", [], []),
    ("user", "Weather?", [], []),
    ("assistant", "", ["look"], []),
    ("tool", "", [], ["ok"]),
    ("assistant", "It rains.", [], []),
]


def conversation(*records: Any) -> Conversation:
    return reading_of(pieces_of(DIALECT, *records)).conversation


def test_steps_tell_what_was_called_between_the_messages() -> None:
    found = conversation(*THREAD)
    assert shape(found) == WHOLE
    assert calls_in(found) == [("c1", {"city": "Oslo"})]
    assert results_in(found) == [((2, 0), "rain")]
    assert [(tool.name, tool.kind, tool.parameters) for tool in found.tools] == [
        ("look", "function", SCHEMA), ("code_interpreter", "provider", None),
    ]  # fmt: skip
    assert (found.dialect, found.end.reason, found.issues) == ("openai_threads", "reply", [])


def test_usage_model_and_times_stand_at_the_step() -> None:
    got = reading_of(pieces_of(DIALECT, *THREAD))
    found = got.conversation
    assert (found.usage.input_tokens, found.usage.output_tokens, found.usage.calls) == (30, 10, 2)
    assert (found.turns[2].usage.input_tokens, found.turns[2].model, found.turns[2].at) == (
        10, "m-1", "2026-05-01T10:00:02.000Z",
    )  # fmt: skip
    assert (got.frame.identity.session_id, got.frame.routing.upstream_model) == ("th-1", "m-1")
    assert got.frame.captured_at == "2026-05-01T10:00:00.000Z"


def test_pages_with_the_newest_first_are_read_in_time() -> None:
    pages = [
        {"object": "list", "data": [SAYS, ASK], "has_more": False},
        {"object": "list", "data": [RUN]},
        {"object": "list", "data": STEPS[::-1]},
    ]
    assert shape(conversation(*pages)) == WHOLE


def test_steps_of_one_second_keep_the_order_in_which_they_came() -> None:
    first, second = (
        step("s-1", 2, called(look("c1", "a")), 1),
        step("s-2", 2, called(look("c2", "b")), 1),
    )
    found = conversation(ASK, RUN, first, second, SAYS)
    assert [call_id for call_id, _ in calls_in(found)] == ["c1", "c2"]


def test_messages_without_steps_are_read_by_themselves_and_cost_what_the_run_did() -> None:
    found = conversation(ASK, SAYS, RUN)
    assert shape(found) == [WHOLE[0], WHOLE[1], WHOLE[4]]
    assert (found.usage.input_tokens, found.usage.calls) == (30, 1)


def test_an_object_that_is_told_again_is_one() -> None:
    begun = {**STEPS[0], "step_details": called(look("c1", None)), "usage": None}
    assert shape(conversation(ASK, RUN, begun, *THREAD)) == WHOLE


def test_threads_are_told_apart() -> None:
    first, second = pieces_of(DIALECT, *THREAD, {**ASK, "thread_id": "th-2"})
    assert shape(first.result.conversation) == WHOLE
    assert shape(second.result.conversation) == [WHOLE[1]]


def test_tools_of_the_provider_and_pictures_are_kept() -> None:
    code = {"id": "c1", "type": "code_interpreter", "code_interpreter": {
        "input": "1+1", "outputs": [{"type": "logs", "logs": "2"}]}}  # fmt: skip
    search = {"id": "c2", "type": "file_search", "file_search": {"ranking_options": {}}}
    picture = {"type": "image_file", "image_file": {"file_id": "file-1"}}
    found = conversation(
        {**ASK, "content": [picture]}, RUN, step("s-1", 2, called(code, search), 10), SAYS
    )
    one, two = found.turns[2].calls()
    assert (one.name, one.arguments, one.executed_by) == (
        "code_interpreter", {"input": "1+1"}, "provider",
    )  # fmt: skip
    assert (two.name, results_in(found)) == ("file_search", [((2, 0), "2")])
    assert found.turns[1].parts[0].uri == "file-1"


def test_a_call_that_failed_has_an_error_and_an_open_one_no_result() -> None:
    error = {"code": "server_error", "message": "lost"}
    failed = step("s-1", 2, called(look("c1", None)), 10, last_error=error)
    assert shape(conversation(ASK, RUN, failed))[3] == ("tool", "", [], ["error"])
    waiting = conversation(ASK, RUN, step("s-1", 2, called(look("c1", None)), 10))
    assert waiting.end.reason == "open"


@pytest.mark.parametrize(
    ("fields", "end"),
    [
        ({"status": "failed", "last_error": {"message": "no quota"}}, ("error", "no quota")),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_prompt_tokens"}},
         ("limit", "max_prompt_tokens")),
        ({"status": "expired"}, ("limit", "expired")),
        ({"status": "cancelled"}, ("error", "cancelled")),
    ],
)  # fmt: skip
def test_how_the_last_run_ended_is_the_end(fields: dict, end: tuple[str, str]) -> None:
    found = conversation(ASK, {**RUN, **fields})
    assert (found.end.reason, found.end.detail) == end


def test_a_run_alone_is_no_conversation() -> None:
    (piece,) = pieces_of(DIALECT, RUN)
    assert piece.result == Refused(Reason.NO_MESSAGES, "a thread without a message")


@pytest.mark.parametrize(
    "record",
    [
        {},
        [],
        {"object": "thread", "id": "th"},
        {"object": "thread.run"},
        {"object": "thread.run", "thread_id": 3},
        {"object": ["thread.run"], "thread_id": "t"},
        {"object": "list", "data": []},
        {"object": "list", "data": [{"object": "model"}]},
    ],
)
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for place, one in enumerate(THREAD):
        for key in one.keys() - {"object", "thread_id"}:
            assert pieces_of(DIALECT, *THREAD[:place], {**one, key: odd}, *THREAD[place + 1 :])
    for inner in (look("c1", odd), {**look("c1", "x"), "function": odd}, {"type": odd}, odd):
        assert pieces_of(DIALECT, *THREAD, step("s-3", 3, called(inner), 1))
    assert pieces_of(DIALECT, {"object": "list", "data": [*THREAD, odd]})
