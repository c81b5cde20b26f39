"""A regrade that is asked for twice with one idempotency key is made once."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.errors import IdempotencyConflict, NotMeasured, OutsideRoot
from benchmarks.records.caller import Caller
from runs.services.regrading import Order, regrade_run
from tests.factories import SHELL, Desk
from tests.regrading import FIRST, HELD, NEW, NOBODY, REGRADED, SECOND, files, make_measured, want

KEYED = replace(SHELL, idempotency_key="once")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return make_measured(tmp_path / "desk")


def again(desk: Desk, caller: Caller = KEYED, **order: Any) -> dict[str, Any]:
    return regrade_run(
        located=desk.located, order=Order(**order), caller=caller, clock=lambda: REGRADED
    )


def test_the_second_call_gets_the_first_answer_and_writes_nothing(desk: Desk) -> None:
    want(desk, FIRST, NOBODY)
    want(desk, HELD, NOBODY)
    first = again(desk)
    stood = files(desk)
    second = again(desk)
    assert (first["replayed"], second["replayed"]) == (False, True)
    assert second == {**first, "replayed": True}
    assert len(second["deltas"]) == first["summaries"][0]["regraded"] > 0
    assert files(desk) == stood


def test_another_regrade_with_the_key_is_refused(desk: Desk) -> None:
    want(desk, FIRST, NOBODY)
    again(desk, task_ids=[FIRST])
    with pytest.raises(IdempotencyConflict, match="'once' was used with other arguments"):
        again(desk, task_ids=[SECOND])
    assert again(desk, task_ids=[FIRST, FIRST])["replayed"] is True


def test_a_key_is_its_actors_own_and_a_dry_run_uses_none(desk: Desk) -> None:
    want(desk, FIRST, NOBODY)
    assert again(desk, dry_run=True)["dry_run"] is True
    again(desk)
    with pytest.raises(NotMeasured):
        again(desk, replace(KEYED, actor="os:joan"))
    with pytest.raises(NotMeasured):
        again(desk, dry_run=True)


def test_a_regrade_that_stopped_has_no_answer_and_is_gone_on_with(
    desk: Desk, tmp_path: Path
) -> None:
    want(desk, FIRST, NOBODY)
    wall = desk.path / layout.rows(NEW, "replay").path
    wall.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutsideRoot):
        again(desk)
    wall.unlink()
    ended = again(desk)
    assert (ended["replayed"], ended["finished"]) == (False, [NEW])
    assert again(desk) == {**ended, "replayed": True}


def test_what_only_ended_a_regrade_is_replayed_too(desk: Desk) -> None:
    want(desk, FIRST, NOBODY)
    again(desk, SHELL)
    events = desk.path / "runs" / "events.jsonl"
    events.write_bytes(b"".join(events.read_bytes().splitlines(keepends=True)[:-1]))
    first = again(desk)
    assert (first["summaries"], first["finished"]) == ([], [NEW])
    assert again(desk) == {**first, "replayed": True}
