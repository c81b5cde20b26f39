"""What the operator allows without being asked, read from trust.json field by field.

Damage, another schema, an unknown level or a bad value gives the default of that field alone: the
least that is allowed. A typo never loosens anything.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.records.base import JsonObject
from benchmarks.records.home import TrustPosture
from benchmarks.records.vocabulary import TrustLevel, known

SCHEMA = "understudy.trust_posture.v1"
LEVELS = tuple(TrustLevel)
STOP_LOSS = "allow_spend_usd_per_run"
PROVIDER_UPLOAD = "allow_provider_upload"
TRAFFIC_CHANGES = "allow_traffic_changes"


@dataclass(frozen=True, slots=True)
class Posture:
    """The trust posture in force."""

    level: TrustLevel = TrustLevel.LOCAL_SANDBOX
    stop_loss_usd: float | None = None
    """What one run may spend before it is warned of; twice that stops it. None: no cap."""
    provider_upload: bool = False
    traffic_changes: bool = False
    set_at: str | None = None

    def reaches(self, level: TrustLevel) -> bool:
        """Whether what needs `level` is allowed."""
        return LEVELS.index(self.level) >= LEVELS.index(level)

    def document(self) -> JsonObject:
        """What is in force, as `trust show` prints it."""
        return {
            "level": self.level.value,
            STOP_LOSS: self.stop_loss_usd,
            PROVIDER_UPLOAD: self.provider_upload,
            TRAFFIC_CHANGES: self.traffic_changes,
        }

    def allows_more_than(self, other: "Posture") -> bool:
        """Whether anything is allowed here that the other posture does not allow."""
        mine, theirs = self.stop_loss_usd, other.stop_loss_usd
        looser_cap = theirs is not None and (mine is None or mine > theirs)
        return (
            LEVELS.index(self.level) > LEVELS.index(other.level)
            or looser_cap
            or (self.provider_upload and not other.provider_upload)
            or (self.traffic_changes and not other.traffic_changes)
        )


@dataclass(frozen=True, slots=True)
class Change:
    """What `trust set` asks for; None leaves a field as it is."""

    level: TrustLevel
    stop_loss_usd: float | None = None
    clear_stop_loss: bool = False
    provider_upload: bool | None = None
    traffic_changes: bool | None = None


def read_posture(value: Any) -> Posture:
    """The posture that a trust.json gives, whatever stands in it."""
    if not isinstance(value, Mapping) or value.get("schema_version", SCHEMA) != SCHEMA:
        return Posture()
    level = known(TrustLevel, value.get("level")) or TrustLevel.LOCAL_SANDBOX
    overrides = value.get("overrides")
    given: Mapping[str, Any] = overrides if isinstance(overrides, Mapping) else {}
    return Posture(
        level=level,
        stop_loss_usd=_amount(given.get(STOP_LOSS)),
        provider_upload=_allowed(given.get(PROVIDER_UPLOAD), level is TrustLevel.HOSTED_OPS),
        traffic_changes=given.get(TRAFFIC_CHANGES) is True,
        set_at=value.get("set_at") if isinstance(value.get("set_at"), str) else None,
    )


def changed(value: Any, change: Change, *, set_at: str, actor: Mapping[str, str]) -> TrustPosture:
    """The trust.json after a change: merged over what is there, a cleared override left out."""
    usable = isinstance(value, Mapping) and value.get("schema_version", SCHEMA) == SCHEMA
    before = dict(value) if usable else {}
    overrides = before.get("overrides")
    kept = dict(overrides) if isinstance(overrides, Mapping) else {}
    if change.stop_loss_usd is not None:
        kept[STOP_LOSS] = change.stop_loss_usd
    if change.clear_stop_loss:
        kept.pop(STOP_LOSS, None)
    if change.provider_upload is not None:
        kept[PROVIDER_UPLOAD] = change.provider_upload
    if change.traffic_changes is not None:
        kept[TRAFFIC_CHANGES] = change.traffic_changes
    for stale in ("actor", "door", "idempotency_key", "arguments_sha256"):
        before.pop(stale, None)
    return TrustPosture.read({
        **before,
        "schema_version": SCHEMA,
        "level": change.level.value,
        "set_at": set_at,
        "overrides": kept,
        **actor,
    })


def _amount(value: Any) -> float | None:
    """A sum of money over zero."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 < value < float("inf") else None


def _allowed(value: Any, by_level: bool) -> bool:
    return value if isinstance(value, bool) else by_level
