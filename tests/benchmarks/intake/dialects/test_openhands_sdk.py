import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.intake.dialects.openhands_sdk import OpenHandsSdkEvents, OpenHandsSdkList
from benchmarks.intake.ingest import IntakeOptions, ingest
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from tests.benchmarks.intake.sdk_events import (
    ASK,
    METRICS,
    SESSION,
    STATE,
    SYSTEM,
    act,
    conversation,
    event,
    read,
    said,
    seen,
    shape,
)

EVENTS = OpenHandsSdkEvents()
LIST = OpenHandsSdkList()


def test_actions_of_one_answer_are_one_turn_and_observations_their_results() -> None:
    found = conversation(*SESSION)
    assert shape(found) == [
        ("system", "You are an agent.\nHost: a.", [], []),
        ("user", "What is here?\nUse ls.", [], []),
        ("assistant", "I look.", ["terminal", "terminal"], []),
        ("tool", "", [], ["ok"]),
        ("tool", "", [], ["error"]),
        ("assistant", "", ["finish"], []),
        ("tool", "", [], ["ok"]),
    ]
    first, second = found.turns[2].calls()
    assert (first.call_id, first.arguments) == ("c1", {"command": "ls"})
    assert (second.call_id, second.arguments) == ("c2", {"command": "lss"})
    results = [result for turn in found.turns for result in turn.results()]
    assert [(r.call.turn, r.call.part, r.parts[0].text) for r in results] == [
        (2, 2, "a.txt\n[exit code 0]"), (2, 3, "lss: not found"), (5, 0, "Done."),
    ]  # fmt: skip
    assert found.turns[2].parts[0].text == "hm"
    assert (found.dialect, found.granularity) == ("openhands_sdk", "session")
    assert (found.end.reason, found.end.detail, found.issues) == ("finish", "finish", [])


def test_an_action_that_comes_after_the_results_of_its_answer_belongs_to_its_turn() -> None:
    order = [SESSION[at] for at in (0, 1, 3, 5, 4, 6, 7, 8)]
    assert shape(conversation(*order)) == shape(conversation(*SESSION))


def test_an_event_that_was_written_twice_is_one() -> None:
    assert shape(conversation(*SESSION, *SESSION)) == shape(conversation(*SESSION))


def test_what_an_answer_cost_stands_at_its_turn_once() -> None:
    got = read(*SESSION, state=STATE)
    found = got.conversation
    assert (found.usage.input_tokens, found.usage.output_tokens, found.usage.calls) == (300, 10, 2)
    assert found.usage.reported_cost_usd == 0.75
    turn = found.turns[2]
    assert (turn.usage.input_tokens, turn.usage.cache_read_tokens, turn.usage.reasoning_tokens) == (
        100, 4, 2,
    )  # fmt: skip
    assert (turn.model, turn.id, turn.at) == ("m-1", "r1", "2026-02-05T11:24:03.500Z")
    assert (got.frame.identity.session_id, got.frame.captured_at) == (
        "conv-1", "2026-02-05T11:24:00.500Z",
    )  # fmt: skip
    assert (got.frame.routing.requested_model, got.frame.routing.upstream_model) == (
        "lite/m-1", "m-1",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value"),
    [("full_state", STATE), ("stats", STATE["stats"])],
)
def test_an_event_of_the_state_tells_what_was_spent(key: str, value: Any) -> None:
    told = event(9, "ConversationStateUpdateEvent", "environment", key=key, value=value)
    assert conversation(*SESSION, told).usage.input_tokens == 300


def test_a_message_of_the_agent_is_its_answer() -> None:
    found = conversation(ASK, said(2, "agent", "A file.", llm_response_id="r9"))
    assert (found.turns[1].role, found.turns[1].text(), found.turns[1].id) == (
        "assistant", "A file.", "r9",
    )  # fmt: skip
    assert found.end.reason == "reply"


@pytest.mark.parametrize(
    ("kind", "fields", "end"),
    [
        ("ConversationErrorEvent", {"code": "Slow", "detail": "60 s"}, ("error", "Slow: 60 s")),
        (
            "ConversationErrorEvent",
            {"code": "MaxIterationsReached", "detail": "of 5"},
            ("limit", "MaxIterationsReached: of 5"),
        ),
        (
            "ConversationIterationLimitEvent", {},
            ("limit", "ConversationIterationLimitEvent"),
        ),
    ],
)  # fmt: skip
def test_what_broke_the_conversation_is_its_end(kind: str, fields: Any, end: Any) -> None:
    broken = event(9, kind, "environment", **fields)
    found = conversation(ASK, act(2, "r1", "c1", "go", {}), broken)
    assert (found.end.reason, found.end.detail) == end
    after = conversation(ASK, broken, said(2, "agent", "A file."))
    assert after.end.reason == "reply"


