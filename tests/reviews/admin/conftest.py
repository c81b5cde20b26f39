"""A refund desk under the home's root, and people who are signed in."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from tests.browser import browser, chromium, visit
from tests.reviews.desks import make_desk
from tests.reviews.factories import make_task

__all__ = ["browser", "chromium", "desk", "mira", "root", "sign_in", "visit"]

SLUG = "local--refund-desk"
SignIn = Callable[..., Client]


@pytest.fixture
def root(lab_home: Path) -> Path:
    folder = lab_home / "benchmarks"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def desk(root: Path) -> Located:
    """Four tasks: the third is doubted, the others are clean."""
    tasks = [make_task(f"t{number}") for number in (1, 2, 4)]
    doubted = make_task("t3", machine_confidence="low")
    return make_desk(root, *tasks[:2], doubted, tasks[2])


@pytest.fixture
def sign_in(db: None) -> SignIn:
    """`sign_in("ada", "reviewer")` is a browser of somebody of these groups."""

    def arrive(name: str = "mira", *groups: str) -> Client:
        user, _ = User.objects.get_or_create(username=name, is_staff=True)
        for group in groups or ("reviewer",):
            user.groups.add(Group.objects.get_or_create(name=group)[0])
        client = Client()
        client.force_login(user)
        return client

    return arrive


@pytest.fixture
def mira(sign_in: SignIn) -> Client:
    return sign_in("mira")


def moved(located: Located, path: Path) -> Located:
    """The same benchmark in another folder."""
    located.directory.path.rename(path)
    return Located(BenchmarkDir(path), f"local--{path.name}", read_only=False)
