"""The list of runs over REST."""

from typing import Any

import pytest

from benchmarks.artifacts.roots import Located
from tests.factories import Desk
from tests.factories import queue as put
from tests.rest import Rest
from tests.reviews.desks import add_rows
from tests.reviews.factories import make_row
from tests.runs.services.requests import claimed, make_request, queue

pytestmark = pytest.mark.django_db
ITEMS, REFUNDS = "local--items", "local--refund-desk"


def test_the_list_has_whole_requests_and_summaries_newest_first(rest: Rest, desk: Desk) -> None:
    put(desk, "run-1", reference_arms=["oracle"], created_at="2026-11-02T09:00:00.000Z")
    put(desk, "run-2", reference_arms=["oracle"], created_at="2026-11-02T10:00:00.000Z")
    found = rest.get("/api/runs").document
    assert [each["run_id"] for each in found["runs"]] == ["run-2", "run-1"]
    assert found["runs"][0] == {**desk.request("run-2").dump(), "slug": ITEMS}
    assert found["results"][1] == {
        "run_id": "run-1",
        "slug": ITEMS,
        "benchmark_id": "trace-a774ea2432856c8a",
        "status": "queued",
        "interrupted": False,
        "arms": ["oracle"],
        "split": "all",
        "tasks": "all",
        "rollouts_per_task": 1,
        "progress": {"completed": None, "total": None},
        "executor_version": None,
        "spend": None,
        "created_at": "2026-11-02T09:00:00.000Z",
        "started_at": None,
        "finished_at": None,
    }


def test_pages_of_runs_of_one_moment_give_each_once(rest: Rest, desk: Desk) -> None:
    for number in range(7):
        put(desk, f"run-{number}", reference_arms=["oracle"])
    pages = rest.pages("/api/runs", slug=ITEMS, limit=3)
    assert [len(page) for page in pages] == [3, 3, 1]
    ids = [each["run_id"] for page in pages for each in page]
    assert sorted(ids) == [f"run-{number}" for number in range(7)]


def test_filters_narrow_the_list_and_a_cursor_dies_with_another(
    rest: Rest, desk: Desk, refunds: Located
) -> None:
    put(desk, "run-1", models=["m/1"], experiment_id="e1")
    put(desk, "run-2", models=["m/1", "m2"], status="done")
    queue(refunds, make_request("run-3"))

    def ids(**query: Any) -> list[str]:
        found = rest.get("/api/runs", **query).document["results"]
        return sorted(each["run_id"] for each in found)

    assert ids(status="done") == ["run-2"]
    assert ids(status=["done", "queued"]) == ["run-1", "run-2", "run-3"]
    assert ids(arm="m2") == ["run-2"]
    assert ids(arm=["m/1", "m1"], status="queued") == ["run-1", "run-3"]
    assert ids(experiment="e1") == ["run-1"]
    assert ids(slug=[ITEMS, REFUNDS], run=["run-2", "run-3"]) == ["run-2", "run-3"]
    assert ids(since="2026-11-03T00:00:00Z") == ["run-3"]
    assert ids(until="2026-11-03T00:00:00Z") == ["run-1", "run-2"]
    cursor = rest.get("/api/runs", limit=1).document["page"]["next_cursor"]
    dead = rest.get("/api/runs", limit=1, status="done", cursor=cursor)
    assert (dead.status, dead.code) == (400, "cursor_invalid")
    unknown = rest.get("/api/runs", state="done")
    assert (unknown.status, unknown.code) == (400, "invalid_arguments")
    assert "nearest" in unknown.document["errors"][0]["message"]


def test_a_run_under_way_is_counted_from_its_rows_and_interrupted_without_a_holder(
    rest: Rest, refunds: Located
) -> None:
    queue(refunds, make_request(status="running"))
    add_rows(refunds, make_row(run_id="run-1", model="m1", task_id="t1"))
    alone = rest.get("/api/runs")
    [listed] = alone.document["results"]
    assert (listed["progress"], listed["interrupted"]) == ({"completed": 1, "total": 2}, True)
    with claimed(refunds):
        held = rest.get("/api/runs", headers={"If-None-Match": alone.headers["ETag"]})
        assert held.status == 200
        assert held.document["results"][0]["interrupted"] is False


def test_an_unchanged_list_is_304(rest: Rest, desk: Desk) -> None:
    put(desk, reference_arms=["oracle"])
    etag = rest.get("/api/runs", slug=ITEMS).headers["ETag"]
    assert rest.get("/api/runs", slug=ITEMS, headers={"If-None-Match": etag}).status == 304
    put(desk, "run-2", reference_arms=["oracle"])
    assert rest.get("/api/runs", slug=ITEMS, headers={"If-None-Match": etag}).status == 200


def test_only_the_fields_asked_for_come(rest: Rest, desk: Desk) -> None:
    put(desk)
    found = rest.get("/api/runs/run-1", fields="run_id,status").document
    assert {"run_id", "status"} <= set(found)
    assert "per_task" not in found
    wrong = rest.get("/api/runs/run-1", fields="statsu")
    assert (wrong.status, "status" in wrong.document["errors"][0]["message"]) == (400, True)
