"""Requests and claims for the tests of the reading services."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.claim import ClaimOwner
from benchmarks.artifacts.presence import Presence, watcher_block
from benchmarks.artifacts.roots import Located
from benchmarks.records.request import RunRequest
from tests.reviews.factories import BENCHMARK_ID


def make_request(run_id: str = "run-1", status: str = "queued", **fields: Any) -> RunRequest:
    return RunRequest.read({
        "run_id": run_id,
        "benchmark_id": BENCHMARK_ID,
        "models": ["m1"],
        "split": "all",
        "tasks": "all",
        "rollouts_per_task": 1,
        "created_at": "2026-11-04T08:00:00.000Z",
        "status": status,
        "progress": {"completed": 0, "total": 2, "arms": {"m1": {"completed": 0, "total": 2}}},
        **fields,
    })


def queue(located: Located, request: RunRequest) -> RunRequest:
    located.directory.create(layout.request(request.run_id), request)
    return request


@contextmanager
def claimed(located: Located) -> Iterator[None]:
    owner = ClaimOwner(executor_version="0.1.0", now=datetime(2026, 11, 4, 8, tzinfo=UTC))
    with located.directory.claim(owner):
        yield


@contextmanager
def watched(located: Located) -> Iterator[None]:
    block = watcher_block("0.1.0", datetime(2026, 11, 4, 8, tzinfo=UTC))
    with Presence(block) as presence:
        located.directory.show(presence)
        yield
