"""The result of a benchmark over REST, and as CSV."""

import pytest

from benchmarks.artifacts.roots import Located
from runs.services.leaderboards import read_leaderboard
from tests.rest import Rest
from tests.reviews.desks import add_rows
from tests.reviews.factories import make_row

pytestmark = pytest.mark.django_db
BOARD = "/api/benchmarks/local--refund-desk/leaderboard"
CSV = "/api/benchmarks/local--refund-desk/pareto.csv"


def test_the_leaderboard_is_the_document_of_its_service(rest: Rest, refunds: Located) -> None:
    add_rows(refunds, make_row(), make_row("t2", 0), make_row(model="m2"))
    answered = rest.get(BOARD, split="all")
    assert answered.status == 200
    wanted = read_leaderboard(located=refunds, split="all")
    assert answered.document == wanted
    assert [arm["label"] for arm in answered.document["arms"]] == ["m2", "m1"]


def test_arms_and_switches_come_from_the_query(rest: Rest, refunds: Located) -> None:
    add_rows(refunds, make_row(), make_row(model="m2"))
    found = rest.get(BOARD, split="all", arm="m2", include_stale="true").document
    assert [arm["label"] for arm in found["arms"]] == ["m2"]
    assert [notice["kind"] for notice in found["notices"]] == ["stale"]
    unknown = rest.get(BOARD, arm="m9")
    assert (unknown.status, unknown.code) == (404, "unknown_arm")
    assert unknown.document["details"] == {"arms": ["m1", "m2"], "unknown": ["m9"]}
    assert rest.get(BOARD, split="test").code == "invalid_arguments"


def test_the_csv_has_a_line_an_arm(rest: Rest, refunds: Located) -> None:
    add_rows(refunds, make_row(), make_row(model="m2"))
    answered = rest.get(CSV, split="all")
    assert (answered.status, answered.headers["Content-Type"]) == (200, "text/csv; charset=utf-8")
    lines = answered.body.decode().splitlines()
    assert [line.split(",")[0] for line in lines] == ["arm", "m1", "m2"]


def test_an_unchanged_leaderboard_is_304(rest: Rest, refunds: Located) -> None:
    add_rows(refunds, make_row())
    etag = rest.get(BOARD).headers["ETag"]
    assert rest.get(BOARD, headers={"If-None-Match": etag}).status == 304
    add_rows(refunds, make_row("t2"))
    assert rest.get(BOARD, headers={"If-None-Match": etag}).status == 200
