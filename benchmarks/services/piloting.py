"""Which tasks a build may write: the pilot first, the rest once it was audited or waived."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from benchmarks.audit.pilot import Pilot, pilot_of
from benchmarks.contract.mutating import Policy
from benchmarks.errors import (
    ApprovalRequired,
    Complaint,
    InvalidArguments,
    PilotRequired,
)
from benchmarks.foundry.compile import Compilation
from benchmarks.foundry.pilot import first_task, held_back, in_dev, waiting
from benchmarks.records import cures
from benchmarks.records.base import JsonObject
from benchmarks.records.build import BuildManifest
from benchmarks.records.caller import Caller
from benchmarks.records.pilot import PilotAudit, PilotWaiver
from benchmarks.records.task import Task
from benchmarks.records.times import stamp
from benchmarks.services.asking import BuildRequest, signed
from benchmarks.services.standing import Standing


class Scope(StrEnum):
    """What a build writes of all that it compiles."""

    EVERY = "every"
    PILOT = "pilot"
    STANDING = "standing"
    """Tasks that stand, and no new one."""


@dataclass(frozen=True)
class Plan:
    """What one build may write, and what manifest.json says of the pilot."""

    scope: Scope
    pilot: str | None = None
    """The pilot task that stands."""
    waived: JsonObject | None = None
    standing: frozenset[str] = frozenset()
    refused: frozenset[str] = field(default_factory=frozenset)

    def narrowed(
        self, found: Compilation, policy: Policy, *, seed: int, in_direction: bool
    ) -> Compilation:
        """What is written of a compilation; the rest is `pilot_pending`."""
        if self.scope is Scope.EVERY:
            return found
        if self.scope is Scope.STANDING or self.standing & set(self._open(found)):
            return held_back(found, self.standing)
        first = first_task(
            found, policy, seed=seed, in_direction=in_direction, refused=self.refused
        )
        return in_dev(held_back(found, self.standing | {first}), first)

    def block(self, found: Compilation) -> JsonObject | None:
        """`pilot` of manifest.json: the pilot task and how many wait for it, or who waived it."""
        block: JsonObject = {"waived": self.waived} if self.waived else {}
        pilot = self.pilot
        if pilot is None and self.scope is Scope.PILOT:
            pilot = next(iter(self._open(found)), None)
        if pilot is not None:
            block["task_id"] = pilot
        if pilot is not None or waiting(found):
            block["pending"] = waiting(found)
        return block or None

    def _open(self, found: Compilation) -> list[str]:
        return [task.task_id for task in found.tasks if task.task_id not in self.refused]


def plan_of(request: BuildRequest, standing: Standing, caller: Caller, now: datetime) -> Plan:
    """What a build may write (spec/build.md 9.3). An earlier waiver stands.

    Raises:
        PilotRequired: only the pilot stands, and its audit did not pass.
        ApprovalRequired: a program waives the pilot without a person's word.
        InvalidArguments: a pilot is asked for where other tasks stand.
    """
    block = pilot_block(standing.build)
    names = frozenset(task.task_id for task in standing.tasks)
    refused = frozenset(standing.refused)
    pilot = standing_pilot(standing)
    waived = _waived(request, block, caller, now)
    plan = Plan(Scope.EVERY, pilot, waived, names, refused)
    if request.pilot:
        _check_first(names - refused - {pilot})
        return _scoped(plan, Scope.PILOT)
    found = pilot_as_it_stands(standing)
    if waived is not None or found.is_through:
        return plan
    if not standing.is_built:
        return _scoped(plan, Scope.PILOT)
    if names - refused - {pilot}:
        return _scoped(plan, Scope.STANDING)
    raise pilot_required(standing, found)


def pilot_block(build: BuildManifest | None) -> JsonObject:
    """What manifest.json says of the pilot."""
    return (build.pilot if build is not None else None) or {}


def standing_pilot(standing: Standing) -> str | None:
    """The pilot task that a build wrote, where it is still there and nobody refused it."""
    told = pilot_block(standing.build).get("task_id")
    there = {task.task_id for task in standing.tasks} - standing.refused
    return str(told) if told in there else None


def only_pilot_stands(standing: Standing) -> bool:
    """Whether nothing was built yet but a pilot, and those that were refused before it."""
    pilot = standing_pilot(standing)
    return pilot is not None and {task.task_id for task in standing.tasks} - standing.refused == {
        pilot
    }


def pilot_as_it_stands(standing: Standing) -> Pilot:
    """The pilot of a directory before this build."""
    tasks = {task.task_id: task for task in standing.tasks}
    return pilot_of(standing.build, standing.pilot_audit, tasks)


def pilot_required(standing: Standing, pilot: Pilot) -> PilotRequired:
    """The refusal of a batch whose pilot is not through, with what is left to do."""
    directory = standing.directory
    waive = cures.waive_pilot(directory.name, str(directory.path), ())
    cure = pilot.cure(directory.name)
    return PilotRequired(
        f"{directory.name}: {pilot.detail}",
        hint="run the pilot task, read its rollout and record the audit;"
        " --waive-pilot REASON builds every task at once, and the reason is recorded",
        details={"task_id": pilot.task_id, "state": pilot.state.value},
        next_actions=(waive,) if pilot.task_id is None else (cure, waive),
    )


def waived_audit(plan: Plan, standing: Standing) -> PilotAudit | None:
    """pilot-audit.json after a waiver, where a pilot stands that the waiver is about."""
    pilot = _task(standing.tasks, plan.pilot) if plan.pilot else None
    if pilot is None or plan.waived is None:
        return None
    newer = PilotAudit(
        task_id=pilot.task_id,
        task_version=pilot.version,
        content_hashes=pilot.content_hashes,
        verdict="waived",
        waiver=PilotWaiver.read(plan.waived),
    )
    old = standing.pilot_audit
    return newer if old is None else old.replaced_by(newer)


def _waived(
    request: BuildRequest, block: JsonObject, caller: Caller, now: datetime
) -> JsonObject | None:
    """The waiver in force: the one that stands, or the one that is given now."""
    reason, stands = request.waive_pilot, block.get("waived")
    if isinstance(stands, dict) and reason in {None, stands.get("reason")}:
        return stands
    if reason is None:
        return None
    if not caller.is_person and not request.confirm:
        raise ApprovalRequired(
            "waiving the pilot is a person's decision",
            hint="ask the person; then call again with confirm: true",
            details={"gate": "waive_pilot"},
        )
    return {"reason": reason, **signed(caller), "at": stamp(now)}


def _check_first(others: Collection[str]) -> None:
    """A pilot is the first task: nothing else stands beside it."""
    if others:
        said = f"{len(others)} other tasks stand: a pilot is built before them"
        raise InvalidArguments(
            f"pilot: {said}",
            hint="leave --pilot out: tasks that stand are built again",
            errors=[Complaint("pilot", True, said)],
        )


def _scoped(plan: Plan, scope: Scope) -> Plan:
    return Plan(scope, plan.pilot, plan.waived, plan.standing, plan.refused)


def _task(tasks: Collection[Task], task_id: str | None) -> Task | None:
    return next((task for task in tasks if task.task_id == task_id), None)
