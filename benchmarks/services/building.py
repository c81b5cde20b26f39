"""Captured traces become a benchmark: one pass, deterministic, that spends nothing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.idempotency import replayed
from benchmarks.contract.mutating import unclassified
from benchmarks.errors import AlreadyExists, ApprovalRequired, LossAboveBar, NothingSelected
from benchmarks.foundry.reasons import Drop
from benchmarks.intake.ingest import MAX_LOSS, Intake, Progress
from benchmarks.intake.reporting.findings import lost, waiver
from benchmarks.records import cures
from benchmarks.records.base import JsonObject
from benchmarks.records.build import BuildManifest
from benchmarks.records.caller import Caller
from benchmarks.records.direction import Directions
from benchmarks.records.intake import IntakeReport
from benchmarks.records.manifest import PROPOSAL, BenchmarkManifest
from benchmarks.records.task import Task
from benchmarks.records.times import stamp
from benchmarks.records.tool_policy import ToolEntry, ToolPolicy
from benchmarks.records.wording import many
from benchmarks.services.addressing import address_feedback
from benchmarks.services.asking import BuildRequest, signed
from benchmarks.services.doctoring import nothing_found
from benchmarks.services.making import Making
from benchmarks.services.passes import take_in
from benchmarks.services.piloting import (
    Scope,
    only_pilot_stands,
    pilot_block,
    plan_of,
    waived_audit,
)
from benchmarks.services.proposing import Change
from benchmarks.services.standing import Standing, read_standing
from benchmarks.services.writing import put, write_all

CAUSE = "build"


def build_benchmark(
    *,
    directory: BenchmarkDir,
    slug: str,
    source: Sequence[Path] = (),
    workload: str | None = None,
    max_age_days: float | None = None,
    max_loss: float = MAX_LOSS,
    redact: bool = True,
    tool_policy: Mapping[str, ToolEntry | str] | None = None,
    splits: Mapping[str, float] | None = None,
    seed: int | None = None,
    extra_writes: str | None = None,
    refusals: str | None = None,
    contract_from: str | None = None,
    pilot: bool = False,
    waive_pilot: str | None = None,
    rebuild: bool = False,
    confirm: bool = False,
    dry_run: bool = False,
    progress: Progress | None = None,
    caller: Caller,
    now: datetime,
) -> JsonObject:
    """Build a benchmark from sources, or from the captures that the directory holds.

    The first build writes one task, the pilot. What was built before keeps ids, splits, ledgers
    and what people wrote; the same sources again change nothing.

    Raises:
        UnderstudyError: a value is wrong, a source lost too much, a pilot or an approval is owed.
    """
    request = BuildRequest(
        sources=sorted(dict.fromkeys(source)),
        workload=workload,
        max_age_days=max_age_days,
        max_loss=max_loss,
        redact=redact,
        seed=seed,
        splits=splits,
        refusals=refusals,
        extra_writes=extra_writes,
        contract_from=contract_from,
        tools=tool_policy or {},
        pilot=pilot,
        waive_pilot=waive_pilot,
        rebuild=rebuild,
        confirm=confirm or dry_run,
    )
    request.check()
    standing = read_standing(directory)
    built = [standing.build] if standing.build else []
    if replayed(built, caller, request.document()) is not None:
        return _answer(_stands(standing), slug=slug, caller=caller, again=True)
    reading = _Reading(writes=not dry_run, progress=progress)
    making = _prepared(standing, request, reading, caller, now)
    answer = _answer(_made(making), slug=slug, caller=caller, again=False)
    if dry_run:
        return {"dry_run": True, **answer}
    return _write(making, answer, caller, now)


def _write(making: Making, answer: JsonObject, caller: Caller, now: datetime) -> JsonObject:
    """Write what was computed without the lock, unless somebody else wrote meanwhile."""
    directory, documents = making.standing.directory, making.documents
    with directory.guard():
        making.standing.check_unmoved()
        write_all(directory, documents)
        waived = waived_audit(making.plan, making.standing)
        if waived is not None:
            put(directory, layout.PILOT_AUDIT, waived)
        address_feedback(directory, documents.tasks, CAUSE, caller, now)
    if making.intake is not None:
        making.intake.forget()
    return answer


@dataclass(frozen=True)
class _Reading:
    """How a build reads its sources."""

    writes: bool
    progress: Progress | None


def _prepared(
    standing: Standing, request: BuildRequest, reading: _Reading, caller: Caller, now: datetime
) -> Making:
    """The build with everything checked and read; nothing is computed yet."""
    _check_free(standing, request)
    plan = plan_of(request, standing, caller, now)
    if reading.writes and plan.scope is not Scope.PILOT:
        _check_approved(standing)
    change = Change(CAUSE, caller, stamp(now), request.document())
    intake = _taken_in(standing, request, reading, now)
    return Making(standing, request, intake, plan, change, now)


def _check_free(standing: Standing, request: BuildRequest) -> None:
    """A built directory is only added to on purpose; one without captures needs a source.

    Beside a pilot the same command builds the rest.
    """
    name = standing.directory.name
    stands = standing.is_built and not only_pilot_stands(standing)
    if request.sources and stands and not request.rebuild:
        raise AlreadyExists(
            f"{name} has {len(standing.tasks)} tasks",
            hint="--rebuild adds these sources to it; --slug NAME builds another benchmark",
            details={"tasks": len(standing.tasks), "dir": str(standing.directory.path)},
        )
    if not request.sources and not standing.captures:
        raise NothingSelected(
            f"{name} holds no captures", hint="name a source: a file or a folder of captures"
        )


def _check_approved(standing: Standing) -> None:
    """Where an operator was asked how dependencies are played, a build waits for the answer.

    A pilot may use what is only suggested.
    """
    directions, dependencies = standing.directions, standing.dependencies
    if dependencies is None:
        if directions is not None:
            raise ApprovalRequired(
                f"{layout.DEPENDENCIES.path} of {standing.directory.name} is missing, or leads out"
                " of it: nobody knows how dependencies are played",
                hint="propose anew, then approve a posture of each: the pick stays",
                details={"gate": "posture", "dependencies": []},
                next_actions=(cures.propose_directions(standing.directory.name),),
            )
        return
    card = directions.picked_card if directions is not None else None
    waiting = dependencies.unapproved(card.needs if card is not None else None)
    if waiting:
        names = [one.name for one in waiting]
        raise ApprovalRequired(
            f"nobody approved how {', '.join(names)} is played",
            hint="building waits for a posture of every dependency",
            details={"gate": "posture", "dependencies": names},
            next_actions=(
                cures.approve_postures(
                    standing.directory.name, {one.name: one.posture for one in waiting}
                ),
            ),
        )


def _taken_in(
    standing: Standing, request: BuildRequest, reading: _Reading, now: datetime
) -> Intake | None:
    """What the sources hold; None when the directory's own captures are built on."""
    if not request.sources:
        if standing.report is not None and not standing.is_built:
            _check_loss(standing.report, request.max_loss, ())
        return None
    intake = take_in(
        request.sources,
        directory=standing.directory,
        options=request.intake_options(now),
        writes=reading.writes,
        progress=reading.progress,
    )
    _check_loss(intake.report, intake.report.bar, request.sources)
    if not intake.captures:
        raise nothing_found(request.sources, intake)
    return intake


