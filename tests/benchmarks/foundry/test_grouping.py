import random
from collections.abc import Sequence

import pytest

from benchmarks.foundry.grouping import MAX_FORKS, Thread, threads_of
from benchmarks.foundry.ids import fingerprint_group, session_group, trace_group
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Conversation
from tests.benchmarks.foundry.factories import call, capture, result, session_record

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
ASK = ("user", "Refund order A-1007, it came broken.")
LOOK = ("assistant", call("get_order", "c1", order_id="A-1007"))
FOUND = ("tool", result("total 25", "get_order", "c1"))
PAY = ("assistant", call("issue_refund", "c2", order_id="A-1007"))
PAID = ("tool", result("RF-1", "issue_refund", "c2"))
DONE = ("assistant", "Refunded.")


def is_closed(conversation: Conversation) -> bool:
    last = conversation.turns[-1]
    return last.role == "assistant" and not last.calls()


def grouped(*captures: Capture) -> list[Thread]:
    return threads_of(captures, is_closed)


def edges(threads: Sequence[Thread]) -> list[tuple[str, str, str]]:
    return [(edge.type, edge.confidence, edge.to) for thread in threads for edge in thread.edges]


def types(threads: Sequence[Thread]) -> list[str]:
    return [kind for kind, _, _ in edges(threads)]


def test_growing_histories_are_one_conversation() -> None:
    first = capture([ASK], [LOOK], line=1)
    second = capture([ASK, LOOK, FOUND], [PAY], line=2)
    third = capture([ASK, LOOK, FOUND, PAY, PAID], [DONE], line=3)
    (thread,) = grouped(third, first, second)
    assert [c.capture_id for c in thread.main_line] == ["req-1", "req-2", "req-3"]
    assert types([thread]) == ["prefix_append", "prefix_append"]
    assert thread.label == "heuristic_grouped"
    assert thread.execution_group == fingerprint_group(first.capture_key)
    assert [turn.role for turn in thread.conversation.turns] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "assistant",
    ]
    assert thread.conversation.granularity == "session"


def test_two_roots_with_one_fingerprint_are_two_conversations() -> None:
    first = capture([ASK], [LOOK], at="09:00:00", line=1)
    second = capture([ASK], [LOOK], at="09:00:10", line=2)
    assert len(grouped(first, second)) == 2


def test_unless_the_second_repeats_a_failed_first() -> None:
    first = capture([ASK], [], at="09:00:00", line=1, status=500)
    second = capture([ASK], [LOOK], at="09:30:00", line=2)
    (thread,) = grouped(first, second)
    assert types([thread]) == ["retry"]
    assert thread.execution_group == fingerprint_group(first.capture_key)


def test_the_same_done_twice_is_two_conversations_each_whole() -> None:
    captures = [
        capture([ASK], [LOOK], at="09:00:00", line=1),
        capture([ASK, LOOK, FOUND], [DONE], at="09:00:05", line=2),
        capture([ASK], [LOOK], at="11:00:00", line=3),
        capture([ASK, LOOK, FOUND], [DONE], at="11:00:05", line=4),
    ]
    lines = [[c.capture_id for c in thread.main_line] for thread in grouped(*captures)]
    assert lines == [["req-1", "req-2"], ["req-3", "req-4"]]


@pytest.mark.parametrize(("second_at", "kind"), [("09:01:30", "retry"), ("09:02:01", "branch")])
def test_the_same_request_again_is_a_retry_for_two_minutes(second_at: str, kind: str) -> None:
    captures = [
        capture([ASK], [LOOK], at="08:59:58", line=1),
        capture([ASK, LOOK, FOUND], [PAY], at="09:00:00", line=2),
        capture([ASK, LOOK, FOUND], [DONE], at=second_at, line=3),
    ]
    (thread,) = grouped(*captures)
    assert types([thread]) == ["prefix_append", kind]


def test_a_regenerated_answer_is_one_task_and_the_loser_stands_beside() -> None:
    captures = [
        capture([ASK], [LOOK], at="09:00:00", line=1),
        capture([ASK, LOOK, FOUND], [PAY], at="09:00:05", line=2),
        capture([ASK, LOOK, FOUND], [DONE], at="09:10:00", line=3),
        capture([ASK, LOOK, FOUND, PAY, PAID], [DONE], at="09:00:09", line=4),
    ]
    (thread,) = grouped(*captures)
    assert [c.capture_id for c in thread.main_line] == ["req-1", "req-2", "req-4"]
    assert [c.capture_id for c in thread.beside] == ["req-3"]
    assert {c.capture_id for c in thread.own} == {"req-1", "req-2", "req-3", "req-4"}


def test_a_closed_leaf_is_preferred_to_a_longer_open_one() -> None:
    captures = [
        capture([ASK], [LOOK], line=1),
        capture([ASK, LOOK, FOUND], [DONE], line=2),
        capture([ASK, LOOK, FOUND, PAY, PAID], [LOOK], line=3),
    ]
    (thread,) = grouped(*captures)
    assert thread.leaf.capture_id == "req-2"


