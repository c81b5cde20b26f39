"""Lists of mirrored ledgers: which benchmarks they are about, and one page by key."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Model

from benchmarks.api.calls import ApiCall
from benchmarks.artifacts.parsing import parse_json
from benchmarks.artifacts.roots import Located
from benchmarks.doors.keyset import Keyset
from benchmarks.errors import LedgerRewritten
from benchmarks.mirror.syncing import entry_of
from benchmarks.models import BenchmarkEntry
from benchmarks.models.keyset import Window
from benchmarks.records.base import JsonObject

M = TypeVar("M", bound=Model)
Fetch = Callable[..., Window[M]]
"""A selector with its question: `fetch(limit=, after=)`."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The benchmarks that a list is about."""

    ids: tuple[int, ...] = ()
    """Ids of `BenchmarkEntry`; none of them: every one."""
    nothing: bool = False
    """Whether the identity sees none at all."""
    only: BenchmarkEntry | None = None
    """The entry, where it is about one."""

    def total(self, ledger: str, *, filtered: bool) -> int | None:
        """How many lines a ledger of the one benchmark has, where that answers the question."""
        if self.only is None or filtered:
            return None
        return int(self.only.counts.get(ledger, 0))


def scope_of(call: ApiCall, slugs: Sequence[str]) -> Scope:
    """The benchmarks that are named, else all that the caller sees; the mirror catches up first.

    Raises:
        UnknownBenchmark: one is not there, or not the caller's to see.
        LedgerRewritten: the one benchmark's mirror cannot follow its files any more.
    """
    named = {each.slug: each for each in map(call.locate, slugs)}
    if len(named) == 1:
        return scope_of_one(call, next(iter(named.values())))
    call.catch_up()
    there = BenchmarkEntry.objects.filter(present=True)
    if named:
        there = there.filter(slug__in=named)
    elif not call.identity.patterns and not BenchmarkEntry.objects.filter(present=False).exists():
        return Scope()
    ids = tuple(pk for pk, slug in there.values_list("pk", "slug") if call.identity.sees(slug))
    return Scope(ids, nothing=not ids)


def scope_of_one(call: ApiCall, located: Located) -> Scope:
    """One benchmark, its mirror caught up.

    Raises:
        LedgerRewritten: its mirror cannot follow its files any more.
    """
    call.catch_up(located)
    entry = entry_of(located.slug)
    refuse_rewritten(entry)
    return Scope((entry.pk,), only=entry)


def refuse_rewritten(entry: BenchmarkEntry) -> None:
    """Return while the mirror follows the files of a benchmark.

    Raises:
        LedgerRewritten: it does not: a list of half of them would look like one of all.
    """
    problem = entry.problem or {}
    if problem.get("code") == LedgerRewritten.code:
        raise LedgerRewritten(
            problem["message"], hint=problem["hint"], details=problem.get("details") or {}
        )


def page_of(
    call: ApiCall,
    scope: Scope,
    fetch: Fetch[M],
    show: Callable[[M], JsonObject],
    *,
    total: int | None = None,
) -> tuple[list[M], JsonObject]:
    """The entries of the page that the query asks for, and the document of the list."""
    pages = keyset_of(call)
    after = pages.after()
    window: Window[M] = Window() if scope.nothing else fetch(limit=pages.limit, after=after)
    document: JsonObject = {
        "results": [show(entry) for entry in window.entries],
        "page": pages.document(len(window.entries), window.next, total),
        "freshness": call.freshness,
    }
    return window.entries, document


def keyset_of(call: ApiCall) -> Keyset:
    """The pages of the list that the query asks for."""
    query = call.query
    asked = [call.service, call.sent_path, query.asked(), list(call.identity.patterns)]
    return Keyset(call.home.secret(), query.limit, query.cursor, asked)


def line_of(raw: str) -> JsonObject:
    """A mirrored line as the object that it is."""
    value: Any = parse_json(raw.encode("utf-8", "surrogatepass")).value
    return value if isinstance(value, dict) else {}
