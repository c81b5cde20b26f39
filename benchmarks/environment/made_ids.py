"""Ids that a write made: those of its reply that stood nowhere before it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from benchmarks.contract.entities import ID_ENDINGS
from benchmarks.contract.iso_dates import read_moment
from benchmarks.contract.json_text import pointer_to
from benchmarks.contract.lexicon import tokens
from benchmarks.contract.literals import parse_literal

MAX_DEPTH = 4
LONG_DIGITS = 5
OUTER = "\"'`.,;:!?()[]{}<>"
PREFIX = re.compile(r"[^\W\d_](?:[^\W\d]|[-:#./])*", re.ASCII)
SEPARATORS = ("-", "_", ":", "#", "/", ".")
UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.ASCII | re.IGNORECASE)


def new_ids(reply: Any, known: Iterable[str]) -> dict[str, str]:
    """The ids of a reply that stand in none of the texts before, by JSON pointer.

    Under the empty pointer stands the first one of a reply that is text.
    """
    value = as_object(reply)
    if isinstance(value, Mapping):
        found = dict(ids_in(value, "", 0))
    elif isinstance(value, str):
        word = next((word for word in words(value) if looks_like_id(word)), None)
        found = {"": word} if word else {}
    else:
        found = {}
    before = list(known)
    return {
        pointer: id_
        for pointer, id_ in found.items()
        if not any(stands_in(id_, text) for text in before)
    }


def as_object(reply: Any) -> Any:
    """The object that a reply is or spells, else the reply."""
    value = parse_literal(reply) if isinstance(reply, str) else reply
    return value if isinstance(value, Mapping) else reply


def ids_in(value: Mapping[str, Any], pointer: str, depth: int) -> Iterator[tuple[str, str]]:
    """Every id of an object and of the objects in it, named ones first; lists are not searched."""
    named = [name for name in value if names_an_id(name)]
    for name in [*named, *(name for name in value if name not in set(named))]:
        item, at = value[name], pointer + pointer_to((name,))
        if isinstance(item, Mapping):
            yield from ids_in(item, at, depth + 1) if depth < MAX_DEPTH else ()
        elif spelled := id_spelled(item, is_named=name in named):
            yield at, spelled


def id_spelled(value: Any, *, is_named: bool) -> str:
    """An id as text; empty for what is none under a key that does, or does not, name one."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    spelled = str(value).strip()
    return spelled if is_named or (isinstance(value, str) and looks_like_id(spelled)) else ""


def names_an_id(name: str) -> bool:
    """Whether a key is one that holds an id."""
    parts = tokens(name)
    return bool(parts) and parts[-1] in ID_ENDINGS - {"email"}


def words(text: str) -> list[str]:
    """The words of a text, blanks between them, outer punctuation off."""
    return [word for word in (part.strip(OUTER) for part in text.split()) if word]


def looks_like_id(word: str) -> bool:
    """Whether a text may be an id: one word of letters and digits, or many digits; no date."""
    if "@" in word or word != "".join(word.split()) or read_moment(word) is not None:
        return False
    digits = sum(sign.isdigit() for sign in word)
    if any(sign.isalpha() for sign in word):
        return digits > 0
    return word.isdigit() and digits >= LONG_DIGITS


def stands_in(id_: str, text: str) -> bool:
    """Whether an id stands in a text as a whole token."""
    at = text.find(id_)
    while at >= 0:
        before, after = text[max(at - 1, 0) : at], text[at + len(id_) : at + len(id_) + 1]
        if not (joins(before) or joins(after)):
            return True
        at = text.find(id_, at + 1)
    return False


def joins(neighbour: str) -> bool:
    """Whether a neighbouring sign makes one word with an id."""
    return neighbour.isalnum() or neighbour == "_"


def id_prefix(ids: Iterable[str]) -> str:
    """The letters before the digits of recorded ids, where all of them agree; else empty."""
    prefixes = {prefix_of(id_) for id_ in ids}
    return prefixes.pop() if len(prefixes) == 1 else ""


def prefix_of(id_: str) -> str:
    """`tkt-` of tkt-9f3a, `INC` of INC0012, nothing of a code whose letters are part of it."""
    match = PREFIX.match(id_)
    if match is None or UUID.fullmatch(id_):
        return ""
    letters, rest = match.group(), id_[match.end() :]
    if not rest:
        return ""
    at = max(letters.rfind(sign) for sign in SEPARATORS)
    if at >= 0:
        return letters[: at + 1]
    return letters if rest.isdigit() else ""
