import base64
from typing import Any

import pytest

from benchmarks.intake.dialects.pydantic_ai import PydanticAiHistory, PydanticAiMessages
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.records.conversation import Conversation
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    founds,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

LINES = PydanticAiMessages()
HISTORY = PydanticAiHistory()


def at(second: int) -> str:
    return f"2026-05-01T10:00:{second:02d}.250000Z"


def request(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"parts": [*parts], "instructions": None, "kind": "request", **more}


def response(second: int, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "parts": [*parts], "model_name": "m-1", "timestamp": at(second), "kind": "response",
        "usage": {"input_tokens": 10 * second, "output_tokens": 5, "cache_read_tokens": 2,
                  "details": {"reasoning_tokens": 3}},
        "provider_name": "openai", "provider_response_id": f"r{second}", **more,
    }  # fmt: skip


def part(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"content": content, "part_kind": kind, **more}


def call(call_id: str, name: str, args: Any, kind: str = "tool-call") -> dict[str, Any]:
    return {"tool_name": name, "args": args, "tool_call_id": call_id, "part_kind": kind}


def came(kind: str, call_id: str | None, content: Any, **more: Any) -> dict[str, Any]:
    name = "look" if call_id else None
    return {**part(kind, content), "tool_name": name, "tool_call_id": call_id,
            "timestamp": at(4), **more}  # fmt: skip


MESSAGES = [
    request(part("system-prompt", "You help.", timestamp=at(1)),
            part("user-prompt", "Weather?", timestamp=at(1))),
    response(2, part("thinking", "hm"), part("text", "I look."),
             call("c1", "look", '{"city": "Oslo"}'), call("c2", "look", {"city": "Rome"}),
             finish_reason="tool_call"),
    request(came("tool-return", "c1", {"t": 5}, outcome="success"),
            came("retry-prompt", "c2", "No such city.")),
    response(5, part("text", "It is 5."), finish_reason="stop"),
]  # fmt: skip
WHOLE = [
    ("system", "You help.", [], []),
    ("user", "Weather?", [], []),
    ("assistant", "I look.", ["look", "look"], []),
    ("tool", "", [], ["ok"]),
    ("tool", "", [], ["error"]),
    ("assistant", "It is 5.", [], []),
]


def conversation(*messages: Any) -> Conversation:
    return reading_of(pieces_of(LINES, *messages)).conversation


def test_requests_and_responses_are_turns() -> None:
    found = conversation(*MESSAGES)
    assert shape(found) == WHOLE
    assert calls_in(found) == [("c1", {"city": "Oslo"}), ("c2", {"city": "Rome"})]
    assert results_in(found) == [((2, 2), {"t": 5}), ((2, 3), "No such city.")]
    assert found.turns[2].parts[0].text == "hm"
    assert (found.dialect, found.stop.reason, found.end.reason) == ("pydantic_ai", "end", "reply")
    assert found.issues == []


def test_usage_model_ids_and_times_are_kept() -> None:
    got = reading_of(pieces_of(LINES, *MESSAGES))
    found = got.conversation
    assert (found.usage.input_tokens, found.usage.output_tokens, found.usage.calls) == (70, 10, 2)
    turn = found.turns[2]
    assert (turn.usage.cache_read_tokens, turn.usage.reasoning_tokens) == (2, 3)
    assert (turn.model, turn.id, turn.at) == ("m-1", "r2", "2026-05-01T10:00:02.250Z")
    assert got.frame.captured_at == "2026-05-01T10:00:01.250Z"
    assert (got.frame.routing.provider, got.frame.routing.upstream_model) == ("openai", "m-1")


def test_counts_by_their_older_names_are_read() -> None:
    older = {"requests": 1, "request_tokens": 10, "response_tokens": 5, "total_tokens": 15}
    found = conversation(*MESSAGES[:1], {**MESSAGES[3], "usage": older})
    assert (found.usage.input_tokens, found.usage.output_tokens) == (10, 5)
    bad = conversation({**MESSAGES[3], "usage": {"input_tokens": -1}})
    assert [issue.code for issue in bad.issues] == ["bad_usage"]


