import json
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.intake.dialects.gemini import Gemini
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.parsing import Parser
from benchmarks.intake.wires.envelope import frame_of, pair_of

GEMINI = Gemini()
HOST = "https://generativelanguage.googleapis.com"
URL = f"{HOST}/v1beta/models/gemini-9:generateContent"
HI = {"role": "user", "parts": [{"text": "Hi"}]}
HELLO = {"text": "Hello"}


def result(record: dict[str, Any]) -> Reading | Refused:
    pair = pair_of(record, Parser())
    if pair.stream is not None:
        found = GEMINI.assembled(pair.stream)
        pair = replace(pair, response=found.body, truncated=found.truncated, error=found.error)
    return GEMINI.read(pair, frame_of(pair))


def candidate(*parts: Any, finish: str = "STOP", **more: Any) -> dict[str, Any]:
    return {"content": {"role": "model", "parts": list(parts)}, "finishReason": finish, **more}


def reading(contents: Any, *parts: Any, **more: Any) -> Reading:
    response = {
        "candidates": [candidate(*parts, finish=more.pop("finish", "STOP"))],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 4, "totalTokenCount": 14},
        "modelVersion": "gemini-9-001", "responseId": "resp-1",
    }  # fmt: skip
    found = result({
        "url": URL, "request": {"contents": contents, **more.pop("request", {})},
        "response": response, **more,
    })  # fmt: skip
    assert isinstance(found, Reading)
    return found


def called(name: str, raw_id: str | None = None, **args: Any) -> dict[str, Any]:
    call: dict[str, Any] = {"name": name, "args": args}
    return {"functionCall": call | ({"id": raw_id} if raw_id else {})}


def came(name: str, response: Any, raw_id: str | None = None, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"name": name, "response": response, **more}
    return {"functionResponse": found | ({"id": raw_id} if raw_id else {})}


def model(*parts: Any) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("/v1beta/models/gemini-9:generateContent", True),
        ("/v1/projects/p/locations/l/publishers/google/models/g:streamGenerateContent", True),
        ("/v1beta/models/gemini-9:countTokens", False),
        ("/v1beta/models/gemini-9:embedContent", False),
        ("/v1beta/models/gemini-9:batchGenerateContent", False),
        ("/v1/generateContent", False),
        ("", False),
    ],
)
def test_its_addresses(path: str, is_one: bool) -> None:
    assert GEMINI.at_address(path) is is_one


def test_its_bodies() -> None:
    assert GEMINI.is_call({"contents": []}, {})
    assert GEMINI.is_call({}, {"candidates": []})
    assert not GEMINI.is_call({"contents": "Hi"}, {})
    assert not GEMINI.is_call({"messages": []}, {"choices": []})


def test_system_history_and_answer() -> None:
    system = {"role": "user", "parts": [{"text": "Be brief."}]}
    found = reading([HI], HELLO, request={"systemInstruction": system, "generationConfig": {}})
    conversation = found.conversation
    assert [(t.role, t.origin, t.source_index, t.text()) for t in conversation.turns] == [
        ("system", "request", None, "Be brief."),
        ("user", "request", 0, "Hi"),
        ("assistant", "response", None, "Hello"),
    ]
    assert conversation.turns[2].model == "gemini-9-001"
    assert conversation.usage.dump() == {"input_tokens": 10, "output_tokens": 4, "calls": 1}
    assert conversation.stop.dump() == {"reason": "end", "raw": "STOP"}
    assert conversation.end.reason == "reply"
    assert (found.request.system, found.request.settings) == ("Be brief.", {"generationConfig": {}})
    assert (found.response_id, found.frame.capture_id) == ("resp-1", "resp-1")
    routing = found.frame.routing
    assert (routing.requested_model, routing.upstream_model) == ("gemini-9", "gemini-9-001")


@pytest.mark.parametrize(
    "system",
    ["Be brief.", {"parts": [{"text": "Be brief."}]}, {"parts": {"text": "Be brief."}},
     [{"text": "Be brief."}], ["Be brief."]],
)  # fmt: skip
@pytest.mark.parametrize("key", ["systemInstruction", "system_instruction"])
def test_the_system_text_has_several_forms(system: Any, key: str) -> None:
    found = reading([HI], HELLO, request={key: system})
    assert found.conversation.turns[0].text() == "Be brief."
    assert found.request.settings == {}


