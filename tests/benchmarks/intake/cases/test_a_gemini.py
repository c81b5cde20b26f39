"""Reported faults of trace importers, the Gemini wire: the right value of each."""

import json
from typing import Any

import pytest

from benchmarks.intake.reading import Reading
from benchmarks.intake.recognising import read_call
from benchmarks.intake.sources.parsing import Parser

ASK = {"role": "user", "parts": [{"text": "Make two files and run the tests."}]}
URL = "https://generativelanguage.googleapis.com/v1beta/models/g-9:streamGenerateContent"
CALLS = [
    {"name": "write", "args": {"path": "a"}},
    {"name": "write", "args": {"path": "b"}},
    {"name": "run", "args": {}},
]
SPREADS = [[1, 1, 1], [2, 1], [1, 2], [3]]
"""How many calls each chunk holds."""


def chunks(spread: list[int]) -> list[dict[str, Any]]:
    left = iter(CALLS)
    held = [[{"functionCall": next(left)} for _ in range(count)] for count in spread]
    found: list[dict[str, Any]] = [
        {"candidates": [{"index": 0, "content": {"role": "model", "parts": parts}}]}
        for parts in held
    ]
    found[-1]["candidates"][0]["finishReason"] = "STOP"
    return found


@pytest.mark.parametrize("as_events", [True, False])
@pytest.mark.parametrize("spread", SPREADS)
def test_a05_parallel_calls_are_counted_over_the_whole_stream(
    spread: list[int], as_events: bool
) -> None:
    found = chunks(spread)
    text = "".join(f"data: {json.dumps(one)}\r\n\r\n" for one in found)
    record = {
        "url": URL, "status": 200, "request": {"contents": [ASK]},
        "response_raw": {"text": text if as_events else json.dumps(found)},
    }  # fmt: skip
    read = read_call(record, Parser(), None).result
    assert isinstance(read, Reading)
    (_, turn) = read.conversation.turns
    calls = [(place, part.call_id, part.name) for place, part in enumerate(turn.calls())]
    assert calls == [(0, "call-1", "write"), (1, "call-2", "write"), (2, "call-3", "run")]
    assert [call.arguments for call in turn.calls()] == [{"path": "a"}, {"path": "b"}, {}]
    assert [issue.code for issue in read.conversation.issues] == ["missing_usage"]
