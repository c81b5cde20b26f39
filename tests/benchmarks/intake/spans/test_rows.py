from typing import Any

import pytest

from benchmarks.intake.spans.rows import RowForm, holds_rows, row_span, rows_in, value_at
from benchmarks.intake.spans.span import SpanKind

FORM = RowForm(
    kinds={"llm": SpanKind.INFERENCE, "tool": SpanKind.TOOL}, kind="about.kind", span_id="id",
    parent_id="up", start="from", end="to", usage="used", no_parents=frozenset({"none"}),
    tools=("about.tools",),
)  # fmt: skip
ROW = {
    "id": 7, "up": "none", "from": "2026-05-01T10:00:00Z", "to": 1_777_629_601, "name": "chat",
    "about": '{"kind": "llm", "tools": [{"name": "look"}]}', "used": {"input": 3}, "model": "m",
    "provider": "p", "input": '["x"]', "output": "y", "thread_id": "th",
}  # fmt: skip


def test_a_row_is_a_span_by_the_names_of_its_form() -> None:
    span = row_span("t", 2, ROW, FORM)
    assert (span.trace_id, span.span_id, span.parent_id, span.name) == ("t", "7", None, "chat")
    assert (span.kind, span.input, span.output) == (SpanKind.INFERENCE, ["x"], "y")
    assert span.start == 1_777_629_600 * 10**9
    assert span.end == 1_777_629_601 * 10**9
    assert (span.model, span.session_id, span.record) == ("m", "th", 2)
    assert span.usage.usage.input_tokens == 3
    assert span.attributes == {
        "gen_ai.provider.name": "p", "gen_ai.request.model": "m",
        "gen_ai.tool.definitions": [{"name": "look"}],
    }  # fmt: skip


def test_only_a_call_of_a_model_has_a_cost_and_settings() -> None:
    span = row_span("t", 2, {**ROW, "about": {"kind": "tool"}, "up": "1"}, FORM)
    assert (span.kind, span.usage, span.attributes) == (SpanKind.TOOL, None, {})
    assert span.parent_id == "1"
    assert row_span("t", 2, {}, FORM).span_id == "t 2"


@pytest.mark.parametrize(
    ("found", "error"),
    [
        (None, None), ("", None), ("ok", None), (False, None), ("no", "no"), (3, ""), ([1], ""),
        ({"message": "no"}, "no"), ({"exception_type": "E"}, "E"), ({}, ""),
    ],
)  # fmt: skip
def test_what_went_wrong_is_said_in_whichever_words(found: Any, error: str | None) -> None:
    assert row_span("t", 0, {"error": found}, FORM).error == error


def test_rows_stand_by_themselves_or_in_a_list() -> None:
    def is_row(value: Any) -> bool:
        return isinstance(value, dict) and "id" in value

    row = {"id": 1}
    assert holds_rows(row, is_row, ["rows"])
    assert rows_in(row, is_row, ["rows"]) == [row]
    page = {"rows": [row, 3, {"x": 1}], "more": [row]}
    assert holds_rows(page, is_row, ["more", "rows"])
    assert rows_in(page, is_row, ["rows"]) == [row]
    for other in ({}, [row], {"rows": []}, {"rows": [3]}, {"rows": row}, 3):
        assert not holds_rows(other, is_row, ["rows"])


def test_a_dotted_name_leads_into_objects_only() -> None:
    assert value_at({"a": {"b": 1}}, "a.b") == 1
    assert value_at({"a": [1]}, "a.b") is None
    assert value_at({}, "a.b.c") is None