def test_the_snake_case_of_client_libraries_is_read_as_well() -> None:
    found = result({
        "request": {"contents": [
            user({"inline_data": {"mime_type": "image/png", "data": "aGk="}}),
            model({"function_call": {"name": "get", "args": {"n": 1}}}),
            user({"function_response": {"name": "get", "response": {"n": 1}}}),
        ], "tools": [{"function_declarations": [{"name": "get"}]}]},
        "response": {
            "candidates": [{"content": {"parts": [HELLO]}, "finish_reason": "MAX_TOKENS"}],
            "usage_metadata": {"prompt_token_count": 3, "candidates_token_count": 2},
            "model_version": "m", "response_id": "r",
        },
    })  # fmt: skip
    assert isinstance(found, Reading)
    turns = found.conversation.turns
    assert [turn.role for turn in turns] == ["user", "assistant", "tool", "assistant"]
    assert turns[0].parts[0].mime == "image/png"
    assert turns[2].results()[0].call.dump() == {"turn": 1, "part": 0}
    assert found.conversation.stop.dump() == {"reason": "length", "raw": "MAX_TOKENS"}
    assert found.conversation.usage.dump() == {"input_tokens": 3, "output_tokens": 2, "calls": 1}
    assert [tool.name for tool in found.conversation.tools] == ["get"]
    assert (found.response_id, found.frame.routing.upstream_model) == ("r", "m")


def test_calls_and_results_without_ids_join_by_name_and_order() -> None:
    found = reading(
        [HI, model(called("get", n=1), called("set"), called("get", n=2)),
         user(came("get", {"v": "one"}), came("get", {"v": "two"}), came("set", {"v": 3}))],
        HELLO,
    )  # fmt: skip
    turns = found.conversation.turns
    assert [turn.role for turn in turns] == ["user", "assistant", "tool", "assistant"]
    assert [(r.name, r.call.part, r.parts[0].value) for r in turns[2].results()] == [
        ("get", 0, {"v": "one"}), ("get", 2, {"v": "two"}), ("set", 1, {"v": 3}),
    ]  # fmt: skip
    assert found.conversation.issues == []


def test_results_and_the_rest_of_a_content_are_two_turns() -> None:
    found = reading([HI, model(called("get", "c1")), user(HELLO, came("get", {}, "c1"))], HELLO)
    assert [(turn.role, turn.source_index) for turn in found.conversation.turns] == [
        ("user", 0), ("assistant", 1), ("tool", 2), ("user", 2), ("assistant", None),
    ]  # fmt: skip


def test_the_error_key_of_a_response_is_an_error() -> None:
    found = reading(
        [HI, model(called("a"), called("b"), called("c"), called("d")),
         user(came("a", {"error": "no such city"}), came("b", {"error": None}),
              came("c", {"output": "failed"}), came("d", "Error: down"))],
        HELLO,
    )  # fmt: skip
    statuses = [result.status for result in found.conversation.turns[2].results()]
    assert statuses == ["error", "ok", "ok", "error"]


def test_a_call_in_the_answer_is_a_tool_use_and_never_tells_its_signature() -> None:
    found = reading([HI], {**called("get", n=1), "thoughtSignature": "c2VjcmV0"})
    assert found.conversation.stop.dump() == {"reason": "tool_use", "raw": "STOP"}
    assert found.conversation.turns[1].calls()[0].arguments == {"n": 1}
    assert found.response.tool_calls == [{"id": "call-1", "name": "get", "arguments": {"n": 1}}]
    assert "c2VjcmV0" not in json.dumps([found.conversation.dump(), found.response.dump()])


def test_a_thought_is_reasoning_and_a_signature_alone_is_nothing() -> None:
    found = reading([HI], {"text": "Hm.", "thought": True}, {"thoughtSignature": "s"}, HELLO)
    assert [part.dump() for part in found.conversation.turns[1].parts] == [
        {"type": "reasoning", "text": "Hm."}, {"type": "text", "text": "Hello"},
    ]  # fmt: skip


