"""Regenerating over REST: a job that makes everything agree with what a person edited."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.services.factories import edit_task, task_lines
from tests.rest import Rest

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
URL = "/api/benchmarks/local--desk/environment"


def test_an_edit_is_taken_over_by_a_job_that_answers_when_it_ends(bench: Path) -> None:
    name = task_lines(bench)[0]["task_id"]
    edit_task(bench, name, title="By hand")
    asked: dict[str, Any] = {"tasks": [name], "tool_policy": {"get_order": "read"}, "wait_s": 20}
    answered = Rest().post(URL, asked)
    assert (answered.status, answered.document["changed_tasks"]) == (200, [name])
    assert answered.document["leakage_audit"]["status"] == "clean"
    assert [bump["to"] for bump in answered.document["version_bumps"]] == ["1.0.1"]
    policy = json.loads((bench / "tool-policy.json").read_text())
    assert policy["tools"]["get_order"]["source"] == "operator"


def test_a_dry_run_writes_nothing(bench: Path) -> None:
    name = task_lines(bench)[0]["task_id"]
    edit_task(bench, name, title="By hand")
    answered = Rest().post(URL, {"dry_run": True, "wait_s": 20})
    assert (answered.status, answered.document["dry_run"]) == (200, True)
    assert task_lines(bench)[0]["version"] == "1.0.0"


def test_regenerating_needs_the_permission_to_build(bench: Path) -> None:
    assert Rest("read").post(URL, {}).status == 403


def test_an_effect_that_is_none_is_refused_before_a_job_starts(bench: Path) -> None:
    refused = Rest().post(URL, {"tool_policy": {"get_order": "maybe"}})
    assert (refused.status, refused.code) == (400, "invalid_arguments")
