"""The rate limit counts over processes, and a read costs a write once in fifty times."""

from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.errors import RateLimited
from understudy_site.identity.limits import READ, WRITE, forget_held, spend
from understudy_site.identity.models import Allowance

pytestmark = pytest.mark.django_db
NOON = 1_793_000_040.0  # a minute's start


@pytest.fixture(autouse=True)
def nothing_held() -> Iterator[None]:
    forget_held()
    yield
    forget_held()


def test_120_writes_pass_and_the_121st_is_told_how_long_to_wait() -> None:
    for _ in range(120):
        spend("token:ci", WRITE, now=NOON + 20)
    with pytest.raises(RateLimited) as caught:
        spend("token:ci", WRITE, now=NOON + 20)
    assert caught.value.details == {"limit": 120, "kind": "write", "retry_after_s": 40}


def test_1200_reads_pass_and_one_more_is_refused() -> None:
    for _ in range(1200):
        spend("token:ci", READ, now=NOON)
    with pytest.raises(RateLimited):
        spend("token:ci", READ, now=NOON)


def test_the_next_minute_starts_from_nothing() -> None:
    for _ in range(120):
        spend("token:ci", WRITE, now=NOON)
    spend("token:ci", WRITE, now=NOON + 60)
    assert Allowance.objects.get().granted == 1


def test_identities_and_kinds_do_not_share() -> None:
    for _ in range(120):
        spend("token:ci", WRITE, now=NOON)
    spend("token:other", WRITE, now=NOON)
    spend("token:ci", READ, now=NOON)


def test_another_process_takes_from_the_same_minute() -> None:
    for _ in range(120):
        forget_held()  # what one process holds, the next does not
        spend("token:ci", WRITE, now=NOON)
    forget_held()
    with pytest.raises(RateLimited):
        spend("token:ci", WRITE, now=NOON)


def test_fifty_reads_cost_one_transaction(django_assert_num_queries: Any) -> None:
    spend("token:ci", READ, now=NOON)
    with django_assert_num_queries(0):
        for _ in range(49):
            spend("token:ci", READ, now=NOON)
    assert Allowance.objects.get().granted == 50
    spend("token:ci", READ, now=NOON)
    assert Allowance.objects.get().granted == 100
