"""One build while it is made: each step is computed once, when first asked for. Writes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path

from benchmarks.artifacts import layout
from benchmarks.contract.mutating import Policy
from benchmarks.errors import NothingSelected
from benchmarks.foundry.compile import BuildOptions, Compilation, compile_benchmark
from benchmarks.foundry.dag import DroppedRecord, execution_index
from benchmarks.foundry.drafting import policy_in_force, policy_of
from benchmarks.foundry.ids import benchmark_id
from benchmarks.foundry.manifests import Origin, build_manifest
from benchmarks.intake.ingest import Intake
from benchmarks.intake.redact import Redactor
from benchmarks.records.build import BuildManifest
from benchmarks.records.capture import Capture, LedgerEntry
from benchmarks.records.dag import IndexRow
from benchmarks.records.direction import Direction
from benchmarks.records.intake import IntakeReport
from benchmarks.records.times import read_time, stamp
from benchmarks.records.tool_policy import ToolPolicy
from benchmarks.release import VERSION
from benchmarks.services.asking import (
    BuildRequest,
    build_options_of,
    options_document,
    with_operator_words,
)
from benchmarks.services.assembling import (
    Assembled,
    Checked,
    Surroundings,
    Work,
    assemble,
    check,
    with_posture,
)
from benchmarks.services.examining import Examined, bench_of, examine, proven
from benchmarks.services.keeping import Inputs, Kept, keep
from benchmarks.services.piloting import Plan
from benchmarks.services.proposing import (
    Change,
    Naming,
    Proposed,
    adds_tasks,
    propose,
)
from benchmarks.services.standing import Standing, newest_captures
from benchmarks.services.writing import Documents, Ingested, Lineage

ARTIFACTS = {
    "captures": layout.CAPTURES.path,
    "source_dag": layout.SOURCE_DAG.path,
    "execution_index": layout.EXECUTION_INDEX.path,
    "tool_policy": layout.TOOL_POLICY.path,
    "tasks": layout.TASKS.path,
    "benchmark": layout.BENCHMARK.path,
    "environment": layout.ENVIRONMENT,
    "validation": layout.VALIDATION.path,
}
NO_TASK = "no task can be made of these captures"


@dataclass(frozen=True)
class Making:
    """What a build makes of a directory, a request and the sources that were read."""

    standing: Standing
    request: BuildRequest
    intake: Intake | None
    """None: the captures that the directory holds are built on."""
    plan: Plan
    """What of it may be written: the pilot first."""
    change: Change
    now: datetime

    # What goes in

    @cached_property
    def fresh(self) -> list[Capture]:
        """The captures that the directory does not hold yet."""
        known = {capture.capture_key for capture in self.standing.captures}
        return (
            [c for c in self.intake.captures if c.capture_key not in known] if self.intake else []
        )

    @cached_property
    def captures(self) -> list[Capture]:
        """All captures: those that were there, then the new ones."""
        return newest_captures([*self.standing.captures, *self.fresh])

    @cached_property
    def options(self) -> BuildOptions:
        """How contracts are compiled and splits drawn."""
        return self.request.build_options(self.standing.build, self.standing.benchmark)

    @cached_property
    def policy_file(self) -> ToolPolicy:
        """tool-policy.json from now on: the operator's words over what tools say."""
        request, change = self.request, self.change
        words = with_operator_words(self.standing.policy, request.tools, change.caller, self.now)
        return policy_of(self.captures, words)

    @cached_property
    def policy(self) -> Policy:
        """The class of every tool."""
        return policy_in_force(self.captures, self.policy_file)

    @property
    def card(self) -> Direction | None:
        """The picked card, where it says which conversations are its own."""
        directions = self.standing.directions
        card = directions.picked_card if directions is not None else None
        return card if card is not None and card.conversations is not None else None

    @property
    def direction(self) -> frozenset[str] | None:
        """The captures that the conversations of the picked card start with."""
        return frozenset(self.card.conversations or ()) if self.card is not None else None

    # What comes of it

    @cached_property
    def compilation(self) -> Compilation:
        """The tasks as the rules make them today.

        Raises:
            NothingSelected: there is none.
        """
        found = compile_benchmark(
            self.captures,
            self.policy,
            self.options,
            self.standing.tasks,
            promoted=self.standing.is_promoted,
            direction=self.direction,
        )
        if not found.made:
            reasons = {drop.value: count for drop, count in found.drops.items()}
            said = ", ".join(f"{count} {reason}" for reason, count in reasons.items())
            raise NothingSelected(f"{NO_TASK}: {said}", details={"dropped": reasons})
        whole = with_posture(found, self.policy, self.standing.dependencies)
        return self.plan.narrowed(
            whole, self.policy, seed=self.options.seed, in_direction=self.direction is not None
        )

    @cached_property
    def kept(self) -> Kept:
        """The tasks from now on: those that stand keep what people wrote."""
        standing = self.standing
        last = build_options_of(standing.build, standing.benchmark)
        return keep(
            standing.tasks,
            self.compilation,
            Inputs(standing.built_on, standing.policy, last),
            Inputs(self.captures, self.policy_file, self.options, self.standing.dependencies),
        )

    @cached_property
    def bare(self) -> Assembled:
        """The tasks stamped, with their environment."""
        standing = self.standing
        joins = adds_tasks(standing, [one.task for one in self.kept.made])
        listed = standing.listed
        return assemble(
            Work(
                made=[
                    one
                    for one in self.kept.made
                    if not standing.is_promoted or joins or one.task.task_id in listed
                ],
                recordings=self.compilation.recordings,
                policy=self.policy,
                at=self.change.at,
                before={task.task_id: task for task in standing.tasks},
                old=standing.environment,
                guidance=standing.environment.guidance,
            )
        )

    @cached_property
    def checked(self) -> Checked:
        """The verdicts of the self-check and of the leakage audit."""
        return check(
            self.bare,
            Surroundings(
                index=self.index,
                report=self.intake.report if self.intake else None,
                redacted=self.redacted,
                others={
                    layout.TOOL_POLICY.path: self.policy_file.dump(),
                    layout.SOURCE_DAG.path: self.compilation.dag.dump(),
                    layout.CAPTURES.path: self.fresh,
                },
            ),
        )

    @cached_property
    def assembled(self) -> Assembled:
        """The tasks as they are written."""
        return proven(self.bare, self.checked, self.examined, self.standing)

    @cached_property
    def examined(self) -> Examined:
        """The test of every verifier."""
        bench = bench_of(self.bare, self.policy, self.standing)
        return examine(bench, seed=self.options.seed, by=self.change.written())

    @cached_property
    def index(self) -> list[IndexRow]:
        """One row per group, one per task without source, one per dropped record."""
        made = {one.task.task_id for one in self.compilation.made}
        orphans = [
            IndexRow(
                execution_group=task.execution_group,
                lineage_status="unlinked",
                capture_count=0,
                edge_count=0,
                workloads=[],
                task_id=task.task_id,
                exclusion_reasons=[],
            )
            for task in self.standing.tasks
            if task.task_id not in made
        ]
        return [
            *execution_index(self.compilation.fates, dropped_records(self.standing, self.intake)),
            *orphans,
        ]

    @cached_property
    def proposed(self) -> Proposed:
        """benchmark.json and the version line."""
        told = self.standing.build or BuildManifest()
        stands = replace(
            self.standing,
            captures=self.captures,
            dag=self.compilation.dag,
            build=told.with_(pilot=self.plan.block(self.compilation)),
        )
        return propose(
            stands, self.kept.made, self.assembled, self.options, self.naming, self.change
        )

    @cached_property
    def manifest(self) -> BuildManifest:
        """manifest.json; a build that bumped nothing keeps the bumps of the one before."""
        made = build_manifest(
            self.compilation, self.origin(), self.checked.summary, self.bare.fixtures_split
        )
        bumps = [bump.dump() for bump in self.proposed.bumps]
        last = (self.standing.build.versioning if self.standing.build else None) or {}
        keyed = self.change.actor() if self.change.caller.idempotency_key else {}
        return made.with_(
            leakage_audit=self.checked.leakage.dump(),
            versioning={**last, "bumps": bumps} if bumps else last or {"bumps": []},
            **keyed,
        )

    @cached_property
    def documents(self) -> Documents:
        """Everything that is to be written."""
        return Documents(
            policy=self.policy_file,
            environment=self.assembled.environment,
            tasks=self.assembled.tasks,
            benchmark=self.proposed.benchmark,
            manifest=self.manifest,
            version_line=self.proposed.line,
            examined=self.examined,
            verifiers=self.assembled.verifiers,
            ingested=self.ingested(),
            lineage=Lineage(self.compilation.dag, self.index),
        )

    # What is said about it

    @property
    def report(self) -> IntakeReport | None:
        """What was read and lost: now, or when the directory was first filled."""
        return self.intake.report if self.intake else self.standing.report

    @property
    def redacted(self) -> bool:
        """Whether the secrets of every capture were taken out; False once some were kept."""
        last = self.standing.build
        taken_out = self.report is None or self.report.redacted
        return taken_out and (last is None or last.is_redacted)

    @property
    def source_name(self) -> str:
        """What the sources are called: the last part of their paths."""
        if self.request.sources:
            return sources_name(self.request.sources)
        standing = self.standing
        last = standing.build.source if standing.build else None
        taken_in = standing.directions.source if standing.directions else None
        return last or taken_in or standing.directory.name

    @property
    def naming(self) -> Naming:
        """The id and the name of a benchmark that is built first."""
        workload = self.request.workload
        stem = workload or spoken_name(self.source_name) or self.standing.directory.name
        return Naming(benchmark_id(self.source_name, workload), f"{stem} trace benchmark")

    def origin(self) -> Origin:
        """Where the captures came from, for manifest.json."""
        request, last = self.request, self.standing.build
        days = request.max_age_days or None
        times = [read_time(capture.captured_at) for capture in self.captures]
        newest = max((time for time in times if time is not None), default=None)
        kept = (last.source_scope if last else None) or {}
        return Origin(
            source=self.source_name,
            output=self.standing.directory.name,
            files=len({capture.source.content_sha256 for capture in self.captures}),
            workload=request.workload or kept.get("workload"),
            max_age_days=days,
            cutoff=stamp(self.now - timedelta(days=days)) if days else None,
            newest=stamp(newest) if newest else None,
            filtered=self.report.dropped if self.report else {},
            seed=self.options.seed,
            options=options_document(self.options),
            pilot=self.plan.block(self.compilation),
            direction=self.card.direction_id if self.card is not None else None,
            redacted=self.redacted,
            builder=VERSION,
            artifacts=ARTIFACTS,
        )

    def ingested(self) -> Ingested:
        """What the sources add to the directory."""
        if self.intake is None:
            return Ingested()
        return Ingested(
            captures=self.fresh,
            ledger=[ledger_entry(capture, self.change.at) for capture in self.intake.captures],
            blobs=self.intake.blobs,
            report=self.intake.report,
        )


