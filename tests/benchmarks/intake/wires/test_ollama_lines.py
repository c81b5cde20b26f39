import json
from typing import Any

import pytest

from benchmarks.intake.wires.ollama_lines import assembled_ollama
from benchmarks.intake.wires.stream import Assembled, Stream
from benchmarks.intake.wires.streams import events_of


def assembled(*lines: Any) -> Assembled:
    return assembled_ollama(events_of(Stream(text="\n".join(json.dumps(one) for one in lines))))


def said(done: bool = False, **message: Any) -> dict[str, Any]:
    return {"model": "m-1", "message": {"role": "assistant", **message}, "done": done}


def call(path: str) -> dict[str, Any]:
    return {"function": {"index": 0, "name": "read", "arguments": {"path": path}}}


def test_one_object_a_line_adds_up_to_the_answer() -> None:
    last = {**said(done=True, content=""), "done_reason": "stop", "eval_count": 3}
    found = assembled(said(thinking="hm"), said(content="Hel"), said(content="lo"), last)
    assert found == Assembled({
        "model": "m-1", "done": True, "done_reason": "stop", "eval_count": 3,
        "message": {"role": "assistant", "content": "Hello", "thinking": "hm"},
    })  # fmt: skip


def test_each_object_brings_new_calls_whatever_their_index() -> None:
    found = assembled(said(tool_calls=[call("a")]), said(tool_calls=[call("b")]), said(done=True))
    assert found.body["message"]["tool_calls"] == [call("a"), call("b")]


def test_a_stream_that_is_never_done_is_truncated() -> None:
    assert assembled(said(content="Hel")).truncated is True
    assert assembled().truncated is True


def test_an_error_fails_the_call() -> None:
    assert assembled(said(content="Hel"), {"error": "out of memory"}).error == "out of memory"


@pytest.mark.parametrize(
    "odd", [3, {"message": 3}, {"message": {"content": 3, "tool_calls": 3}}, {"done": 3}]
)
def test_nothing_in_a_line_has_to_be_what_it_should_be(odd: Any) -> None:
    found = assembled(odd)
    assert (found.body["message"], found.truncated) == ({"role": "assistant", "content": ""}, True)