def test_events_of_the_state_alone_are_no_conversation() -> None:
    founds = [Found(one, "f", "s", "r", "f", "c") for one in (SYSTEM, SESSION[2])]
    (piece,) = EVENTS.read("f", founds)
    assert piece.result == Refused(Reason.NO_MESSAGES, "events of the program's own state only")
    (piece,) = EVENTS.read("f", [Found(STATE, "f", "s", "r", "f", "c")])
    assert piece.result == Refused(Reason.NOT_A_CAPTURE, "a conversation's state without events")


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("a/conv/events/event-00003-77bc.json", "a/conv/"),
        ("events/event-00003.json", "/"),
        ("event-00003-77bc.json", "/"),
        ("conv/event-00003-77bc.json", "conv/"),
        ("conv/events.jsonl", "conv/events.jsonl"),
        ("conv/trajectory.json", "conv/trajectory.json"),
    ],
)
def test_files_of_one_event_are_grouped_by_their_conversations_folder(path: str, key: str) -> None:
    assert list(EVENTS.keys(Found(ASK, f"{path}#L1", "s", "r", path, "c"))) == [key]


def test_the_state_belongs_to_the_folder_that_it_lies_in() -> None:
    for path, key in (("a/conv/base_state.json", "a/conv/"), ("base_state.json", "/")):
        assert list(EVENTS.keys(Found(STATE, f"{path}#L1", "s", "r", path, "c"))) == [key]


def test_a_folder_as_the_sdk_writes_it_is_one_conversation(tmp_path: Path) -> None:
    folder = tmp_path / "conv"
    (folder / "events").mkdir(parents=True)
    (folder / "base_state.json").write_text(json.dumps(STATE), encoding="utf-8")
    for at, one in enumerate(SESSION):
        path = folder / "events" / f"event-{at:05d}-{one['id']}.json"
        path.write_text(json.dumps(one), encoding="utf-8")
    for source in (tmp_path, folder):
        found = ingest([source], options=IntakeOptions(now=datetime(2026, 3, 1, tzinfo=UTC)))
        (capture,) = found.captures
        assert shape(capture.conversation) == shape(conversation(*SESSION))
        assert capture.conversation.usage.input_tokens == 300
        assert found.dropped == []


def test_a_line_of_an_evaluation_holds_events_metrics_and_its_outcome() -> None:
    line = {
        "instance_id": "i-1", "history": SESSION, "metrics": METRICS, "error": None,
        "metadata": {"llm": {"model": "lite/m-1"}}, "test_result": {"git_patch": "diff"},
    }  # fmt: skip
    assert LIST.detect(line)
    (piece,) = LIST.read(line)
    found = piece.result.conversation
    assert shape(found) == shape(conversation(*SESSION))
    assert (found.usage.input_tokens, found.outcome.source) == (300, "git_patch")
    assert piece.result.frame.identity.task_id == "i-1"
    assert piece.result.frame.routing.requested_model == "lite/m-1"


@pytest.mark.parametrize("key", ["items", "events", "history"])
def test_a_page_of_the_server_is_read_like_its_events(key: str) -> None:
    (piece,) = LIST.read({key: SESSION, "next_page_id": None})
    assert shape(piece.result.conversation) == shape(conversation(*SESSION))
    assert piece.result.conversation.outcome is None


@pytest.mark.parametrize(
    "record",
    [
        {},
        [],
        {"kind": "Event", "metadata": {}},
        {"kind": "MessageEvent"},
        {"kind": "MessageEvent", "source": "kubelet"},
        {"kind": 3, "source": "agent"},
        {"kind": ["MessageEvent"], "source": ["agent"]},
        {"kind": "MessageEvent", "source": ["agent"]},
        {"source": "agent", "action": "run", "id": 1},
        {"kind": "assistant", "source": "agent"},
        {"agent": {}, "stats": {}},
        {"agent": "x", "stats": {}, "execution_status": "finished"},
        {"history": []},
        {"history": [{"role": "user"}]},
        {"items": [3]},
        {"events": {"kind": "MessageEvent", "source": "agent"}},
    ],
)
def test_near_misses_are_none(record: Any) -> None:
    assert not EVENTS.detect(record)
    assert not LIST.detect(record)


ODD: list[Any] = [None, True, 3, 1.5, "x", [], [1], {}, {"type": 5}, [{"role": 4}], [[]]]


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    outside = event(9, "ACPToolCallEvent", tool_call_id="t", raw_input=1, raw_output=2, title="x")
    broken = event(10, "ConversationErrorEvent", code="x", detail="y")
    for at, one in enumerate([*SESSION, outside, broken]):
        for key in one.keys() - {"kind", "source"}:
            rest = [*SESSION[:at], {**one, key: odd}, *SESSION[at + 1 :], ASK]
            assert read(*rest, state=STATE)
    for key in ("id", "execution_status"):
        assert read(*SESSION, state={**STATE, key: odd})
    for line in ({"metrics": odd}, {"stats": odd}, {"metadata": odd}, {"error": odd}):
        assert list(LIST.read({"history": [*SESSION, odd], "instance_id": "i", **line}))
    for key in ("kind", "source"):
        assert list(LIST.read({"items": [*SESSION, {**SESSION[3], key: odd}]}))


def test_thousands_of_events_are_read() -> None:
    events = [ASK]
    for at in range(1_000):
        events.append(act(1, f"r{at}", f"c{at}", "go", {}) | {"id": f"a{at}"})
        events.append(seen(2, f"c{at}", content="x") | {"id": f"o{at}"})
    assert len(conversation(*events).turns) == 2_001
