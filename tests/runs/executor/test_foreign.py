from datetime import timedelta
from typing import Any

import pytest

from runs.executor.foreign import Here, is_respected, started_at
from tests.factories import NOW, make_request

CLAIMED = "2026-11-02T11:00:00.000Z"
BEFORE = NOW.timestamp() - 7200
AFTER = NOW.timestamp() - 60


def respected(
    block: dict[str, Any] | None, born: float | None = None, silent_s: float | None = None
) -> bool:
    heard = NOW - timedelta(seconds=silent_s) if silent_s is not None else None
    here = Here("lab-1", NOW, heard, timeout_s=600)
    return is_respected(make_request(claimed_by=block), here, lambda pid: born)


def block(**changes: Any) -> dict[str, Any]:
    return {"pid": 4711, "host": "lab-1", "claimed_at": CLAIMED, **changes}


def test_nobody_s_request_is_free() -> None:
    assert not respected(None)


def test_a_claim_of_ours_is_judged_by_its_lock_alone() -> None:
    assert not respected(block(fence=3), born=BEFORE)


@pytest.mark.parametrize(("born", "left_alone"), [(BEFORE, True), (AFTER, False), (None, False)])
def test_on_this_host_the_process_decides(born: float | None, left_alone: bool) -> None:
    assert respected(block(), born=born) is left_alone


@pytest.mark.parametrize(("silent_s", "left_alone"), [(1199, True), (1201, False), (None, False)])
def test_on_another_host_two_rollout_times_of_silence_decide(
    silent_s: float | None, left_alone: bool
) -> None:
    assert respected(block(host="lab-2"), silent_s=silent_s) is left_alone


def test_a_claim_that_says_nothing_of_itself_is_free() -> None:
    assert not respected({"host": "lab-2"})


def test_a_process_of_this_host_has_a_birth() -> None:
    assert started_at(1) is not None
    assert started_at(2**22 + 1) is None
    assert started_at(-1) is None
