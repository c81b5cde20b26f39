from typing import Any

import pytest

from benchmarks.intake.wires.usage import (
    anthropic_usage,
    bedrock_usage,
    chat_usage,
    cohere_usage,
    gemini_usage,
    ollama_usage,
    responses_usage,
)


def block(read: Any) -> dict[str, Any] | None:
    return read.usage.dump() if read.usage else None


def test_anthropic_input_leaves_the_cached_tokens_out() -> None:
    read = anthropic_usage({
        "input_tokens": 10,
        "cache_read_input_tokens": 90,
        "cache_creation_input_tokens": 0,
        "output_tokens": 5,
    })
    assert block(read) == {
        "input_tokens": 100, "output_tokens": 5, "cache_read_tokens": 90,
        "cache_write_tokens": 0, "calls": 1,
    }  # fmt: skip


def test_anthropic_cache_writes_and_server_tools() -> None:
    read = anthropic_usage({
        "input_tokens": 10,
        "cache_creation_input_tokens": 40,
        "cache_creation": {"ephemeral_1h_input_tokens": 30, "ephemeral_5m_input_tokens": 10},
        "output_tokens": 5,
        "server_tool_use": {"web_search_requests": 2},
    })
    assert block(read) == {
        "input_tokens": 50, "output_tokens": 5, "cache_write_tokens": 40,
        "cache_write_1h_tokens": 30, "calls": 1,
        "extra": {"server_tool_use": {"web_search_requests": 2}},
    }  # fmt: skip


def test_chat_totals_hold_the_cached_and_the_reasoning_tokens() -> None:
    read = chat_usage({
        "prompt_tokens": 10,
        "completion_tokens": 20,
        "total_tokens": 30,
        "prompt_tokens_details": {"cached_tokens": 5},
        "completion_tokens_details": {"reasoning_tokens": 8},
    })
    assert block(read) == {
        "input_tokens": 10, "output_tokens": 20, "cache_read_tokens": 5, "reasoning_tokens": 8,
        "calls": 1,
    }  # fmt: skip


def test_the_reading_whose_sum_is_the_total_wins() -> None:
    read = chat_usage({
        "prompt_tokens": 10,
        "completion_tokens": 20,
        "total_tokens": 38,
        "completion_tokens_details": {"reasoning_tokens": 8},
    })
    assert (read.usage.output_tokens, read.issue) == (28, "")


def test_a_total_that_no_reading_gives_is_said() -> None:
    read = chat_usage({"prompt_tokens": 35, "completion_tokens": 12, "total_tokens": 109})
    assert read.usage.output_tokens == 12
    assert (read.issue, read.detail) == ("usage_unreconciled", "35 + 12 is not 109")


def test_zero_is_kept_and_unknown_is_absent() -> None:
    assert block(chat_usage({"prompt_tokens": 0})) == {"input_tokens": 0, "calls": 1}


@pytest.mark.parametrize("bad", [-1, 1.5, True, "7", [1]])
def test_a_bad_count_drops_the_block(bad: object) -> None:
    for read in (
        chat_usage({"prompt_tokens": bad, "completion_tokens": 1}),
        anthropic_usage({"input_tokens": 1, "output_tokens": bad}),
    ):
        assert read.usage is None
        assert read.issue == "bad_usage"
        assert repr(bad) in read.detail


@pytest.mark.parametrize("found", [None, [], "none"])
def test_no_usage_is_missing_usage(found: object) -> None:
    assert (chat_usage(found).issue, anthropic_usage(found).issue) == ("missing_usage",) * 2
    assert chat_usage(found).usage is None


def test_a_reported_cost_is_kept_and_a_strange_one_is_not() -> None:
    assert chat_usage({"cost": 0.25}).usage.reported_cost_usd == 0.25
    assert chat_usage({"cost": -1}).usage.reported_cost_usd is None
    assert chat_usage({"cost": "free"}).usage.reported_cost_usd is None


def test_a_responses_answer_counts_like_a_completion_by_other_names() -> None:
    found = {
        "input_tokens": 10, "input_tokens_details": {"cached_tokens": 4}, "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 2}, "total_tokens": 15,
    }  # fmt: skip
    read = responses_usage(found)
    assert (read.usage.dump(), read.issue) == (
        {"input_tokens": 10, "output_tokens": 5, "cache_read_tokens": 4, "reasoning_tokens": 2,
         "calls": 1}, "",
    )  # fmt: skip
    assert responses_usage({"input_tokens": -1}).detail == "input_tokens: -1"
    assert responses_usage(None).issue == "missing_usage"


