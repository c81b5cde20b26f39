"""The doctor over REST: a job whose result is the report of a build that is not made."""

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.services.factories import desk, refund, write_lines
from tests.rest import Rest

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
URL = "/api/traces/doctor"
KEY = "sk-" + "a1B2" * 8


@pytest.fixture
def captures(lab_home: Path) -> Path:
    """The folder that the hub may read, with four refunds and two look-ups."""
    desk(lab_home / "captures" / "desk")
    return lab_home / "captures"


def test_the_report_says_what_a_build_would_read_and_make(captures: Path) -> None:
    answered = Rest().post(URL, {"source": "desk", "wait_s": 20})
    assert answered.status == 200
    report = answered.document
    assert (report["verdict"], report["loss"], report["bar"]) == ("pass", 0.0, 0.05)
    assert (report["records"], report["captures"], report["conversations"]) == (16, 16, 6)
    assert (report["tool_calls"], report["tool_results"]) == (10, 10)
    assert report["would_build"] == {
        "tasks": 6, "trials_merged": 0, "no_successful_trajectory": 0, "helpers_attached": 0,
        "closed": 6, "open": 0, "lost": {}, "lost_first": {}, "conversations": 6,
        "unsolved_first": None,
        "unclassified_tools": [],
    }  # fmt: skip


def test_without_waiting_it_is_a_job_with_an_address(captures: Path) -> None:
    rest = Rest()
    begun = rest.post(URL, {"source": ["desk/captures.jsonl"], "wait_s": 0})
    assert (begun.status, begun.document["pending"]) == (202, True)
    job = begun.document["job"]
    assert begun.headers["Location"] == f"/api/jobs/{job['job_id']}"
    assert job["kind"] == "trace_doctor"
    ended = rest.get(f"/api/jobs/{job['job_id']}/result", wait_s=20)
    assert (ended.status, ended.document["captures"]) == (200, 16)


def test_a_loss_above_the_bar_is_a_report_that_fails(captures: Path) -> None:
    with (captures / "desk" / "captures.jsonl").open("a", encoding="utf-8") as file:
        file.write("{broken\n" * 4)
    rest = Rest()
    report = rest.post(URL, {"source": "desk", "wait_s": 20}).document
    assert (report["verdict"], report["dropped"]) == ("fail", {"malformed_line": 4})
    lenient = rest.post(URL, {"source": "desk", "max_loss": 0.5, "wait_s": 20}).document
    assert (lenient["verdict"], lenient["bar"]) == ("pass", 0.5)


def test_only_captures_of_a_workload_are_counted(captures: Path) -> None:
    rest = Rest()
    body = {"source": "desk", "workload": "refund-desk", "wait_s": 20}
    assert rest.post(URL, body).document["captures"] == 16
    assert rest.post(URL, {**body, "workload": "other"}).code == "nothing_selected"


def test_secrets_are_counted_and_never_shown(captures: Path) -> None:
    lines = refund(1)
    lines[0]["request_body"]["messages"][1]["content"] = f"my key is {KEY}"
    write_lines(captures / "keys.jsonl", lines)
    answered = Rest().post(URL, {"source": "keys.jsonl", "wait_s": 20})
    assert answered.document["secrets"]["api_key"] >= 1
    assert KEY.encode() not in answered.body


def test_nothing_is_written_but_the_job(captures: Path, lab_home: Path) -> None:
    Rest().post(URL, {"source": "desk", "wait_s": 20})
    assert sorted(path.name for path in captures.rglob("*")) == ["captures.jsonl", "desk"]
    assert not (lab_home / "benchmarks").exists()


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"source": "../secret_key"}, 403, "outside_root"),
        ({"source": ["desk", "/etc"]}, 403, "outside_root"),
        ({"source": "nowhere"}, 404, "source_not_found"),
        ({"source": []}, 400, "invalid_arguments"),
        ({"source": ["desk"] * 65}, 400, "invalid_arguments"),
        ({"source": ""}, 400, "invalid_arguments"),
        ({}, 400, "invalid_arguments"),
        ({"source": "desk", "max_loss": 2}, 400, "invalid_arguments"),
        ({"source": "desk", "redact": False}, 400, "invalid_arguments"),
        ({"source": "desk", "output": "x"}, 400, "invalid_arguments"),
    ],
)
def test_what_is_outside_missing_or_wrong_starts_no_job(
    captures: Path, lab_home: Path, body: dict[str, Any], status: int, code: str
) -> None:
    answered = Rest().post(URL, body)
    assert (answered.status, answered.code) == (status, code)
    assert not (lab_home / "jobs").exists()


def test_sources_without_a_capture_are_a_refusal_that_says_what_was_seen(captures: Path) -> None:
    (captures / "notes.txt").write_text("hello\n", encoding="utf-8")
    answered = Rest().post(URL, {"source": "notes.txt", "wait_s": 20})
    assert answered.code == "nothing_selected"
    assert answered.document["detail"].startswith("no capture in notes.txt: ")


def test_it_needs_build(captures: Path) -> None:
    answered = Rest("read", "review", name="reader").post(URL, {"source": "desk"})
    assert (answered.status, answered.code) == (403, "forbidden")
