"""Where a candidate can read: everything that is shown, offered or answered to it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from benchmarks.audit.messages import content_text, is_told
from benchmarks.audit.written import Subject, Written
from benchmarks.contract.said import leaves
from benchmarks.contract.values import read_decimal, scalar_text
from benchmarks.foundry.boundary import said
from benchmarks.foundry.wording import normal
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Tool
from benchmarks.records.digest import canonical
from benchmarks.records.environment import FixtureRow, ToolSchema
from benchmarks.records.task import Task

NAMES = ("prompt", "system", "user", "tools", "title", "schemas", "guidance", "fixtures")
"""The surfaces that are read, as the audit says them."""
APART = " ␞ "
"""Between two texts of one surface: no gold holds it."""
NUMBER = re.compile(r"(?<![\w.])(?<!\w-)[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\w)")
WORD = re.compile(r"\w+")
GRAM = 4
WORDS_NOT_VALUES = frozenset({"type", "required", "effect", "rejection_style", "builtin", "$ref"})
"""Keys of a schema whose values are words of the schema language."""


@dataclass(frozen=True)
class Surface:
    """One place and what stands there, in comparison form."""

    location: str
    text: str
    recorded: bool = False
    """It repeats a recorded answer, as a fixture row does."""
    restates: bool = False
    """The source showed it before the incumbent spoke."""

    @cached_property
    def grams(self) -> frozenset[str]:
        """The runs of four words that stand here."""
        return four_grams(self.text)


@dataclass(frozen=True)
class Shelf:
    """Some surfaces, to be searched at once before one by one."""

    surfaces: tuple[Surface, ...]

    @cached_property
    def whole(self) -> str:
        """All texts."""
        return APART.join(one.text for one in self.surfaces)

    @cached_property
    def numbers(self) -> frozenset[Decimal]:
        """The values of the numbers that stand anywhere here."""
        return numbers_of(self.whole)

    @cached_property
    def grams(self) -> frozenset[str]:
        """The runs of four words that stand anywhere here."""
        return frozenset[str]().union(*(one.grams for one in self.surfaces))


@dataclass
class Library:
    """The surfaces of a build; what several tasks share is read once."""

    written: Written
    guidance: dict[str, Surface] = field(default_factory=dict)
    schemas: dict[str, tuple[Surface, ...]] = field(default_factory=dict)
    tools: dict[tuple[str, str | None], list[tuple[Tool, tuple[Surface, ...]]]] = field(
        default_factory=dict
    )
    shelves: dict[tuple[int, ...], Shelf] = field(default_factory=dict)
    looked_up: dict[str, str] = field(default_factory=dict)

    def offered(self, task: Task) -> Shelf:
        """What the tools of a task say: their definitions, schemas and messages."""
        groups = [group for tool in task.tool_definitions for group in self._of(tool)]
        key = tuple(id(group) for group in groups)
        if key not in self.shelves:
            self.shelves[key] = Shelf(tuple(one for group in groups for one in group))
        return self.shelves[key]

    def answers(self, subject: Subject) -> str:
        """What looking up gives: the task's own rows and those shared by the tools it has."""
        shared = (self._shared(tool.name) for tool in subject.task.tool_definitions)
        return APART.join([*map(row_text, subject.own), *shared])

    def _of(self, tool: Tool) -> Iterator[tuple[Surface, ...]]:
        known = self.tools.setdefault((tool.name, tool.description), [])
        found = next((surfaces for one, surfaces in known if one == tool), None)
        if found is None:
            found = tuple(tool_surfaces(tool))
            known.append((tool, found))
        yield found
        yield self._answering(tool.name)

    def _answering(self, name: str) -> tuple[Surface, ...]:
        if name not in self.schemas:
            schema = self.written.schemas.get(name)
            told = self.written.guidance.tools.get(name)
            self.schemas[name] = (
                *(schema_surfaces(name, schema) if schema else ()),
                *((surface(f"guidance.json#{name}", told.values()),) if told else ()),
            )
        return self.schemas[name]

    def _shared(self, name: str) -> str:
        if not self.looked_up:
            rows: dict[str, list[str]] = {"": []}
            for row in self.written.fixtures:
                if row.task_id is None:
                    rows.setdefault(row.tool, []).append(row_text(row))
            self.looked_up = {tool: APART.join(texts) for tool, texts in rows.items()}
        return self.looked_up.get(name, "")


