"""Ids that the world made: values of later calls that stand in the result of an earlier write."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.folding import same_call, standing
from benchmarks.contract.json_text import pointer_to
from benchmarks.contract.literals import parse_json
from benchmarks.contract.observed import ObservedCall
from benchmarks.contract.plain_text import says
from benchmarks.contract.shapes import id_tokens, is_id_shaped
from benchmarks.contract.source_text import as_text, part_texts
from benchmarks.contract.values import same_value
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Conversation


@dataclass(frozen=True, slots=True)
class Makers:
    """The accepted writes of a conversation, as makers of ids."""

    conversation: Conversation
    calls: Sequence[ObservedCall]
    entry_of: Mapping[int, str]
    """The entry that each kept write was compiled to."""
    folded: Mapping[int, int]

    def reference(self, before: int, text: str, name: str) -> JsonObject | None:
        """The `ref` matcher of an id-shaped text that a write before call `before` made."""
        if not is_id_shaped(text, name):
            return None
        for index in range(before):
            entry = self.entry_for(index)
            path = path_in(self.calls[index].result, text) if entry else None
            if path is not None:
                known = self.said_before_result(index, text)
                return None if known else {"match": "ref", "entry": entry, "path": path}
        return None

    def entry_for(self, index: int) -> str | None:
        """The entry of a write; a folded one shares that of its equal, if any."""
        kept = standing(index, dict(self.folded))
        same = kept == index or same_call(self.calls[index], self.calls[kept])
        return self.entry_of.get(kept) if same else None

    def said_before_result(self, index: int, text: str) -> bool:
        """Whether a text stands anywhere before the result of a call."""
        return any(says(words, text) for words in self.words_before(index))

    def words_before(self, index: int) -> Iterator[str]:
        """Everything up to the turn of a call, and the results of the calls before it."""
        turn = self.calls[index].turn
        for earlier in self.conversation.turns:
            if turn is not None and earlier.index <= turn:
                yield from part_texts(earlier)
        for call in self.calls[:index]:
            yield as_text(call.result)


def path_in(result: Any, text: str) -> str | None:
    """Where a text stands in a result: a JSON Pointer; empty for a token of a text."""
    if isinstance(result, str):
        parsed = parse_json(result)
        if not isinstance(parsed, list | dict):
            return "" if text in id_tokens(result) or text == result.strip() else None
        result = parsed
    return next(
        (pointer_to(path) for path, leaf in leaves(result, ()) if same_value(leaf, text)), None
    )


def leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The scalars of a value with their paths, in order."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from leaves(inner, (*path, str(name)))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from leaves(inner, (*path, str(place)))
    else:
        yield path, value
