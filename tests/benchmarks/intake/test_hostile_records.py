"""Whatever stands in a record costs at most that record."""

import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.intake.ingest import IntakeOptions, ingest
from benchmarks.records.capture import Capture
from tests.benchmarks.intake.mutated import WHOLE, mutated

OPTIONS = IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC), max_loss=1)


def line(record: Any) -> str:
    return json.dumps(record, ensure_ascii=False)


@settings(max_examples=150, deadline=None)
@given(st.lists(mutated().map(line) | st.sampled_from(("{", "nope", "[1]", "{}")), max_size=6))
def test_records_are_captures_and_dropped_and_duplicates_whatever_they_hold(
    lines: list[str],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f.jsonl"
        path.write_text("\n".join(["{}", *lines]), encoding="utf-8")
        intake = ingest([path], options=OPTIONS)
    report = intake.report
    assert report.records == len(lines) + 1
    assert report.records == report.captures + sum(report.dropped.values()) + report.duplicates
    for capture in intake.captures:
        assert Capture.read(json.loads(json.dumps(capture.dump()))) == capture


def test_every_whole_record_is_read_and_the_answer_met_twice_is_one(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_text("\n".join(map(line, WHOLE)), encoding="utf-8")
    intake = ingest([path], options=OPTIONS)
    assert [capture.conversation.dialect for capture in intake.captures] == [
        "openai.chat", "anthropic.messages", "tau_bench", "openai.chat",
    ]  # fmt: skip
    assert (intake.dropped, intake.report.duplicates) == ([], 1)
    assert intake.captures[0].source.pointers == ["f.jsonl#L1", "f.jsonl#L3"]
