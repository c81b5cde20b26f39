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
    "tau-bench/gpt-4o-airline.trials01.json", "tau-bench/MockRetailDomainEnv-few_shot.jsonl",
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


def test_the_whole_folder_of_captures_is_accounted_for(data_dir: Path) -> None:
    report = read(data_dir / "captures").report
    assert (report.records, report.captures) == (144, 47)
    assert report.dropped == {"failed_call": 4, "not_a_capture": 6, "unsupported_dialect": 87}


def test_chat_rows(data_dir: Path) -> None:
    intake = read(data_dir / "captures" / "openai-chat.jsonl")
    assert intake.report.records == 51
    assert Counter(item.conversation.dialect for item in intake.captures) == {"openai.chat": 27}
    assert named(intake) == {
        ("unsupported_dialect", "openai.chat (streamed)"): 8,
        ("unsupported_dialect", "gemini"): 2,
        ("unsupported_dialect", "cohere"): 10,
        ("failed_call", "cohere, status 404"): 2,
        ("not_a_capture", "no model call: os-api.agno.com/telemetry/runs"): 2,
    }
    assert intake.report.dialects == {"cohere": 12, "gemini": 2, "openai.chat": 35}


def test_chat_rows_hold_16_calls_and_every_result_is_joined(data_dir: Path) -> None:
    intake = read(data_dir / "captures" / "openai-chat.jsonl")
    assert len(answers(intake)) == 16
    results = [
        result
        for capture in intake.captures
        for turn in capture.conversation.turns
        for result in turn.results()
    ]
    assert [result for result in results if result.orphan] == []
    assert len(results) == 14


def test_a_chat_call_without_an_id_is_joined_in_the_next_request(data_dir: Path) -> None:
    intake = read(data_dir / "captures" / "openai-chat.jsonl")
    first, second = intake.captures[:2]
    assert first.conversation.turns[-1].calls()[0].call_id == "call-1"
    assert second.conversation.turns[2].results()[0].call is not None


def test_every_chat_row_keeps_its_usage_or_says_why_not(data_dir: Path) -> None:
    intake = read(data_dir / "captures" / "openai-chat.jsonl")
    assert all(item.conversation.usage for item in intake.captures)
    assert intake.report.issues == {"usage_unreconciled": 2}


def test_anthropic_rows(data_dir: Path) -> None:
    intake = read(data_dir / "captures" / "anthropic.jsonl")
    assert intake.report.records == 18
    assert len(intake.captures) == 14
    assert named(intake) == {("unsupported_dialect", "anthropic.messages (streamed)"): 4}
    assert all(item.conversation.usage for item in intake.captures)
    assert intake.report.issues == {}


def test_anthropic_calls_results_and_a_history_that_starts_with_the_assistant(
    data_dir: Path,
) -> None:
    intake = read(data_dir / "captures" / "anthropic.jsonl")
    assert len(answers(intake)) == 9
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
    assert ends == ["error", "open", "reply", "error"]
    assert named(groq) == {("unsupported_dialect", "openai.chat (streamed)"): 3}
    openrouter = read(data_dir / "captures" / "openrouter.jsonl")
    assert [item.routing.provider for item in openrouter.captures] == ["openrouter.ai"] * 2
    assert [call.arguments for call in answers(openrouter)][-1] == {}


def test_the_files_of_other_dialects_are_all_named(data_dir: Path) -> None:
    seen = {}
    for name in ("google", "bedrock", "openai-responses", "litellm_openai_batch_requests"):
        intake = read(data_dir / "captures" / f"{name}.jsonl")
        assert intake.captures == []
        seen[name] = sorted({drop.reason.value for drop in intake.dropped})
    assert seen == {
        "google": ["unsupported_dialect"],
        "bedrock": ["failed_call", "unsupported_dialect"],
        "openai-responses": ["failed_call", "not_a_capture", "unsupported_dialect"],
        "litellm_openai_batch_requests": ["unsupported_dialect"],
    }
