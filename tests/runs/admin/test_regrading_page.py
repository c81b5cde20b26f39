"""Judging again from the benchmark page: a look first, one click more, and nothing is run."""

from pathlib import Path

import pytest
from django.test import Client

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import AUDIT, Home
from tests.factories import Desk
from tests.regrading import FIRST, NEW, NOBODY, make_measured, rows_of, want
from tests.reviews.admin.pages import post, seen
from tests.runs.admin.conftest import SignIn
from tests.runs.admin.seeing import section

pytestmark = pytest.mark.django_db
BENCH = "/admin/benchmarks/benchmarkentry/local--items/"
REGRADE = f"{BENCH}regrade/"


@pytest.fixture
def measured(root: Path) -> Desk:
    desk = make_measured(root / "items")
    want(desk, FIRST, NOBODY)
    return desk


def test_a_look_shows_what_would_change_and_writes_nothing(
    measured: Desk, operator: Client, lab_home: Path
) -> None:
    words = section(operator, BENCH, "versions")
    assert "8 stale rows that nothing has replaced" in words
    assert "See what judging again would give" in words
    page = seen(operator.post(REGRADE, {"action": "look"}))
    assert "What would change nothing is written yet" in page.text
    assert f"run-1 {NEW} 8 4 0 4 0.500 0.000" in page.text
    assert rows_of(measured.directory, NEW) == []
    assert Home(lab_home).read(AUDIT).records == []


def test_the_second_click_writes_the_rows(measured: Desk, operator: Client, lab_home: Path) -> None:
    page = post(operator, REGRADE, action="write")
    assert "8 rows judged again: 4 changed." in page.text
    assert len(rows_of(measured.directory, NEW)) == 8
    words = section(operator, BENCH, "versions")
    assert "every stale row is replaced" in words
    assert "See what judging again" not in words
    assert [(line.service, line.code) for line in Home(lab_home).read(AUDIT).records] == [
        ("regrade_run", "ok")
    ]


def test_nothing_to_judge_is_said_and_an_untested_verifier_needs_an_admin(
    measured: Desk, operator: Client, sign_in: SignIn
) -> None:
    (measured.path / layout.VERIFIER_REPORT.path).unlink()
    refused = seen(operator.post(REGRADE, {"action": "look"}), status=403)
    assert f"nobody tested the verifier of {FIRST}" in refused.text
    assert "Judge by them all the same" not in refused.text
    admin = sign_in("admin")
    offered = seen(admin.post(REGRADE, {"action": "look"}), status=403)
    assert "Judge by them all the same" in offered.text
    denied = post(operator, REGRADE, action="write", allow_untested="closed")
    assert "allow_untested needs the permission 'admin'" in denied.text
    assert rows_of(measured.directory, NEW) == []
    shown = seen(admin.post(REGRADE, {"action": "look", "allow_untested": "closed"}))
    assert shown.values("allow_untested") == ["closed"]
    post(admin, REGRADE, action="write", allow_untested="closed")
    told = {(row.provenance or {})["allow_untested"] for row in rows_of(measured.directory, NEW)}
    assert told == {"closed"}
    gone = seen(admin.post(REGRADE, {"action": "look"}), status=409)
    assert "nothing to regrade in local--items" in gone.text