def _check_loss(report: IntakeReport, bar: float, sources: Sequence[Path]) -> None:
    if report.loss > bar:
        look = cures.look_over([str(source) for source in sources])
        raise LossAboveBar(
            f"{lost(report)}; the bar is {bar:.1%}",
            hint=f"{look.command} says what and why; "
            f"--max-loss {waiver(report.loss):g} builds all the same",
            next_actions=(look,) if sources else (),
            details={
                "loss": report.loss,
                "bar": bar,
                "losses": report.losses,
                "dropped": report.dropped,
                "examples": report.examples,
            },
        )


@dataclass(frozen=True)
class _Told:
    """What the answer is made of: a build of now, or one that stands."""

    directory: BenchmarkDir
    manifest: BuildManifest
    benchmark: BenchmarkManifest
    tasks: Sequence[Task]
    policy: ToolPolicy
    report: IntakeReport | None
    directions: Directions | None = None

    @property
    def direction(self) -> JsonObject:
        """Which card the conversations were chosen by, and what that left out."""
        card = self.directions.picked_card if self.directions is not None else None
        if card is None:
            return {"picked": None, "note": "no direction was picked: every conversation is used"}
        left = self.dropped.get(Drop.NOT_IN_DIRECTION.value, 0)
        note = f"{card.name}: {many(left, 'conversation')} outside it left out"
        return {"picked": card.direction_id, "note": note}

    @property
    def dropped(self) -> dict[str, int]:
        """What is not in the benchmark, by reason: records, captures and conversations."""
        counts = Counter(self.report.dropped if self.report else {})
        counts.update((self.manifest.lineage or {}).get("counts", {}))
        return dict(sorted(counts.items()))

    @property
    def unclassified(self) -> list[str]:
        """The tools that were called and cannot be classed, by tool or by call."""
        called = {name for task in self.tasks for name in task.tool_surface}
        return unclassified(called, self.policy.tools)


def _made(making: Making) -> _Told:
    documents = making.documents
    return _Told(
        directory=making.standing.directory,
        manifest=documents.manifest,
        benchmark=documents.benchmark,
        tasks=documents.tasks,
        policy=documents.policy,
        report=making.report,
        directions=making.standing.directions,
    )


def _stands(standing: Standing) -> _Told:
    return _Told(
        directory=standing.directory,
        manifest=standing.build or BuildManifest(),
        benchmark=standing.benchmark or BenchmarkManifest(schema_version=PROPOSAL),
        tasks=standing.tasks,
        policy=standing.policy or ToolPolicy(),
        report=standing.report,
        directions=standing.directions,
    )


def _answer(told: _Told, *, slug: str, caller: Caller, again: bool) -> JsonObject:
    benchmark = told.benchmark
    splits = benchmark.splits or {}
    names = {category.category_id: category.name for category in benchmark.taxonomy}
    per_category = Counter(names.get(task.category_id or "", "") for task in benchmark.tasks)
    return {
        "ok": True,
        "replayed": again,
        **signed(caller),
        **told.manifest.dump(),
        **_pilot_of(told.manifest),
        "slug": slug,
        "dir": str(told.directory.path),
        "benchmark_id": benchmark.benchmark_id,
        "version": benchmark.version,
        "dropped": told.dropped,
        "direction": told.direction,
        "splits": splits.get("boundary"),
        "contamination": splits.get("contamination"),
        "categories": [
            {"name": name, "tasks": count} for name, count in per_category.most_common()
        ],
        "needs_review": sum(task.status == "needs_review" for task in told.tasks),
        "unclassified_tools": told.unclassified,
        "promotion_blockers": benchmark.promotion_blockers,
        "next_actions": [cures.read_status(slug).document()],
    }


def _pilot_of(manifest: BuildManifest) -> JsonObject:
    """The pilot task by name, where the build wrote one."""
    named = pilot_block(manifest).get("task_id")
    return {"pilot_task_id": named} if named else {}
