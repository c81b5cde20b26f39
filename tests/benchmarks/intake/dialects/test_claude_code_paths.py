from tests.benchmarks.intake.code_lines import (
    CODE,
    SESSION,
    answer,
    call,
    result,
    spent,
    text,
    user,
)
from tests.benchmarks.intake.session_lines import conversation, pieces, readings, shape

FORK = [
    user("u1", None, "sort"),
    answer("a1", "u1", text("how?"), message=spent(5)),
    user("u2", "a1", "quick"),
    answer("a2", "u2", text("quick it is"), message=spent(6)),
    user("v2", "a1", "merge"),
    answer("b2", "v2", text("merge it is"), message=spent(7)),
]


def test_a_fork_in_the_users_turns_is_two_conversations() -> None:
    first, second = readings(CODE, FORK)
    assert shape(first.conversation) == [
        "user sort", "assistant how?", "user quick", "assistant quick it is",
    ]  # fmt: skip
    assert shape(second.conversation) == [
        "user sort", "assistant how?", "user merge", "assistant merge it is",
    ]  # fmt: skip
    assert [one.frame.capture_id for one in (first, second)] == ["s-1", "s-1 v2"]
    assert [one.frame.identity.session_id for one in (first, second)] == ["s-1", "s-1"]


def test_what_two_ways_share_is_spent_once() -> None:
    first, second = readings(CODE, FORK)
    assert first.conversation.usage.output_tokens == 11
    assert second.conversation.turns[1].usage is None
    assert second.conversation.usage.dump() == {"input_tokens": 10, "output_tokens": 7, "calls": 1}


def test_names_of_conversations_stay_when_the_session_grows() -> None:
    before = [one.frame.capture_id for one in readings(CODE, FORK)]
    grown = [*FORK, user("u3", "a2", "more"), answer("a3", "u3", text("done")),
             user("v3", "b2", "types"), answer("b3", "v3", text("typed"))]  # fmt: skip
    after = readings(CODE, grown)
    assert [one.frame.capture_id for one in after] == before
    assert [len(one.conversation.turns) for one in after] == [6, 6]


def test_the_digest_of_a_conversation_says_whether_it_changed() -> None:
    same, again = pieces(CODE, FORK), pieces(CODE, FORK)
    grown = pieces(CODE, [*FORK, user("v3", "b2", "more"), answer("b3", "v3", text("ok"))])
    assert [one.made_from for one in same] == [one.made_from for one in again]
    assert same[0].made_from == grown[0].made_from
    assert same[1].made_from != grown[1].made_from


def test_a_prompt_given_up_before_an_answer_is_no_way() -> None:
    told = conversation(CODE, [
        user("u1", None, "sort"),
        answer("a1", "u1", text("how?")),
        user("u2", "a1", "qui"),
        user("v2", "a1", "quick"),
        answer("b2", "v2", text("yes")),
    ])  # fmt: skip
    assert shape(told) == ["user sort", "assistant how?", "user quick", "assistant yes"]


def test_a_beginning_given_up_before_an_answer_is_no_conversation() -> None:
    told = [
        user("u1", None, "so"),
        user("v1", None, "sort"),
        answer("b1", "v1", text("how?")),
        user("c1", "b1", "<command-name>/clear</command-name>"),
        user("w1", "c1", "next"),
    ]
    assert shape(conversation(CODE, told)) == ["user sort", "assistant how?"]
    assert shape(conversation(CODE, told[:1])) == ["user so"]


def test_an_answer_made_again_is_an_alternative_of_one_conversation() -> None:
    told = conversation(CODE, [
        user("u1", None, "go"),
        answer("a1", "u1", text("poor")),
        answer("b1", "u1", text("better")),
    ])  # fmt: skip
    assert shape(told) == ["user go", "assistant better"]
    assert [turn.text() for turn in told.alternatives] == ["poor"]


