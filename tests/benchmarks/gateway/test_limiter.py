import asyncio

import pytest

from benchmarks.gateway.failures import AUTH, QUOTA, SERVER, CallFailed
from benchmarks.gateway.limiter import Lane, lane_key
from benchmarks.gateway.patience import Patience


def failure(kind: object) -> CallFailed:
    return CallFailed("HTTP 4xx", kind=kind)  # type: ignore[arg-type]


def test_a_lane_is_known_by_origin_and_credential() -> None:
    key = lane_key("https://gateway.example:8443/v1", "secret")
    assert key == "https://gateway.example:8443#2bb80d537b1d"
    assert key == lane_key("https://gateway.example:8443/other", "secret")
    assert key != lane_key("https://gateway.example:8443/v1", "other")
    assert "secret" not in key


def test_no_more_calls_than_the_window_are_in_flight() -> None:
    async def measure() -> int:
        lane, running, most = Lane("k", 3), 0, 0

        async def call() -> None:
            nonlocal running, most
            async with lane.admission(Patience()):
                running += 1
                most = max(most, running)
                await asyncio.sleep(0.001)
                running -= 1

        await asyncio.gather(*(call() for _ in range(12)))
        return most

    assert asyncio.run(measure()) == 3


def test_a_pause_holds_every_caller_and_is_not_rollout_time() -> None:
    async def measure() -> tuple[float, float]:
        lane, patience = Lane("k", 3), Patience()
        lane.pause(0.05)
        began = asyncio.get_running_loop().time()
        async with lane.admission(patience):
            held = asyncio.get_running_loop().time() - began
        return held, patience.used_s

    held, used = asyncio.run(measure())
    assert held >= 0.05
    assert used < 0.02


def test_a_rollout_that_has_waited_too_long_is_rate_limited() -> None:
    async def measure() -> CallFailed:
        lane, patience = Lane("k", 1), Patience()
        patience.waited_s = 3599.99
        lane.pause(60)
        with pytest.raises(CallFailed) as caught:
            async with lane.admission(patience):
                pass
        return caught.value

    found = asyncio.run(measure())
    assert found.kind.code == "rate_limited"
    assert found.message.startswith("RateLimited: waited 3600 s")


def test_a_lane_out_of_money_takes_no_more_calls() -> None:
    async def measure() -> CallFailed:
        lane = Lane("k", 1)
        lane.failed(failure(QUOTA))
        assert lane.out_of_quota
        with pytest.raises(CallFailed) as caught:
            async with lane.admission(Patience()):
                pass
        return caught.value

    assert asyncio.run(measure()).kind is QUOTA


def test_a_lane_closes_after_three_refusals_in_a_row() -> None:
    lane = Lane("k", 1)
    lane.failed(failure(AUTH))
    lane.failed(failure(AUTH))
    lane.succeeded()
    lane.failed(failure(AUTH))
    lane.failed(failure(SERVER))
    lane.failed(failure(AUTH))
    assert not lane.refused
    lane.failed(failure(AUTH))
    assert lane.refused
