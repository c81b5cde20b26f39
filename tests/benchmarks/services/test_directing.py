"""The interview before a build: cards, a pick, postures, and who gave them."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.artifacts.stage import stage
from benchmarks.errors import (
    AlreadyExists,
    ApprovalRequired,
    IdempotencyConflict,
    InvalidArguments,
    LossAboveBar,
    NothingSelected,
)
from benchmarks.records.caller import Caller
from benchmarks.records.direction import Dependencies
from benchmarks.records.tool_policy import ToolPolicy
from benchmarks.records.vocabulary import Stage
from benchmarks.services.answering import NO_MODEL_USER, Answer
from benchmarks.services.directing import propose_directions, read_directions
from tests.benchmarks.services.factories import (
    CALLER,
    LATER,
    NOW,
    build,
    desk,
    files,
    look_up,
    refund,
    task_lines,
    write_lines,
)

AGENT = Caller("mcp:claude@mira", "mcp")
TOOLS = "application tools"
REFUNDS, LOOK_UPS = "issue-refunds", "look-up-orders"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Four refunds and three look-ups."""
    return desk(
        tmp_path / "source",
        *(refund(number) for number in range(1, 5)),
        *(look_up(number) for number in range(5, 8)),
    )


@pytest.fixture
def intake(tmp_path: Path, source: Path) -> Path:
    """A directory that holds their captures and cards, and no tasks."""
    ask(tmp_path / "desk", source)
    return tmp_path / "desk"


def ask(path: Path, *sources: Path, caller: Caller = CALLER, **said: Any) -> dict[str, Any]:
    at = said.pop("now", NOW)
    return propose_directions(
        directory=BenchmarkDir(path),
        slug="local--desk",
        source=list(sources),
        answer=Answer(**said),
        caller=caller,
        now=at,
    )


def ids(document: dict[str, Any]) -> list[str]:
    return [card["direction_id"] for card in document["directions"]]


def stored(path: Path, name: str) -> dict[str, Any]:
    return json.loads((path / name).read_bytes())


# Proposing


def test_sources_become_captures_and_cards_and_nothing_else(tmp_path: Path, source: Path) -> None:
    found = ask(tmp_path / "desk", source)
    assert ids(found) == [REFUNDS, LOOK_UPS]
    assert (found["picked"], found["note"], found["warnings"]) == (None, None, [])
    assert [(one["name"], one["posture"], one["seed"]) for one in found["dependencies"]] == [
        (TOOLS, "simulated", 0)
    ]
    assert found["dependencies"][0]["note"] == (
        "11 recorded calls; of 7 look-ups own rows answer 100%, shared rows alone 0%"
    )
    assert sorted(path.name for path in (tmp_path / "desk").iterdir() if path.is_file()) == [
        "capture-ledger.jsonl",
        "dependencies.json",
        "directions.json",
        "execution-index.jsonl",
        "intake-report.json",
        "normalized-captures.jsonl",
    ]
    assert stage(BenchmarkDir(tmp_path / "desk")).stage is Stage.INTAKE


def test_doors_are_not_told_every_capture_but_the_file_holds_them(intake: Path) -> None:
    card = stored(intake, "directions.json")["directions"][0]
    assert len(card["conversations"]) == card["task_count"] == 4
    found = read_directions(located=Located(BenchmarkDir(intake), "local--desk", read_only=False))
    assert "conversations" not in found["directions"][0]
    assert stored(intake, "directions.json")["source"] == "captures.jsonl"


def test_proposing_the_same_again_changes_no_byte(intake: Path, source: Path) -> None:
    before = files(intake)
    ask(intake, source, now=LATER)
    ask(intake, now=LATER)
    assert files(intake) == before


