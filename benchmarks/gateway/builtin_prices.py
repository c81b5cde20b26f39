"""The built-in price table, from the package genai-prices, in the form of prices.json."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from benchmarks.records.base import JsonObject
from benchmarks.records.home import PriceTable

RATE_NAMES = {
    "input": "input_mtok",
    "output": "output_mtok",
    "cache_read": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
    "cache_write_1h": "cache_write_1h_mtok",
}


def builtin_table(on: date) -> PriceTable:
    """The prices that hold on a day: bare ids from each maker, `provider/id` from everyone."""
    from genai_prices import __version__, data  # noqa: PLC0415  (180 ms)

    models: dict[str, JsonObject] = {}
    for provider in data.providers:
        for model in provider.models:
            entry = _entry(model, on)
            if entry is None:
                continue
            models.setdefault(f"{provider.id}/{model.id}", entry)
            if provider.model_match is not None and provider.model_match.is_match(model.id):
                models.setdefault(model.id, {**entry, **_aliases(model)})
    return PriceTable(version=f"genai-prices {__version__}", models=models)


def _entry(model: Any, on: date) -> JsonObject | None:
    price = _price_on(model.prices, on)
    rates = {name: getattr(price, key, None) for name, key in RATE_NAMES.items()}
    if rates["input"] is None or rates["output"] is None:
        return None
    entry: JsonObject = {name: _base(rate) for name, rate in rates.items() if rate is not None}
    if getattr(price, "requests_kcount", None) is not None:
        entry["per_request"] = float(_decimal(price.requests_kcount)) / 1000
    tiers = _tiers(rates)
    return {**entry, "tiers": tiers} if tiers else entry


def _price_on(prices: Any, on: date) -> Any:
    """The price in force: the last whose start day has come."""
    if not isinstance(prices, list):
        return prices
    in_force = None
    for conditional in prices:
        starts = getattr(conditional.constraint, "start_date", None)
        if conditional.constraint is None or (starts is not None and starts <= on):
            in_force = conditional.prices
    return in_force


def _decimal(rate: Any) -> Decimal:
    return rate if isinstance(rate, Decimal) else Decimal(rate.base)


def _base(rate: Any) -> float:
    return float(_decimal(rate))


def _tiers(rates: dict[str, Any]) -> list[JsonObject]:
    tiers: dict[int, JsonObject] = {}
    for name, rate in rates.items():
        for tier in getattr(rate, "tiers", ()):
            tiers.setdefault(tier.start, {"above_input_tokens": tier.start})[name] = float(
                tier.price
            )
    return [tiers[start] for start in sorted(tiers)]


def _aliases(model: Any) -> JsonObject:
    names = sorted(set(_equals(model.match)) - {model.id})
    return {"aliases": names} if names else {}


def _equals(clause: Any) -> Iterator[str]:
    if hasattr(clause, "equals"):
        yield clause.equals
    for part in getattr(clause, "or_", ()):
        yield from _equals(part)
