from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.contract.compiling import CompileOptions
from benchmarks.foundry.compile import (
    BuildOptions,
    Compilation,
    CountsDoNotAddUp,
    check_counts,
    compile_benchmark,
    would_build,
)
from benchmarks.foundry.drafting import policy_in_force, policy_of
from benchmarks.foundry.reasons import Drop
from benchmarks.records.capture import Capture
from benchmarks.records.task import Task
from benchmarks.records.tool_policy import ToolEntry, ToolPolicy
from benchmarks.records.vocabulary import Split
from tests.benchmarks.foundry.factories import call, capture, result, session_record, tool

SYSTEM = ("system", "You handle refunds.")
TOOLS = [tool("get_order"), tool("issue_refund")]


def asked(order: str) -> tuple[str, str]:
    return ("user", f"Refund my broken thing, the one of order {order} please.")


def refund(order: str, line: int, **extra: Any) -> list[Capture]:
    """Three calls of one conversation."""
    said = [SYSTEM, asked(order)]
    look = ("assistant", call("get_order", "c1", order_id=order))
    found = ("tool", result("total 25", "get_order", "c1"))
    pay = ("assistant", call("issue_refund", "c2", order_id=order))
    paid = ("tool", result("RF-1", "issue_refund", "c2"))
    done = ("assistant", "Refunded.")
    end = {"reason": "reply", "detail": ""}
    return [
        capture(said, [look], line=line, tools=TOOLS, **extra),
        capture([*said, look, found], [pay], line=line + 1, tools=TOOLS, **extra),
        capture([*said, look, found, pay, paid], [done], line=line + 2, tools=TOOLS, end=end,
                **extra),
    ]  # fmt: skip


def trial(number: int, reward: float | None, task: str, line: int) -> Capture:
    said = [SYSTEM, asked(f"T-{task}-{number}"), ("assistant", "Done.")]
    end = {"reason": "user_stop", "detail": ""}
    return session_record(said, line=line, reward=reward, task=task, trial=str(number), end=end)


def made_of(
    captures: Sequence[Capture], standing: Sequence[Task] = (), **extra: Any
) -> Compilation:
    options = BuildOptions(**extra)
    return compile_benchmark(captures, policy_in_force(captures, None), options, standing)


def test_a_conversation_becomes_one_task() -> None:
    captures = refund("A-1", 1)
    found = made_of(captures)
    (task,) = found.tasks
    assert task.candidate_boundary == captures[0].capture_key
    assert task.boundary_rule == "earliest"
    assert task.source.node_ids == [one.capture_key for one in captures]
    assert [one["capture_id"] for one in task.source.captures] == ["req-1", "req-2", "req-3"]
    assert task.tool_surface == ["get_order", "issue_refund"]
    assert {name: one.effect.value for name, one in task.tool_effects.items()} == {
        "get_order": "read",
        "issue_refund": "write",
    }
    assert [entry.tool for entry in task.outcome_contract.required] == ["issue_refund", None]
    assert task.world_model["initial_state"]["observations"] == [
        {"call_id": "c1", "tool": "get_order", "status": "ok"}
    ]
    assert task.world_model["transitions"] == [
        {"call_id": "c2", "tool": "issue_refund", "status": "ok"}
    ]
    assert (task.incumbent.model, task.incumbent.observed_calls) == ("gpt-5.5", 2)
    assert (task.machine_confidence, task.close_call, task.status) == (
        "high",
        False,
        "machine_proposed",
    )
    assert task.capability_fit["classification"] == "new_capability"
    assert found.drops == {Drop.SUPERSEDED_HISTORY: 2}


def test_trials_are_merged_and_failures_named() -> None:
    captures = [
        trial(0, 0, "1", 1),
        trial(1, 1, "1", 2),
        trial(0, 0, "2", 3),
        trial(1, 0, "2", 4),
        trial(0, None, "3", 5),
    ]
    found = made_of(captures)
    assert [task.candidate_boundary for task in found.tasks] == [
        captures[1].capture_key,
        captures[4].capture_key,
    ]
    assert found.drops == {Drop.REPEAT_TRIAL: 1, Drop.NO_SUCCESSFUL_TRAJECTORY: 2}
    assert found.unsuccessful() == ["2"]
    assert [len(one.draft.trials) for one in found.made] == [1, 0]
    policy = policy_in_force(captures, None)
    assert would_build(captures, policy) == {
        "tasks": 2,
        "trials_merged": 1,
        "no_successful_trajectory": 1,
        "helpers_attached": 0,
        "closed": 2,
        "open": 0,
        "lost": {},
        "lost_first": {},
        "conversations": 5,
        "unsolved_first": captures[2].source.pointer,
        "unclassified_tools": [],
    }


def test_what_no_task_can_be_made_of_is_named() -> None:
    captures = [
        *refund("A-1", 1),
        capture([("assistant", "Hello?")], [("assistant", "Hello?")], line=10),
        capture([SYSTEM, asked("A-2")], [], line=11, status=500),
    ]
    found = made_of(captures)
    assert found.drops == {
        Drop.SUPERSEDED_HISTORY: 2,
        Drop.NO_USER_TURN: 1,
        Drop.NO_MODEL_OUTPUT: 1,
    }
    assert found.dag.quarantines[0].code == "missing_user_turn"


