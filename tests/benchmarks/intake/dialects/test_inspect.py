from typing import Any

import pytest

from benchmarks.intake.dialect import Piece
from benchmarks.intake.dialects.inspect import Inspect
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Refused
from benchmarks.records.conversation import Conversation

SYSTEM = {"role": "system", "content": "Be brief."}
ASK = {"role": "user", "content": "1 + 1?", "source": "input"}
REPLY = {"role": "assistant", "content": "2", "id": "m1"}
CALL = {
    "role": "assistant",
    "content": "",
    "tool_calls": [{"id": "c1", "function": "add", "arguments": {"a": 1}}],
}
ANSWER = {"role": "tool", "content": "2", "tool_call_id": "c1", "function": "add"}


def sample(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"id": 3, "epoch": 2, "input": "i", "target": "t", "messages": list(messages), **more}


def log(*samples: Any, **more: Any) -> dict[str, Any]:
    spec = {"task": "sums", "model": "openai/m", "created": "2026-01-02T03:04:05+00:00"}
    return {"version": 2, "status": "success", "eval": spec, "samples": list(samples), **more}


def pieces(record: Any) -> list[Piece]:
    assert Inspect().detect(record)
    return list(Inspect().read(record))


def reading(record: Any) -> Reading:
    (piece,) = pieces(record)
    assert isinstance(piece.result, Reading)
    return piece.result


def conversation(record: Any) -> Conversation:
    return reading(record).conversation


def refused(record: Any) -> Refused:
    (piece,) = pieces(record)
    assert isinstance(piece.result, Refused)
    return piece.result


def model_event(answer: Any, *asked: Any, **more: Any) -> dict[str, Any]:
    usage = {"input_tokens": 5, "output_tokens": 1, "total_tokens": 6}
    choices = [{"message": answer, "stop_reason": "stop"}]
    return {
        "event": "model",
        "timestamp": "2026-01-01T00:00:03+00:00",
        "model": "m",
        "input": list(asked),
        "tools": [],
        "output": {"model": "m-1", "choices": choices, "usage": usage, "time": 0.5},
        **more,
    }


def test_a_sample_is_one_conversation() -> None:
    found = conversation(log(sample(SYSTEM, ASK, CALL, ANSWER, REPLY)))
    assert [(turn.role, turn.text()) for turn in found.turns] == [
        ("system", "Be brief."), ("user", "1 + 1?"), ("assistant", ""), ("tool", ""),
        ("assistant", "2"),
    ]  # fmt: skip
    call = found.turns[2].calls()[0]
    result = found.turns[3].results()[0]
    assert (call.name, call.arguments) == ("add", {"a": 1})
    assert (result.name, result.status, result.call.turn) == ("add", "ok", 2)
    assert (found.dialect, found.granularity, found.end.reason) == ("inspect", "session", "reply")


def test_samples_stand_where_they_stand() -> None:
    found = pieces(log(sample(ASK, REPLY), sample(ASK, REPLY)))
    assert [piece.within for piece in found] == ["/samples/0", "/samples/1"]


def test_samples_by_name_are_those_of_an_archive() -> None:
    record = {**log(), "samples": {"1_epoch_1.json": sample(ASK, REPLY)}}
    assert [piece.within for piece in pieces(record)] == ["/samples/1_epoch_1.json"]


def test_an_epoch_is_a_trial_of_its_sample() -> None:
    found = reading(log(sample(ASK, REPLY, uuid="u")))
    identity = found.frame.identity
    assert (identity.task_id, identity.trial, identity.session_id) == ("sums/3", "2", "u")
    assert found.frame.routing.dump() == {
        "provider": "openai", "requested_model": "openai/m", "upstream_model": None,
    }  # fmt: skip
    assert found.frame.captured_at == "2026-01-02T03:04:05.000Z"


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        ("C", {"success": True}),
        ("I", {"success": False}),
        ("N", {"success": False}),
        ("P", {"success": False, "reward": 0.5}),
        ("pass", {"success": True}),
        ("FAIL", {"success": False}),
        (True, {"success": True}),
        (False, {"success": False}),
        ("true", {"success": True}),
        (1, {"reward": 1}),
        (0.25, {"reward": 0.25}),
    ],
)
def test_the_score_is_the_outcome(value: Any, outcome: dict[str, Any]) -> None:
    found = conversation(log(sample(ASK, REPLY, scores={"match": {"value": value}}))).outcome
    assert found.dump() == {**outcome, "source": "scores.match"}


