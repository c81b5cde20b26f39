import pytest

from benchmarks.gateway.usage import Tally, read_usage, total_usage
from benchmarks.records.blocks import Usage


def test_openai_cached_tokens_are_part_of_the_prompt() -> None:
    read = read_usage({
        "prompt_tokens": 10,
        "prompt_tokens_details": {"cached_tokens": 5},
        "completion_tokens": 20,
        "total_tokens": 30,
    })
    assert read.usage == Usage(input_tokens=10, cache_read_tokens=5, output_tokens=20, calls=1)
    assert not read.bad


def test_anthropic_input_gets_its_cached_parts_added() -> None:
    read = read_usage({
        "input_tokens": 100,
        "cache_creation_input_tokens": 1000,
        "cache_read_input_tokens": 5000,
        "output_tokens": 200,
    })
    assert read.usage == Usage(
        input_tokens=6100,
        output_tokens=200,
        cache_read_tokens=5000,
        cache_write_tokens=1000,
        calls=1,
    )


def test_anthropic_zero_creation_is_kept() -> None:
    read = read_usage({
        "input_tokens": 10,
        "cache_read_input_tokens": 90,
        "cache_creation_input_tokens": 0,
        "output_tokens": 5,
    })
    assert read.usage is not None
    assert (read.usage.input_tokens, read.usage.cache_write_tokens) == (100, 0)


def test_anthropic_creation_is_split_by_its_life() -> None:
    read = read_usage({
        "input_tokens": 1,
        "output_tokens": 1,
        "cache_creation_input_tokens": 30,
        "cache_creation": {"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 20},
    })
    assert read.usage is not None
    assert (read.usage.cache_write_tokens, read.usage.cache_write_1h_tokens) == (10, 20)
    assert read.usage.input_tokens == 31


def test_reasoning_beside_the_completion_is_added_to_the_output() -> None:
    read = read_usage({
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "completion_tokens_details": {"reasoning_tokens": 180},
        "total_tokens": 300,
    })
    assert read.usage is not None
    assert (read.usage.output_tokens, read.usage.reasoning_tokens) == (200, 180)


def test_reasoning_inside_the_completion_is_not_added_again() -> None:
    read = read_usage({
        "prompt_tokens": 100,
        "completion_tokens": 200,
        "completion_tokens_details": {"reasoning_tokens": 180},
        "total_tokens": 300,
    })
    assert read.usage is not None
    assert read.usage.output_tokens == 200


@pytest.mark.parametrize("count", [-1, 2.5, "12", True])
def test_a_count_that_cannot_be_drops_the_block(count: object) -> None:
    read = read_usage({"prompt_tokens": count, "completion_tokens": 1})
    assert read.usage is None
    assert read.bad


@pytest.mark.parametrize("block", [None, {}, [], "12", {"unit": "tokens"}])
def test_no_usage_is_unreported_and_not_bad(block: object) -> None:
    read = read_usage(block)
    assert read.usage is None
    assert not read.bad


def test_the_provider_s_own_cost_is_kept() -> None:
    read = read_usage({"prompt_tokens": 1, "completion_tokens": 1, "cost": 0.25})
    assert read.usage is not None
    assert read.usage.reported_cost_usd == 0.25


def test_unknown_keys_are_kept_apart() -> None:
    read = read_usage({"prompt_tokens": 1, "completion_tokens": 1, "queue_ms": 7})
    assert read.usage is not None
    assert read.usage.extra == {"queue_ms": 7}


def test_a_sum_counts_calls_without_usage_as_unreported_and_not_as_zero_tokens() -> None:
    total = total_usage([Usage(input_tokens=10, output_tokens=0, calls=1), None])
    assert total == Usage(input_tokens=10, output_tokens=0, calls=2, unreported_calls=1)


def test_no_call_has_no_usage() -> None:
    assert total_usage([]) is None


def test_tries_that_left_no_usage_are_added() -> None:
    tally = Tally()
    tally.add(Usage(input_tokens=1, output_tokens=1, calls=1, reported_cost_usd=0.5))
    tally.add_unreported(2)
    total = tally.total()
    assert total is not None
    assert (total.calls, total.unreported_calls, total.reported_cost_usd) == (3, 2, 0.5)
