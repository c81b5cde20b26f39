import json
from typing import Any

import pytest

from benchmarks.intake.spans.counts import usage_in_details, usage_of
from benchmarks.intake.spans.span import Span
from benchmarks.intake.wires.usage import UsageRead
from benchmarks.records.blocks import Usage


def read(**counts: Any) -> tuple[dict[str, Any] | None, str]:
    names = {name.replace("__", "."): value for name, value in counts.items()}
    found = usage_of(Span("t", "s", attributes=names))
    return (found.usage.dump() if found.usage else None), found.issue


@pytest.mark.parametrize(
    ("spent", "answered"),
    [
        ("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"),
        ("gen_ai.usage.prompt_tokens", "gen_ai.usage.completion_tokens"),
        ("llm.token_count.prompt", "llm.token_count.completion"),
        ("ai.usage.inputTokens", "ai.usage.outputTokens"),
        ("ai.usage.promptTokens", "ai.usage.completionTokens"),
    ],
)
@pytest.mark.parametrize("form", [int, str])
def test_every_convention_counts(spent: str, answered: str, form: type) -> None:
    found = usage_of(Span("t", "s", attributes={spent: form(5), answered: form(2)}))
    assert found.usage == Usage(input_tokens=5, output_tokens=2, calls=1)


def test_without_a_word_the_usage_is_missing() -> None:
    assert read() == (None, "missing_usage")
    assert read(gen_ai__usage__cost=0.1) == (None, "missing_usage")


def test_zero_is_kept_and_shadows_a_later_name() -> None:
    assert read(**{
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.cache_read.input_tokens": 0,
        "gen_ai.usage.cache_read_input_tokens": 20,
    }) == ({"input_tokens": 100, "cache_read_tokens": 0, "calls": 1}, "")  # fmt: skip


def test_cached_tokens_of_the_conventions_are_inside_the_input() -> None:
    assert read(**{
        "llm.token_count.prompt": 50_000,
        "llm.token_count.completion": 200,
        "llm.token_count.prompt_details.cache_read": 40_000,
        "llm.token_count.prompt_details.cache_write": 5_000,
    }) == ({"input_tokens": 50_000, "output_tokens": 200, "cache_read_tokens": 40_000,
            "cache_write_tokens": 5_000, "calls": 1}, "")  # fmt: skip


def test_more_cached_than_spent_tokens_stand_beside_the_input() -> None:
    assert read(**{
        "gen_ai.usage.input_tokens": 100,
        "ai.usage.cachedInputTokens": "5000",
    }) == ({"input_tokens": 5_100, "cache_read_tokens": 5_000, "calls": 1}, "")  # fmt: skip


@pytest.mark.parametrize(
    ("total", "spent", "answered", "issue"),
    [
        (140, 100, 40, ""),
        (170, 130, 40, ""),
        (None, 130, 40, "usage_unreconciled"),
        (999, 130, 40, "usage_unreconciled"),
    ],
)
def test_where_the_convention_is_unclear_the_total_decides_else_the_larger_reading(
    total: int | None, spent: int, answered: int, issue: str
) -> None:
    found = read(**{
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 40,
        "gen_ai.usage.cache_read_input_tokens": 20,
        "gen_ai.usage.cache_creation_input_tokens": 10,
        "gen_ai.usage.total_tokens": total,
    })
    assert found == (
        {"input_tokens": spent, "output_tokens": answered, "cache_read_tokens": 20,
         "cache_write_tokens": 10, "calls": 1},
        issue,
    )  # fmt: skip


def test_thought_beside_the_answer_is_added_when_the_total_says_so() -> None:
    counts = {"gen_ai.usage.input_tokens": 100, "gen_ai.usage.output_tokens": 60,
              "gen_ai.usage.reasoning.output_tokens": 25}  # fmt: skip
    inside, _ = read(**counts, **{"gen_ai.usage.total_tokens": 160})
    beside, _ = read(**counts, **{"gen_ai.usage.total_tokens": 185})
    assert inside is not None
    assert beside is not None
    assert (inside["output_tokens"], beside["output_tokens"]) == (60, 85)


def test_more_thought_than_answer_stands_beside_it() -> None:
    found, _ = read(**{"llm.token_count.completion": 50,
                       "llm.token_count.completion_details.reasoning": 60})  # fmt: skip
    assert found == {"output_tokens": 110, "reasoning_tokens": 60, "calls": 1}


@pytest.mark.parametrize("bad", [-1, "many", 1.5, True, [], {"a": 1}])
def test_a_count_that_is_none_drops_the_block(bad: Any) -> None:
    found = usage_of(Span("t", "s", attributes={"gen_ai.usage.input_tokens": bad}))
    assert (found.usage, found.issue) == (None, "bad_usage")
    assert "gen_ai.usage.input_tokens" in found.detail


def test_a_cost_that_was_reported_is_kept() -> None:
    counted = {"gen_ai.usage.input_tokens": 1}
    assert read(**counted, **{"gen_ai.usage.cost": "x", "llm.cost.total": 0.25})[0] == {
        "input_tokens": 1, "reported_cost_usd": 0.25, "calls": 1,
    }  # fmt: skip
    details = json.dumps({"input": 0.25, "output": 0.5})
    assert read(**counted, **{"langfuse.observation.cost_details": details})[0] == {
        "input_tokens": 1, "reported_cost_usd": 0.75, "calls": 1,
    }  # fmt: skip


def test_attributes_count_before_the_container_does() -> None:
    container = UsageRead(Usage(input_tokens=1, calls=1))
    assert usage_of(Span("t", "s", usage=container)) is container
    counted = Span("t", "s", attributes={"llm.token_count.prompt": 9}, usage=container)
    assert usage_of(counted).usage == Usage(input_tokens=9, calls=1)


@pytest.mark.parametrize(
    ("details", "usage"),
    [
        ({"input": 3, "output": 4, "total": 7}, Usage(input_tokens=3, output_tokens=4, calls=1)),
        ({"input_tokens": 3, "output_tokens": 4}, Usage(input_tokens=3, output_tokens=4, calls=1)),
        (
            {"input": 3, "output": 4, "total": 12, "input_cached_tokens": 5},
            Usage(input_tokens=8, output_tokens=4, cache_read_tokens=5, calls=1),
        ),
        (
            {"prompt_tokens": 8, "completion_tokens": 4, "total_tokens": 12,
             "prompt_tokens_details": {"cached_tokens": 5},
             "completion_tokens_details": {"reasoning_tokens": 2}},
            Usage(input_tokens=8, output_tokens=4, cache_read_tokens=5, reasoning_tokens=2,
                  calls=1),
        ),
        (
            {"input_tokens": 8, "output_tokens": 4, "total_tokens": 12,
             "input_token_details": {"cache_read": 5, "cache_creation": 1},
             "output_token_details": {"reasoning": 2}},
            Usage(input_tokens=8, output_tokens=4, cache_read_tokens=5, cache_write_tokens=1,
                  reasoning_tokens=2, calls=1),
        ),
    ],
)  # fmt: skip
def test_an_object_of_counts_counts_in_any_words(details: dict[str, Any], usage: Usage) -> None:
    assert usage_in_details(details) == UsageRead(usage)


def test_an_object_that_counts_nothing_or_badly() -> None:
    assert usage_in_details({}) == UsageRead(None, "missing_usage")
    assert usage_in_details({"input": -1}).issue == "bad_usage"
