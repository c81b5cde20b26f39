from benchmarks.intake.drafting.draft import CallFound, ResultFound
from benchmarks.intake.drafting.runs import Runs
from benchmarks.records.blocks import Usage
from benchmarks.records.conversation import Text


def test_what_the_assistant_says_without_a_pause_is_one_turn() -> None:
    runs = Runs()
    runs.turn("user", [Text(text="go")])
    runs.say([Text(text="one")], at="t1", model=None)
    runs.say([CallFound("c", "look", {})], at="t2", model="m")
    runs.note(usage=Usage(output_tokens=3))
    runs.turn("tool", [ResultFound("c", None, [])])
    runs.say([Text(text="done")])
    runs.pause()
    turns = runs.draft.turns
    assert [(turn.role, turn.text(), len(turn.calls())) for turn in turns] == [
        ("user", "go", 0), ("assistant", "one", 1), ("tool", "", 0), ("assistant", "done", 0),
    ]  # fmt: skip
    assert (turns[1].at, turns[1].model, turns[1].usage.output_tokens) == ("t1", "m", 3)
    assert turns[2].results()[0].call.turn == 1


def test_nobody_who_says_nothing_has_a_turn() -> None:
    runs = Runs()
    runs.turn("user", [])
    runs.say([])
    runs.note(usage=Usage(output_tokens=3))
    runs.pause()
    runs.pause()
    assert runs.draft.turns == []
