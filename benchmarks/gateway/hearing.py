"""A scripted model listens: ids that the world made here stand for those that the source was given.

A source was answered by its own world with its own ids. Where a result has another id in the same
place, the rest of the script says the one that was heard, as any model would.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from benchmarks.records.base import JsonObject
from benchmarks.records.environment import RecordedCall

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_#-]*")


def heard_ids(calls: Sequence[RecordedCall], messages: Sequence[JsonObject]) -> dict[str, str]:
    """The ids that the source's writes made, each with the one that came in its place.

    An id is made where its word stood nowhere before: neither in what was asked nor in what was
    said. An address or an amount that differs is no id, whatever digits it has.
    """
    told = {
        str(message.get("tool_call_id")): message.get("content")
        for message in messages
        if message.get("role") == "tool"
    }
    ids: dict[str, str] = {}
    said_before = {word for text in _openings(messages) for word in _ids(text)}
    for call in calls:
        said_before.update(_words_of(call.arguments))
        if call.write and call.content is not None and call.call_id in told:
            pairs = _pairs(_parsed(call.content), _parsed(told[call.call_id]))
            ids |= {gone: come for gone, come in pairs if not {gone, come} & said_before}
        said_before.update(_words_of(call.content))
    return ids


def with_ids(value: Any, ids: Mapping[str, str]) -> Any:
    """The value with each of these ids replaced, in texts as whole words."""
    if not ids:
        return value
    if isinstance(value, str):
        return ID.sub(lambda found: ids.get(found.group(), found.group()), value)
    if isinstance(value, dict):
        return {key: with_ids(item, ids) for key, item in value.items()}
    return [with_ids(item, ids) for item in value] if isinstance(value, list) else value


def _pairs(said: Any, heard: Any) -> Iterator[tuple[str, str]]:
    """Ids that stand in the same place of two results, where they differ."""
    if isinstance(said, dict) and isinstance(heard, dict):
        for key in said.keys() & heard.keys():
            yield from _pairs(said[key], heard[key])
    elif isinstance(said, str) and isinstance(heard, str):
        gone = [word for word in _ids(said) if word not in _ids(heard)]
        come = [word for word in _ids(heard) if word not in _ids(said)]
        if len(gone) == len(come) == 1:
            yield gone[0], come[0]


def _openings(messages: Sequence[JsonObject]) -> Iterator[str]:
    """What was said before the first answer."""
    for message in messages:
        if message.get("role") in ("assistant", "tool"):
            return
        if isinstance(content := message.get("content"), str):
            yield content


def _words_of(value: Any) -> list[str]:
    if value is None:
        return []
    return _ids(value if isinstance(value, str) else orjson.dumps(value).decode())


def _ids(text: str) -> list[str]:
    words = ID.findall(text)
    return [word for word in words if any(char.isdigit() for char in word)]


def _parsed(content: Any) -> Any:
    if not isinstance(content, str):
        return content
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        return content
