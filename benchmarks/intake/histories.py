"""Histories that a provider keeps: a call that names the answer it goes on from, made whole.

A client may send turns again that the provider holds: they are the same turns, once.
"""

from collections.abc import Sequence, Set
from typing import Any

from benchmarks.intake.drafting.chat import chat_request
from benchmarks.intake.drafting.chat_form import chat_messages
from benchmarks.intake.drafting.draft import CallFound, Draft, Piece, ResultFound
from benchmarks.intake.drafting.echoes import made_whole
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.told import turn_key
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Conversation, Part, ToolCall, ToolResult, Turn
from benchmarks.records.digest import json_digest

NOTED_ANEW = frozenset({
    "orphan_result", "missing_result", "duplicate_call_id", "unknown_part", "arguments_unparsed",
})  # fmt: skip
"""Issues that a draft finds again in turns that it is given again."""
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
    echoed = _echoed(before, rest)
    if echoed:
        repeated = map(made_whole, before[-echoed:], rest[:echoed])
        before, rest = [*before[:-echoed], *repeated], rest[echoed:]
    owed = _owed(earlier.conversation)
    for turn in (*system, *before):
        _again(draft, turn, owed, origin="request")
    owed = _owed(own)
    place = {turn.index: _again(draft, turn, owed, origin=turn.origin) for turn in rest}
    draft.close()
    issues = [
        issue if issue.turn is None else issue.with_(turn=place.get(issue.turn, issue.turn))
        for issue in own.issues
        if issue.code not in NOTED_ANEW
    ]
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


def _echoed(before: Sequence[Turn], own: Sequence[Turn]) -> int:
    """How many of a call's own turns are the last ones of the history that it goes on from."""
    asked = [turn for turn in own if turn.origin == "request"]
    answers = [at for at, turn in enumerate(asked, start=1) if turn.role == "assistant"]
    if not answers or answers[-1] > len(before):
        return 0
    length = answers[-1]
    same = all(
        turn_key(one) == turn_key(other)
        for one, other in zip(before[-length:], asked[:length], strict=True)
    )
    return length if same else 0


def _owed(conversation: Conversation) -> Set[tuple[int | None, int | None]]:
    """Where the calls stand that their own dialect says should have been answered."""
    return {
        (issue.turn, issue.part) for issue in conversation.issues if issue.code == "missing_result"
    }


def _again(
    draft: Draft, turn: Turn, owed: Set[tuple[int | None, int | None]], *, origin: Any
) -> int:
    """Give a turn to a draft; its place there."""
    about = {name: getattr(turn, name) for name in KEPT_ABOUT if getattr(turn, name) is not None}
    pieces = [_piece(part, is_owed=(turn.index, at) in owed) for at, part in enumerate(turn.parts)]
    made = draft.add(turn.role, pieces, origin=origin, source_index=turn.source_index, **about)
    return made.index


def _piece(part: Part, *, is_owed: bool) -> Piece:
    if isinstance(part, ToolCall):
        return CallFound(
            part.call_id,
            part.name,
            part.arguments_raw if part.arguments is None else part.arguments,
            part.executed_by,
            part.server,
            silent=part.executed_by == "provider" and not is_owed,
        )
    if isinstance(part, ToolResult):
        return ResultFound(part.call_id, part.name, part.parts, failed=part.status == "error")
    return part
