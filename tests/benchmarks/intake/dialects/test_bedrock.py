import base64
import json
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.intake.dialects.bedrock import Bedrock
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.parsing import Parser
from benchmarks.intake.wires.envelope import frame_of, pair_of
from tests.benchmarks.intake.wires.frames import event, frame

BEDROCK = Bedrock()
HOST = "https://bedrock-runtime.us-east-1.amazonaws.com"
URL = f"{HOST}/model/maker.model-9-v1%3A0/converse"
HELLO = {"text": "Hello"}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def model(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


HI = user({"text": "Hi"})


def result(record: dict[str, Any]) -> Reading | Refused:
    pair = pair_of(record, Parser())
    if pair.stream is not None:
        found = BEDROCK.assembled(pair.stream)
        pair = replace(pair, response=found.body, truncated=found.truncated, error=found.error)
    return BEDROCK.read(pair, frame_of(pair))


def reading(messages: Any, *blocks: Any, **more: Any) -> Reading:
    response = {
        "output": {"message": {"role": "assistant", "content": list(blocks)}},
        "stopReason": more.pop("stop", "end_turn"),
        "usage": {"inputTokens": 10, "outputTokens": 4, "cacheReadInputTokens": 90,
                  "totalTokens": 104},
    }  # fmt: skip
    found = result({
        "url": URL, "status": 200,
        "request": {"messages": messages, **more.pop("request", {})}, "response": response,
    })  # fmt: skip
    assert isinstance(found, Reading)
    return found


def called(raw_id: str, name: str, **given: Any) -> dict[str, Any]:
    return {"toolUse": {"toolUseId": raw_id, "name": name, "input": given}}


def came(raw_id: str, *content: Any, **more: Any) -> dict[str, Any]:
    return {"toolResult": {"toolUseId": raw_id, "content": list(content), **more}}


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("/model/m/converse", True),
        ("/model/m/converse-stream", True),
        ("/model/m/invoke", False),
        ("/model/m/converse/other", False),
        ("/agents/A/agentAliases/B/sessions/s/text", False),
        ("/knowledgebases/K/retrieve", False),
        ("/retrieveAndGenerate", False),
    ],
)
def test_its_addresses(path: str, is_one: bool) -> None:
    assert BEDROCK.at_address(path) is is_one


@pytest.mark.parametrize(
    ("request_body", "response_body", "is_one"),
    [
        ({}, {"output": {"message": {"content": []}}}, True),
        ({"messages": [HI]}, {}, True),
        ({"messages": [{"role": "user", "content": "Hi"}], "toolConfig": {}}, {}, True),
        ({"messages": [{"role": "user", "content": "Hi"}], "inferenceConfig": {}}, {}, True),
        ({"messages": [{"role": "user", "content": "Hi"}]}, {"stopReason": "end_turn"}, True),
        ({"messages": [{"role": "user", "content": "Hi"}]}, {}, False),
        ({"messages": [user({"type": "text", "text": "Hi"})]}, {}, False),
        ({"messages": [HI], "anthropic_version": "bedrock-2023-05-31"}, {}, False),
        ({"messages": [HI]}, {"choices": []}, False),
        ({"messages": []}, {}, False),
        ({"inputText": "Hi", "enableTrace": False}, {}, False),
        ({}, {"output": [{"type": "message"}]}, False),
        ({}, {"output": {"text": "Hi"}}, False),
    ],
)
def test_its_bodies(request_body: Any, response_body: Any, is_one: bool) -> None:
    assert BEDROCK.is_call(request_body, response_body) is is_one


def test_system_history_and_answer() -> None:
    system = [{"text": "Be brief."}, {"cachePoint": {"type": "default"}}]
    found = reading([HI], HELLO, request={"system": system, "inferenceConfig": {"maxTokens": 9}})
    conversation = found.conversation
    assert [(t.role, t.origin, t.source_index, t.text()) for t in conversation.turns] == [
        ("system", "request", None, "Be brief."),
        ("user", "request", 0, "Hi"),
        ("assistant", "response", None, "Hello"),
    ]
    assert conversation.issues == []
    assert conversation.usage.dump() == {
        "input_tokens": 100, "output_tokens": 4, "cache_read_tokens": 90, "calls": 1,
    }  # fmt: skip
    assert conversation.stop.dump() == {"reason": "end", "raw": "end_turn"}
    assert conversation.end.reason == "reply"
    assert found.request.settings == {"inferenceConfig": {"maxTokens": 9}}
    assert found.frame.routing.requested_model == "maker.model-9-v1:0"


