"""On what grounds a request's cost is guessed: this benchmark's rows, its captures, the prices."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from statistics import fmean

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import Home
from benchmarks.gateway.builtin_prices import builtin_table
from benchmarks.gateway.prices import PriceBook, price_book, read_prices
from benchmarks.gateway.scripted import PREFIX
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Usage
from benchmarks.records.vocabulary import ZERO_COST_ARMS
from reviews.services.dossier import Dossier
from runs.requests.arms import ArmSpec
from runs.requests.quoting import Grounds, Kept


def grounds_of(
    dossier: Dossier,
    arms: Sequence[ArmSpec],
    *,
    home: Home,
    width: int | None,
    stop_loss_usd: float | None,
    now: datetime,
) -> Grounds:
    """What is known of the cost of these arms; files are read only as far as an arm asks."""
    paying = [arm for arm in arms if arm.spends and not is_free(arm.model or "")]
    kept = kept_rows(dossier, paying) if paying else {}
    guessed = [arm for arm in paying if not kept.get(arm.label, Kept()).costs]
    book = price_book(builtin_table(now.date()), read_prices(home.prices_file)) if guessed else None
    return Grounds(
        kept=kept,
        captured=captured_usage(dossier) if guessed else None,
        price=lambda model, usage: call_price(book, model, usage),
        table_sha256=book.sha256 if book is not None else None,
        is_free=is_free,
        stop_loss_usd=stop_loss_usd,
        width=min(width or home.settings.concurrency, home.settings.concurrency),
    )


def is_free(model: str) -> bool:
    """Whether a model is a built-in script, which nobody is paid for."""
    return model.startswith(PREFIX)


def call_price(book: PriceBook | None, model: str, usage: Usage) -> float | None:
    """What so many tokens cost under a model's price; None without one."""
    price = book.find(model) if book is not None else None
    return price.of_call(usage) if price is not None else None


def kept_rows(dossier: Dossier, arms: Iterable[ArmSpec]) -> dict[str, Kept]:
    """What the rows of these arms say that are still about today's tasks."""
    wanted = {arm.label for arm in arms}
    costs: dict[str, list[float]] = {label: [] for label in wanted}
    latencies: dict[str, list[float]] = {label: [] for label in wanted}
    for item in dossier.evidence.used:
        row = item.row
        current = item.currency is not None and item.currency.counts
        if row.model not in wanted or row.arm_kind in ZERO_COST_ARMS or not current:
            continue
        if row.cost is not None:
            costs[row.model].append(row.cost)
        if row.latency_ms is not None:
            latencies[row.model].append(row.latency_ms)
    return {label: Kept(tuple(costs[label]), tuple(latencies[label])) for label in wanted}


def captured_usage(dossier: Dossier) -> Usage | None:
    """The mean tokens of one task's captures, over the tasks whose captures report them."""
    by_key: dict[str, tuple[int, int]] = {}

    def take(line: JsonObject) -> None:
        usage = (line.get("conversation") or {}).get("usage") or {}
        read, said = usage.get("input_tokens"), usage.get("output_tokens")
        if isinstance(read, int) and isinstance(said, int):
            by_key[str(line.get("capture_key"))] = (read, said)

    dossier.directory.scan(layout.CAPTURES, take)
    sums = []
    for task in dossier.tasks.values():
        keys = [str(reference.get("capture_key")) for reference in task.source.captures]
        found = [by_key[key] for key in keys if key in by_key]
        if found:
            sums.append((sum(read for read, _ in found), sum(said for _, said in found)))
    if not sums:
        return None
    return Usage(
        input_tokens=round(fmean(read for read, _ in sums)),
        output_tokens=round(fmean(said for _, said in sums)),
    )
