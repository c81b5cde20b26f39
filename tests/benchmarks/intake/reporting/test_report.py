from datetime import UTC, datetime

import pytest

from benchmarks.intake.reasons import Dropped, Kind, Reason
from benchmarks.intake.reporting.report import (
    ReportOptions,
    intake_report,
    join_loss,
    message_loss,
    record_loss,
    tool_counts,
)
from benchmarks.intake.reporting.tally import Tally
from benchmarks.intake.reporting.totals import Totals
from benchmarks.intake.sources.found import SourceFile
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import CallRef, Issue, Tool, ToolCall, ToolResult, Turn
from tests.benchmarks.intake.made import capture, conversation, gathering, line, said

OPTIONS = ReportOptions(now=datetime(2026, 11, 2, 9, 20, tzinfo=UTC), max_loss=0.05, redacted=True)


def tally(*dropped: Dropped, records: int = 0) -> Tally:
    found = Tally(dropped=list(dropped))
    found.opened(SourceFile("f", "digest", 10))
    found.files["f"].records = records
    return found


def totals(*captures: Capture) -> Totals:
    return gathering(*map(line, captures)).totals()


def lost(path: str = "f", reason: Reason = Reason.MALFORMED_LINE) -> Dropped:
    return Dropped(reason, f"{path}#L1", "x", local_path=path)


def test_record_loss_is_lost_over_lost_and_kept() -> None:
    kept = totals(*(capture(str(n)) for n in range(48)))
    assert round(record_loss(tally(lost()), kept), 4) == 0.0204


def test_a_file_that_held_no_capture_loses_nothing() -> None:
    assert record_loss(tally(lost("other")), totals(capture("1"))) == 0.0


@pytest.mark.parametrize("reason", [reason for reason in Reason if reason.kind is not Kind.LOSS])
def test_noise_and_filters_are_no_loss(reason: Reason) -> None:
    assert record_loss(tally(lost(reason=reason)), totals(capture("1"))) == 0.0


def test_message_loss_counts_calls_without_content() -> None:
    drops = [lost(reason=Reason.NO_MESSAGES), lost(reason=Reason.CONTENT_MASKED), lost()]
    assert message_loss(drops, totals(capture("1"), capture("2"))) == 0.5


def joined() -> list:
    call = ToolCall(call_id="a", name="get", arguments={})
    good = ToolResult(call_id="a", name="get", status="ok", parts=[], call=CallRef(turn=0, part=0))
    orphan = ToolResult(call_id="z", name="get", status="ok", parts=[], orphan=True)
    turns = [
        Turn(index=0, role="assistant", origin="request", parts=[call, call]),
        Turn(index=1, role="tool", origin="request", parts=[good, orphan]),
        said(2, "assistant", "ok"),
    ]
    missing = Issue(code="missing_result", turn=0, part=1)
    return [conversation(*turns).with_(issues=[missing])]


def test_join_loss_is_orphans_and_unanswered_over_calls_and_orphans() -> None:
    counts = totals(capture("1", conversation=joined()[0])).whole
    assert (counts.calls, counts.results, counts.joined, counts.unanswered) == (2, 2, 1, 1)
    assert join_loss(counts) == pytest.approx(2 / 3)


def test_the_greatest_loss_decides_and_the_finding_names_it() -> None:
    found = intake_report(tally(), totals(capture("1", conversation=joined()[0])), OPTIONS)
    assert (found.verdict, found.loss, found.bar) == ("fail", 0.6667, 0.05)
    assert found.losses == {"record": 0, "message": 0, "join": 0.6667}
    first = (found.findings or [])[0]
    assert (first["code"], first["severity"]) == ("loss_above_bar", "error")
    assert first["text"] == "66.7% of the joins are lost; the bar is 5.0%"


def test_a_loss_at_the_bar_passes() -> None:
    kept = totals(*(capture(str(n)) for n in range(19)))
    found = intake_report(tally(lost()), kept, OPTIONS)
    assert (found.loss, found.verdict) == (0.05, "pass")


def test_five_examples_of_each_reason_are_shown_and_all_are_counted() -> None:
    drops = [lost()] * 7 + [lost(reason=Reason.STALE)]
    found = intake_report(tally(*drops, records=8), totals(), OPTIONS)
    assert [example["reason"] for example in found.examples] == ["malformed_line"] * 5 + ["stale"]
    assert found.dropped == {"malformed_line": 7, "stale": 1}


def test_tools_are_counted_by_class_and_the_unknown_are_named() -> None:
    calls = [ToolCall(call_id=name, name=name, arguments={}) for name in ("sync", "create_order")]
    turn = Turn(index=0, role="assistant", origin="response", parts=calls)
    offered = [Tool(name="get_order"), Tool(name="transfer_to_human_agents"), Tool(name="sync")]
    made = capture("1", conversation=conversation(turn).with_(tools=offered))
    assert tool_counts(totals(made)) == {
        "read": 1, "write": 1, "unknown": 1, "control": 1, "unknown_names": ["sync"],
    }  # fmt: skip


def test_the_report_of_nothing_is_whole() -> None:
    found = intake_report(Tally(), totals(), OPTIONS).dump()
    assert (found["records"], found["captures"], found["loss"], found["verdict"]) == (
        0,
        0,
        0,
        "pass",
    )
    assert found["generated_at"] == "2026-11-02T09:20:00.000Z"
    assert found["findings"] == []
    assert "would_build" not in found