def test_a_source_that_grew_is_added_and_proposed_again(
    intake: Path, source: Path, tmp_path: Path
) -> None:
    write_lines(tmp_path / "more.jsonl", *(look_up(number) for number in range(8, 12)))
    found = ask(intake, tmp_path / "more.jsonl", now=LATER)
    assert [(card["direction_id"], card["task_count"]) for card in found["directions"]] == [
        (LOOK_UPS, 7),
        (REFUNDS, 4),
    ]
    assert len(BenchmarkDir(intake).read(layout.CAPTURES).records) == 4 * 3 + 7 * 2


def test_what_made_no_capture_keeps_its_reason_until_the_build(
    tmp_path: Path, source: Path
) -> None:
    lines = source.read_text(encoding="utf-8")
    source.write_text(lines + "{broken\n", encoding="utf-8")
    ask(tmp_path / "desk", source)
    ask(tmp_path / "desk", pick=REFUNDS, postures={TOOLS: "simulated"})
    build(tmp_path / "desk", max_loss=0.1)
    index = BenchmarkDir(tmp_path / "desk").read(layout.EXECUTION_INDEX).records
    assert [row.exclusion_reasons for row in index if row.execution_group is None] == [
        ["malformed_line"]
    ]


def test_an_empty_source_and_a_directory_without_captures_are_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(NothingSelected):
        ask(tmp_path / "desk", tmp_path / "empty")
    with pytest.raises(NothingSelected, match="holds no captures"):
        ask(tmp_path / "desk")
    assert not (tmp_path / "desk").exists()


def test_a_directory_with_tasks_takes_no_sources_but_may_be_asked(
    bench: Path, source: Path
) -> None:
    with pytest.raises(AlreadyExists, match="has 6 tasks"):
        ask(bench, source)
    assert ids(ask(bench))[0] == REFUNDS
    assert stage(BenchmarkDir(bench)).stage is Stage.PROPOSED


# Answering


def test_a_pick_is_recorded_with_who_gave_it(intake: Path) -> None:
    found = ask(intake, pick=REFUNDS, note="most of our traffic", caller=AGENT, now=LATER)
    assert found["picked"] == {
        "direction_id": REFUNDS,
        "actor": "mcp:claude@mira",
        "door": "mcp",
        "at": "2026-11-03T12:00:00.000Z",
        "operator_note": "most of our traffic",
    }
    assert stored(intake, "directions.json")["picked"] == found["picked"]
    assert found["next_actions"][0]["command"] == (
        f"understudy traces directions local--desk --posture '{TOOLS}=simulated'"
    )


def test_the_same_answer_again_keeps_the_first_time(intake: Path) -> None:
    ask(intake, pick=REFUNDS, postures={TOOLS: "frozen"})
    before = files(intake)
    ask(intake, pick=REFUNDS, postures={TOOLS: "frozen"}, caller=AGENT, now=LATER)
    assert files(intake) == before


def test_a_posture_is_recorded_with_who_gave_it(intake: Path) -> None:
    found = ask(intake, postures={TOOLS: "frozen"}, caller=AGENT)
    (one,) = found["dependencies"]
    assert (one["posture"], one["approved_by"], one["door"], one["at"]) == (
        "frozen",
        "mcp:claude@mira",
        "mcp",
        "2026-11-02T12:00:00.000Z",
    )
    assert "seed" not in one
    again = ask(intake, postures={TOOLS: "simulated"})
    assert (again["dependencies"][0]["seed"], again["dependencies"][0]["approved_by"]) == (
        0,
        "os:mira",
    )


@pytest.mark.parametrize("caller", [CALLER, AGENT])
def test_a_live_posture_needs_a_persons_word_at_every_door(intake: Path, caller: Caller) -> None:
    before = files(intake)
    with pytest.raises(ApprovalRequired, match="live posture of application tools") as error:
        ask(intake, postures={TOOLS: "live"}, caller=caller)
    assert error.value.details["gate"] == "live_posture"
    assert files(intake) == before
    found = ask(intake, postures={TOOLS: "live"}, confirm=True, caller=caller)
    assert found["dependencies"][0]["posture"] == "live"
    assert [notice["kind"] for notice in found["notices"]] == ["override"]


