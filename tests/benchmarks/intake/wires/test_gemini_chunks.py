import json
from typing import Any

import pytest

from benchmarks.intake.wires.gemini_chunks import assembled_chunks
from benchmarks.intake.wires.stream import Assembled, Stream


def chunk(*parts: Any, finish: str | None = None, index: int | None = None, **more: Any) -> Any:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}}
    if finish:
        candidate["finishReason"] = finish
    if index is not None:
        candidate["index"] = index
    return {"candidates": [candidate], **more}


def called(name: str, **args: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": args}}


def sse(*chunks: Any) -> str:
    return "".join(f"data: {json.dumps(one)}\r\n\r\n" for one in chunks)


def assembled(*chunks: Any) -> Assembled:
    return assembled_chunks(Stream(text=sse(*chunks)))


def parts(*chunks: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = assembled(*chunks).body["candidates"][0]["content"]["parts"]
    return found


HELLO = (
    chunk({"text": "Hel"}, usageMetadata={"promptTokenCount": 9}, responseId="r", modelVersion="m"),
    chunk({"text": "lo"}, usageMetadata={"promptTokenCount": 8, "candidatesTokenCount": 2}),
    chunk({"text": ""}, finish="STOP", usageMetadata={"promptTokenCount": 7}, responseId="s"),
)
BODY = {
    "usageMetadata": {"promptTokenCount": 7}, "responseId": "r", "modelVersion": "m",
    "candidates": [
        {"content": {"role": "model", "parts": [{"text": "Hello"}]}, "finishReason": "STOP"}
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    "stream",
    [
        Stream(text=sse(*HELLO)),
        Stream(chunks=HELLO),
        Stream(text=json.dumps(HELLO, indent=1)),
        Stream(data=sse(*HELLO).encode()),
    ],
)
def test_events_and_an_array_of_chunks_are_the_body_of_the_same_call(stream: Stream) -> None:
    assert assembled_chunks(stream) == Assembled(BODY)


def test_parallel_calls_in_different_chunks_keep_their_order_over_the_whole_stream() -> None:
    assert parts(
        chunk(called("get", n=1)), chunk(called("get", n=2), called("get", n=3)),
        chunk({"text": ""}, finish="STOP"),
    ) == [called("get", n=1), called("get", n=2), called("get", n=3), {"text": ""}]  # fmt: skip


def test_thoughts_and_texts_are_joined_apart() -> None:
    assert parts(
        chunk({"text": "I ", "thought": True}), chunk({"text": "think", "thought": True}),
        chunk({"text": "so"}), chunk(called("get")), chunk({"text": "!"}, finish="STOP"),
    ) == [
        {"text": "I think", "thought": True}, {"text": "so"}, called("get"), {"text": "!"},
    ]  # fmt: skip


def test_a_signature_that_comes_late_does_not_split_a_text() -> None:
    assert parts(chunk({"text": "a"}), chunk({"text": "b", "thoughtSignature": "s"})) == [
        {"text": "ab", "thoughtSignature": "s"}
    ]


def test_one_candidate_index_at_a_time() -> None:
    found = assembled(
        chunk({"text": "b"}, index=1), chunk({"text": "a"}, index=0),
        chunk({"text": "B"}, index=1, finish="STOP"), chunk({"text": "A"}, finish="STOP"),
    )  # fmt: skip
    assert not found.truncated
    assert [one["content"]["parts"] for one in found.body["candidates"]] == [
        [{"text": "aA"}], [{"text": "bB"}],
    ]  # fmt: skip


def test_without_a_finish_reason_the_stream_broke_off() -> None:
    found = assembled(chunk({"text": "Hel"}))
    assert found.truncated
    assert found.body["candidates"][0]["content"]["parts"] == [{"text": "Hel"}]


def test_an_array_that_breaks_off_gives_the_chunks_before_it() -> None:
    whole = json.dumps(HELLO)
    found = assembled_chunks(Stream(text=whole[: whole.index('{"candidates"', 50) + 40]))
    assert found.truncated
    assert found.body["candidates"][0]["content"]["parts"] == [{"text": "Hel"}]


def test_an_answer_without_parts_is_an_answer() -> None:
    found = assembled({
        "candidates": [{"content": {"role": "model"}, "finishReason": "MAX_TOKENS"}]
    })
    assert found == Assembled({
        "candidates": [{"content": {"role": "model", "parts": []}, "finishReason": "MAX_TOKENS"}]
    })


def test_a_prompt_that_was_blocked_has_no_candidates_and_is_whole() -> None:
    feedback = {"promptFeedback": {"blockReason": "SAFETY"}}
    assert assembled(feedback) == Assembled(feedback)


def test_an_error_event_is_a_failed_call() -> None:
    error = {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}
    assert assembled(chunk({"text": "Hel"}), error) == Assembled(None, error="overloaded")
    assert assembled_chunks(Stream(chunks=(error,))) == Assembled(None, error="overloaded")


@pytest.mark.parametrize(
    "odd",
    [
        None, 1, "text", [], {}, {"candidates": 1}, {"candidates": [None, 1]},
        {"candidates": [{"content": []}]}, {"candidates": [{"content": {"parts": {}}}]},
        {"candidates": [{"content": {"parts": [None, 1, "x", {}]}, "index": True}]},
        {"usageMetadata": None},
    ],
)  # fmt: skip
def test_chunks_of_any_shape_cost_nothing_else(odd: Any) -> None:
    found = assembled_chunks(Stream(chunks=(odd, chunk({"text": "Hi"}, finish="STOP"))))
    assert found.body["candidates"][0]["content"]["parts"][-1] == {"text": "Hi"}


def test_what_holds_no_chunk_gives_no_body() -> None:
    assert assembled_chunks(Stream(text="data: nothing\n\n")) == Assembled(None, truncated=True)
    assert assembled_chunks(Stream()) == Assembled(None)


def test_a_long_stream_is_read_in_a_moment() -> None:
    many = [chunk({"text": "some words "}) for _ in range(20_000)]
    found = assembled_chunks(Stream(chunks=(*many, chunk({"text": "."}, finish="STOP"))))
    (text,) = (part["text"] for part in found.body["candidates"][0]["content"]["parts"])
    assert text == "some words " * 20_000 + "."
