"""One regrade under a claim: the rows of every run by today's contract, then their calibration."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property

from benchmarks.artifacts import layout
from benchmarks.artifacts.claim import Claim
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.audit.verdicts import UNTESTED, with_verdict
from benchmarks.errors import DirectoryBusy, UnderstudyError
from benchmarks.records.base import JsonObject
from benchmarks.records.caller import Caller
from benchmarks.records.holdout import HoldoutLook
from benchmarks.records.manifest import BenchmarkManifest, ManifestTask
from benchmarks.records.request import RunRequest
from benchmarks.records.row import Row
from benchmarks.records.task import Task
from benchmarks.records.times import read_time, stamp
from benchmarks.records.version import VersionLine
from benchmarks.records.vocabulary import REFERENCE_ARMS, TRIVIAL_ARMS, ArmKind, RunStatus, Split
from reviews.rigor.evidence import root_run
from reviews.rigor.floors import LONG_AGO
from runs.calibration import is_current
from runs.executor.selecting import splits_of
from runs.recalibration import recalibrate
from runs.regrade.candidates import Candidate
from runs.regrade.ledger import given_versions, line_of, moved, newest_snapshot
from runs.regrade.naming import Names
from runs.regrade.rederiving import Stage, facts_of
from runs.regrade.rescoring import Bench, Occasion, rescored
from runs.regrade.summary import Regraded, RunRegrade
from runs.regrade.survey import Survey
from runs.regrade.unfinished import Unfinished
from runs.regrade.writing import ANSWER, CLAIMED, COMPLETED, Parent, Pen, check_parents, parents_of

CAUSE = "regrade"
TICK = timedelta(milliseconds=1)
"""Rows come after the line that tells of their verifier: the next moment that can be written."""


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms a regrade is made."""

    now: datetime
    version: str
    fence: int
    caller: Caller
    allow_untested: str | None = None
    arguments: JsonObject = field(default_factory=dict)
    """What was asked for, as its digest is kept beside a key."""

    @property
    def at(self) -> str:
        """The moment of the version line."""
        return stamp(self.now)


@dataclass(frozen=True, slots=True)
class Written:
    """What was written."""

    parents: Sequence[Parent]
    """The files of the source rows, as they stood and stand."""
    finished: Sequence[Unfinished]
    """Regrades that had stopped before their end, and are complete now."""


