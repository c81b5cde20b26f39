from collections.abc import Sequence

from benchmarks.foundry.compile import BuildOptions, Compilation, compile_benchmark, would_build
from benchmarks.foundry.drafting import policy_in_force
from benchmarks.foundry.fanout import FanOut, fan_out
from benchmarks.foundry.grouping import threads_of
from benchmarks.foundry.ids import fingerprint_group, session_group
from benchmarks.foundry.reasons import Drop
from benchmarks.records.capture import Capture
from tests.benchmarks.foundry.factories import call, capture, result, session_record, tool

ASK = ("user", "Please tidy up my account.")
HANDED = ("assistant", call("Task", "t1", prompt="Close ticket T-1 of the customer."))
BACK = ("tool", result("the tool's own words", "Task", "t1"))
DONE = ("assistant", "Your account is tidy.")
GIVEN = ("user", "Close ticket T-1 of the customer.")
CLOSE = ("assistant", call("close_ticket", "c1", ticket_id="T-1"))
CLOSED = ("tool", result("closed", "close_ticket", "c1"))
TOLD = ("assistant", "Ticket T-1 is closed.")
END = {"reason": "reply", "detail": ""}


def fanned(*captures: Capture) -> FanOut:
    return fan_out(threads_of(captures, lambda _: True))


def compiled(captures: Sequence[Capture]) -> Compilation:
    return compile_benchmark(captures, policy_in_force(captures, None), BuildOptions())


def orchestrator(*said: tuple, line: int = 1, **extra: object) -> Capture:
    return session_record([ASK, *said], line=line, end=END, tools=[tool("Task")], **extra)


def helper(of: Capture, call_id: str = "t1", line: int = 2, **extra: object) -> Capture:
    return session_record(
        [GIVEN, CLOSE, CLOSED, TOLD], line=line, helper_of=(of, call_id), end=END, **extra
    )


def test_a_helper_makes_no_task_and_hangs_on_the_orchestrators() -> None:
    main = orchestrator(HANDED, BACK, DONE)
    captures = [helper(main), main]
    found = compiled(captures)
    (task,) = found.tasks
    assert task.candidate_boundary == main.capture_key
    assert task.helpers == [captures[0].capture_key]
    assert found.drops == {Drop.HELPER_ATTACHED: 1}
    assert (task.tool_effects["Task"].effect, task.tool_effects["Task"].source) == (
        "write",
        "lexicon",
    )
    (edge,) = [one for one in found.dag.edges if one.type == "helper"]
    assert (edge.from_, edge.to) == (main.capture_key, captures[0].capture_key)
    assert (edge.confidence, edge.evidence) == ("deterministic", {"call_id": "t1"})
    groups = {one.task_id: one for one in found.dag.groups}
    assert groups[task.task_id].helpers == [captures[0].capture_key]
    assert groups[None].helpers is None
    assert found.dag.valid
    policy = policy_in_force(captures, None)
    assert would_build(captures, policy)["helpers_attached"] == 1


def test_a_helper_of_the_same_session_leaves_the_session_to_the_orchestrator() -> None:
    main = orchestrator(HANDED, BACK, DONE, session="s-1", at="09:00:09")
    early = helper(main, session="s-1", at="09:00:00")
    (thread,) = fanned(early, main).threads
    assert thread.execution_group == session_group("s-1")
    (under,) = fanned(early, main).helpers
    assert under.execution_group == fingerprint_group(early.capture_key)
    assert under.label == "session_grouped"


def test_several_calls_of_one_helper_are_one_helper() -> None:
    main = orchestrator(HANDED, BACK, DONE)
    first = capture([GIVEN], [CLOSE], line=2, helper_of=(main, "t1"))
    second = capture([GIVEN, CLOSE, CLOSED], [TOLD], line=3, helper_of=(main, "t1"))
    (thread,) = fanned(main, first, second).threads
    assert [one.capture_keys() for one in thread.helpers] == [
        (first.capture_key, second.capture_key)
    ]
    found = compiled([main, first, second])
    assert found.tasks[0].helpers == [first.capture_key, second.capture_key]
    assert found.drops == {Drop.SUPERSEDED_HISTORY: 1, Drop.HELPER_ATTACHED: 1}


def test_a_call_that_nothing_answers_is_answered_by_what_its_helper_came_to() -> None:
    main = orchestrator(HANDED, DONE)
    (thread,) = fanned(main, helper(main)).threads
    turns = thread.conversation.turns
    assert [turn.role for turn in turns] == ["user", "assistant", "tool", "assistant"]
    (answer,) = turns[2].results()
    assert answer.parts[0].text == "Ticket T-1 is closed."
    assert (answer.call.turn, answer.call.part, answer.name) == (1, 0, "Task")
    assert [turn.index for turn in turns] == [0, 1, 2, 3]


def test_an_answer_that_the_source_holds_stays() -> None:
    main = orchestrator(HANDED, BACK, DONE)
    (thread,) = fanned(main, helper(main)).threads
    (answer,) = thread.conversation.turns[2].results()
    assert answer.parts[0].text == "the tool's own words"
    assert len(thread.conversation.turns) == 4


def test_helpers_of_helpers_hang_on_the_same_task() -> None:
    main = orchestrator(HANDED, BACK, DONE)
    deeper = ("assistant", call("Agent", "a1", prompt="x"))
    middle = session_record([GIVEN, deeper, TOLD], line=2, helper_of=(main, "t1"))
    inner = helper(middle, "a1", line=3)
    found = fanned(inner, middle, main)
    (thread,) = found.threads
    assert {one.key for one in thread.helpers} == {middle.capture_key, inner.capture_key}
    assert {(edge.from_, edge.to) for edge in thread.edges} == {
        (main.capture_key, middle.capture_key),
        (middle.capture_key, inner.capture_key),
    }
    assert len(found.helpers) == 2


def test_the_earliest_helper_stands_for_an_orchestrator_that_nobody_captured() -> None:
    lost = orchestrator(HANDED, line=9)
    first = helper(lost, line=1, at="09:00:00")
    second = helper(lost, "t2", line=2, at="09:00:05")
    found = compiled([second, first])
    (task,) = found.tasks
    assert task.candidate_boundary == first.capture_key
    assert task.helpers == [second.capture_key]
    assert task.machine_confidence == "medium"
    assert "orchestrator guessed" in [claim["claim"] for claim in task.claims]
    assert task.outcome_contract.writes == "allow"
    (edge,) = found.dag.edges
    assert (edge.from_, edge.confidence) == (first.capture_key, "low")


def test_conversations_that_started_each_other_are_a_cycle_and_no_task() -> None:
    one = session_record([ASK, HANDED, DONE], line=1)
    two = helper(one, line=2)
    one = one.with_(helper_of={"capture_key": two.capture_key, "call_id": "c1"})
    found = compiled([one, two])
    assert found.tasks == []
    assert found.drops == {Drop.LINEAGE_CYCLE: 2}
    assert not found.dag.valid
    assert [one.code for one in found.dag.quarantines] == ["lineage_cycle", "lineage_cycle"]
    assert Drop.LINEAGE_CYCLE.is_loss
    assert not Drop.HELPER_ATTACHED.is_loss


def test_without_helpers_nothing_changes() -> None:
    threads = threads_of([orchestrator(DONE), orchestrator(BACK, DONE, line=2)], lambda _: True)
    assert fan_out(threads) == FanOut(tuple(threads), (), ())