def test_a_fork_in_a_user_turn_is_two_conversations() -> None:
    more, other = ("user", "And A-1008?"), ("user", "Never mind.")
    captures = [
        capture([ASK], [DONE], at="09:00:00", line=1),
        capture([ASK, DONE, more], [PAY], at="09:05:00", line=2),
        capture([ASK, DONE, other], [DONE], at="09:10:00", line=3),
    ]
    threads = grouped(*captures)
    assert [[c.capture_id for c in t.main_line] for t in threads] == [
        ["req-1", "req-2"],
        ["req-1", "req-3"],
    ]
    assert [[c.capture_id for c in t.own] for t in threads] == [["req-1", "req-2"], ["req-3"]]
    assert threads[0].root == threads[1].root == captures[0].capture_key
    assert threads[1].execution_group == fingerprint_group(captures[2].capture_key)


def test_at_most_eight_forks_and_the_rest_are_kept_beside() -> None:
    root = capture([ASK], [DONE], at="09:00:00", line=1)
    forks = [
        capture([ASK, DONE, ("user", f"Then {n}?")], [DONE], at=f"09:{n:02}:00", line=n + 1)
        for n in range(1, 12)
    ]
    threads = grouped(root, *forks)
    assert len(threads) == MAX_FORKS
    assert sum(len(thread.own) for thread in threads) == 12


def test_a_session_links_across_traces_and_a_new_start_is_a_new_conversation() -> None:
    captures = [
        capture([ASK], [LOOK], at="09:00:00", line=1, session="s1", trace=TRACE),
        capture(
            [ASK, LOOK, FOUND], [DONE], at="09:00:05", line=2, session="s1", trace="0" * 31 + "1"
        ),
        capture([("user", "Something else")], [DONE], at="09:20:00", line=3, session="s1"),
    ]
    first, second = grouped(*captures)
    assert first.execution_group == session_group("s1")
    assert second.execution_group == fingerprint_group(captures[2].capture_key)
    assert [first.label, second.label] == ["session_grouped", "session_grouped"]


def test_a_trace_is_named_by_its_id_and_episode() -> None:
    (alone,) = grouped(capture([ASK], [DONE], trace=TRACE))
    assert (alone.label, alone.execution_group) == ("singleton", trace_group(TRACE, 0))
    captures = [
        capture([ASK], [LOOK], at="09:00:00", line=1, trace=TRACE),
        capture([ASK, LOOK, FOUND], [DONE], at="09:30:00", line=2, trace=TRACE),
    ]
    (linked,) = grouped(*captures)
    assert linked.label == "trace_grouped/valid"


def test_a_gap_splits_a_trace_where_no_history_link_crosses_it() -> None:
    captures = [
        capture([ASK], [DONE], at="09:00:00", line=1, trace=TRACE),
        capture([("user", "Another thing")], [DONE], at="09:01:00", line=2, trace=TRACE),
        capture([("user", "A third thing")], [DONE], at="09:03:01", line=3, trace=TRACE),
    ]
    threads = grouped(*captures)
    assert [thread.label for thread in threads] == ["trace_grouped/split"] * 3
    assert [thread.execution_group for thread in threads] == [
        trace_group(TRACE, 0),
        fingerprint_group(captures[1].capture_key),
        trace_group(TRACE, 1),
    ]
    assert edges(threads) == [("workflow_sibling", "low", captures[1].capture_key)]


def test_a_whole_conversation_is_its_own_group() -> None:
    first = session_record([ASK, DONE], line=1)
    second = session_record([ASK, DONE], line=2)
    assert [thread.execution_group for thread in grouped(first, second)] == [
        fingerprint_group(first.capture_key),
        fingerprint_group(second.capture_key),
    ]


def test_a_folded_history_is_put_back() -> None:
    captures = [
        capture([ASK], [LOOK], at="09:00:00", line=1, session="s1"),
        capture([ASK, LOOK, FOUND], [PAY], at="09:01:00", line=2, session="s1"),
        capture([("user", "Summary: refund A-1007."), PAY, PAID], [DONE], at="09:02:00", line=3,
                session="s1"),
    ]  # fmt: skip
    (thread,) = grouped(*captures)
    assert types([thread]) == ["prefix_append", "folded_continuation"]
    assert [turn.role for turn in thread.conversation.turns] == [
        "user", "assistant", "tool", "assistant", "tool", "assistant",
    ]  # fmt: skip
    paid = thread.conversation.turns[4].results()[0]
    assert (paid.call.turn, paid.call.part) == (3, 0)
    assert [turn.index for turn in thread.conversation.turns] == [0, 1, 2, 3, 4, 5]


def test_an_edited_user_turn_in_a_session_is_a_mutation_and_two_conversations() -> None:
    edited = ("user", "Refund order A-1009.")
    captures = [
        capture([ASK, LOOK, FOUND], [PAY], at="09:00:00", line=1, session="s1"),
        capture([edited, LOOK, FOUND], [DONE], at="09:05:00", line=2, session="s1"),
    ]
    threads = grouped(*captures)
    assert types(threads) == ["same_depth_mutation"]
    assert [[c.capture_id for c in thread.main_line] for thread in threads] == [
        ["req-1"],
        ["req-2"],
    ]


