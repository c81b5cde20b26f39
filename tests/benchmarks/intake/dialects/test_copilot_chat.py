from typing import Any

import pytest

from benchmarks.intake.dialects.copilot_chat import CopilotChat
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.shapes import ODD, calls_in, reading_of, results_in, shape

DIALECT = CopilotChat()


def round_of(words: str, *calls: str, **more: Any) -> dict[str, Any]:
    asked = [{"id": one, "name": "read_file", "arguments": f'{{"path": "{one}"}}'} for one in calls]
    return {"response": words, "toolCalls": asked, "toolInputRetry": 0, "id": "r", **more}


def request(asked: str, *rounds: dict[str, Any], **more: Any) -> dict[str, Any]:
    returned = {"c1": {"$mid": 20, "content": [{"$mid": 21, "value": "hello"}]},
                "c2": {"content": [{"value": {"node": 1}}, {"value": ""}]}}  # fmt: skip
    metadata = {"toolCallRounds": [*rounds], "toolCallResults": returned}
    return {"requestId": "q", "message": {"text": asked, "parts": []}, "modelId": "copilot/m-1",
            "timestamp": 1_777_629_600_250, "response": [{"value": "Shown."}, {"kind": "x"}],
            "result": {"metadata": metadata}, **more}  # fmt: skip


FIRST = request(
    "Read both.", round_of("I read.", "c1", "c2", thinking={"text": ["h", "m"]}),
    round_of("One says hello."),
)  # fmt: skip
PLAIN = request("Thanks.")


def read(*requests: Any, **more: Any) -> Reading:
    record = {"requesterUsername": "u", "responderUsername": "Copilot", "requests": [*requests]}
    assert DIALECT.detect(record)
    return reading_of(list(DIALECT.read({**record, **more})))


def test_rounds_of_calls_are_turns_and_shown_words_the_answer_without_them() -> None:
    found = read(FIRST, PLAIN).conversation
    assert shape(found) == [
        ("user", "Read both.", [], []),
        ("assistant", "I read.", ["read_file", "read_file"], []),
        ("tool", "", [], ["ok", "ok"]),
        ("assistant", "One says hello.", [], []),
        ("user", "Thanks.", [], []),
        ("assistant", "Shown.", [], []),
    ]
    assert calls_in(found) == [("c1", {"path": "c1"}), ("c2", {"path": "c2"})]
    assert results_in(found) == [((1, 2), "hello"), ((1, 3), {"node": 1})]
    assert found.turns[1].parts[0].text == "hm"
    assert (found.dialect, found.end.reason, found.issues) == ("copilot_chat", "reply", [])


def test_session_model_and_times_are_kept() -> None:
    got = read(FIRST, sessionId="s-1")
    assert (got.frame.identity.session_id, got.frame.routing.requested_model) == ("s-1", "m-1")
    assert (got.conversation.turns[1].model, got.conversation.turns[0].at) == (
        "m-1", "2026-05-01T10:00:00.250Z",
    )  # fmt: skip


def test_a_request_that_failed_is_the_end() -> None:
    failed = {**PLAIN, "response": [], "result": {"errorDetails": {"message": "quota"}}}
    end = read(failed).conversation.end
    assert (end.reason, end.detail) == ("error", "quota")


def test_a_session_without_a_request_is_no_conversation() -> None:
    (piece,) = DIALECT.read({"requests": [], "responderUsername": "x"})
    assert piece.result == Refused(Reason.NO_MESSAGES, "a session without a request")


@pytest.mark.parametrize(
    "record",
    [{}, [], {"requests": []}, {"requests": {}, "responderUsername": "x"}, {"requests": 3}],
)
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for key in FIRST:
        record = {"requests": [{**FIRST, key: odd}, odd, PLAIN], "responderUsername": "x"}
        assert list(DIALECT.read(record))
    whole = FIRST["result"]["metadata"]
    for key in whole:
        changed = {**FIRST, "result": {"metadata": {**whole, key: odd}}}
        assert list(DIALECT.read({"requests": [changed], "responderUsername": odd}))
    for key in ("response", "toolCalls", "thinking"):
        changed = request("x", {**round_of("y", "c1"), key: odd}, odd)
        assert list(DIALECT.read({"requests": [changed], "responderUsername": "x"}))
    returned = {"toolCallRounds": [round_of("y", "c1")], "toolCallResults": {"c1": odd}}
    assert list(DIALECT.read({"requests": [{**FIRST, "result": {"metadata": returned}}]}))
