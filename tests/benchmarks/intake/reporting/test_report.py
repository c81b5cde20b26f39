from datetime import UTC, datetime

import pytest

from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.reporting.report import (
    ReportOptions,
    intake_report,
    tool_counts,
)
from benchmarks.intake.reporting.tally import Tally
from benchmarks.intake.reporting.totals import Totals
from benchmarks.intake.sources.found import SourceFile
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import (
    CallRef,
    Conversation,
    Issue,
    Tool,
    ToolCall,
    ToolResult,
    Turn,
)
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


def test_model_calls_and_not_one_message_fail_whatever_the_bar() -> None:
    drops = tally(lost(reason=Reason.NO_MESSAGES), records=1)
    waived = ReportOptions(now=OPTIONS.now, max_loss=1.0, redacted=True)
    assert intake_report(drops, totals(), waived).verdict == "fail"
    assert intake_report(drops, totals(capture("1")), waived).verdict == "pass"


def calling(index: int, *names: str) -> Turn:
    parts = [ToolCall(call_id=name, name="get", arguments={}) for name in names]
    return Turn(index=index, role="assistant", origin="request", parts=parts)


def answering(index: int, call_id: str, at: CallRef | None) -> Turn:
    result = ToolResult(
        call_id=call_id, name="get", status="ok", parts=[], call=at, orphan=at is None or None
    )
    return Turn(index=index, role="tool", origin="request", parts=[result])


def missing(turn: int, part: int) -> Issue:
    return Issue(code="missing_result", turn=turn, part=part)


def half_joined() -> Conversation:
    """Of two calls at once only one is answered, then a third is; one result is for nothing."""
    turns = [
        calling(0, "a", "b"),
        answering(1, "b", CallRef(turn=0, part=1)),
        answering(2, "z", None),
        calling(3, "c"),
        answering(4, "c", CallRef(turn=3, part=0)),
        said(5, "assistant", "ok"),
    ]
    return conversation(*turns).with_(issues=[missing(0, 0)])


def test_each_loss_is_told_as_a_count_of_a_count() -> None:
    found = intake_report(tally(lost("other")), totals(capture("1")), OPTIONS)
    assert found.lost == {
        "record": {"lost": 0, "of": 1}, "message": {"lost": 0, "of": 1},
        "join": {"lost": 0, "of": 0}, "apart": {"malformed_line": 1},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("turns", "issues", "unanswered"),
    [
        ([calling(0, "a"), said(1, "assistant", "ok")], [missing(0, 0)], 0),
        ([calling(0, "a", "b"), said(1, "assistant", "ok")], [missing(0, 0), missing(0, 1)], 0),
        (
            [
                calling(0, "a", "b"),
                answering(1, "b", CallRef(turn=0, part=1)),
                said(2, "assistant", "ok"),
            ],
            [missing(0, 0)],
            1,
        ),
        ([calling(0, "a"), calling(1, "b")], [missing(0, 0)], 1),
    ],
    ids=["the last", "the last ones", "one of the last turn", "one before the last"],
)
def test_the_calls_that_a_conversation_ends_on_need_no_result(
    turns: list[Turn], issues: list[Issue], unanswered: int
) -> None:
    made = capture("1", conversation=conversation(*turns).with_(issues=issues))
    assert totals(made).whole.unanswered == unanswered


def test_the_greatest_loss_decides_and_the_finding_names_it() -> None:
    found = intake_report(tally(), totals(capture("1", conversation=half_joined())), OPTIONS)
    assert (found.verdict, found.loss, found.bar) == ("fail", 0.5, 0.05)
    assert found.losses == {"record": 0, "message": 0, "join": 0.5}
    assert found.joins == {
        "orphan_results": 1, "calls_without_result": 1, "orphan_spans": 0,
        "reused_call_ids": 0, "inferred_calls": 0,
    }  # fmt: skip
    first = (found.findings or [])[0]
    assert first == {
        "code": "loss_above_bar",
        "severity": "error",
        "text": "50.0% of the calls and results lack their other half; the bar is 5.0%",
        "next": "mend the sources, or accept it: --max-loss 0.5",
    }


