"""A proposal, a promoted benchmark beside it, and callers."""

from pathlib import Path

import pytest

from benchmarks.artifacts.roots import Located
from tests.factories import Desk
from tests.factories import make_desk as make_promoted
from tests.rest import Rest
from tests.reviews.desks import make_desk


@pytest.fixture
def rest(db: None) -> Rest:
    """A token of an operator."""
    return Rest()


@pytest.fixture
def desk(lab_home: Path) -> Located:
    """A proposed refund desk of two tasks: `local--refund-desk`."""
    return make_desk(lab_home / "benchmarks")


@pytest.fixture
def promoted(lab_home: Path) -> Desk:
    """A promoted item desk of three tasks: `local--items`."""
    return make_promoted(lab_home / "benchmarks" / "items")