@pytest.mark.parametrize("scores", [None, {}, [], {"m": {}}, {"m": {"value": "maybe"}}, "C"])
def test_what_no_grade_is_says_nothing(scores: Any) -> None:
    assert conversation(log(sample(ASK, REPLY, scores=scores))).outcome is None


def test_an_older_log_has_one_score() -> None:
    found = conversation(log(sample(ASK, REPLY, score={"value": "C"}))).outcome
    assert found.dump() == {"success": True, "source": "scores.score"}


def test_the_first_score_that_says_something_counts() -> None:
    scores = {"notes": {"value": {"a": 1}}, "match": {"value": "I"}, "other": {"value": "C"}}
    found = conversation(log(sample(ASK, REPLY, scores=scores))).outcome
    assert found.dump() == {"success": False, "source": "scores.match"}


@pytest.mark.parametrize("samples", [[], None, {}, "text", [1, "a"]])
def test_a_log_without_samples_holds_nothing_and_says_so(samples: Any) -> None:
    found = refused({**log(), "samples": samples, "status": "cancelled"})
    assert (found.reason.value, found.reason.kind.value) == ("not_a_capture", "noise")
    assert found.detail == "an Inspect log without samples (status cancelled)"


@pytest.mark.parametrize("status", ["error", "cancelled", "started"])
def test_a_log_that_broke_off_yields_its_finished_samples(status: str) -> None:
    assert len(conversation({**log(sample(ASK, REPLY)), "status": status}).turns) == 2


@pytest.mark.parametrize(("version", "warnings"), [(1, ()), (2, ()), (3, ("newer_version",))])
def test_a_newer_version_is_read_and_warned_of(version: int, warnings: tuple[str, ...]) -> None:
    assert reading(log(sample(ASK, REPLY), version=version)).frame.warnings == warnings


def test_attachments_are_put_in_place() -> None:
    ask = {"role": "user", "content": [{"type": "text", "text": "attachment://a1"}]}
    reply = {"role": "assistant", "content": "attachment://gone"}
    found = conversation(log(sample(ask, reply, attachments={"a1": "a long text"})))
    assert [turn.text() for turn in found.turns] == ["a long text", "attachment://gone"]


def test_an_older_transcript_keeps_texts_of_its_own() -> None:
    transcript = {
        "events": [model_event(REPLY, {"role": "user", "content": "tc://x"})],
        "content": {"x": "words"},
    }
    found = conversation(log(sample(transcript=transcript)))
    assert [turn.text() for turn in found.turns] == ["words", "2"]


def test_a_sample_without_messages_is_rebuilt_from_its_model_events() -> None:
    events = [
        model_event(CALL, SYSTEM, ASK),
        model_event(REPLY, SYSTEM, ASK, CALL, ANSWER),
    ]
    (piece,) = pieces(log(sample(events=events, scores={"m": {"value": "C"}})))
    assert isinstance(piece.result, Reading)
    found = piece.result.conversation
    assert piece.within == "/samples/0"
    assert [turn.role for turn in found.turns] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert found.outcome.success
    assert (found.usage.input_tokens, found.usage.output_tokens, found.usage.calls) == (10, 2, 2)


