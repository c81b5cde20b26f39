"""What calibration says of a benchmark today: a verdict, the suspects and what is missing."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from benchmarks.records.base import JsonObject
from benchmarks.records.calibration import Calibration, CalibrationEntry, Floor
from benchmarks.stats.estimates import rounded
from benchmarks.stats.intervals import WILSON, wilson
from reviews.rigor.floors import FLOORS, LANES, NULL_FLOOR, REPLAY_CEILING, SPAM_FLOOR, Lane

WANTED_FLOORS = (NULL_FLOOR, SPAM_FLOOR)


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The stored calibration against the benchmark of today."""

    stored: Calibration | None
    entries: Mapping[str, CalibrationEntry]
    """Those with a score that are still about their task."""
    floors: Mapping[str, Floor]
    """Every lane, measured over the effective tasks."""
    effective: Sequence[str]
    waits_for_incumbent: bool
    """Whether the incumbent can be reached; else its replay is measured in its place."""
    can_replay: bool = True
    """Whether the captures of the incumbent are there; without them and it, floors are all."""
    flagged: Set[str] = frozenset()
    """The tasks under an open flag: their rows are in no figure, so no run completes them."""
    overridden: Set[str] = frozenset()
    """The floors, by key, over which the benchmark was promoted on somebody's word."""
    untested: Sequence[str] = ()
    """The tasks whose verifier nobody tested as it is today: their figures stand apart."""

    @property
    def verdict(self) -> str:
        """`not_run`, `partial`, `stale`, `fail`, `suspect` or `pass`: the first that holds.

        Without its incumbent, whatever stands in for it, or without a task that can be measured,
        a calibration is never more than `partial`.
        """
        if self.stored is None:
            return "not_run"
        lacking = [(each, each.lacking(self.measurable)) for each in self._measurements()]
        if any(tasks for _, tasks in lacking):
            outdated = all(each.ever.issuperset(tasks) for each, tasks in lacking)
            return "stale" if outdated else "partial"
        if self.exceeded:
            return "fail"
        if self.failed:
            return "suspect"
        return "partial" if self.unmeasured or not self.measurable else "pass"

    @property
    def measurable(self) -> list[str]:
        """The tasks that calibration has to cover: those under no open flag."""
        return [task for task in self.effective if task not in self.flagged]

    @property
    def unmeasured(self) -> list[str]:
        """The tasks that have no score of the incumbent itself."""
        return [task for task in self.measurable if task not in self.entries]

    @property
    def missing(self) -> list[str]:
        """What a run could still measure on today's tasks, in words."""
        return [
            f"{each.who} is not measured on {len(tasks)} of {len(self.measurable)} tasks"
            for each in self._measurements()
            if (tasks := each.lacking(self.measurable))
        ]

    @property
    def exceeded(self) -> list[Lane]:
        """The floors that are exceeded."""
        return [lane for lane in FLOORS if self.floors[lane.key].floor_exceeded]

    @property
    def to_fix(self) -> list[str]:
        """The arms whose floor is exceeded, but for what promotion was allowed to overlook."""
        return [lane.arm_kind.value for lane in self.exceeded if lane.key not in self.overridden]

    @property
    def warnings(self) -> list[str]:
        """The exceeded floors over which the benchmark was promoted all the same."""
        return [
            f"{lane.arm_kind} passes {len(self.floors[lane.key].passed_task_ids)} of"
            f" {self.floors[lane.key].measured} tasks; {lane.key} was overridden at promotion"
            for lane in self.exceeded
            if lane.key in self.overridden
        ]

    @property
    def failed(self) -> list[str]:
        """The tasks that the incumbent failed and never passed."""
        return [
            task
            for task in self.measurable
            if (entry := self.entries.get(task)) is not None
            and entry.passed is False
            and not entry.flaky
        ]

    def suspects(self) -> dict[str, list[str]]:
        """The tasks that calibration makes suspect, each with its reasons."""
        found: dict[str, list[str]] = {}
        for task in self.failed:
            found.setdefault(task, []).append("the incumbent failed and never passed")
        for lane in LANES:
            floor = self.floors[lane.key]
            for task in floor.scores or {}:
                if lane.is_ceiling and task not in floor.passed_task_ids:
                    found.setdefault(task, []).append(f"{lane.arm_kind} does not pass")
                elif not lane.is_ceiling and task in floor.passed_task_ids:
                    found.setdefault(task, []).append(f"{lane.arm_kind} passes")
        reasons = {task: list(dict.fromkeys(found[task])) for task in found}
        return {task: reasons[task] for task in self.effective if task in reasons}

    def document(self) -> JsonObject:
        """`calibration` of the status."""
        suspects = self.suspects()
        judged = [self.entries[task] for task in self.measurable if task in self.entries]
        return {
            "verdict": self.verdict,
            "run_id": self.stored.run_id if self.stored else None,
            "threshold": self.stored.threshold if self.stored else None,
            "missing": self.missing if self.stored else [],
            "flagged": [task for task in self.effective if task in self.flagged],
            "untested_task_ids": list(self.untested),
            "incumbent": {
                "passed": sum(entry.passed is True for entry in judged),
                "failed": sum(entry.passed is False for entry in judged),
                "unmeasured": len(self.unmeasured),
                "suspects": self.failed,
            },
            "suspects": suspects,
            "suspects_by_reason": dict(
                Counter(why for found in suspects.values() for why in found)
            ),
            "floors": [self._floor(lane.key) for lane in LANES if self.floors[lane.key].measured],
        }

    def _floor(self, key: str) -> JsonObject:
        floor = self.floors[key]
        return {
            "name": key,
            "arm": floor.arm_kind,
            "floor": floor.floor,
            "exceeded": floor.floor_exceeded,
            "overridden": bool(floor.floor_exceeded) and key in self.overridden,
            "measured": floor.measured,
            "coverage": floor.coverage,
            "passed_task_ids": floor.passed_task_ids,
            "passed": passed_share(floor),
        }

    def _measurements(self) -> list["_Measurement"]:
        """What a whole calibration needs: both floors, and the incumbent.

        Where its model cannot be reached, its replay on a task will do, if there is one.
        """
        floors = [self._lane(lane) for lane in WANTED_FLOORS]
        if not self.waits_for_incumbent and not self.can_replay:
            return floors
        stored = self.stored.tasks if self.stored else []
        incumbent = _Measurement(
            "the incumbent",
            today=frozenset(self.entries),
            ever=frozenset(entry.task_id for entry in stored if entry.score is not None),
        )
        if not self.waits_for_incumbent:
            replay = self._lane(REPLAY_CEILING)
            incumbent = _Measurement(
                "the incumbent or its replay",
                today=incumbent.today | replay.today,
                ever=incumbent.ever | replay.ever,
            )
        return [*floors, incumbent]

    def _lane(self, lane: Lane) -> "_Measurement":
        stored: Floor | None = getattr(self.stored, lane.key, None)
        return _Measurement(
            lane.arm_kind.value,
            today=frozenset(self.floors[lane.key].scores or {}),
            ever=frozenset((stored.scores if stored else None) or {}),
        )


def passed_share(floor: Floor) -> JsonObject | None:
    """The share of measured tasks that the arm passes, with Wilson's 95 % interval."""
    if not floor.measured:
        return None
    share = len(floor.passed_task_ids) / floor.measured
    bounds = wilson(share, floor.measured)
    return {
        "value": rounded(share),
        "low": rounded(bounds.low),
        "high": rounded(bounds.high),
        "method": WILSON,
        "n": floor.measured,
    }


@dataclass(frozen=True, slots=True)
class _Measurement:
    """The tasks that somebody was measured on."""

    who: str
    today: frozenset[str]
    """On the task as it is."""
    ever: frozenset[str]

    def lacking(self, task_ids: Sequence[str]) -> list[str]:
        return [task for task in task_ids if task not in self.today]
