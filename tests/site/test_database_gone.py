"""The database that goes away under a running hub: told in words, never with a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from django.db import OperationalError, connection
from django.test import Client

from benchmarks.doors import lost_database as module
from tests.browser import member
from tests.rest import Rest

pytestmark = pytest.mark.django_db
SECRET = "connection to server at 10.0.0.9 failed"


@contextmanager
def gone() -> Iterator[None]:
    """Every query fails as it does once the server was stopped."""

    def fail(*asked: object, **named: object) -> None:
        raise OperationalError(SECRET)

    with connection.execute_wrapper(fail):
        yield


def test_the_api_says_busy_and_when_to_come_again() -> None:
    rest = Rest()
    with gone():
        answered = rest.get("/api/benchmarks")
    assert (answered.status, answered.code) == (503, "busy")
    assert answered.headers["Retry-After"] == "2"
    assert SECRET not in answered.body.decode()


def test_a_page_of_the_admin_says_it_in_two_lines() -> None:
    client = Client()
    client.force_login(member("operator"))
    with gone():
        answered = client.get("/admin/")
    assert answered.status_code == 503
    assert answered["Content-Type"] == "text/plain; charset=utf-8"
    assert len(answered.content.decode().splitlines()) == 2
    assert SECRET not in answered.content.decode()


@pytest.mark.parametrize(
    ("vendor", "words"),
    [
        ("sqlite", "the database of this hub cannot be read: its file is damaged or gone"),
        ("postgresql", "the database that DATABASE_URL names does not answer"),
    ],
)
def test_the_words_are_those_of_the_database_in_use(vendor: str, words: str) -> None:
    with patch.object(module, "connection", SimpleNamespace(vendor=vendor)):
        lost = module.lost_database(OperationalError(SECRET))
    assert lost is not None
    assert lost.message == words
