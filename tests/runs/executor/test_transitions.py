from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts.claim import ClaimOwner
from benchmarks.errors import Finished
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import RunStatus
from runs.executor import transitions
from runs.executor.assignment import Ended
from runs.executor.budget import Budget
from runs.executor.tally import Tally
from tests.factories import AT, NOW, make_desk, make_request, queue

WORD = {"actor": "os:mira", "door": "shell", "at": AT}


def ended(status: RunStatus | None, **fields: Any) -> Ended:
    tally = Tally({"m": 2})
    tally.add("m", "ok", None)
    return Ended(status, tally, Budget(), {"m": "m"}, **fields)


def test_a_queued_request_begins_and_a_running_one_is_resumed(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    queue(desk)
    with desk.directory.claim(_owner()) as claim:
        first = transitions.begin(desk.directory, claim, "run-1", owed=2, at=AT)
        assert (first.status, first.started_at, first.resumed) == ("running", AT, None)
        assert first.claimed_by == claim.block()
    with desk.directory.claim(_owner()) as claim:
        later = "2026-11-02T10:00:00.000Z"
        second = transitions.begin(desk.directory, claim, "run-1", owed=1, at=later)
        assert second.started_at == AT
        assert second.resumed == [{"at": later, "owed": 1, "fence": 2}]


def test_an_ended_request_does_not_begin_again(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    queue(desk, status="cancelled")
    with desk.directory.claim(_owner()) as claim:
        found = transitions.begin(desk.directory, claim, "run-1", owed=2, at=AT)
    assert found.status == "cancelled"
    assert found.claimed_by is None


def test_the_end_says_how_far_it_came() -> None:
    request = make_request(status="running")
    done = transitions.finished(request, ended(RunStatus.STOPPED, stop={"reason": "spend"}), AT)
    assert (done.status, done.finished_at, done.stop) == ("stopped", AT, {"reason": "spend"})
    assert done.progress == {
        "completed": 1,
        "total": 2,
        "arms": {"m": {"completed": 1, "total": 2}},
    }
    assert done.spend is not None


def test_a_cancel_is_never_overwritten_by_the_end() -> None:
    request = make_request(status="cancelled", cancel=WORD)
    found = transitions.finished(request, ended(RunStatus.DONE), AT)
    assert (found.status, found.finished_at) == ("cancelled", AT)
    assert found.missing == {"cancelled": 1}


def test_an_end_is_final() -> None:
    request = make_request(status="failed", finished_at=AT)
    assert transitions.finished(request, ended(RunStatus.DONE), "later").status == "failed"
    assert transitions.failed(request, ended(RunStatus.FAILED), "later") == request


def test_a_released_run_stays_running() -> None:
    found = transitions.finished(make_request(status="running"), ended(None), AT)
    assert (found.status, found.finished_at) == ("running", None)
    assert found.progress["completed"] == 1


@pytest.mark.parametrize(
    ("status", "held", "finished_at"),
    [("queued", False, AT), ("queued", True, AT), ("running", False, AT), ("running", True, None)],
)
def test_a_cancel_ends_what_nobody_is_at_work_on(
    status: str, held: bool, finished_at: str | None
) -> None:
    found = transitions.cancelled(make_request(status=status), WORD, at=AT, is_held=held)
    assert (found.status, found.finished_at, found.cancel) == ("cancelled", finished_at, WORD)


@pytest.mark.parametrize("status", ["done", "stopped", "failed"])
def test_what_has_ended_is_not_cancelled(status: str) -> None:
    with pytest.raises(Finished):
        transitions.cancelled(make_request(status=status), WORD, at=AT, is_held=False)


def test_unsupported_is_said_once_for_a_version_and_a_list() -> None:
    first = transitions.unsupported(make_request(), "1", ["live_tools"], AT)
    assert first is not None
    assert first.unsupported == {"executor_version": "1", "missing": ["live_tools"], "at": AT}
    assert transitions.unsupported(first, "1", ["live_tools"], "later") is None
    assert transitions.unsupported(first, "2", ["live_tools"], "later") is not None


def test_a_status_that_no_table_knows_is_left_alone() -> None:
    strange = make_request(status="paused")
    assert not transitions.is_unfinished(strange)
    assert transitions.failed(strange, ended(RunStatus.FAILED), AT) == strange


def test_a_cancel_that_nobody_finished_is_unfinished() -> None:
    def unfinished(**fields: Any) -> bool:
        request: RunRequest = make_request(**fields)
        return transitions.is_unfinished(request)

    assert unfinished(status="cancelled")
    assert not unfinished(status="cancelled", finished_at=AT)
    assert unfinished(status="queued")
    assert not unfinished(status="done")


def _owner() -> ClaimOwner:
    return ClaimOwner("1", NOW)