def test_several_calls_and_several_results_in_one_turn() -> None:
    found = reading(
        [HI, model(HELLO, called("A", "get", n=1), called("B", "get")),
         user(came("B", {"json": {"n": 2}}), came("A", {"text": "one"}), {"text": "and?"})],
        HELLO,
    )  # fmt: skip
    turns = found.conversation.turns
    assert [(turn.role, turn.source_index) for turn in turns] == [
        ("user", 0), ("assistant", 1), ("tool", 2), ("user", 2), ("assistant", None),
    ]  # fmt: skip
    assert [(r.call.part, r.parts[0].dump()) for r in turns[2].results()] == [
        (2, {"type": "json", "value": {"n": 2}}), (1, {"type": "text", "text": "one"}),
    ]  # fmt: skip
    assert [message["role"] for message in found.request.messages] == [
        "user", "assistant", "tool", "tool", "user",
    ]  # fmt: skip


def test_the_status_of_a_result_says_whether_it_was_rejected() -> None:
    found = reading(
        [model(called("A", "a"), called("B", "b"), called("C", "c"), called("D", "d")),
         user(came("A", {"text": "no"}, status="error"), came("B", {"text": "no"}),
              came("C", {"text": "x"}, status="success"), came("D", {"json": {"error": "no"}}))],
        HELLO,
    )  # fmt: skip
    statuses = [result.status for result in found.conversation.turns[1].results()]
    assert statuses == ["error", "ok", "ok", "error"]


def test_thinking_that_is_text_stays_text() -> None:
    found = reading([HI], {"text": "<thinking> hm </thinking>\nHello"})
    assert found.conversation.turns[1].text() == "<thinking> hm </thinking>\nHello"


def test_reasoning_is_kept_its_signature_is_not_and_what_is_encrypted_is_a_flag() -> None:
    found = reading(
        [HI],
        {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "c2VjcmV0"}}},
        {"reasoningContent": {"redactedContent": "c2VjcmV0"}},
        HELLO,
    )
    assert [part.dump() for part in found.conversation.turns[1].parts] == [
        {"type": "reasoning", "text": "Hm."}, {"type": "reasoning", "encrypted": True},
        {"type": "text", "text": "Hello"},
    ]  # fmt: skip
    assert "c2VjcmV0" not in json.dumps([found.conversation.dump(), found.response.dump()])


def test_an_empty_text_is_a_turn_without_parts() -> None:
    assert reading([HI], {"text": ""}).conversation.turns[1].parts == []


def test_media_are_kept_by_reference() -> None:
    data = base64.b64encode(b"picture").decode()
    place = {"s3Location": {"uri": "s3://b/v.mp4"}}
    found = reading(
        [user({"image": {"format": "png", "source": {"bytes": data}}},
              {"document": {"format": "pdf", "name": "bill", "source": {"bytes": data}}},
              {"video": {"format": "mp4", "source": place}})],
        HELLO,
    )  # fmt: skip
    image, document, video = found.conversation.turns[0].parts
    assert (image.media, image.mime) == ("image", "image/png")
    assert (document.media, document.mime, document.name) == ("file", "application/pdf", "bill")
    assert found.blobs == {image.content["$blob"]: b"picture"}
    assert (video.media, video.mime, video.uri) == ("video", "video/mp4", "s3://b/v.mp4")


