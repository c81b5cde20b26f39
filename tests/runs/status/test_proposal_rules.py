from runs.status.rules import next_step
from tests.runs.status.situations import promoted, proposed


def test_every_tool_that_is_not_classed_is_asked_about_at_once() -> None:
    step = next_step(proposed(unknown_tools=["a", "b", "c", "d", "e", "f"]))
    assert step is not None
    assert step["arguments"]["tool_policy"] == dict.fromkeys("abcde", "write")
    assert step["why"].startswith("nobody knows whether a, b, c, d, e and 1 more read or write; ")
    one = next_step(proposed(unknown_tools=["a"]))
    assert one is not None
    assert one["why"].startswith("nobody knows whether a reads or writes; write is the safe word")


def test_a_promotion_that_needs_a_reason_for_the_lineage_asks_for_it() -> None:
    step = next_step(proposed(lineage_faults=["in quarantine: 7 groups (7 missing user turn)"]))
    assert step is not None
    assert (step["rule"], step["who"], step["needs"]) == ("promote", "person", ["REASON"])
    assert step["command"] == ("understudy traces promote --benchmark local--b --waive-dag REASON")
    assert step["why"] == (
        "no check of the gate fails; the lineage: in quarantine: 7 groups (7 missing user turn)"
    )


def test_tasks_that_are_lost_come_before_everything_else() -> None:
    step = next_step(promoted(has_lost_tasks=True))
    assert step is not None
    assert (step["rule"], step["command"]) == ("fix_invalid", "understudy benchmarks show local--b")
    assert step["why"] == "tasks.jsonl is empty, and benchmark.json lists tasks"
