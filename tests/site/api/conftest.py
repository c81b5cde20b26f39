"""Benchmarks under the default root, and callers of every kind."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from benchmarks.artifacts.roots import Located
from tests.rest import Rest
from tests.reviews.desks import make_desk
from understudy_site.identity.limits import forget_held


@pytest.fixture(autouse=True)
def nothing_held() -> Iterator[None]:
    """No test uses up the reads that another one took."""
    forget_held()
    yield
    forget_held()


@pytest.fixture
def rest(db: None) -> Rest:
    """A token of an operator."""
    return Rest()


@pytest.fixture
def desk(lab_home: Path) -> Located:
    """A proposed refund desk of two tasks: `local--refund-desk`."""
    return make_desk(lab_home / "benchmarks")


def signed_in(group: str, *, csrf: bool = False) -> Client:
    """A browser in which somebody of a group is signed in."""
    user = User.objects.create(username=group)
    user.groups.add(Group.objects.get(name=group))
    client = Client(enforce_csrf_checks=csrf)
    client.force_login(user)
    return client


@pytest.fixture
def browser_of(db: None) -> Callable[..., Client]:
    """A browser of somebody of the group that is named."""
    return signed_in


@pytest.fixture
def browser(db: None) -> Client:
    """An operator's browser."""
    return signed_in("operator")