def shown_surfaces(subject: Subject) -> Iterator[Surface]:
    """What is shown of the task itself: title, system text, messages, script."""
    yield surface("title", [subject.task.title])
    shown, before = subject.shown, before_answer(subject)
    if shown is None:
        return
    yield surface("system_prompt", [shown.system_prompt])
    for place, message in enumerate(shown.candidate_prompt):
        text = normal(content_text(message))
        yield Surface(f"candidate_prompt[{place}]", text, restates=text in before)
    for place, turn in enumerate(shown.user.turns):
        yield surface(f"user.turns[{place}]", [turn])


def given(subject: Subject) -> str:
    """What the task gives by itself: its system text and all that the user says.

    Of the source where it is known, so that a text that was put into the environment is not its
    own excuse; else the system text and the messages after the last one that the user did not say.
    """
    if subject.witness is not None and subject.witness.boundary is not None:
        boundary = subject.witness.boundary
        return joined([boundary.system, boundary.user_text])
    if subject.shown is None:
        return ""
    asked: list[str] = []
    for message in reversed(subject.shown.candidate_prompt):
        if not is_told(message):
            break
        asked.append(content_text(message))
    return joined([subject.shown.system_prompt, *asked, *subject.shown.user.turns])


def before_answer(subject: Subject) -> frozenset[str]:
    """The messages of the source before the incumbent's own work."""
    if subject.witness is None or subject.witness.boundary is None:
        return frozenset()
    return frozenset(normal(said(turn)) for turn in subject.witness.boundary.shown)


def listed_values(tools: Iterable[Tool]) -> frozenset[str]:
    """The values that the tools list as the allowed ones, in comparison form."""
    return frozenset(
        normal(text)
        for tool in tools
        for key, value in keyed_leaves(tool.parameters or {})
        if key in {"enum", "const"} and (text := scalar_text(value)) is not None
    )


def tool_surfaces(tool: Tool) -> Iterator[Surface]:
    """The name and description of a tool, the words of its arguments, and the listed values."""
    yield surface(f"tools.{tool.name}", [tool.name, tool.description])
    found = list(keyed_leaves(tool.parameters or {}))
    words = [value for key, value in found if key not in {"enum", *WORDS_NOT_VALUES}]
    values = [value for key, value in found if key == "enum"]
    if words:
        yield surface(f"tools.{tool.name}.parameters", words)
    if values:
        yield surface(f"tools.{tool.name}.enum", values)


def schema_surfaces(name: str, schema: ToolSchema) -> Iterator[Surface]:
    """What the world says of a tool; its example of an error is a recorded answer."""
    content = schema.dump()
    example = content.pop("observed_error_example", None)
    content.pop("properties", None)
    content.pop("reply_shape", None)
    words = [value for key, value in keyed_leaves(content) if key not in WORDS_NOT_VALUES]
    yield surface(f"schemas.json#{name}", words)
    if example:
        yield Surface(f"schemas.json#{name}.observed_error_example", normal(example), recorded=True)


def keyed_leaves(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Every scalar of a value with the nearest key above it."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from keyed_leaves(item, str(name))
    elif isinstance(value, list):
        for item in value:
            yield from keyed_leaves(item, key)
    else:
        yield key, value


def surface(location: str, values: Iterable[Any]) -> Surface:
    """The texts and numbers among some values as one place."""
    return Surface(location, joined(values))


def joined(values: Iterable[Any]) -> str:
    """The texts and numbers among some values in comparison form, kept apart."""
    texts = (scalar_text(value) for value in values)
    return APART.join(normal(text) for text in texts if text)


def row_text(row: FixtureRow) -> str:
    """What a recorded answer says, with what was asked."""
    content: Sequence[Any] | JsonObject = [row.arguments, row.content]
    return joined([*leaves(content), canonical(row.arguments).decode()])


def four_grams(text: str) -> frozenset[str]:
    """The runs of four words of a text in comparison form."""
    words = WORD.findall(text)
    return frozenset(" ".join(words[at : at + GRAM]) for at in range(len(words) - GRAM + 1))


def numbers_of(text: str) -> frozenset[Decimal]:
    """The values of the numbers that stand as whole tokens in a text."""
    found = (read_decimal(match.replace(",", "")) for match in NUMBER.findall(text))
    return frozenset(number for number in found if number is not None)
