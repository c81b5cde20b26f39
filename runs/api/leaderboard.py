"""The result of a benchmark."""

from benchmarks.api.base import LabView
from benchmarks.api.calls import Answer, ApiCall
from benchmarks.api.operations import operation
from benchmarks.doors.redacting import redacted
from benchmarks.errors import UnknownArm
from benchmarks.records.base import JsonObject
from runs.api.documents import LeaderboardDocument
from runs.api.queries import LeaderboardQuery
from runs.leaderboard.spreadsheet import as_csv
from runs.services.leaderboards import read_leaderboard

CSV = "text/csv"


class LeaderboardView(LabView):
    """`/api/benchmarks/{slug}/leaderboard`"""

    @operation(
        "read_leaderboard",
        query=LeaderboardQuery,
        gives=LeaderboardDocument,
        refuses=(UnknownArm,),
    )
    def get(self, call: ApiCall, slug: str) -> JsonObject:
        """Every arm's figures on a split, with intervals and ties, and what stands outside them."""
        return leaderboard_of(call, slug)


class ParetoView(LabView):
    """`/api/benchmarks/{slug}/pareto.csv`"""

    @operation("export_leaderboard", query=LeaderboardQuery, refuses=(UnknownArm,), media_type=CSV)
    def get(self, call: ApiCall, slug: str) -> Answer:
        """The arms of the leaderboard as CSV: quality, cost and speed of each."""
        document = redacted(leaderboard_of(call, slug))
        return Answer(document, text=as_csv(document), media_type=CSV)


def leaderboard_of(call: ApiCall, slug: str) -> JsonObject:
    """The leaderboard that the query asks for."""
    query: LeaderboardQuery = call.query
    return read_leaderboard(
        located=call.locate(slug),
        split=query.split,
        arms=query.arm,
        include_stale=query.include_stale,
        include_flagged=query.include_flagged,
    )
