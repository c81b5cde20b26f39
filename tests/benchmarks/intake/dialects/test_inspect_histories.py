import time
from typing import Any

import pytest

from benchmarks.intake.dialects.inspect_events import Conversations
from benchmarks.intake.dialects.inspect_histories import Histories, expanded, mark_of

SYSTEM = {"role": "system", "content": "Be brief."}
ASK = {"role": "user", "content": "1 + 1?"}
REPLY = {"role": "assistant", "content": "2"}
POOL = [{"n": at} for at in range(10)]


@pytest.mark.parametrize(
    ("refs", "places"),
    [
        ([[0, 3]], [0, 1, 2]),
        ([[0, 1], [3, 5], [9, 10]], [0, 3, 4, 9]),
        ([[8, 99], [-5, 1]], [8, 9, 0]),
        ([[5, 2]], []),
        ([[0], [1, "2"], None, [True, 2]], []),
        (None, []),
    ],
)
def test_ranges_stand_for_messages_of_the_pool(refs: Any, places: list[int]) -> None:
    assert [message["n"] for message in expanded(refs, POOL)] == places


def test_ranges_that_repeat_without_end_are_cut() -> None:
    assert len(expanded([[0, 10]] * 5_000, POOL)) == 20_000


def test_the_words_beside_calls_and_ids_make_no_difference() -> None:
    call = {"function": "add", "arguments": {"a": 1}}
    one = {"role": "assistant", "content": "Adding.", "tool_calls": [{**call, "id": "x"}]}
    other = {"role": "assistant", "content": "", "tool_calls": [{**call, "id": "y"}], "id": "m"}
    assert mark_of(one) == mark_of(other)
    assert mark_of(ASK) != mark_of({**ASK, "role": "tool"})


def test_a_beginning_without_an_answer_is_no_history() -> None:
    ends = Histories().ends([SYSTEM, ASK, REPLY, ASK])
    assert [bool(end) for end in ends] == [False, False, True, True]
    assert len(set(ends)) == 3


def test_system_texts_make_no_difference() -> None:
    histories = Histories()
    assert histories.ends([SYSTEM, ASK, REPLY])[-1] == histories.ends([ASK, REPLY])[-1]


def test_what_is_used_again_is_what_would_have_been_worked_out() -> None:
    histories = Histories()
    lists = [[ASK, REPLY], [ASK, REPLY, ASK, REPLY], [ASK], [], [SYSTEM, ASK, REPLY]]
    for messages in lists:
        assert histories.ends(messages) == Histories().ends(messages)


def test_a_log_that_keeps_every_message_once_is_read_fast() -> None:
    pool: list[dict[str, Any]] = [ASK]
    events = []
    for turn in range(2_000):
        call = {"id": f"c{turn}", "function": "add", "arguments": {"n": turn}}
        answer = {"role": "assistant", "content": "", "tool_calls": [call]}
        output = {"choices": [{"message": answer}]}
        events.append({
            "event": "model",
            "input": [],
            "input_refs": [[0, len(pool)]],
            "output": output,
        })
        pool += [answer, {"role": "tool", "content": str(turn), "tool_call_id": f"c{turn}"}]
    start = time.process_time()
    (one,) = Conversations({}, pool).read(events).found
    assert len(one.said) == 4_000
    assert time.process_time() - start < 5
