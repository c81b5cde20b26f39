import base64
import json
from typing import Any

import pytest

from benchmarks.intake.wires.chat_chunks import assembled_completion
from benchmarks.intake.wires.stream import Assembled, Stream
from benchmarks.intake.wires.streams import events_of

DONE = "data: [DONE]\n\n"


def chunk(delta: dict[str, Any], index: int = 0, reason: str | None = None, **more: Any) -> dict:
    choice = {"index": index, "delta": delta, "finish_reason": reason}
    return {"id": "c-1", "object": "chat.completion.chunk", "model": "m-1",
            "choices": [choice], **more}  # fmt: skip


def call(index: int | None, arguments: Any = None, **about: Any) -> dict[str, Any]:
    inner = {"name": about["name"]} if "name" in about else {}
    inner |= {"arguments": arguments} if arguments is not None else {}
    place = {"index": index} if index is not None else {}
    name = {"id": about["raw_id"]} if "raw_id" in about else {}
    return {**place, **name, "function": inner}


def assembled(*chunks: dict[str, Any], end: str = DONE) -> Assembled:
    text = "".join(f"data: {json.dumps(item)}\n\n" for item in chunks)
    return assembled_completion(events_of(Stream(text=text + end)))


def message(*chunks: dict[str, Any]) -> dict[str, Any]:
    return assembled(*chunks).body["choices"][0]["message"]


def calls(*deltas: dict[str, Any]) -> list[tuple[Any, str, Any]]:
    found = message(*[chunk({"tool_calls": [delta]}) for delta in deltas])
    return [
        (item.get("id"), item["function"]["name"], item["function"].get("arguments"))
        for item in found["tool_calls"]
    ]


def test_chunks_add_up_to_the_completion_they_stand_for() -> None:
    found = assembled(
        chunk({"role": "assistant", "content": ""}, created=7),
        chunk({"content": "On "}),
        chunk({"content": "it."}, reason="stop"),
    )
    assert found == Assembled({
        "id": "c-1", "model": "m-1", "created": 7, "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "On it."},
                     "finish_reason": "stop"}],
    })  # fmt: skip


def test_usage_comes_in_a_last_chunk_without_choices() -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 2}
    last = {"id": "c-1", "choices": [], "usage": usage}
    assert assembled(chunk({"content": "x"}, usage=None), last).body["usage"] == usage


def test_usage_of_one_host_is_the_same_usage_in_another_place() -> None:
    usage = {"prompt_tokens": 3}
    found = assembled(chunk({"content": "x"}, x_groq={"id": "r", "usage": usage}))
    assert found.body["usage"] == usage
    assert "x_groq" not in found.body


def test_parallel_calls_by_index() -> None:
    assert calls(
        call(0, "", raw_id="a", name="get"), call(0, '{"x":'), call(1, "", raw_id="b", name="put"),
        call(1, '{"y":'), call(0, "1}"), call(1, "2}"),
    ) == [("a", "get", '{"x":1}'), ("b", "put", '{"y":2}')]  # fmt: skip


def test_a_new_id_on_a_used_index_opens_a_new_call() -> None:
    assert calls(
        call(0, '{"x":1}', raw_id="a", name="get"), call(0, '{"x":', raw_id="b", name="get"),
        call(0, "2}"),
    ) == [("a", "get", '{"x":1}'), ("b", "get", '{"x":2}')]  # fmt: skip


def test_deltas_of_two_ids_on_one_index_stay_with_their_id() -> None:
    assert calls(
        call(0, '{"x":', raw_id="a", name="get"), call(0, '{"y":', raw_id="b", name="put"),
        call(0, "1}", raw_id="a"), call(0, "2}", raw_id="b"),
    ) == [("a", "get", '{"x":1}'), ("b", "put", '{"y":2}')]  # fmt: skip


def test_without_ids_whole_arguments_behind_whole_ones_are_a_new_call() -> None:
    assert calls(call(0, '{"p":"a"}', name="read"), call(0, '{"p":"b"}', name="read")) == [
        (None, "read", '{"p":"a"}'), (None, "read", '{"p":"b"}'),
    ]  # fmt: skip


def test_a_name_that_is_said_again_with_every_delta_is_one_name() -> None:
    assert calls(
        call(0, '{"p":', raw_id="a", name="read"), call(0, '"b"}', raw_id="a", name="read")
    ) == [("a", "read", '{"p":"b"}')]


def test_a_name_may_come_in_pieces() -> None:
    assert calls(
        call(0, raw_id="a", name="get_"), call(0, name="weather"), call(0, "{}"), call(0, "")
    ) == [("a", "get_weather", "{}")]


def test_an_id_may_come_late_or_never() -> None:
    assert calls(call(0, name="get"), call(0, "{}", raw_id="a")) == [("a", "get", "{}")]
    assert calls(call(0, "{}", name="get", raw_id="")) == [(None, "get", "{}")]


def test_without_an_index_a_delta_goes_on_with_the_newest_call() -> None:
    assert calls(
        call(None, '{"x":', raw_id="a", name="get"), call(None, "1}"),
        call(None, "{}", raw_id="b", name="put"),
    ) == [("a", "get", '{"x":1}'), ("b", "put", "{}")]  # fmt: skip


def test_absent_arguments_stay_absent_and_a_value_stays_a_value() -> None:
    assert calls(call(0, raw_id="a", name="now")) == [("a", "now", None)]
    assert calls(call(0, {"x": 1}, raw_id="a", name="get")) == [("a", "get", {"x": 1})]
    assert len(calls(call(0, {"x": 1}, name="get"), call(0, {"x": 2}, name="get"))) == 2