def test_counts_that_do_not_add_up_are_a_fault() -> None:
    found = made_of(refund("A-1", 1))
    broken = Compilation(
        made=found.made,
        fates=found.fates,
        dag=found.dag,
        drops={},
        recordings=found.recordings,
        captures=found.captures,
    )
    with pytest.raises(CountsDoNotAddUp, match="captures: 3 in, 1 out, 0 dropped"):
        check_counts(broken)


def test_an_unknown_tool_makes_a_task_that_needs_review() -> None:
    said = [SYSTEM, asked("A-1")]
    sync = ("assistant", call("sync", "c1"))
    synced = ("tool", result("ok", "sync", "c1"))
    end = {"reason": "reply", "detail": ""}
    done = capture([*said, sync, synced], [("assistant", "Done.")], tools=[tool("sync")], end=end)
    (task,) = made_of([done]).tasks
    assert (task.machine_confidence, task.status) == ("low", "needs_review")
    assert task.tool_effects["sync"].effect == "unknown"


def test_an_inferred_definition_is_claimed() -> None:
    captures = [one.with_(conversation=one.conversation.with_(tools=[])) for one in refund("A", 1)]
    (task,) = made_of(captures).tasks
    assert [one.name for one in task.tool_definitions] == ["get_order", "issue_refund"]
    assert all(one.inferred for one in task.tool_definitions)
    claims = [claim["claim"] for claim in task.claims]
    assert "definition inferred: issue_refund" in claims
    assert task.machine_confidence == "medium"


def test_the_operators_word_decides_what_is_required() -> None:
    captures = refund("A-1", 1)
    file = policy_of(captures, ToolPolicy(tools={
        "issue_refund": ToolEntry(effect="read", source="operator"),
        "get_order": ToolEntry(effect="write", source="operator"),
    }))  # fmt: skip
    policy = policy_in_force(captures, file)
    (task,) = compile_benchmark(captures, policy, BuildOptions()).tasks
    assert [entry.tool for entry in task.outcome_contract.required] == ["get_order", None]


def test_compile_options_reach_the_contract() -> None:
    options = CompileOptions(extra_writes="allow")
    (task,) = made_of(refund("A-1", 1), contracts=options).tasks
    assert task.outcome_contract.writes == "allow"


def test_what_stands_keeps_id_group_title_split_and_cluster() -> None:
    captures = [one for n in range(6) for one in refund(f"A-{n}", 10 * n + 1)]
    first = made_of(captures[:9])
    standing = [
        task.with_(task_id=f"task-{n}", execution_group=f"group {n}", title=f"Mine {n}",
                   split=Split.HOLDOUT, cluster_id=f"cl-{n}")
        for n, task in enumerate(first.tasks)
    ]  # fmt: skip
    second = made_of(list(reversed(captures)), standing)
    kept = second.tasks[:3]
    assert [(t.task_id, t.title, t.split, t.cluster_id) for t in kept] == [
        (t.task_id, t.title, t.split, t.cluster_id) for t in standing
    ]
    assert [t.execution_group for t in kept] == ["group 0", "group 1", "group 2"]
    assert {group.id for group in second.dag.groups} >= {"group 0", "group 1", "group 2"}
    assert len(second.tasks) == 6
    assert len({task.task_id for task in second.tasks}) == 6


def test_a_conversation_that_went_on_is_still_its_task() -> None:
    captures = refund("A-1", 1)
    (before,) = made_of(captures[:2]).tasks
    (after,) = made_of(captures, [before]).tasks
    assert (after.task_id, after.execution_group) == (before.task_id, before.execution_group)
    assert len(after.source.node_ids) == 3


def test_an_earlier_start_that_is_found_later_keeps_the_task() -> None:
    captures = refund("A-1", 1)
    (before,) = made_of(captures[1:]).tasks
    (after,) = made_of(captures, [before]).tasks
    assert after.task_id == before.task_id
    assert after.candidate_boundary == captures[0].capture_key


def test_a_success_that_comes_later_joins_the_task_of_its_trial() -> None:
    first = [trial(1, 1, "1", 2)]
    (before,) = made_of(first).tasks
    (after,) = made_of([*first, trial(0, 1, "1", 1)], [before]).tasks
    assert after.task_id == before.task_id
    assert after.candidate_boundary != before.candidate_boundary


def test_forks_of_one_root_are_tasks_of_one_cluster() -> None:
    root = capture([SYSTEM, asked("A-1")], [("assistant", "Shall I?")], at="09:00:00", line=1)
    said = [SYSTEM, asked("A-1"), ("assistant", "Shall I?")]
    forks = [
        capture([*said, ("user", words)], [("assistant", "Fine.")], at=f"09:0{n}:00", line=n + 1)
        for n, words in enumerate(("Yes, do it.", "No, rather tell me why it broke."), 1)
    ]
    found = made_of([root, *forks])
    assert len(found.tasks) == 2
    assert len({task.cluster_id for task in found.tasks}) == 1
    assert len({task.split for task in found.tasks}) == 1
    assert [len(task.source.node_ids) for task in found.tasks] == [2, 2]
