"""Two hand-made benchmarks and the hour."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.artifacts.home import Home, home
from benchmarks.artifacts.roots import Located
from tests.reviews.desks import make_desk, make_promoted_desk


@pytest.fixture
def proposal(tmp_path: Path) -> Located:
    return make_desk(tmp_path / "proposals")


@pytest.fixture
def promoted(tmp_path: Path) -> Located:
    return make_promoted_desk(tmp_path / "promoted")


@pytest.fixture
def lab(lab_home: Path) -> Home:
    return home()


@pytest.fixture
def now() -> datetime:
    return datetime(2026, 11, 4, 9, 0, tzinfo=UTC)
