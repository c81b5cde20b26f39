import base64
import json
from typing import Any

import pytest

from benchmarks.intake.dialects.openai_chat import read
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Refused
from benchmarks.intake.recognising import read_call
from benchmarks.intake.sources.parsing import Parser
from benchmarks.intake.wires.envelope import frame_of, pair_of

USER = {"role": "user", "content": "Refund order A-1007."}
SAID = {"index": 0, "message": {"role": "assistant", "content": "On it."}, "finish_reason": "stop"}


def result(messages: Any, response: Any, **more: Any) -> Reading | Refused:
    request = {"model": "m", "messages": messages, **more.pop("request", {})}
    pair = pair_of({"request": request, "response": response, **more}, Parser())
    return read(pair, frame_of(pair))


def reading(messages: Any, *choices: dict[str, Any], **more: Any) -> Reading:
    response = {"id": "chatcmpl-1", "model": "m-1", "choices": list(choices), "usage": {}}
    found = result(messages, response, **more)
    assert isinstance(found, Reading)
    return found


def called(name: str, arguments: Any, raw_id: str | None = "c1") -> dict[str, Any]:
    call = {"type": "function", "function": {"name": name, "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": raw_id, **call}]}


def test_a_request_and_its_answer_are_one_conversation() -> None:
    found = reading([{"role": "developer", "content": "Be brief."}, USER], SAID)
    turns = found.conversation.turns
    assert [(t.role, t.origin, t.source_index, t.text()) for t in turns] == [
        ("system", "request", 0, "Be brief."),
        ("user", "request", 1, "Refund order A-1007."),
        ("assistant", "response", None, "On it."),
    ]
    assert turns[2].model == "m-1"
    assert found.conversation.stop.dump() == {"reason": "end", "raw": "stop"}
    assert found.conversation.end.reason == "reply"
    assert found.response_id == "chatcmpl-1"
    assert found.request.system == "Be brief."
    assert found.request.messages == [USER]
    assert found.request.settings == {"model": "m"}


def test_calls_results_and_open_calls() -> None:
    found = reading(
        [USER, called("get_order", '{"order_id": "A-1007"}'),
         {"role": "tool", "tool_call_id": "c1", "content": '{"total": 25.0}'}],
        {"message": called("issue_refund", '{"amount": 25.0}', "c2"),
         "finish_reason": "tool_calls"},
    )  # fmt: skip
    turns = found.conversation.turns
    assert turns[2].results()[0].dump() == {
        "type": "tool_result", "call_id": "c1", "name": "get_order", "status": "ok",
        "parts": [{"type": "text", "text": '{"total": 25.0}'}], "call": {"turn": 1, "part": 0},
    }  # fmt: skip
    assert turns[3].calls()[0].arguments == {"amount": 25.0}
    assert found.conversation.end.reason == "open"
    assert found.conversation.issues == []
    assert found.response.tool_calls == [
        {"id": "c2", "name": "issue_refund", "arguments": {"amount": 25.0}}
    ]


def test_the_legacy_function_call_joins_by_name() -> None:
    legacy = {"role": "assistant", "content": None,
              "function_call": {"name": "get_weather", "arguments": "{}"}}  # fmt: skip
    found = reading(
        [USER, legacy, {"role": "function", "name": "get_weather", "content": "sunny"}], SAID
    )
    (joined,) = found.conversation.turns[2].results()
    assert (joined.call.turn, joined.name, joined.call_id) == (1, "get_weather", "call-1")


def test_a_call_without_an_id_joins() -> None:
    found = reading(
        [USER, called("now", "{}", ""),
         {"role": "tool", "tool_call_id": "made-up", "content": "Noon"}], SAID,
    )  # fmt: skip
    assert found.conversation.turns[2].results()[0].call.turn == 1


def test_an_arguments_key_that_is_absent_is_an_empty_object() -> None:
    message = {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "now"}}]}
    found = reading([USER], {"message": message, "finish_reason": "tool_calls"})
    assert found.conversation.turns[1].calls()[0].arguments == {}


def test_a_custom_tool_takes_its_text_as_input() -> None:
    message = {
        "tool_calls": [{"id": "a", "type": "custom", "custom": {"name": "sh", "input": "ls"}}]
    }
    found = reading([USER], {"message": message})
    assert found.conversation.turns[1].calls()[0].arguments == {"input": "ls"}