def test_choices_are_apart_before_calls_are() -> None:
    found = assembled(
        chunk({"tool_calls": [call(0, '{"x":', raw_id="a", name="get")]}, index=1),
        chunk({"tool_calls": [call(0, '{"x":1}', raw_id="b", name="get")]}, index=0),
        chunk({"tool_calls": [call(0, "2}")]}, index=1),
    ).body["choices"]
    assert [(item["index"], item["message"]["tool_calls"][0]["id"],
             item["message"]["tool_calls"][0]["function"]["arguments"]) for item in found] == [
        (0, "b", '{"x":1}'), (1, "a", '{"x":2}'),
    ]  # fmt: skip


def test_a_legacy_function_call_in_pieces() -> None:
    found = message(
        chunk({"function_call": {"name": "get", "arguments": ""}}),
        chunk({"function_call": {"arguments": '{"x":'}}),
        chunk({"function_call": {"arguments": "1}"}}),
    )
    assert found["function_call"] == {"name": "get", "arguments": '{"x":1}'}


def test_a_custom_call_takes_text() -> None:
    first = {"index": 0, "id": "a", "type": "custom", "custom": {"name": "sh", "input": "l"}}
    rest = {"index": 0, "custom": {"input": "s"}}
    found = message(chunk({"tool_calls": [first]}), chunk({"tool_calls": [rest]}))
    assert found["tool_calls"] == [
        {"id": "a", "type": "custom", "custom": {"name": "sh", "input": "ls"}}
    ]


@pytest.mark.parametrize("key", ["reasoning", "reasoning_content"])
def test_thought_is_joined(key: str) -> None:
    found = message(chunk({key: "h"}), chunk({key: "m", "content": None}))
    assert (found[key], found["content"]) == ("hm", None)


def test_thought_under_both_keys_is_said_once() -> None:
    found = message(chunk({"reasoning": "hm", "reasoning_content": "hm"}))
    assert found == {"role": "assistant", "content": None, "reasoning_content": "hm"}


def test_content_may_come_as_parts_and_refusals_apart() -> None:
    text = {"type": "text", "text": "Look"}
    image = {"type": "image_url", "image_url": {"url": "u"}}
    found = message(
        chunk({"content": [text, text]}), chunk({"content": [image]}), chunk({"content": "ok"}),
        chunk({"refusal": "N"}), chunk({"refusal": "o"}),
    )  # fmt: skip
    assert found["content"] == [
        {"type": "text", "text": "LookLook"}, image, {"type": "text", "text": "ok"},
    ]  # fmt: skip
    assert found["refusal"] == "No"


def test_what_no_rule_knows_of_a_message_is_kept() -> None:
    assert message(chunk({"annotations": [1]}), chunk({"annotations": None}))["annotations"] == [1]


@pytest.mark.parametrize(
    ("reason", "end", "truncated"),
    [("stop", DONE, False), ("stop", "", False), (None, DONE, False), (None, "", True),
     ("stop", 'data: {"cho', True)],
)  # fmt: skip
def test_a_stream_without_an_end_is_truncated(reason: str, end: str, truncated: bool) -> None:
    assert assembled(chunk({"content": "x"}, reason=reason), end=end).truncated is truncated


def test_no_choice_of_several_may_lack_its_end() -> None:
    whole, cut = chunk({"content": "x"}, reason="stop"), chunk({"content": "y"}, index=1)
    assert assembled(whole, cut, end="").truncated is True


def test_an_error_event_fails_the_call() -> None:
    end = 'event: error\ndata: {"error": {"message": "no such key", "code": 400}}\n\n'
    found = assembled(chunk({"content": "x"}), end=end)
    assert found.error == "no such key"


def test_an_error_beside_choices_fails_the_call_too() -> None:
    found = assembled(chunk({"content": ""}, reason="stop", error={"code": 400, "message": "full"}))
    assert found.error == "full"


def test_a_message_where_a_delta_should_stand_is_read() -> None:
    whole = {"choices": [{"index": 0, "message": {"content": "hi"}, "finish_reason": "stop"}]}
    assert assembled(whole).body["choices"][0]["message"]["content"] == "hi"


@pytest.mark.parametrize(
    "odd",
    [None, 3, "x", [], {"choices": 3}, {"choices": [3]}, {"choices": [{"delta": 3}]},
     {"choices": [{"index": "x", "delta": {"content": 3, "tool_calls": [3, {"function": 3},
      {"index": True, "id": 3, "function": {"name": 3, "arguments": 3}}]}}]},
     {"x_groq": 3, "usage": 3}],
)  # fmt: skip
def test_nothing_in_a_chunk_has_to_be_what_it_should_be(odd: Any) -> None:
    stream = Stream(chunks=({"choices": []}, odd))
    assert assembled_completion(events_of(stream)).error == ""


def test_an_answer_that_is_spoken_is_joined_piece_by_piece() -> None:
    coded = [base64.b64encode(sound).decode() for sound in (b"s", b"ound")]
    found = message(
        chunk({"audio": {"id": "audio_1", "transcript": "Hel"}}),
        chunk({"audio": {"data": coded[0], "transcript": "lo"}}),
        chunk({"audio": {"data": coded[1]}}), chunk({"audio": {"data": "a", "expires_at": 3}}),
    )  # fmt: skip
    assert found["audio"] == {
        "id": "audio_1", "transcript": "Hello", "data": base64.b64encode(b"sound").decode(),
    }  # fmt: skip
