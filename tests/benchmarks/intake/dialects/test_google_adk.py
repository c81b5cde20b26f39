from typing import Any

import pytest

from benchmarks.intake.dialects.google_adk import GoogleAdkEvents, GoogleAdkSession
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

SESSION = GoogleAdkSession()
EVENTS = GoogleAdkEvents()


def event(author: str, second: int, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    role = "model" if author != "user" else "user"
    return {
        "id": f"e{second}", "author": author, "invocation_id": "i", "actions": {},
        "content": {"parts": [*parts], "role": role}, "timestamp": 1777629600.25 + second, **more,
    }  # fmt: skip


def cost(spent: int) -> dict[str, Any]:
    return {"prompt_token_count": spent, "candidates_token_count": 5, "thoughts_token_count": 2,
            "total_token_count": spent + 7}  # fmt: skip


CALL = {"function_call": {"id": "c1", "name": "look", "args": {"city": "Oslo"}}}
CAME = {"function_response": {"id": "c1", "name": "look", "response": {"result": "rain"}}}
ALL = [
    event("user", 0, {"text": "Weather?"}),
    event("helper", 1, {"text": "I lo"}, partial=True),
    event("helper", 2, {"text": "hm", "thought": True}, CALL, usage_metadata=cost(10),
          model_version="g-1"),
    event("helper", 3, CAME),
    event("helper", 4, {"text": "It rains."}, usage_metadata=cost(20), model_version="g-1"),
]  # fmt: skip
WHOLE = [
    ("user", "Weather?", [], []),
    ("assistant", "", ["look"], []),
    ("tool", "", [], ["ok"]),
    ("assistant", "It rains.", [], []),
]


def camel(value: Any) -> Any:
    """The same as the server and the TypeScript kit write it."""
    if isinstance(value, list):
        return [camel(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {_camel(key): camel(item) for key, item in value.items()}


def _camel(key: str) -> str:
    first, *rest = key.split("_")
    return first + "".join(word.capitalize() for word in rest)


def session(*events: Any, **more: Any) -> Reading:
    record = {"id": "s-1", "app_name": "desk", "user_id": "u", "events": [*events], **more}
    assert SESSION.detect(record)
    return reading_of(list(SESSION.read(record)))


def test_events_of_a_session_are_turns_and_pieces_of_a_stream_are_none() -> None:
    found = session(*ALL).conversation
    assert shape(found) == WHOLE
    assert calls_in(found) == [("c1", {"city": "Oslo"})]
    assert results_in(found) == [((1, 1), {"result": "rain"})]
    assert (found.turns[1].parts[0].text, found.turns[1].name) == ("hm", "helper")
    assert (found.dialect, found.end.reason, found.issues) == ("google_adk", "reply", [])


def test_usage_model_session_and_times_are_kept() -> None:
    got = session(*ALL)
    found = got.conversation
    assert (found.usage.input_tokens, found.usage.output_tokens, found.usage.calls) == (30, 14, 2)
    assert (found.turns[1].usage.reasoning_tokens, found.turns[1].model) == (2, "g-1")
    assert found.turns[1].at == "2026-05-01T10:00:02.250Z"
    assert (got.frame.identity.session_id, got.frame.scope.workload_name) == ("s-1", "desk")
    assert (got.frame.captured_at, got.frame.routing.upstream_model) == (
        "2026-05-01T10:00:00.250Z", "g-1",
    )  # fmt: skip


def test_the_other_spelling_is_read_alike() -> None:
    record = camel({"id": "s-1", "app_name": "desk", "events": ALL})
    assert SESSION.detect(record)
    got = reading_of(list(SESSION.read(record)))
    assert shape(got.conversation) == WHOLE
    assert (got.conversation.usage.input_tokens, got.frame.scope.workload_name) == (30, "desk")


def test_events_as_lines_are_the_conversation_of_their_file() -> None:
    assert shape(reading_of(pieces_of(EVENTS, *ALL)).conversation) == WHOLE
    named = [{**one, "session_id": "s-2"} for one in ALL]
    first, second = pieces_of(EVENTS, *ALL, *named)
    assert (first.result.frame.identity.session_id, second.result.frame.identity.session_id) == (
        None, "s-2",
    )  # fmt: skip


def test_an_error_is_the_end_and_a_failed_call_an_error() -> None:
    failed = {"function_response": {"id": "c1", "name": "look", "response": {"error": "no"}}}
    broken = {**event("helper", 5, error_code="429", error_message="slow down"), "content": None}
    found = session(ALL[0], ALL[2], event("helper", 3, failed), broken).conversation
    assert shape(found)[2] == ("tool", "", [], ["error"])
    assert (found.end.reason, found.end.detail) == ("error", "slow down")


def test_events_without_content_are_no_conversation() -> None:
    (piece,) = pieces_of(EVENTS, {**ALL[0], "content": None})
    assert piece.result == Refused(Reason.NO_MESSAGES, "events without content")


@pytest.mark.parametrize(
    "record",
    [
        {},
        [],
        {"author": "user", "invocation_id": "i"},
        {"author": 3, "invocation_id": "i", "actions": {}},
        {"author": "user", "actions": {}},
        {"events": []},
        {"events": [3]},
        {"events": [{"type": "message"}]},
    ],
)
def test_near_misses_are_none(record: Any) -> None:
    assert not SESSION.detect(record)
    assert not EVENTS.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for place, one in enumerate(ALL):
        for key in one.keys() | {"session_id", "error_code", "error_message"}:
            assert pieces_of(EVENTS, *ALL[:place], {**one, key: odd})
        for key in ("id", "app_name"):
            record = {"id": "s", "events": [*ALL, odd], key: odd}
            assert list(SESSION.read(record))
