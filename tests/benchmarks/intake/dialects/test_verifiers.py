import json
from typing import Any

import pytest

from benchmarks.intake.dialects.verifiers import Verifiers
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.records.conversation import Conversation

DIALECT = Verifiers()
SYSTEM = {"role": "system", "content": "Be exact."}
ASK = {"role": "user", "content": "How many?"}
ANSWER = {"role": "assistant", "content": "Four."}


def called(*calls: tuple[str, str, str], texts: bool = True) -> dict[str, Any]:
    found = [
        {"id": i, "type": "function", "function": {"name": name, "arguments": arguments}}
        for i, name, arguments in calls
    ]
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [json.dumps(call) for call in found] if texts else found,
    }


def printed(text: Any, **more: Any) -> dict[str, Any]:
    return {"role": "tool", "content": text, "tool_calls": None, **more}


def line(*completion: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "example_id": 3, "prompt": [SYSTEM, ASK], "completion": list(completion), "reward": 1.0,
        **more,
    }  # fmt: skip


def read(record: dict[str, Any]) -> Reading:
    assert DIALECT.detect(record)
    (piece,) = DIALECT.read(record)
    assert isinstance(piece.result, Reading)
    return piece.result


def conversation(*completion: dict[str, Any], **more: Any) -> Conversation:
    return read(line(*completion, **more)).conversation


def test_a_line_is_one_conversation_of_its_example() -> None:
    reading = read(line(ANSWER))
    found = reading.conversation
    assert [(turn.role, turn.text()) for turn in found.turns] == [
        ("system", "Be exact."), ("user", "How many?"), ("assistant", "Four."),
    ]  # fmt: skip
    assert (found.dialect, found.granularity, found.end.reason) == ("verifiers", "session", "reply")
    assert (found.outcome.reward, found.outcome.source) == (1.0, "reward")
    assert reading.frame.identity.task_id == "3"
    assert reading.request.messages == [ASK]


def test_rollouts_of_one_example_are_told_apart_by_their_index() -> None:
    readings = [read(line(ANSWER, rollout_idx=at)) for at in range(2)]
    named = [(one.frame.identity.task_id, one.frame.identity.trial) for one in readings]
    assert named == [("3", "0"), ("3", "1")]


def test_tool_calls_may_be_texts_that_hold_json() -> None:
    found = conversation(called(("c1", "run", '{"code": "1+1"}')), printed("2", tool_call_id="c1"))
    call = found.turns[2].calls()[0]
    assert (call.call_id, call.name, call.arguments) == ("c1", "run", {"code": "1+1"})
    assert found.turns[3].results()[0].call.turn == 2


def test_tool_calls_are_read_as_objects_and_without_a_function_too() -> None:
    flat = {
        "role": "assistant", "content": None,
        "tool_calls": [json.dumps({"id": "c2", "name": "look", "arguments": '{"at": 1}'})],
    }  # fmt: skip
    found = conversation(called(("c1", "run", "{}"), texts=False), printed("ok"), flat)
    assert [call.name for turn in found.turns for call in turn.calls()] == ["run", "look"]
    assert found.turns[4].calls()[0].arguments == {"at": 1}


def test_a_text_that_holds_no_call_is_kept_as_an_unread_one() -> None:
    broken = {"role": "assistant", "content": "", "tool_calls": ['{"id": "c1", "fun']}
    found = conversation(broken)
    call = found.turns[2].calls()[0]
    assert (call.name, call.arguments_raw) == ("unnamed", '{"id": "c1", "fun')
    assert [issue.code for issue in found.issues] == ["unnamed_call", "arguments_unparsed"]


def test_a_repr_of_python_is_kept_as_text() -> None:
    text = "{'total': Decimal('4'), 'at': None}"
    result = conversation(called(("c1", "run", "{}")), printed(text)).turns[3].results()[0]
    assert (result.parts[0].text, result.status) == (text, "ok")


def test_results_that_name_no_call_answer_the_calls_before_them_in_order() -> None:
    found = conversation(
        called(("c1", "run", "{}"), ("c2", "run", "{}"), ("c3", "run", "{}")),
        printed("second", tool_call_id="c2"), printed("first"), printed("third"),
    )  # fmt: skip
    results = [turn.results()[0] for turn in found.turns[3:]]
    assert [(r.call.part, r.parts[0].text) for r in results] == [
        (1, "second"), (0, "first"), (2, "third"),
    ]  # fmt: skip


