"""What the pass remembers of one capture: all that counting, merging and lineage ask of it."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Any

import orjson

from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import (
    Conversation,
    JsonPart,
    Text,
    Tool,
    ToolCall,
    ToolResult,
    Turn,
)
from benchmarks.records.digest import canonical

DIGEST_BYTES = 16
CUT_MARK = re.compile(
    r"[\[(<{]\s*(?:\.\.\.\s*)?(?:(?:output|text|content) )?truncated[^\])>}]{0,60}[\])>}]\s*$",
    re.IGNORECASE,
)
GROWING = frozenset({"messages"})
"""Dialects of which one record may hold an earlier form of another's whole conversation."""
Places = Set[tuple[int | None, int | None]]
"""Where parts stand: turn and part."""
CUT_TAIL = 120
"""How much of the end of a text may say that it was cut."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What one conversation, or many, hold."""

    conversations: int = 0
    turns: int = 0
    calls: int = 0
    results: int = 0
    joined: int = 0
    unanswered: int = 0
    """Calls without a result that are not the conversation's last."""
    reused_ids: int = 0
    inferred: int = 0
    inferences: int = 0
    """Calls of a model: one, or the answers of a whole conversation."""


@dataclass(frozen=True, slots=True)
class Told:
    """One capture, without its words."""

    capture_key: str
    record_sha256: str
    sha256: str
    answer: str | None
    """The answer's own id with what it said: recorded tests use one id for many answers."""
    path: str
    pointer: str
    content_sha256: str
    dialect: str
    counts: Counts
    chain: tuple[bytes, ...]
    """A digest for each turn and all turns before it; empty for a whole conversation."""
    inside: tuple[tuple[int, int, int, int], ...] = ()
    """Of the model's turns in the chain that hold results or calls that lack one: the place, the
    results, the calls that are counted as unanswered, and all that lack a result."""
    issues: tuple[tuple[str, int], ...] = ()
    losses: tuple[tuple[str, int], ...] = ()
    """What the dialect counted as left out of the conversation, by code."""
    cut_texts: int = 0
    tools: tuple[str, ...] = ()
    """Digests of the tools that were offered."""
    called: tuple[str, ...] = ()
    workloads: tuple[str, ...] = ()
    response_id: str | None = None
    previous_id: str | None = None
    kept_in: str | None = None
    """The conversation in which the provider keeps the history."""
    failed: bool = False
    """The call failed: it has no answer."""
    secrets: tuple[tuple[str, int], ...] = ()
    captured_at: str | None = None
    malformed_time: bool = False


def told_of(
    capture: Capture,
    response_id: str | None = None,
    previous_id: str | None = None,
    kept_in: str | None = None,
) -> Told:
    """What is remembered of a capture."""
    conversation = capture.conversation
    issues = Counter(issue.code for issue in conversation.issues)
    missing = _missing(conversation) if issues["missing_result"] else frozenset()
    unanswered = _unanswered(conversation, missing) if missing else missing
    chain = chain_of(capture)
    return Told(
        capture_key=capture.capture_key,
        record_sha256=capture.source.record_sha256 or capture.source.sha256,
        sha256=capture.source.sha256,
        answer=_answer(conversation, response_id),
        path=capture.source.local_path,
        pointer=capture.source.pointer,
        content_sha256=capture.source.content_sha256,
        dialect=conversation.dialect,
        counts=counts_of(conversation, issues, len(unanswered)),
        chain=chain,
        inside=_inside(conversation, missing, unanswered) if chain else (),
        issues=tuple(issues.items()),
        losses=tuple((conversation.loss or {}).items()),
        cut_texts=sum(map(_is_cut, _texts(conversation.turns))),
        tools=tuple(map(tool_digest, conversation.tools)),
        called=tuple({call.name for turn in conversation.turns for call in turn.calls()}),
        workloads=workloads_of(capture),
        response_id=response_id,
        previous_id=previous_id,
        kept_in=kept_in,
        failed=_failed(conversation),
        secrets=tuple((capture.secrets or {}).items()),
        captured_at=capture.captured_at,
        malformed_time="malformed_time" in capture.warnings,
    )


def workloads_of(capture: Capture) -> tuple[str, ...]:
    """The id and the name of the workload that a capture is of."""
    scope = capture.scope
    return tuple(name for name in (scope.workload_id, scope.workload_name) if name)