def test_a_candidate_without_parts_is_a_turn_without_parts() -> None:
    found = result({
        "url": URL, "request": {"contents": [HI]},
        "response": {
            "candidates": [{"content": {"role": "model"}, "finishReason": "MAX_TOKENS"}],
            "usageMetadata": {"promptTokenCount": 15, "thoughtsTokenCount": 2,
                              "totalTokenCount": 17},
        },
    })  # fmt: skip
    assert isinstance(found, Reading)
    conversation = found.conversation
    assert [(turn.role, turn.parts) for turn in conversation.turns[1:]] == [("assistant", [])]
    assert conversation.stop.reason == "length"
    assert conversation.usage.dump() == {
        "input_tokens": 15, "output_tokens": 2, "reasoning_tokens": 2, "calls": 1,
    }  # fmt: skip


def test_a_prompt_that_was_blocked_is_answered_by_the_filter() -> None:
    response = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}
    found = result({"url": URL, "request": {"contents": [HI]}, "response": response})
    assert isinstance(found, Reading)
    assert found.conversation.stop.dump() == {
        "reason": "content_filter", "raw": "PROHIBITED_CONTENT",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("finish", "reason"),
    [("STOP", "end"), ("MAX_TOKENS", "length"), ("SAFETY", "content_filter"),
     ("RECITATION", "content_filter"), ("MALFORMED_FUNCTION_CALL", "error"), ("OTHER", "unknown")],
)  # fmt: skip
def test_why_it_stopped(finish: str, reason: str) -> None:
    found = reading([HI], HELLO, finish=finish)
    assert found.conversation.stop.dump() == {"reason": reason, "raw": finish}


def test_the_first_candidate_by_its_index_answers_and_the_others_are_alternatives() -> None:
    found = result({"url": URL, "request": {"contents": [HI]}, "response": {"candidates": [
        candidate({"text": "two"}, index=1), candidate({"text": "one"}, index=0),
        candidate(called("get"), index=2),
    ]}})  # fmt: skip
    assert isinstance(found, Reading)
    conversation = found.conversation
    assert conversation.turns[-1].text() == "one"
    assert [(turn.index, turn.text()) for turn in conversation.alternatives] == [
        (0, "two"),
        (1, ""),
    ]
    assert conversation.alternatives[1].calls()[0].name == "get"
    assert [issue.code for issue in conversation.issues] == ["missing_usage"]


def test_tools_in_full_under_each_of_their_keys() -> None:
    capital = {
        "type": "OBJECT", "required": ["type"],
        "properties": {"type": {"type": "STRING", "enum": ["STRING", "B"]},
                       "list": {"type": "ARRAY", "items": {"type": "INTEGER"}}},
    }  # fmt: skip
    small = {"type": "object", "properties": {"n": {"type": "number"}}}
    found = reading([HI], HELLO, request={"tools": [
        {"functionDeclarations": [
            {"name": "a", "description": "A.", "parameters": capital},
            {"name": "b", "parametersJsonSchema": small, "response": {"type": "OBJECT"}},
            {"name": "c", "parameters_json_schema": small},
            {"name": "d"},
        ]},
        {"googleSearch": {}}, {"codeExecution": {"mode": "safe"}},
    ]})  # fmt: skip
    a, b, c, d, search, code = found.conversation.tools
    assert (a.description, a.required) == ("A.", ["type"])
    assert a.parameters == {
        "type": "object", "required": ["type"],
        "properties": {"type": {"type": "string", "enum": ["STRING", "B"]},
                       "list": {"type": "array", "items": {"type": "integer"}}},
    }  # fmt: skip
    assert (b.parameters, b.extra) == (small, {"response": {"type": "OBJECT"}})
    assert (c.parameters, d.parameters, d.description) == (small, None, None)
    assert [(tool.name, tool.kind, tool.extra) for tool in (search, code)] == [
        ("googleSearch", "provider", None), ("codeExecution", "provider", {"mode": "safe"}),
    ]  # fmt: skip
    assert [tool["function"]["name"] for tool in found.request.tools[:2]] == ["a", "b"]


def events(*chunks: Any) -> str:
    return "".join(f"data: {json.dumps(one)}\n\n" for one in chunks)