def test_media_of_a_result_are_parts_of_it() -> None:
    data = base64.b64encode(b"picture").decode()
    image = {"image": {"format": "jpg", "source": {"bytes": data}}}
    odd = {"hologram": {"n": 1}}
    found = reading([model(called("A", "a")), user(came("A", image, odd))], HELLO)
    parts = found.conversation.turns[1].results()[0].parts
    assert [part.type for part in parts] == ["media", "json"]
    assert (parts[0].mime, parts[1].value) == ("image/jpeg", odd)


def test_guarded_and_cited_texts_are_said_all_the_same() -> None:
    cited = {
        "citationsContent": {"content": [{"text": "It is so."}], "citations": [{"title": "T"}]}
    }
    found = reading([user({"guardContent": {"text": {"text": "Hi"}}})], cited)
    assert [turn.text() for turn in found.conversation.turns] == ["Hi", "It is so."]
    assert found.conversation.turns[1].parts[1].dump() == {
        "type": "unknown", "source_type": "citations", "value": [{"title": "T"}],
    }  # fmt: skip


def test_a_block_that_no_rule_knows_is_kept_whole() -> None:
    block = {"hologram": {"n": 1}}
    found = reading([user(block)], HELLO)
    assert found.conversation.turns[0].parts[0].dump() == {
        "type": "unknown", "source_type": "hologram", "value": block,
    }  # fmt: skip


def test_tools_in_full() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}
    found = reading([HI], HELLO, request={"toolConfig": {"tools": [
        {"toolSpec": {"name": "get", "description": "Gets.", "inputSchema": {"json": schema}}},
        {"toolSpec": {"name": "bare"}}, {"cachePoint": {"type": "default"}},
        {"systemTool": {"name": "search"}},
    ], "toolChoice": {"auto": {}}}})  # fmt: skip
    get, bare, search = found.conversation.tools
    assert (get.description, get.parameters, get.required, get.extra) == (
        "Gets.", schema, ["n"], None,
    )  # fmt: skip
    assert (bare.name, bare.parameters) == ("bare", None)
    assert (search.name, search.kind) == ("search", "provider")


@pytest.mark.parametrize(
    ("stop", "reason"),
    [("end_turn", "end"), ("stop_sequence", "end"), ("tool_use", "tool_use"),
     ("max_tokens", "length"), ("guardrail_intervened", "content_filter"),
     ("content_filtered", "content_filter"), ("new_word", "unknown")],
)  # fmt: skip
def test_why_it_stopped(stop: str, reason: str) -> None:
    assert reading([HI], HELLO, stop=stop).conversation.stop.dump() == {
        "reason": reason, "raw": stop,
    }  # fmt: skip


STREAM = b"".join([
    event("messageStart", {"role": "assistant", "p": "abcd"}),
    event("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Grüße"}, "p": "ab"}),
    event("contentBlockStop", {"contentBlockIndex": 0, "p": "a"}),
    event("contentBlockStart", {
        "contentBlockIndex": 1, "start": {"toolUse": {"toolUseId": "t1", "name": "get"}},
    }),
    event("contentBlockDelta", {"contentBlockIndex": 1, "delta": {"toolUse": {"input": '{"n":'}}}),
    event("contentBlockDelta", {"contentBlockIndex": 1, "delta": {"toolUse": {"input": " 1}"}}}),
    event("contentBlockStop", {"contentBlockIndex": 1}),
    event("messageStop", {"stopReason": "tool_use"}),
    event("metadata", {"usage": {"inputTokens": 5, "outputTokens": 2, "totalTokens": 7}}),
])  # fmt: skip
STREAM_URL = f"{URL}-stream"
EVENT_STREAM = "application/vnd.amazon.eventstream"
B64 = base64.b64encode(STREAM).decode()


@pytest.mark.parametrize(
    "answer",
    [
        {"response_raw": {"b64": B64}},
        {"response_body": B64},
        {"response_body": B64, "content_type": EVENT_STREAM},
        {"response_text": STREAM.hex(), "content_type": EVENT_STREAM},
    ],
)
def test_a_binary_stream_is_read_wherever_its_bytes_stand(answer: dict[str, Any]) -> None:
    found = result({"url": STREAM_URL, "request": {"messages": [HI]}, "status": 200, **answer})
    assert isinstance(found, Reading)
    conversation = found.conversation
    assert conversation.turns[1].text() == "Grüße"
    assert [call.arguments for call in conversation.turns[1].calls()] == [{"n": 1}]
    assert conversation.usage.dump() == {"input_tokens": 5, "output_tokens": 2, "calls": 1}
    assert (conversation.stop.reason, conversation.issues) == ("tool_use", [])
    assert found.response.encoding == "sse"


