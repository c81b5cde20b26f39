"""What a record is: the first mark of the table that fits, else the one it comes closest to."""

from collections import Counter
from itertools import chain
from typing import Any

from benchmarks.intake.dialect import Dialect
from benchmarks.intake.table import TABLE

NO_ANSWER = "a response beside the request"
REQUESTS = (("messages", "openai.chat"), ("contents", "gemini"))
"""The bodies of requests, known by one key."""
BY_KEY = (("spans", "otlp"), ("steps", "atif"), ("log", "har"))
"""Dialects whose marks are no plain keys, by one that tells all the same."""
FILLERS = frozenset({"a", "an", "and", "or", "of", "with", "beside", "as", "list", "such"})


def detect(record: Any) -> Dialect | None:
    """The first of the table that a record fits; None for what no mark fits."""
    return next((mark for mark in TABLE if mark.detect(record)), None)


def nearest(record: Any) -> tuple[str, str] | None:
    """The dialect that a record comes closest to, and the mark that it lacks.

    The one of whose marks the record holds most; a request is a call without its answer.
    """
    if not isinstance(record, dict):
        return None
    for key, name in REQUESTS:
        if key in record:
            return name, NO_ANSWER
    weights = [sum(WEIGHTS[word] for word in words if word in record) for words in WORDS]
    best = max(weights)
    found = TABLE[weights.index(best)]
    return (found.name, found.lacks) if best else None


def _words(mark: Dialect) -> frozenset[str]:
    """The words that a dialect's marks are said in, and the key that tells of it all the same."""
    said = {word.strip(",.[];") for word in mark.lacks.split() if word not in FILLERS}
    return frozenset(said | {key for key, name in BY_KEY if name == mark.name})


WORDS = tuple(map(_words, TABLE))
WEIGHTS = {word: 1 / count for word, count in Counter(chain.from_iterable(WORDS)).items()}
"""A word that few dialects know tells more."""
