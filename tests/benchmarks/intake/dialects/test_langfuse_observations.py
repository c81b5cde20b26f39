from typing import Any

import pytest

from benchmarks.intake.dialects.langfuse_observations import (
    gathered,
    is_observation,
    is_page,
    is_score,
    is_trace,
    outcome_of,
    trace_ids,
)
from benchmarks.intake.sources.found import Found
from benchmarks.records.conversation import Outcome

SPAN = {"id": "o", "traceId": "t", "type": "SPAN"}


def found(*records: Any) -> list[Found]:
    return [Found(record, f"f#L{at}", "", "", "f", "") for at, record in enumerate(records)]


def score(name: Any = "correctness", value: Any = 1, **more: Any) -> dict[str, Any]:
    return {"name": name, "value": value, "dataType": "NUMERIC", "source": "EVAL", **more}


@pytest.mark.parametrize(
    "record",
    [
        SPAN,
        {"id": "o", "trace_id": "t", "type": "generation"},
        {"traceId": "t", "type": "EVENT"},
    ],
)
def test_an_observation_names_its_trace_and_its_type(record: dict[str, Any]) -> None:
    assert is_observation(record)
    assert trace_ids(record) == ["t"]


@pytest.mark.parametrize(
    "record",
    [None, [], {}, {"traceId": "t"}, {"type": "SPAN"}, {"traceId": "t", "type": "message"},
     {"traceId": "t", "type": 1}],
)  # fmt: skip
def test_other_records_are_no_observation(record: Any) -> None:
    assert not is_observation(record)


@pytest.mark.parametrize(
    "record",
    [
        {"trace": {"id": "t"}, "observations": [SPAN]},
        {"trace": {"id": "t"}, "observations": []},
        {"id": "t", "observations": [SPAN]},
        {"id": "t", "observations": ["o1", "o2"]},
        {"id": "t", "timestamp": "2026", "input": 1, "output": 2, "sessionId": None},
    ],
)
def test_a_trace_is_known_by_its_observations_or_by_its_own_keys(record: dict[str, Any]) -> None:
    assert is_trace(record)
    assert trace_ids(record) == ["t"]


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"observations": "many"},
        {"observations": [1, 2]},
        {"observations": [{"place": "Oslo"}]},
        {"id": "t", "timestamp": "2026", "input": 1, "output": 2},
    ],
)
def test_other_records_are_no_trace(record: Any) -> None:
    assert not is_trace(record)


def test_a_page_of_the_api_holds_what_it_lists() -> None:
    page = {"data": [SPAN, {**SPAN, "traceId": "u"}], "meta": {"page": 1}}
    assert is_page(page)
    assert trace_ids(page) == ["t", "u"]
    assert not is_page({"data": [{"price": 1}]})
    assert not is_page({"data": []})


def test_a_score_names_its_trace() -> None:
    assert is_score({**score(), "traceId": "t"})
    assert not is_score(score())
    assert not is_score({"traceId": "t", "name": "x"})


def test_all_that_tells_of_one_trace_is_gathered_in_order() -> None:
    parts = gathered(
        "t",
        found(
            {"trace": {"id": "t", "userId": "u"}, "observations": [SPAN]},
            {"id": "p", "traceId": "t", "type": "TOOL"},
            {"id": "q", "traceId": "other", "type": "TOOL"},
            {**score(), "traceId": "t"},
        ),
    )
    assert parts.trace == {"id": "t", "userId": "u"}
    assert [(at, one["id"]) for at, one in parts.observations] == [(0, "o"), (1, "p")]
    assert [one["name"] for one in parts.scores] == ["correctness"]


def test_an_observation_that_was_exported_again_is_one_with_the_later_values() -> None:
    again = {**SPAN, "output": "done", "input": None}
    parts = gathered("t", found({**SPAN, "input": "go"}, again))
    assert parts.observations == [(0, {**SPAN, "input": "go", "output": "done"})]


def test_observations_without_an_id_are_all_kept() -> None:
    nameless = {"traceId": "t", "type": "SPAN"}
    assert len(gathered("t", found(nameless, nameless)).observations) == 2


@pytest.mark.parametrize(
    ("scores", "outcome"),
    [
        ([], None),
        ([score(value=0.5)], Outcome(reward=0.5, source="score correctness")),
        ([score("task_success", True)], Outcome(success=True, source="score task_success")),
        ([score("passed", 0, dataType="BOOLEAN")], Outcome(success=False, source="score passed")),
        ([score("toxicity", 0.8)], None),
        ([score("hallucination", 1)], None),
        ([score(value=0, dataType="CATEGORICAL", stringValue="good")], None),
        ([score(value=None)], None),
        ([score(dataType={}, source=[])], None),
        ([score(source={})], Outcome(reward=1.0, source="score correctness")),
        ([score(name=None)], None),
        ([score(observationId="o")], None),
        (
            [score(value=0, source="ANNOTATION"), score(value=1)],
            Outcome(reward=0.0, source="score correctness"),
        ),
        (
            [score(value=1, timestamp="2026-02"), score(value=0, timestamp="2026-01")],
            Outcome(reward=1.0, source="score correctness"),
        ),
    ],
)
def test_only_a_score_of_success_is_the_outcome(scores: list[Any], outcome: Any) -> None:
    assert outcome_of(scores) == outcome
