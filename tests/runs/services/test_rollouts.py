from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.errors import (
    Ambiguous,
    JournalAmbiguous,
    MissingBlob,
    NotMeasured,
    UnknownArm,
    UnknownRollout,
    UnknownRun,
    UnknownTask,
)
from benchmarks.records.trajectory import Trajectory
from runs.services.rollouts import diff_rollouts, read_rollout
from tests.reviews.desks import add_rows
from tests.reviews.factories import BENCHMARK_ID, make_row
from tests.runs.rollouts.kept import call, calling, line, text, trajectory
from tests.runs.services.requests import make_request, queue


def refund(order: str = "A-1007", **changes: Any) -> Trajectory:
    return trajectory(
        turns=[
            text(0, "user", "Refund A-1007."),
            calling(1, "issue_refund"),
            text(2, "assistant", "Done."),
        ],
        calls=[call(0, "issue_refund", {"order_id": order}, call_id="c10", turn=1, write=True)],
        final_response="Done.",
        **{"run_id": "run-1", "benchmark_id": BENCHMARK_ID, **changes},
    )


def keep(located: Located, *kept: Trajectory, **row: Any) -> None:
    """Whole rollouts with their rows."""
    for each in kept:
        file = layout.trajectories(each.run_id, each.model)
        located.directory.append(file, each)
        reference = {"path": file.path, "sha256": "x", "attempt": each.attempt}
        line = make_row(
            each.task_id,
            1,
            run_id=each.run_id,
            model=each.model,
            rollout=each.rollout,
            trajectory_ref=reference,
            **row,
        )
        add_rows(located, line)


def test_a_rollout_is_read_with_what_each_step_met(proposal: Located) -> None:
    keep(proposal, refund())
    found = read_rollout(located=proposal, run_id="run-1", task_id="t1")
    assert (found["model"], found["rollout"], found["complete"]) == ("m1", 0, True)
    assert [event["kind"] for event in found["events"]] == [
        "user",
        "call",
        "result",
        "assistant",
        "final_response",
    ]
    assert found["events"][1]["satisfies"] == ["issue_refund order_id=A-1007"]
    assert found["obligations"] == [
        {
            "id": "o1",
            "label": "issue_refund order_id=A-1007",
            "kind": "state_effect",
            "met": True,
            "met_at": 0,
            "reason": None,
        }
    ]
    assert found["verdict"]["strict"] == 1
    assert found["final_response"] == "Done."
    assert found["rows"][0]["score"] == 1
    assert found["trajectory_ref"]["attempt"] == 1
    assert "messages" not in found


def test_messages_are_given_when_asked_for(proposal: Located) -> None:
    keep(proposal, refund(system="Be kind."))
    found = read_rollout(located=proposal, run_id="run-1", task_id="t1", include=["messages"])
    assert found["messages"]["system"] == "Be kind."
    assert len(found["messages"]["turns"]) == 3


def test_the_attempt_that_the_row_names_is_read(proposal: Located) -> None:
    lost = refund("A-9", attempt=2)
    proposal.directory.append(layout.trajectories("run-1", "m1"), lost)
    keep(proposal, refund(attempt=1))
    found = read_rollout(located=proposal, run_id="run-1", task_id="t1")
    assert found["events"][1]["arguments"] == {"order_id": "A-1007"}


def test_of_several_arms_one_must_be_named(proposal: Located) -> None:
    keep(proposal, refund(), refund(model="m2"))
    with pytest.raises(Ambiguous) as raised:
        read_rollout(located=proposal, run_id="run-1", task_id="t1")
    assert raised.value.details == {"candidates": ["m1", "m2"]}
    found = read_rollout(located=proposal, run_id="run-1", task_id="t1", model="m2")
    assert found["model"] == "m2"


def test_each_unknown_name_has_its_own_error(proposal: Located) -> None:
    keep(proposal, refund())
    where: dict[str, Any] = {"located": proposal, "run_id": "run-1", "task_id": "t1"}
    with pytest.raises(UnknownRun):
        read_rollout(**{**where, "run_id": "run"})
    with pytest.raises(UnknownTask):
        read_rollout(**{**where, "task_id": "t9"})
    with pytest.raises(UnknownArm) as arm:
        read_rollout(**where, model="m9")
    assert arm.value.details == {"arms": ["m1"]}
    with pytest.raises(UnknownRollout) as rollout:
        read_rollout(**where, rollout=3)
    assert rollout.value.hint == "it has: 0"


