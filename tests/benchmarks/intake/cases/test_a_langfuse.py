"""Public reports about Langfuse exports: a parent that was never exported, sums of a trace."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.intake.ingest import Intake, IntakeOptions, ingest

OPTIONS = IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC), max_loss=1)
TRACE = "08b2aab7"
ORPHAN = {
    "id": "e2378f5edc8f0de9",
    "traceId": TRACE,
    "type": "GENERATION",
    "name": "POST",
    "startTime": "2025-02-20T10:00:00.000Z",
    "parentObservationId": "d15276750913ffbc",
    "input": None,
    "output": None,
}


def taken(tmp_path: Path, *records: Any) -> Intake:
    path = tmp_path / "observations.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return ingest([path], options=OPTIONS)


def generation(name: str, second: int, asked: Any, said: str, **more: Any) -> dict[str, Any]:
    return {
        **ORPHAN,
        "id": name,
        "startTime": f"2025-02-20T10:00:{second:02}.000Z",
        "input": asked,
        "output": said,
        **more,
    }


def test_a13_an_orphan_without_content_is_named_and_costs_only_itself(tmp_path: Path) -> None:
    report = taken(tmp_path, ORPHAN).report
    assert report.dialects == {"langfuse": 1}
    assert report.dropped == {"no_messages": 1}
    assert (report.captures, report.records) == (0, 1)


def test_a13_an_orphan_with_content_is_the_root_of_its_trace(tmp_path: Path) -> None:
    asked = [{"role": "user", "content": "Where is my parcel?"}]
    intake = taken(tmp_path, {**ORPHAN, "input": asked, "output": "At your door."})
    [capture] = intake.captures
    assert capture.source.identity.trace_id == TRACE
    assert [turn.text() for turn in capture.conversation.turns] == [
        "Where is my parcel?", "At your door.",
    ]  # fmt: skip
    assert intake.report.dropped == {}


def test_a16_the_tokens_of_a_trace_are_the_sum_of_its_observations(tmp_path: Path) -> None:
    hi = {"role": "user", "content": "Where is my parcel?"}
    wait = {"role": "assistant", "content": "Wait."}
    go_on = {"role": "user", "content": "Well?"}
    first = generation("a1", 1, [hi], "Wait.", inputUsage=40, outputUsage=4, totalUsage=44)
    second = generation(
        "a2", 2, [hi, wait, go_on], "Here.", inputUsage=60, outputUsage=6, totalUsage=66
    )
    trace = {"id": TRACE, "inputUsage": None, "outputUsage": None, "totalUsage": None}
    [capture] = taken(tmp_path, {"trace": trace, "observations": [first, second]}).captures
    usage = capture.conversation.usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens, usage.calls) == (100, 10, 2)
    assert [turn.usage.input_tokens for turn in capture.conversation.turns if turn.usage] == [
        40,
        60,
    ]
