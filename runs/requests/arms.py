"""The arms of a request, in plan order: models, prompt overrides, trivial arms, reference arms."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.records.base import JsonObject
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import (
    REFERENCE_ARMS,
    TRIVIAL_ARMS,
    ZERO_COST_ARMS,
    ArmKind,
    known,
)

RESERVED_LABELS = frozenset({*(kind.value for kind in ZERO_COST_ARMS), "app_replay", "(unknown)"})


@dataclass(frozen=True, slots=True)
class ArmSpec:
    """What is measured, known by its label."""

    label: str
    kind: ArmKind
    model: str | None = None
    """The model to call; None for arms that call none."""
    suffix: str | None = None
    """What a prompt override adds to the system text."""
    local: JsonObject | None = None
    """The entry of a local arm."""

    @property
    def spends(self) -> bool:
        """Whether it can cost money; a local arm may fall back to a paid gateway."""
        return self.kind not in ZERO_COST_ARMS

    @property
    def calls_model(self) -> bool:
        """Whether a model acts in the world."""
        return self.kind in {ArmKind.INCUMBENT, ArmKind.CANDIDATE}


def label_of(entry: Any) -> str:
    """The arm label of an entry of `models`: the id, or a local arm's label or last part of ref."""
    if isinstance(entry, Mapping):
        return str(entry.get("label") or str(entry.get("ref") or "").rpartition("/")[2]).strip()
    return str(entry).strip()


def arms_of(request: RunRequest) -> tuple[ArmSpec, ...]:
    """Every arm of a request in plan order; words that no arm has are left out."""
    incumbents = set(request.incumbent_models or ())
    arms = [_model_arm(entry, incumbents) for entry in request.models]
    arms += [_override_arm(entry) for entry in request.prompt_overrides or ()]
    arms += _plain_arms(request.trivial_arms or (), TRIVIAL_ARMS)
    arms += _plain_arms(request.reference_arms or (), REFERENCE_ARMS)
    return tuple(arms)


def _model_arm(entry: str | JsonObject, incumbents: set[str]) -> ArmSpec:
    label = label_of(entry)
    if isinstance(entry, str):
        kind = ArmKind.INCUMBENT if label in incumbents else ArmKind.CANDIDATE
        return ArmSpec(label, kind, model=label)
    return ArmSpec(label, ArmKind.CANDIDATE, local=dict(entry))


def _override_arm(entry: JsonObject) -> ArmSpec:
    return ArmSpec(
        str(entry.get("arm_label", "")).strip(),
        ArmKind.CANDIDATE,
        model=str(entry.get("model", "")).strip(),
        suffix=str(entry.get("system_prompt_suffix", "")),
    )


def _plain_arms(words: Iterable[str], kinds: Iterable[ArmKind]) -> list[ArmSpec]:
    found = [known(ArmKind, word) for word in words]
    allowed = frozenset(kinds)
    return [ArmSpec(kind.value, kind) for kind in found if kind in allowed and kind is not None]