def test_results_of_calls_side_by_side_are_no_fork() -> None:
    told = conversation(CODE, [
        user("u1", None, "go"),
        answer("a1", "u1", call("c1"), mid="m"),
        answer("a2", "a1", call("c2"), mid="m"),
        user("r1", "a1", [result("c1", "one")]),
        user("r2", "a2", [result("c2", "two")]),
        answer("b1", "r2", text("done")),
    ])  # fmt: skip
    assert shape(told) == [
        "user go", "assistant !Read !Read", "tool ?Read:ok", "tool ?Read:ok", "assistant done",
    ]  # fmt: skip


def test_more_ways_than_eight_are_counted_not_told() -> None:
    ways = [
        one
        for at in range(10)
        for one in (user(f"u{at}", "a", f"way {at}"), answer(f"b{at}", f"u{at}", text("ok")))
    ]
    told = readings(CODE, [user("u", None, "go"), answer("a", "u", text("where?")), *ways])
    assert len(told) == 8
    assert [one.conversation.loss for one in told] == [None] * 7 + [{"alternate_branch": 2}]


def test_lines_without_parents_follow_each_other() -> None:
    told = conversation(CODE, [
        user("u1", None, "one"), answer("a1", None, text("1")),
        user("u2", None, "two"), answer("a2", None, text("2")),
    ])  # fmt: skip
    assert shape(told) == ["user one", "assistant 1", "user two", "assistant 2"]


def test_a_parent_that_is_not_there_is_the_line_before() -> None:
    told = conversation(CODE, [
        user("u1", "gone", "one"), answer("a1", "u1", text("1")),
        user("u2", "gone-too", "two"), answer("a2", "u2", text("2")),
    ])  # fmt: skip
    assert shape(told) == ["user one", "assistant 1", "user two", "assistant 2"]


def test_lines_that_hang_below_each_other_are_read_all_the_same() -> None:
    told = conversation(CODE, [user("u1", "a1", "one"), answer("a1", "u1", text("1"))])
    assert shape(told) == ["user one", "assistant 1"]


def test_a_user_who_goes_back_to_the_beginning_starts_another_conversation() -> None:
    first, second = readings(CODE, [
        user("u1", None, "one"), answer("a1", "u1", text("1")),
        user("u2", None, "two"), answer("a2", "u2", text("2")),
    ])  # fmt: skip
    assert shape(second.conversation) == ["user two", "assistant 2"]
    assert (first.frame.capture_id, second.frame.capture_id) == ("s-1", "s-1 u2")


def test_clear_ends_a_conversation_and_starts_the_next() -> None:
    first, second = readings(CODE, [
        user("u1", None, "first"),
        answer("a1", "u1", text("one")),
        user("u2", "a1", "<command-name>/clear</command-name>\n<command-args></command-args>"),
        user("u3", "u2", "<local-command-stdout></local-command-stdout>"),
        user("u4", "u3", "second"),
        answer("a4", "u4", text("two")),
    ])  # fmt: skip
    assert shape(first.conversation) == ["user first", "assistant one"]
    assert shape(second.conversation) == ["user second", "assistant two"]
    assert (first.frame.capture_id, second.frame.capture_id) == ("s-1", "s-1 u3")


def test_compaction_keeps_what_was_before_it_and_its_summary_is_no_turn() -> None:
    told = conversation(CODE, [
        user("u1", None, "first"),
        answer("a1", "u1", text("one")),
        {"type": "system", "subtype": "compact_boundary", "sessionId": SESSION, "uuid": "s1",
         "parentUuid": None, "logicalParentUuid": "a1", "content": "Conversation compacted"},
        user("u2", "s1", "The session so far: ...", isCompactSummary=True),
        user("u3", "u2", "go on"),
        answer("a3", "u3", text("two")),
    ])  # fmt: skip
    assert shape(told) == ["user first", "assistant one", "user go on", "assistant two"]


def test_a_summary_without_a_boundary_goes_on_too() -> None:
    told = conversation(CODE, [
        user("u1", None, "first"),
        answer("a1", "u1", text("one")),
        user("u2", None, "The session so far: ...", isCompactSummary=True),
        user("u3", "u2", "go on"),
        answer("a3", "u3", text("two")),
    ])  # fmt: skip
    assert shape(told) == ["user first", "assistant one", "user go on", "assistant two"]
