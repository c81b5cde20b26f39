"""Session logs of Claude Code, line by line, and the streams of its SDK.

A session is a tree of lines in one file or several: helpers write files of their own. Each way
through the user's turns is a conversation; each helper's is one too, hung on the call that
started it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.dialects.claude_code_lines import (
    Line,
    is_line,
    is_recording,
    lines_of,
    session_of,
    tool_use_result,
)
from benchmarks.intake.dialects.claude_code_nodes import nodes_of
from benchmarks.intake.dialects.claude_code_paths import Path, paths_of
from benchmarks.intake.dialects.claude_code_turns import NAME, Speaker, conversation_of
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import objects, word


@dataclass(frozen=True, slots=True)
class Told:
    """One conversation of a session, before it has its place among the others."""

    reading: Reading
    path: Path
    helper: str | None

    def call_ids(self) -> set[str]:
        """The calls that were made in it."""
        turns = self.reading.conversation.turns
        return {call.call_id for turn in turns for call in turn.calls()}


class ClaudeCode(GroupDialect):
    """The lines of one session, or of one stream."""

    name = NAME
    lacks = "sessionId and uuid"

    def detect(self, record: Any) -> bool:
        """Whether a record is a line of a session, or a whole stream."""
        return is_line(record) or is_recording(record)

    def keys(self, found: Found) -> Iterable[str]:
        """The session; a stream stands alone, and lines that name no session go by file."""
        if is_recording(found.record):
            return [found.pointer]
        if "direction" in found.record:
            return [found.local_path]
        return [session_of(found.record) or found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """Every conversation of a session, whoever starts a helper before the helper."""
        lines = list(lines_of(records))
        session = next((found for line in lines if (found := session_of(line.record))), None)
        threads = _threads(lines)
        told = [
            Told(reading, path, helper)
            for name, (helper, own) in threads.items()
            for path in paths_of(nodes_of(own))
            if (
                reading := conversation_of(
                    path, Speaker(session, _id(session or key, name, path), helper)
                )
            )
        ]
        if not told and session is not None:
            return [Piece(Refused(Reason.NOT_A_CAPTURE, f"session {session} holds no message"))]
        return _pieces(told, _starts(lines))


def _id(session: str, thread: str, path: Path) -> str:
    """What a conversation is known by, also when its session has grown."""
    return " ".join(name for name in (session, thread, path.suffix) if name)


def _threads(lines: Iterable[Line]) -> dict[str, tuple[str | None, list[Line]]]:
    """The lines by who speaks: the session itself first, each helper under its name.

    Old logs do not name a helper: then its lines hang below one first line.
    """
    threads: dict[str, tuple[str | None, list[Line]]] = {"": (None, [])}
    by_uuid: dict[str, str] = {}
    for line in lines:
        name = line.helper or ""
        if not name and line.sidechain:
            name = by_uuid.get(line.parent or "") or line.uuid or "sidechain"
        if line.uuid is not None and name:
            by_uuid[line.uuid] = name
        threads.setdefault(name, (line.helper or name or None, []))[1].append(line)
    return threads


def _starts(lines: Iterable[Line]) -> dict[str, str]:
    """Which call started which helper, as results and notes of progress say it."""
    calls: dict[str, str] = {}
    for line in lines:
        beside = tool_use_result(line.record)
        noted = beside if isinstance(beside, dict) else line.record.get("data")
        helper = word(noted.get("agentId")) if isinstance(noted, dict) else None
        call = _answered(line) or word(line.record.get("parentToolUseID"))
        if helper is not None and call is not None:
            calls.setdefault(helper, call)
        if line.record.get("parent_tool_use_id") and line.helper is not None:
            calls.setdefault(line.helper, line.helper)
    return calls


def _answered(line: Line) -> str | None:
    blocks = objects(line.message.get("content"))
    return next((found for block in blocks if (found := word(block.get("tool_use_id")))), None)


def _pieces(told: Sequence[Told], starts: Mapping[str, str]) -> list[Piece]:
    """The conversations, each helper's after the one that holds the call which started it."""
    placed: list[Piece] = []
    owner: dict[str, int] = {}
    called = {call for one in told for call in one.call_ids()}
    calls = [starts.get(one.helper or "") for one in told]
    waiting = list(range(len(told)))
    while waiting:
        ready = [at for at in waiting if calls[at] not in called or calls[at] in owner]
        for at in ready or waiting:
            parent = owner.get(calls[at] or "")
            for call in told[at].call_ids():
                owner.setdefault(call, len(placed))
            placed.append(_piece(told[at], parent, calls[at] if parent is not None else None))
        waiting = sorted(set(waiting).difference(ready)) if ready else []
    return placed


def _piece(told: Told, parent: int | None, call: str | None) -> Piece:
    nodes = told.path.nodes
    digests = sorted({digest for node in nodes for digest in node.digests})
    return Piece(
        result=told.reading,
        at=nodes[0].line.at,
        made_from=[told.reading.frame.capture_id, digests],
        parent=parent,
        call_id=call,
    )
