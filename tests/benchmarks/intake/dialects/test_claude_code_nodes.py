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
from tests.benchmarks.intake.session_lines import conversation, shape


def test_lines_of_one_message_are_united_where_the_first_stood() -> None:
    told = conversation(CODE, [
        user("u1", None, "go"),
        answer("a1", "u1", text("Two reads"), mid="m", message=spent(1),
               timestamp="2026-05-01T10:00:01.000Z"),
        answer("a2", "a1", call("c1"), mid="m", message=spent(1)),
        user("r1", "a2", [result("c1", "one")]),
        answer("a3", "a2", call("c2"), mid="m", message=spent(40)),
        user("r2", "a3", [result("c2", "two")]),
        answer("b1", "r2", text("Both read"), message=spent(3),
               timestamp="2026-05-01T10:00:09.000Z"),
    ])  # fmt: skip
    assert shape(told) == [
        "user go",
        "assistant Two reads !Read !Read",
        "tool ?Read:ok",
        "tool ?Read:ok",
        "assistant Both read",
    ]
    assert told.turns[1].at == "2026-05-01T10:00:01.000Z"
    assert told.turns[1].usage.output_tokens == 40
    assert told.usage.output_tokens == 43
    assert [r.call.part for turn in told.turns for r in turn.results()] == [1, 2]


def test_a_later_copy_of_a_block_replaces_the_earlier() -> None:
    told = conversation(CODE, [
        user("u1", None, "go"),
        answer("a1", "u1", text("I am wri"), mid="m"),
        answer("a2", "u1", text("I am writing"), call("c1", path="a"), mid="m"),
        answer("a3", "u1", text("I am writing"), call("c1", path="a.py"), mid="m"),
    ])  # fmt: skip
    assert shape(told) == ["user go", "assistant I am writing !Read"]
    assert told.turns[1].calls()[0].arguments == {"path": "a.py"}


def test_equal_texts_of_one_message_with_other_texts_between_are_one_block() -> None:
    told = conversation(CODE, [
        user("u1", None, "go"),
        answer("a1", "u1", text("one"), mid="m"),
        answer("a2", "a1", text("two"), mid="m"),
        answer("a3", "a2", text("one"), mid="m"),
    ])  # fmt: skip
    assert shape(told) == ["user go", "assistant one\ntwo"]


def test_one_message_id_after_another_prompt_is_another_message_unless_it_repeats() -> None:
    told = conversation(CODE, [
        user("u1", None, "first"),
        answer("a1", "u1", text("one"), mid="redacted"),
        user("u2", "a1", "second"),
        answer("a2", "u2", text("two"), mid="redacted"),
    ])  # fmt: skip
    assert shape(told) == ["user first", "assistant one", "user second", "assistant two"]


def test_answers_without_a_message_id_stay_apart_and_repeats_of_a_uuid_are_one() -> None:
    bare = {"id": None}
    told = conversation(CODE, [
        user("u1", None, "go"),
        user("u1", None, "go"),
        answer("a1", "u1", text("one"), message=bare),
        answer("a1", "u1", text("one"), message=bare),
        answer("a2", "a1", text("two"), message=bare),
    ])  # fmt: skip
    assert shape(told) == ["user go", "assistant one", "assistant two"]


def test_a_broken_line_gives_way_to_the_whole_one_of_its_uuid() -> None:
    broken = {"type": "user", "sessionId": SESSION, "uuid": "u1", "message": "error"}
    told = conversation(CODE, [broken, user("u1", None, "hello"), answer("a1", "u1", text("hi"))])
    assert shape(told) == ["user hello", "assistant hi"]