def test_events_give_tools_tokens_and_times_to_the_messages() -> None:
    tools = [{"name": "add", "description": "Adds.", "parameters": {"required": ["a"]}}]
    events = [
        model_event(CALL, ASK, tools=tools),
        model_event(REPLY, ASK, CALL, ANSWER, tools=tools),
    ]
    found = conversation(log(sample(ASK, CALL, ANSWER, REPLY, events=events)))
    assert [(tool.name, tool.required) for tool in found.tools] == [("add", ["a"])]
    last = found.turns[-1]
    assert (last.at, last.model, last.latency_ms) == ("2026-01-01T00:00:03.000Z", "m-1", 500)
    assert (last.usage.input_tokens, found.usage.calls) == (5, 2)


def test_a_grader_s_tokens_are_not_the_agent_s() -> None:
    grader = [
        {"event": "span_begin", "timestamp": "t", "id": "s", "type": "scorers", "name": "s"},
        {"event": "span_begin", "timestamp": "t", "id": "g", "type": "x", "parent_id": "s"},
        model_event({"role": "assistant", "content": "GRADE: C"}, ASK, span_id="g"),
    ]
    found = conversation(log(sample(ASK, REPLY, events=[model_event(REPLY, ASK), *grader])))
    assert found.usage.input_tokens == 5


def test_the_output_says_what_one_answer_spent_where_no_event_does() -> None:
    output = {"usage": {"input_tokens": 7, "output_tokens": 3}, "choices": []}
    one = conversation(log(sample(ASK, REPLY, output=output))).usage
    two = conversation(log(sample(ASK, CALL, ANSWER, REPLY, output=output))).usage
    assert (one.input_tokens, one.unreported_calls) == (7, None)
    assert (two.input_tokens, two.unreported_calls) == (7, 1)


@pytest.mark.parametrize(
    ("more", "end", "detail"),
    [
        ({}, "reply", ""),
        ({"limit": {"type": "token", "limit": 100}}, "limit", "token limit 100"),
        ({"limit": {"type": "operator"}}, "limit", "operator limit"),
        (
            {"output": {"choices": [{"stop_reason": "max_tokens"}]}},
            "limit",
            "the answer was cut for length",
        ),
    ],
)
def test_ends(more: dict[str, Any], end: str, detail: str) -> None:
    found = conversation(log(sample(ASK, REPLY, **more))).end
    assert (found.reason, found.detail) == (end, detail)


def test_a_sample_that_failed_says_why() -> None:
    error = {"message": "Timeout\nsecond line", "traceback": "..."}
    found = conversation(log(sample(ASK, error=error))).end
    assert (found.reason, found.detail) == ("error", "Timeout")


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        ([], "no_messages"),
        ([{"event": "info", "timestamp": "t"}], "no_messages"),
        ([model_event(REPLY, ASK, error="boom\nmore")], "failed_call"),
        ([{"event": "model", "timestamp": "t", "input": [], "output": {}}], "no_messages"),
    ],
)
def test_a_sample_without_a_word_gives_nothing(events: list[Any], reason: str) -> None:
    assert refused(log(sample(events=events))).reason.value == reason


def test_one_sample_out_of_its_archive_is_read() -> None:
    found = reading(sample(ASK, REPLY))
    assert (found.frame.identity.task_id, len(found.conversation.turns)) == ("3", 2)


def test_events_alone_are_conversations() -> None:
    events = [model_event(REPLY, ASK), {"event": "info", "timestamp": "t"}]
    (piece,) = pieces({"events": events})
    assert isinstance(piece.result, Reading)
    assert piece.within == "/events/0"
    assert piece.result.frame.identity.task_id is None


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        ([{"event": "info", "timestamp": "t"}], "not_a_capture"),
        ([{"event": "model", "timestamp": "t", "input": [], "output": {}}], "no_messages"),
    ],
)
def test_events_without_a_word_are_none(events: list[Any], reason: str) -> None:
    assert refused({"events": events}).reason.value == reason


