from typing import Any

import pytest

from benchmarks.intake.dialects.batch import Batch
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.records.digest import json_digest

BATCH = Batch()
SAID = {"object": "chat.completion", "choices": []}


def asked(text: str = "Hi", custom_id: str = "q-1") -> dict[str, Any]:
    body = {"messages": [{"role": "user", "content": text}]}
    return {
        "custom_id": custom_id, "method": "POST", "url": "/v1/chat/completions", "body": body,
    }  # fmt: skip


def came(body: Any = None, status: int = 200, custom_id: str = "q-1") -> dict[str, Any]:
    response = {"status_code": status, "request_id": "r", "body": SAID if body is None else body}
    return {"id": "b-1", "custom_id": custom_id, "response": response, "error": None}


def found(record: dict[str, Any], place: str = "f#L1") -> Found:
    digest = json_digest(record)
    return Found(record, place, digest, digest, "f", "c")


def calls(*records: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """Where each call starts, the text it asked, and its answer."""
    entries = BATCH.joined([found(record) for record in records])
    assert all(entry.refused is None for entry in entries)
    return [
        (entry.within, _text(entry.record["request"]), entry.record["response"])
        for entry in entries
    ]


def _text(request: Any) -> Any:
    return request["messages"][0]["content"] if request else None


@pytest.mark.parametrize(
    "record",
    [
        asked(),
        came(),
        {"custom_id": "1", "response": None, "error": {"code": "expired", "message": "too late"}},
        {"custom_id": "1", "params": {"messages": []}},
        {"custom_id": "1", "result": {"type": "expired"}},
    ],
)
def test_a_half_of_a_call_is_one(record: Any) -> None:
    assert BATCH.detect(record)


@pytest.mark.parametrize(
    "record",
    [{"custom_id": "1"}, {"custom_id": "1", "body": {}}, {"custom_id": "1", "response": {}},
     {"custom_id": "1", "response": None, "error": None}, {"custom_id": "1", "result": {}},
     {"method": "POST", "url": "/", "body": {}}, [], None,
     {**asked(), "response": {"choices": []}}],
)  # fmt: skip
def test_other_records_are_none(record: Any) -> None:
    assert not BATCH.detect(record)


def test_the_key_is_the_id_that_was_given() -> None:
    assert BATCH.key(found(asked(custom_id="q-7"))) == "q-7"
    assert BATCH.key(found({"custom_id": 7, "params": {}})) == "7"
    assert BATCH.key(found({"custom_id": None, "params": {}})) == ""


def test_a_request_and_its_answer_are_one_call_in_either_order() -> None:
    assert calls(asked(), came()) == [("0", "Hi", SAID)]
    assert calls(came(), asked()) == [("1", "Hi", SAID)]


def test_what_is_known_of_a_call() -> None:
    (entry,) = BATCH.joined([found(asked()), found(came(status=429))])
    assert entry.record == {
        "id": "q-1", "url": "/v1/chat/completions", "method": "POST", "status": 429,
        "request": asked()["body"], "response": SAID,
    }  # fmt: skip


def test_a_half_without_its_other_half_stays() -> None:
    assert calls(asked()) == [("0", "Hi", None)]
    assert calls(came()) == [("0", None, SAID)]


def test_an_id_that_is_used_again_is_a_new_call() -> None:
    first, second = {"choices": [1]}, {"choices": [2]}
    assert calls(asked("a"), asked("b"), came(first), came(second)) == [
        ("0", "a", first), ("1", "b", second),
    ]  # fmt: skip
    assert calls(asked("a"), came(first), asked("b")) == [("0", "a", first), ("2", "b", None)]


def test_a_further_answer_is_one_to_the_same_request() -> None:
    first, second = {"error": {"message": "busy"}}, {"choices": [2]}
    assert calls(asked("a"), came(first, 500), came(second)) == [
        ("0", "a", first), ("2", "a", second),
    ]  # fmt: skip


def test_a_line_that_stands_there_twice_is_the_same_call_twice() -> None:
    assert calls(asked(), came(), asked(), came()) == [("0", "Hi", SAID), ("2", "Hi", SAID)]
    assert calls(came(), came()) == [("0", None, SAID), ("1", None, SAID)]
    assert calls(asked("a"), asked("a"), asked("b"), came({"n": 1}), came({"n": 2})) == [
        ("0", "a", {"n": 1}), ("2", "b", {"n": 2}), ("1", "a", {"n": 1}),
    ]  # fmt: skip


def test_a_line_with_both_halves_is_a_call() -> None:
    assert calls({**asked(), **came()}) == [("0", "Hi", SAID)]


def test_halves_without_an_id_are_nobodys() -> None:
    halves = [found(asked(custom_id="")), found(came(custom_id=""))]
    assert [(entry.within, entry.refused) for entry in BATCH.joined(halves)] == [
        ("0", Refused(Reason.MISSING_IDS, "no custom_id")),
        ("1", Refused(Reason.MISSING_IDS, "no custom_id")),
    ]
    both = found({**asked(custom_id=""), **came(custom_id="")})
    assert [entry.refused for entry in BATCH.joined([both])] == [None]


def test_a_call_that_was_never_made_is_a_failed_one() -> None:
    error = {"code": "batch_expired", "message": "too late"}
    missed = {"custom_id": "q-1", "response": None, "error": error}
    (entry,) = BATCH.joined([found(asked()), found(missed)])
    assert (entry.record["status"], entry.record["response"]) == (500, {"error": error})


def test_the_form_with_params_and_result() -> None:
    request = {"custom_id": "q-1", "params": asked()["body"]}
    message = {"type": "message", "content": []}
    answer = {"custom_id": "q-1", "result": {"type": "succeeded", "message": message}}
    (entry,) = BATCH.joined([found(request), found(answer)])
    assert entry.record == {
        "id": "q-1", "url": "/v1/messages", "method": "POST", "status": None,
        "request": asked()["body"], "response": message,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("result", "response"),
    [
        ({"type": "errored", "error": {"error": {"message": "no"}}}, {"error": {"message": "no"}}),
        ({"type": "expired"}, {"error": {"message": "expired"}}),
    ],
)
def test_a_result_without_a_message_is_a_failed_call(result: Any, response: Any) -> None:
    request = {"custom_id": "q-1", "params": asked()["body"]}
    (entry,) = BATCH.joined([found(request), found({"custom_id": "q-1", "result": result})])
    assert (entry.record["status"], entry.record["response"]) == (500, response)


@pytest.mark.parametrize("odd", [None, 1, "x", [], {}, [None], {"body": 1}, True])
@pytest.mark.parametrize("key", ["custom_id", "body", "url", "method", "response", "error"])
def test_a_field_of_any_shape_raises_nothing(key: str, odd: Any) -> None:
    assert list(BATCH.joined([found({**asked(), key: odd}), found({**came(), key: odd})]))
