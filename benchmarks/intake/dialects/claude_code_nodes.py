"""Lines become nodes: what was written twice is one, and the pieces of a message are one message.

The program writes a message once per block, or again and again while it grows, or again with the
whole history at every new turn; a gateway leaves out the ids that would tell. So: repeats of a
uuid are one line, and lines of one message id are one message that stands where its first stood.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchmarks.intake.dialects.claude_code_lines import Kind, Line, typed
from benchmarks.intake.values import objects, word
from benchmarks.records.base import JsonObject

GROWING = {"text": "text", "thinking": "thinking"}
"""Blocks that a later copy may hold more of, and the key of their text."""


@dataclass(slots=True)
class Node:
    """One message or mark, and the place of the node above it; -1 for a root."""

    line: Line
    above: int
    blocks: list[JsonObject] = field(default_factory=list)
    """The united blocks of an answer."""
    known: dict[str, int] = field(default_factory=dict)
    """Where which block stands."""
    usage: Any = None
    stop: str | None = None
    digests: list[str] = field(default_factory=list)

    @property
    def kind(self) -> Kind:
        """What the node is for the conversation."""
        return self.line.kind

    def take(self, line: Line) -> None:
        """Unite an answer with a further line of the same message."""
        for position, block in enumerate(blocks_of(line)):
            place = self._place(block, position)
            if place is None:
                place = len(self.blocks)
                self.blocks.append(block)
            self.blocks[place] = block
            self.known[_name(block)] = place
        self.usage = line.message.get("usage") or self.usage
        self.stop = word(line.message.get("stop_reason")) or self.stop
        self.digests.append(line.digest)

    def repeats(self, line: Line) -> bool:
        """Whether a line of the same message holds nothing that is not here already."""
        return all(self._place(block, at) is not None for at, block in enumerate(blocks_of(line)))

    def _place(self, block: JsonObject, position: int) -> int | None:
        """Where an earlier copy of a block stands: by id, else by a text that went on growing."""
        place = self.known.get(_name(block))
        if place is not None or word(block.get("id")) is not None:
            return place
        near = (position, len(self.blocks) - 1)
        return next((at for at in near if self._grew_into(at, block)), None)

    def _grew_into(self, at: int, block: JsonObject) -> bool:
        if not 0 <= at < len(self.blocks) or self.blocks[at].get("type") != block.get("type"):
            return False
        key = GROWING.get(str(block.get("type")))
        if key is None:
            return False
        return str(block.get(key) or "").startswith(str(self.blocks[at].get(key) or ""))


def _name(block: JsonObject) -> str:
    """What copies of one block have in common: the id, else all that it says."""
    block_id = word(block.get("id"))
    if block_id is not None:
        return block_id
    key = GROWING.get(str(block.get("type")))
    return f"{block.get('type')} {block.get(key) if key else json.dumps(block, sort_keys=True)}"


def blocks_of(line: Line) -> list[JsonObject]:
    """The blocks of a line's message."""
    content = line.message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return objects(content)


def nodes_of(lines: Sequence[Line]) -> list[Node]:
    """The nodes of one speaker's lines, each below another that stands before it."""
    kept = _once(lines)
    has_tree = any(line.parent is not None for line in kept)
    return _Growing(has_tree=has_tree).nodes(kept)


def _once(lines: Iterable[Line]) -> list[Line]:
    """Lines written once: a repeat takes the first one's place when that one said nothing.

    The copies of an answer stay: each may hold blocks of its own.
    """
    kept: list[Line] = []
    places: dict[str, int] = {}
    for line in lines:
        place = places.get(line.uuid) if line.uuid is not None else None
        if place is None or line.kind is Kind.ANSWER:
            if line.uuid is not None:
                places[line.uuid] = len(kept)
            kept.append(line)
        elif kept[place].kind is Kind.NOISE:
            kept[place] = replace(line, parent=line.parent or kept[place].parent)
    return kept


class _Growing:
    """Nodes so far; a line that continues a message is no node of its own."""

    def __init__(self, *, has_tree: bool) -> None:
        self._has_tree = has_tree
        self._nodes: list[Node] = []
        self._by_uuid: dict[str, int] = {}
        self._by_message: dict[str | None, int] = {}
        self._last_prompt = -1

    def nodes(self, lines: Iterable[Line]) -> list[Node]:
        """The nodes of the lines, in order."""
        for line in lines:
            place = self._continued(line)
            if place is None:
                place = self._added(line)
            else:
                self._nodes[place].take(line)
            if line.uuid is not None:
                self._by_uuid[line.uuid] = place
        return self._nodes

    def _continued(self, line: Line) -> int | None:
        """The message that a line goes on with; after a new prompt only a repeat does."""
        if line.kind is not Kind.ANSWER or _message_of(line) is None:
            return None
        place = self._by_message.get(_message_of(line))
        if place is None or place > self._last_prompt or self._nodes[place].repeats(line):
            return place
        return None

    def _added(self, line: Line) -> int:
        place = len(self._nodes)
        above = self._above(line)
        node = Node(line=self._promoted(line, above), above=above)
        if node.kind is Kind.ANSWER:
            node.take(line)
        else:
            node.digests.append(line.digest)
        self._nodes.append(node)
        if line.kind is Kind.ANSWER:
            self._by_message[_message_of(line)] = place
        if node.kind is Kind.PROMPT:
            self._last_prompt = place
        return place

    def _above(self, line: Line) -> int:
        """The node above: as the line says; else the one before it in the file.

        A prompt that says it is a root, where others hang below something, starts anew.
        """
        if line.parent in self._by_uuid:
            return self._by_uuid[line.parent]
        if self._has_tree and line.rooted and line.kind is Kind.PROMPT:
            return -1
        return len(self._nodes) - 1

    def _promoted(self, line: Line, above: int) -> Line:
        """What a command of the user's own says is a prompt, though the program wrote it out."""
        is_meta = line.record.get("isMeta") is True and line.kind is Kind.NOISE
        echoed = above >= 0 and self._nodes[above].kind is Kind.ECHO
        if is_meta and echoed and typed(line.message.get("content")):
            return replace(line, kind=Kind.PROMPT)
        return line


def _message_of(line: Line) -> str | None:
    """What the lines of one message have in common."""
    return line.message_id or line.uuid
