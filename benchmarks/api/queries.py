"""What may stand behind the `?` of a route: every name known, every value checked."""

import typing
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest, QueryDict
from pydantic import BaseModel, ConfigDict, Field, field_validator

from benchmarks.doors.arguments import Cursor, Limit
from benchmarks.doors.checking import checked
from benchmarks.doors.paging import DEFAULT_LIMIT
from benchmarks.errors import Complaint, InvalidArguments
from benchmarks.records.times import read_time


class Query(BaseModel):
    """The query of a route that gives one document."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fresh: Annotated[
        bool, Field(description="Wait up to 5 s, not 250 ms, for the mirror to catch up.")
    ] = False
    fields: Annotated[
        list[str], Field(description="Only these keys; commas or repeats.", max_length=64)
    ] = Field(default_factory=list)

    @field_validator("fields", mode="before")
    @classmethod
    def split_at_commas(cls, value: Any) -> Any:
        """`a,b` is the same as `a` and `b`."""
        return _listed(value)

    def asked(self) -> dict[str, Any]:
        """What the answer depends on, beside how much of it is wanted."""
        return self.model_dump(mode="json", exclude={"fresh", "limit", "cursor"})


class PagedQuery(Query):
    """The query of a list: a page of it."""

    limit: Limit = DEFAULT_LIMIT
    cursor: Cursor | None = None
    expand: Annotated[
        list[str], Field(description="Heavy keys to add; commas or repeats.", max_length=16)
    ] = Field(default_factory=list)

    def is_filtered(self) -> bool:
        """Whether anything of the list is left out; naming one benchmark leaves nothing out."""
        kept = {"fresh", "fields", "limit", "cursor", "expand", "slug"}
        return bool(self.model_dump(exclude=kept, exclude_defaults=True))

    @field_validator("expand", mode="before")
    @classmethod
    def split_expand(cls, value: Any) -> Any:
        """`a,b` is the same as `a` and `b`."""
        return _listed(value)


class ListQuery(PagedQuery):
    """The query of a ledger's list: a page of it, and the time that it is about."""

    since: Annotated[datetime | None, Field(description="Not before this ISO time.")] = None
    until: Annotated[datetime | None, Field(description="Before this ISO time.")] = None

    @field_validator("since", "until", mode="before")
    @classmethod
    def read_time_text(cls, value: Any) -> Any:
        """An ISO time; one without a zone is UTC."""
        if value is None or isinstance(value, datetime):
            return value
        found = read_time(value)
        if found is None:
            raise ValueError("an ISO 8601 time such as 2026-11-01T08:00:00Z is wanted")
        return found if found.tzinfo else found.replace(tzinfo=UTC)


def sent_query(request: HttpRequest) -> dict[str, list[str]]:
    """Every value of every name behind the `?`, as it was sent.

    Raises:
        InvalidArguments: there are too many.
    """
    try:
        return dict(request.GET.lists())
    except TooManyFieldsSent:
        raise InvalidArguments(
            "the query has too many values", hint="a query has at most 1,000 values"
        ) from None


def need_text(values: Mapping[str, Iterable[str]], *, what: str) -> None:
    """Return when every value is text that a database takes.

    Raises:
        InvalidArguments: a value holds NUL or half a character; all are listed.
    """
    found = [
        Complaint(name, value, "holds NUL or half a character (a lone surrogate)")
        for name, all_of_name in values.items()
        for value in all_of_name
        if not _is_text(value)
    ]
    if found:
        said = "; ".join(f"{each.path}: {each.message}" for each in found)
        raise InvalidArguments(f"{what}: {said}", hint="send plain text", errors=found)


def read_query(model: type[Query], said: QueryDict, *, what: str) -> Query:
    """The query of a request; a name that is no list may stand once.

    Raises:
        InvalidArguments: a name is unknown, a value wrong or a name repeated; all are listed.
    """
    need_text(dict(said.lists()), what=what)
    given: dict[str, Any] = {}
    for name, values in said.lists():
        field = model.model_fields.get(name)
        is_list = field is not None and takes_many(field.annotation)
        if len(values) > 1 and not is_list:
            raise InvalidArguments(f"{what}: {name} stands {len(values)} times, once is taken")
        given[name] = values if is_list else values[-1]
    return checked(model, given, what=what)


def takes_many(annotation: Any) -> bool:
    """Whether a field holds a list."""
    return annotation is list or typing.get_origin(annotation) is list


def _is_text(value: str) -> bool:
    return "\0" not in value and not any("\ud800" <= each <= "\udfff" for each in value)


def _listed(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return [part for each in value for word in str(each).split(",") if (part := word.strip())]
