"""Captures and versions over REST."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.records.version import VersionLine
from tests.rest import Rest

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
SLUG = "local--demo"


@pytest.fixture
def rest(db: None) -> Rest:
    return Rest()


@pytest.fixture
def demo(demo_home: Path) -> BenchmarkDir:
    """The demo's benchmark: built from captures, promoted."""
    return BenchmarkDir(demo_home / "benchmarks" / "demo")


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def test_captures_of_a_task_and_one_of_them_whole(rest: Rest, demo: BenchmarkDir) -> None:
    task = next(iter(demo.tasks().values()))
    asked = {"slug": SLUG, "task": task.task_id, "meta": 1}
    found = rest.get("/api/captures", **asked).document
    keys = [each["capture_key"] for each in task.source.captures]
    assert [each["capture_key"] for each in found["rounds"]] == keys
    assert (found["task_id"], found["missing"]) == (task.task_id, [])
    first = found["rounds"][0]
    kept = demo.captures(keys)[keys[0]]
    assert (first["round"], first["capture_id"], first["messages"]) == (
        0,
        kept.capture_id,
        len(kept.request.messages),
    )
    for name in (kept.capture_key, kept.capture_id):
        whole = rest.get("/api/captures", slug=SLUG, id=name).document
        assert whole == {"slug": SLUG, **plain(kept.dump())}


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({}, 400, "invalid_arguments"),
        ({"id": "x", "task": "y"}, 400, "invalid_arguments"),
        ({"id": "../../secret_key"}, 404, "unknown_capture"),
        ({"id": "nope"}, 404, "unknown_capture"),
        ({"task": "nope"}, 404, "unknown_task"),
    ],
)
def test_what_is_no_capture_is_refused(
    rest: Rest, demo: BenchmarkDir, query: dict[str, str], status: int, code: str
) -> None:
    refused = rest.get("/api/captures", slug=SLUG, **query)
    assert (refused.status, refused.code) == (status, code)


def test_versions_come_newest_first(rest: Rest, demo: BenchmarkDir) -> None:
    first = demo.read(layout.VERSIONS).records
    later = VersionLine.read({**first[-1].dump(), "version": "1.0.1", "at": "2090-01-01T00:00:00Z"})
    demo.append(layout.VERSIONS, later)
    found = rest.get(f"/api/benchmarks/{SLUG}/versions").document
    lines = [each.dump() for each in reversed(demo.read(layout.VERSIONS).records)]
    assert found["results"] == [{"slug": SLUG, **plain(line)} for line in lines]
    assert found["page"]["total"] == len(lines)
