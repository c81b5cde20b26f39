"""A recorded conversation on a page: turns with role words, calls and results as blocks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.records.base import JsonObject
from reviews.admin.layout import shown_value
from reviews.services.task_story import LATER, RECORDED, SEEN

TURNS_A_PAGE = 200
ROLES = {"system": "system text", "user": "user", "assistant": "agent", "tool": "tool"}
SIDES = {
    SEEN: "the candidate sees this",
    LATER: "said later by the scripted user",
    RECORDED: "recorded only",
}
Link = Callable[[str], str]
"""The plain-text page of what stands at a JSON pointer."""


@dataclass(frozen=True, slots=True)
class Block:
    """One part of a turn: words, a call, or what came back."""

    kind: str
    """words, call, result, thought or other: how it is drawn."""
    title: str
    body: str
    rest: str
    """Where the whole of it stands as plain text."""
    tool: str = ""
    effect: str = ""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class TurnView:
    """One turn."""

    number: int
    """From 1."""
    role: str
    word: str
    side: str
    side_words: str
    at: str
    model: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ConversationView:
    """The turns of one page of a conversation."""

    turns: tuple[TurnView, ...]
    total: int
    first: int
    """The number of the first turn shown, from 1; 0 without any."""
    last: int
    later: int
    """Where the next page starts; 0 at the end."""
    earlier: int
    """Where the page before starts; -1 at the beginning."""
    ended: str
    issues: tuple[str, ...]


def conversation_view(
    recording: Mapping[str, Any], effects: Mapping[str, str], link: Link, start: int = 0
) -> ConversationView:
    """200 turns of a recording, from a place on.

    `link` gives the plain-text page of a part by its pointer within the recording.
    """
    turns: Sequence[JsonObject] = recording["turns"]
    start = start if 0 <= start < len(turns) else 0
    end = min(start + TURNS_A_PAGE, len(turns))
    return ConversationView(
        turns=tuple(_turn(turns[at], at, effects, link) for at in range(start, end)),
        total=len(turns),
        first=start + 1 if turns else 0,
        last=end,
        later=end if end < len(turns) else 0,
        earlier=max(0, start - TURNS_A_PAGE) if start else -1,
        ended=_ended(recording.get("end")),
        issues=tuple(_issues(recording.get("issues") or ())),
    )


def _turn(turn: JsonObject, at: int, effects: Mapping[str, str], link: Link) -> TurnView:
    return TurnView(
        number=at + 1,
        role=turn["role"],
        word=ROLES.get(turn["role"], str(turn["role"])),
        side=turn["side"],
        side_words=SIDES[turn["side"]],
        at=turn.get("at") or "",
        model=turn.get("model") or "",
        blocks=tuple(
            _block(part, effects, link(f"/recording/turns/{at}/parts/{number}"))
            for number, part in enumerate(turn["parts"])
        ),
    )


def _block(part: JsonObject, effects: Mapping[str, str], rest: str) -> Block:
    draw = DRAWN.get(part["type"], _other)
    return draw(part, effects, rest)


def _words(part: JsonObject, effects: Mapping[str, str], rest: str) -> Block:
    return Block("words", "", part["text"], rest)


def _thought(part: JsonObject, effects: Mapping[str, str], rest: str) -> Block:
    hidden = "(encrypted)" if part.get("encrypted") else "(not kept)"
    return Block("thought", "hidden thought", part.get("text") or hidden, rest)


def _refusal(part: JsonObject, effects: Mapping[str, str], rest: str) -> Block:
    return Block("words", "refuses", part["text"], rest)


def _call(part: JsonObject, effects: Mapping[str, str], rest: str) -> Block:
    error = part.get("arguments_error")
    if error is not None:
        title, body = f"arguments do not parse: {error['message']}", part.get("arguments_raw") or ""
    else:
        title, body = "", shown_value(part.get("arguments") or {})
    effect = effects.get(part["name"]) or "unknown"
    return Block("call", title, body, rest, part["name"], effect, failed=error is not None)


def _result(part: JsonObject, effects: Mapping[str, str], rest: str) -> Block:
    failed = part["status"] == "error"
    words = ["error" if failed else "ok"]
    if part.get("orphan"):
        words.append("answers no call of this conversation")
    body = "\n".join(_piece(piece) for piece in part["parts"])
    return Block("result", ", ".join(words), body, rest, part["name"], failed=failed)


def _media(part: JsonObject, effects: Mapping[str, str], rest: str) -> Block:
    named = " ".join(str(part[key]) for key in ("mime", "name", "uri") if part.get(key))
    return Block("other", part["media"], named, rest)


def _json(part: JsonObject, effects: Mapping[str, str], rest: str) -> Block:
    return Block("other", "JSON", shown_value(part.get("value")), rest)


def _other(part: JsonObject, effects: Mapping[str, str], rest: str) -> Block:
    return Block("other", part.get("source_type") or part["type"], shown_value(part), rest)


DRAWN: Mapping[str, Callable[[JsonObject, Mapping[str, str], str], Block]] = {
    "text": _words,
    "reasoning": _thought,
    "refusal": _refusal,
    "tool_call": _call,
    "tool_result": _result,
    "media": _media,
    "json": _json,
}


def _piece(piece: JsonObject) -> str:
    """One part of a tool result as text."""
    if piece["type"] == "text":
        return shown_value(piece["text"])
    if piece["type"] == "media":
        return f"[{piece['mime']}]"
    return shown_value(piece.get("value"))


def _ended(end: JsonObject | None) -> str:
    if end is None:
        return ""
    detail = f": {end['detail']}" if end.get("detail") else ""
    return f"{end['reason'].replace('_', ' ')}{detail}"


def _issues(issues: Iterable[JsonObject]) -> Iterable[str]:
    for issue in issues:
        detail = f": {issue['detail']}" if issue.get("detail") else ""
        yield f"{issue['code'].replace('_', ' ')}{detail}"
