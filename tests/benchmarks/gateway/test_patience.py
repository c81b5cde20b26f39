import asyncio

import pytest

from benchmarks.gateway.patience import Patience, Retry, wait_limit


class Clock:
    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


@pytest.mark.parametrize(("timeout_s", "limit"), [(600.0, 3600.0), (1000.0, 6000.0)])
def test_waits_are_limited_to_an_hour_or_six_rollout_times(timeout_s: float, limit: float) -> None:
    assert wait_limit(timeout_s) == limit


def test_time_starts_with_the_first_admission() -> None:
    clock = Clock()
    patience = Patience(600, now=clock)
    clock.at += 50
    assert patience.used_s == 0
    patience.admitted()
    clock.at += 20
    patience.admitted()
    clock.at += 5
    assert patience.used_s == 25
    assert patience.left_s == 575


def test_waiting_for_limits_is_not_rollout_time() -> None:
    clock = Clock()
    patience = Patience(600, now=clock)
    patience.admitted()
    clock.at += 10
    with patience.waiting():
        clock.at += 1000
        assert not patience.is_running
    clock.at += 5
    assert patience.used_s == 15
    assert patience.waited_s == 1000
    assert patience.wait_left_s == 2600


def test_time_left_is_never_below_zero() -> None:
    clock = Clock()
    patience = Patience(10, now=clock)
    patience.admitted()
    clock.at += 99
    assert patience.left_s == 0


@pytest.mark.parametrize(("backed_off", "mostly"), [(5.0, True), (4.9, False)])
def test_half_of_the_time_in_back_off_is_mostly(backed_off: float, mostly: bool) -> None:
    clock = Clock()
    patience = Patience(600, now=clock)
    patience.admitted()
    patience.note(Retry("server", backed_off, limited=False, unreported=False))
    clock.at += 10
    assert patience.mostly_backing_off is mostly


def test_limits_and_failures_are_counted_apart() -> None:
    heard: list[Retry] = []
    patience = Patience(600, on_retry=heard.append)
    patience.note(Retry("rate_limited", 3.0, limited=True, unreported=False))
    patience.note(Retry("broken_off", 1.0, limited=False, unreported=True))
    assert (patience.limited, patience.retries, patience.unreported) == (1, 1, 1)
    assert patience.backed_off_s == 1.0
    assert [retry.kind for retry in heard] == ["rate_limited", "broken_off"]


def test_a_wait_moves_the_deadline_that_cancels_the_rollout() -> None:
    async def rollout() -> str:
        patience = Patience(0.05)
        deadline = asyncio.timeout(None)
        try:
            async with deadline:
                patience.bind(deadline)
                patience.admitted()
                with patience.waiting():
                    await asyncio.sleep(0.2)
                await asyncio.sleep(0.01)
                return "finished"
        except TimeoutError:
            return "timed out"

    assert asyncio.run(rollout()) == "finished"


def test_the_deadline_cancels_a_rollout_that_takes_too_long() -> None:
    async def rollout() -> bool:
        patience = Patience(0.02)
        deadline = asyncio.timeout(None)
        try:
            async with deadline:
                patience.bind(deadline)
                patience.admitted()
                await asyncio.sleep(10)
        except TimeoutError:
            pass
        return deadline.expired()

    assert asyncio.run(rollout())
