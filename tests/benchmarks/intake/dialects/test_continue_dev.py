import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.intake.dialects.continue_dev import ContinueSession
from benchmarks.intake.ingest import IntakeOptions, ingest
from tests.benchmarks.intake.shapes import ODD, calls_in, results_in, shape

DIALECT = ContinueSession()
CALL = {"id": "c1", "type": "function",
        "function": {"name": "read_file", "arguments": '{"path": "a"}'}}  # fmt: skip


def state(status: str, *texts: str) -> dict[str, Any]:
    output = [{"name": "a", "description": "", "content": one} for one in texts]
    return {"toolCallId": "c1", "toolCall": CALL, "status": status, "output": output}


def entry(role: str, content: Any, *states: Any, **message: Any) -> dict[str, Any]:
    return {"message": {"role": role, "content": content, **message}, "contextItems": [],
            "toolCallStates": [*states]}  # fmt: skip


ASK = entry("user", "Read a.")
CALLS = entry("assistant", "I read.", state("done", "hello", "more"), toolCalls=[CALL])
SAYS = entry("assistant", "It says hello.")
WHOLE = [
    ("user", "Read a.", [], []),
    ("assistant", "I read.", ["read_file"], []),
    ("tool", "", [], ["ok"]),
    ("assistant", "It says hello.", [], []),
]


def read(folder: Path, *history: Any) -> Any:
    path = folder / "session.json"
    record = {"sessionId": "s-1", "title": "t", "workspaceDirectory": "/w", "history": [*history]}
    path.write_text(json.dumps(record), encoding="utf-8")
    found = ingest([path], options=IntakeOptions(now=datetime(2026, 6, 1, tzinfo=UTC)))
    (capture,) = found.captures
    return capture.conversation


def test_results_beside_a_call_are_told_where_no_message_holds_them(tmp_path: Path) -> None:
    found = read(tmp_path, ASK, CALLS, SAYS)
    assert shape(found) == WHOLE
    assert (calls_in(found), results_in(found)) == (
        [("c1", {"path": "a"})], [((1, 1), "hello\nmore")],
    )  # fmt: skip


def test_a_message_with_the_result_counts_once(tmp_path: Path) -> None:
    found = read(tmp_path, ASK, CALLS, entry("tool", "hello", toolCallId="c1"), SAYS)
    assert (shape(found), results_in(found)) == (WHOLE, [((1, 1), "hello")])


def test_a_call_that_was_stopped_is_an_error_and_a_thought_is_hidden(tmp_path: Path) -> None:
    stopped = entry("assistant", "", state("canceled", "no"), toolCalls=[CALL])
    found = read(tmp_path, ASK, entry("thinking", "hm"), stopped, SAYS)
    assert [part.type for part in found.turns[1].parts] == ["reasoning"]
    assert shape(found)[3] == ("tool", "", [], ["error"])


@pytest.mark.parametrize(
    "record",
    [{}, [], {"sessionId": "s"}, {"sessionId": "s", "history": []},
     {"sessionId": "s", "history": [{"role": "user"}]}, {"sessionId": "s", "history": [3]},
     {"history": [{"message": {"role": "user"}}]},
     {"sessionId": "s", "history": [{"message": {"role": 3}}]}],
)  # fmt: skip
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for one in (CALLS, SAYS, entry("tool", "x", toolCallId="c1")):
        for key in ("content", "toolCalls", "toolCallId"):
            changed = {**one, "message": {**one["message"], key: odd}}
            assert list(DIALECT.entries({"sessionId": odd, "history": [ASK, changed, odd]}))
        for states in (odd, [odd], [{"toolCallId": odd, "output": odd}],
                       [{"output": [odd], "status": odd}]):  # fmt: skip
            changed = {**one, "toolCallStates": states}
            assert list(DIALECT.entries({"sessionId": "s", "history": [ASK, changed]}))
