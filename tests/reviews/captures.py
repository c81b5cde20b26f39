"""A captured conversation about a refund, as intake would have kept it."""

from typing import Any

from benchmarks.records.capture import Capture

SESSION_KEY = "789923b8b49ccb3859659160ced15916"


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def turn(index: int, role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"index": index, "role": role, "origin": "request", "parts": list(parts)}


def make_turns(**words: str) -> list[dict[str, Any]]:
    """Six turns; `words` replaces what is said, called or answered in some of them."""
    said = {
        "system": "You handle refunds.",
        "first": "Refund A-1007.",
        "tool": "get_order",
        "argument": "A-1007",
        "result": '{"order_id": "A-1007", "total": 25.00}',
        "then": "Yes, all of it.",
        "last": "Refunded 25.00.",
        **words,
    }
    call = {
        "type": "tool_call",
        "call_id": "c1",
        "name": said["tool"],
        "arguments": {"order_id": said["argument"]},
    }
    result = {
        "type": "tool_result",
        "call_id": "c1",
        "name": said["tool"],
        "status": "ok",
        "parts": [text(said["result"])],
        "call": {"turn": 2, "part": 0},
    }
    return [
        turn(0, "system", text(said["system"])),
        turn(1, "user", text(said["first"])),
        turn(2, "assistant", call),
        turn(3, "tool", result),
        turn(4, "user", text(said["then"])),
        turn(5, "assistant", text(said["last"])),
    ]


def make_session(key: str = SESSION_KEY, **words: str) -> Capture:
    """One whole conversation as a capture."""
    return Capture.read({
        "capture_id": "req-7f31",
        "capture_key": key,
        "captured_at": "2026-11-02T09:14:03.000Z",
        "source": {
            "pointer": "talks.jsonl#L1",
            "sha256": "7" * 64,
            "local_path": "talks.jsonl",
            "content_sha256": "5" * 64,
        },
        "scope": {},
        "routing": {"provider": "openai", "requested_model": "gpt-5.5"},
        "transport": {},
        "request": {"messages": [], "tools": []},
        "response": {"encoding": "json", "tool_calls": []},
        "fingerprints": {"group": "9c", "messages": [], "sequence": "07", "tools": []},
        "conversation": {
            "dialect": "openai_chat",
            "granularity": "session",
            "turns": make_turns(**words),
            "tools": [{"name": "get_order"}],
            "stop": {"reason": "stop"},
            "end": {"reason": "reply"},
        },
    })
