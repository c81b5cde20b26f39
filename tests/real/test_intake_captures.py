"""Recorded provider traffic: every row is imported or named with its reason."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.intake.ingest import Intake, IntakeOptions, ingest
from benchmarks.records.conversation import ToolCall

OPTIONS = IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC))
FILES = (
    "captures/openai-chat.jsonl", "captures/anthropic.jsonl", "captures/groq.jsonl",
    "captures/openrouter.jsonl", "captures/google.jsonl", "captures/bedrock.jsonl",
    "captures/openai-responses.jsonl", "captures/litellm_openai_batch_requests.jsonl",
    "tau-bench/gpt-4o-airline.trials01.json",
    "tau-retail/final_results.visible.json",
)  # fmt: skip


def read(path: Path) -> Intake:
    return ingest([path], options=OPTIONS)


def named(intake: Intake) -> Counter:
    return Counter((drop.reason.value, drop.detail) for drop in intake.dropped)


def answers(intake: Intake) -> list[ToolCall]:
    return [
        call
        for capture in intake.captures
        for turn in capture.conversation.turns
        if turn.origin == "response"
        for call in turn.calls()
    ]


@pytest.mark.parametrize("name", FILES)
def test_every_record_of_a_real_file_is_accounted_for(data_dir: Path, name: str) -> None:
    report = read(data_dir / name).report
    assert report.records == report.captures + sum(report.dropped.values()) + report.duplicates
    assert report.losses is not None
    assert report.loss == max(report.losses.values()) == 0.0


def test_calls_that_a_file_lost_count_as_loss(data_dir: Path) -> None:
    report = read(data_dir / "tau-bench" / "MockRetailDomainEnv-few_shot.jsonl").report
    assert (report.records, report.captures, report.dropped) == (69, 69, {})
    assert (report.tool_calls, report.tool_results, report.loss) == (0, 479, 1.0)


def test_the_whole_folder_of_captures_is_accounted_for(data_dir: Path) -> None:
    report = read(data_dir / "captures").report
    assert (report.records, report.captures, report.duplicates) == (144, 135, 1)
    assert report.dropped == {"no_response": 2, "not_a_capture": 6}
    assert report.loss == report.losses["record"] < 0.02


def test_chat_rows(data_dir: Path) -> None:
    intake = read(data_dir / "captures" / "openai-chat.jsonl")
    assert intake.report.records == 51
    assert Counter(item.conversation.dialect for item in intake.captures) == {
        "openai.chat": 35, "gemini": 2, "cohere": 12,
    }  # fmt: skip
    assert named(intake) == {("not_a_capture", "no model call: os-api.agno.com/telemetry/runs"): 2}
    assert intake.report.dialects == {"cohere": 12, "gemini": 2, "openai.chat": 35}


def test_chat_rows_hold_24_calls_and_every_result_is_joined(data_dir: Path) -> None:
    intake = read(data_dir / "captures" / "openai-chat.jsonl")
    assert len(answers(intake)) == 24
    results = [
        result
        for capture in intake.captures
        for turn in capture.conversation.turns
        for result in turn.results()
    ]
    assert [result for result in results if result.orphan] == []
    assert len(results) == 16


def test_a_chat_call_without_an_id_is_joined_in_the_next_request(data_dir: Path) -> None:
    intake = read(data_dir / "captures" / "openai-chat.jsonl")
    first, second = intake.captures[:2]
    assert first.conversation.turns[-1].calls()[0].call_id == "call-1"
    assert second.conversation.turns[2].results()[0].call is not None


def test_every_chat_row_keeps_its_usage_or_says_why_not(data_dir: Path) -> None:
    intake = read(data_dir / "captures" / "openai-chat.jsonl")
    without = [item for item in intake.captures if item.conversation.usage is None]
    assert Counter(item.conversation.end.reason == "error" for item in without) == {
        True: 2, False: 5,
    }  # fmt: skip
    assert intake.report.issues == {"missing_usage": 5, "usage_unreconciled": 2}


def test_streams_of_chat_hold_parallel_calls_and_thought(data_dir: Path) -> None:
    captures = read(data_dir / "captures" / "openai-chat.jsonl").captures
    streamed = {item.capture_id: item for item in captures if item.response.encoding == "sse"}
    assert len(streamed) == 8
    name = "openllmetry:test_open_ai_function_calls_tools_streaming_parallel#0"
    calls = streamed[name].conversation.turns[-1].calls()
    assert [call.arguments["location"] for call in calls] == ["San Francisco", "Boston"]
    assert len({call.call_id for call in calls}) == 2
    thought = streamed["logfire:test_openrouter_streaming_reasoning#0"].conversation.turns[-1]
    assert [part.type for part in thought.parts] == ["reasoning", "text"]


def test_anthropic_rows(data_dir: Path) -> None:
    intake = read(data_dir / "captures" / "anthropic.jsonl")
    assert (intake.report.records, len(intake.captures)) == (18, 18)
    assert named(intake) == {}
    assert all(item.conversation.usage for item in intake.captures)
    assert intake.report.issues == {}


def test_a_streamed_anthropic_answer_keeps_both_calls(data_dir: Path) -> None:
    captures = read(data_dir / "captures" / "anthropic.jsonl").captures
    name = "openllmetry:test_anthropic_tools_streaming_legacy#0"
    (found,) = [item.conversation for item in captures if item.capture_id == name]
    assert [(call.name, sorted(call.arguments)) for call in found.turns[-1].calls()] == [
        ("get_weather", ["location", "unit"]), ("get_time", ["timezone"]),
    ]  # fmt: skip
    assert (found.stop.reason, found.usage.output_tokens) == ("tool_use", 153)


def test_anthropic_calls_results_and_a_history_that_starts_with_the_assistant(
    data_dir: Path,
) -> None:
    intake = read(data_dir / "captures" / "anthropic.jsonl")
    assert len(answers(intake)) == 11
    starts = [item for item in intake.captures
              if next(t for t in item.conversation.turns if t.role != "system").role
              == "assistant"]  # fmt: skip
    assert len(starts) == 1
    assert starts[0].conversation.turns[0].role == "system"


def test_parallel_anthropic_results_answer_their_own_calls(data_dir: Path) -> None:
    second = read(data_dir / "captures" / "anthropic.jsonl").captures[1].conversation
    pairs = [
        (second.turns[r.call.turn].parts[r.call.part].arguments["name"], r.parts[0].text.split()[0])
        for turn in second.turns
        for r in turn.results()
    ]
    assert pairs == [
        ("Alice", "alice"), ("Bob", "bob"), ("Charlie", "charlie"), ("Daisy", "daisy"),
    ]  # fmt: skip


def test_compatible_hosts_are_chat_and_failed_calls_stay_in_the_lineage(data_dir: Path) -> None:
    groq = read(data_dir / "captures" / "groq.jsonl")
    ends = [item.conversation.end.reason for item in groq.captures]
    assert ends == ["error", "open", "reply", "error", "open", "reply", "error"]
    assert groq.captures[3].conversation.end.detail.startswith("Tool call validation failed")
    openrouter = read(data_dir / "captures" / "openrouter.jsonl")
    assert [item.routing.provider for item in openrouter.captures] == ["openrouter.ai"] * 3
    assert openrouter.captures[1].conversation.end.dump() == {
        "reason": "error", "detail": "Token limit reached",
    }  # fmt: skip
    assert [call.arguments for call in answers(openrouter)][-1] == {}


def test_responses_rows_are_whole_wherever_their_history_is_kept(data_dir: Path) -> None:
    intake = read(data_dir / "captures" / "openai-responses.jsonl")
    assert (intake.report.captures, intake.report.duplicates) == (31, 1)
    assert intake.report.issues == {}
    turns = {item.capture_id: item.conversation.turns for item in intake.captures}
    kept = turns["pydantic-ai:test_openai_conversation_id_tool_call_continuation#2"]
    assert [turn.role for turn in kept] == ["system", "user", "assistant", "tool", "assistant"]
    queued = turns["pydantic-ai:test_background_mode_with_tool_vcr#4"]
    assert [turn.role for turn in queued] == ["user", "assistant", "tool", "assistant"]
    assert (
        queued[-1].text() == "The weather in Paris is currently sunny with a temperature of 72°F."
    )


def test_cohere_rows_are_read_in_any_case_of_their_roles(data_dir: Path) -> None:
    captures = read(data_dir / "captures" / "openai-chat.jsonl").captures
    found = [item.conversation for item in captures if item.conversation.dialect == "cohere"]
    assert [[turn.role for turn in item.turns] for item in (found[4], found[11])] == [
        ["system", "user", "assistant", "user", "assistant", "user", "assistant"],
    ] * 2  # fmt: skip
    assert found[7].usage.dump() == {
        "input_tokens": 1199, "output_tokens": 88, "cache_read_tokens": 448, "calls": 1,
    }  # fmt: skip


def test_requests_of_a_batch_without_its_answers_are_named(data_dir: Path) -> None:
    intake = read(data_dir / "captures" / "litellm_openai_batch_requests.jsonl")
    assert intake.captures == []
    assert {drop.reason.value for drop in intake.dropped} == {"no_response"}
