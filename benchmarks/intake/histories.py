"""Histories that a provider keeps: a call that names the answer it goes on from, made whole."""

from collections.abc import Sequence
from typing import Any

from benchmarks.intake.drafting.chat import chat_request
from benchmarks.intake.drafting.chat_form import chat_messages
from benchmarks.intake.drafting.draft import CallFound, Draft, Piece, ResultFound
from benchmarks.intake.drafting.ending import end_of
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Part, ToolCall, ToolResult, Turn
from benchmarks.records.digest import json_digest

OF_JOINING = frozenset({"orphan_result", "missing_result", "duplicate_call_id"})
KEPT_ABOUT = ("id", "at", "model", "name", "agent", "usage", "stop", "latency_ms")


def gone_on(earlier: Capture, later: Capture) -> Capture:
    """The later capture with the turns of the earlier one before its own, results joined anew."""
    own = later.conversation
    draft = Draft()
    before = [turn for turn in earlier.conversation.turns if turn.role != "system"]
    system = [turn for turn in own.turns if turn.role == "system"] or [
        turn for turn in earlier.conversation.turns if turn.role == "system"
    ]
    rest = [turn for turn in own.turns if turn.role != "system"]
    for turn in (*system, *before):
        _again(draft, turn, origin="request")
    for turn in rest:
        _again(draft, turn, origin=turn.origin)
    draft.close()
    issues = [issue for issue in own.issues if issue.code not in OF_JOINING]
    turns = draft.turns
    limit = own.end.detail if own.end is not None and own.end.reason == "limit" else ""
    failed = own.end is not None and own.end.reason == "error" and own.stop.reason == "error"
    conversation = own.with_(
        turns=turns,
        tools=own.tools or earlier.conversation.tools,
        issues=[*draft.issues, *issues],
        end=own.end if failed else end_of(turns, limit=limit),
    )
    asked = chat_messages([turn for turn in turns if turn.origin == "request"])
    old = later.request
    request = chat_request(asked, tools=old.tools, settings=old.settings)
    messages = [json_digest(message) for message in request.messages]
    prints = later.fingerprints.with_(messages=messages, sequence=json_digest(messages))
    return later.with_(
        conversation=conversation,
        request=request,
        fingerprints=prints.with_(group=earlier.fingerprints.group),
    )


def _again(draft: Draft, turn: Turn, *, origin: Any) -> None:
    about = {name: getattr(turn, name) for name in KEPT_ABOUT if getattr(turn, name) is not None}
    draft.add(
        turn.role, _pieces(turn.parts), origin=origin, source_index=turn.source_index, **about
    )


def _pieces(parts: Sequence[Part]) -> list[Piece]:
    return [_piece(part) for part in parts]


def _piece(part: Part) -> Piece:
    if isinstance(part, ToolCall):
        found = part.arguments_raw if part.arguments is None else part.arguments
        return CallFound(part.call_id, part.name, found, part.executed_by, part.server)
    if isinstance(part, ToolResult):
        return ResultFound(part.call_id, part.name, part.parts, failed=part.status == "error")
    return part
