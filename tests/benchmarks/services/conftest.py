"""A refund desk: its captures, and the benchmark that they make."""

import shutil
from pathlib import Path

import pytest

from tests.benchmarks.services.factories import build, desk


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The captures of the desk."""
    return desk(tmp_path / "source")


@pytest.fixture(scope="session")
def built_desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The desk as it is built, once, to be copied."""
    folder = tmp_path_factory.mktemp("built")
    build(folder / "desk", desk(folder / "source"))
    return folder / "desk"


@pytest.fixture
def bench(tmp_path: Path, built_desk: Path) -> Path:
    """A built desk of the test's own."""
    return Path(shutil.copytree(built_desk, tmp_path / "desk"))
