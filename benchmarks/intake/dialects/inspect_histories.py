"""Histories of an Inspect log compared: what a message is known by, and all beginnings of a list.

A newer log keeps every message once and says which of them a call was given, so that the same
messages come again and again: what was worked out for a shared beginning is used again.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.dialects.inspect_messages import role_of
from benchmarks.intake.values import objects
from benchmarks.records.base import JsonObject

MAX_MESSAGES = 20_000
DIGEST_BYTES = 16


def expanded(refs: Any, pool: Sequence[JsonObject]) -> list[JsonObject]:
    """The messages that ranges `[start, end)` of a pool stand for, at most 20,000."""
    found: list[JsonObject] = []
    for one in refs if isinstance(refs, list) else []:
        if isinstance(one, list) and len(one) == 2 and all(type(at) is int for at in one):
            start, end = (min(max(at, 0), len(pool)) for at in one)
            found += pool[start : min(end, start + MAX_MESSAGES - len(found))]
    return found


def mark_of(message: Mapping[str, Any]) -> bytes:
    """What a message is compared by: who speaks, and the calls or else the words."""
    calls = [
        [call.get("function"), call.get("arguments")] for call in objects(message.get("tool_calls"))
    ]
    said = calls or message.get("content")
    text = json.dumps([role_of(message), said], sort_keys=True)
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=DIGEST_BYTES).digest()


@dataclass(slots=True)
class Histories:
    """Works out the beginnings of one list after the other."""

    _messages: list[JsonObject] = field(default_factory=list)
    _states: list[tuple[Any, bool]] = field(default_factory=list)
    """The digest after each message of the last list, and whether anybody answered so far."""
    _ends: list[bytes] = field(default_factory=list)

    def ends(self, messages: Sequence[JsonObject]) -> list[bytes]:
        """A digest of every beginning, the system's messages left out.

        One that holds no answer of an assistant stands for no history, and is empty.
        """
        same = self._same(messages)
        del self._messages[same:], self._states[same:], self._ends[same:]
        for message in messages[same:]:
            self._add(message)
        return list(self._ends)

    def _same(self, messages: Sequence[JsonObject]) -> int:
        """How many messages stand at the beginning of the last list too."""
        shared = min(len(self._messages), len(messages))
        # Nearly always all of them, which lists find out much faster than a loop does.
        if self._messages[:shared] == list(messages[:shared]):
            return shared
        pairs = zip(self._messages, messages, strict=False)
        return next((at for at, (one, other) in enumerate(pairs) if one != other), shared)

    def _add(self, message: JsonObject) -> None:
        digest, answered = self._states[-1] if self._states else (hashlib.blake2b(b""), False)
        role = role_of(message)
        if role != "system":
            digest = digest.copy()
            digest.update(mark_of(message))
        answered = answered or role == "assistant"
        self._messages.append(message)
        self._states.append((digest, answered))
        self._ends.append(digest.digest() if answered else b"")