def counts_of(conversation: Conversation, issues: Counter[str], unanswered: int) -> Counts:
    """What one conversation holds."""
    calls = results = joined = answers = 0
    for turn in conversation.turns:
        answers += turn.role == "assistant"
        for part in turn.parts:
            if isinstance(part, ToolCall):
                calls += 1
            elif isinstance(part, ToolResult):
                results += 1
                joined += part.call is not None
    return Counts(
        conversations=1,
        turns=len(conversation.turns),
        calls=calls,
        results=results,
        joined=joined,
        unanswered=unanswered,
        reused_ids=issues["duplicate_call_id"],
        inferred=issues["call_inferred"],
        inferences=1 if conversation.granularity == "call" else max(answers, 1),
    )


def _inside(
    conversation: Conversation, missing: Places, unanswered: Places
) -> tuple[tuple[int, int, int, int], ...]:
    """The model's turns with results of a provider's tools in them, or with calls that lack one."""
    lacking, counted = (Counter(turn for turn, _ in found) for found in (missing, unanswered))
    held: list[tuple[int, int, int, int]] = []
    for place, turn in enumerate(conversation.turns):
        if turn.role == "assistant":
            results = sum(isinstance(part, ToolResult) for part in turn.parts)
            if results or lacking[turn.index]:
                held.append((place, results, counted[turn.index], lacking[turn.index]))
    return tuple(held)


def _missing(conversation: Conversation) -> Places:
    """Where the calls stand whose results are missing."""
    return {
        (issue.turn, issue.part) for issue in conversation.issues if issue.code == "missing_result"
    }


def _unanswered(conversation: Conversation, missing: Places) -> Places:
    """The calls without results but for those that the last turn with calls ends on.

    A conversation may end on a call, or on one that hands it over and is never answered.
    """
    kept = set(missing)
    last = next((turn for turn in reversed(conversation.turns) if turn.calls()), None)
    if last is not None:
        for place in reversed(range(len(last.parts))):
            if (last.index, place) in kept:
                kept.discard((last.index, place))
            elif isinstance(last.parts[place], ToolCall):
                break
    return kept


def chain_of(capture: Capture) -> tuple[bytes, ...]:
    """A digest for each turn of a call and all turns before it; none for a whole conversation.

    A call whose chain another goes on from is none of the conversations that are counted. Whole
    conversations are told apart by their ids, but for those of a dialect that has none.
    """
    conversation = capture.conversation
    if conversation.granularity != "call" and conversation.dialect not in GROWING:
        return ()
    digest = _digest(orjson.dumps(capture.scope.dump()))
    chain = []
    for turn in capture.conversation.turns:
        digest = _digest(digest + turn_key(turn))
        chain.append(digest)
    return tuple(chain)


def _failed(conversation: Conversation) -> bool:
    ended = conversation.end is not None and conversation.end.reason == "error"
    return ended and all(turn.origin != "response" for turn in conversation.turns)


def turn_key(turn: Turn) -> bytes:
    """Equal for turns that do the same: the same calls, else the same words.

    What a provider's own tool answered inside a turn of the model is often left out of a history.
    """
    calls: list[list[Any]] = []
    results: list[list[Any]] = []
    texts: list[str] = []
    for part in turn.parts:
        if isinstance(part, ToolCall):
            calls.append([part.name, part.arguments or part.arguments_raw])
        elif isinstance(part, ToolResult):
            if turn.role != "assistant":
                results.append(_said_by(part))
        elif isinstance(part, Text):
            texts.append(part.text)
    words = "" if calls or results else " ".join("\n".join(texts).split())
    return _json([turn.role, calls, results, words])


def _said_by(result: ToolResult) -> list[Any]:
    return [
        part.text if isinstance(part, Text) else part.value
        for part in result.parts
        if isinstance(part, Text | JsonPart)
    ]


def _json(value: Any) -> bytes:
    """The value as bytes that are equal for equal values."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        # An integer beyond 64 bits, or nesting that only the slow way knows.
        return canonical(value)


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES).digest()


def _answer(conversation: Conversation, response_id: str | None) -> str | None:
    if response_id is None:
        return None
    said: list[JsonObject] = [
        part.dump()
        for turn in conversation.turns
        if turn.origin == "response"
        for part in turn.parts
    ]
    return _digest(_json([conversation.dialect, response_id, said])).hex()


def _texts(turns: Sequence[Turn]) -> Iterable[str]:
    for turn in turns:
        for part in turn.parts:
            if isinstance(part, Text):
                yield part.text
            elif isinstance(part, ToolResult):
                yield from (inner.text for inner in part.parts if isinstance(inner, Text))


def _is_cut(text: str) -> bool:
    tail = text[-CUT_TAIL:]
    return "runcated" in tail and CUT_MARK.search(tail) is not None


def tool_digest(tool: Tool) -> str:
    """What one definition of a tool is known by."""
    shown = [tool.name, tool.description, tool.parameters, tool.annotations, tool.http, tool.server]
    return _digest(_json(shown)).hex()
