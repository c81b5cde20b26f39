"""The verifier report over REST: read, and made anew as a job."""

from pathlib import Path

import pytest

from tests.benchmarks.services.factories import task_lines
from tests.rest import Rest

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
URL = "/api/benchmarks/local--desk/verification"
TESTED = {"tested": 6, "weak": 0, "untested": 0}


def test_report_is_read_as_it_stands(bench: Path) -> None:
    found = Rest("read").get(URL).document
    assert (found["totals"], found["untested"], len(found["tasks"])) == (TESTED, [], 6)
    (bench / "verifier-report.json").unlink()
    refused = Rest("read", name="other").get(URL)
    assert refused.code == "not_measured"


def test_verifiers_are_tested_as_a_job_that_answers_when_it_ends(bench: Path) -> None:
    (bench / "verifier-report.json").unlink()
    name = task_lines(bench)[0]["task_id"]
    answered = Rest().post(URL, {"tasks": [name], "seed": 7, "wait_s": 20})
    assert (answered.status, answered.document["seed"]) == (200, 7)
    assert answered.document["totals"] == {"tested": 1, "weak": 0, "untested": 0}
    assert answered.document["of_benchmark"] == {"tested": 1, "weak": 0, "untested": 5}
    assert answered.document["promotion_blockers"] == ["verifier_untested"]
    assert (bench / "verifier-report.json").is_file()


def test_testing_needs_the_permission_to_build(bench: Path) -> None:
    assert Rest("read").post(URL, {}).status == 403


def test_wrong_arguments_are_refused_before_a_job_starts(bench: Path) -> None:
    refused = Rest().post(URL, {"seed": -1, "fixtures": []})
    assert (refused.status, refused.code) == (400, "invalid_arguments")
