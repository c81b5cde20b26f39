"""What each arm made of one task: a mean with its interval, and every rollout as a mark."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.admin.looks import ANOMALY, ERROR, FAIL, LEFT_OUT, PART, PASS, Look, legend_of
from benchmarks.records.base import JsonObject

RolloutLink = Callable[[Mapping[str, str]], str]
"""The page of a rollout; empty where this release has none."""
APART = ("anomalous", "excluded", "missing")
"""Places whose rollouts are in no mean, in the order in which they stand behind the scored ones."""

LEGEND = legend_of((PASS, PART, FAIL, ANOMALY, ERROR, LEFT_OUT))


@dataclass(frozen=True, slots=True)
class Mark:
    """One rollout: how it is drawn, and its words."""

    look: Look
    words: str
    path: str


@dataclass(frozen=True, slots=True)
class Marks:
    """Rollouts that count alike."""

    words: str
    """Why they count in no mean; empty for those that do."""
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class ArmRow:
    """One arm."""

    label: str
    kind: str
    mean: float | None
    interval: str
    scored: int
    groups: tuple[Marks, ...]


def arm_rows(arms: Sequence[JsonObject], link: RolloutLink) -> tuple[ArmRow, ...]:
    """The arms in the order of their labels."""
    return tuple(
        ArmRow(
            label=arm["model"],
            kind=str(arm["arm_kind"]),
            mean=arm["mean_score"],
            interval=interval_words(arm["interval"]),
            scored=arm["scored"],
            groups=tuple(_groups(arm, link)),
        )
        for arm in arms
    )


def interval_words(interval: JsonObject) -> str:
    """`19.8 % to 97.3 %`, or `insufficient` where too few rollouts were scored."""
    if interval.get("insufficient"):
        return "insufficient"
    return f"{interval['low'] * 100:.1f} % to {interval['high'] * 100:.1f} %"


def _groups(arm: JsonObject, link: RolloutLink) -> list[Marks]:
    """The scored rollouts first, then those that count in no mean, each kind by itself."""
    kinds: dict[tuple[int, str], list[Mark]] = {}
    for rollout in arm["rollouts"]:
        where = {
            "run": rollout["run_id"],
            "arm": arm["model"],
            "rollout": str(rollout["rollout"]),
        }
        kinds.setdefault(_kind(rollout), []).append(_mark(rollout, link(where)))
    return [Marks(words, tuple(marks)) for (_, words), marks in sorted(kinds.items())]


def _kind(rollout: JsonObject) -> tuple[int, str]:
    """Where a rollout stands in its row, and why it counts in no mean."""
    place = rollout["place"]
    if place not in APART:
        return 0, ""
    words = {
        "anomalous": "anomalous",
        "excluded": str(rollout["reason"] or "left out"),
        "missing": "no score",
    }
    return 1 + APART.index(place), words[place]


def _mark(rollout: JsonObject, path: str) -> Mark:
    look, word = _shown(rollout)
    number = f"rollout {rollout['rollout']} of {rollout['run_id']}"
    return Mark(look, f"{word}: {number}", path)


def _shown(rollout: JsonObject) -> tuple[Look, str]:
    """The look of a rollout, and it in words."""
    place, score = rollout["place"], rollout["score"]
    why = str(rollout["reason"] or "").replace("_", " ")
    if place == "missing":
        return ERROR, f"no score, {why}"
    if place == "anomalous":
        return ANOMALY, f"anomaly, {why}"
    if place == "excluded":
        return LEFT_OUT, why
    if rollout["passed"]:
        return PASS, f"pass {score:.3f}"
    return (PART, f"part {score:.3f}") if score else (FAIL, "fail 0.000")