def test_parts_of_every_type() -> None:
    audio = base64.b64encode(b"sound").decode()
    content = [
        {"type": "text", "text": "Look:"},
        {"type": "image_url", "image_url": {"url": "https://x.test/a.png"}},
        {"type": "input_audio", "input_audio": {"data": audio, "format": "wav"}},
        {"type": "file", "file": {"file_id": "file-1", "filename": "a.pdf"}},
        {"type": "hologram", "data": 1},
    ]
    found = reading([{"role": "user", "content": content}], SAID)
    parts = found.conversation.turns[0].parts
    assert [part.type for part in parts] == ["text", "media", "media", "media", "unknown"]
    assert (parts[1].media, parts[1].uri) == ("image", "https://x.test/a.png")
    assert (parts[2].media, parts[2].mime, parts[2].content["bytes"]) == ("audio", "audio/wav", 5)
    assert (parts[3].name, parts[3].uri) == ("a.pdf", "file-1")
    assert list(found.blobs.values()) == [b"sound"]
    assert [issue.code for issue in found.conversation.issues] == ["unknown_part"]


def test_reasoning_and_refusals_are_parts_of_their_own() -> None:
    message = {"role": "assistant", "content": None, "reasoning_content": "hm", "refusal": "No."}
    found = reading([USER], {"message": message, "finish_reason": "stop"})
    assert [part.dump() for part in found.conversation.turns[1].parts] == [
        {"type": "reasoning", "text": "hm"}, {"type": "refusal", "text": "No."},
    ]  # fmt: skip
    assert found.conversation.end.reason == "reply"


def test_the_first_choice_is_the_answer_and_the_others_are_alternatives() -> None:
    other = {"index": 1, "message": {"content": "Or not."}, "finish_reason": "stop"}
    found = reading([USER], other, SAID)
    assert found.conversation.turns[-1].text() == "On it."
    assert [turn.text() for turn in found.conversation.alternatives] == ["Or not."]


def test_provider_blobs_are_dropped() -> None:
    message = {"content": "ok", "extra_content": {"google": {"thought_signature": "AVSo"}}}
    found = reading([USER], {"message": message})
    assert "AVSo" not in repr(found)


@pytest.mark.parametrize(
    ("raw", "reason", "end"),
    [
        ("stop", "end", "reply"),
        ("length", "length", "limit"),
        ("content_filter", "content_filter", "reply"),
        ("tool_calls", "tool_use", "reply"),
        ("eos", "unknown", "reply"),
        (None, "unknown", "reply"),
    ],
)
def test_why_the_model_stopped(raw: str | None, reason: str, end: str) -> None:
    found = reading([USER], {**SAID, "finish_reason": raw}).conversation
    assert (found.stop.reason, found.stop.raw, found.end.reason) == (reason, raw, end)


def test_a_failed_call_has_no_output_turn_and_keeps_its_error() -> None:
    found = result([USER], {"error": {"message": "overloaded"}}, status=503)
    assert isinstance(found, Reading)
    assert [turn.role for turn in found.conversation.turns] == ["user"]
    assert found.conversation.end.dump() == {
        "reason": "error", "detail": "status 503: overloaded",
    }  # fmt: skip
    assert (found.conversation.stop.reason, found.conversation.usage) == ("error", None)
    assert found.conversation.issues == []
    assert found.response.body == {"error": {"message": "overloaded"}}


