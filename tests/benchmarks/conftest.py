"""A desk that was built once, and copies of it for tests that change one."""

import shutil
from pathlib import Path

import pytest

from tests.benchmarks.services.factories import build, desk


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The desk, not to be written to."""
    folder = tmp_path_factory.mktemp("built")
    build(folder / "desk", desk(folder / "source"))
    return folder / "desk"


@pytest.fixture
def bench(lab_home: Path, built: Path) -> Path:
    """A copy of it under the lab's root."""
    return Path(shutil.copytree(built, lab_home / "benchmarks" / "desk"))
