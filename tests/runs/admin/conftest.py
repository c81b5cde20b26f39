"""People who are signed in, and the benchmarks that they look at."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client

from tests.browser import member
from tests.factories import Desk, make_desk, make_home, make_items

SignIn = Callable[[str], Client]


@pytest.fixture
def root(lab_home: Path) -> Path:
    """The default root of this test's home."""
    make_home(lab_home, level="bounded_experiments")
    folder = lab_home / "benchmarks"
    folder.mkdir()
    return folder


@pytest.fixture
def items(root: Path) -> Desk:
    """A promoted benchmark of four tasks: `local--items`."""
    return make_desk(root / "items", make_items(4))


@pytest.fixture
def sign_in(db: None) -> SignIn:
    """`sign_in("operator")` is a browser of a member of that group."""

    def arrive(group: str) -> Client:
        client = Client()
        client.force_login(member(group))
        return client

    return arrive


@pytest.fixture
def operator(sign_in: SignIn) -> Client:
    """An operator's browser."""
    return sign_in("operator")
