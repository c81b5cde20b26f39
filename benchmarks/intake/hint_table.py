"""Which of many short words occur in a text, found in one pass over it.

Every three bytes of the text are looked up by their hash: of each word, the rarest three stand in
the table. Only words whose three may occur are then sought themselves.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

SHORT = 600
"""A text of fewer bytes is looked through word by word in the same time."""
GRAM = 3
WIDTH = 4
"""Bytes that are looked at together, of which the last is masked out."""
MASK = 0xFFFFFF
FACTOR = 2654435761
SHIFT = 16
FREQUENT = b"etaoinshrdlcu"
"""The most frequent letters of texts, the first most of all."""


class HintTable:
    """Words of at least three bytes that are sought together."""

    def __init__(self, words: Iterable[bytes]) -> None:
        self.words = tuple(dict.fromkeys(words))
        by_slot: dict[int, list[bytes]] = {}
        for word in self.words:
            by_slot.setdefault(_slot(_rarest(word)), []).append(word)
        self._slots = tuple(by_slot)
        self._words_of = ((), *map(tuple, by_slot.values()))

    def among(self, text: bytes) -> set[bytes]:
        """The words that occur in a text."""
        if len(text) < SHORT:
            return {word for word in self.words if word in text}
        found: set[int] = set()
        numpy, padded = self._numpy, text + b"\0"
        for start in range(WIDTH):
            count = (len(padded) - start) // WIDTH
            grams = numpy.frombuffer(padded, "<u4", count, start) & numpy.uint32(MASK)
            grams *= numpy.uint32(FACTOR)
            grams >>= numpy.uint32(SHIFT)
            marks = self._marks.take(grams)
            if marks.any():
                found.update(marks[marks.nonzero()].tolist())
        return {word for mark in found for word in self._words_of[mark] if word in text}

    @cached_property
    def _numpy(self) -> Any:
        import numpy  # noqa: PLC0415 - 80 ms, and short texts do without it

        return numpy

    @cached_property
    def _marks(self) -> Any:
        marks = self._numpy.zeros(2 ** (32 - SHIFT), "u1")
        for mark, slot in enumerate(self._slots, start=1):
            marks[slot] = mark
        return marks


def _rarest(word: bytes) -> bytes:
    grams = [word[at : at + GRAM] for at in range(len(word) - GRAM + 1)]
    return min(grams, key=lambda gram: sum(FREQUENT[::-1].find(byte) + 1 for byte in gram))


def _slot(gram: bytes) -> int:
    return (int.from_bytes(gram, "little") * FACTOR & 0xFFFFFFFF) >> SHIFT
