"""Two benchmarks under the default root, and a caller who may do everything but administer."""

from pathlib import Path

import pytest

from benchmarks.artifacts.roots import Located
from tests.factories import Desk, make_desk
from tests.rest import Rest
from tests.reviews.desks import make_desk as make_refund_desk


@pytest.fixture
def rest(db: None) -> Rest:
    """A token of an operator."""
    return Rest()


@pytest.fixture
def desk(lab_home: Path) -> Desk:
    """A promoted item desk of three tasks: `local--items`."""
    return make_desk(lab_home / "benchmarks" / "items")


@pytest.fixture
def refunds(lab_home: Path) -> Located:
    """A proposed refund desk of two tasks: `local--refund-desk`."""
    return make_refund_desk(lab_home / "benchmarks")