def test_cohere_counts_what_the_model_read_before_what_was_billed() -> None:
    billed = {"input_tokens": 7, "output_tokens": 2}
    found = {"billed_units": billed, "tokens": {"input_tokens": 11, "output_tokens": 3},
             "cached_tokens": 4}  # fmt: skip
    assert cohere_usage(found).usage.dump() == {
        "input_tokens": 11, "output_tokens": 3, "cache_read_tokens": 4, "calls": 1,
    }  # fmt: skip
    assert cohere_usage({"billed_units": billed}).usage.dump() == {**billed, "calls": 1}
    assert cohere_usage(None).issue == "missing_usage"


def test_ollama_counts_stand_beside_its_message() -> None:
    found = {"message": {}, "prompt_eval_count": 8, "eval_count": 3}
    assert ollama_usage(found).usage.dump() == {
        "input_tokens": 8, "output_tokens": 3, "calls": 1,
    }  # fmt: skip
    assert ollama_usage({"message": {}}).issue == "missing_usage"


def gemini(**counts: Any) -> Any:
    return gemini_usage({f"{name}TokenCount": count for name, count in counts.items()})


@pytest.mark.parametrize(
    ("counts", "wanted"),
    [
        ({"prompt": 10, "candidates": 4, "total": 14}, (10, 4, None, None)),
        ({"prompt": 29, "candidates": 10, "thoughts": 202, "total": 241}, (29, 212, 202, None)),
        ({"prompt": 15, "thoughts": 2, "total": 17}, (15, 2, 2, None)),
        ({"prompt": 9, "toolUsePrompt": 5, "candidates": 4, "total": 18}, (14, 4, None, None)),
        ({"prompt": 9, "cachedContent": 8, "candidates": 1, "total": 10}, (9, 1, None, 8)),
        ({"prompt": 9, "total": 12}, (9, 3, None, None)),
        ({"prompt": 9, "candidates": 6, "thoughts": 2, "total": 15}, (9, 6, 2, None)),
        ({"prompt": 9, "toolUsePrompt": 5, "candidates": 4, "total": 13}, (9, 4, None, None)),
        ({"prompt": 9}, (9, None, None, None)),
        ({"candidates": 4}, (None, 4, None, None)),
    ],
)
def test_gemini_thoughts_and_tool_prompts_are_added_unless_the_total_says_no(
    counts: dict[str, int], wanted: tuple[int | None, ...]
) -> None:
    read = gemini(**counts)
    usage = read.usage
    assert read.issue == ""
    assert (
        usage.input_tokens, usage.output_tokens, usage.reasoning_tokens, usage.cache_read_tokens,
    ) == wanted  # fmt: skip


def test_gemini_counts_that_fit_no_reading_are_the_larger_and_said() -> None:
    read = gemini(prompt=9, candidates=6, thoughts=2, total=99)
    assert (read.usage.output_tokens, read.issue) == (8, "usage_unreconciled")
    assert read.detail == "9 + 8 is not 99"


def test_gemini_counts_of_client_libraries() -> None:
    read = gemini_usage({"prompt_token_count": 9, "candidates_token_count": 1})
    assert block(read) == {"input_tokens": 9, "output_tokens": 1, "calls": 1}


@pytest.mark.parametrize("total", [7, 107])
def test_bedrock_input_leaves_the_cached_tokens_out_whatever_the_total_holds(total: int) -> None:
    read = bedrock_usage({
        "inputTokens": 5, "outputTokens": 2, "cacheReadInputTokens": 60,
        "cacheWriteInputTokens": 40, "totalTokens": total,
        "cacheDetails": [{"ttl": "1h", "inputTokens": 30}, {"ttl": "5m", "inputTokens": 10}],
        "serverToolUsage": {},
    })  # fmt: skip
    assert block(read) == {
        "input_tokens": 105, "output_tokens": 2, "cache_read_tokens": 60, "cache_write_tokens": 40,
        "cache_write_1h_tokens": 30, "calls": 1, "extra": {"serverToolUsage": {}},
    }  # fmt: skip
    assert read.issue == ""


def test_bedrock_counts_that_fit_no_reading_are_said() -> None:
    read = bedrock_usage({"inputTokens": 5, "outputTokens": 2, "totalTokens": 9})
    assert (read.usage.input_tokens, read.issue) == (5, "usage_unreconciled")


@pytest.mark.parametrize("found", [None, 1, [], "x"])
def test_no_counts_of_either_are_missing(found: Any) -> None:
    assert gemini_usage(found).issue == bedrock_usage(found).issue == "missing_usage"


@pytest.mark.parametrize("count", [-1, 1.5, "7", True, []])
def test_a_count_that_is_none_is_bad(count: Any) -> None:
    assert gemini(prompt=count).detail == f"promptTokenCount: {count!r}"
    read = bedrock_usage({"outputTokens": count})
    assert (read.usage, read.issue) == (None, "bad_usage")
