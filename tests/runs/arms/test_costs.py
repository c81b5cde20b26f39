import pytest

from benchmarks.gateway.prices import Price
from benchmarks.records.blocks import Pricing, Usage
from runs.arms.costs import FREE, Bill, Tariff

PRICED = Tariff("m", price=Price(1.0, 4.0), table_sha256="ab", table_version="v")
UNPRICED = Tariff("newcomer-1", table_sha256="ab", table_version="v")
MILLION = Usage(input_tokens=1_000_000, output_tokens=0, calls=1)


def bill(tariff: Tariff, *usages: Usage | None) -> Bill:
    made = Bill(tariff)
    for usage in usages:
        made.add(usage)
    return made


def test_priced_calls_are_summed_from_the_table() -> None:
    made = bill(PRICED, MILLION, MILLION)
    assert made.cost_usd == 2.0
    assert made.pricing() == Pricing(
        basis="table", price_table_sha256="ab", price_table_version="v", computed_usd=2.0
    )


def test_an_unknown_price_is_null_and_named() -> None:
    made = bill(UNPRICED, MILLION)
    assert made.cost_usd is None
    assert made.pricing().basis == "unknown"
    assert made.pricing().unpriced == ["newcomer-1"]
    assert made.pricing().partial is None


def test_a_call_without_usage_makes_a_lower_bound() -> None:
    made = bill(PRICED, MILLION, None)
    assert made.cost_usd == 1.0
    assert made.pricing().partial is True


def test_the_provider_s_own_figure_wins_and_both_are_kept() -> None:
    made = bill(PRICED, MILLION.with_(reported_cost_usd=1.5))
    assert made.cost_usd == 1.5
    pricing = made.pricing()
    assert (pricing.basis, pricing.reported_usd, pricing.computed_usd) == ("reported", 1.5, 1.0)
    assert made.mismatched


@pytest.mark.parametrize(
    ("reported", "mismatched"), [(1.0, False), (1.0101, False), (1.02, True), (0.98, True)]
)
def test_figures_more_than_a_percent_apart_are_noted(reported: float, mismatched: bool) -> None:
    assert bill(PRICED, MILLION.with_(reported_cost_usd=reported)).mismatched is mismatched


def test_figures_less_than_a_hundredth_of_a_cent_apart_are_not() -> None:
    tiny = Usage(input_tokens=10, output_tokens=0, calls=1, reported_cost_usd=0.00005)
    assert not bill(PRICED, tiny).mismatched


def test_free_is_free_whatever_is_used() -> None:
    made = bill(FREE, MILLION, None)
    assert made.cost_usd == 0
    assert made.pricing() == Pricing(basis="free")


def test_no_call_at_all_costs_nothing_where_the_price_is_known() -> None:
    assert bill(PRICED).cost_usd == 0
    assert bill(UNPRICED).cost_usd is None


def test_lost_calls_alone_are_a_sum_of_nothing_and_more() -> None:
    made = bill(PRICED)
    made.usage.add_unreported(1)
    assert made.cost_usd is None
    assert made.pricing().basis == "unknown"