def test_spans_are_orphans_without_their_parent_or_without_their_content() -> None:
    told = conversation(said(0, "assistant", "ok")).with_(
        loss={"orphan_spans": 2, "wrapper_spans": 1, "wrapper_input_tokens": 10,
              "wrapper_output_tokens": 3}
    )  # fmt: skip
    drops = tally()
    drops.lost(lost(reason=Reason.NO_MESSAGES), "langfuse")
    drops.lost(lost(reason=Reason.NO_MESSAGES), "inspect")
    found = intake_report(drops, totals(capture("1", conversation=told)), OPTIONS)
    assert found.orphan_spans == (found.joins or {})["orphan_spans"] == 3
    assert found.wrapper_usage == {"spans": 1, "input_tokens": 10, "output_tokens": 3}


def test_texts_that_were_cut_count_once_for_a_history_that_grew() -> None:
    cut = "abc [truncated]"
    first = conversation(said(0, "user", cut), said(1, "assistant", "b"))
    later = conversation(
        said(0, "user", cut),
        said(1, "assistant", "b"),
        said(2, "user", "c"),
        said(3, "assistant", "d"),
    )
    made = totals(capture("1", conversation=first), capture("2", conversation=later))
    found = intake_report(tally(), made, OPTIONS)
    assert found.text == {
        "decode_replaced": 0, "surrogate_replaced": 0, "non_finite": 0, "truncated_values": 1,
    }  # fmt: skip


def test_a_loss_at_the_bar_passes() -> None:
    kept = totals(*(capture(str(n)) for n in range(19)))
    found = intake_report(tally(lost()), kept, OPTIONS)
    assert (found.loss, found.verdict) == (0.05, "pass")


def test_five_examples_of_each_reason_are_shown_and_all_are_counted() -> None:
    drops = [lost()] * 7 + [lost(reason=Reason.STALE)]
    found = intake_report(tally(*drops, records=8), totals(), OPTIONS)
    assert [example["reason"] for example in found.examples] == ["malformed_line"] * 5 + ["stale"]
    assert found.dropped == {"malformed_line": 7, "stale": 1}
    assert found.cut == [{"what": "examples of malformed_line", "kept": 5, "of": 7}]


def test_files_of_one_name_are_all_counted() -> None:
    found = Tally()
    for digest in ("a", "b"):
        found.opened(SourceFile("f.jsonl", digest, 10))
        found.kept("f.jsonl", "openai.chat")
    report = intake_report(found, totals(), OPTIONS)
    assert (report.records, report.dialects) == (2, {"openai.chat": 2})
    assert [one["sha256"] for one in report.sources] == ["a", "b"]
    assert report.files == {"seen": 2, "recognised": 2, "other": 0, "with_captures": 0}


def test_tools_are_counted_by_class_and_the_unknown_are_named() -> None:
    calls = [ToolCall(call_id=name, name=name, arguments={}) for name in ("sync", "create_order")]
    turn = Turn(index=0, role="assistant", origin="response", parts=calls)
    offered = [Tool(name="get_order"), Tool(name="transfer_to_human_agents"), Tool(name="sync")]
    made = capture("1", conversation=conversation(turn).with_(tools=offered))
    assert tool_counts(totals(made)) == {
        "read": 1, "write": 1, "unknown": 1, "control": 1, "unknown_names": ["sync"],
    }  # fmt: skip


def test_a_tool_that_is_classed_by_each_call_is_not_unknown() -> None:
    turn = Turn(
        index=0, role="assistant", origin="response",
        parts=[ToolCall(call_id="a", name="bash", arguments={"command": "ls"})],
    )  # fmt: skip
    assert tool_counts(totals(capture("1", conversation=conversation(turn)))) == {
        "read": 0, "write": 1, "unknown": 0, "control": 0, "unknown_names": [],
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
