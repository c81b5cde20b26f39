from pathlib import Path

import pytest

from benchmarks.errors import Finished, InvalidArguments, UnknownRun
from benchmarks.records.base import JsonObject
from runs.executor.shutdown import Shutdown
from runs.services.cancelling import cancel_run
from tests.executing import ask_to_end, execute
from tests.factories import NOW, SHELL, Desk, make_desk, queue
from tests.stub_model import StubModel


def cancel(desk: Desk, run_id: str = "run-1", reason: str | None = None) -> JsonObject:
    return cancel_run(located=desk.located, run_id=run_id, reason=reason, caller=SHELL, now=NOW)


def test_a_queued_run_ends_at_once_with_its_event(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 2)
    queue(desk, models=["m"])
    document = cancel(desk, reason="a typo")
    run = document["run"]
    assert (document["ok"], document["replayed"]) == (True, False)
    assert (run["status"], run["finished_at"]) == ("cancelled", "2026-11-02T12:00:00.000Z")
    assert run["cancel"] == {
        "actor": "os:mira",
        "door": "shell",
        "at": "2026-11-02T12:00:00.000Z",
        "reason": "a typo",
    }
    assert [event.type for event in desk.events()] == ["run_cancelled"]
    assert execute(desk) == []


def test_cancelling_twice_writes_once(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    queue(desk, models=["m"])
    first, second = cancel(desk), cancel(desk)
    assert second["replayed"] is True
    assert second["run"] == first["run"]
    assert len(desk.events()) == 1


def test_an_interrupted_run_is_summed_up_from_disk(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 10)
    queue(desk, models=["stub-model"], concurrency=1)
    shutdown = Shutdown()
    with StubModel() as stub:
        after = ask_to_end(shutdown, lambda event: event.type == "rollout")
        execute(desk, stub.url, shutdown=shutdown, listener=after)
    rows = len(desk.rows())
    run = cancel(desk)["run"]
    assert 0 < rows < 10
    assert run["status"] == "cancelled"
    assert run["progress"]["completed"] == rows
    assert run["missing"] == {"cancelled": 10 - rows}
    assert run["spend"]["recorded_usd"] == pytest.approx(rows * 2 * 0.144)


@pytest.mark.parametrize("status", ["done", "stopped", "failed"])
def test_what_has_ended_stays_as_it_ended(tmp_path: Path, status: str) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    queue(desk, models=["m"], status=status)
    with pytest.raises(Finished):
        cancel(desk)
    assert desk.request("run-1").status == status


def test_an_unknown_run_is_named(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    with pytest.raises(UnknownRun):
        cancel(desk, "run-9")


def test_a_reason_is_short(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    queue(desk, models=["m"])
    with pytest.raises(InvalidArguments):
        cancel(desk, reason="x" * 501)
    assert desk.request("run-1").status == "queued"
