import random

from benchmarks.contract.compiling import CompileOptions
from benchmarks.foundry.compile import BuildOptions, compile_benchmark
from benchmarks.foundry.dependencies import dependencies_of
from benchmarks.foundry.directions import Proposal, propose
from benchmarks.foundry.drafting import draft_all, policy_in_force
from benchmarks.foundry.reasons import Drop
from benchmarks.records.capture import Capture
from tests.benchmarks.foundry.factories import call, result, session_record, tool

TOOLS = [tool("get_order"), tool("cancel_order"), tool("create_ticket"), tool("send_mail")]
END = {"reason": "reply", "detail": ""}
LATE = "My parcel is late, it should have come by train last week, number"
BROKEN = "The kettle arrived broken in pieces with its handle missing, order"


def talk(asked: str, number: int, *names: str, line: int = 0) -> Capture:
    """A conversation that asks something and calls some tools."""
    said: list[tuple] = [("user", f"{asked} {number}")]
    for at, name in enumerate(names):
        said.append(("assistant", call(name, f"c{at}", order_id=f"A-{number}")))
        said.append(("tool", result("done", name, f"c{at}")))
    said.append(("assistant", "Done."))
    return session_record(said, line=line or number, tools=TOOLS, end=END)


def proposed(captures: list[Capture], seed: int = 0) -> Proposal:
    policy = policy_in_force(captures, None)
    cases = draft_all(captures, policy, CompileOptions()).cases
    drafts = [case.draft for case in cases if case.draft is not None]
    return propose(drafts, dependencies_of(drafts, policy, seed=seed), policy, seed=seed)


def ids(found: Proposal) -> list[tuple[str, int]]:
    return [(card.direction_id, card.task_count) for card in found.cards]


def cancels(*numbers: int) -> list[Capture]:
    return [talk(LATE, number, "get_order", "cancel_order") for number in numbers]


def tickets(*numbers: int) -> list[Capture]:
    return [talk(BROKEN, number, "create_ticket") for number in numbers]


def look_ups(*numbers: int) -> list[Capture]:
    return [talk("Where is my parcel now, order", number, "get_order") for number in numbers]


def mails(*numbers: int) -> list[Capture]:
    return [talk("Please write to me about order", number, "send_mail") for number in numbers]


def test_conversations_are_parted_by_the_tools_they_write_with() -> None:
    captures = [*cancels(1, 2, 3, 4), *tickets(5, 6, 7), *look_ups(8, 9, 10)]
    found = proposed(captures)
    assert sorted(ids(found)) == [
        ("cancel-orders", 4),
        ("create-tickets", 3),
        ("look-up-orders", 3),
    ]
    assert ids(found)[0] == ("cancel-orders", 4)
    card = found.cards[0]
    assert (card.name, card.share, card.tools) == (
        "Cancel orders",
        0.4,
        ["cancel_order", "get_order"],
    )
    assert card.needs == ["application tools"]
    assert card.conversations == sorted(one.capture_key for one in captures[:4])
    assert card.example.capture_key in card.conversations
    assert card.example.text.startswith(LATE)
    assert len(card.category_ids) == 1
    assert (found.note, found.others) == (None, ())


def test_the_cards_are_the_same_whatever_order_the_captures_come_in() -> None:
    captures = [*cancels(1, 2, 3, 4), *tickets(5, 6, 7), *look_ups(8, 9, 10)]
    mixed = list(captures)
    random.Random(4).shuffle(mixed)
    assert proposed(mixed) == proposed(captures)


def test_a_set_of_most_conversations_is_parted_by_what_is_asked() -> None:
    captures = [
        *(talk(LATE, number, "cancel_order") for number in range(1, 7)),
        *(talk(BROKEN, number, "cancel_order") for number in range(11, 16)),
    ]
    found = proposed(captures)
    assert [count for _, count in ids(found)] == [6, 5]
    first, second = found.cards
    assert first.name.startswith("Cancel orders: ")
    assert second.name.startswith("Cancel orders: ")
    assert first.direction_id != second.direction_id
    assert first.example.text.startswith(LATE)
    assert second.example.text.startswith(BROKEN)
    assert proposed(captures) == found


def test_small_clusters_are_left_to_others_and_counted() -> None:
    captures = [*cancels(1, 2, 3), *look_ups(4, 5, 6), *tickets(7, 8)]
    found = proposed(captures)
    assert [count for _, count in ids(found)] == [3, 3]
    assert found.note == "2 conversations in 1 cluster too small for a card"
    assert found.others == tuple(sorted(one.capture_key for one in captures[6:]))


def test_five_percent_is_the_bar_of_a_large_corpus() -> None:
    captures = [*cancels(*range(1, 51)), *look_ups(*range(51, 101)), *tickets(101, 102, 103, 104)]
    assert [count for _, count in ids(proposed(captures))] == [50, 50]


def test_at_most_three_cards_and_the_rest_is_said() -> None:
    captures = [*cancels(1, 2, 3, 4), *tickets(5, 6, 7, 8), *look_ups(9, 10, 11, 12),
                *mails(13, 14, 15)]  # fmt: skip
    found = proposed(captures)
    assert len(found.cards) == 3
    assert found.note == "3 conversations in 1 cluster beyond the 3 largest"


def test_one_cluster_is_one_card_and_the_note_says_so() -> None:
    found = proposed(cancels(1, 2, 3))
    assert (len(found.cards), found.cards[0].share) == (1, 1)
    assert found.note == "one card: all conversations form one cluster"


def test_too_few_for_any_cluster_are_one_card() -> None:
    found = proposed([*cancels(1), *tickets(2)])
    assert [count for _, count in ids(found)] == [2]
    assert found.note == "one card: all conversations form one cluster"


def test_nothing_that_compiles_is_no_card() -> None:
    assert proposed([]) == Proposal((), None, ())


# A build after a pick


def test_a_build_keeps_the_conversations_of_the_picked_card() -> None:
    captures = [*cancels(1, 2, 3), *tickets(4, 5, 6)]
    card = next(one for one in proposed(captures).cards if one.direction_id == "create-tickets")
    policy = policy_in_force(captures, None)
    chosen = frozenset(card.conversations or ())
    found = compile_benchmark(captures, policy, BuildOptions(), direction=chosen)
    assert {one.draft.thread.key for one in found.made} == chosen
    assert found.drops == {Drop.NOT_IN_DIRECTION: 3}
    assert not Drop.NOT_IN_DIRECTION.is_loss
    assert len(found.recordings) == 6


def test_a_task_that_stands_is_not_taken_away_by_a_pick() -> None:
    captures = [*cancels(1, 2, 3), *tickets(4, 5, 6)]
    policy = policy_in_force(captures, None)
    before = compile_benchmark(captures[:1], policy, BuildOptions())
    chosen = frozenset(one.capture_key for one in captures[3:])
    found = compile_benchmark(captures, policy, BuildOptions(), before.tasks, direction=chosen)
    assert before.tasks[0].task_id in {task.task_id for task in found.tasks}
    assert found.drops == {Drop.NOT_IN_DIRECTION: 2}
