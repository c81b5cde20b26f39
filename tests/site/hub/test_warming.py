"""A hub reads beside its first requests what the mirror has missed."""

from pathlib import Path

import pytest

from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import roots
from benchmarks.mirror.syncing import catch_up
from benchmarks.models import BenchmarkEntry, TaskEntry
from tests.factories import make_desk
from understudy_site.hub.warming import warm


@pytest.mark.django_db(transaction=True)
def test_everything_is_mirrored_before_anybody_asks(lab_home: Path) -> None:
    for number in range(3):
        make_desk(lab_home / "benchmarks" / f"b{number}", 4)
    thread = warm(roots(home()))
    thread.join(60)
    assert not thread.is_alive()
    assert (BenchmarkEntry.objects.count(), TaskEntry.objects.count()) == (3, 12)
    assert catch_up(None)["complete"] is True


@pytest.mark.django_db(transaction=True)
def test_what_cannot_be_followed_does_not_keep_it_busy(lab_home: Path) -> None:
    desk = make_desk(lab_home / "benchmarks" / "b", 1)
    warm(roots(home())).join(60)
    path = desk.path / "versions.jsonl"
    path.write_bytes(path.read_bytes().replace(b"2026", b"2025"))
    thread = warm(roots(home()))
    thread.join(60)
    assert not thread.is_alive()
    assert BenchmarkEntry.objects.get().problem["code"] == "ledger_rewritten"
