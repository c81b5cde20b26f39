"""directions.json and dependencies.json (spec/files.md 8.6): what is measured, and against what."""

from collections.abc import Collection
from typing import Literal

from pydantic import Field

from benchmarks.records.base import Record
from benchmarks.records.task import Task

DependencyKind = Literal["mcp", "http", "database", "model", "other"]
PostureWord = Literal["frozen", "simulated", "live"]


class Example(Record):
    """The conversation that stands for a card, and what it asks."""

    capture_key: str
    text: str


class Picked(Record):
    """Which card a person or an agent picked, and through which door."""

    direction_id: str
    actor: str
    door: str
    at: str
    operator_note: str | None = None


class Direction(Record):
    """One card: a capability that the conversations show, and what measuring it needs."""

    direction_id: str
    name: str
    example: Example
    tests: list[str] = Field(default_factory=list)
    needs: list[str] = Field(default_factory=list)
    """Names of dependencies."""
    task_count: int
    category_ids: list[str] = Field(default_factory=list)
    tools: list[str] = Field(default_factory=list)
    share: float
    """Of the conversations that tasks can be made of."""
    conversations: list[str] | None = None
    """The captures that they start with: a build after a pick keeps these."""


class Directions(Record):
    """The proposed cards, and which was picked by whom."""

    schema_version: Literal["understudy.capability_directions.v1"] = (
        "understudy.capability_directions.v1"
    )
    generated_at: str
    source_sha256s: list[str] = Field(default_factory=list)
    directions: list[Direction] = Field(default_factory=list)
    picked: Picked | None = None
    note: str | None = None
    source: str | None = None
    """What the sources are called: the last part of their paths."""
    others: list[str] | None = None
    """The captures that the conversations of no card start with."""

    def card(self, direction_id: str) -> Direction | None:
        """The card of an id."""
        return next((one for one in self.directions if one.direction_id == direction_id), None)

    @property
    def picked_card(self) -> Direction | None:
        """The card that was picked."""
        return self.card(self.picked.direction_id) if self.picked is not None else None


class Dependency(Record):
    """Something outside the agent that its tools reach, and how a rollout's world plays it."""

    name: str
    kind: DependencyKind
    tools: list[str] = Field(default_factory=list)
    posture: PostureWord
    """Without `approved_by` only proposed."""
    approved_by: str | None = None
    door: str | None = None
    at: str | None = None
    endpoint: str | None = None
    """Where live tools are: `stdio:COMMAND ARGS` starts an MCP server for each rollout,
    `https://HOST/PATH` reaches one that listens (`mcp+https://` where the kind is not mcp), and
    `tool+https://HOST/PATH/{tool}` takes one POST a call, the arguments as its JSON body (without
    `{tool}`: `{tool, arguments}`). No key stands in it: one comes from the environment. A call has
    60 s and an answer 1,000,000 bytes; redirects are refused."""
    seed: int | None = None
    note: str | None = None
    operator_note: str | None = None

    @property
    def is_approved(self) -> bool:
        """Whether somebody decided on the posture."""
        return self.approved_by is not None


class Dependencies(Record):
    """Every dependency of a benchmark."""

    schema_version: Literal["understudy.dependency_posture.v1"] = "understudy.dependency_posture.v1"
    dependencies: list[Dependency] = Field(default_factory=list)

    def of_tools(self, tools: frozenset[str]) -> list[Dependency]:
        """The dependencies that any of these tools reaches."""
        return [one for one in self.dependencies if not tools.isdisjoint(one.tools)]

    def of_task(self, task: Task) -> list[Dependency]:
        """What a task reaches: by its tools, and its user where that one speaks again."""
        tools = frozenset(tool.name for tool in task.tool_definitions) | set(task.tool_surface)
        speaks_again = task.user is not None and task.user.turns > 0
        return [
            one
            for one in self.dependencies
            if not tools.isdisjoint(one.tools) or (one.kind == "model" and speaks_again)
        ]

    def unapproved(self, names: Collection[str] | None = None) -> list[Dependency]:
        """Those, of some names or of all, whose posture is only proposed."""
        return [
            one
            for one in self.dependencies
            if not one.is_approved and (names is None or one.name in names)
        ]
