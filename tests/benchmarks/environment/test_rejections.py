"""A rejected call is told what to do, in the tool's own style."""

from typing import Any

import pytest

from benchmarks.environment.breaches import Breach
from benchmarks.environment.rejections import (
    Rejection,
    declared_breach,
    malformed,
    style_of,
    styled,
    unknown_tool,
)
from benchmarks.records.environment import Guidance

MISSING = Breach("missing_required", "order_id", "")


def test_unknown_tool_names_the_nearest_three() -> None:
    offered = ["cancel_booking", "get_booking", "get_guest", "list_rooms", "send_note"]
    rejection = unknown_tool("get_bookings", offered)
    assert rejection.kind == "unknown_tool"
    assert rejection.message == (
        "There is no tool get_bookings. The nearest: get_booking, cancel_booking, get_guest."
    )


def test_unknown_tool_without_any_offered_says_so() -> None:
    assert unknown_tool("x", []).message == "There is no tool x. No tool is offered."


def test_default_words_of_a_missing_key() -> None:
    assert declared_breach("get_order", MISSING, Guidance()) == Rejection(
        "missing_required", "order_id is missing. Call get_order again with it."
    )


def test_default_words_of_a_type_and_an_enum() -> None:
    wrong = declared_breach("pay", Breach("type", "amount", "number"), Guidance())
    assert wrong == Rejection("type_mismatch", "amount must be of type number.")
    other = declared_breach("pay", Breach("enum", "method", "card, cash"), Guidance())
    assert other == Rejection("enum_violation", "method must be one of: card, cash.")


def test_guidance_has_the_last_word() -> None:
    guidance = Guidance(tools={"get_order": {"missing_required:order_id": "Ask for the order."}})
    assert declared_breach("get_order", MISSING, guidance).message == "Ask for the order."


def test_message_ends_at_500_characters() -> None:
    guidance = Guidance(tools={"get_order": {"missing_required:order_id": "x" * 600}})
    message = declared_breach("get_order", MISSING, guidance).message
    assert len(message) == 500
    assert message.endswith("x…")


def test_malformed_arguments_keep_their_own_form() -> None:
    rejection = malformed("pay", "end of text at column 12")
    assert (
        styled(rejection, None)
        == styled(rejection, "string")
        == {
            "ok": False,
            "error": "arguments of pay are not a JSON object: end of text at column 12",
        }
    )


@pytest.mark.parametrize(
    ("style", "content"),
    [
        ("string", "Error: no."),
        ("error", {"error": "no."}),
        ("ok_false", {"ok": False, "error": "no."}),
        ("success_false", {"success": False, "error": "no."}),
        (None, {"error": "enum_violation", "message": "no."}),
        ("a style of another writer", {"error": "enum_violation", "message": "no."}),
    ],
)
def test_rejection_takes_the_style_of_the_tool(style: str | None, content: Any) -> None:
    assert styled(Rejection("enum_violation", "no."), style) == content


@pytest.mark.parametrize(
    ("errors", "style"),
    [
        ([], None),
        (["Error: not found"], "string"),
        ([{"error": "not found"}], "error"),
        (['{"error": "not found"}'], "error"),
        ([{"ok": False, "error": "x"}, "Error: y", {"ok": False, "error": "z"}], "ok_false"),
        ([{"success": False, "message": "x"}], "success_false"),
    ],
)
def test_style_is_the_commonest_of_the_recorded_errors(errors: list[Any], style: str) -> None:
    assert style_of(errors) == style
