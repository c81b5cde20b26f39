import json
from typing import Any

import pytest

from benchmarks.intake.dialects.otel_spans import OtelSpanLists, OtelSpans
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.spans.making import found_of, says, told, user

TRACE = "0af7651916cd43dd8448eb211c80319c"


def dump(number: int, **attributes: Any) -> dict[str, Any]:
    return {
        "name": f"span {number}",
        "spanContext": {"traceId": TRACE, "spanId": f"{number:016x}"},
        "startTime": [1_700_000_000 + number, 0],
        "attributes": {key.replace("__", "."): value for key, value in attributes.items()},
    }


def test_spans_of_one_trace_in_many_records_are_one_conversation() -> None:
    first = dump(1, ai__operationId="ai.generateText.doGenerate",
                 ai__prompt="{\"prompt\": \"a\"}", ai__response__text="b")  # fmt: skip
    history = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"},
               {"role": "user", "content": "c"}]  # fmt: skip
    second = dump(2, ai__operationId="ai.generateText.doGenerate",
                  ai__prompt__messages=json.dumps(history), ai__response__text="d")  # fmt: skip
    records = [found_of(second, "b.json#"), found_of(first, "a.json#")]
    assert {key for found in records for key in OtelSpans().keys(found)} == {TRACE}
    (piece,) = OtelSpans().read(TRACE, records)
    assert isinstance(piece.result, Reading)
    assert told(piece.result.conversation) == [
        "user: a", "assistant: b", "user: c", "assistant: d",
    ]  # fmt: skip
    assert piece.result.conversation.dialect == "ai_sdk"


def test_attributes_alone_are_a_conversation_known_by_what_they_say() -> None:
    record = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps([user("hi")]),
              "gen_ai.output.messages": json.dumps([says("hello")])}  # fmt: skip
    found = found_of(record)
    assert OtelSpans().detect(record)
    assert [*OtelSpans().keys(found)] == [found.record_sha256]
    (piece,) = OtelSpans().read(found.record_sha256, [found])
    assert isinstance(piece.result, Reading)
    assert told(piece.result.conversation) == ["user: hi", "assistant: hello"]
    assert piece.result.frame.trace is None


def test_a_dump_by_operation_is_its_spans() -> None:
    record = {"chat/x": [dump(1), dump(2)], "embed": [dump(3), None]}
    assert OtelSpanLists().detect(record)
    entries = [*OtelSpanLists().entries(record)]
    assert [entry.within for entry in entries] == [
        "/chat~1x/0", "/chat~1x/1", "/embed/0", "/embed/1",
    ]  # fmt: skip
    assert [entry.refused for entry in entries] == [
        None, None, None, Refused(Reason.NOT_A_CAPTURE, "no span"),
    ]  # fmt: skip
    assert all(OtelSpans().detect(entry.record) for entry in entries[:3])


@pytest.mark.parametrize(
    "record",
    [
        {}, [], None, {"a": []}, {"a": [{"attributes": {}}], "n": 2}, {"a": [{"name": "x"}]},
        {"captureDate": "2026", "results": [{"name": "x"}], "attributeSummary": {"genAi": []}},
    ],
)  # fmt: skip
def test_counts_and_other_lists_are_no_spans(record: Any) -> None:
    assert not OtelSpanLists().detect(record)
    assert not OtelSpans().detect(record)


def test_a_trace_of_embeddings_is_no_capture() -> None:
    found = found_of(dump(1, ai__operationId="ai.embed", ai__value="x"))
    (piece,) = OtelSpans().read(TRACE, [found])
    assert isinstance(piece.result, Refused)
    assert piece.result.reason is Reason.NOT_A_CAPTURE
