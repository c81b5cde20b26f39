"""One request to the API: who, what was asked, and how a view reads and answers."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db import DatabaseError

from benchmarks.api.queries import Query
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.roots import Located, Root, resolve, roots
from benchmarks.doors.call import Call
from benchmarks.doors.identity import Identity, require
from benchmarks.doors.progress import Progress
from benchmarks.doors.tool import Arguments
from benchmarks.errors import Ambiguous, Forbidden, ReadOnly, UnderstudyError, UnknownBenchmark
from benchmarks.mirror.syncing import catch_up
from benchmarks.models import BenchmarkEntry
from benchmarks.records.caller import Caller
from benchmarks.records.times import stamp

Document = Mapping[str, Any]
CATCH_UP_S, FRESH_S = 0.25, 5.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a view answers, when it is more than a document with status 200."""

    document: Document
    status: int = 200
    etag: str | None = None
    """None: the digest of the document."""
    headers: Mapping[str, str] = field(default_factory=dict)
    text: str | None = None
    """Sent in place of the document, with `media_type`."""
    media_type: str = "application/json"


@dataclass
class ApiCall:
    """One call through the REST door."""

    identity: Identity
    home: Home
    now: datetime
    service: str
    query: Any = field(default_factory=Query)
    """The checked query, of the operation's own type."""
    body: Any = field(default_factory=Arguments)
    """The checked body, of the operation's own type."""
    sent: Mapping[str, Any] = field(default_factory=dict)
    """The body as it was sent."""
    sent_path: Mapping[str, str] = field(default_factory=dict)
    """The parts of the path."""
    sent_query: Mapping[str, list[str]] = field(default_factory=dict)
    """The query as it was sent."""
    url: str = ""
    """Path and query, as they came."""
    headers: Mapping[str, str] = field(default_factory=dict)
    idempotency_key: str | None = None
    located: Located | None = None
    """The benchmark that the call turned out to be about."""
    freshness: Document | None = None
    state: list[Any] = field(default_factory=list)
    """Slug and revision of every benchmark, where the answer is about all of them."""

    @cached_property
    def roots(self) -> list[Root]:
        """The roots of this hub."""
        return roots(self.home)

    @cached_property
    def caller(self) -> Caller:
        """Who acts, as services record it."""
        return self.identity.caller(self.idempotency_key)

    @cached_property
    def if_digests(self) -> frozenset[str] | None:
        """The digests that `If-Match` names; None when it asks for nothing.

        A weak tag is never the same document: it counts as none.
        """
        said = self.headers.get("If-Match", "").strip()
        if not said or said == "*":
            return None
        return frozenset(
            tag[1:-1]
            for each in said.split(",")
            if (tag := each.strip()).startswith('"') and tag.endswith('"')
        )

    @cached_property
    def call(self) -> Call:
        """The same as other doors hand it to their services."""
        return Call(
            caller=self.caller,
            home=self.home,
            roots=self.roots,
            cwd=self.home.path,
            progress=Progress(),
            clock=lambda: self.now,
        )

    def locate(self, name: str) -> Located:
        """The benchmark that a slug or a bare name means, of those that the identity sees.

        Raises:
            UnknownBenchmark: there is none, or none that this identity sees.
            Ambiguous: several roots hold the bare name.
            OutsideRoot: it is the path of a directory outside every root.
        """
        try:
            found = resolve(name, self.roots, cwd=self.home.path)
        except Ambiguous as error:
            found = self._only_seen(name, error)
        except UnknownBenchmark:
            if self.identity.patterns:
                raise self._unseen(name) from None
            raise
        if not self.identity.sees(found.slug):
            raise self._unseen(name)
        self.located = found
        return found

    def locate_writable(self, name: str) -> Located:
        """The benchmark, where it may be written.

        Raises:
            ReadOnly: it may not.
        """
        found = self.locate(name)
        need_writable(found)
        return found

    def _only_seen(self, name: str, error: Ambiguous) -> Located:
        candidates = [each for each in error.details["candidates"] if self.identity.sees(each)]
        if len(candidates) == len(error.details["candidates"]):
            raise error
        if len(candidates) != 1:
            raise self._unseen(name)
        return resolve(candidates[0], self.roots, cwd=self.home.path)

    def _unseen(self, name: str) -> UnknownBenchmark:
        seen = ", ".join(self.identity.patterns)
        return UnknownBenchmark(
            f"no benchmark {name!r}", hint=f"{self.identity.actor} sees only {seen}"
        )

    def catch_up(self, located: Located | None = None) -> Document:
        """Read what is new on disk: of one benchmark, or of all. What remains is said."""
        budget_s = FRESH_S if self.query.fresh else CATCH_UP_S
        self.freshness = catch_up(located, budget_s=budget_s)
        if located is None:
            present = BenchmarkEntry.objects.filter(present=True).order_by("slug")
            self.state = [list(each) for each in present.values_list("slug", "revision")]
        return self.freshness

    def synced(self, located: Located) -> None:
        """Mirror the lines that this call has just written.

        They are on disk: when the mirror cannot follow now, that is said, and is no failure.
        """
        try:
            self.freshness = catch_up(located, budget_s=FRESH_S)
        except (UnderstudyError, DatabaseError) as error:
            logger.warning("the mirror of %s does not follow: %s", located.slug, error)
            self.freshness = {"source": "mirror", "complete": False, "read_at": stamp(self.now)}

    def written(self) -> dict[str, Any]:
        """How the answer of a write begins, where the service does not say it itself."""
        who = self.caller
        return {"ok": True, "replayed": False, "actor": who.actor, "door": who.door}

    def need(self, service: str) -> None:
        """Return when the identity may also call another service.

        Raises:
            Forbidden: it may not; the permission is named.
        """
        require(self.identity, service)

    def may(self, service: str) -> bool:
        """Whether the identity may also call another service."""
        try:
            self.need(service)
        except Forbidden:
            return False
        return True


def need_writable(located: Located) -> None:
    """Return when the benchmark may be written.

    Raises:
        ReadOnly: it may not.
    """
    if located.read_only:
        raise ReadOnly(
            f"{located.slug} is read-only",
            hint="its folder is not writable, or lies in UNDERSTUDY_READONLY_ROOTS",
        )


def is_seen(identity: Identity, slug: str | None) -> bool:
    """Whether something about a benchmark, or about none, may be shown."""
    return slug is None or identity.sees(slug)
