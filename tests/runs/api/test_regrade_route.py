"""Judging again over REST: a job that looks only, unless it is told to write."""

from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from tests.factories import Desk
from tests.regrading import FIRST, NEW, NOBODY, make_measured, rows_of, want
from tests.rest import Rest

pytestmark = pytest.mark.django_db
URL = "/api/benchmarks/local--desk/regrade"


@pytest.fixture
def desk(lab_home: Path) -> Desk:
    found = make_measured(lab_home / "benchmarks" / "desk")
    want(found, FIRST, NOBODY)
    return found


def test_it_looks_first_and_writes_when_told(desk: Desk) -> None:
    rest = Rest()
    looked = rest.post(URL, {"wait_s": 20})
    assert (looked.status, looked.document["dry_run"]) == (200, True)
    assert looked.document["summaries"][0]["delta"]["down"] == 4
    assert rows_of(desk.directory, NEW) == []
    wrote = rest.post(URL, {"dry_run": False, "task_ids": [FIRST], "wait_s": 20})
    assert (wrote.status, wrote.document["dry_run"]) == (200, False)
    assert len(rows_of(desk.directory, NEW)) == 8
    assert desk.events(NEW)[0].dump()["door"] == "rest"
    again = rest.post(URL, {"dry_run": False, "wait_s": 20})
    assert (again.status, again.code) == (409, "not_measured")


def test_it_needs_the_permission_to_build_and_an_admin_for_untested_verifiers(desk: Desk) -> None:
    assert Rest("read", name="reader").post(URL, {}).status == 403
    (desk.path / layout.VERIFIER_REPORT.path).unlink()
    builder = Rest("build", name="builder")
    refused = builder.post(URL, {"wait_s": 20})
    assert (refused.status, refused.code) == (403, "verifier_untested")
    asked = {"allow_untested": "closed desk", "confirm": True, "dry_run": False, "wait_s": 20}
    denied = builder.post(URL, asked)
    assert (denied.status, denied.code) == (403, "forbidden")
    allowed = Rest("build", "admin", name="admin").post(URL, asked)
    assert allowed.status == 200
    assert allowed.document["allow_untested"] == "closed desk"
