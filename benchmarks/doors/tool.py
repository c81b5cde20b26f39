"""One MCP tool: a plain function and what the server must know to wrap it."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict, create_model

from benchmarks.doors.arguments import (
    Cursor,
    IdempotencyKey,
    Limit,
    MaxBytes,
    WaitSeconds,
)
from benchmarks.doors.permissions import Permission, permission_of


class Arguments(BaseModel):
    """The arguments of one call, as the published schema says: nothing else is taken."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


@dataclass(frozen=True)
class ToolEntry:
    """A tool of one app. `function(call, **arguments)` returns the document."""

    function: Callable[..., Mapping[str, Any]]
    title: str
    keys: tuple[str, ...]
    """The keys of the answer beyond the common ones: its output schema."""
    hints: str = ""
    """Letters present are true: R read-only, D destructive, I idempotent, O open world."""
    waits: bool = False
    """Long work: run as a job, waited for at most `wait_s`."""
    writes: bool = False
    list_key: str | None = None
    """The list that is paged."""
    fenced: tuple[str, ...] = field(default=())
    """Patterns of long texts from outside, as JSON pointers with `*`."""
    one_line: tuple[str, ...] = field(default=())
    """Patterns of short texts from outside."""

    @property
    def name(self) -> str:
        """The tool's name: the function's."""
        return self.function.__name__

    @property
    def permission(self) -> Permission | None:
        """What calling it needs, by the table of services."""
        return permission_of(self.name)

    @property
    def description(self) -> str:
        """What the tool does: the function's docstring."""
        return inspect.cleandoc(self.function.__doc__ or "")

    @cached_property
    def model(self) -> type[BaseModel]:
        """The argument model: the function's own parameters and the common ones."""
        fields: dict[str, Any] = {}
        for name, parameter in inspect.signature(self.function).parameters.items():
            if name == "call":
                continue
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            fields[name] = (parameter.annotation, default)
        for name, annotation, default in self._common():
            fields.setdefault(name, (annotation, default))
        return create_model(f"{self.name}_arguments", __base__=Arguments, **fields)

    @cached_property
    def own(self) -> frozenset[str]:
        """The names that the function itself takes."""
        return frozenset(inspect.signature(self.function).parameters) - {"call"}

    def _common(self) -> list[tuple[str, Any, Any]]:
        common: list[tuple[str, Any, Any]] = [("max_bytes", MaxBytes, 32_768)]
        if self.writes:
            common.append(("idempotency_key", IdempotencyKey | None, None))
        if self.waits:
            common.append(("wait_s", WaitSeconds, 10.0))
        if self.list_key:
            common += [("limit", Limit, 50), ("cursor", Cursor | None, None)]
        return common
