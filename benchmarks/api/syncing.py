"""Bringing the hub's tables to what a directory says."""

from typing import Annotated, Any

from pydantic import Field

from benchmarks.api.base import LabView
from benchmarks.api.calls import ApiCall
from benchmarks.api.documents import Written
from benchmarks.api.operations import operation
from benchmarks.doors.tool import Arguments
from benchmarks.errors import LedgerRewritten
from benchmarks.mirror.syncing import sync_benchmarks


class Sync(Arguments):
    """How the tables are brought up."""

    rebuild: Annotated[
        bool, Field(description="Drop what was mirrored of it, and read it anew.")
    ] = False


class Synced(Written):
    """What was read, and what could not be."""

    synced: list[dict[str, Any]]
    failed: list[dict[str, Any]]


class SyncView(LabView):
    """`/api/benchmarks/{slug}/sync`."""

    @operation("sync_benchmarks", body=Sync, gives=Synced, writes=True, refuses=(LedgerRewritten,))
    def post(self, call: ApiCall, slug: str) -> dict[str, Any]:
        """Bring the tables of a benchmark to what its files say, every byte verified.

        Reads catch up by themselves; this cures a ledger that was rewritten.
        """
        located = call.locate(slug)
        return {
            **call.written(),
            **sync_benchmarks(located=[located], rebuild=call.body.rebuild),
        }
