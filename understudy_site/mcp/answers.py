"""How an answer is cut to size and laid out for an agent (spec/surface.md 4.2)."""

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.doors.paging import Pager
from benchmarks.doors.tool import ToolEntry
from benchmarks.errors import UnderstudyError
from benchmarks.records.base import plain
from understudy_site.mcp.fences import NOTE, fence

STRING_CHARS = 4000
HEAD_ROOM = 1024
"""Bytes left for the page, the list of untrusted texts, and what they are wrapped in."""
POINTER_BYTES = 80
LEAST_ITEMS = (5, 1, 0)
"""Lists and maps keep this many; fewer only where the answer would still be too big."""


@dataclass(frozen=True)
class Answer:
    """One tool result: its text items, its document, and whether it is an error."""

    texts: Sequence[str]
    document: Mapping[str, Any] = field(default_factory=dict)
    is_error: bool = False


def answer(
    entry: ToolEntry, document: Mapping[str, Any], *, pager: Pager | None, max_bytes: int
) -> Answer:
    """The document fenced, cut and paged within `max_bytes`; a notice comes first, alone.

    What is cut is named in `page.cut`: long strings, then the longest lists beside the paged one.
    A document with a `piece` of one long text is given as it is.
    """
    laid: dict[str, Any] = copy.deepcopy(plain(document, entry.name))
    is_piece = "piece" in laid
    cut = [] if is_piece else shorten(laid)
    pointers = fence(laid, fenced=entry.fenced, one_line=entry.one_line)
    items = laid.pop(entry.list_key, None) if entry.list_key else None
    paged = pager if isinstance(items, list) else None
    if not is_piece:
        cut += trim(laid, max_bytes // 2 if paged else max_bytes - HEAD_ROOM)
    if entry.list_key and items is not None:
        laid[entry.list_key] = items
    if entry.list_key and paged is not None:
        room = max_bytes - HEAD_ROOM - POINTER_BYTES * len(cut)
        _page(laid, entry.list_key, paged, room)
    pointers = [pointer for pointer in pointers if _stands(laid, pointer)]
    cut = [pointer for pointer in cut if _stands(laid, pointer)]
    if cut:
        laid.setdefault("page", {})["cut"] = cut
    if pointers:
        laid = {"untrusted": {"note": NOTE, "paths": _patterns(pointers)}, **laid}
    notices = [str(notice["text"]) for notice in laid.get("notices") or []]
    return Answer(texts=[*notices, _text(laid)], document=laid)


def _patterns(pointers: Sequence[str]) -> list[str]:
    """The pointers, those that differ only in list positions as one with `*`."""
    return list(dict.fromkeys(re.sub(r"/\d+(?=/|$)", "/*", pointer) for pointer in pointers))


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


def trim(document: dict[str, Any], room: int) -> list[str]:
    """Shorten the longest lists and maps in place until the document takes at most `room` bytes.

    Each says in place how much is left out; the pointers of all of them are returned.
    """
    kept: dict[str, int] = {}
    for least in LEAST_ITEMS:
        while _bytes(document) > room:
            found = [one for one in _containers(document, "") if len(one[2]) > least + 1]
            if not found:
                break
            _, pointer, value = max(found, key=lambda one: one[0])
            left = max(least, len(value) // 2)
            kept[pointer] = kept.get(pointer, len(value))
            _shorten_to(value, left, kept[pointer])
    return list(kept)


def _shorten_to(value: Any, left: int, whole: int) -> None:
    """Keep the first `left` items, and one that says how many of `whole` are not here."""
    said = f"[+{whole - left} more of {whole}]"
    if isinstance(value, list):
        value[left:] = [said]
        return
    for key in list(value)[left:]:
        del value[key]
    value[said] = None


def _containers(value: Any, path: str) -> Iterator[tuple[int, str, Any]]:
    """Every list, and every map of many alike entries, with its bytes and its pointer."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        if isinstance(item, dict | list):
            pointer = f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"
            if isinstance(item, list) or _is_map(item):
                yield _bytes(item), pointer, item
            yield from _containers(item, pointer)


def _is_map(value: dict[str, Any]) -> bool:
    """Whether an object is a map of entries that are alike, not a record with keys of its own."""
    items = [item for item in value.values() if item is not None]
    shapes = {tuple(sorted(item)) if isinstance(item, dict) else None for item in items}
    return len(items) > 1 and len(shapes) == 1 and None not in shapes


def _bytes(value: Any) -> int:
    return len(_text(value).encode())


def _page(laid: dict[str, Any], key: str, pager: Pager, room: int) -> None:
    items = laid[key]
    room -= _bytes({name: item for name, item in laid.items() if name != key})
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