def test_without_a_session_an_edited_opening_is_no_link() -> None:
    edited = ("user", "Refund order A-1009.")
    captures = [
        capture([ASK, LOOK, FOUND], [PAY], at="09:00:00", line=1),
        capture([edited, LOOK, FOUND], [DONE], at="09:05:00", line=2),
    ]
    assert types(grouped(*captures)) == []


def test_a_cut_history_in_a_session_is_a_destructive_mutation() -> None:
    captures = [
        capture([ASK, LOOK, FOUND, PAY, PAID], [DONE], at="09:00:00", line=1, session="s1"),
        capture([("user", "Only look."), LOOK], [PAY], at="09:05:00", line=2, session="s1"),
    ]
    assert types(grouped(*captures)) == ["destructive_mutation"]


def test_a_cleared_result_leaves_one_conversation() -> None:
    cleared = ("tool", result("[cleared]", "get_order", "c1"))
    captures = [
        capture([ASK, LOOK, FOUND], [PAY], at="09:00:00", line=1, session="s1"),
        capture([ASK, LOOK, cleared, PAY, PAID], [DONE], at="09:00:05", line=2, session="s1"),
    ]
    (thread,) = grouped(*captures)
    assert types([thread]) == ["prefix_append"]
    assert thread.leaf.capture_id == "req-2"
    assert thread.conversation.turns[2].results()[0].parts[0].text == "total 25"


def test_the_system_of_the_first_capture_stands_over_the_whole_conversation() -> None:
    captures = [
        capture([("system", "It is 9:00."), ASK], [LOOK], at="09:00:00", line=1, session="s"),
        capture([("system", "It is 9:05."), ASK, LOOK, FOUND], [DONE], at="09:05:00", line=2,
                session="s"),
    ]  # fmt: skip
    (thread,) = grouped(*captures)
    assert thread.conversation.turns[0].text() == "It is 9:00."
    assert thread.conversation.turns[3].results()[0].call.turn == 2


def test_a_true_tie_takes_the_latest_with_low_confidence() -> None:
    captures = [
        capture([ASK], [LOOK], at="09:00:00", line=1),
        capture([ASK], [LOOK], at="09:00:01", line=2),
        capture([ASK, LOOK, FOUND], [DONE], at="09:00:05", line=3),
    ]
    threads = grouped(*captures)
    assert edges(threads) == [("prefix_append", "low", captures[2].capture_key)]
    assert [c.capture_id for c in threads[1].main_line] == ["req-2", "req-3"]


def test_the_same_words_to_another_provider_are_another_conversation() -> None:
    captures = [
        capture([ASK], [LOOK], line=1),
        capture([ASK, LOOK, FOUND], [DONE], line=2),
        capture([ASK], [LOOK], line=3, dialect="anthropic.messages"),
        capture([ASK, LOOK, FOUND], [DONE], line=4, dialect="anthropic.messages"),
    ]
    lines = [[c.capture_id for c in thread.main_line] for thread in grouped(*captures)]
    assert lines == [["req-1", "req-2"], ["req-3", "req-4"]]


def test_a_later_capture_is_no_parent() -> None:
    captures = [
        capture([ASK], [LOOK], at="12:00:00", line=1),
        capture([ASK, LOOK, FOUND], [DONE], at="09:00:00", line=2),
    ]
    assert len(grouped(*captures)) == 2


def test_the_order_of_sources_changes_nothing() -> None:
    captures = [
        capture([ASK], [LOOK], at="09:00:00", line=1),
        capture([ASK, LOOK, FOUND], [PAY], at="09:00:05", line=2),
        capture([ASK, LOOK, FOUND], [DONE], at="09:10:00", line=3),
        capture([ASK], [LOOK], line=4, trace=TRACE),
        capture([("user", "x")], [DONE], line=5),
        session_record([ASK, DONE], line=6),
    ]
    expected = grouped(*captures)
    for seed in range(5):
        shuffled = list(captures)
        random.Random(seed).shuffle(shuffled)
        assert grouped(*shuffled) == expected


def test_every_capture_is_counted_by_exactly_one_thread() -> None:
    captures = [
        capture([ASK], [LOOK], at="09:00:00", line=1),
        capture([ASK, LOOK, FOUND], [PAY], at="09:00:05", line=2),
        capture([ASK, LOOK, FOUND], [DONE], at="09:10:00", line=3),
        capture([ASK, DONE, ("user", "a")], [DONE], line=4),
        capture([ASK, DONE, ("user", "b")], [DONE], line=5),
    ]
    counted = [c.capture_key for thread in grouped(*captures) for c in thread.own]
    assert sorted(counted) == sorted(c.capture_key for c in captures)


def test_a_long_session_is_grouped_fast() -> None:
    said: list[tuple[object, ...]] = [ASK]
    captures = []
    for n in range(60):
        look = ("assistant", call("get_order", f"c{n}", order_id=f"A-{n}"))
        captures.append(capture(list(said), [look], line=n + 1))
        said += [look, ("tool", result(f"order {n}", "get_order", f"c{n}"))]
    (thread,) = grouped(*captures)
    assert len(thread.main_line) == 60
