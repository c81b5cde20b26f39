"""Calls that a model writes into its words as tags, as editors' agents keep their histories.

`<name><key>value</key></name>` in an answer is a call, and the next message names it:
`[name for 'value'] Result:`. Nothing else says what a tag is, so a tag that no result names is a
call only where it ends the last answer and holds nothing but tags.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.intake.values import objects, word
from benchmarks.records.base import JsonObject

SURROUNDINGS = "<environment_details>"
"""What such an agent tells its model of where it runs: by this its histories are known."""
RESULT = re.compile(r"\[([a-z][a-z0-9_]*)(?: for [^\n]*)?\] Result:[ \n]*")
KEY = re.compile(r"\s*<([a-z][a-z0-9_]*)>")
GOES_ON = re.compile(r"\s*(?:<[a-z][a-z0-9_]*>|\Z)")
"""What stands behind the end of a value: a further key, or nothing."""
FAILURES = ("The tool execution failed", "<error>", "The user denied this operation")


def with_calls(messages: Sequence[Any]) -> list[Any]:
    """The messages, calls and results that stand in their words as parts of their own."""
    if not any(_tells_surroundings(message) for message in messages[:2]):
        return [*messages]
    found: list[Any] = []
    for place, message in enumerate(messages):
        is_last = place == len(messages) - 1
        following = None if is_last else messages[place + 1]
        role = message.get("role") if isinstance(message, dict) else None
        if role == "assistant":
            found.append(_answer(message, _named_in(following), f"call {place}", is_last=is_last))
        elif role == "user" and place and _named_in(message):
            found.append(_results(message, f"call {place - 1}"))
        else:
            found.append(message)
    return found


def _tells_surroundings(message: Any) -> bool:
    return isinstance(message, dict) and any(SURROUNDINGS in text for text in _texts(message))


def _texts(message: Mapping[str, Any]) -> list[str]:
    content = message.get("content")
    if isinstance(content, str):
        return [content]
    return [text for part in objects(content) if (text := word(part.get("text")))]


def _named_in(message: Any) -> list[str]:
    """The names of the calls that a message answers, in order."""
    texts = _texts(message) if isinstance(message, dict) else []
    return [match[1] for text in texts if (match := RESULT.match(text))]


def _answer(message: JsonObject, names: Sequence[str], stem: str, *, is_last: bool) -> JsonObject:
    """An answer with its calls as parts; one that makes none stays as it is."""
    text = "\n".join(_texts(message))
    pieces: list[JsonObject] = []
    for number, name in enumerate(names):
        start = text.find(f"<{name}>")
        end = text.find(f"</{name}>", start)
        if start < 0 or end < 0:
            continue
        end = end if len(names) > number + 1 else text.rfind(f"</{name}>")
        pieces += _said(text[:start])
        inner = text[start + len(name) + 2 : end]
        pieces.append(_call(f"{stem} {number}", name, inner))
        text = text[end + len(name) + 3 :]
    ending = _ending(text) if is_last and not names else None
    if ending is not None:
        name, start, inner = ending
        pieces += _said(text[:start])
        pieces.append(_call(f"{stem} 0", name, inner))
        text = ""
    if not pieces:
        return message
    others = [part for part in objects(message.get("content")) if part.get("type") != "text"]
    return {**message, "content": [*others, *pieces, *_said(text)]}


def _ending(text: str) -> tuple[str, int, str] | None:
    """The tag that a text ends with, where it starts and what it holds: nothing but tags."""
    whole = text.rstrip()
    opened = whole.rfind("</")
    name = whole[opened + 2 : -1]
    start = whole.find(f"<{name}>")
    if opened < 0 or start < 0 or not whole.endswith(">") or KEY.fullmatch(f"<{name}>") is None:
        return None
    inner = whole[start + len(name) + 2 : opened]
    is_call = not inner.strip() or any(True for _ in _arguments(inner))
    return (name, start, inner) if is_call else None


def _said(text: str) -> list[JsonObject]:
    return [{"type": "text", "text": text.strip()}] if text.strip() else []


def _call(call_id: str, name: str, inner: str) -> JsonObject:
    given = dict(_arguments(inner))
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def _arguments(inner: str) -> Iterator[tuple[str, str]]:
    """The keys and values between the tags of a call; a value may hold tags itself."""
    at = 0
    while (opened := KEY.match(inner, at)) is not None:
        close = f"</{opened[1]}>"
        end = inner.find(close, opened.end())
        while end >= 0 and GOES_ON.match(inner, end + len(close)) is None:
            end = inner.find(close, end + 1)
        if end < 0:
            return
        yield opened[1], inner[opened.end() : end].strip("\n")
        at = end + len(close)


def _results(message: JsonObject, stem: str) -> JsonObject:
    """What came back, each result with all that stands behind it until the surroundings."""
    parts: list[JsonObject] = []
    opened: JsonObject | None = None
    number = 0
    content = message.get("content")
    listed = [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)
    for part in listed:
        text = word(part.get("text")) or ""
        match = RESULT.match(text)
        if match is not None:
            opened = {"type": "tool_result", "tool_use_id": f"{stem} {number}", "content": []}
            number += 1
            parts.append(opened)
            text = text[match.end() :]
            part = {"type": "text", "text": text}
        if opened is None or text.lstrip().startswith(SURROUNDINGS):
            opened = None
            parts.append(part)
        elif text or part.get("type") != "text":
            opened["content"].append(part)
            opened["is_error"] = opened.get("is_error") or text.startswith(FAILURES)
    return {**message, "content": parts}
