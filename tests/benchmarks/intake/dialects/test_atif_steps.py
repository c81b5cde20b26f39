from typing import Any

import pytest

from benchmarks.intake.dialects.atif_steps import Started, add_step, references, step_usage
from benchmarks.intake.drafting.draft import Draft
from benchmarks.records.conversation import Turn


def step(source: str = "agent", message: Any = "", **more: Any) -> dict[str, Any]:
    return {"source": source, "message": message, **more}


def call(call_id: str | None, name: str = "run") -> dict[str, Any]:
    return {"tool_call_id": call_id, "function_name": name, "arguments": {"n": 1}}


def result(content: Any, call_id: str | None = None) -> dict[str, Any]:
    return {"content": content, **({"source_call_id": call_id} if call_id else {})}


def drafted(*steps: dict[str, Any], history: bool = False) -> Draft:
    draft = Draft()
    for at, one in enumerate(steps):
        add_step(draft, one, source_index=at, is_history=history)
    return draft


def turns(*steps: dict[str, Any]) -> list[Turn]:
    return drafted(*steps).turns


def shown(found: list[Turn]) -> list[tuple[str, Any]]:
    """Role, and the words or the answered calls of each turn."""
    return [
        (turn.role, [(r.name, r.parts[0].text) for r in turn.results()] or turn.text())
        for turn in found
    ]


def observed(calls: list[Any], *results: Any) -> dict[str, Any]:
    return step(tool_calls=calls, observation={"results": list(results)})


def test_a_step_is_a_turn_and_its_results_another() -> None:
    one = step(
        message="Look.",
        reasoning_content="hm",
        tool_calls=[call("a", "read"), call("b", "list")],
        observation={"results": [result("A", "a"), result("B", "b")]},
    )
    found = turns(one)
    assert shown(found) == [("assistant", "Look."), ("tool", [("read", "A"), ("list", "B")])]
    assert found[0].parts[0].dump() == {"type": "reasoning", "text": "hm"}
    assert [turn.source_index for turn in found] == [0, 0]


@pytest.mark.parametrize("source", ["user", "system"])
def test_users_and_the_system_speak(source: str) -> None:
    assert shown(turns(step(source, "Hi"))) == [(source, "Hi")]


def test_a_source_no_rule_knows_is_kept_whole() -> None:
    one = step("critic", "Bad.")
    assert turns(one)[0].parts[0].dump() == {
        "type": "unknown", "source_type": "critic", "value": one,
    }  # fmt: skip


def test_a_result_without_an_id_belongs_to_the_only_open_call() -> None:
    found = turns(observed([call("a")], result("A")))
    assert shown(found)[1:] == [("tool", [("run", "A")])]
    assert found[1].results()[0].call_id == "a"


def test_a_result_without_an_id_belongs_to_the_one_that_others_left_open() -> None:
    found = turns(observed([call("a", "x"), call("b", "y")], result("A", "a"), result("B")))
    assert shown(found)[1:] == [("tool", [("x", "A"), ("y", "B")])]


def test_a_call_without_an_id_is_answered_too() -> None:
    assert shown(turns(observed([call(None)], result("A"))))[1:] == [("tool", [("run", "A")])]


def test_a_result_that_may_answer_several_calls_is_an_environment_turn() -> None:
    found = turns(observed([call("a"), call("b")], result("screen")))
    assert shown(found)[1:] == [("tool", "screen")]
    assert found[1].name == "environment"


def test_a_result_without_any_call_is_an_environment_turn() -> None:
    found = turns(step(message="ls", observation={"results": [result("a.txt")]}))
    assert shown(found) == [("assistant", "ls"), ("tool", "a.txt")]


def test_the_second_result_for_one_call_is_an_environment_turn() -> None:
    found = turns(observed([call("a")], result("A"), result("more")))
    assert shown(found)[1:] == [("tool", [("run", "A")]), ("tool", "more")]


