"""Dear answers are kept while nothing changes, and for a while when something does."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache

from benchmarks.models import BenchmarkEntry
from runs.admin.kept import Kept, kept

NOW = datetime(2026, 11, 4, tzinfo=UTC)


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    """Each test begins and ends with an empty cache."""
    cache.clear()
    yield
    cache.clear()


def entry(revision: int) -> BenchmarkEntry:
    return BenchmarkEntry(slug="local--x", path="/x", revision=revision)


def test_answer_is_worked_out_once_a_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.admin.kept.REST", 0)
    asked: list[int] = []
    for revision in (1, 1, 2):
        kept(entry(revision), "board", "dev", answer=lambda: asked.append(1) or len(asked))
    assert len(asked) == 2


def test_other_questions_have_their_own_answers() -> None:
    assert kept(entry(1), "board", "dev", answer=lambda: 1).answer == 1
    assert kept(entry(1), "board", "all", answer=lambda: 2).answer == 2
    assert kept(entry(1), "board", "dev", answer=lambda: 3).answer == 1


@pytest.mark.parametrize(
    ("revision", "age_s", "stands"),
    [(7, 3599, True), (8, 19, True), (8, 20, False), (8, 3599, False)],
)
def test_dear_answer_stands_ten_times_what_it_took(revision: int, age_s: int, stands: bool) -> None:
    found = Kept(answer=1, revision=7, at=NOW - timedelta(seconds=age_s), seconds=2.0)
    assert found.stands(revision, NOW) is stands
