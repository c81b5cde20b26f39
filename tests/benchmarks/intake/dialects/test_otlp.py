import json
from typing import Any

import pytest

from benchmarks.intake.dialect import Piece
from benchmarks.intake.dialects.otlp import TRACE_KEY, Otlp, OtlpTrace
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from tests.benchmarks.intake.spans.making import found_of, says, told, user

ONE, TWO = "0af7651916cd43dd8448eb211c80319c", "1af7651916cd43dd8448eb211c80319c"


def span(trace_id: str | None, number: int, **attributes: Any) -> dict[str, Any]:
    pairs = [
        {"key": key.replace("__", "."), "value": {"stringValue": value}}
        for key, value in attributes.items()
    ]
    found = {"spanId": f"{number:016x}", "name": f"span {number}", "attributes": pairs}
    return found if trace_id is None else {"traceId": trace_id, **found}


def chat(trace_id: str | None, number: int, heard: list[Any], answer: Any) -> dict[str, Any]:
    return span(
        trace_id,
        number,
        gen_ai__operation__name="chat",
        gen_ai__input__messages=json.dumps(heard),
        gen_ai__output__messages=json.dumps([answer]),
    )


def export(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}


def read(*exports: dict[str, Any]) -> dict[str, list[Piece]]:
    groups: dict[str, list[Found]] = {}
    for number, record in enumerate(exports):
        for entry in Otlp().entries(record):
            assert entry.refused is None
            found = found_of(entry.record, f"file#L{number + 1}{entry.within}")
            for key in OtlpTrace().keys(found):
                groups.setdefault(key, []).append(found)
    return {key: [*OtlpTrace().read(key, records)] for key, records in groups.items()}


@pytest.mark.parametrize(
    "record",
    [{"resourceSpans": []}, {"resource_spans": None}, {"resourceLogs": [1]}, {"resource_logs": 1}],
)
def test_an_export_is_known_by_its_one_key(record: Any) -> None:
    assert Otlp().detect(record)
    assert not OtlpTrace().detect(record)


@pytest.mark.parametrize("record", [{}, [], None, "resourceSpans", {"spans": []}, [{}]])
def test_anything_else_is_no_export(record: Any) -> None:
    assert not Otlp().detect(record)
    assert not OtlpTrace().detect(record)


def test_an_export_is_split_by_trace() -> None:
    entries = [*Otlp().entries(export(span(ONE, 1), span(TWO, 2), span(ONE, 3), span(None, 4)))]
    assert [entry.within for entry in entries] == [f"/{ONE}", f"/{TWO}", "/no-trace"]
    assert [[one["name"] for one in entry.record["spans"]] for entry in entries] == [
        ["span 1", "span 3"], ["span 2"], ["span 4"],
    ]  # fmt: skip
    assert all(OtlpTrace().detect(entry.record) for entry in entries)


def test_a_trace_over_several_exports_is_one_conversation() -> None:
    later = chat(ONE, 2, [user("a"), says("b"), user("c")], says("d"))
    found = read(export(later), export(chat(ONE, 1, [user("a")], says("b")), span(TWO, 7)))
    (piece,) = found[ONE]
    assert isinstance(piece.result, Reading)
    assert told(piece.result.conversation) == [
        "user: a", "assistant: b", "user: c", "assistant: d",
    ]  # fmt: skip
    assert piece.at == 0
    (other,) = found[TWO]
    assert isinstance(other.result, Refused)
    assert other.result.reason is Reason.NOT_A_CAPTURE


def test_spans_without_a_trace_stay_with_their_export_and_are_refused_one_by_one() -> None:
    found = read(export(span(None, 1), span(None, 2)), export(span(None, 3)))
    assert list(found) == ["file#L1/no-trace", "file#L2/no-trace"]
    details = [piece.result.detail for piece in found["file#L1/no-trace"]]  # type: ignore[union-attr]
    assert details == [
        "a span named 'span 1' without an id of a trace and of a span",
        "a span named 'span 2' without an id of a trace and of a span",
    ]


def test_log_records_give_a_span_its_messages() -> None:
    def log(name: str, content: str) -> dict[str, Any]:
        body = {"kvlistValue": {"values": [{"key": "content", "value": {"stringValue": content}}]}}
        return {"traceId": ONE, "spanId": f"{1:016x}", "eventName": name, "body": body}

    logs = [log("gen_ai.user.message", "hi"), log("gen_ai.choice", "hello"),
            {"body": {"stringValue": "an ordinary line"}}]  # fmt: skip
    record = {"resourceLogs": [{"scopeLogs": [{"logRecords": logs}]}]}
    (piece,) = read(export(span(ONE, 1)), record)[ONE]
    assert isinstance(piece.result, Reading)
    assert told(piece.result.conversation) == ["user: hi", "assistant: hello"]
    (alone,) = read(record)[ONE]
    assert isinstance(alone.result, Reading)
    assert told(alone.result.conversation) == ["user: hi", "assistant: hello"]


def test_a_log_record_of_a_call_without_ids_is_refused() -> None:
    record = {"resourceLogs": [{"scopeLogs": [{"logRecords": [{"eventName": "gen_ai.choice"}]}]}]}
    ((piece,),) = read(record).values()
    assert piece.result == Refused(
        Reason.MISSING_IDS, "a log record without an id of a trace and of a span"
    )


@pytest.mark.parametrize(
    "record",
    [{"resourceSpans": []}, {"resourceSpans": [None, {"scopeSpans": [{"spans": []}]}]},
     {"resourceLogs": [{"scopeLogs": [{"logRecords": [{"body": 1}]}]}]}],
)  # fmt: skip
def test_an_export_that_holds_no_span_is_no_capture(record: Any) -> None:
    (entry,) = Otlp().entries(record)
    assert entry.refused == Refused(Reason.NOT_A_CAPTURE, "an export that holds no span")


def test_the_key_of_a_part_is_its_trace() -> None:
    part = {TRACE_KEY: ONE, "spans": [], "logs": []}
    assert [*OtlpTrace().keys(found_of(part))] == [ONE]
    assert [*OtlpTrace().read(ONE, [found_of(part)])] == []
