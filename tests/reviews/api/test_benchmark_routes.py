"""Benchmarks, tasks and what was written down about them, over REST."""

import json
import time
from pathlib import Path
from typing import Any, get_args
from urllib.parse import quote

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import Located, roots
from benchmarks.doors.jobs import Jobs
from benchmarks.records.caller import Caller
from benchmarks.records.promotion import PromotionRecord
from benchmarks.versioning.hashing import restamp
from reviews.api.benchmarks import TaskPart
from reviews.services.listing import list_benchmarks
from reviews.services.reading import read_benchmark
from reviews.services.reading_task import PARTS, read_task
from tests.factories import Desk
from tests.rest import Answered, Rest
from tests.reviews.desks import make_desk
from tests.reviews.factories import make_task

pytestmark = pytest.mark.django_db
SLUG, ITEMS = "local--refund-desk", "local--items"
HERE = f"/api/benchmarks/{SLUG}"


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


# Benchmarks


def test_benchmarks_are_listed_as_the_shell_lists_them(
    rest: Rest, desk: Located, promoted: Desk
) -> None:
    listed = rest.get("/api/benchmarks").document
    items = {each["slug"]: each for each in listed["results"]}
    shown = list_benchmarks(roots=roots(home()))["benchmarks"]
    assert {each["slug"] for each in shown} == set(items) == {SLUG, ITEMS}
    for each in shown:
        found = {key: items[each["slug"]][key] for key in each}
        assert found == plain(each)
    assert listed["roots"] == [
        {"prefix": "local", "path": str(home().benchmarks), "read_only": False}
    ]


@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        ({}, {SLUG, ITEMS}),
        ({"stage": "proposed"}, {SLUG}),
        ({"stage": ["proposed", "promoted"]}, {SLUG, ITEMS}),
        ({"stage": "intake"}, set()),
        ({"root": "data"}, set()),
        ({"root": "local", "stage": "promoted"}, {ITEMS}),
    ],
)
def test_benchmarks_are_filtered(
    rest: Rest, desk: Located, promoted: Desk, query: dict[str, Any], slugs: set[str]
) -> None:
    found = rest.get("/api/benchmarks", **query).document["results"]
    assert {each["slug"] for each in found} == slugs


def test_benchmarks_come_in_pages(rest: Rest, desk: Located, promoted: Desk) -> None:
    pages = rest.pages("/api/benchmarks", limit=1)
    assert [len(page) for page in pages] == [1, 1]
    assert {page[0]["slug"] for page in pages} == {SLUG, ITEMS}


def test_a_benchmark_is_the_document_of_the_service_without_its_tasks(
    rest: Rest, desk: Located
) -> None:
    document = rest.get(HERE, include="versions").document
    whole = read_benchmark(located=desk, include=("versions",))
    del whole["tasks"]
    assert document == plain(whole)


# Tasks


def test_tasks_are_listed_in_manifest_order_as_the_shell_lists_them(
    rest: Rest, promoted: Desk
) -> None:
    located = Located(promoted.directory, ITEMS, read_only=False)
    rows = plain(read_benchmark(located=located)["tasks"])
    assert [row["task_id"] for row in rows] == list(promoted.task_ids)
    whole = rest.get(f"/api/benchmarks/{ITEMS}/tasks").document
    assert whole["results"] == rows
    assert whole["page"]["total"] == 3
    pages = rest.pages(f"/api/benchmarks/{ITEMS}/tasks", limit=2)
    assert pages == [rows[:2], rows[2:]]


def test_a_task_edited_by_hand_is_marked_in_the_list(rest: Rest, desk: Located) -> None:
    lines = desk.directory.read(layout.TASKS).records
    stamped = [restamp(None, line.with_(boundary_rule="earliest")) for line in lines]
    desk.directory.replace(layout.TASKS, [stamped[0].with_(title="By hand"), *stamped[1:]])
    found = rest.get(f"/api/benchmarks/{desk.slug}/tasks").document["results"]
    assert [one["edited"] for one in found] == [True] + [False] * (len(lines) - 1)
    assert found == plain(read_benchmark(located=desk)["tasks"])


def test_total_is_of_the_list_where_a_promotion_left_tasks_out(rest: Rest, promoted: Desk) -> None:
    manifest = promoted.directory.load(layout.BENCHMARK)
    assert manifest is not None
    promoted.directory.replace(layout.BENCHMARK, manifest.with_(tasks=manifest.tasks[:2]))
    page = rest.get(f"/api/benchmarks/{ITEMS}/tasks").document["page"]
    assert (page["returned"], page["next_cursor"], page["total"]) == (2, None, 2)
    filtered = rest.get(f"/api/benchmarks/{ITEMS}/tasks", decision="accept").document["page"]
    assert filtered["total"] is None