PARALLEL = (
    {"candidates": [{"content": {"parts": [called("get", n=1)], "role": "model"}}]},
    {"candidates": [{"content": {"parts": [called("get", n=2)], "role": "model"}}],
     "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 1, "totalTokenCount": 10}},
    {"candidates": [{"content": {"parts": [called("get", n=3)]}, "finishReason": "STOP"}],
     "usageMetadata": {"promptTokenCount": 8, "candidatesTokenCount": 6, "totalTokenCount": 14},
     "responseId": "resp-1"},
)  # fmt: skip


@pytest.mark.parametrize(
    "answer",
    [
        {"response_raw": {"text": events(*PARALLEL)}},
        {"response_body": events(*PARALLEL)},
        {"response": list(PARALLEL)},
        {"response_raw": {"text": json.dumps(PARALLEL)}},
    ],
)
def test_a_streamed_answer_holds_its_calls_in_order_and_the_counts_of_the_last_chunk(
    answer: dict[str, Any],
) -> None:
    found = result({"url": f"{URL}?alt=sse", "request": {"contents": [HI]}, **answer})
    assert isinstance(found, Reading)
    conversation = found.conversation
    assert [call.arguments for call in conversation.turns[1].calls()] == [
        {"n": 1}, {"n": 2}, {"n": 3},
    ]  # fmt: skip
    assert [call.call_id for call in conversation.turns[1].calls()] == [
        "call-1",
        "call-2",
        "call-3",
    ]
    assert conversation.usage.dump() == {"input_tokens": 8, "output_tokens": 6, "calls": 1}
    assert (found.response.encoding, conversation.issues) == ("sse", [])
    assert conversation.stop.reason == "tool_use"


def test_a_stream_that_breaks_off_says_so() -> None:
    text = json.dumps(PARALLEL)[:-150]
    found = result({"url": URL, "request": {"contents": [HI]}, "response_raw": {"text": text}})
    assert isinstance(found, Reading)
    assert "truncated_stream" in [issue.code for issue in found.conversation.issues]
    assert [call.arguments for call in found.conversation.turns[1].calls()] == [{"n": 1}, {"n": 2}]


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"status": 400, "response": {"error": {"code": 400, "message": "bad key"}}},
         "status 400: bad key"),
        ({"status": 200, "response_raw": {"text": events({"error": {"message": "overloaded"}})}},
         "overloaded"),
        ({"response": {"error": {"message": "no"}}}, "an error body: no"),
    ],
)  # fmt: skip
def test_a_failed_call_has_no_output_turn_and_keeps_what_it_said(
    record: dict[str, Any], said: str
) -> None:
    found = result({"url": URL, "request": {"contents": [HI]}, **record})
    assert isinstance(found, Reading)
    assert [turn.role for turn in found.conversation.turns] == ["user"]
    assert (found.conversation.end.reason, found.conversation.end.detail) == ("error", said)
    assert found.conversation.issues == []


def test_no_answer_and_no_message_are_refused() -> None:
    assert result({"request": {"contents": [HI]}, "response": {}}) == Refused(
        Reason.NO_RESPONSE, "a request without an answer"
    )
    assert result({"request": {"contents": []}, "response": {}}) == Refused(
        Reason.NO_MESSAGES, "neither a message nor an answer"
    )


@pytest.mark.parametrize("contents", ["Hi", HI, [HI], {"parts": "Hi"}, {"parts": ["Hi"]}])
def test_contents_may_be_one_or_a_text(contents: Any) -> None:
    assert reading(contents, HELLO).conversation.turns[0].text() == "Hi"


ODD = [
    None, 1, True, "x", [], {}, [None], [1], [[]], {"text": 1}, {"parts": 1}, {"name": 1},
    {"outcome": []}, {"response": [[]], "id": [], "name": {}, "args": 1},
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(
    "part", ["text", "functionCall", "functionResponse", "inlineData", "fileData",
             "executableCode", "codeExecutionResult", "thought", "other"]
)  # fmt: skip
def test_a_part_of_any_shape_costs_nothing_else(part: str, odd: Any) -> None:
    found = reading([HI, model({part: odd}), user({part: odd})], {part: odd}, HELLO)
    assert found.conversation.turns[0].text() == "Hi"
    assert found.conversation.turns[-1].text().endswith("Hello")


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(
    "key", ["contents", "tools", "systemInstruction", "candidates", "usageMetadata",
            "promptFeedback", "modelVersion", "responseId"]
)  # fmt: skip
def test_a_field_of_any_shape_raises_nothing(key: str, odd: Any) -> None:
    request = {"contents": [HI], "tools": [{"functionDeclarations": odd}, odd], key: odd}
    response = {"candidates": [candidate(HELLO)], key: odd}
    assert isinstance(result({"request": request, "response": response}), Reading | Refused)
