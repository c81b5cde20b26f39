"""What real Bedrock and Gemini recordings say, checked by reading the files."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.intake.ingest import IntakeOptions, ingest
from benchmarks.records.capture import Capture

BLOBS = ("thoughtSignature", '"p": "', "redactedContent")
OPTIONS = IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC))


def captures(path: Path) -> list[Capture]:
    return list(ingest([path], options=OPTIONS).captures)


def only(path: Path) -> Capture:
    (capture,) = captures(path)
    return capture


def tokens(capture: Capture) -> tuple[Any, Any]:
    usage = capture.conversation.usage
    return (usage.input_tokens, usage.output_tokens) if usage else (None, None)


def test_a_converse_stream_of_binary_frames(data_dir: Path) -> None:
    capture = only(data_dir / "cassettes/bedrock/pydantic-ai__test_bedrock_model_stream.yaml")
    text = capture.conversation.turns[-1].text()
    assert text.startswith("The capital of France is Paris. Paris is not only")
    assert text.endswith('or "The City of Love."')
    assert tokens(capture) == (13, 82)
    assert capture.conversation.stop.raw == "end_turn"
    assert capture.conversation.issues == []
    assert capture.routing.requested_model == "us.amazon.nova-micro-v1:0"


def test_a_streamed_call_of_a_tool(data_dir: Path) -> None:
    name = "openllmetry__test_anthropic_converse_stream_with_tool_use.yaml"
    capture = only(data_dir / "cassettes/bedrock" / name)
    (call,) = capture.conversation.turns[-1].calls()
    assert (call.name, call.arguments) == ("get_weather", {"location": "Barcelona"})
    assert (tokens(capture), capture.conversation.stop.reason) == ((236, 58), "tool_use")


def test_frames_of_invoke_model_are_an_anthropic_message(data_dir: Path) -> None:
    name = "should-handle-streaming-responses-with-tool-calls.json"
    capture = only(data_dir / "bedrock/nock" / name)
    assert capture.conversation.dialect == "anthropic.messages"
    turn = capture.conversation.turns[-1]
    assert turn.text() == "Okay, let's get the current weather for San Francisco:"
    assert [call.arguments for call in turn.calls()] == [
        {"location": "San Francisco, CA", "unit": "fahrenheit"}
    ]
    assert tokens(capture) == (273, 88)


def test_an_image_beside_a_streamed_story(data_dir: Path) -> None:
    name = "should-handle-multi-modal-content-in-streaming-responses.json"
    capture = only(data_dir / "bedrock/nock" / name)
    text, image = capture.conversation.turns[0].parts
    assert (text.type, image.type, image.mime) == ("text", "media", "image/png")
    assert capture.conversation.turns[1].text().endswith("the most perfect home in the world.")


def test_reasoning_of_a_converse_answer(data_dir: Path) -> None:
    name = "pydantic-ai__test_bedrock_moonshotai_tool_call.yaml"
    first, second = captures(data_dir / "cassettes/bedrock" / name)
    kinds = [part.type for part in first.conversation.turns[-1].parts]
    assert kinds == ["reasoning", "tool_call"]
    assert [result.status for result in second.conversation.turns[3].results()] == ["ok"]


def test_a_failed_call_says_why(data_dir: Path) -> None:
    capture = only(data_dir / "cassettes/bedrock/pydantic-ai__test_bedrock_error.yaml")
    end = capture.conversation.end
    assert end is not None
    assert (end.reason, end.detail) == (
        "error", "status 400: The provided model identifier is invalid.",
    )  # fmt: skip


def test_agents_and_knowledge_bases_are_no_calls_of_a_model(data_dir: Path) -> None:
    intake = ingest([data_dir / "bedrock/har"], options=OPTIONS)
    assert intake.report.dropped == {"not_a_capture": 9}
    assert intake.report.loss == 0


def test_a_gemini_stream_counts_its_last_chunk(data_dir: Path) -> None:
    name = "pydantic-ai__test_google_streaming_tool_call_thought_signature.yaml"
    first, second = captures(data_dir / "cassettes/google" / name)
    assert [call.name for call in first.conversation.turns[-1].calls()] == ["get_country"]
    assert tokens(first) == (29, 212)
    assert second.conversation.turns[-1].text() == "The capital of Mexico is Mexico City."
    assert tokens(second) == (257, 8)


def test_errors_of_tools_and_thoughts_beside_them(data_dir: Path) -> None:
    path = data_dir / "cassettes/google/pydantic-ai__test_google_model_retry.yaml"
    *_, last = captures(path)
    results = [result for turn in last.conversation.turns for result in turn.results()]
    assert [result.status for result in results] == ["error", "ok"]
    assert tokens(last) == (142, 98)


@pytest.mark.parametrize("folder", ["cassettes/bedrock", "cassettes/google", "bedrock/nock"])
def test_no_signature_of_a_thought_is_stored(data_dir: Path, folder: str) -> None:
    intake = ingest([data_dir / folder], options=OPTIONS)
    for capture in intake.captures:
        stored = json.dumps(capture.dump())
        assert [mark for mark in BLOBS if mark in stored] == []