def test_the_events_of_a_client_library_are_a_stream_as_well() -> None:
    chunks = [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Hi"}}},
        {"messageStop": {"stopReason": "end_turn"}},
    ]
    found = result({"url": STREAM_URL, "request": {"messages": [HI]}, "response": chunks})
    assert isinstance(found, Reading)
    assert found.conversation.turns[1].text() == "Hi"
    assert [issue.code for issue in found.conversation.issues] == ["missing_usage"]


def test_a_stream_that_breaks_off_says_so_and_keeps_what_came() -> None:
    cut = base64.b64encode(STREAM[: STREAM.index(b" 1}") + 2]).decode()
    found = result({"url": STREAM_URL, "request": {"messages": [HI]}, "response_raw": {"b64": cut}})
    assert isinstance(found, Reading)
    call = found.conversation.turns[1].calls()[0]
    assert (call.arguments, call.arguments_raw, call.arguments_error.kind) == (
        None, '{"n":', "truncated",
    )  # fmt: skip
    assert "truncated_stream" in [issue.code for issue in found.conversation.issues]


def test_an_exception_in_the_stream_is_a_failed_call_whatever_the_status() -> None:
    failure = frame(
        {"message": "slow down"}, exception_type="throttlingException", message_type="exception"
    )
    data = base64.b64encode(event("messageStart", {}) + failure).decode()
    found = result({
        "url": STREAM_URL, "status": 200, "request": {"messages": [HI]},
        "response_raw": {"b64": data},
    })  # fmt: skip
    assert isinstance(found, Reading)
    assert [turn.role for turn in found.conversation.turns] == ["user"]
    assert found.conversation.end.dump() == {
        "reason": "error", "detail": "throttlingException: slow down",
    }  # fmt: skip


def test_a_failed_call_keeps_its_turns_and_what_it_said() -> None:
    found = result({
        "url": URL, "status": 400, "request": {"messages": [HI], "system": []},
        "response": {"message": "The model is unknown."},
    })  # fmt: skip
    assert isinstance(found, Reading)
    assert [turn.role for turn in found.conversation.turns] == ["user"]
    assert found.conversation.end.detail == "status 400: The model is unknown."


def test_no_answer_and_no_message_are_refused() -> None:
    assert result({"url": URL, "request": {"messages": [HI]}, "response": {}}) == Refused(
        Reason.NO_RESPONSE, "a request without an answer"
    )
    assert result({"url": URL, "request": {}, "response": {}}) == Refused(
        Reason.NO_MESSAGES, "neither a message nor an answer"
    )


ODD = [None, 1, True, "x", [], {}, [None], [[]], {"text": 1}, {"source": 1}, {"content": "x"}]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(
    "kind", ["text", "toolUse", "toolResult", "image", "document", "reasoningContent",
             "guardContent", "citationsContent", "cachePoint", "other"]
)  # fmt: skip
def test_a_block_of_any_shape_costs_nothing_else(kind: str, odd: Any) -> None:
    found = reading([HI, model({kind: odd}), user({kind: odd})], {kind: odd}, HELLO)
    assert found.conversation.turns[0].text() == "Hi"
    assert found.conversation.turns[-1].text().endswith("Hello")


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(
    "key", ["messages", "system", "toolConfig", "output", "stopReason", "usage", "content"]
)
def test_a_field_of_any_shape_raises_nothing(key: str, odd: Any) -> None:
    request = {"messages": [HI, {"role": odd, "content": odd}], key: odd}
    response = {"output": {"message": {"content": [HELLO], key: odd}}, key: odd}
    found = result({"url": URL, "request": request, "response": response})
    assert isinstance(found, Reading | Refused)