def test_everything_wrong_with_an_answer_is_named(intake: Path) -> None:
    for said, message in (
        ({"pick": "refunds"}, f"pick: one of {REFUNDS}, {LOOK_UPS} is wanted"),
        ({"postures": {"x": "frozen"}}, f"postures.x: one of {TOOLS} is wanted"),
        ({"postures": {TOOLS: "real"}}, "frozen, simulated, live is wanted"),
        ({"note": "why"}, "a note goes with a pick or a posture"),
        ({"pick": REFUNDS, "note": "x" * 2001}, "at most 2000 characters"),
    ):
        with pytest.raises(InvalidArguments, match=message):
            ask(intake, **said)
    with pytest.raises(InvalidArguments, match="wanted"):
        Answer().need()


def test_no_model_plays_the_user_in_this_version() -> None:
    user = {"name": "user", "kind": "model", "posture": "frozen"}
    known = Dependencies.read({"dependencies": [user]})
    with pytest.raises(InvalidArguments, match=NO_MODEL_USER):
        Answer(postures={"user": "simulated"}).approved_in(known, CALLER, "now", seed=0)
    made = Answer(postures={"user": "frozen"}).approved_in(known, CALLER, "now", seed=0)
    assert made.dependencies[0].approved_by == "os:mira"


def test_proposing_again_keeps_the_pick_and_the_approvals(
    intake: Path, source: Path, tmp_path: Path
) -> None:
    ask(intake, pick=REFUNDS, postures={TOOLS: "frozen"}, caller=AGENT)
    write_lines(tmp_path / "more.jsonl", refund(5))
    found = ask(intake, tmp_path / "more.jsonl", now=LATER)
    assert found["picked"]["actor"] == "mcp:claude@mira"
    assert found["dependencies"][0]["approved_by"] == "mcp:claude@mira"
    assert found["dependencies"][0]["note"].startswith("13 recorded calls")


def test_a_pick_whose_card_is_gone_is_dropped(intake: Path) -> None:
    ask(intake, pick=REFUNDS)
    directory = BenchmarkDir(intake)
    policy = ToolPolicy.read({"tools": {"issue_refund": {"effect": "read", "source": "operator"}}})
    directory.replace(layout.TOOL_POLICY, policy)
    found = ask(intake, now=LATER)
    assert REFUNDS not in ids(found)
    assert found["picked"] is None


def test_a_key_answers_once(intake: Path) -> None:
    keyed = Caller("os:mira", "shell", idempotency_key="k-1")
    assert ask(intake, pick=REFUNDS, caller=keyed)["replayed"] is False
    before = files(intake)
    again = ask(intake, pick=REFUNDS, caller=keyed, now=LATER)
    assert (again["replayed"], again["picked"]["direction_id"]) == (True, REFUNDS)
    assert files(intake) == before
    with pytest.raises(IdempotencyConflict):
        ask(intake, pick=LOOK_UPS, caller=keyed)


def test_reading_proposes_nothing(tmp_path: Path) -> None:
    directory = BenchmarkDir(tmp_path / "desk")
    found = read_directions(located=Located(directory, "local--desk", read_only=False))
    assert (found["directions"], found["picked"], found["dependencies"]) == ([], None, [])
    assert found["next_actions"][0]["command"] == "understudy traces directions local--desk"
    assert not (tmp_path / "desk").exists()


# What a build makes of the answers


def test_a_build_after_a_pick_keeps_that_cards_conversations(intake: Path) -> None:
    ask(intake, pick=LOOK_UPS, postures={TOOLS: "frozen"})
    found = build(intake)
    assert found["dropped"]["not_in_direction"] == 4
    assert found["direction"] == {
        "picked": LOOK_UPS,
        "note": "Look up orders: 4 conversations outside it left out",
    }
    assert len(task_lines(intake)) == 3
    assert {line["posture"] for line in task_lines(intake)} == {"frozen"}
    assert stored(intake, "manifest.json")["direction"] == LOOK_UPS
    reasons = [
        row.exclusion_reasons
        for row in BenchmarkDir(intake).read(layout.EXECUTION_INDEX).records
        if row.task_id is None
    ]
    assert reasons == [["not_in_direction"]] * 4


