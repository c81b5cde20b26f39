import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.intake.dialect import Piece
from benchmarks.intake.dialects.langfuse import Langfuse, spans_of
from benchmarks.intake.dialects.langfuse_observations import gathered
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.records.conversation import CallRef, Conversation, Outcome

CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"id": 7}'}}
HI = {"role": "user", "content": "Where is it?"}


def observation(name: str, second: int, **more: Any) -> dict[str, Any]:
    """One observation of the trace `t`; inputs and outputs as texts, as exports have them."""
    texts = {
        key: json.dumps(value) if isinstance(value, list | dict) else value
        for key, value in more.items()
    }
    return {
        "id": name, "traceId": "trace-1", "type": "SPAN", "name": name,
        "startTime": f"2026-03-01T10:00:{second:02}.000Z", "parentObservationId": None, **texts,
    }  # fmt: skip


def generation(name: str, second: int, **more: Any) -> dict[str, Any]:
    return observation(name, second, **{"type": "GENERATION", "model": "m-1", **more})


def export(*observations: dict[str, Any], **trace: Any) -> dict[str, Any]:
    return {"trace": {"id": "trace-1", **trace}, "observations": list(observations)}


def found(*records: Any) -> list[Found]:
    return [Found(record, f"f#L{at}", "", f"{at}", "f", "") for at, record in enumerate(records)]


def pieces(*records: Any) -> list[Piece]:
    return list(Langfuse().read("trace-1", found(*records)))


def conversation(*records: Any) -> Conversation:
    [piece] = pieces(*records)
    assert isinstance(piece.result, Reading)
    return piece.result.conversation


def spans(*observations: dict[str, Any]) -> dict[str, Span]:
    listed = spans_of("trace-1", gathered("trace-1", found(export(*observations))))
    return {span.span_id: span for span in listed}


def said(found_in: Conversation) -> list[tuple[str, str]]:
    return [(turn.role, turn.text()) for turn in found_in.turns]


ASKED = generation("g1", 1, input=[HI], output={"role": "assistant", "tool_calls": [CALL]})
RUN = observation("find", 2, input={"id": 7}, output="at the door")
LOST = generation("g2", 3, input={"content": "role"}, output="At your door.")


def test_an_observation_is_a_span() -> None:
    found_span = spans(
        generation("g1", 1, endTime="2026-03-01T10:00:02.000Z", parentObservationId="root",
                   level="ERROR", statusMessage="gone", input=[HI])
    )["g1"]  # fmt: skip
    assert (found_span.trace_id, found_span.parent_id) == ("trace-1", "root")
    assert found_span.kind is SpanKind.INFERENCE
    assert (found_span.start, found_span.end) == (1772359201 * 10**9, 1772359202 * 10**9)
    assert (found_span.model, found_span.error, found_span.input) == ("m-1", "gone", [HI])


def test_what_the_exporter_wrote_stands_in_the_metadata_and_comes_first() -> None:
    metadata = json.dumps({
        "attributes": {
            "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.content": "Where is it, please?",
        },
        "scope": {"name": "kit"},
    })
    first = generation("g1", 1, input="user: lost", output="At your door.", metadata=metadata)
    assert spans(first)["g1"].scope == "kit"
    read = conversation(export(first))
    assert read.dialect == "openinference"
    assert said(read) == [("user", "Where is it, please?"), ("assistant", "At your door.")]


def test_attributes_may_stand_loose_among_the_metadata() -> None:
    one = generation("g1", 1, metadata={"gen_ai.tool.name": "find", "note": 1})
    assert spans(one)["g1"].attributes == {"gen_ai.tool.name": "find"}


def test_an_input_that_is_json_in_a_text_in_a_text_is_what_it_holds() -> None:
    one = generation("g1", 1, input=json.dumps(json.dumps([HI])), output="At your door.")
    assert said(conversation(export(one))) == [
        ("user", "Where is it?"), ("assistant", "At your door."),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["find", "tool.find", "tool:find"])
