import json
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.errors import (
    InvalidArguments,
    JournalAmbiguous,
    UnknownArm,
    UnknownRun,
    UnknownTask,
)
from runs.services.following import MOST_LINES, follow_run
from tests.reviews.desks import add_rows
from tests.reviews.factories import make_row
from tests.runs.services.requests import make_request, queue

START: dict[str, Any] = {"kind": "rollout_start", "attempt": 1, "fence": 1}
REFUND: dict[str, Any] = {
    "kind": "call",
    "tool": "issue_refund",
    "call_id": "c1",
    "status": "ok",
    "arguments": '{"order_id":"A-1007"}',
}
FINAL: dict[str, Any] = {"kind": "final_response", "content": "Done."}


def lines(*told: dict[str, Any], first: int = 1, **cell: Any) -> list[str]:
    where = {"task_id": "t1", "rollout": 0, **cell}
    return [
        json.dumps({"at": float(seq), "seq": seq, **where, **line}) + "\n"
        for seq, line in enumerate(told, first)
    ]


def write(located: Located, texts: list[str], arm: str = "m1") -> None:
    path = located.directory.path / layout.live("run-1", arm).path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(texts), encoding="utf-8")


def running(located: Located, **changes: Any) -> None:
    queue(located, make_request(status="running", **changes))


def follow(located: Located, **asked: Any) -> Any:
    return follow_run(located=located, run_id="run-1", **asked)


def test_new_lines_come_from_where_the_last_call_ended(proposal: Located) -> None:
    running(proposal)
    whole = lines(START, REFUND, {**REFUND, "kind": "result", "content": "ok"}, FINAL)
    write(proposal, [*whole[:3], whole[3][:15]])
    first = follow(proposal)
    assert [line["kind"] for line in first["lines"]] == ["rollout_start", "call", "result"]
    assert (first["since"], first["next"]) == (0, 3)
    write(proposal, whole)
    then = follow(proposal, since=3)
    assert [line["kind"] for line in then["lines"]] == ["final_response"]
    assert (then["since"], then["next"]) == (3, 4)


def test_the_contract_is_accumulated_over_the_whole_rollout_whatever_since_is(
    proposal: Located,
) -> None:
    running(proposal)
    write(proposal, lines(START, REFUND))
    halfway = follow(proposal, since=2)
    assert halfway["lines"] == []
    assert [step["satisfies"] for step in halfway["accumulation"]["steps"]] == [[0]]
    assert halfway["accumulation"]["required"][0]["label"] == "issue_refund order_id=A-1007"
    write(proposal, lines(START, REFUND, FINAL))
    steps = follow(proposal, since=3)["accumulation"]["steps"]
    assert [step["event"] for step in steps] == ["call", "final_response"]


def test_lines_of_other_tasks_and_rollouts_are_left_out_when_one_is_asked_for(
    proposal: Located,
) -> None:
    running(proposal, rollouts_per_task=2)
    texts = [
        *lines(START),
        *lines(START, task_id="t2", first=2),
        *lines({**REFUND, "call_id": "x"}, rollout=1, first=3),
        *lines(REFUND, first=4),
    ]
    write(proposal, texts)
    every = follow(proposal)
    assert [line["seq"] for line in every["lines"]] == [1, 2, 3, 4]
    one = follow(proposal, task_id="t1", rollout=0)
    assert ([line["seq"] for line in one["lines"]], one["next"]) == ([1, 4], 4)
    assert (one["task_id"], one["rollout"], len(one["accumulation"]["steps"])) == ("t1", 0, 1)
    assert [line["seq"] for line in follow(proposal, task_id="t2")["lines"]] == [2]


def test_without_a_task_the_accumulation_is_about_what_is_live_or_was_last_begun(
    proposal: Located,
) -> None:
    running(proposal, live={"model": "m1", "task_id": "t2", "journal": "x", "in_flight": 1})
    write(proposal, [*lines(START), *lines(START, task_id="t2", first=2)])
    assert follow(proposal)["task_id"] == "t2"


def test_without_a_live_block_the_task_is_the_one_begun_last(proposal: Located) -> None:
    running(proposal)
    write(proposal, [*lines(START, task_id="t2"), *lines(START, first=2)])
    assert follow(proposal)["task_id"] == "t1"


def test_a_newer_attempt_replaces_what_a_lost_one_did(proposal: Located) -> None:
    running(proposal)
    write(proposal, lines(START, REFUND, {**START, "attempt": 2}, FINAL))
    steps = follow(proposal)["accumulation"]["steps"]
    assert [step["event"] for step in steps] == ["final_response"]


def test_the_arm_is_the_one_named_or_the_one_that_wrote_last(proposal: Located) -> None:
    running(proposal, models=["m1", "m2"], arm_names={"m1": "m1", "m2": "m2"})
    write(proposal, lines(START), arm="m2")
    assert (follow(proposal)["arm"], follow(proposal)["next"]) == ("m2", 1)
    named = follow(proposal, arm="m1")
    assert (named["arm"], named["journal_file"], named["next"]) == ("m1", None, 0)
    with pytest.raises(UnknownArm) as caught:
        follow(proposal, arm="m9")
    assert caught.value.details == {"arms": ["m1", "m2"]}


def test_progress_counts_the_rows_of_a_run_under_way(proposal: Located) -> None:
    running(proposal)
    add_rows(proposal, make_row(run_id="run-1", model="m1", task_id="t1"))
    found = follow(proposal)
    assert found["progress"] == {"completed": 1, "total": 2}
    assert (found["status"], found["live"], found["accumulation"]) == ("running", None, None)


def test_a_queued_run_has_no_lines_yet(proposal: Located) -> None:
    queue(proposal, make_request())
    found = follow(proposal)
    assert (found["lines"], found["next"], found["arm"]) == ([], 0, "m1")


def test_old_lines_are_usable_only_where_the_arm_had_one_cell(proposal: Located) -> None:
    old = [json.dumps({"at": 1.0, "kind": "call", "tool": "issue_refund"}) + "\n"]
    running(proposal, tasks=["t1"])
    write(proposal, old)
    found = follow(proposal, task_id="t1")
    assert (len(found["lines"]), len(found["accumulation"]["steps"])) == (1, 1)


def test_old_lines_of_several_tasks_are_shown_whole_and_never_judged(proposal: Located) -> None:
    old = [json.dumps({"at": 1.0, "kind": "call", "tool": "issue_refund"}) + "\n"]
    running(proposal)
    write(proposal, old)
    assert (len(follow(proposal)["lines"]), follow(proposal)["accumulation"]) == (1, None)
    with pytest.raises(JournalAmbiguous):
        follow(proposal, task_id="t1")


def test_at_most_five_thousand_lines_come_at_once(proposal: Located) -> None:
    running(proposal)
    usage = {"kind": "usage", "calls": 1}
    write(proposal, lines(START, *[usage] * (MOST_LINES + 10)))
    first = follow(proposal)
    assert (len(first["lines"]), first["next"]) == (5000, 5000)
    assert (len(follow(proposal, since=5000)["lines"])) == 11


def test_what_is_not_there_is_named(proposal: Located) -> None:
    with pytest.raises(UnknownRun):
        follow(proposal)
    running(proposal)
    with pytest.raises(UnknownTask):
        follow(proposal, task_id="t9")
    with pytest.raises(InvalidArguments):
        follow(proposal, since=-1)
