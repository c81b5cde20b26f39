"""Runs over REST: queued, listed, read and cancelled; nothing is executed."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import Located
from tests.factories import Desk, make_home
from tests.factories import queue as put
from tests.rest import Rest
from tests.runs.services.requests import make_request, queue

pytestmark = pytest.mark.django_db
ITEMS, REFUNDS = "local--items", "local--refund-desk"
ORACLE: dict[str, Any] = {"slug": ITEMS, "reference_arms": ["oracle"]}
PAID: dict[str, Any] = {"slug": ITEMS, "models": ["scripted/oracle"]}


def audited() -> list[tuple[str, str, str]]:
    """Service, code and slug of every line of the audit ledger."""
    path = home().path / "audit.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [(each["service"], each["code"], each["slug"]) for each in map(json.loads, lines)]


def requests(desk: Desk) -> list[str]:
    return [request.run_id for request in desk.directory.requests().requests]


# Queueing


def test_a_queued_run_is_a_request_on_disk_that_says_who_asked(rest: Rest, desk: Desk) -> None:
    answered = rest.post("/api/runs", ORACLE)
    assert answered.status == 200
    found = answered.document
    assert requests(desk) == [found["run_id"]]
    kept = desk.request(found["run_id"])
    assert found["run"] == kept.dump()
    assert (kept.status, kept.actor, kept.door) == ("queued", "token:ci", "rest")
    assert (found["ok"], found["replayed"]) == (True, False)
    assert (found["actor"], found["door"], found["slug"]) == ("token:ci", "rest", ITEMS)
    assert found["quote"]["cells"] == 3
    assert found["execute_hint"] == (
        f"understudy runs execute --benchmark {ITEMS} --run {found['run_id']}"
    )
    assert audited() == [("queue_run", "ok", ITEMS)]


def test_the_next_list_shows_what_was_just_queued(rest: Rest, desk: Desk) -> None:
    run_id = rest.post("/api/runs", ORACLE).document["run_id"]
    listed = rest.get("/api/runs", slug=ITEMS).document
    assert [each["run_id"] for each in listed["results"]] == [run_id]
    assert listed["freshness"]["complete"] is True


def test_a_dry_run_writes_nothing_and_gives_the_quote(rest: Rest, desk: Desk) -> None:
    found = rest.post("/api/runs", {**ORACLE, "dry_run": True}).document
    assert (found["dry_run"], found["run"]["written"]) == (True, False)
    assert found["quote"]["cells"] == 3
    assert "run_id" not in found
    assert (requests(desk), audited()) == ([], [])


def test_every_complaint_comes_at_once(rest: Rest, desk: Desk) -> None:
    body = {
        "slug": ITEMS,
        "models": ["m", "m"],
        "rollouts_per_task": 0,
        "tasks": ["nope"],
        "calibration_threshold": 1.5,
        "modles": [],
    }
    answered = rest.post("/api/runs", body)
    assert (answered.status, answered.code) == (400, "invalid_arguments")
    assert [each["path"] for each in answered.document["errors"]] == [
        "modles",
        "models.1",
        "tasks.0",
        "rollouts_per_task",
        "calibration_threshold",
    ]
    assert requests(desk) == []


@pytest.mark.parametrize(
    ("changes", "code", "status"),
    [
        ({"slug": "local--nope", "rollouts_per_task": "x"}, "unknown_benchmark", 404),
        ({"slug": "nope--x"}, "unknown_benchmark", 404),
        ({"dry_run": "yes"}, "invalid_arguments", 400),
        ({"action": "explode"}, "invalid_arguments", 400),
        ({"run_id": "run-1"}, "invalid_arguments", 400),
        ({"tasks": ["task-0000000000000001"], "split": "dev"}, "invalid_arguments", 400),
        ({"slug": "/etc"}, "unknown_benchmark", 404),
    ],
)
def test_a_refusal_has_its_own_code(
    rest: Rest, desk: Desk, changes: dict[str, Any], code: str, status: int
) -> None:
    answered = rest.post("/api/runs", {**ORACLE, **changes})
    assert (answered.code, answered.status) == (code, status)
    assert requests(desk) == []


def test_without_a_slug_the_refusal_names_it(rest: Rest, desk: Desk) -> None:
    answered = rest.post("/api/runs", {"models": ["m"]})
    assert (answered.status, answered.document["errors"][0]["path"]) == (400, "slug")


def test_a_proposal_takes_one_accepted_task_with_an_environment(
    rest: Rest, refunds: Located
) -> None:
    body: dict[str, Any] = {"slug": REFUNDS, "models": ["m"]}
    two = rest.post("/api/runs", {**body, "tasks": ["t1", "t2"]})
    assert (two.status, two.code) == (400, "wrong_stage")
    refunds.directory.path.joinpath("review-policy.json").write_text(
        '{"schema_version": "understudy.review_policy.v1", "default_decision": "pending"}',
        encoding="utf-8",
    )
    pending = rest.post("/api/runs", {**body, "tasks": ["t1"]})
    assert (pending.status, pending.code) == (403, "task_not_accepted")
    refunds.directory.path.joinpath("review-policy.json").unlink()
    refunds.directory.path.joinpath(layout.ENV_TASKS.path).unlink()
    missing = rest.post("/api/runs", {**body, "tasks": ["t1"]})
    assert (missing.status, missing.code) == (503, "environment_missing")
    assert audited() == []


def test_a_read_only_benchmark_is_not_written(
    rest: Rest, desk: Desk, lab_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNDERSTUDY_READONLY_ROOTS", str(lab_home / "benchmarks"))
    answered = rest.post("/api/runs", {**ORACLE, "models": 7})
    assert (answered.status, answered.code) == (403, "read_only")
    cancelled = rest.post("/api/runs/run-1/cancel", {"slug": ITEMS})
    assert (cancelled.status, cancelled.code) == (403, "read_only")


def test_below_the_posture_what_may_spend_is_refused_and_audited(rest: Rest, desk: Desk) -> None:
    answered = rest.post("/api/runs", PAID)
    assert (answered.status, answered.code) == (403, "posture_too_low")
    found = answered.document
    assert found["details"]["rule_id"] == "benchmark.queue-run-below-posture"
    assert [each["command"] for each in found["next_actions"]] == [
        "understudy trust set bounded_experiments"
    ]
    assert (requests(desk), audited()) == ([], [("queue_run", "posture_too_low", ITEMS)])
    dry = rest.post("/api/runs", {**PAID, "dry_run": True})
    assert dry.status == 200


def test_one_model_on_one_task_needs_no_word(rest: Rest, desk: Desk) -> None:
    answered = rest.post("/api/runs", {**PAID, "tasks": desk.task_ids[:1]})
    assert answered.status == 200
    assert answered.document["notices"] == []
    assert "Understudy-Notice" not in answered.headers


def test_at_the_posture_the_notice_is_the_first_key_and_a_header(
    rest: Rest, desk: Desk, lab_home: Path
) -> None:
    make_home(lab_home, level="bounded_experiments")
    answered = rest.post("/api/runs", PAID)
    assert answered.status == 200
    assert next(iter(answered.document)) == "notices"
    [notice] = answered.document["notices"]
    assert (notice["kind"], notice["level"]) == ("posture", "bounded_experiments")
    assert answered.headers["Understudy-Notice"] == notice["text"]


def test_confirm_is_the_escape_of_one_call(rest: Rest, desk: Desk) -> None:
    answered = rest.post("/api/runs", {**PAID, "confirm": True})
    assert (answered.status, answered.document["run"]["confirmed"]) == (200, True)


def test_the_same_key_queues_once(rest: Rest, desk: Desk) -> None:
    key = {"Idempotency-Key": "k-1"}
    first = rest.post("/api/runs", ORACLE, headers=key).document
    again = rest.post("/api/runs/", ORACLE, headers=key).document
    assert (again["run_id"], again["replayed"]) == (first["run_id"], True)
    assert len(requests(desk)) == 1
    other = rest.post("/api/runs", {**ORACLE, "rollouts_per_task": 2}, headers=key)
    assert (other.status, other.code) == (409, "idempotency_conflict")


def test_a_reader_may_not_queue_or_cancel(desk: Desk) -> None:
    reader = Rest("read", "review")
    put(desk)
    for answered in (
        reader.post("/api/runs", ORACLE),
        reader.post("/api/runs/run-1/cancel"),
        reader.post("/api/runs", {"slug": ITEMS, "action": "cancel", "run_id": "run-1"}),
    ):
        assert (answered.status, answered.code) == (403, "forbidden")
        assert answered.document["details"] == {"permission": "queue"}
    assert [line[1] for line in audited()] == ["forbidden"] * 3


# Cancelling


def test_a_queued_run_is_cancelled_at_once_and_again_without_a_word(rest: Rest, desk: Desk) -> None:
    put(desk, reference_arms=["oracle"])
    first = rest.post("/api/runs/run-1/cancel", {"reason": "wrong arm"})
    assert (first.status, first.document["run"]["status"]) == (200, "cancelled")
    assert desk.request("run-1").cancel == {
        "actor": "token:ci",
        "door": "rest",
        "at": first.document["run"]["cancel"]["at"],
        "reason": "wrong arm",
    }
    again = rest.post("/api/runs/run-1/cancel")
    assert (again.status, again.document["replayed"]) == (200, True)
    assert audited() == [("cancel_run", "ok", ITEMS)] * 2


def test_the_older_way_to_cancel_answers_the_same(rest: Rest, desk: Desk) -> None:
    put(desk, reference_arms=["oracle"])
    body = {"slug": ITEMS, "action": "cancel", "run_id": "run-1"}
    answered = rest.post("/api/runs", body)
    assert (answered.status, answered.document["run"]["status"]) == (200, "cancelled")
    assert (answered.document["ok"], answered.document["execute_hint"]) == (True, None)
    assert audited() == [("cancel_run", "ok", ITEMS)]
    strange = rest.post("/api/runs", {**body, "models": ["m"]})
    assert (strange.status, strange.code) == (400, "invalid_arguments")


def test_an_ended_run_cannot_be_cancelled(rest: Rest, desk: Desk) -> None:
    put(desk, status="done", finished_at="2026-11-02T12:00:00.000Z")
    answered = rest.post("/api/runs/run-1/cancel")
    assert (answered.status, answered.code) == (409, "finished")
    unknown = rest.post("/api/runs/run-9/cancel")
    assert (unknown.status, unknown.code) == (404, "unknown_run")


# Reading


def test_a_run_is_read_by_its_id_alone(rest: Rest, desk: Desk) -> None:
    put(desk, reference_arms=["oracle"], progress={"completed": 0, "total": 3})
    answered = rest.get("/api/runs/run-1")
    assert answered.status == 200
    found = answered.document
    assert (found["slug"], found["status"], found["next_poll_s"]) == (ITEMS, "queued", 30)
    assert found["arms"] == [{"label": "oracle", "kind": "oracle", "completed": 0, "total": 3}]


def test_an_id_in_two_benchmarks_is_ambiguous_until_one_is_named(
    rest: Rest, desk: Desk, refunds: Located
) -> None:
    put(desk)
    queue(refunds, make_request())
    answered = rest.get("/api/runs/run-1")
    assert (answered.status, answered.code) == (409, "ambiguous")
    assert answered.document["details"] == {"candidates": [ITEMS, REFUNDS]}
    assert rest.get("/api/runs/run-1", slug=REFUNDS).document["slug"] == REFUNDS
    assert rest.get("/api/runs/run-1/cells", slug="items").document["slug"] == ITEMS
    for path in ("events", "rows", "cells"):
        assert rest.get(f"/api/runs/run-1/{path}").code == "ambiguous"


def test_a_token_of_one_benchmark_sees_only_its_runs(desk: Desk, refunds: Located) -> None:
    put(desk)
    queue(refunds, make_request())
    narrow = Rest("read", "queue", benchmarks=("local--refund*",))
    assert narrow.get("/api/runs/run-1").document["slug"] == REFUNDS
    assert [each["slug"] for each in narrow.get("/api/runs").document["runs"]] == [REFUNDS]
    hidden = narrow.get("/api/runs", slug=ITEMS)
    assert (hidden.status, hidden.code) == (404, "unknown_benchmark")
    assert narrow.get("/api/runs/run-1", slug=ITEMS).code == "unknown_benchmark"
    blind = Rest("read", name="blind", benchmarks=("data--*",))
    assert blind.get("/api/runs").document["results"] == []
    assert blind.get("/api/rows").document["results"] == []


def test_an_unchanged_run_is_304_and_a_changed_one_is_not(rest: Rest, desk: Desk) -> None:
    put(desk, reference_arms=["oracle"])
    etag = rest.get("/api/runs/run-1").headers["ETag"]
    same = rest.get("/api/runs/run-1", headers={"If-None-Match": etag})
    assert (same.status, same.body) == (304, b"")
    rest.post("/api/runs/run-1/cancel")
    changed = rest.get("/api/runs/run-1", headers={"If-None-Match": etag})
    assert (changed.status, changed.document["status"]) == (200, "cancelled")


def test_wait_returns_at_once_for_a_run_that_has_ended(rest: Rest, desk: Desk) -> None:
    put(desk, status="done", finished_at="2026-11-02T12:00:00.000Z")
    assert rest.get("/api/runs/run-1", wait_s=20).document["status"] == "done"
    refused = rest.get("/api/runs/run-1", wait_s=21)
    assert (refused.status, refused.document["errors"][0]["path"]) == (400, "wait_s")


def test_ids_that_are_no_ids_are_refused_and_lead_nowhere(rest: Rest, desk: Desk) -> None:
    put(desk)
    for path in ("/api/runs/..", "/api/runs/%2e%2e", "/api/runs/a%20b", "/api/runs/run-9"):
        assert rest.get(path).status in {400, 404}
    assert rest.get("/api/runs/a%20b").code == "invalid_arguments"


def test_cells_come_by_tasks_in_pages(rest: Rest, desk: Desk) -> None:
    put(desk, reference_arms=["oracle"])
    found = rest.get("/api/runs/run-1/cells", start=1, limit=1).document
    assert found["page"] == {"start": 1, "returned": 1, "total": 3}
    assert [each["task_id"] for each in found["tasks"]] == [desk.task_ids[1]]
    assert found["marks"] == {"owed": 3}
