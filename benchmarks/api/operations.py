"""What a route says of itself: the service it calls, what it takes, gives and refuses.

The view base works by it, the OpenAPI document is made from it, and a test holds it against the
table of services.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel

from benchmarks.api.queries import PagedQuery, Query
from benchmarks.artifacts.roots import Located
from benchmarks.doors.tool import Arguments
from benchmarks.errors import UnderstudyError

V = TypeVar("V")
Before = Callable[[Located], None]


@dataclass(frozen=True)
class Operation:
    """One method of one route."""

    service: str
    query: type[Query] = Query
    body: type[Arguments] | None = None
    checks_itself: bool = False
    """Whether the service checks the body, all complaints at once; `body` then only describes."""
    gives: type[BaseModel] | None = None
    """The document of the answer; of a list, one item."""
    status: int = 200
    also: Mapping[int, type[BaseModel]] = field(default_factory=dict)
    """Further statuses that it may answer with, and their documents."""
    refuses: Sequence[type[UnderstudyError]] = ()
    """Beyond what every route refuses."""
    before: Before | None = None
    """What is checked of the benchmark before the arguments are: its stage."""
    writes: bool = False
    names_benchmark: bool = False
    """Whether the query or the body names one; a `slug` in the path needs no word."""
    matches: bool = False
    """Whether it heeds `If-Match`."""
    media_type: str = "application/json"
    """What it gives beside JSON."""

    @property
    def is_list(self) -> bool:
        """Whether it gives a page of a list."""
        return issubclass(self.query, PagedQuery)


def operation(service: str, **more: Any) -> Callable[[Callable[..., V]], Callable[..., V]]:
    """Make a method of a `LabView` the door of a service.

    The method is called with the `ApiCall` and the parts of the path, after identity, permission
    and arguments were checked.
    """
    described = Operation(service, **more)

    def decorate(function: Callable[..., V]) -> Callable[..., V]:
        @functools.wraps(function)
        def handler(view: Any, request: Any, **path: Any) -> Any:
            return view.answer(described, functools.partial(function, view), path)

        handler.operation = described  # type: ignore[attr-defined]
        return handler

    return decorate


def operation_of(view: Any, method: str) -> Operation | None:
    """The operation of a view's method; None where it takes no such method."""
    name = "get" if method.lower() == "head" else method.lower()
    found = getattr(getattr(view, name, None), "operation", None)
    return found if isinstance(found, Operation) else None


def operations_of(view: Any) -> Mapping[str, Operation]:
    """The operations of a view, by method."""
    methods = ("get", "post", "put", "patch", "delete")
    return {each: found for each in methods if (found := operation_of(view, each)) is not None}