@pytest.mark.parametrize(
    "record",
    [MESSAGES, {"messages": MESSAGES}, {"id": 1, "all_messages": MESSAGES}],
)
def test_a_history_in_one_record_is_read_like_its_messages(record: Any) -> None:
    assert HISTORY.detect(record)
    (piece,) = HISTORY.read(record)
    assert isinstance(piece.result, Reading)
    assert shape(piece.result.conversation) == WHOLE


def test_instructions_are_said_once_until_they_change() -> None:
    ask = part("user-prompt", "Weather?")
    found = conversation(
        request(ask, instructions="A."), MESSAGES[3], request(ask, instructions="A."),
        MESSAGES[3], request(ask, instructions="B."),
    )  # fmt: skip
    said = [turn.text() for turn in found.turns if turn.role == "system"]
    assert said == ["A.", "B."]


def test_what_to_try_again_without_a_tool_is_told_to_the_model() -> None:
    errors = [{"type": "missing", "loc": ["a"]}]
    found = conversation(
        MESSAGES[0], MESSAGES[3], request(came("retry-prompt", None, errors)), MESSAGES[3]
    )
    assert (found.turns[3].role, found.turns[3].parts[0].value) == ("user", errors)


def test_media_of_a_prompt_are_kept_apart() -> None:
    data = base64.b64encode(b"bytes").decode()
    content = [
        "Look.",
        {"kind": "image-url", "url": "https://x/a.png"},
        {"kind": "binary", "media_type": "image/png", "data": data},
        {"kind": "binary", "media_type": "application/pdf", "data": data},
    ]
    found = conversation(request(part("user-prompt", content)), MESSAGES[3])
    assert [(p.type, getattr(p, "media", None)) for p in found.turns[0].parts] == [
        ("text", None), ("media", "image"), ("media", "image"), ("media", "file"),
    ]  # fmt: skip


def test_a_tool_of_the_provider_answers_within_the_response() -> None:
    inside = {**part("builtin-tool-return", {"hits": 1}), "tool_name": "web", "tool_call_id": "b"}
    found = conversation(
        MESSAGES[0],
        response(2, call("b", "web", {"q": "x"}, "builtin-tool-call"), inside, part("text", "1.")),
    )
    asked = found.turns[2].calls()[0]
    assert (asked.name, asked.executed_by, results_in(found)) == (
        "web", "provider", [((2, 0), {"hits": 1})],
    )  # fmt: skip


def test_hidden_thoughts_failed_returns_and_unknown_parts_are_told() -> None:
    found = conversation(
        MESSAGES[0], response(2, part("thinking", ""), call("c1", "look", None)),
        request(came("tool-return", "c1", "no", outcome="denied"), part("new-kind", "x")),
    )  # fmt: skip
    assert found.turns[2].parts[0].encrypted is True
    assert found.turns[3].results()[0].status == "error"
    assert (found.turns[4].parts[0].type, found.turns[4].parts[0].source_type) == (
        "unknown", "new-kind",
    )  # fmt: skip


def test_an_answer_that_was_cut_ends_at_its_limit() -> None:
    found = conversation(MESSAGES[0], response(2, finish_reason="length"))
    assert (found.end.reason, found.stop.reason) == ("limit", "length")


def test_instructions_alone_are_no_conversation() -> None:
    (piece,) = LINES.read("f", founds([request(part("system-prompt", "x"))]))
    assert piece.result == Refused(Reason.NO_MESSAGES, "a history without a message")


@pytest.mark.parametrize(
    "record",
    [
        {},
        [],
        [3],
        {"kind": "request"},
        {"kind": "request", "parts": "x"},
        {"kind": "request", "parts": [3]},
        {"kind": "request", "parts": [{"type": "text"}]},
        {"kind": "other", "parts": []},
        {"kind": ["request"], "parts": []},
        {"messages": [{"role": "user", "parts": []}]},
        {"messages": "text"},
    ],
)
def test_near_misses_are_none(record: Any) -> None:
    assert not LINES.detect(record)
    assert not HISTORY.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for place, one in enumerate(MESSAGES):
        for key in one.keys() - {"kind"}:
            assert pieces_of(LINES, *MESSAGES[:place], {**one, key: odd})
        for inner in one["parts"]:
            for key in inner:
                changed = {**one, "parts": [{**inner, key: odd}, odd]}
                assert pieces_of(LINES, *MESSAGES[:place], changed)
    assert list(HISTORY.read([MESSAGES[0], odd, *MESSAGES[1:]]))
