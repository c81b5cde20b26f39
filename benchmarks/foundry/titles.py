"""Distinctive titles: the line of a boundary that the other tasks share least with."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.foundry.wording import masked_words, normal, specific_tokens

LINE_CHARS = 100
TITLE_CHARS = 160
SHORTEST_LINE = 12
MARKUP = re.compile(r"[\s\-=*_#`~|+<>]*|```.*|</?[A-Za-z][^>]*>|<\?.*|[{}\[\](),;]+")


def titles_of(boundaries: Mapping[str, str], kept: Mapping[str, str]) -> dict[str, str]:
    """The title of each task by its boundary text; a `kept` title stands as it is.

    The words of a line count by how few boundaries hold them, ids and numbers masked. Where two
    titles still collide, the rarest id of the boundary is appended, else a number.
    """
    frequency = Counter(word for text in boundaries.values() for word in set(masked_words(text)))
    drawn = {
        task_id: best_line(text, frequency)
        for task_id, text in boundaries.items()
        if task_id not in kept
    }
    return {**_apart(drawn, boundaries, set(kept.values())), **kept}


def best_line(text: str, frequency: Mapping[str, int]) -> str:
    """The most distinctive line of a text, cut at a word end; the first of equals."""
    lines = list(candidate_lines(text))
    if not lines:
        return cut(" ".join(text.split())) or "(no text)"
    return cut(max(lines, key=lambda line: distinctiveness(line, frequency)))


def candidate_lines(text: str) -> Iterable[str]:
    """The lines a title may be made of; for a JSON text, its `key: value` pairs."""
    pairs = _json_pairs(text)
    for line in text.splitlines() if pairs is None else pairs:
        bare = " ".join(line.split())
        if len(bare) >= SHORTEST_LINE and not MARKUP.fullmatch(bare):
            yield bare


def distinctiveness(line: str, frequency: Mapping[str, int]) -> float:
    """The sum of the inverse frequencies of a line's masked words, each counted once."""
    return sum(1 / frequency[word] for word in sorted(set(masked_words(line))) if frequency[word])


def cut(line: str, limit: int = LINE_CHARS) -> str:
    """At most `limit` characters, ended at a word where there is one."""
    if len(line) <= limit:
        return line
    head = line[: limit + 1]
    space = head.rfind(" ")
    return (head[:space] if space > 0 else head[:limit]).rstrip()


def _apart(
    drawn: Mapping[str, str], boundaries: Mapping[str, str], taken: set[str]
) -> dict[str, str]:
    """Titles made different from each other and from those taken."""
    ids = {task_id: specific_tokens(boundaries[task_id]) for task_id in drawn}
    rarity = Counter(token for found in ids.values() for token in found)
    shared = Counter(normal(title) for title in drawn.values())
    used = {normal(title) for title in taken}
    numbers: Counter[str] = Counter()
    titles: dict[str, str] = {}
    for task_id, title in drawn.items():
        if shared[normal(title)] > 1 or normal(title) in used:
            rare = [token for token in ids[task_id] if token not in title]
            if rare:
                title = with_tail(title, min(rare, key=lambda token: rarity[token]))
        titles[task_id] = _numbered(title, used, numbers)
        used.add(normal(titles[task_id]))
    return titles


def _numbered(title: str, used: set[str], numbers: Counter[str]) -> str:
    """The title with the next number that is free, where it is used; numbers are counted on."""
    found, key = title, normal(title)
    while normal(found) in used:
        numbers[key] = max(numbers[key], 1) + 1
        found = with_tail(title, f"({numbers[key]})")
    return found


def with_tail(title: str, tail: str) -> str:
    """A title and something after it, together at most 160 characters."""
    tail = tail[: TITLE_CHARS // 2]
    return f"{cut(title, TITLE_CHARS - len(tail) - 1)} {tail}"


def _json_pairs(text: str) -> list[str] | None:
    stripped = text.strip()
    if stripped[:1] not in {"{", "["}:
        return None
    try:
        value = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    return list(_pairs(value)) or None


def _pairs(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, dict | list):
                yield from _pairs(inner)
            else:
                yield f"{key}: {inner}"
    elif isinstance(value, list):
        for inner in value:
            yield from _pairs(inner)
