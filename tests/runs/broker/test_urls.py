"""One address for redis-py, for Celery and for people."""

import pytest

from runs.broker.urls import for_celery, for_people, for_redis


@pytest.mark.parametrize(
    ("said", "redis", "celery"),
    [
        ("redis://lab-1:6379/2", "redis://lab-1:6379/2", "redis://lab-1:6379/2"),
        ("rediss://u:p@lab-1/0", "rediss://u:p@lab-1/0", "rediss://u:p@lab-1/0"),
        (
            "unix:///run/r.sock?db=3",
            "unix:///run/r.sock?db=3",
            "redis+socket:///run/r.sock?virtual_host=3",
        ),
        (
            "redis+socket:///run/r.sock?virtual_host=4",
            "unix:///run/r.sock?db=4",
            "redis+socket:///run/r.sock?virtual_host=4",
        ),
        (
            "unix:///run/r.sock",
            "unix:///run/r.sock?db=0",
            "redis+socket:///run/r.sock?virtual_host=0",
        ),
    ],
)
def test_a_socket_is_named_as_each_reader_wants_it(said: str, redis: str, celery: str) -> None:
    assert (for_redis(said), for_celery(said)) == (redis, celery)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("redis://lab-1:6379/2", "redis://lab-1:6379/2"),
        ("redis://:geheim@lab-1:6379/2", "redis://:***@lab-1:6379/2"),
        ("rediss://mira:geheim@lab-1", "rediss://mira:***@lab-1"),
        ("postgres://lab:ge@heim@db/lab", "postgres://lab:***@db/lab"),
    ],
)
def test_people_never_see_a_password(said: str, shown: str) -> None:
    assert for_people(said) == shown
