"""The list of benchmarks: filters, search, pages, its file, and its buttons."""

import csv
import io
from pathlib import Path

import pytest
from django.test import Client

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import AUDIT, Home
from tests.factories import Desk, make_desk
from tests.reviews.admin.pages import Seen, post
from tests.runs.admin.conftest import SignIn
from tests.runs.admin.seeing import fresh
from tests.runs.services import benches

pytestmark = pytest.mark.django_db
HERE = "/admin/benchmarks/benchmarkentry/"


def slugs(page: Seen) -> list[str]:
    """The benchmarks of a page, in its order."""
    paths = [str(found["href"]) for found in page.every("a") if "name" in str(found.get("class"))]
    return [path.removeprefix(HERE).strip("/") for path in paths]


@pytest.fixture
def three(root: Path) -> None:
    """A promoted one, a proposal whose gate fails, and one that is read-only."""
    make_desk(root / "items", 2)
    benches.with_a_failed_gate(root)


FILTERED = [
    ("", ["local--items", "local--refund-desk"]),
    ("stage=promoted", ["local--items"]),
    ("stage=intake", []),
    ("stage=nonsense", []),
    ("gate=fail", ["local--refund-desk"]),
    ("gate=bad", ["local--refund-desk"]),
    ("gate=pass", ["local--items"]),
    ("gate=not_run", []),
    ("floor=exceeded", ["local--refund-desk"]),
    ("undecided=yes", []),
    ("feedback=open", []),
    ("read_only=yes", []),
    ("read_only=no", ["local--items", "local--refund-desk"]),
    ("root=local", ["local--items", "local--refund-desk"]),
    ("root=data", []),
    ("origin=derived-from-traces", ["local--items", "local--refund-desk"]),
    ("q=ITEM", ["local--items"]),
    ("q=refund", ["local--refund-desk"]),
    ("q=nothing", []),
    ("q=refund&stage=promoted", []),
]


def test_filter_keeps_what_passes_it(three: None, operator: Client) -> None:
    for query, found in FILTERED:
        assert (query, slugs(fresh(operator, f"{HERE}?{query}"))) == (query, found)


def test_empty_lab_says_what_makes_the_first_benchmark(root: Path, operator: Client) -> None:
    text = fresh(operator, HERE).text
    assert "Every benchmark under the roots will be listed here. understudy demo" in text


def test_fifty_benchmarks_a_page(root: Path, operator: Client) -> None:
    for number in range(52):
        path = root / f"b{number:02d}"
        path.mkdir()
        (path / layout.BENCHMARK.path).write_text("{}", encoding="utf-8")
    first = fresh(operator, HERE)
    [following] = [
        str(found["href"]) for found in first.every("a") if "cursor=" in str(found.get("href"))
    ]
    rest = fresh(operator, following)
    assert (slugs(first)[0], slugs(first)[-1]) == ("local--b00", "local--b49")
    assert slugs(rest) == ["local--b50", "local--b51"]


def test_cursor_of_another_list_is_refused(three: None, operator: Client) -> None:
    page = fresh(operator, f"{HERE}?cursor=abc", status=400)
    assert "ask for the first page again" in page.text


def test_file_has_the_filtered_list_and_no_formula(
    three: None, root: Path, operator: Client
) -> None:
    make_desk(root / "sums", 1, promoted=False, name="=cmd()|' /C calc'!A0")
    fresh(operator, HERE)
    answer = operator.get("/admin/benchmarks/benchmarkentry.csv?stage=proposed")
    lines = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert answer["Content-Disposition"] == 'attachment; filename="benchmarks.csv"'
    assert [(line["slug"], line["name"], line["tasks"]) for line in lines] == [
        ("local--refund-desk", "refund-desk", "2"),
        ("local--sums", "'=cmd()|' /C calc'!A0", "1"),
    ]


def test_sync_reads_what_is_new_and_comes_back(
    items: Desk, operator: Client, lab_home: Path
) -> None:
    page = post(operator, "/admin/sync/", action="sync", slug="local--items", next=HERE)
    assert "Done Read again: local--items." in page.text
    assert slugs(page) == ["local--items"]
    [line] = Home(lab_home).read(AUDIT).records
    assert (line.actor, line.door, line.service, line.slug, line.code) == (
        "user:operator",
        "admin",
        "sync_benchmarks",
        "local--items",
        "ok",
    )


def test_sync_never_sends_anybody_to_another_host(items: Desk, operator: Client) -> None:
    form = {"action": "sync", "slug": "", "next": "//evil.example/x"}
    assert operator.post("/admin/sync/", form)["Location"] == "/admin/sync/"


def test_gate_is_measured_kept_and_told(root: Path, operator: Client) -> None:
    desk = benches.with_a_failed_gate(root)
    (desk.directory.path / layout.RIGOR_REPORT.path).unlink()
    page = post(operator, HERE, action="gate", slug=desk.slug)
    told = page.text.partition("Done The gate of local--refund-desk: ")[2]
    assert told.startswith("fail. Failing: trivial-floors; unknown: 11.")
    assert desk.directory.load(layout.RIGOR_REPORT) is not None


def test_reviewer_has_no_sync_button(three: None, sign_in: SignIn) -> None:
    reader, operator = fresh(sign_in("reviewer"), HERE), fresh(sign_in("operator"), HERE)
    assert "Sync all" in operator.text
    assert "Sync" not in reader.text
