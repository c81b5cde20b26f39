"""What the last history of a real conversation lacks, and an earlier capture of it gave."""

import json
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.foundry.grouping import Thread, threads_of
from benchmarks.intake.ingest import Intake, IntakeOptions, ingest
from benchmarks.records.conversation import Conversation

NOW = datetime(2026, 11, 2, tzinfo=UTC)


def read(path: Path) -> Intake:
    return ingest([path], options=IntakeOptions(now=NOW))


def grown(intake: Intake) -> list[Thread]:
    threads = threads_of(intake.captures, lambda _: True)
    return [thread for thread in threads if len(thread.main_line) > 1]


def held(conversation: Conversation) -> set[tuple[str, str]]:
    """Every part but the words of the system: its type, and what it holds, places aside."""
    return {
        (part.type, json.dumps({**part.dump(), "call": None}, sort_keys=True))
        for turn in conversation.turns
        if turn.role != "system"
        for part in turn.parts
    }


def recovered(threads: list[Thread]) -> list[tuple[str, str, str]]:
    """Line or file, type and beginning of what the last history lacks."""
    return sorted(
        (thread.leaf.source.pointer.rpartition("/")[2], kind, text)
        for thread in threads
        for kind, text in held(thread.conversation) - held(thread.leaf.conversation)
    )


def lost(threads: list[Thread]) -> list[str]:
    """The types of what the last history alone holds and the conversation does not."""
    return sorted(
        kind
        for thread in threads
        for kind, _ in held(thread.leaf.conversation) - held(thread.conversation)
    )


def test_what_providers_tools_answered_is_in_the_conversation_and_counted(data_dir: Path) -> None:
    intake = read(data_dir / "captures" / "openai-responses.jsonl")
    threads = grown(intake)
    assert len(threads) == 11
    assert [
        (line, kind, json.loads(text)["name"], len(json.loads(text)["parts"][0]["text"]))
        for line, kind, text in recovered(threads)
    ] == [
        ("openai-responses.jsonl#L14", "tool_result", "ask_question", 3627),
        ("openai-responses.jsonl#L18", "tool_result", "code_interpreter", 16),
    ]
    assert lost(threads) == []
    joins = intake.report.joins
    assert (joins["orphan_results"], joins["calls_without_result"]) == (0, 0)


def test_reasoning_that_clients_render_as_text_is_reasoning_again(data_dir: Path) -> None:
    threads = grown(read(data_dir / "cassettes"))
    kinds = [kind for _, kind, _ in recovered(threads)]
    assert kinds.count("reasoning") == 3
    assert kinds.count("tool_result") == 2
    assert len(kinds) == 5
    # Three thoughts between tags: each is the reasoning that it renders.
    assert lost(threads) == ["text", "text", "text"]


def test_every_result_of_a_grown_conversation_points_at_its_call(data_dir: Path) -> None:
    seen = 0
    for name in ("openai-responses", "anthropic", "openai-chat", "bedrock", "google", "groq"):
        for thread in grown(read(data_dir / "captures" / f"{name}.jsonl")):
            turns = thread.conversation.turns
            assert [turn.index for turn in turns] == list(range(len(turns)))
            for turn in turns:
                for result in turn.results():
                    assert result.call is not None
                    call = turns[result.call.turn].parts[result.call.part]
                    assert (call.type, call.call_id) == ("tool_call", result.call_id)
                    seen += 1
    assert seen > 40
