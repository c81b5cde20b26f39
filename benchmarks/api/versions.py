"""What changed in a benchmark, from version to version."""

from functools import partial
from typing import Any

from benchmarks.api.base import LabView
from benchmarks.api.calls import ApiCall
from benchmarks.api.operations import operation
from benchmarks.api.pages import line_of, page_of, scope_of_one
from benchmarks.api.queries import ListQuery
from benchmarks.models.version import VersionEntry
from benchmarks.records.base import JsonObject
from benchmarks.records.version import VersionLine
from benchmarks.selectors import VersionQuestion, list_versions

VERSIONS = "versions"


class VersionItem(VersionLine):
    """A line of the ledger of versions."""

    slug: str


class VersionsView(LabView):
    """`/api/benchmarks/{slug}/versions`."""

    @operation("list_versions", query=ListQuery, gives=VersionItem)
    def get(self, call: ApiCall, slug: str) -> dict[str, Any]:
        """List the versions of a benchmark, newest first."""
        asked: ListQuery = call.query
        scope = scope_of_one(call, call.locate(slug))
        question = VersionQuestion(scope.ids, since=asked.since, until=asked.until)
        total = scope.total(VERSIONS, filtered=asked.is_filtered())
        return page_of(call, scope, partial(list_versions, question), _shown, total=total)[1]


def _shown(entry: VersionEntry) -> JsonObject:
    return {"slug": entry.benchmark.slug, **line_of(entry.raw)}
