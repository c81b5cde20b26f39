from typing import Any

import pytest

from benchmarks.intake.sources.found import Found
from benchmarks.intake.taking import Group, Kept, Taker, Waiting
from tests.benchmarks.intake.planted import KEY_CHARS

SECRET = KEY_CHARS[:24]


def taken(record: Any) -> Kept:
    (outcome,) = Taker(redact=True).take(Found(record, "f#L1", "", "", "f", ""))
    assert isinstance(outcome, Kept)
    return outcome


def chat(arguments: str) -> dict[str, Any]:
    call = {"id": "a", "type": "function", "function": {"name": "go", "arguments": arguments}}
    answer = {"choices": [{"message": {"role": "assistant", "tool_calls": [call]}}]}
    return {"request": {"messages": [{"role": "user", "content": "hi"}]}, "response": answer}


@pytest.mark.parametrize(
    "arguments",
    [
        '{"a": 1}{"note": "\\u0073k-S"}',
        '{"password": [["S"]]}{"a": 1}',
        '{"a": 1} {"credentials": {"value": "S"}}',
        "{'headers': [('x-api-key', 'S')]}",
        "{'password': [['S']]}",
    ],
)
def test_a_secret_that_only_taking_arguments_apart_shows_goes_and_is_counted(
    arguments: str,
) -> None:
    kept = taken(chat(arguments.replace("S", SECRET)))
    assert SECRET not in str(kept.capture.dump())
    assert sum((kept.capture.secrets or {}).values()) == 1


def test_what_holds_no_secret_is_read_as_it_was() -> None:
    (turn,) = taken(chat('{"a": 1}{"b": 2}')).capture.conversation.turns[1:]
    assert [part.dump()["arguments"] for part in turn.parts] == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize("half", [1, 12, 20])
def test_a_secret_in_the_pieces_of_an_answer_goes(half: int) -> None:
    tokens = [f"the key is sk-{SECRET[:half]}", f"{SECRET[half:]}."]
    run = {
        "run_type": "llm", "id": "r1", "trace_id": "t1", "name": "ChatOpenAI",
        "inputs": {"messages": [{"role": "user", "content": "hi"}]}, "outputs": {},
        "events": [{"name": "new_token", "kwargs": {"token": token}} for token in tokens],
    }  # fmt: skip
    taker = Taker(redact=True)
    (waiting,) = taker.take(Found(run, "f#L1", "", "", "f", ""))
    assert isinstance(waiting, Waiting)
    group = Group(waiting.dialect, waiting.keys[0], [waiting.found], [waiting.secrets])
    (kept,) = taker.take_group(group)
    assert isinstance(kept, Kept)
    assert kept.capture.conversation.turns[-1].text() == "the key is [redacted:api_key]."
    assert kept.capture.secrets == {"api_key": 1}


@pytest.mark.parametrize("half", [1, 12, 20])
def test_a_secret_in_the_pieces_of_a_shown_answer_goes(half: int) -> None:
    pieces = [f"the key is sk-{SECRET[:half]}", f"{SECRET[half:]}."]
    request = {"message": {"text": "hi"}, "response": [{"value": piece} for piece in pieces]}
    kept = taken({"requests": [request], "responderUsername": "x"})
    assert kept.capture.conversation.turns[1].text() == "the key is [redacted:api_key]."
    assert SECRET not in str(kept.capture.dump())


def test_a_secret_in_a_call_that_is_written_as_tags_goes() -> None:
    words = f"<log_in>\n<user>a</user>\n<password>{SECRET}</password>\n</log_in>"
    kept = taken({"messages": [
        {"role": "user", "content": "<environment_details>"},
        {"role": "assistant", "content": words},
        {"role": "user", "content": "[log_in] Result: ok"},
        {"role": "assistant", "content": "Done."},
    ]})  # fmt: skip
    assert [call.name for call in kept.capture.conversation.turns[1].calls()] == ["log_in"]
    assert SECRET not in str(kept.capture.dump())
