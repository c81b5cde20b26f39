"""Where a benchmark stands, and the one next step."""

from typing import Any

from benchmarks.api.base import LabView
from benchmarks.api.calls import ApiCall
from benchmarks.api.documents import Action, Document, Freshness
from benchmarks.api.operations import operation
from runs.services.benchmark_status import benchmark_status


class StatusDocument(Document):
    """`understudy.benchmark_status.v1`."""

    schema_version: str
    benchmark: dict[str, Any]
    version: dict[str, Any]
    rows: dict[str, Any]
    stale_in_headline: dict[str, Any]
    ledgers: dict[str, Any]
    attention: dict[str, Any]
    calibration: dict[str, Any]
    verifiers: dict[str, Any]
    runs: dict[str, Any]
    result_types: Any
    gate: dict[str, Any]
    artifacts: list[dict[str, Any]]
    posture: dict[str, Any]
    next: Action
    freshness: Freshness


class BenchmarkStatusView(LabView):
    """`/api/benchmarks/{slug}/status`."""

    @operation("benchmark_status", gives=StatusDocument)
    def get(self, call: ApiCall, slug: str) -> dict[str, Any]:
        """Say where a benchmark stands, in one answer, and the one next step."""
        return benchmark_status(located=call.locate(slug), home=call.home, now=call.now)
