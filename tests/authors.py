"""A model that authors the refund desk of `tests/benchmarks/services/factories.py`, as a script.

It reads the evidence as any model would and answers with JSON; a test spoils what it says.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from tests.stub_model import Reply

ORDER = re.compile(r"\b([AB]-\d{4})\b")
USAGE = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}

Spoil = Callable[[dict[str, Any], dict[str, Any], int], Any]
"""Gets the body, the good reply and the number of the call; gives the reply that is sent."""


def evidence_in(body: dict[str, Any]) -> str:
    """The first question: the evidence of one task."""
    return str(body["messages"][1]["content"])


def order_in(body: dict[str, Any]) -> str:
    """The order that the task is about."""
    return ORDER.findall(evidence_in(body))[0]


def is_retry(body: dict[str, Any]) -> bool:
    return len(body["messages"]) > 2


def good_reply(body: dict[str, Any]) -> dict[str, Any]:
    """What a careful author says: every effect, and the look-up that the task needs."""
    order = order_in(body)
    looked = {
        "type": "read_obligation",
        "tool": "get_order",
        "arguments_semantic": {"order_id": order},
        "call_id": f"{'a' if order.startswith('A') else 'c'}{order[-1]}",
    }
    refunded = {
        "type": "state_effect",
        "tool": "issue_refund",
        "arguments_semantic": {"order_id": order, "amount": 25},
        "call_id": f"b{order[-1]}",
    }
    required = [refunded, looked] if order.startswith("A") else [looked]
    return {
        "statement": "Do what the customer asks about the one order that is named.",
        "success_criteria": ["The order is looked up.", "The customer is answered."],
        "category_proposal": {"id": "orders", "name": "Orders"},
        "difficulty": "easy",
        "difficulty_reason": "One order, one step.",
        "intent_summary": "Help with one order",
        "contract": {"required": required, "preserved": [], "forbidden": []},
        "confidence": "high",
        "ambiguities": [],
    }


def completion(body: dict[str, Any], content: str) -> Reply:
    message = {"role": "assistant", "content": content}
    return (
        200,
        {},
        {
            "id": "chatcmpl-author",
            "object": "chat.completion",
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": dict(USAGE),
        },
    )


def author(spoil: Spoil | None = None) -> Callable[[dict[str, Any], int], Reply]:
    """The script of `StubModel`; what `spoil` gives as a text is sent as it is."""

    def script(body: dict[str, Any], number: int) -> Reply:
        said: Any = good_reply(body)
        if spoil is not None:
            said = spoil(body, said, number)
        if isinstance(said, tuple):
            return said
        return completion(body, said if isinstance(said, str) else json.dumps(said))

    return script
