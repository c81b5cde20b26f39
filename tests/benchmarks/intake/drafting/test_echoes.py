from typing import Any

import pytest

from benchmarks.intake.drafting.echoes import is_cut, is_lesser, is_lighter, made_whole
from benchmarks.records.conversation import Turn

THOUGHT = {"type": "reasoning", "text": "Which order is it?"}
WORDS = {"type": "text", "text": "Let me look."}
SEARCH = {"type": "tool_call", "call_id": "s1", "name": "search", "arguments": {"q": "x"},
          "executed_by": "provider"}  # fmt: skip
IMAGE = {"type": "media", "media": "image", "mime": "image/png", "content": {"$blob": "9f"}}
FILE = {"type": "media", "media": "image", "mime": "image/png", "uri": "file-7"}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def found(words: str, call_id: str = "s1", **extra: Any) -> dict[str, Any]:
    return {"type": "tool_result", "call_id": call_id, "name": "search", "status": "ok",
            "parts": [text(words)] if words else [], **extra}  # fmt: skip


def turn(*parts: dict[str, Any], role: str = "assistant", **about: Any) -> Turn:
    return Turn.read({
        "index": 1, "role": role, "origin": "request", "parts": [dict(part) for part in parts],
        **about,
    })  # fmt: skip


def parts(made: Turn) -> list[dict[str, Any]]:
    return [part.dump() for part in made.parts]


def test_what_an_echo_lacks_stays_and_the_result_points_at_its_call() -> None:
    given = turn(THOUGHT, WORDS, SEARCH, found("two", call={"turn": 1, "part": 2}))
    whole = made_whole(given, turn(SEARCH))
    assert parts(whole) == [THOUGHT, WORDS, SEARCH, found("two", call={"turn": 1, "part": 2})]


def test_a_call_keeps_its_arguments_and_takes_the_id_that_later_results_answer() -> None:
    given = turn({**SEARCH, "call_id": "call-1"}, found("two", "call-1"))
    whole = made_whole(given, turn({**SEARCH, "arguments": {"q": "X"}}))
    call, result = parts(whole)
    assert (call["call_id"], call["arguments"]) == ("s1", {"q": "x"})
    assert (result["call_id"], result["call"]) == ("s1", {"turn": 1, "part": 0})


def test_what_the_echo_alone_holds_stands_where_it_stood() -> None:
    extra = text("By the way.")
    whole = made_whole(turn(THOUGHT, SEARCH), turn(SEARCH, found("two"), extra))
    pointed = found("two", call={"turn": 1, "part": 1})
    assert parts(whole) == [THOUGHT, SEARCH, pointed, extra]
    assert parts(made_whole(turn(THOUGHT, SEARCH), turn(extra, SEARCH)))[0] == extra


@pytest.mark.parametrize(
    ("given", "echo"),
    [
        ([THOUGHT, SEARCH], [text("<think>\nWhich order is it?\n</think>"), SEARCH]),
        ([THOUGHT, SEARCH], [{"type": "reasoning", "encrypted": True}, SEARCH]),
        ([text("Let me"), text("look."), SEARCH], [text("Let me\nlook."), SEARCH]),
        ([WORDS, SEARCH], [text("Let me"), SEARCH]),
        ([IMAGE, SEARCH], [FILE, SEARCH]),
    ],
)
def test_a_part_in_another_form_is_not_there_twice(
    given: list[dict[str, Any]], echo: list[dict[str, Any]]
) -> None:
    assert parts(made_whole(turn(*given), turn(*echo))) == given


@pytest.mark.parametrize(
    ("given", "echo", "kept"),
    [
        ("one two three", "one two", "one two three"),
        ("one two three", "", "one two three"),
        ("one", "one two three", "one two three"),
        ("", "one", "one"),
        ("one", "other", "one"),
    ],
)
def test_of_two_forms_of_a_result_the_fuller_stays(given: str, echo: str, kept: str) -> None:
    whole = made_whole(turn(found(given), role="tool"), turn(found(echo), role="tool"))
    assert [part.text for part in whole.results()[0].parts] == [kept]


def test_results_whose_ids_were_given_anew_are_taken_in_order() -> None:
    given = turn(found("one", "call-1"), found("two", "call-2"), role="tool")
    echo = turn(found("one", "a"), found("two", "b"), role="tool")
    assert [result.call_id for result in made_whole(given, echo).results()] == ["a", "b"]


def test_what_is_known_about_a_turn_stays_and_the_rest_is_taken_from_the_echo() -> None:
    whole = made_whole(turn(SEARCH, model="m-1"), turn(SEARCH, model="m", id="msg-1"))
    assert (whole.model, whole.id) == ("m-1", "msg-1")


@pytest.mark.parametrize(
    ("words", "full", "cut"),
    [
        ("line one", "line one\nline two", True),
        ("line one\n[output truncated]", "line one\nline two and three", True),
        ("[Old tool result content cleared]", "x" * 50, True),
        ("line two", "line one\nline two", False),
        ("line one\nline two", "line one\nline two", False),
        ("the list [was not cleared] at all", "x" * 50, False),
    ],
)
def test_a_cut_text_is_a_beginning_or_says_so(words: str, full: str, cut: bool) -> None:
    assert is_cut(words, full) is cut


def test_lesser_results_stand_under_the_ids_of_the_full_ones() -> None:
    full = turn(found("one two", "a"), found("three", "b"), role="tool").results()
    assert is_lesser(turn(found("one", "a"), role="tool").results(), full)
    assert not is_lesser(turn(found("two", "a"), role="tool").results(), full)
    assert not is_lesser(turn(found("one", "c"), role="tool").results(), full)
    assert not is_lesser([], full)


def test_lighter_parts_name_media_by_reference() -> None:
    full = turn(WORDS, IMAGE, role="user").parts
    assert is_lighter(turn(WORDS, FILE, role="user").parts, full)
    assert not is_lighter(turn(text("Else."), FILE, role="user").parts, full)
    assert not is_lighter(turn(WORDS, {**IMAGE, "content": {"$blob": "77"}}).parts, full)
    assert not is_lighter(turn(WORDS).parts, turn(WORDS).parts)