def test_tasks_are_filtered_by_decision_split_and_flag(rest: Rest, desk: Located) -> None:
    rest.post("/api/reviews", {"slug": SLUG, "task_id": "t2", "decision": "reject"})

    def ids(**query: Any) -> list[str]:
        return [each["task_id"] for each in rest.get(f"{HERE}/tasks", **query).document["results"]]

    assert ids() == ["t1", "t2"]
    assert ids(decision="reject") == ["t2"]
    assert ids(decision=["reject", "accept"]) == ["t1", "t2"]
    assert ids(split="holdout") == []
    flagged = [task for task in ("t1", "t2") if task in ids(attention="true")]
    assert ids(attention=["true", "false"]) == ["t1", "t2"]
    assert sorted([*flagged, *ids(attention="false")]) == ["t1", "t2"]
    assert rest.get(f"{HERE}/tasks", passed_by="nobody").code == "unknown_arm"


def test_a_task_is_the_document_of_the_service(rest: Rest, desk: Located) -> None:
    asked = {"include": ["conversation", "fixtures", "world"]}
    document = rest.get(f"{HERE}/tasks/t1", **asked).document
    assert document == plain(read_task(located=desk, task_id="t1", **asked))


def test_the_parts_of_a_task_are_those_of_the_service() -> None:
    assert get_args(TaskPart) == tuple(PARTS)


@pytest.mark.parametrize("task_id", ["a/b", "a/b/", "50% off", "übung", "a?b#c", "..", "x y"])
def test_an_id_may_hold_anything_that_a_path_can_carry(
    rest: Rest, lab_home: Path, task_id: str
) -> None:
    make_desk(lab_home / "benchmarks", make_task(task_id), make_task("a"))
    answered = rest.get(f"{HERE}/tasks/{quote(task_id, safe='')}")
    assert (answered.status, answered.document.get("task_id")) == (200, task_id)
    slashed = rest.get(f"{HERE}/tasks/{quote(task_id, safe='')}/")
    assert (slashed.status, slashed.document.get("task_id")) == (200, task_id)


def test_a_task_that_is_not_there_is_404_and_counts_what_is(rest: Rest, desk: Located) -> None:
    refused = rest.get(f"{HERE}/tasks/nope")
    assert (refused.status, refused.code) == (404, "unknown_task")
    assert "2 tasks" in refused.document["hint"]


def test_one_long_text_comes_in_pieces(rest: Rest, desk: Located) -> None:
    piece = rest.get(f"{HERE}/tasks/t1", field="/prompt", offset=2).document
    assert piece["piece"]["text"] == "Refund t1"[2:]


# What was written down


def test_what_was_not_measured_is_said(rest: Rest, desk: Located) -> None:
    for part in ("rigor", "calibration", "promotion"):
        refused = rest.get(f"{HERE}/{part}")
        assert (refused.status, refused.code) == (409, "not_measured"), part


def test_the_promotion_record_is_read(rest: Rest, promoted: Desk) -> None:
    record = PromotionRecord(
        benchmark_id="items",
        promoted_at="2026-11-02T09:00:00.000Z",
        promoted_by="os:mira",
        counts={"accepted": 3},
        accepted_tasks=list(promoted.task_ids),
        excluded_tasks=[],
        decisions={},
        rigor_gate={"status": "pass"},
    )
    promoted.directory.replace(layout.PROMOTION, record)
    answered = rest.get(f"/api/benchmarks/{ITEMS}/promotion")
    assert answered.document == {"slug": ITEMS, **plain(record.dump())}


def ended(rest: Rest, location: str) -> Answered:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = rest.get(f"{location}/result", wait_s=5)
        if found.status != 202:
            return found
    raise AssertionError("the job did not end in a minute")


def test_rigor_runs_as_a_job_and_is_read_as_data_and_as_text(rest: Rest, desk: Located) -> None:
    started = rest.post(f"{HERE}/rigor", {})
    assert started.status == 202
    job = started.document["job"]
    assert (job["kind"], started.document["pending"]) == ("read_rigor_report", True)
    assert started.headers["Location"] == f"/api/jobs/{job['job_id']}"
    report = ended(rest, started.headers["Location"])
    assert report.status == 200
    assert report.document["schema_version"] == "understudy.rigor_report.v1"
    kept = rest.get(f"{HERE}/rigor")
    assert kept.document == report.document
    text = rest.get(f"{HERE}/rigor", headers={"Accept": "text/markdown"})
    assert text.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert text.body == (desk.directory.path / "rigor-report.md").read_bytes()
    assert text.headers["Vary"] == "Accept, Authorization, Cookie"
    other = rest.get(f"{HERE}/rigor", headers={"If-None-Match": text.headers["ETag"]})
    assert other.document == report.document
    assert rest.get(started.headers["Location"]).document["status"] == "done"


