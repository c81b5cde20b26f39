"""tool-policy.json (spec/files.md 7.4)."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from benchmarks.records.base import Record
from benchmarks.records.vocabulary import Effect, Role, known


def read_effect(word: object) -> Effect:
    """An effect; an invalid word is `unknown`."""
    return known(Effect, word) or Effect.UNKNOWN


AnyEffect = Annotated[Effect, BeforeValidator(read_effect)]


class EffectSource(Record):
    """An effect and who says so."""

    effect: AnyEffect
    source: str = "lexicon"
    role: Role | None = None


class ToolEntry(Record):
    """How one tool is classed."""

    effect: AnyEffect
    source: str = "lexicon"
    """operator, annotation, http or lexicon."""
    evidence: str | None = None
    entity: str | None = None
    id_argument: str | None = None
    role: Role | None = None
    idempotent: bool | None = None
    per_call: str | None = None
    """sql, http_method or command: a carrier, classed by what one call carries."""
    commands: dict[str, AnyEffect] | None = None
    """For `per_call: command`: the effect of a command by its first words; `*` is any other."""
    note: str | None = None
    actor: str | None = None
    door: str | None = None
    at: str | None = None


class ToolPolicy(Record):
    """The class of every tool of a benchmark; the operator's word is never overwritten."""

    schema_version: Literal["understudy.tool_policy.v1"] = "understudy.tool_policy.v1"
    tools: dict[str, ToolEntry] = Field(default_factory=dict)
