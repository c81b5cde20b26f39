from typing import Any

import pytest

from benchmarks.intake.dialects.messages import Messages
from benchmarks.intake.drafting.written_calls import with_calls
from tests.benchmarks.intake.shapes import ODD, calls_in, results_in, shape

AROUND = "<environment_details>\n# Files\n</environment_details>"


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def user(*words: str) -> dict[str, Any]:
    return {"role": "user", "content": [text(one) for one in words]}


def answer(words: str) -> dict[str, Any]:
    return {"role": "assistant", "content": [text(words)]}


TASK = user("<task>\nRead a.\n</task>", AROUND)
READ = answer("I read.\n\n<read_it>\n<path>a</path>\n<lines>1-2</lines>\n</read_it>")
CAME = user("[read_it for 'a'] Result:", "hello", AROUND)
DONE = answer("<finish_it>\n<result>\nIt says hello.\n</result>\n</finish_it>")
TASKS = [TASK, READ, CAME, DONE]


def conversation(*messages: dict[str, Any]) -> Any:
    (piece,) = Messages().read({"messages": [*messages]})
    return piece.result.conversation


def test_tags_that_the_next_message_names_are_calls_and_what_follows_their_results() -> None:
    found = conversation(*TASKS)
    assert shape(found) == [
        ("user", f"<task>\nRead a.\n</task>\n{AROUND}", [], []),
        ("assistant", "I read.", ["read_it"], []),
        ("tool", "", [], ["ok"]),
        ("user", AROUND, [], []),
        ("assistant", "", ["finish_it"], []),
    ]
    assert calls_in(found) == [
        ("call 1 0", {"path": "a", "lines": "1-2"}), ("call 3 0", {"result": "It says hello."}),
    ]  # fmt: skip
    assert results_in(found) == [((1, 1), "hello")]


def test_a_result_in_the_same_text_and_contents_that_are_texts_are_read() -> None:
    found = conversation(
        {"role": "user", "content": f"<task>x</task>{AROUND}"},
        {"role": "assistant", "content": "<run>\n<command>ls</command>\n</run>"},
        {"role": "user", "content": "[run for 'ls'] Result:\nDone.\nOutput: a"},
        {"role": "assistant", "content": "Ok."},
    )
    assert calls_in(found) == [("call 1 0", {"command": "ls"})]
    assert results_in(found) == [((1, 0), "Done.\nOutput: a")]


def test_a_value_may_hold_tags_of_its_own() -> None:
    inner = "<a>1</a>\nand </content> and\n<b>2</b>"
    words = f"<write_it>\n<path>x</path>\n<content>\n{inner}\n</content>\n</write_it>"
    found = conversation(TASK, answer(words), user("[write_it for 'x'] Result:", "ok"), answer("!"))
    assert calls_in(found) == [("call 1 0", {"path": "x", "content": inner})]


def test_several_calls_of_one_answer_get_their_own_results() -> None:
    words = "One.\n<look>\n<at>1</at>\n</look>\nTwo.\n<look>\n<at>2</at>\n</look>\nSo."
    found = conversation(
        TASK, answer(words), user("[look for '1'] Result:", "a", "[look for '2'] Result:", "b"),
        answer("Done."),
    )  # fmt: skip
    assert calls_in(found) == [("call 1 0", {"at": "1"}), ("call 1 1", {"at": "2"})]
    assert results_in(found) == [((1, 1), "a"), ((1, 3), "b")]
    assert found.turns[1].text() == "One.\nTwo.\nSo."


@pytest.mark.parametrize(
    "words",
    ["The tool execution failed with the following error:\n<error>no</error>",
     "The user denied this operation."],
)  # fmt: skip
def test_a_result_that_says_that_it_failed_is_an_error(words: str) -> None:
    found = conversation(TASK, READ, user("[read_it for 'a'] Result:", words), DONE)
    assert shape(found)[2] == ("tool", "", [], ["error"])


def test_pictures_stay_with_the_result_that_they_are_of() -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png",
                                           "data": "aGk="}}  # fmt: skip
    came = {"role": "user", "content": [text("[read_it for 'a'] Result:"), picture]}
    found = conversation(TASK, READ, came, DONE)
    assert [part.type for part in found.turns[2].results()[0].parts] == ["media"]


def test_tags_without_a_result_are_words_but_for_those_that_end_it_all() -> None:
    html = answer("Use <b>bold</b> and <i>it</i>.")
    found = with_calls([TASK, html, user("Why?"), html])
    assert found == [TASK, html, user("Why?"), html]
    ends = answer("So <b>bold</b>")
    assert with_calls([TASK, ends]) == [TASK, ends]


def test_other_histories_stay_as_they_are() -> None:
    plain = [user("Read a."), READ, CAME, DONE]
    assert with_calls(plain) == plain
    assert with_calls([]) == []


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for place, one in enumerate(TASKS):
        for changed in (odd, {**one, "role": odd}, {**one, "content": odd},
                        {**one, "content": [odd, *one["content"]]},
                        {**one, "content": [{"type": "text", "text": odd}]}):  # fmt: skip
            with_calls([*TASKS[:place], changed, *TASKS[place + 1 :]])