def test_two_calls_of_one_id_are_answered_in_order_and_warned_of() -> None:
    draft = drafted(observed([call("a", "x"), call("a", "y")], result("1", "a"), result("2", "a")))
    assert shown(draft.turns)[1:] == [("tool", [("x", "1"), ("y", "2")])]
    assert [issue.code for issue in draft.issues] == ["duplicate_call_id"]


def test_a_result_of_no_call_is_an_orphan() -> None:
    draft = drafted(observed([call("a")], result("1", "zzz")))
    assert draft.turns[1].results()[0].orphan is True
    assert [issue.code for issue in draft.issues] == ["orphan_result"]


def test_a_result_in_a_later_step_finds_its_call() -> None:
    found = turns(step(tool_calls=[call("a", "x")]), step("system", observation={
        "results": [result("late", "a")]
    }))  # fmt: skip
    assert shown(found) == [("assistant", ""), ("tool", [("x", "late")])]


def test_an_observation_that_is_a_text_is_an_environment_turn() -> None:
    assert shown(turns(step(message="ls", observation="a.txt")))[1:] == [("tool", "a.txt")]


def test_messages_and_results_may_be_parts() -> None:
    message = [
        {"type": "text", "text": "See"},
        {"type": "image", "source": {"media_type": "image/png", "path": "images/a.png"}},
        {"type": "image", "source": {"media_type": "image/png", "data": "cGl4"}},
        {"type": "hologram"},
    ]
    assert [part.dump() for part in turns(step("user", message))[0].parts[:2]] == [
        {"type": "text", "text": "See"},
        {"type": "media", "media": "image", "mime": "image/png", "uri": "images/a.png"},
    ]
    draft = drafted(step("user", message))
    assert len(draft.blobs) == 1
    assert draft.turns[0].parts[3].source_type == "hologram"
    found = turns(observed([call("a")], result([{"type": "text", "text": "A"}], "a")))
    assert shown(found)[1:] == [("tool", [("run", "A")])]


def test_a_system_step_without_words_is_no_turn() -> None:
    ref = {"trajectory_path": "h.json"}
    one = step("system", "", observation={"results": [{"subagent_trajectory_ref": [ref]}]})
    draft = Draft()
    assert add_step(draft, one, source_index=0, is_history=False) == [Started(ref, None, None)]
    assert draft.turns == []
    assert references(one) == [ref]


def test_an_agent_that_says_nothing_still_took_its_turn() -> None:
    assert shown(turns(step())) == [("assistant", "")]


def test_a_turn_has_the_time_the_model_and_the_usage_of_its_step() -> None:
    one = step(
        message="x",
        timestamp="2026-01-02T03:04:05Z",
        model_name="m",
        llm_call_count=3,
        metrics={"prompt_tokens": 10, "completion_tokens": 2, "cached_tokens": 4, "cost_usd": 0.5},
    )
    turn = turns(one)[0]
    assert (turn.at, turn.model) == ("2026-01-02T03:04:05.000Z", "m")
    assert turn.usage.dump() == {
        "input_tokens": 10, "output_tokens": 2, "cache_read_tokens": 4, "reported_cost_usd": 0.5,
        "calls": 3,
    }  # fmt: skip


def test_copied_steps_spent_nothing_here() -> None:
    one = step(message="x", metrics={"prompt_tokens": 10})
    assert drafted(one, history=True).turns[0].usage is None


def test_usage_knows_what_was_written_to_the_cache() -> None:
    extra = {"cache_creation_input_tokens": 5, "reasoning_tokens": 1}
    usage = step_usage({"prompt_tokens": 9, "completion_tokens": 2, "extra": extra}).usage
    assert (usage.cache_write_tokens, usage.reasoning_tokens) == (5, 1)
    assert step_usage({"prompt_tokens": -9}).issue == "bad_usage"
    assert step_usage(None).issue == "missing_usage"
