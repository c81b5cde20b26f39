import pytest

from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.reporting.finding import Finding, Severity
from benchmarks.intake.reporting.refusals import refusals
from benchmarks.intake.reporting.tally import Tally
from benchmarks.intake.sources.found import SourceFile

SWITCH = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true"


def tally(*drops: Dropped, dialect: str | None = None) -> Tally:
    found = Tally()
    found.opened(SourceFile("f", "digest", 10))
    for drop in drops:
        found.lost(drop, dialect)
    return found


def drop(reason: Reason, detail: str = "", line: int = 1) -> Dropped:
    return Dropped(reason, f"f#L{line}", detail, local_path="f")


def said(found: Tally, kept: int = 1) -> list[Finding]:
    return list(refusals(found, kept=kept))


def test_spans_without_content_name_what_turns_content_on() -> None:
    drops = [drop(Reason.NO_MESSAGES, f"chat: neither input nor output; {key}") for key in (
        "response id r1", "conversation id c1", "trace t, no join key",
    )]  # fmt: skip
    (found,) = said(tally(*drops, dialect="otlp"))
    assert (found.code, found.severity) == ("no_content", Severity.WARNING)
    assert found.text == f"3 inference spans carry no content: content capture is off ({SWITCH})"
    assert found.next.startswith("set it where the traces are recorded (OpenLLMetry: TRACELOOP_")
    assert found.next.endswith(
        "; or add the traces that hold it: conversation id c1, response id r1"
    )


def test_nothing_but_spans_without_content_is_an_error() -> None:
    (found,) = said(tally(drop(Reason.NO_MESSAGES), dialect="otel_spans"), kept=0)
    assert found.severity is Severity.ERROR
    assert found.text == f"1 inference span carries no content: content capture is off ({SWITCH})"


def test_the_switch_is_that_of_the_recorder() -> None:
    (found,) = said(tally(drop(Reason.NO_MESSAGES), dialect="langsmith"))
    assert found.next == "LANGSMITH_HIDE_INPUTS=false and LANGSMITH_HIDE_OUTPUTS=false"


def test_records_that_are_no_spans_are_told_apart_from_those() -> None:
    (found,) = said(tally(drop(Reason.NO_MESSAGES, "task 3: no message"), dialect="tau2"))
    assert (found.code, found.text) == ("no_messages", "1 record holds neither input nor output")
    assert found.next == "record what was asked and answered; the first is f#L1: task 3: no message"


@pytest.mark.parametrize(
    ("reason", "detail", "text", "cure"),
    [
        (Reason.MALFORMED_LINE, "end of text at column 80",
         "2 records are malformed",
         "export them again, or take them out; the first is f#L1: end of text at column 80"),
        (Reason.UNREADABLE_FILE, "end of file",
         "2 files are damaged", "copy them again; the first is f#L1: end of file"),
        (Reason.TOO_LONG, "a line over 64 MiB",
         "2 records are longer than what is read",
         "split what you can; the first is f#L1: a line over 64 MiB"),
        (Reason.UNSUPPORTED_VERSION, "schema_version 9",
         "2 records have a version that is not read here: schema_version 9",
         "update understudy, then try again; the first is f#L1"),
        (Reason.CONTENT_MASKED, "every text is masked",
         "2 records have every text masked",
         "turn the masking off where the traces are recorded; the first is f#L1: every text is "
         "masked"),
        (Reason.MISSING_IDS, "no trace id",
         "2 records lack the ids that join them to others",
         "export them with their ids; the first is f#L1: no trace id"),
        (Reason.MISSING_HISTORY, "goes on from r1",
         "2 calls go on from a history that its provider keeps and no source holds",
         "add the calls before it: f#L1: goes on from r1"),
        (Reason.NO_RESPONSE, "",
         "2 requests have no answer in these sources",
         "add the file that holds the answers; the first is f#L1"),
        (Reason.FAILED_CALL, "",
         "2 records are calls or rollouts that failed before any answer",
         "nothing: this is no loss; the first is f#L1"),
        (Reason.UNSUPPORTED_DIALECT, "voice",
         "recognised, not readable by this version: voice",
         "nothing: this is no loss; the first is f#L1"),
        (Reason.NEEDS_EXTRA, 'otlp (protobuf): pip install "understudy[otlp]"',
         "2 files need an extra to be read: otlp (protobuf)", 'pip install "understudy[otlp]"'),
        (Reason.STALE, "",
         "2 captures are left out as stale",
         "nothing: --max-age-days asks for it; the first is f#L1"),
        (Reason.WORKLOAD_MISMATCH, "",
         "2 captures are left out as workload_mismatch",
         "nothing: --workload asks for it; the first is f#L1"),
    ],
)  # fmt: skip
def test_each_reason_is_said_with_its_cure(
    reason: Reason, detail: str, text: str, cure: str
) -> None:
    (found,) = said(tally(drop(reason, detail), drop(reason, detail, line=2)))
    assert (found.text, found.next) == (text, cure)


def test_one_of_a_kind_is_said_as_one() -> None:
    texts = [
        said(tally(drop(reason)))[0].text
        for reason in (Reason.MALFORMED_LINE, Reason.MISSING_IDS, Reason.NO_RESPONSE)
    ]
    assert texts == [
        "1 record is malformed",
        "1 record lacks the id that joins it to others",
        "1 request has no answer in these sources",
    ]


def test_each_extra_is_named_by_itself() -> None:
    found = said(tally(
        drop(Reason.NEEDS_EXTRA, 'otlp (protobuf): pip install "understudy[otlp]"'),
        drop(Reason.NEEDS_EXTRA, 'cassette (YAML): pip install "understudy[yaml]"'),
    ))  # fmt: skip
    assert [one.next for one in found] == [
        'pip install "understudy[yaml]"', 'pip install "understudy[otlp]"',
    ]  # fmt: skip


@pytest.mark.parametrize(
    "reason", [Reason.NOT_A_CAPTURE, Reason.IGNORED_EXTENSION, Reason.SYMLINK_SKIPPED]
)
def test_what_is_no_capture_at_all_is_no_finding(reason: Reason) -> None:
    assert said(tally(drop(reason))) == []


@pytest.mark.parametrize(
    ("details", "text", "cure"),
    [
        (["BadGzipFile: not a gzip"], "1 file is damaged", "copy them again"),
        (["PermissionError: Permission denied", "a folder that may not be looked into"],
         "2 places may not be read", "give yourself the right to read them"),
        (["EOFError: cut", "PermissionError: no"], "1 file is damaged, 1 place may not be read",
         "copy what is damaged again; give yourself the right to read them"),
    ],
)  # fmt: skip
def test_what_may_not_be_read_is_told_from_what_is_damaged(
    details: list[str], text: str, cure: str
) -> None:
    (found,) = said(tally(*(drop(Reason.UNREADABLE_FILE, detail) for detail in details)))
    assert (found.text, found.next) == (text, f"{cure}; the first is f#L1: {details[0]}")