def dropped_records(standing: Standing, intake: Intake | None) -> list[DroppedRecord]:
    """Records that made no capture: of the sources of today, and of files read before."""
    if intake is None:
        return _records_of(standing, set())
    now = [
        DroppedRecord(drop.reason.value, drop.local_path, drop.content_sha256)
        for drop in intake.dropped
    ]
    read = {str(source.get("path")) for source in intake.report.sources}
    return [*_records_of(standing, read | {one.local_path for one in now}), *now]


def sources_name(sources: Sequence[Path]) -> str:
    """What sources are called: the last parts of their paths, without secrets."""
    return "+".join(dict.fromkeys(Redactor().clean(path.name) for path in sources))


def spoken_name(source_name: str) -> str:
    """The sources as people say them: `a and b`, without endings."""
    return " and ".join(dict.fromkeys(part.split(".")[0] for part in source_name.split("+")))


def ledger_entry(capture: Capture, at: str) -> LedgerEntry:
    """The line that keeps a record from being ingested again."""
    return LedgerEntry(
        source_sha256=capture.source.sha256,
        source_pointer=capture.source.pointer,
        capture_key=capture.capture_key,
        ingested_at=at,
        record_sha256=capture.source.record_sha256,
    )


def _records_of(standing: Standing, without: set[str]) -> list[DroppedRecord]:
    """The dropped records that the index tells of, those of some files left out."""
    return [
        DroppedRecord(row.exclusion_reasons[0], file["local_path"], file["content_sha256"])
        for row in standing.index
        if row.execution_group is None and row.exclusion_reasons
        for file in (row.source_files or [])[:1]
        if file["local_path"] not in without
    ]
