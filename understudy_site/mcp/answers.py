"""How an answer is cut to size and laid out for an agent (spec/surface.md 4.2)."""

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.doors.paging import Pager
from benchmarks.doors.tool import ToolEntry
from benchmarks.errors import UnderstudyError
from benchmarks.records.base import plain
from understudy_site.mcp.fences import NOTE, fence

STRING_CHARS = 4000
HEAD_ROOM = 512


@dataclass(frozen=True)
class Answer:
    """One tool result: its text items, its document, and whether it is an error."""

    texts: Sequence[str]
    document: Mapping[str, Any] = field(default_factory=dict)
    is_error: bool = False


def answer(
    entry: ToolEntry, document: Mapping[str, Any], *, pager: Pager | None, max_bytes: int
) -> Answer:
    """The document fenced, paged and cut; a notice comes first, alone."""
    laid: dict[str, Any] = copy.deepcopy(plain(document, entry.name))
    whole = laid.pop("piece", None)
    cut = [] if whole is not None else shorten(laid)
    if whole is not None:
        laid["piece"] = whole
    pointers = fence(laid, fenced=entry.fenced, one_line=entry.one_line)
    if entry.list_key and isinstance(laid.get(entry.list_key), list) and pager is not None:
        _page(laid, entry.list_key, pager, max_bytes)
        pointers = [pointer for pointer in pointers if _stands(laid, pointer)]
        cut = [pointer for pointer in cut if _stands(laid, pointer)]
    if cut:
        laid.setdefault("page", {"cut": []})["cut"] = cut
    if pointers:
        laid = {"untrusted": {"note": NOTE, "paths": pointers}, **laid}
    notices = [str(notice["text"]) for notice in laid.get("notices") or []]
    return Answer(texts=[*notices, _text(laid)], document=laid)


def refusal(error: UnderstudyError) -> Answer:
    """An error as a result: code, hint and the next steps, never a stack trace."""
    lines = [f"{error.code}: {error.message}"]
    lines += [f"- {item.path}: {item.message}" for item in error.errors]
    lines += [f"hint: {error.hint}"] if error.hint else []
    for action in error.next_actions:
        if action.tool is not None:
            lines.append(f"next: {action.tool} {json.dumps(dict(action.arguments or {}))}")
        else:
            lines.append(f"next: {action.command}")
    document = plain(error.document(), "error")
    return Answer(texts=["\n".join(lines)], document=document, is_error=True)


def shorten(value: Any, path: str = "") -> list[str]:
    """Cut every string over 4,000 characters in place; the pointers of those that were cut."""
    cut: list[str] = []
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    for key in keys:
        item = value[key]
        pointer = f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"
        if isinstance(item, str) and len(item) > STRING_CHARS:
            value[key] = f"{item[:STRING_CHARS]}[+{len(item) - STRING_CHARS} characters]"
            cut.append(pointer)
        elif isinstance(item, dict | list):
            cut += shorten(item, pointer)
    return cut


def _page(laid: dict[str, Any], key: str, pager: Pager, max_bytes: int) -> None:
    items = laid[key]
    rest = {name: item for name, item in laid.items() if name != key}
    room = max_bytes - len(_text(rest).encode()) - HEAD_ROOM
    taken, page = pager.page(items, room=max(room, 0), size=_size)
    laid[key] = taken
    laid["page"] = page


def _size(item: Any) -> int:
    text = json.dumps(item, indent=2, ensure_ascii=False)
    return len(text.encode()) + 6 * (text.count("\n") + 1)


def _text(document: Any) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False)


def _stands(document: Any, pointer: str) -> bool:
    value = document
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return False
    return True
