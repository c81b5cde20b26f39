"""What a model call costs: the built-in table with the operator's prices laid over it.

A model that no table knows has no price. There is no default rate.
"""

import json
import logging
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Usage
from benchmarks.records.digest import json_digest
from benchmarks.records.home import PriceTable

LOG = logging.getLogger(__name__)
PER_MILLION = 1_000_000
PARTS = ("input", "output", "cache_read", "cache_write", "cache_write_1h", "reasoning")
RATES = (*PARTS, "per_request")
DATED = re.compile(r"-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens of each part, and per request."""

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None
    cache_write_1h: float | None = None
    reasoning: float | None = None
    per_request: float = 0.0
    tiers: tuple[JsonObject, ...] = ()
    """By rising `above_input_tokens`; the highest that the call passes gives its prices."""

    def of_call(self, usage: Usage) -> float:
        """The cost of one call in US dollars; a tier applies to the whole call."""
        rates = self._rates(usage.input_tokens or 0)
        cached = {
            part: getattr(usage, f"{part}_tokens") or 0
            for part in ("cache_read", "cache_write", "cache_write_1h")
        }
        reasoning = usage.reasoning_tokens or 0
        fresh = (usage.input_tokens or 0) - sum(cached.values())
        spoken = (usage.output_tokens or 0) - reasoning
        cost = fresh * rates["input"] + spoken * rates["output"]
        cost += reasoning * rates["reasoning"]
        cost += sum(count * rates[part] for part, count in cached.items())
        return cost / PER_MILLION + self.per_request

    def _rates(self, input_tokens: int) -> dict[str, float]:
        tier: Mapping[str, Any] = {}
        for candidate in self.tiers:
            if input_tokens > candidate["above_input_tokens"]:
                tier = candidate
        given = {part: tier.get(part, getattr(self, part)) for part in PARTS}
        rates = {part: rate for part, rate in given.items() if rate is not None}
        for part in PARTS:
            rates.setdefault(part, rates["output" if part == "reasoning" else "input"])
        return rates


@dataclass(frozen=True, slots=True)
class PriceBook:
    """One merged table: what it is called, what its bytes hash to, and its prices."""

    version: str
    sha256: str
    prices: Mapping[str, Price | None] = field(repr=False)
    """By lower-case id or alias; None where an entry is not usable."""

    def find(self, model: str) -> Price | None:
        """The price of a model: by id, by alias, without its provider, without its date."""
        name = model.casefold()
        bare = name.rpartition("/")[2] if "/" in name else name
        for candidate in (name, name.partition("/")[2], bare, DATED.sub("", bare)):
            if candidate in self.prices:
                return self.prices[candidate]
        return None


def price_book(builtin: PriceTable | None, own: PriceTable | None) -> PriceBook:
    """The tables as one, the operator's model by model over the built-in one.

    A negative or non-finite price leaves its model unpriced, with a warning.
    """
    models: dict[str, JsonObject] = {}
    for table in (builtin, own):
        if table is not None:
            models.update(_per_million(table))
    versions = [table.version for table in (builtin, own) if table is not None]
    prices = {name: _price(name, entry) for name, entry in models.items()}
    usable = {name: entry for name, entry in models.items() if prices[name] is not None}
    merged = PriceTable(version="+".join(versions) or "none", models=usable)
    return PriceBook(merged.version, json_digest(merged.dump()), _by_name(models, prices))


def read_prices(path: Path) -> PriceTable | None:
    """The operator's price table; None, with a warning, when it cannot be read."""
    try:
        return PriceTable.read(json.loads(path.read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        LOG.warning("%s is passed over: %s", path, error)
        return None


def _per_million(table: PriceTable) -> dict[str, JsonObject]:
    scale = PER_MILLION / table.per_tokens
    if scale == 1:
        return dict(table.models)
    return {name: _scaled(entry, scale) for name, entry in table.models.items()}


def _scaled(entry: JsonObject, scale: float) -> JsonObject:
    scaled = {
        key: value * scale if key in PARTS and isinstance(value, int | float) else value
        for key, value in entry.items()
    }
    if isinstance(entry.get("tiers"), list):
        scaled["tiers"] = [_scaled(tier, scale) for tier in entry["tiers"]]
    return scaled


def _by_name(
    models: Mapping[str, JsonObject], prices: Mapping[str, Price | None]
) -> dict[str, Price | None]:
    """Every price by id and alias; an id beats an alias."""
    by_id = {name.casefold(): price for name, price in prices.items()}
    by_alias: dict[str, Price | None] = {}
    for name, entry in models.items():
        for alias in entry.get("aliases") or ():
            by_alias.setdefault(str(alias).casefold(), prices[name])
    return {**by_alias, **by_id}


def _price(name: str, entry: JsonObject) -> Price | None:
    tiers = entry.get("tiers") or []
    rates = {key: entry[key] for key in RATES if entry.get(key) is not None}
    complete = "input" in rates and "output" in rates
    tiers_are_good = all(_is_tier(tier) for tier in tiers)
    if not complete or not tiers_are_good or not all(map(_is_rate, rates.values())):
        LOG.warning("the price of %s is not usable: the model is unpriced", name)
        return None
    ordered = sorted(tiers, key=lambda tier: float(tier["above_input_tokens"]))
    return Price(**rates, tiers=tuple(ordered))


def _is_tier(tier: Any) -> bool:
    return (
        isinstance(tier, dict)
        and _is_rate(tier.get("above_input_tokens"))
        and all(_is_rate(tier[part]) for part in PARTS if part in tier)
    )


def _is_rate(value: Any) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and value >= 0
    )
