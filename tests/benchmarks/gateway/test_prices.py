import math
from datetime import date
from pathlib import Path

import pytest

from benchmarks.gateway.builtin_prices import builtin_table
from benchmarks.gateway.prices import price_book, read_prices
from benchmarks.gateway.usage import read_usage
from benchmarks.records.blocks import Usage
from benchmarks.records.digest import json_digest
from benchmarks.records.home import PriceTable

PRINTED = {
    "schema_version": "understudy.price_table.v1",
    "version": "2026-11-01",
    "currency": "USD",
    "per_tokens": 1000000,
    "models": {"glm-5.2": {"input": 0.6, "output": 2.2}},
}
PRINTED_DIGEST = "0b8956534133a4bf5ea139cd330ae79510e7cd424981183b43f53b0546dc3df0"


def table(**models: dict[str, object]) -> PriceTable:
    return PriceTable(version="t", models=models)


def cost(entry: dict[str, object], block: dict[str, object]) -> float:
    usage = read_usage(block).usage
    price = price_book(None, table(m=entry)).find("m")
    assert price is not None
    assert usage is not None
    return price.of_call(usage)


def test_the_printed_table_has_the_printed_digest() -> None:
    assert json_digest(PRINTED) == PRINTED_DIGEST
    assert price_book(None, PriceTable.read(PRINTED)).sha256 == PRINTED_DIGEST


def test_the_printed_call_costs_the_printed_sum() -> None:
    price = price_book(None, PriceTable.read(PRINTED)).find("glm-5.2")
    assert price is not None
    assert price.of_call(Usage(input_tokens=830, output_tokens=61)) == pytest.approx(0.0006322)


def test_a_model_in_no_table_has_no_price() -> None:
    assert price_book(None, PriceTable.read(PRINTED)).find("glm-5.3") is None


def test_cached_input_has_its_own_price() -> None:
    paid = cost(
        {"input": 1.0, "cache_read": 0.1, "output": 4.0},
        {
            "prompt_tokens": 10,
            "prompt_tokens_details": {"cached_tokens": 5},
            "completion_tokens": 20,
        },
    )
    assert paid == pytest.approx(0.0000855)


def test_anthropic_cache_creation_has_its_own_price() -> None:
    paid = cost(
        {"input": 3, "cache_write": 3.75, "cache_read": 0.3, "output": 15},
        {
            "input_tokens": 100,
            "cache_creation_input_tokens": 1000,
            "cache_read_input_tokens": 5000,
            "output_tokens": 200,
        },
    )
    assert paid == pytest.approx(0.008550)


def test_reasoning_outside_the_completion_is_paid_as_output() -> None:
    paid = cost(
        {"input": 1, "output": 4},
        {
            "prompt_tokens": 100,
            "completion_tokens": 20,
            "reasoning_tokens": 180,
            "total_tokens": 300,
        },
    )
    assert paid == pytest.approx(0.000900)


def test_a_tier_applies_to_the_whole_call() -> None:
    entry = {
        "input": 1,
        "output": 2,
        "tiers": [{"above_input_tokens": 1000, "input": 2, "output": 4}],
    }
    below = cost(entry, {"prompt_tokens": 1000, "completion_tokens": 10})
    above = cost(entry, {"prompt_tokens": 1001, "completion_tokens": 10})
    assert below == pytest.approx((1000 * 1 + 10 * 2) / 1e6)
    assert above == pytest.approx((1001 * 2 + 10 * 4) / 1e6)


def test_a_price_per_request_is_added_once() -> None:
    paid = cost(
        {"input": 1, "output": 1, "per_request": 0.01},
        {"prompt_tokens": 0, "completion_tokens": 0},
    )
    assert paid == 0.01


@pytest.mark.parametrize(
    "name", ["glm-5.2", "GLM-5.2", "lab/glm-5.2", "glm-5.2-20261101", "glm-5.2-latest", "five"]
)
def test_a_model_is_found_by_id_alias_without_provider_and_without_date(name: str) -> None:
    book = price_book(None, table(**{"glm-5.2": {"input": 1, "output": 1, "aliases": ["five"]}}))
    assert book.find(name) is not None


def test_the_operator_s_price_replaces_the_built_in_one_whole() -> None:
    builtin = table(m={"input": 1, "output": 1, "cache_read": 0.1}, n={"input": 5, "output": 5})
    book = price_book(builtin, table(m={"input": 2, "output": 2}))
    price, other = book.find("m"), book.find("n")
    assert price is not None
    assert other is not None
    assert (price.input, price.cache_read) == (2, None)
    assert other.input == 5
    assert book.version == "t+t"


@pytest.mark.parametrize("bad", [-1, math.inf, math.nan, "2", True])
def test_a_bad_price_leaves_the_model_unpriced_even_where_the_built_in_table_has_one(
    bad: object, caplog: pytest.LogCaptureFixture
) -> None:
    good = table(m={"input": 1, "output": 1})
    book = price_book(good, table(m={"input": bad, "output": 1}))
    assert book.find("m") is None
    assert "m is not usable" in caplog.text


def test_a_file_with_a_number_beyond_all_measure_is_read_but_for_that_model(
    tmp_path: Path,
) -> None:
    file = tmp_path / "prices.json"
    file.write_text(
        '{"version": "v", "models": {"m": {"input": 1e999, "output": 1},'
        ' "n": {"input": 1, "output": 2}}}',
        encoding="utf-8",
    )
    book = price_book(None, read_prices(file))
    assert book.find("m") is None
    assert book.find("n") is not None


def test_prices_per_thousand_are_scaled() -> None:
    own = PriceTable(version="t", per_tokens=1000, models={"m": {"input": 0.001, "output": 0.002}})
    price = price_book(None, own).find("m")
    assert price is not None
    assert price.input == pytest.approx(1.0)


def test_a_damaged_price_file_is_passed_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "prices.json"
    assert read_prices(file) is None
    file.write_text("{", encoding="utf-8")
    assert read_prices(file) is None
    assert "prices.json is passed over" in caplog.text


def test_the_built_in_table_prices_makers_models_by_their_bare_names() -> None:
    book = price_book(builtin_table(date(2026, 11, 1)), None)
    price = book.find("gpt-4o-2024-08-06")
    assert price is not None
    assert (price.input, price.output, price.cache_read) == (2.5, 10.0, 1.25)
    assert book.find("newcomer-1") is None
    assert book.version.startswith("genai-prices ")


def test_a_price_that_changed_is_that_of_the_day() -> None:
    before = price_book(builtin_table(date(2025, 6, 1)), None).find("o3")
    after = price_book(builtin_table(date(2026, 1, 1)), None).find("o3")
    assert before is not None
    assert after is not None
    assert (before.input, after.input) == (10.0, 2.0)
