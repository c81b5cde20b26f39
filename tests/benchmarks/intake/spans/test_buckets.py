from typing import Any

import pytest

from benchmarks.intake.spans.buckets import bucketed


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("input_cache_read", "input_cache_read"),
        ("cacheRead", "input_cache_read"),
        ("prompt_details.cache_read", "input_cache_read"),
        ("input_cached_tokens", "input_cache_read"),
        ("cache_creation_input_tokens", "input_cache_creation"),
        ("cacheWrite", "input_cache_creation"),
        ("output_reasoning", "output_reasoning_tokens"),
        ("completion_details.reasoning", "output_reasoning_tokens"),
        ("input", "input"),
        ("totalTokens", "totalTokens"),
    ],
)
def test_buckets_of_one_kind_have_one_name(key: str, name: str) -> None:
    assert bucketed({key: 7}) == {name: 7}


def test_details_that_are_objects_stay_as_they_are() -> None:
    details: dict[str, Any] = {"cache_creation": {"ephemeral_5m_input_tokens": 1}}
    assert bucketed(details) == details


def test_the_first_of_two_buckets_of_one_kind_counts() -> None:
    assert bucketed({"cacheRead": 7, "input_cached": 9}) == {"input_cache_read": 7}
