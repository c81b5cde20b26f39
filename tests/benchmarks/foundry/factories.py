"""Hand-made captures: a few words each, everything else as a source without surprises has it."""

from collections.abc import Sequence
from typing import Any

from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Conversation
from benchmarks.records.digest import json_digest

Said = tuple[Any, ...]
"""`("user", "words")`, `("assistant", "words", call, ...)`, `("tool", result, ...)`."""

DAY = "2026-11-02T"


def call(name: str, call_id: str = "", **arguments: Any) -> JsonObject:
    return {
        "type": "tool_call",
        "call_id": call_id or f"id-{name}",
        "name": name,
        "arguments": arguments,
    }


def result(text: str, name: str = "get", call_id: str = "", status: str = "ok") -> JsonObject:
    parts = [{"type": "text", "text": text}]
    return {
        "type": "tool_result",
        "call_id": call_id or f"id-{name}",
        "name": name,
        "status": status,
        "parts": parts,
    }


def tool(name: str, **extra: Any) -> JsonObject:
    return {"name": name, "description": None, "parameters": None, **extra}


def turns(said: Sequence[Said], origin: str = "request", start: int = 0) -> list[JsonObject]:
    """Turns of the conversation model, results joined to the call of their id."""
    made: list[JsonObject] = []
    for index, (role, *pieces) in enumerate(said, start=start):
        parts = [{"type": "text", "text": p} if isinstance(p, str) else dict(p) for p in pieces]
        made.append({"index": index, "role": role, "origin": origin, "parts": parts})
    return made


def joined(made: list[JsonObject]) -> list[JsonObject]:
    """The turns with each result pointing at the earliest open call of its id."""
    waiting: list[tuple[str, int, int]] = []
    for turn in made:
        for place, part in enumerate(turn["parts"]):
            if part["type"] == "tool_call":
                waiting.append((part["call_id"], turn["index"], place))
            if part["type"] == "tool_result":
                found = next((one for one in waiting if one[0] == part["call_id"]), None)
                if found is None:
                    part["orphan"] = True
                else:
                    waiting.remove(found)
                    part["call"] = {"turn": found[1], "part": found[2]}
    return made


def conversation(
    asked: Sequence[Said], answered: Sequence[Said] = (), **extra: Any
) -> Conversation:
    made = turns(asked) + turns(answered, "response", len(asked))
    return Conversation.read({
        "dialect": "openai.chat",
        "granularity": "call",
        "turns": joined(made),
        "tools": [],
        "stop": {"reason": "end", "raw": "stop"},
        "usage": None,
        **extra,
    })


def capture(
    asked: Sequence[Said],
    answered: Sequence[Said] = (),
    *,
    at: str | None = None,
    line: int = 1,
    session: str | None = None,
    trace: str | None = None,
    status: int = 200,
    task: str | None = None,
    trial: str | None = None,
    name: str | None = None,
    span: str | None = None,
    helper_of: tuple[Capture, str] | None = None,
    **extra: Any,
) -> Capture:
    """A capture of one model call; `line` also makes its key differ from its twin's."""
    spoken = conversation(asked, answered, **extra)
    first = next((one for one in asked if one[0] == "user"), ("user", ""))
    record = json_digest([line, spoken.dump()])
    identity = {"session_id": session, "trace_id": trace, "task_id": task, "trial": trial}
    identity["caller_span_id"] = span
    caller = (
        {"capture_key": helper_of[0].capture_key, "call_id": helper_of[1]} if helper_of else None
    )
    return Capture.read({
        "capture_id": name or f"req-{line}",
        "capture_key": record[:32],
        "captured_at": f"{DAY}{at}Z" if at else None,
        "source": {
            "pointer": f"captures.jsonl#L{line}",
            "sha256": record,
            "record_sha256": record,
            "local_path": "captures.jsonl",
            "content_sha256": "5d1e",
            "identity": {key: value for key, value in identity.items() if value is not None},
        },
        "scope": {},
        "routing": {"provider": "openai", "requested_model": "gpt-5.5"},
        "transport": {"status_code": status},
        "request": {"messages": [], "tools": []},
        "response": {"encoding": "json", "tool_calls": []},
        "trace": {"trace_id": trace, "valid": True} if trace else None,
        "fingerprints": {
            "group": json_digest([[one for one in asked if one[0] == "system"], first[1:]]),
            "messages": [],
            "sequence": "",
            "tools": [],
        },
        "conversation": spoken.dump(),
        **({"helper_of": caller} if caller else {}),
    })


def session_record(
    said: Sequence[Said], *, line: int = 1, reward: float | None = None, **extra: Any
) -> Capture:
    """A capture that is a whole conversation."""
    outcome = {} if reward is None else {"outcome": {"reward": reward, "source": "reward"}}
    return capture(said, (), line=line, granularity="session", **outcome, **extra)
