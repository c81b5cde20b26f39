"""Documents are replaced whole, and gone with their file."""

import hashlib

import pytest

from benchmarks.artifacts import layout
from benchmarks.mirror import document
from benchmarks.mirror.engine import sync_directory
from benchmarks.models import BenchmarkEntry, DocumentEntry
from benchmarks.records.review import ReviewPolicy
from runs.models import RequestEntry
from tests.factories import Desk, queue

pytestmark = pytest.mark.django_db

POLICY = "review-policy.json"


def entry(name: str) -> DocumentEntry:
    return DocumentEntry.objects.get(file=name)


def test_a_document_is_kept_as_it_stands(desk: Desk) -> None:
    sync_directory(desk.located)
    data = (desk.path / "benchmark.json").read_bytes()
    kept = entry("benchmark.json")
    assert kept.body == data.decode()
    assert kept.sha256 == hashlib.sha256(data).hexdigest()
    assert (kept.schema, kept.problem) == ("understudy.benchmark.v1", "")


def test_gold_and_fixtures_keep_their_digest_only(desk: Desk) -> None:
    sync_directory(desk.located)
    for file in (layout.GOLD, layout.FIXTURES):
        assert entry(file.path).body == ""
        assert entry(file.path).sha256 == desk.directory.digest(file)


def test_a_replaced_document_is_read_again(desk: Desk) -> None:
    desk.directory.replace(layout.REVIEW_POLICY, ReviewPolicy(min_confidence="low"))
    sync_directory(desk.located)
    desk.directory.replace(layout.REVIEW_POLICY, ReviewPolicy(min_confidence="medium"))
    synced = sync_directory(desk.located)
    assert '"medium"' in entry(POLICY).body
    assert "documents" in synced.changed


def test_a_document_that_is_gone_goes(desk: Desk) -> None:
    desk.directory.replace(layout.REVIEW_POLICY, ReviewPolicy())
    sync_directory(desk.located)
    (desk.path / POLICY).unlink()
    assert "documents" in sync_directory(desk.located).changed
    assert not DocumentEntry.objects.filter(file=POLICY).exists()


def test_a_document_that_cannot_be_read_says_why(desk: Desk) -> None:
    (desk.path / "calibration.json").write_bytes(b"{\x00")
    (desk.path / "rigor-report.json").write_bytes(
        b'{"schema_version":"understudy.rigor_report.v1"}'
    )
    sync_directory(desk.located)
    assert "is not JSON" in entry("calibration.json").problem
    assert entry("calibration.json").body == ""
    assert entry("rigor-report.json").problem.startswith("rigor-report.json is not valid")
    assert entry("rigor-report.json").body


def test_a_big_document_keeps_its_digest_only(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "BODY_BYTES", 100)
    sync_directory(desk.located)
    assert entry("benchmark.json").body == ""
    assert entry("benchmark.json").schema == "understudy.benchmark.v1"


def test_a_link_that_leads_out_is_no_document(desk: Desk, tmp_path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text('{"schema_version":"x"}', encoding="utf-8")
    (desk.path / "directions.json").symlink_to(outside)
    sync_directory(desk.located)
    assert not DocumentEntry.objects.filter(file="directions.json").exists()


def test_requests_have_a_table_of_their_own(desk: Desk) -> None:
    queue(desk, "run-1")
    sync_directory(desk.located)
    assert RequestEntry.objects.get().run_id == "run-1"
    (desk.path / "runs/queue/run-1.json").write_text("{}", encoding="utf-8")
    sync_directory(desk.located)
    assert not RequestEntry.objects.exists()
    assert entry("runs/queue/run-1.json").problem


def test_the_entry_says_what_the_benchmark_is(desk: Desk) -> None:
    sync_directory(desk.located)
    found = BenchmarkEntry.objects.get()
    assert (found.slug, found.root, found.stage) == ("local--desk", "local", "promoted")
    assert found.benchmark_id == "trace-a774ea2432856c8a"
    (desk.path / "benchmark.json").write_text("[]", encoding="utf-8")
    sync_directory(desk.located)
    found.refresh_from_db()
    assert (found.stage, found.benchmark_id, found.name) == ("proposed", "", "desk")
