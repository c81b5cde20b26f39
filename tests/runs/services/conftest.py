"""Two hand-made benchmarks and the hour."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.home import Home, home
from benchmarks.artifacts.roots import Located
from tests.factories import Desk
from tests.regrading import FIRST, HELD, SECOND, make_measured
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


@pytest.fixture(scope="session")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A desk that was run once for all tests of regrades: they copy it."""
    return make_measured(tmp_path_factory.mktemp("measured") / "desk").path


@pytest.fixture
def desk(measured: Path, tmp_path: Path) -> Desk:
    """A measured desk of one's own."""
    shutil.copytree(measured, tmp_path / "desk")
    return Desk(BenchmarkDir(tmp_path / "desk"), [FIRST, SECOND, HELD])
