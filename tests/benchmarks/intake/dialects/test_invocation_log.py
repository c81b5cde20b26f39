from typing import Any

import pytest

from benchmarks.intake.dialect import Entry
from benchmarks.intake.dialects.invocation_log import InvocationLog
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.recognising import read_call
from benchmarks.intake.sources.parsing import Parser

LOG = InvocationLog()
ASKED = {"messages": [{"role": "user", "content": [{"text": "Hi"}]}], "inferenceConfig": {}}
SAID = {
    "output": {"message": {"role": "assistant", "content": [{"text": "Hello"}]}},
    "stopReason": "end_turn", "usage": {"inputTokens": 3, "outputTokens": 1, "totalTokens": 4},
}  # fmt: skip


def line(**more: Any) -> dict[str, Any]:
    return {
        "schemaType": "ModelInvocationLog", "timestamp": "2026-01-01T00:00:00Z",
        "region": "eu-west-1", "requestId": "r-1", "operation": "Converse",
        "modelId": "amazon.nova-lite-v1:0", "input": {"inputBodyJson": ASKED},
        "output": {"outputBodyJson": SAID}, **more,
    }  # fmt: skip


def entry(**more: Any) -> Entry:
    (only,) = LOG.entries(line(**more))
    return only


def test_a_line_of_the_log_is_one_and_nothing_else_is() -> None:
    assert LOG.detect(line())
    assert not LOG.detect(line(operation="Retrieve"))
    assert not LOG.detect(line(operation=["Converse"]))
    assert not LOG.detect(line(input="Hi"))
    assert not LOG.detect([line()])


def test_a_line_is_a_pair() -> None:
    host = "https://bedrock-runtime.eu-west-1.amazonaws.com"
    assert entry() == Entry(
        {
            "url": f"{host}/model/amazon.nova-lite-v1:0/converse", "method": "POST",
            "status": None, "timestamp": "2026-01-01T00:00:00Z", "request_id": "r-1",
            "request": ASKED, "response": SAID,
        },
        "",
    )  # fmt: skip


def test_its_bodies_are_read_by_the_wire_of_the_operation() -> None:
    call = read_call(entry().record, Parser(), None)
    assert call.dialect == "bedrock"
    assert isinstance(call.result, Reading)
    turns = call.result.conversation.turns
    assert [(turn.role, turn.text()) for turn in turns] == [("user", "Hi"), ("assistant", "Hello")]
    assert call.result.frame.captured_at == "2026-01-01T00:00:00.000Z"


def test_a_call_of_which_only_the_error_is_known_failed() -> None:
    record = entry(errorCode="ThrottlingException", output={}).record
    assert (record["status"], record["response"]) == (
        400, {"error": {"message": "ThrottlingException"}},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "where"),
    [({"inputBodyS3Path": "s3://logs/a"}, "s3://logs/a"), ({}, "not in the log")],
)
def test_a_request_that_was_put_elsewhere_is_named(asked: dict[str, Any], where: str) -> None:
    assert entry(input=asked).refused == Refused(Reason.NO_MESSAGES, f"the request is at {where}")
