"""What the model calls of one rollout cost, and on what grounds that is said."""

from dataclasses import dataclass, field

from benchmarks.gateway.prices import Price
from benchmarks.gateway.usage import Tally
from benchmarks.records.blocks import Pricing, Usage

DISAGREEMENT_USD = 0.0001
DISAGREEMENT_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class Tariff:
    """What a call of one model costs."""

    model: str
    free: bool = False
    """Nothing is ever paid: deterministic and local arms."""
    price: Price | None = None
    table_sha256: str | None = None
    table_version: str | None = None


FREE = Tariff("", free=True)


@dataclass(slots=True)
class Bill:
    """The running cost of one rollout. The provider's own figure wins; both are kept."""

    tariff: Tariff
    usage: Tally = field(default_factory=Tally)
    computed_usd: float = 0.0
    reported_usd: float = 0.0
    reported_calls: int = 0
    priced_calls: int = 0
    known_usd: float = 0.0
    known_calls: int = 0

    def add(self, usage: Usage | None) -> float | None:
        """Count one answered call; its cost, or None when that is not known."""
        self.usage.add(usage)
        if self.tariff.free:
            return 0.0
        if usage is None:
            return None
        computed = self.tariff.price.of_call(usage) if self.tariff.price is not None else None
        reported = usage.reported_cost_usd
        if computed is not None:
            self.priced_calls += 1
            self.computed_usd += computed
        if reported is not None:
            self.reported_calls += 1
            self.reported_usd += reported
        known = reported if reported is not None else computed
        if known is not None:
            self.known_calls += 1
            self.known_usd += known
        return known

    @property
    def cost_usd(self) -> float | None:
        """The known sum; None when calls were made and none has a known cost."""
        if self.tariff.free:
            return 0.0
        if self.known_calls:
            return self.known_usd
        return 0.0 if not self.usage.calls and self.tariff.price is not None else None

    @property
    def mismatched(self) -> bool:
        """Whether the provider's figure and the table's are further apart than rounding."""
        if not self.reported_calls or self.priced_calls != self.reported_calls:
            return False
        apart = abs(self.reported_usd - self.computed_usd)
        most = max(self.reported_usd, self.computed_usd)
        return apart > DISAGREEMENT_USD and apart > DISAGREEMENT_SHARE * most

    def pricing(self) -> Pricing:
        """On what grounds the cost is said."""
        if self.tariff.free:
            return Pricing(basis="free")
        unpriced = self.tariff.price is None and self.reported_calls < self.usage.calls
        partial = 0 < self.known_calls < self.usage.calls or (
            self.known_calls == 0 and self.cost_usd is not None and self.usage.unreported > 0
        )
        return Pricing(
            basis=self._basis(),
            price_table_sha256=self.tariff.table_sha256,
            price_table_version=self.tariff.table_version,
            reported_usd=self.reported_usd if self.reported_calls else None,
            computed_usd=self.computed_usd if self.priced_calls else None,
            unpriced=[self.tariff.model] if unpriced else None,
            partial=True if partial else None,
        )

    def _basis(self) -> str:
        if self.cost_usd is None:
            return "unknown"
        return "reported" if self.reported_calls else "table"