HELPED = [
    model_event(CALL, ASK, span_id="main"),
    {
        "event": "tool", "timestamp": "t", "id": "c1", "function": "add", "result": "2",
        "agent_span_id": "inner",
    },
    {"event": "span_begin", "timestamp": "t", "id": "inner", "type": "agent"},
    model_event(
        {"role": "assistant", "content": "done"},
        {"role": "user", "content": "help"},
        span_id="inner",
    ),
    model_event(REPLY, ASK, CALL, ANSWER, span_id="main"),
]  # fmt: skip


@pytest.mark.parametrize("messages", [[], [ASK, CALL, ANSWER, REPLY]])
def test_a_helper_names_the_call_that_started_it(messages: list[Any]) -> None:
    found = pieces(log(sample(ASK, REPLY), sample(*messages, events=HELPED)))
    assert [(piece.within, piece.parent, piece.call_id) for piece in found] == [
        ("/samples/0", None, None),
        ("/samples/1", None, None),
        ("/samples/1/events/3", 1, "c1"),
    ]
    main, helper = found[1].result, found[2].result
    assert isinstance(main, Reading)
    assert isinstance(helper, Reading)
    assert [turn.role for turn in main.conversation.turns] == [
        "user", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert helper.frame.identity.task_id is None
    assert [turn.text() for turn in helper.conversation.turns] == ["help", "done"]


@pytest.mark.parametrize(
    "other",
    [
        {"version": 2, "eval": {}},
        {"version": 2, "eval": "e", "plan": {}},
        {"eval": {}, "plan": {}},
        {"events": []},
        {"events": [{"event": 1, "timestamp": "t"}]},
        {"events": [{"event": "model"}]},
        {"events": {"event": "model"}},
        {"id": 1, "epoch": 1, "input": "", "target": ""},
        {"messages": []},
        [],
        None,
    ],
)
def test_other_records_are_none_of_its_own(other: Any) -> None:
    assert not Inspect().detect(other)


@pytest.mark.parametrize("junk", [None, 1, "x", [], {}, [[]], [{}], {"a": []}, True])
def test_whatever_stands_in_a_field_it_never_raises(junk: Any) -> None:
    keys = (
        "id",
        "epoch",
        "messages",
        "events",
        "scores",
        "output",
        "attachments",
        "error",
        "limit",
    )
    for key in keys:
        list(Inspect().read(log(sample(ASK, REPLY, **{key: junk}))))
    for key in ("role", "content", "tool_calls", "error", "id", "function"):
        for message in (ASK, CALL, ANSWER):
            list(Inspect().read(log(sample({**message, key: junk}, REPLY))))
    for key in ("input", "output", "tools", "span_id", "timestamp", "error", "pending"):
        event = {**model_event(REPLY, ASK), key: junk}
        list(Inspect().read(log(sample(events=[event, event]))))
    for key in ("version", "eval", "samples", "status"):
        record = {**log(sample(ASK, REPLY)), key: junk}
        if Inspect().detect(record):
            list(Inspect().read(record))


@pytest.mark.parametrize("key", ["events_data", "message_pool"])
def test_messages_that_a_newer_log_keeps_once_are_put_in_place(key: str) -> None:
    pool = [SYSTEM, {"role": "user", "content": "attachment://q"}, CALL, ANSWER]
    events = [
        model_event(CALL, input_refs=[[0, 2]]),
        model_event(REPLY, input_refs=[[0, 4]]),
    ]
    found = conversation(
        log(
            sample(
                events=events,
                attachments={"q": "1 + 1?"},
                **{key: {"messages": pool} if key == "events_data" else pool},
            )
        )
    )
    assert [(turn.role, turn.text()) for turn in found.turns] == [
        ("system", "Be brief."), ("user", "1 + 1?"), ("assistant", ""), ("tool", ""),
        ("assistant", "2"),
    ]  # fmt: skip


def test_messages_may_be_places_in_the_list_of_all() -> None:
    pool = [ASK, {"role": "user", "content": "never said"}, REPLY]
    refs = [[0, 1], [2, 3]]
    found = conversation(log(sample(message_refs=refs, events_data={"messages": pool})))
    assert [turn.text() for turn in found.turns] == ["1 + 1?", "2"]
