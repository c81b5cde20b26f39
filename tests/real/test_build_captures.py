"""Pairs that other projects recorded: every one is a task's, or has a reason."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from tests.benchmarks.services.factories import LATER, build, files, task_lines


@pytest.fixture(scope="module")
def source(data_dir: Path) -> Path:
    return data_dir / "captures"


def built(path: Path, *sources: Path) -> dict[str, Any]:
    return build(path / "desk", *sources)


def tasks_by_first_line(path: Path) -> dict[str, dict[str, Any]]:
    return {
        line["source"]["captures"][0]["pointer"].rpartition("#")[2]: line
        for line in task_lines(path / "desk")
    }


def test_chat_pairs_become_32_tasks_and_every_row_has_a_place(source: Path, tmp_path: Path) -> None:
    answer = built(tmp_path, source / "openai-chat.jsonl")
    assert answer["counts"]["captures"] == 49
    assert answer["counts"]["conversations"] == 35
    assert answer["counts"]["tasks"] == 32
    assert answer["dropped"] == {"no_user_turn": 3, "not_a_capture": 2, "superseded_history": 14}
    report = BenchmarkDir(tmp_path / "desk").load(layout.INTAKE_REPORT)
    assert report.records == 51 == 49 + 2
    assert 49 == 32 + 3 + 14


def test_growing_chat_histories_are_one_conversation(source: Path, tmp_path: Path) -> None:
    """Cohere rows 31 and 38 are rewritten by what comes after them; 33 and 34 failed."""
    built(tmp_path, source / "openai-chat.jsonl")
    tasks = tasks_by_first_line(tmp_path)
    grown = {
        first: [one["pointer"].rpartition("#")[2] for one in line["source"]["captures"]]
        for first, line in tasks.items()
        if len(line["source"]["captures"]) > 1
    }
    assert grown == {
        "L1": ["L1", "L2"],
        "L3": ["L3", "L4"],
        "L5": ["L5", "L6"],
        "L7": ["L7", "L8"],
        "L9": ["L9", "L10"],
        "L11": ["L11", "L12"],
        "L13": ["L13", "L14"],
        "L16": ["L16", "L17"],
        "L31": ["L31", "L32"],
        "L33": ["L33", "L34", "L35"],
        "L38": ["L38", "L39"],
        "L40": ["L40", "L41"],
        "L43": ["L43", "L44"],
    }
    dag = BenchmarkDir(tmp_path / "desk").load(layout.SOURCE_DAG)
    assert Counter(edge.type for edge in dag.edges) == {
        "prefix_append": 10, "branch": 2, "retry": 2,
    }  # fmt: skip
    assert dag.valid
    assert [one.code for one in dag.quarantines] == ["missing_user_turn"] * 3
    assert tasks["L5"]["user"] == {"mode": "scripted", "turns": 1}


def test_equal_requests_that_all_succeeded_are_tasks_of_their_own(
    source: Path, tmp_path: Path
) -> None:
    built(tmp_path, source / "openai-chat.jsonl")
    tasks = tasks_by_first_line(tmp_path)
    titles = [tasks[f"L{line}"]["title"] for line in (18, 19, 20, 21)]
    assert titles == ["What's the weather like in Boston?"] + [
        f"What's the weather like in Boston? ({number})" for number in (2, 3, 4)
    ]


def test_anthropic_pairs_become_13_tasks(source: Path, tmp_path: Path) -> None:
    answer = built(tmp_path, source / "anthropic.jsonl")
    assert (answer["counts"]["captures"], answer["counts"]["tasks"]) == (18, 13)
    assert answer["dropped"] == {"superseded_history": 5}
    tasks = tasks_by_first_line(tmp_path)
    assert {first for first, line in tasks.items() if len(line["source"]["captures"]) == 2} == {
        "L1", "L3", "L5", "L7", "L12",
    }  # fmt: skip
    shown = {
        task.task_id: task for task in BenchmarkDir(tmp_path / "desk").load_list(layout.ENV_TASKS)
    }
    greeted = shown[tasks["L9"]["task_id"]]
    assert [message["role"] for message in greeted.candidate_prompt] == ["assistant", "user"]
    asked_twice = shown[tasks["L10"]["task_id"]]
    assert [message["role"] for message in asked_twice.candidate_prompt] == ["user", "user"]
    assert shown[tasks["L7"]["task_id"]].user.turns == ["What was that?"]


def test_both_together_are_both_apart(source: Path, tmp_path: Path) -> None:
    chat, messages = source / "openai-chat.jsonl", source / "anthropic.jsonl"
    together = built(tmp_path / "both", chat, messages)
    built(tmp_path / "chat", chat)
    built(tmp_path / "messages", messages)
    apart = [*task_lines(tmp_path / "chat" / "desk"), *task_lines(tmp_path / "messages" / "desk")]
    assert together["counts"]["tasks"] == 45
    assert {line["task_id"] for line in task_lines(tmp_path / "both" / "desk")} == {
        line["task_id"] for line in apart
    }
    built(tmp_path / "turned", messages, chat)
    assert files(tmp_path / "turned" / "desk") == files(tmp_path / "both" / "desk")


def test_the_same_pairs_again_change_nothing(source: Path, tmp_path: Path) -> None:
    built(tmp_path, source / "openai-chat.jsonl", source / "anthropic.jsonl")
    before = files(tmp_path / "desk")
    build(
        tmp_path / "desk",
        source / "anthropic.jsonl",
        source / "openai-chat.jsonl",
        rebuild=True,
        now=LATER,
    )
    build(tmp_path / "desk", now=LATER)
    assert files(tmp_path / "desk") == before


def test_a_task_that_cannot_be_judged_says_so(source: Path, tmp_path: Path) -> None:
    answer = built(tmp_path, source / "openai-chat.jsonl")
    tasks = tasks_by_first_line(tmp_path)
    unjudged = {
        first: line for first, line in tasks.items() if not line["outcome_contract"]["required"]
    }
    assert sorted(unjudged) == ["L18", "L19", "L20", "L21", "L22", "L23", "L24", "L47", "L48"]
    for line in unjudged.values():
        assert (line["machine_confidence"], line["status"]) == ("low", "needs_review")
        assert "empty_contract" in {one["check"] for one in line["self_check"]["failures"]}
    assert "oracle_failed" in answer["promotion_blockers"]
    assert "source_dag_quarantines" in answer["promotion_blockers"]
