"""A desk to mirror, and what tests say of ledgers."""

from pathlib import Path

import pytest

from tests.factories import Desk, make_desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A promoted benchmark of three tasks."""
    return make_desk(tmp_path / "desk", 3)
