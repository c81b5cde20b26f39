"""The answer of a labelling task: parsed, never searched (spec/build.md 5.2)."""

import re
from collections.abc import Sequence
from typing import Any

from benchmarks.contract.json_text import bare_scalar, extract_json, fenced
from benchmarks.contract.plain_text import folded
from benchmarks.contract.values import scalar_text

ANSWER_KEYS = (
    "label",
    "answer",
    "category",
    "class",
    "intent",
    "prediction",
    "output",
    "result",
    "target",
)
LEAD = re.compile(r"^\s*\**(?:label|answer|category|class)\**\s*:\**\s*", re.IGNORECASE)
MARKED = re.compile(r"(?:answer\**\s*:\**|\#{4})[ \t]*(.+?)[ \t]*$", re.IGNORECASE | re.MULTILINE)
QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»", "*": "*"}
JOINTS = re.compile(r"[\s_-]+")


def answers(text: str) -> list[Any]:
    """What an answer may be read as, the surest first.

    A JSON answer is its answer key, its scalar or its list, and nothing else. Any other text is
    itself without fences, quotes, a leading name and one final dot; else what stands after the
    last `Answer:` or `####`.
    """
    value = extract_json(text) if text.strip()[:1] in "[{`~" else None
    if isinstance(value, dict):
        keys = {folded(key): key for key in reversed(value)}
        named = [value[keys[key]] for key in ANSWER_KEYS if key in keys]
        return named[:1]
    if value is not None:
        return [value]
    scalar = bare_scalar(text)
    if scalar is not None:
        return [scalar]
    return list(dict.fromkeys([stripped(text), *last_marked(text)]))


def stripped(text: str) -> str:
    """A text without its fence, quotes, a leading name and one final dot."""
    blocks = fenced(text)
    bare = unquoted(without_lead((blocks[0] if blocks else text).strip())).removesuffix(".")
    return unquoted(bare)


def without_lead(text: str) -> str:
    """A text without a leading name, and without the stars that opened before it."""
    lead = LEAD.match(text)
    if lead is None:
        return text
    name = lead[0].strip()
    opened = 0 if name.endswith("*") else len(name) - len(name.lstrip("*"))
    return text[lead.end() :].removesuffix("*" * opened)


def unquoted(text: str) -> str:
    """A text without the quotes or stars around all of it."""
    bare = text.strip()
    while len(bare) > 1 and QUOTES.get(bare[0]) == bare[-1]:
        bare = bare[1:-1].strip()
    return bare


def last_marked(text: str) -> list[str]:
    """What stands after the last `Answer:` or `####` of a text, bare; empty when there is none."""
    found = MARKED.findall(text)
    return [stripped(found[-1])] if found else []


def is_label(text: str, expected: Any, labels: Sequence[Any] | None) -> bool:
    """Whether the answer is the expected label and no other.

    The first reading of the answer that is a known label counts; without a list of labels only
    the expected one is known.
    """
    known = [label_text(label) for label in [*(labels or ()), expected]]
    joins = may_join(known)
    wanted = label_key(label_text(expected), joins=joins)
    keys = {label_key(name, joins=joins) for name in known}
    for answer in answers(text):
        only = answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
        key = label_key(label_text(only), joins=joins)
        if key in keys:
            return key == wanted
    return False


def label_text(label: Any) -> str:
    """A label as text; what is no scalar is no label."""
    if isinstance(label, bool):
        return str(label).lower()
    return scalar_text(label) or ""


def label_key(name: str, *, joins: bool) -> str:
    """A label in comparison form; `joins`: `_`, `-` and space are one."""
    key = folded(name)
    return JOINTS.sub(" ", key).strip() if joins else key


def may_join(labels: Sequence[str]) -> bool:
    """Whether reading `_`, `-` and space as one keeps all labels apart."""
    names = {folded(label) for label in labels}
    return len({label_key(name, joins=True) for name in names}) == len(names)