@pytest.mark.parametrize(("status", "is_awaited"), [("done", False), ("running", True)])
def test_a_rollout_without_a_row_is_awaited_only_while_its_run_goes_on(
    proposal: Located, status: str, *, is_awaited: bool
) -> None:
    queue(proposal, make_request(status=status, rollouts_per_task=3))
    keep(proposal, refund())
    told = line(1, "rollout_start", task_id="t1", rollout=0, attempt=1)
    proposal.directory.append(layout.live("run-1", "m1"), told)
    where: dict[str, Any] = {"located": proposal, "run_id": "run-1", "task_id": "t1"}
    if is_awaited:
        assert read_rollout(**where, rollout=2)["complete"] is False
    else:
        with pytest.raises(UnknownRollout) as ended:
            read_rollout(**where, rollout=2)
        assert ended.value.hint == "it has: 0"
    with pytest.raises(UnknownRollout) as never:
        read_rollout(**where, rollout=3)
    assert never.value.details == {"rollouts": [0]}


def test_a_blob_is_read_whole_and_in_pieces(proposal: Located) -> None:
    long = "é" * 40_000
    digest = proposal.directory.write_blob(long.encode())
    reference = {"$blob": digest, "bytes": 80_000, "head": long[:400]}
    kept = refund()
    calls = [kept.calls[0].with_(content=reference)]
    keep(proposal, kept.with_(calls=calls))
    where: dict[str, Any] = {"located": proposal, "run_id": "run-1", "task_id": "t1"}
    assert read_rollout(**where)["events"][2]["content"] == long
    pieces, offset = [], 0
    while offset is not None:
        found = read_rollout(**where, field="/events/2/content", offset=offset)["piece"]
        pieces.append(found["text"])
        offset = found["next_offset"]
    assert "".join(pieces) == long
    assert (len(pieces), found["total_chars"]) == (3, 40_000)


def test_a_missing_blob_is_an_error_and_no_empty_text(proposal: Located) -> None:
    kept = refund()
    gone = {"$blob": "0" * 64, "bytes": 1, "head": ""}
    keep(proposal, kept.with_(calls=[kept.calls[0].with_(content=gone)]))
    with pytest.raises(MissingBlob):
        read_rollout(located=proposal, run_id="run-1", task_id="t1")


def test_a_running_rollout_is_read_from_its_journal_alone(proposal: Located) -> None:
    queue(proposal, make_request(status="running"))
    journal = layout.live("run-1", "m1")
    proposal.directory.append(
        journal,
        line(1, "rollout_start", task_id="t1", rollout=0, attempt=1),
        line(2, "call", task_id="t2", rollout=0, tool="other", arguments="{}"),
        line(3, "call", task_id="t1", rollout=0, tool="issue_refund", arguments='{"x":1}'),
    )
    found = read_rollout(located=proposal, run_id="run-1", task_id="t1")
    assert [(event["kind"], event["tool"]) for event in found["events"]] == [
        ("call", "issue_refund")
    ]
    assert (found["complete"], found["verdict"]) == (False, None)
    assert found["journal_file"] == "runs/live/run-1-m1.jsonl"


def test_old_lines_without_a_task_are_used_only_for_a_run_of_one_cell(proposal: Located) -> None:
    old = line(1, "call", tool="issue_refund", arguments="{}")
    for run_id, tasks in (("run-1", "all"), ("run-2", ["t1"])):
        queue(proposal, make_request(run_id, status="running", tasks=tasks))
        proposal.directory.append(layout.live(run_id, "m1"), old)
    with pytest.raises(JournalAmbiguous):
        read_rollout(located=proposal, run_id="run-1", task_id="t1")
    found = read_rollout(located=proposal, run_id="run-2", task_id="t1")
    assert found["events"][0]["tool"] == "issue_refund"


def test_two_rollouts_side_by_side(proposal: Located) -> None:
    keep(proposal, refund(), refund("A-9", model="m2"))
    found = diff_rollouts(
        located=proposal,
        task_id="t1",
        run_a="run-1",
        run_b="run-1",
        model_a="m1",
        model_b="m2",
    )
    assert (found["a"]["model"], found["b"]["model"]) == ("m1", "m2")
    assert (found["a"]["verdict"]["strict"], found["b"]["verdict"]["strict"]) == (1, 0)
    assert found["tool_sequence"]["diverges_at"] is None
    assert found["tool_sequence"]["arguments_diverge_at"] == 0
    met = found["obligations"][0]
    assert (met["a"], met["b"], met["same"]) == (
        {"met": True, "met_at": 0},
        {"met": False, "met_at": None},
        False,
    )


def test_a_rollout_without_a_trajectory_cannot_be_compared(proposal: Located) -> None:
    add_rows(proposal, make_row("t1", 1))
    with pytest.raises(NotMeasured, match="no trajectory"):
        diff_rollouts(located=proposal, task_id="t1", run_a="run-1", run_b="run-1")


def test_a_rollout_of_which_only_the_row_is_left_says_what_the_row_says(
    proposal: Located,
) -> None:
    marks = [{"id": "o1", "met": True, "met_at": 4}]
    add_rows(proposal, make_row("t1", 1, obligations=marks, final_response_excerpt="Bye."))
    found = read_rollout(located=proposal, run_id="run-1", task_id="t1")
    assert found["events"] == []
    assert found["obligations"][0]["met_at"] == 4
    assert found["final_response"] == "Bye."
