"""Captures made by hand."""

from collections.abc import Set
from datetime import UTC, datetime
from typing import Any

from benchmarks.intake.gathering import Gathering
from benchmarks.intake.scope import Scoped
from benchmarks.intake.sources.found import SourceFile
from benchmarks.intake.told import told_of, tool_digest
from benchmarks.intake.work import CaptureLine, line_of
from benchmarks.records.blocks import Usage
from benchmarks.records.capture import (
    Capture,
    CaptureRequest,
    CaptureResponse,
    Fingerprints,
    Routing,
    Scope,
    Source,
    Transport,
)
from benchmarks.records.conversation import Conversation, Stop, Text, Turn


def said(index: int, role: str, text: str) -> Turn:
    """A turn of one text; the assistant's last is the answer."""
    return Turn.read({
        "index": index,
        "role": role,
        "origin": "response" if role == "assistant" else "request",
        "parts": [Text(text=text)],
    })


def conversation(*turns: Turn, tokens: int | None = None, session: bool = False) -> Conversation:
    """A conversation of these turns."""
    return Conversation(
        dialect="openai.chat",
        granularity="session" if session else "call",
        turns=list(turns),
        tools=[],
        stop=Stop(reason="end"),
        usage=Usage(input_tokens=tokens) if tokens is not None else None,
    )


def capture(capture_id: str, **about: Any) -> Capture:
    """A capture; `turns` users' turns before the answer `said`, or `conversation` as given."""
    count = about.get("turns", 1)
    turns = [said(at, "user", f"words {at}") for at in range(count - 1)]
    default = conversation(
        *turns,
        said(count - 1, "assistant", about.get("said", "ok")),
        tokens=about.get("tokens"),
    )
    pointer = about.get("pointer", f"f#{capture_id}")
    at = about.get("at")
    return Capture(
        capture_id=capture_id,
        capture_key=about.get("key", f"key-{capture_id}"),
        captured_at=at,
        source=Source(
            pointer=pointer,
            pointers=[pointer],
            sha256=about.get("sha256", f"line-{capture_id}"),
            record_sha256=about.get("record", f"record-{capture_id}"),
            local_path=about.get("path", "f"),
            content_sha256="",
        ),
        scope=Scope(workload_id=about.get("workload_id"), workload_name=about.get("workload")),
        routing=Routing(),
        transport=Transport(latency_ms=about.get("latency_ms")),
        request=CaptureRequest(messages=[], tools=[]),
        response=CaptureResponse(encoding="json", tool_calls=[]),
        warnings=about.get("warnings", [] if at else ["unknown_time"]),
        fingerprints=Fingerprints(group="", messages=[], sequence="", tools=[]),
        conversation=about.get("conversation", default),
    )


def line(made: Capture, response_id: str | None = None, previous: str | None = None) -> CaptureLine:
    """A capture as a process hands it over."""
    told = told_of(made, response_id, previous)
    tools = {tool_digest(tool): tool for tool in made.conversation.tools}
    return CaptureLine(told=told, line=line_of(made)[0], tools=tools, capture=made)


def gathering(*lines: CaptureLine, known: Set[str] = frozenset()) -> Gathering:
    """What a pass remembers of these captures."""
    found = Gathering(Scoped(datetime(2026, 11, 2, tzinfo=UTC)), known)
    for path in sorted({one.told.path for one in lines}):
        found.tally.opened(SourceFile(path, "digest", 10))
    for one in lines:
        found.take(one)
    found.finish()
    return found
