"""How far along a benchmark is, from intake to measured, and what each step still lacks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.audit.pilot import Pilot
from benchmarks.records.base import JsonObject
from benchmarks.records.pilot import PilotState
from benchmarks.records.vocabulary import ArmKind, Stage
from benchmarks.records.wording import many

STALE, NOT_RUN, PASS = "stale", "not_run", "pass"
BUILT = frozenset({Stage.PROPOSED.value, Stage.PROMOTED.value})


@dataclass(frozen=True, slots=True)
class Step:
    """One step: whether it is taken, and in a few words what it lacks."""

    name: str
    taken: bool
    lacks: str = ""
    is_next: bool = False

    def document(self) -> JsonObject:
        """The step as pages show it."""
        return {
            "name": self.name,
            "taken": self.taken,
            "lacks": self.lacks,
            "is_next": self.is_next,
        }


@dataclass(frozen=True, slots=True)
class Ground:
    """What the steps are judged by."""

    status: Mapping[str, Any]
    """`benchmarks status`."""
    arm_kinds: frozenset[str] = frozenset()
    """The kinds of the arms that a leaderboard ranks."""
    pilot: Pilot | None = None
    """Where the pilot stands; None where none is asked for."""

    @property
    def stage(self) -> str:
        """The stage of the benchmark."""
        return str(self.status["benchmark"]["stage"])


def strip(ground: Ground) -> list[JsonObject]:
    """Every step in order; the first that is not taken is the next one."""
    steps = [judge(ground) for judge in STEPS]
    first = next((step.name for step in steps if not step.taken), None)
    return [
        Step(step.name, step.taken, step.lacks, is_next=step.name == first).document()
        for step in steps
    ]


def _intake(ground: Ground) -> Step:
    if ground.stage in BUILT:
        return Step("intake", taken=True)
    lacks = "its documents are not valid" if ground.stage == Stage.INVALID else "no task is built"
    return Step("intake", taken=False, lacks=lacks)


def _pilot(ground: Ground) -> Step:
    if ground.stage not in BUILT:
        return Step("pilot", taken=False, lacks="no pilot task")
    pilot = ground.pilot
    if pilot is None:
        return Step("pilot", taken=True, lacks="none was asked for")
    if not pilot.is_through:
        # A promotion ends the wait: nothing waits for an audit any more, and none is taken.
        return Step("pilot", taken=ground.stage == Stage.PROMOTED, lacks=pilot.detail)
    if pilot.state is PilotState.WAIVED:
        return Step("pilot", taken=True, lacks="waived")
    left = f"{many(pilot.pending, 'conversation')} not built" if pilot.pending else ""
    return Step("pilot", taken=not pilot.pending, lacks=left)


def _review(ground: Ground) -> Step:
    undecided = int(ground.status["attention"]["undecided"])
    if ground.stage == Stage.PROMOTED:
        left = f"{undecided} left undecided" if undecided else ""
        return Step("review", taken=True, lacks=left)
    pending = int(ground.status["ledgers"]["reviews"]["pending"])
    lacks = []
    if undecided:
        lacks.append(f"{undecided} flagged undecided")
    if pending:
        lacks.append(f"{pending} pending")
    taken = ground.stage in BUILT and not lacks
    return Step("review", taken, ", ".join(lacks) or ("" if taken else "no tasks yet"))


def _gate(ground: Ground) -> Step:
    gate = ground.status["gate"]
    word = str(gate["status"])
    if word == PASS:
        return Step("gate", taken=True)
    failures = len(gate.get("failures") or ())
    lacks = {NOT_RUN: "not run", STALE: "stale: run it again", "unknown": "not all is measured"}
    return Step("gate", taken=False, lacks=lacks.get(word, f"{failures} failing"))


def _promoted(ground: Ground) -> Step:
    taken = ground.stage == Stage.PROMOTED
    return Step("promoted", taken, "" if taken else "not promoted")


def _calibrated(ground: Ground) -> Step:
    verdict = str(ground.status["calibration"]["verdict"])
    lacks = {
        NOT_RUN: "no incumbent run",
        "partial": "tasks or arms unmeasured",
        STALE: "about older tasks",
        "fail": "a floor is exceeded",
        "suspect": "the incumbent failed tasks",
    }
    return Step("calibrated", verdict == PASS, lacks.get(verdict, ""))


def _measured(ground: Ground) -> Step:
    taken = ArmKind.CANDIDATE.value in ground.arm_kinds
    return Step("measured", taken, "" if taken else "no candidate run")


STEPS: tuple[Callable[[Ground], Step], ...] = (
    _intake,
    _pilot,
    _review,
    _gate,
    _promoted,
    _calibrated,
    _measured,
)
