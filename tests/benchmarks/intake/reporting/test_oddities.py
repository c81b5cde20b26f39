from typing import Any

import pytest

from benchmarks.intake.reporting.finding import Finding, Severity
from benchmarks.intake.reporting.oddities import oddities
from benchmarks.records.intake import IntakeReport


def said(empty_spans: int = 0, **about: Any) -> list[Finding]:
    report = IntakeReport(
        generated_at="2026-11-02T09:20:00.000Z", verdict="pass", loss=0, bar=0.05, sources=[],
        dialects={}, records=1, captures=1, conversations=1, turns=1, tool_calls=0,
        tool_results=0, joined_results=0, dropped={}, examples=[],
        duplicates=about.pop("duplicates", 0),
    )  # fmt: skip
    return list(oddities(report.with_(**about), empty_spans=empty_spans))


def test_a_whole_report_says_nothing() -> None:
    assert said() == []


@pytest.mark.parametrize(
    ("joins", "text"),
    [
        ({"orphan_results": 1}, "1 result answers no call that was recorded"),
        ({"orphan_results": 479}, "479 results answer no call that was recorded"),
        ({"calls_without_result": 1}, "1 call has no result though the conversation went on"),
        ({"calls_without_result": 2}, "2 calls have no result though the conversation went on"),
    ],
)
def test_halves_that_are_missing(joins: dict[str, int], text: str) -> None:
    (found,) = said(joins=joins)
    assert (found.text, found.severity) == (text, Severity.WARNING)


def test_orphan_spans_are_those_that_carry_content() -> None:
    assert said(orphan_spans=3, empty_spans=3) == []
    (found,) = said(orphan_spans=4, empty_spans=3)
    assert found.text == "1 span names a parent that was not recorded"
    (found,) = said(orphan_spans=2)
    assert found.text == "2 spans name parents that were not recorded"


def test_usage_counted_twice_is_ignored_and_said() -> None:
    (found,) = said(wrapper_usage={"spans": 3, "input_tokens": 30, "output_tokens": 6})
    assert (found.code, found.severity) == ("wrapper_usage", Severity.INFO)
    assert found.text == "usage counted twice on 3 wrappers: ignored"
    assert found.next == "nothing: 30 input and 6 output tokens are counted out"


def test_texts_that_were_cut() -> None:
    assert said(text={"truncated_values": 1})[0].text == "1 text says of itself that it was cut"
    assert said(text={"truncated_values": 2})[0].text == "2 texts say that they were cut"


def test_text_that_was_mended() -> None:
    bad, numbers = said(text={"decode_replaced": 1, "surrogate_replaced": 1, "non_finite": 1})
    assert bad.text == "2 places hold bytes that are no text: U+FFFD stands there"
    assert numbers.text == "1 number is NaN or infinite: read as null"


def test_duplicates_are_one_capture_each() -> None:
    assert said(duplicates=1)[0].text == "1 record repeats another one: one capture each"
    assert said(duplicates=4)[0].text == "4 records repeat another one: one capture each"


@pytest.mark.parametrize(
    ("code", "one", "several"),
    [
        ("stitched",
         "1 conversation is put together from answers and tool runs: its inputs are lossy",
         "2 conversations are put together from answers and tool runs: their inputs are lossy"),
        ("call_inferred",
         "1 tool run has no call by a model: one was made for it",
         "2 tool runs have no call by a model: one was made for each"),
        ("arguments_unparsed",
         "1 call has arguments that are no JSON", "2 calls have arguments that are no JSON"),
        ("missing_usage",
         "1 capture counts no tokens: its cost is unknown",
         "2 captures count no tokens: their cost is unknown"),
        ("duplicate_call_id",
         "1 id of a call is used again: results are joined in order",
         "2 ids of calls are used again: results are joined in order"),
        ("glued_arguments",
         "1 call held the arguments of several: it is taken apart",
         "2 calls held the arguments of several: they are taken apart"),
        ("truncated_stream",
         "1 stream ends without its end mark", "2 streams end without their end mark"),
    ],
)  # fmt: skip
def test_issues_are_said_in_words(code: str, one: str, several: str) -> None:
    assert [found.text for found in said(issues={code: 1})] == [one]
    assert [found.text for found in said(issues={code: 2})] == [several]
    assert said(issues={code: 1})[0].code == code