def test_a_completion_that_tells_the_prompt_again_tells_it_once() -> None:
    found = conversation({**SYSTEM, "tool_calls": None}, {**ASK, "tool_calls": None}, ANSWER)
    assert [turn.role for turn in found.turns] == ["system", "user", "assistant"]


def test_a_prompt_and_a_completion_may_be_texts() -> None:
    found = read({"prompt": "2+2?", "completion": "4", "reward": 0}).conversation
    assert [(turn.role, turn.text()) for turn in found.turns] == [
        ("user", "2+2?"), ("assistant", "4"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "holder",
    [
        {"tool_defs": [{"name": "run", "description": "Runs.", "parameters": {}}]},
        {"tool_defs": ['{"name": "run", "description": "Runs.", "parameters": {}}']},
        {"info": {"oai_tools": [{"type": "function", "function": {
            "name": "run", "description": "Runs."}}]}},
    ],
)  # fmt: skip
def test_offered_tools_are_read_called_or_not(holder: dict[str, Any]) -> None:
    tools = conversation(ANSWER, **holder).tools
    assert [(tool.name, tool.description) for tool in tools] == [("run", "Runs.")]


@pytest.mark.parametrize(
    ("fields", "reward", "source"),
    [
        ({"reward": 0.25, "metrics": {"exact": 1.0}}, 0.25, "reward"),
        ({"reward": None, "metrics": {"exact": 1.0, "note": "x"}}, 1.0, "metrics.exact"),
        ({"reward": None, "rewards": {"a": {"score": 1.0, "weight": 0.5}, "b": None}}, 0.5,
         "rewards"),
        ({"reward": None, "rewards": {"a": {"score": 1.0}, "b": 2}}, 3.0, "rewards"),
    ],
)  # fmt: skip
def test_reward_and_metrics_are_the_outcome(
    fields: dict[str, Any], reward: float, source: str
) -> None:
    outcome = conversation(ANSWER, **fields).outcome
    assert (outcome.reward, outcome.source) == (reward, source)


@pytest.mark.parametrize(
    "fields", [{"reward": None}, {"reward": "1"}, {"reward": None, "metrics": {"a": 1, "b": 2}}]
)
def test_no_one_number_is_no_outcome(fields: dict[str, Any]) -> None:
    assert conversation(ANSWER, **fields).outcome is None


@pytest.mark.parametrize(
    ("fields", "reason", "detail"),
    [
        ({"stop_condition": "max_turns_reached"}, "limit", "max_turns_reached"),
        ({"is_truncated": True}, "limit", "truncated"),
        ({"error": {"error": "Boom", "message": "it broke"}}, "error", "it broke"),
        ({"errors": [{"message": "first"}, {"message": "last"}]}, "error", "last"),
        ({"error": "Boom"}, "error", "Boom"),
        ({"stop_condition": "no_tools_called"}, "open", "the last turn is a result"),
    ],
)
def test_the_line_says_why_it_ended(fields: dict[str, Any], reason: str, detail: str) -> None:
    end = conversation(called(("c", "run", "{}")), printed("x"), **fields).end
    assert (end.reason, end.detail) == (reason, detail)


def test_time_and_tokens_of_the_whole_rollout_are_kept() -> None:
    reading = read(
        line(
            ANSWER,
            timing={"start_time": 1_760_000_000},
            token_usage={"input_tokens": 12.0, "output_tokens": 5.0},
        )
    )
    assert reading.frame.captured_at == "2025-10-09T08:53:20.000Z"
    usage = reading.conversation.usage
    assert (usage.input_tokens, usage.output_tokens, usage.calls) == (12, 5, None)


def node(message: dict[str, Any], parent: int | None) -> dict[str, Any]:
    return {"message": message, "parent": parent, "sampled": message["role"] == "assistant"}


CALL = {"role": "assistant", "content": None,
        "tool_calls": [{"id": "c1", "name": "run", "arguments": '{"x": 1}'}]}  # fmt: skip


def trace(*nodes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"nodes": list(nodes), "rewards": {}, "task": {"key": "t-1", "data": {}}, **more}


def test_the_nodes_of_a_trace_are_a_conversation_with_the_usage_of_its_calls() -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
    record = trace(
        node(ASK, None), node(CALL, 0), node(printed("1", tool_call_id="c1"), 1), node(ANSWER, 2),
        calls=[{"node": 1, "usage": usage, "model": "m"}, {"node": 3, "usage": usage}],
    )  # fmt: skip
    reading = read(record)
    found = reading.conversation
    assert [turn.role for turn in found.turns] == ["user", "assistant", "tool", "assistant"]
    assert (found.usage.input_tokens, found.usage.calls) == (20, 2)
    assert found.turns[1].model == "m"
    assert reading.frame.identity.task_id == "t-1"


def test_each_way_through_a_trace_that_forks_is_a_conversation() -> None:
    other = {"role": "assistant", "content": "Five."}
    record = trace(node(ASK, None), node(other, 0), node(ANSWER, 0))
    pieces = list(DIALECT.read(record))
    assert [
        (piece.within, [turn.text() for turn in piece.result.conversation.turns])
        for piece in pieces
    ] == [("", ["How many?", "Four."]), ("/nodes/1", ["How many?", "Five."])]


def test_more_ways_than_are_read_are_too_long() -> None:
    record = trace(node(ASK, None), *(node(ANSWER, 0) for _ in range(70)))
    pieces = list(DIALECT.read(record))
    assert len(pieces) == 65
    assert isinstance(pieces[-1].result, Refused)
    assert pieces[-1].result.reason is Reason.TOO_LONG


@pytest.mark.parametrize("parent", [5, -1, "0", None, True, 2.0, [0]])
def test_a_parent_that_does_not_come_before_is_none(parent: Any) -> None:
    record = trace(node(ASK, None), node(ANSWER, 0), node({**ANSWER, "content": "Hm."}, parent))
    pieces = list(DIALECT.read(record))
    assert [len(piece.result.conversation.turns) for piece in pieces] == [1, 2]


@pytest.mark.parametrize(
    "record",
    [
        {"prompt": [], "completion": []},
        {"prompt": "p", "completion": "c"},
        {"prompt": [], "example_id": 1},
        {"completion": [], "reward": 1},
        {"nodes": [], "rewards": {}},
        {"nodes": [{"id": 1}], "rewards": {}},
        {"nodes": [{"message": {"role": "user"}}]},
        {"nodes": "n", "rewards": {}},
        [],
        "line",
    ],
)
def test_what_only_looks_like_a_rollout_is_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("empty", [None, "", [], {}, [{}], 3, [3]])
def test_a_line_that_says_nothing_has_no_messages(empty: Any) -> None:
    (piece,) = DIALECT.read({"prompt": empty, "completion": empty, "reward": 1})
    assert isinstance(piece.result, Refused)
    assert piece.result.reason is Reason.NO_MESSAGES


@pytest.mark.parametrize("odd", [None, 3, "x", [], {}, [None], {"a": []}, True, 1e308])
def test_fields_of_any_type_lose_no_turn_before_them(odd: Any) -> None:
    for key in ("tool_calls", "content", "role"):
        found = conversation({**called(("c1", "run", "{}")), key: odd}, {**printed("x"), key: odd})
        assert found.turns[1].text() == "How many?", key
    keys = ("info", "tool_defs", "metrics", "rewards", "error", "errors", "timing", "token_usage",
            "task", "stop_condition", "reward", "example_id")  # fmt: skip
    for key in keys:
        assert len(conversation(ANSWER, **{key: odd}).turns) == 3, key
    huge = {"a": {"score": odd, "weight": odd}}
    assert len(conversation(ANSWER, reward=None, rewards=huge).turns) == 3


def test_twenty_thousand_nodes_are_walked_once() -> None:
    nodes = [node(ASK if at % 2 == 0 else ANSWER, at - 1 if at else None) for at in range(20_000)]
    (piece,) = DIALECT.read(trace(*nodes))
    assert len(piece.result.conversation.turns) == 20_000