def test_a_plain_span_with_the_name_of_a_tool_is_its_run(name: str) -> None:
    read = conversation(export(ASKED, {**RUN, "name": name}, LOST))
    assert [turn.role for turn in read.turns] == ["user", "assistant", "tool", "assistant"]
    [result] = read.turns[2].results()
    assert (result.name, result.call) == ("find", CallRef(turn=1, part=0))
    assert "stitched" in {issue.code for issue in read.issues}


def test_a_plain_span_with_another_name_is_no_tool() -> None:
    kinds = {
        name: span.kind
        for name, span in spans(ASKED, {**RUN, "id": "x", "name": "prepare"}).items()
    }
    assert kinds["x"] is SpanKind.OTHER


def test_a_span_of_that_name_without_input_and_output_is_no_run() -> None:
    assert spans(ASKED, observation("find", 2))["find"].kind is SpanKind.OTHER


def test_a_flattened_prompt_is_the_turns_that_it_was() -> None:
    one = generation("g1", 1, input="system: You find parcels.\nuser: Where is it?", output="Here.")
    assert said(conversation(export(one))) == [
        ("system", "You find parcels."), ("user", "Where is it?"), ("assistant", "Here."),
    ]  # fmt: skip


def test_messages_of_langchain_are_unwrapped() -> None:
    def wrapped(name: str, **kwargs: Any) -> dict[str, Any]:
        return {"lc": 1, "type": "constructor", "id": ["messages", name], "kwargs": kwargs}

    one = generation(
        "g1", 1, input={"messages": [wrapped("HumanMessage", content="Where is it?")]},
        output=wrapped("AIMessage", content="Here."),
    )  # fmt: skip
    assert said(conversation(export(one))) == [("user", "Where is it?"), ("assistant", "Here.")]


def test_a_call_seen_by_a_wrapper_and_by_its_client_is_one() -> None:
    outer = generation(
        "outer", 1, input=[HI], output="Here.", usageDetails={"input": 9, "output": 3}
    )
    inner = generation("inner", 1, parentObservationId="outer", input="user: Where is it?",
                       output="Here.", usageDetails={"input": 8, "output": 2})  # fmt: skip
    read = conversation(export(outer, {**inner, "usageDetails": {"input": 8, "output": 2}}))
    assert said(read) == [("user", "Where is it?"), ("assistant", "Here.")]


def test_offered_tools_stand_by_name() -> None:
    definition = json.dumps({"description": "Look.", "parameters": {"required": ["id"]}})
    one = generation("g1", 1, input=[HI], output="Here.")
    read = conversation(export({**one, "toolDefinitions": {"find": definition}}))
    assert [(tool.name, tool.description, tool.required) for tool in read.tools] == [
        ("find", "Look.", ["id"])
    ]


@pytest.mark.parametrize(
    ("counted", "spent"),
    [
        ({"usageDetails": {"input": 40, "output": 4, "total": 44}}, (40, 4, None, None)),
        (
            {"usageDetails": {"input": 40, "output": 4, "total": 58,
                              "input_cache_read": 8, "output_reasoning": 6}},
            (48, 10, 8, 6),
        ),
        (
            {"usageDetails": {"input": 40, "output": 4, "total": 44,
                              "prompt_details.cache_read": 8}},
            (40, 4, 8, None),
        ),
        ({"usage": {"input": 40, "output": 4, "unit": "TOKENS"}}, (40, 4, None, None)),
        ({"usage": {"promptTokens": 40, "completionTokens": 4}}, (40, 4, None, None)),
        ({"inputUsage": 40, "outputUsage": 4, "totalUsage": 44}, (40, 4, None, None)),
        ({"promptTokens": 40, "completionTokens": 4}, (40, 4, None, None)),
    ],
)  # fmt: skip
def test_usage_is_counted_in_whichever_buckets(counted: dict[str, Any], spent: Any) -> None:
    one = {**generation("g1", 1, input=[HI], output="Here."), **counted}
    usage = conversation(export(one)).usage
    assert usage is not None
    assert (
        usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.reasoning_tokens,
    ) == spent  # fmt: skip