@pytest.mark.parametrize(
    ("messages", "response", "reason"),
    [
        ([], {"choices": []}, "no_messages"),
        (None, None, "no_messages"),
        ("hi", {}, "no_messages"),
        ([USER], None, "no_response"),
        ([USER], {}, "no_response"),
        ([USER], {"choices": []}, "no_response"),
        ([USER], {"choices": [{"index": 0}]}, "no_response"),
        ([USER], {"choices": "none"}, "no_response"),
        ([USER], "text", "no_response"),
        ([], {"error": "no"}, "no_messages"),
        (["hi", None], None, "no_messages"),
        ([], {"choices": [{"delta": {"content": "x"}}]}, "no_messages"),
        ([USER], {"choices": [{"delta": {"content": "x"}}]}, "no_response"),
        ([USER], {"choices": [{"text": "legacy"}]}, "no_response"),
        ([USER], {"choices": [{"message": None}]}, "no_response"),
        ([USER], {"choices": [{"message": "text"}]}, "no_response"),
        ([USER], {"choices": {"0": SAID}}, "no_response"),
        ([USER], {"choices": [None, 1]}, "no_response"),
        ([USER], {"choices": None}, "no_response"),
        ([USER], {"candidates": []}, "no_response"),
        ([USER], {"output": []}, "no_response"),
        ([USER], {"id": "chatcmpl-1", "usage": {}}, "no_response"),
        ([USER], [], "no_response"),
        ([USER], 5, "no_response"),
        ([{}], None, "no_response"),
        ({"0": USER}, None, "no_messages"),
        ([1], {"choices": []}, "no_messages"),
    ],
)
def test_what_holds_no_conversation_is_refused(messages: Any, response: Any, reason: str) -> None:
    found = result(messages, response)
    assert isinstance(found, Refused)
    assert found.reason.value == reason


def test_usage_that_is_missing_is_said_of_a_call_that_did_not_fail() -> None:
    found = result([USER], {"choices": [SAID]})
    assert isinstance(found, Reading)
    assert [issue.code for issue in found.conversation.issues] == ["missing_usage"]


def test_a_role_that_no_rule_knows_is_kept_and_is_nobody_s_turn() -> None:
    found = reading([USER, {"role": "ipython", "content": "4"}], SAID)
    strange = found.conversation.turns[1]
    assert (strange.role, strange.parts[0].source_type) == ("tool", "ipython")


def test_an_answer_that_was_spoken_keeps_its_words_and_its_sound() -> None:
    sound = base64.b64encode(b"sound").decode()
    audio = {"id": "audio_1", "data": sound, "transcript": "Hello."}
    kept = {"role": "assistant", "content": None, "audio": {"id": "audio_0"}}
    found = reading([USER, kept, USER], {"message": {"content": None, "audio": audio}})
    turns = found.conversation.turns
    assert turns[1].parts[0].dump() == {
        "type": "media", "media": "audio", "mime": "application/octet-stream", "uri": "audio_0",
    }  # fmt: skip
    assert [part.type for part in turns[-1].parts] == ["text", "media"]
    assert (turns[-1].text(), list(found.blobs.values())) == ("Hello.", [b"sound"])


def streamed(*chunks: dict[str, Any], end: str = "data: [DONE]\n\n") -> Reading:
    text = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + end
    url = "https://api.groq.com/openai/v1/chat/completions"
    record = {"url": url, "request": {"messages": [USER]}, "response_raw": {"text": text}}
    found = read_call(record, Parser(), None).result
    assert isinstance(found, Reading)
    return found


def said_by(index: int, content: str, reason: str | None = None) -> dict[str, Any]:
    choice = {"index": index, "delta": {"content": content}, "finish_reason": reason}
    return {"id": "chatcmpl-1", "choices": [choice]}


def test_a_stream_of_several_choices_has_one_answer_and_alternatives() -> None:
    found = streamed(
        said_by(1, "Or "), said_by(0, "On "), said_by(1, "not.", "stop"), said_by(0, "it.", "stop")
    )
    assert found.conversation.turns[-1].text() == "On it."
    assert [turn.text() for turn in found.conversation.alternatives] == ["Or not."]
    assert (found.response_id, found.response.encoding) == ("chatcmpl-1", "sse")
    assert found.frame.routing.provider == "api.groq.com"


def test_a_stream_that_ends_in_an_error_event_is_a_failed_call() -> None:
    error = 'event: error\ndata: {"error": {"message": "validation failed"}}\n\n'
    found = streamed(said_by(0, "On "), end=error).conversation
    assert [turn.role for turn in found.turns] == ["user"]
    assert found.end.dump() == {"reason": "error", "detail": "validation failed"}
    assert (found.stop.reason, found.usage, found.issues) == ("error", None, [])


def test_a_stream_without_an_end_is_said_to_be_cut() -> None:
    found = streamed(said_by(0, "On "), end="").conversation
    assert found.turns[-1].text() == "On "
    assert [issue.code for issue in found.issues] == ["missing_usage", "truncated_stream"]
