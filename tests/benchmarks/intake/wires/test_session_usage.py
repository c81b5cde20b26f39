from typing import Any

import pytest

from benchmarks.intake.wires.session_usage import codex_usage, gemini_cli_usage


def codex(spent: Any, said: Any, thought: Any, total: Any, cached: Any = None) -> dict[str, Any]:
    counts = {
        "input_tokens": spent,
        "cached_input_tokens": cached,
        "output_tokens": said,
        "reasoning_output_tokens": thought,
        "total_tokens": total,
    }
    return {name: count for name, count in counts.items() if count is not None}


def gemini(spent: Any, said: Any, cached: Any, thought: Any, tool: Any, total: Any) -> Any:
    names = ("input", "output", "cached", "thoughts", "tool", "total")
    return dict(zip(names, (spent, said, cached, thought, tool, total), strict=True))


@pytest.mark.parametrize(
    ("found", "read"),
    [
        (codex(300, 150, 15, 450, 120), (300, 150, 120, 15)),
        (codex(300, 135, 15, 450, 120), (300, 150, 120, 15)),
        (codex(300, 135, 15, None), (300, 135, None, 15)),
        (codex(300, 135, None, 435), (300, 135, None, None)),
        (codex(300.0, 135, None, 435), (300, 135, None, None)),
    ],
)
def test_reasoning_is_added_where_the_total_says_so(found: Any, read: tuple[int, ...]) -> None:
    usage = codex_usage(found).usage
    assert (
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens,
        usage.reasoning_tokens,
    ) == read


def test_a_total_that_no_reading_gives_is_said_and_the_larger_taken() -> None:
    read = codex_usage(codex(300, 135, 15, 1000))
    assert (read.usage.output_tokens, read.issue) == (150, "usage_unreconciled")
    assert read.detail == "300 + 150 is not 1000"


@pytest.mark.parametrize(
    ("found", "read"),
    [
        (gemini(150, 60, 0, 20, 10, 240), (160, 80)),
        (gemini(250, 120, 50, 15, 0, 435), (300, 135)),
        (gemini(250, 120, 50, 15, 0, 385), (250, 135)),
        (gemini(100, 50, 0, 20, 10, 160), (110, 50)),
        (gemini(100, 50, 0, 20, 10, 170), (100, 70)),
    ],
)
def test_the_reading_of_a_message_whose_sum_is_the_total_wins(
    found: Any, read: tuple[int, int]
) -> None:
    usage = gemini_cli_usage(found).usage
    assert (usage.input_tokens, usage.output_tokens) == read


@pytest.mark.parametrize("reader", [codex_usage, gemini_cli_usage])
def test_what_is_no_count_is_named(reader: Any) -> None:
    name = "input_tokens" if reader is codex_usage else "input"
    assert reader(None).issue == reader([1]).issue == "missing_usage"
    assert (reader({name: -1}).issue, reader({name: -1}).detail) == ("bad_usage", f"{name}: -1")
    assert reader({name: True}).issue == reader({name: "9"}).issue == "bad_usage"
    assert reader({}).usage.dump() == {"calls": 1}