@dataclass(frozen=True)
class Regrading:
    """A survey carried out: each part is worked out once."""

    survey: Survey
    terms: Terms

    @property
    def directory(self) -> BenchmarkDir:
        """The benchmark's files."""
        return self.survey.directory

    @cached_property
    def task_ids(self) -> list[str]:
        """The tasks with rows to judge again."""
        return list(dict.fromkeys(each.row.task_id for each in self.survey.sorted.taken))

    @cached_property
    def untested(self) -> dict[str, str]:
        """The tasks whose verifier is untested, with the reason that lets them be judged."""
        names = with_verdict(UNTESTED, self.task_ids, self.survey.dossier.verifiers)
        return dict.fromkeys(names, (self.terms.allow_untested or "").strip())

    @cached_property
    def line(self) -> VersionLine | None:
        """The line that versions.jsonl lacks, before the first row; None where it lacks none."""
        dossier, reason = self.survey.dossier, self.terms.allow_untested
        return line_of(
            self.survey.told.bumps,
            dossier.tasks.values(),
            current=dossier.version,
            splits=(dossier.manifest.splits if dossier.manifest else None) or {},
            at=self.terms.at,
            about={
                "cause": CAUSE,
                "run_ids": list(self._names.values()),
                "note": f"untested verifiers allowed: {reason}" if self.untested else None,
                **self.terms.caller.block(),
            },
        )

    @cached_property
    def works(self) -> list[RunRegrade]:
        """The source runs with their new rows, the run that was measured first in front."""
        return [self._work(run_id) for run_id in self._order]

    def write(
        self,
        claim: Claim,
        clock: Callable[[], datetime],
        warn: Callable[[str], None],
        answer: Callable[[Written], JsonObject | None] = lambda written: None,
    ) -> Written:
        """Write everything; what a regrade that stopped left open is ended first.

        What `answer` makes of it stands in the last event.

        Raises:
            ClaimLost: the directory is another's; nothing more is written.
            DirectoryBusy: the tasks changed meanwhile.
            LedgerRewritten: a file of source rows is not what was read.
        """
        allowed: JsonObject | None = None
        if self.untested:
            allowed = {"task_ids": list(self.untested), "reason": self.terms.allow_untested}
        terms = self.terms
        pen = Pen(
            self.directory, claim, clock, terms.version, terms.caller, terms.arguments, allowed
        )
        finished = list(self.survey.unfinished)
        works = [work for work in self.works if work.regraded]
        files = [each.candidate.filed.file for work in works for each in work.regraded]
        done = Written(parents_of(self.directory, files), finished)

        def told(*, last: bool) -> JsonObject:
            kept = answer(done) if last else None
            return {} if kept is None else {ANSWER: kept}

        for left in finished:
            self._end(left, pen, warn, **told(last=not works and left is finished[-1]))
        self._look(works)
        owed = list(works)
        try:
            for work in works:
                pen.announce(work, CLAIMED, 0)
            if works:
                self._tell_versions(claim)
            for work in works:
                pen.write(work)
            check_parents(self.directory, done.parents)
            for work in works:
                self._calibrate(str(work.run_id), work.source_run_id, work.task_ids, warn)
                more = told(last=work is works[-1])
                pen.announce(work, COMPLETED, len(work.regraded), **more)
                del owed[0]
        except (UnderstudyError, OSError) as error:
            pen.give_up(owed, error)
            raise
        return done

    @cached_property
    def _order(self) -> list[str]:
        """The source runs by their newest row, so that the newest is merged last."""
        newest: dict[str, datetime] = {}
        found = self.survey.sorted
        for candidate in (*found.taken, *(each for each, _ in found.skipped)):
            at = read_time(candidate.row.created_at) or LONG_AGO
            run_id = candidate.row.run_id
            newest[run_id] = max(newest.get(run_id, LONG_AGO), at)
        made = self._made_at
        return sorted(newest, key=lambda run: (made.get(root_run(run), newest[run]), run))

    @cached_property
    def _names(self) -> dict[str, str]:
        """The new run of each source run that gets one."""
        names = Names(self.directory, {each.row.run_id for each in self.survey.filed})
        with_rows = {each.row.run_id for each in self.survey.sorted.taken}
        return {run_id: names.of(run_id) for run_id in self._order if run_id in with_rows}

    @cached_property
    def _moment(self) -> datetime:
        """When the rows are written: after every line that tells of their tasks."""
        lines = self.survey.dossier.versions.records
        told = [read_time(line.created_at) or LONG_AGO for line in lines]
        return max(self.terms.now, *told, LONG_AGO) + TICK

    @cached_property
    def _tasks(self) -> dict[str, Task]:
        """The tasks at the versions that the ledger will give them."""
        to = {bump.task_id: bump.to for bump in self.survey.told.bumps}
        tasks = (self.survey.task(name) for name in self.task_ids)
        return {task.task_id: moved(task, to.get(task.task_id), self.terms.at) for task in tasks}

    def _work(self, source_run: str) -> RunRegrade:
        found = self.survey.sorted
        taken = [each for each in found.taken if each.row.run_id == source_run]
        skipped = [each for each in found.skipped if each[0].row.run_id == source_run]
        run_id = self._names.get(source_run)
        made = self._regraded(taken, run_id) if run_id is not None else []
        return RunRegrade(source_run, run_id, made, skipped)

    def _regraded(self, taken: Sequence[Candidate], run_id: str) -> list[Regraded]:
        """The new rows, in the order of the old ones."""
        terms = self.terms
        occasion = Occasion(run_id, self._moment, terms.version, terms.fence, self.untested)
        played = self._played([each for each in taken if self.survey.material(each)], occasion)
        return [
            played[each.cell] if each.cell in played else self._rescored(each, occasion)
            for each in taken
        ]

    def _rescored(self, candidate: Candidate, occasion: Occasion) -> Regraded:
        bench = Bench(self._tasks[candidate.row.task_id], self.survey.policy)
        kept = self.survey.kept[candidate.cell]
        return Regraded(candidate, rescored(candidate, kept, bench, occasion))

    def _played(
        self, candidates: Sequence[Candidate], occasion: Occasion
    ) -> dict[tuple[str, str, str, int], Regraded]:
        dossier = self.survey.dossier
        materials = {
            each.row.task_id: replace(material, task=self._tasks[each.row.task_id])
            for each in candidates
            if (material := self.survey.material(each)) is not None
        }
        splits = {task: split.value for task, split in splits_of(dossier).items()}
        benchmark_id = dossier.manifest.benchmark_id if dossier.manifest else ""
        facts = facts_of(occasion, benchmark_id, dossier.policy.min_fidelity, splits)
        stage = Stage(materials, facts, occasion)
        return {
            each.candidate.cell: Regraded(each.candidate, each.row, each.trajectory)
            for each in stage.derive(candidates)
        }

    def _look(self, works: Sequence[RunRegrade]) -> None:
        """Note the look at the holdout before its first row; one that stopped had its own."""
        splits = splits_of(self.survey.dossier)
        noted = [
            (look.run_id, look.arms, look.task_ids) for look in self.survey.dossier.looks.records
        ]
        looks = []
        for work in works:
            held = [task for task in work.task_ids if splits.get(task) is Split.HOLDOUT]
            if held and (work.run_id, work.arms, held) not in noted:
                look = HoldoutLook(
                    at=self.terms.at,
                    kind="regrade",
                    run_id=work.run_id,
                    arms=work.arms,
                    task_ids=held,
                    actor=self.terms.caller.actor,
                    door=self.terms.caller.door,
                )
                looks.append(look)
        self.directory.append(layout.HOLDOUT, *looks)

    def _tell_versions(self, claim: Claim) -> None:
        """The line first; then the versions that it gives, in the tasks and in the manifest."""
        with self.directory.guard():
            self._need_unmoved()
            claim.check()
            if self.line is not None:
                self.directory.append(layout.VERSIONS, self.line)
            lines = self.directory.read(layout.VERSIONS).records
            tasks = self.survey.dossier.tasks.values()
            given = given_versions(newest_snapshot(lines), tasks)
            if given or self.line is not None:
                self._bring_up(given, self.line.version if self.line is not None else None)

    def _need_unmoved(self) -> None:
        """Refuse to write of tasks that somebody changed since they were read."""
        now = self.directory.tasks()
        for task_id in self.task_ids:
            known, there = self.survey.task(task_id), now.get(task_id)
            if there is not None and there != known:
                raise DirectoryBusy(
                    f"task {task_id} of {self.directory.name} changed during the work",
                    hint="run the same command again",
                    details={"task_ids": [task_id]},
                )

    def _bring_up(self, given: dict[str, str], version: str | None) -> None:
        at = self.terms.at
        if given and self.directory.exists(layout.TASKS):
            self.directory.edit_table(
                layout.TASKS,
                lambda tasks: [moved(task, given.get(task.task_id), at) for task in tasks],
            )

        def brought(manifest: BenchmarkManifest | None) -> BenchmarkManifest:
            told = manifest or BenchmarkManifest(schema_version="")
            tasks = [_given(task, given) for task in told.tasks]
            return told.with_(version=version or told.version, tasks=tasks)

        if self.directory.exists(layout.BENCHMARK):
            self.directory.edit(layout.BENCHMARK, brought)

    def _end(self, left: Unfinished, pen: Pen, warn: Callable[[str], None], **more: object) -> None:
        """Calibrate by the rows that a regrade wrote before it stopped, and say its end."""
        self._calibrate(left.run_id, left.source_run_id, left.task_ids, warn)
        count = len(left.rows)
        pen.tell(
            left.run_id,
            source_run_id=left.source_run_id,
            status=COMPLETED,
            progress={"completed": count, "total": count},
            **more,
        )

    def _calibrate(
        self, run_id: str, source_run: str, tasks: Sequence[str], warn: Callable[[str], None]
    ) -> None:
        """Merge the new rows as rows of the run that they go back to.

        An incumbent that a later run has measured on the task as it is today keeps that figure.
        """
        root = root_run(source_run)
        later = self._measured_later(root)

        def takes(row: Row) -> bool:
            is_older = row.arm_kind == ArmKind.INCUMBENT and row.task_id in later
            return row.task_id in tasks and not is_older

        request = self.directory.load(layout.request(root)) or self._request_of(root)
        told = request.with_(run_id=run_id, calibration_threshold=None, finished_at=self.terms.at)
        recalibrate(self.directory, told, warn, takes=takes)

    def _measured_later(self, root: str) -> frozenset[str]:
        """The tasks whose calibration of today comes from a run that was made after this one."""
        dossier, made = self.survey.dossier, self._made_at
        calibration = dossier.calibration
        return frozenset(
            entry.task_id
            for entry in (calibration.tasks if calibration is not None else ())
            if is_current(entry, dossier.tasks.get(entry.task_id), dossier.breaking)
            and made.get(root_run(entry.run_id or ""), LONG_AGO) > made.get(root, LONG_AGO)
        )

    @cached_property
    def _made_at(self) -> dict[str, datetime]:
        """When each run was made: by its own rows, not by those that judge them again."""
        made: dict[str, datetime] = {}
        for each in self.survey.filed:
            run_id = each.row.run_id
            if run_id == root_run(run_id):
                at = read_time(each.row.created_at) or LONG_AGO
                made[run_id] = max(made.get(run_id, LONG_AGO), at)
        return made

    def _request_of(self, root: str) -> RunRequest:
        """What a run that was never queued here asked for, by its rows."""
        rows = [each.row for each in self.survey.filed if root_run(each.row.run_id) == root]
        return RunRequest(
            run_id=root,
            benchmark_id=(rows[0].benchmark_id if rows else None) or "",
            models=list(_labels(rows, ArmKind.CANDIDATE, ArmKind.INCUMBENT)),
            split="all",
            tasks=list(dict.fromkeys(row.task_id for row in rows)),
            rollouts_per_task=max((row.rollout or 0 for row in rows), default=0) + 1,
            created_at=min((row.created_at for row in rows if row.created_at), default=""),
            status=RunStatus.DONE,
            incumbent_models=list(_labels(rows, ArmKind.INCUMBENT)),
            trivial_arms=list(_labels(rows, *TRIVIAL_ARMS)),
            reference_arms=list(_labels(rows, *REFERENCE_ARMS)),
        )


def _labels(rows: Sequence[Row], *kinds: ArmKind) -> Iterator[str]:
    yield from dict.fromkeys(row.model for row in rows if row.arm_kind in kinds)


def _given(task: ManifestTask, given: dict[str, str]) -> ManifestTask:
    return task.with_(version=given[task.task_id]) if task.task_id in given else task
