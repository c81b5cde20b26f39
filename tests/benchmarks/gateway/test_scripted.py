import asyncio

import orjson
import pytest

from benchmarks.errors import UnknownModel
from benchmarks.gateway.base import ChatAnswer, ChatCall
from benchmarks.gateway.failures import SERVER, CallFailed
from benchmarks.gateway.patience import Patience
from benchmarks.gateway.scripted import Script, ScriptedChat, script_of, scripted_model
from benchmarks.records.environment import GoldTask, RecordedCall
from benchmarks.records.vocabulary import Route


def call(tool: str, turn: int | None, *, write: bool = False) -> RecordedCall:
    return RecordedCall(
        call_id=f"c-{tool}", tool=tool, arguments={"n": 1}, status="ok", write=write, turn=turn
    )


GOLD = GoldTask(
    task_id="t1",
    calls=[call("get", 1), call("look", 1), call("set", 4, write=True), call("pay", 6, write=True)],
    texts=["Which one?", "Done."],
    text_turns=[2, 7],
    final_response="Done.",
)


def played(model: ScriptedChat, turns: int) -> list[ChatAnswer]:
    """The answers when nothing but assistant turns is added."""

    async def play() -> list[ChatAnswer]:
        messages: list[dict[str, str]] = [{"role": "user", "content": "go"}]
        answers = []
        for _ in range(turns):
            answers.append(await model.complete(ChatCall("m", messages), Patience()))
            messages.append({"role": "assistant", "content": "..."})
        return answers

    return asyncio.run(play())


def said(answers: list[ChatAnswer]) -> list[object]:
    return [[c.name for c in answer.calls] or answer.text for answer in answers]


def test_the_source_is_played_turn_by_turn_in_its_order() -> None:
    answers = played(scripted_model("scripted/incumbent", script_of(GOLD), seed=1), 6)
    assert said(answers) == [["get", "look"], "Which one?", ["set"], ["pay"], "Done.", ""]
    assert orjson.loads(answers[0].calls[0].arguments) == {"n": 1}
    assert [answer.stop for answer in answers[:2]] == ["tool_calls", "stop"]


def test_without_turns_calls_come_first_one_by_one() -> None:
    gold = GOLD.with_(calls=[call("get", None), call("set", None, write=True)], text_turns=None)
    answers = played(scripted_model("scripted/careful", script_of(gold), seed=1), 4)
    assert said(answers) == [["get"], ["set"], "Which one?", "Done."]


def test_hasty_leaves_out_the_last_write_of_some_tasks_by_seed() -> None:
    kept = [["get", "look"], "Which one?", ["set"], ["pay"], "Done."]
    short = [["get", "look"], "Which one?", ["set"], "Done."]
    seen = []
    for number in range(40):
        script = Script(f"t{number}", script_of(GOLD).turns)
        seen.append(said(played(scripted_model("scripted/hasty", script, seed=7), 5)))
    hurried = [answers[:4] == short for answers in seen]
    assert all(answers in (kept, [*short, ""]) for answers in seen)
    assert 10 <= sum(hurried) <= 30
    again = scripted_model("scripted/hasty", Script("t0", script_of(GOLD).turns), seed=7)
    assert said(played(again, 5)) == seen[0]


def test_hasty_on_a_task_without_write_is_careful() -> None:
    gold = GOLD.with_(calls=[call("get", 1)])
    assert script_of(gold).without_last_write() == script_of(gold)


def test_a_script_is_offline_and_reports_no_usage() -> None:
    model = scripted_model("scripted/careful", script_of(GOLD), seed=1)
    (answer,) = played(model, 1)
    assert model.route is Route.OFFLINE
    assert model.called_model == "scripted/careful"
    assert answer.usage is None


def test_an_unknown_script_names_those_there_are() -> None:
    with pytest.raises(UnknownModel, match="reckless") as caught:
        scripted_model("scripted/reckless", script_of(GOLD), seed=1)
    assert "scripted/hasty" in caught.value.hint


def test_a_double_fails_where_it_is_told_to() -> None:
    failure = CallFailed("HTTP 500: no", kind=SERVER)
    model = ScriptedChat(script_of(GOLD), failures={1: failure})

    async def two() -> None:
        await model.complete(ChatCall("m", []), Patience())
        with pytest.raises(CallFailed):
            await model.complete(ChatCall("m", []), Patience())

    asyncio.run(two())
    assert len(model.asked) == 2
