"""The real tau-bench files: every trajectory a conversation, every result joined."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.contract.mutating import classify, effect_of_call
from benchmarks.contract.rejection import result_status
from benchmarks.intake.ingest import Intake, IntakeOptions, ingest
from benchmarks.intake.reasons import Reason
from benchmarks.records.conversation import Text, ToolResult
from benchmarks.records.vocabulary import Effect

OPTIONS = IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC))


@pytest.fixture(scope="module")
def airline(data_dir: Path) -> Intake:
    return ingest([data_dir / "tau-bench" / "gpt-4o-airline.trials01.json"], options=OPTIONS)


@pytest.fixture(scope="module")
def retail(data_dir: Path) -> Intake:
    return ingest([data_dir / "tau-retail" / "final_results.visible.json"], options=OPTIONS)


def results(intake: Intake) -> list:
    turns = (turn for capture in intake.captures for turn in capture.conversation.turns)
    return [result for turn in turns for result in turn.results()]


def calls(intake: Intake) -> list:
    turns = (turn for capture in intake.captures for turn in capture.conversation.turns)
    return [call for turn in turns for call in turn.calls()]


def ends(intake: Intake) -> Counter:
    return Counter(capture.conversation.end.reason for capture in intake.captures)


def test_airline_gives_100_conversations_of_50_tasks_in_two_trials(airline: Intake) -> None:
    trials = {
        (capture.source.identity.task_id, capture.source.identity.trial)
        for capture in airline.captures
    }
    assert airline.dropped == []
    assert len(airline.captures) == 100
    assert trials == {(str(task), trial) for task in range(50) for trial in ("0", "1")}


def test_airline_joins_all_572_calls_though_24_trajectories_reuse_an_id(airline: Intake) -> None:
    reusing = [
        capture
        for capture in airline.captures
        if any(issue.code == "duplicate_call_id" for issue in capture.conversation.issues)
    ]
    assert len(calls(airline)) == 572
    assert sum(result.call is not None for result in results(airline)) == 572
    assert len(reusing) == 24


def test_airline_results_answer_the_call_with_their_name(airline: Intake) -> None:
    for capture in airline.captures:
        turns = capture.conversation.turns
        for turn in turns:
            for result in turn.results():
                call = turns[result.call.turn].parts[result.call.part]
                assert (call.name, call.call_id) == (result.name, result.call_id)


def test_airline_rejects_33_calls(airline: Intake) -> None:
    assert sum(result.status == "error" for result in results(airline)) == 33


def test_airline_ends(airline: Intake) -> None:
    assert ends(airline) == {"user_stop": 76, "handoff": 22, "limit": 2}


def test_airline_outcomes_are_the_rewards(airline: Intake) -> None:
    rewards = Counter(capture.conversation.outcome.reward for capture in airline.captures)
    assert rewards == {1.0: 43, 0.0: 57}


def test_no_stop_marker_stays_in_a_turn(airline: Intake, retail: Intake) -> None:
    texts = [
        turn.text()
        for intake in (airline, retail)
        for capture in intake.captures
        for turn in capture.conversation.turns
    ]
    assert not [text for text in texts if "###STOP###" in text]


def test_retail_names_its_23_crashed_rollouts(retail: Intake) -> None:
    assert len(retail.captures) == 177
    assert Counter(drop.reason for drop in retail.dropped) == {Reason.FAILED_CALL: 23}
    assert all("crashed before its first message: " in drop.detail for drop in retail.dropped)


def test_retail_joins_every_call_though_540_have_no_id(retail: Intake) -> None:
    assert len(calls(retail)) == 1373
    assert sum(result.call is not None for result in results(retail)) == 1373
    assert sum(call.call_id.startswith("call-") for call in calls(retail)) == 540


def test_retail_reads_595_arguments_written_as_python_literals(retail: Intake) -> None:
    issues = Counter(
        issue.code for capture in retail.captures for issue in capture.conversation.issues
    )
    assert issues == {"arguments_literal": 595}
    assert all(call.arguments is not None for call in calls(retail))


def test_retail_sees_its_33_wrapped_errors(retail: Intake) -> None:
    wrapped = [
        result
        for result in results(retail)
        if result.parts and getattr(result.parts[0], "text", "").startswith("# var_")
    ]
    assert [result.status for result in wrapped] == ["error"] * 33


def test_airline_accepts_88_writes(airline: Intake) -> None:
    accepted = 0
    for capture in airline.captures:
        turns = capture.conversation.turns
        for turn in turns:
            for result in turn.results():
                call = turns[result.call.turn].parts[result.call.part]
                is_write = effect_of_call(classify(call.name), call.arguments) is Effect.WRITE
                accepted += is_write and result_accepted(result)
    assert accepted == 88


def result_accepted(result: ToolResult) -> bool:
    text = "\n".join(part.text for part in result.parts if isinstance(part, Text))
    return result.status == "ok" and result_status(text, is_write=True) == "ok"


def test_airline_tools_are_7_reads_6_writes_and_a_hand_off(airline: Intake) -> None:
    assert airline.report.tools == {
        "read": 7, "write": 6, "unknown": 0, "control": 1, "unknown_names": [],
    }  # fmt: skip


def test_both_files_add_up_without_loss(airline: Intake, retail: Intake) -> None:
    for intake, records, captures in ((airline, 100, 100), (retail, 200, 177)):
        report = intake.report
        assert (report.records, report.captures, report.duplicates) == (records, captures, 0)
        assert report.records == report.captures + sum(report.dropped.values())
        assert (report.verdict, report.loss) == ("pass", 0)