def test_a_job_that_fails_gives_its_own_error(rest: Rest, lab_home: Path) -> None:
    folder = lab_home / "benchmarks" / "bare"
    folder.mkdir(parents=True)
    (folder / "intake-report.json").write_text("{}")
    started = rest.post("/api/benchmarks/local--bare/rigor", {"wait_s": 0})
    failed = ended(rest, started.headers["Location"])
    assert failed.headers["Content-Type"] == "application/problem+json"
    assert failed.code in {"wrong_stage", "invalid_benchmark"}
    assert rest.get(started.headers["Location"]).document["status"] == "failed"


def test_an_override_of_the_gate_needs_an_admin(rest: Rest, desk: Located) -> None:
    body = {"override_rigor": "we know", "confirm": True, "dry_run": True}
    refused = rest.post(f"{HERE}/promotion", body)
    assert (refused.status, refused.code) == (403, "forbidden")
    assert refused.document["details"] == {"permission": "admin"}
    admin = Rest("read", "promote", "admin", name="admin")
    assert admin.post(f"{HERE}/promotion", body).status == 202


def test_the_policy_shows_its_effect_and_keeps_what_is_not_set(rest: Rest, desk: Located) -> None:
    set_to = rest.put(f"{HERE}/policy", {"default_decision": "pending", "min_fidelity": 0.9})
    assert (set_to.document["ok"], set_to.document["actor"]) == (True, "token:ci")
    shown = rest.get(f"{HERE}/policy").document
    assert (shown["default_decision"], shown["min_fidelity"]) == ("pending", 0.9)
    assert set(shown["effect"]) == {"auto_acceptable", "exceptions"}
    refused = rest.put(f"{HERE}/policy", {"min_fidelity": 1.5, "min_confidence": "hgh"})
    assert sorted(each["path"] for each in refused.document["errors"]) == [
        "min_confidence",
        "min_fidelity",
    ]


# Jobs


def put_job(actor: str, slug: str | None = SLUG) -> str:
    jobs = Jobs(home())
    at = jobs.home.path / "jobs"
    before = set(at.glob("*.json")) if at.is_dir() else set()
    job = {
        "job_id": f"job-{len(before):016x}",
        "kind": "read_rigor_report",
        "slug": slug,
        "status": "done",
        "started_at": f"2026-11-02T09:00:{len(before):02d}.000Z",
        "result": {"n": len(before)},
        **Caller(actor, "rest").block(),
    }
    at.mkdir(parents=True, exist_ok=True)
    (at / f"{job['job_id']}.json").write_text(json.dumps(job))
    return str(job["job_id"])


def test_jobs_are_ones_own_or_with_operate_everybodys(db: None, desk: Located) -> None:
    mine, theirs = put_job("token:ci"), put_job("token:other")
    reader = Rest("read", name="ci")
    assert [each["job_id"] for each in reader.get("/api/jobs").document["results"]] == [mine]
    assert reader.get(f"/api/jobs/{mine}/result").document == {"n": 0}
    for path in (f"/api/jobs/{theirs}", f"/api/jobs/{theirs}/result"):
        refused = reader.get(path)
        assert (refused.status, refused.code) == (403, "forbidden")
        assert refused.document["details"] == {"permission": "operate"}
    operator = Rest("read", "operate", name="op")
    pages = operator.pages("/api/jobs", limit=1)
    assert [page[0]["job_id"] for page in pages] == [theirs, mine]
    ended = operator.post(f"/api/jobs/{theirs}/cancel")
    assert (ended.status, ended.code) == (409, "finished")


def test_jobs_of_benchmarks_that_are_not_seen_are_not_there(db: None, desk: Located) -> None:
    job, other = put_job("token:a"), put_job("token:a", "data--other")
    limited = Rest("read", "operate", name="limited", benchmarks=("data--*",))
    assert [each["job_id"] for each in limited.get("/api/jobs").document["results"]] == [other]
    assert limited.get(f"/api/jobs/{job}").code == "unknown_job"


@pytest.mark.parametrize("job_id", ["job-0000000000000000", "x", "job-..%2F..%2Faudit"])
def test_a_job_that_is_not_there_is_404(rest: Rest, job_id: str) -> None:
    refused = rest.get(f"/api/jobs/{job_id}")
    assert (refused.status, refused.code) in {(404, "unknown_job"), (404, "unknown_tool")}