def test_without_the_postures_of_a_pick_nothing_is_built(intake: Path) -> None:
    ask(intake, pick=LOOK_UPS, postures={TOOLS: "frozen"})
    (intake / "dependencies.json").unlink()
    with pytest.raises(ApprovalRequired, match=r"dependencies\.json of desk is missing") as owed:
        build(intake)
    assert owed.value.next_actions[0].command == "understudy traces directions desk"
    found = ask(intake, postures={TOOLS: "frozen"})
    assert found["picked"]["direction_id"] == LOOK_UPS
    assert build(intake)["direction"]["picked"] == LOOK_UPS


def test_without_a_pick_a_build_uses_all_and_says_so(intake: Path) -> None:
    ask(intake, postures={TOOLS: "simulated"})
    found = build(intake)
    assert len(task_lines(intake)) == 7
    assert found["direction"] == {
        "picked": None,
        "note": "no direction was picked: every conversation is used",
    }


def test_a_build_after_the_interview_is_the_build_from_the_source(
    intake: Path, source: Path, tmp_path: Path
) -> None:
    ask(intake, postures={TOOLS: "simulated"})
    build(intake)
    build(tmp_path / "straight" / "desk", source)
    asked, straight = files(intake), files(tmp_path / "straight" / "desk")
    assert {name for name in asked if asked[name] != straight.get(name)} == {
        "dependencies.json",
        "directions.json",
    }


def test_a_build_waits_for_the_postures(intake: Path) -> None:
    ask(intake, pick=REFUNDS)
    with pytest.raises(ApprovalRequired, match="nobody approved how application tools") as error:
        build(intake)
    assert error.value.next_actions[0].tool == "propose_directions"
    assert not (intake / "tasks.jsonl").exists()
    assert build(intake, dry_run=True)["counts"]["tasks"] == 4


def test_an_approved_posture_decides_over_the_line_of_a_task(intake: Path) -> None:
    ask(intake, pick=REFUNDS, postures={TOOLS: "simulated"})
    build(intake)
    before = {line["task_id"]: line["content_hashes"] for line in task_lines(intake)}
    ask(intake, postures={TOOLS: "frozen"}, now=LATER)
    build(intake, now=LATER)
    lines = task_lines(intake)
    assert {line["posture"] for line in lines} == {"frozen"}
    assert {line["version"] for line in lines} == {"2.0.0"}
    assert all(
        line["content_hashes"]["env_sha256"] != before[line["task_id"]]["env_sha256"]
        for line in lines
    )
    shown = BenchmarkDir(intake).load_list(layout.ENV_TASKS)
    assert {task.posture for task in shown} == {"frozen"}
    same = files(intake)
    build(intake, now=LATER)
    assert files(intake) == same


def test_a_live_task_cannot_be_promoted(intake: Path) -> None:
    ask(intake, pick=LOOK_UPS, postures={TOOLS: "live"}, confirm=True)
    found = build(intake)
    assert {line["posture"] for line in task_lines(intake)} == {"live"}
    assert "live_dependency" in found["promotion_blockers"]


def test_a_loss_above_the_bar_is_said_and_the_build_refuses_it(
    tmp_path: Path, source: Path
) -> None:
    lines = source.read_text(encoding="utf-8")
    source.write_text(lines + "{broken\n" * 5, encoding="utf-8")
    found = ask(tmp_path / "desk", source, pick=REFUNDS, postures={TOOLS: "frozen"})
    assert found["warnings"] == ["21.7% of the source was lost, the bar is 5.0%"]
    with pytest.raises(LossAboveBar, match="the bar is 5.0%"):
        build(tmp_path / "desk")
    assert build(tmp_path / "desk", max_loss=0.3)["counts"]["tasks"] == 4