def test_buckets_that_are_all_zero_count_nothing() -> None:
    one = generation("g1", 1)
    assert spans({**one, "usageDetails": {"input": 0, "output": 0}})["g1"].usage is None


def test_a_list_of_observations_and_one_a_line_are_the_same_trace() -> None:
    whole = said(conversation(export(ASKED, RUN, LOST)))
    assert said(conversation(ASKED, RUN, LOST)) == whole
    assert said(conversation({"data": [ASKED, RUN, LOST], "meta": {}})) == whole


def test_observations_in_the_words_of_a_table_are_read() -> None:
    row = {
        "id": "g1", "trace_id": "trace-1", "type": "GENERATION",
        "start_time": "2026-03-01T10:00:00Z", "input": json.dumps([HI]), "output": "Here.",
        "usage_details": {"input": 4, "output": 1}, "parent_observation_id": None,
        "session_id": "s",
    }  # fmt: skip
    [piece] = pieces(row)
    assert isinstance(piece.result, Reading)
    assert said(piece.result.conversation) == [("user", "Where is it?"), ("assistant", "Here.")]
    assert piece.result.frame.identity.session_id == "s"
    assert piece.result.conversation.usage is not None


def test_session_and_time_of_the_trace_are_kept() -> None:
    [piece] = pieces(export(ASKED, sessionId="s-1", userId="kim"))
    assert isinstance(piece.result, Reading)
    assert piece.result.frame.identity.session_id == "s-1"
    assert piece.result.frame.captured_at == "2026-03-01T10:00:01.000Z"


def test_a_score_of_success_is_the_outcome() -> None:
    score = {"name": "correctness", "value": 0, "dataType": "NUMERIC", "source": "EVAL"}
    read = conversation(export(ASKED, scores=[score]))
    assert read.outcome == Outcome(reward=0.0, source="score correctness")
    assert read.end is not None
    assert conversation(export(ASKED), {**score, "traceId": "trace-1", "value": 1}).outcome == (
        Outcome(reward=1.0, source="score correctness")
    )


def test_a_trace_without_its_observations_is_one_call() -> None:
    bare = {"id": "trace-1", "timestamp": "2026-03-01T10:00:00Z", "observations": ["o1"],
            "input": "Where is it?", "output": "Here."}  # fmt: skip
    assert said(conversation(bare)) == [("user", "Where is it?"), ("assistant", "Here.")]


@pytest.mark.parametrize(
    "record", [export(), export(input="hi"), {"observations": []}, export(observation("x", 1))]
)
def test_a_trace_without_a_call_is_no_capture(record: dict[str, Any]) -> None:
    [piece] = pieces(record)
    assert isinstance(piece.result, Refused)
    assert piece.result.reason is Reason.NOT_A_CAPTURE


def test_a_record_belongs_to_every_trace_that_it_tells_of() -> None:
    other = {**RUN, "traceId": "trace-2"}
    [one] = found({"observations": [ASKED, other]})
    assert list(Langfuse().keys(one)) == ["trace-1", "trace-2"]
    [nameless] = found({"observations": []})
    assert list(Langfuse().keys(nameless)) == ["f"]


ODD = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["role", "content", "attributes", "scope", "total"]), inner
        )
    ),
    max_leaves=6,
)
KEYS = (
    "id", "name", "type", "input", "output", "metadata", "startTime", "usageDetails", "level",
    "statusMessage", "parentObservationId", "toolDefinitions", "toolCallNames", "model",
)  # fmt: skip


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(KEYS), ODD | st.sampled_from(["GENERATION", "SPAN", "a"]), max_size=8
        ),
        max_size=4,
    )
)
def test_no_observation_is_too_odd(observations: list[dict[str, Any]]) -> None:
    listed = [{**one, "traceId": "trace-1"} for one in observations]
    assert pieces({"trace": {"id": "trace-1"}, "observations": listed})
