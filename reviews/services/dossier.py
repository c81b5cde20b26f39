"""A benchmark directory, read for judgement: every figure is computed once, for every door.

What is said of a benchmark's decisions, attention, evidence and rigor comes from here, so that no
two doors ever disagree.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

from benchmarks.artifacts.kept import KEPT, signatures
from benchmarks.artifacts.roots import Located
from benchmarks.audit import blockers
from benchmarks.audit.pilot import Pilot, pilot_of
from benchmarks.audit.verdicts import UNTESTED, WEAK, current_verifiers, verdicts, with_verdict
from benchmarks.contract.judgeability import judgeability
from benchmarks.records.calibration import CalibrationEntry, Floor
from benchmarks.records.environment import TaskValidation
from benchmarks.records.manifest import ManifestTask
from benchmarks.records.task import Task
from benchmarks.records.times import read_time
from benchmarks.records.verifier import TaskVerification
from benchmarks.records.vocabulary import ZERO_COST_ARMS, ArmKind, Attention, RunStatus, Stage
from benchmarks.versioning.hashing import is_edited
from benchmarks.versioning.staleness import (
    BreakingLines,
    breaking_lines,
    currency_of,
    stamp_from,
)
from reviews.attention import Doubt, Signs, current_entries, doubts
from reviews.decisions import Effective, decide, effective_tasks, review_owed
from reviews.rigor.evidence import Evidence, anomaly_of, evidence, known_tasks, of_runs
from reviews.rigor.floors import FLOORS, LANES, measure, stored_scores
from reviews.rigor.subject import Subject
from reviews.services.benchmark_files import FILES, BenchmarkFiles
from reviews.trivial import passes_by_saying_no

DEFAULT_THRESHOLD = 1.0
UNENDED = frozenset({RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.STOPPED})
EMPTY_CONTRACT = {"status": "missing"}


class Dossier(BenchmarkFiles):
    """One benchmark as it stands. Values are computed when first asked for, and then kept."""

    @cached_property
    def tasks(self) -> dict[str, Task]:
        """The tasks of the benchmark: a promoted one has those it lists, a proposal every one.

        A task that is listed without a line stands in with a contract that judges nothing.
        """
        listed = {
            task_id: self.lines.get(task_id) or stand_in(task)
            for task_id, task in self.listed.items()
        }
        if self.stage is Stage.PROMOTED and listed:
            return listed
        return {**listed, **self.lines}

    @cached_property
    def conflicts(self) -> dict[str, str]:
        """The tasks on which tasks.jsonl and benchmark.json disagree, and how."""
        if not self.lines or self.manifest is None or not self.listed:
            return {}
        found = blockers.conflicts(self.read_tasks.records, self.manifest)
        if self.stage is not Stage.PROMOTED:
            return found
        return {task_id: how for task_id, how in found.items() if task_id in self.listed}

    @cached_property
    def decisions(self) -> dict[str, Effective]:
        """The decision in force for every task."""
        return decide(self.tasks, self.reviews.records, self.policy)

    @cached_property
    def effective(self) -> list[str]:
        """T: the tasks that figures are about."""
        return effective_tasks(self.tasks, self.decisions, self.stage)

    @property
    def review_owed(self) -> bool:
        """Whether a proposal from a table still waits for a person's review."""
        return review_owed(
            manifest_schema=self.build.schema_version if self.build else None,
            executable=bool(self.manifest and self.manifest.executable),
            stage=self.stage,
            reviews=self.reviews.records,
        )

    @cached_property
    def validation(self) -> dict[str, TaskValidation]:
        """The rows of the offline validation that are about today's verifiers."""
        return self.of_build("validation", self._current_validation)

    @cached_property
    def verifiers(self) -> dict[str, TaskVerification]:
        """The rows of the verifier report that are about today's verifiers."""
        return current_verifiers(self.tasks.values(), self.verifier_report)

    @property
    def untested(self) -> list[str]:
        """The tasks whose verifier was never seen to reject a wrong answer, as it is today."""
        return with_verdict(UNTESTED, self.tasks, self.verifiers)

    @cached_property
    def pilot(self) -> Pilot:
        """Where the pilot stands."""
        return pilot_of(self.build, self.pilot_audit, self.tasks)

    @cached_property
    def breaking(self) -> BreakingLines:
        """The breaking line of each task."""
        return breaking_lines(self.versions.records)

    @cached_property
    def evidence(self) -> Evidence:
        """Every row in its place."""
        return self.evidence_of(None)

    def evidence_of(self, run_ids: Sequence[str] | None) -> Evidence:
        """The rows of some runs, or of all, in their places."""
        rows = self.rows.records if run_ids is None else of_runs(self.rows.records, run_ids)
        return evidence(
            rows,
            manifest=self.manifest,
            tasks=self.tasks,
            versions=self.versions.records,
            flags=self.flags.records,
            decisions=self.decisions,
        )

    @property
    def threshold(self) -> float:
        """The score that counts as a pass."""
        return self.calibration.threshold if self.calibration else DEFAULT_THRESHOLD

    @property
    def threshold_run(self) -> str | None:
        """The run that set the threshold of today."""
        found = None
        for run in reversed(self.calibration.runs if self.calibration else []):
            if run.get("threshold") != self.threshold:
                break
            found = run.get("run_id")
        return str(found) if found is not None else None

    @cached_property
    def floors(self) -> dict[str, Floor]:
        """Every floor and ceiling over the effective tasks, also those not measured."""
        return self.floors_of(self.evidence, self.effective)

    def floors_of(self, found: Evidence, tasks: Sequence[str]) -> dict[str, Floor]:
        """Every floor and ceiling that these rows, and calibration.json, give these tasks."""
        known = known_tasks(self.manifest, self.tasks)
        free = [item for item in found.placed if item.row.arm_kind in ZERO_COST_ARMS]
        return {
            lane.key: measure(
                lane,
                free,
                tasks=tasks,
                threshold=self.threshold,
                stored=stored_scores(lane, self.calibration, known, self.breaking),
            )
            for lane in LANES
        }

    @cached_property
    def saying_no(self) -> frozenset[str]:
        """The tasks that are passed by doing nothing, by their contracts alone."""
        return self.of_build("saying_no", self._saying_no)

    @cached_property
    def calibrated(self) -> dict[str, CalibrationEntry]:
        """The calibration entries that are still about their task."""
        return current_entries(self.calibration, self._is_calibrated)

    @cached_property
    def signs(self) -> Signs:
        """What is known of every task."""
        return Signs(
            policy=self.policy,
            calibration=self.calibrated,
            conflicts=self.conflicts,
            anomalies=self._anomalies(),
            tools=self.tools,
            trivial=self._trivial(),
            judgeability=self.of_build("judgeability", self._judgeability),
            validation=self.validation,
            verifiers=self.verifiers,
        )

    @cached_property
    def doubts(self) -> dict[str, list[Doubt]]:
        """The attention flags of every task that has any, with reasons."""
        found = {task_id: doubts(task, self.signs) for task_id, task in self.tasks.items()}
        return {task_id: each for task_id, each in found.items() if each}

    @property
    def open_doubts(self) -> dict[str, list[Doubt]]:
        """The same, without the tasks that somebody rejected: those want no further look."""
        decisions = self.decisions
        return {task: found for task, found in self.doubts.items() if not decisions[task].rejected}

    def flag_words(self, task_id: str) -> list[str]:
        """The attention flags of one task, as words."""
        return [doubt.flag.value for doubt in self.doubts.get(task_id, ())]

    def flagged(self, flag: Attention) -> list[str]:
        """The tasks that carry a flag."""
        return [
            task_id
            for task_id, found in self.doubts.items()
            if any(doubt.flag is flag for doubt in found)
        ]

    def verifier_mark(self, task_id: str) -> str:
        """What its test says of the verifier of a task; `flaky` where it is not weak and wavers.

        How much a contract can judge at all is another thing: `judging_little`.
        """
        found = verdicts([task_id], self.verifiers)[task_id]
        wavers = Attention.FLAKY in self.flag_words(task_id)
        return "flaky" if wavers and found != WEAK else found

    def judging_little(self, task_ids: Sequence[str]) -> dict[str, str]:
        """The tasks whose contract can judge little, by what it can; not those of a weak test."""
        flagged = set(self.flagged(Attention.WEAK_VERIFIER))
        weak = set(with_verdict(WEAK, task_ids, self.verifiers))
        return {
            task_id: self.signs.judgeability.get(task_id, "none")
            for task_id in task_ids
            if task_id in flagged and task_id not in weak
        }

    def is_changed(self, task_id: str) -> bool:
        """Whether a task is not any more what was decided on; False where the line says no hash."""
        review = self.decisions[task_id].review
        decided_on = review.task_hash if review is not None else None
        return decided_on is not None and decided_on != self.tasks[task_id].task_hash

    def subject(
        self, *, run_ids: Sequence[str] | None = None, tasks: Sequence[str] | None = None
    ) -> Subject:
        """What the rigor checks look at: these runs, on these tasks."""
        found = self.evidence if run_ids is None else self.evidence_of(run_ids)
        names = self.effective if tasks is None else tasks
        whole = run_ids is None and tasks is None
        return Subject(
            manifest=self.manifest,
            evidence=found,
            tasks={task_id: self.tasks[task_id] for task_id in names},
            name=self.slug,
            manifest_errors=self.stage_report.errors,
            build=self.build,
            policy=self.policy,
            threshold=self.threshold,
            threshold_run=self.threshold_run,
            floors=self.floors if whole else self.floors_of(found, names),
            saying_no=self.saying_no,
            calibration=self.calibrated,
            incumbents=self.calibration.incumbent_models if self.calibration else (),
            validation=self.validation,
            verifiers=self.verifiers,
            pilot=self.pilot,
            tools=self.tools,
            owed=self._owed(run_ids),
            looks=self.counted_looks,
            split_changed_at=self._split_changed_at(),
            ledger_contamination=self._ledger_contamination(),
            margins=self._margins(),
        )

    @property
    def edited(self) -> frozenset[str]:
        """The tasks whose line was changed by hand after it was stamped."""
        return self.of_build("edited", lambda: frozenset(filter(self._is_edited, self.lines)))

    def _is_edited(self, task_id: str) -> bool:
        return is_edited(self.lines[task_id])

    def _current_validation(self) -> dict[str, TaskValidation]:
        rows = blockers.current_rows(list(self.tasks.values()), self.validations)
        return {task_id: row for task_id, row in rows.items() if task_id in self.tasks}

    def _saying_no(self) -> frozenset[str]:
        return frozenset(
            task_id for task_id, task in self.tasks.items() if passes_by_saying_no(task, self.tools)
        )

    def _judgeability(self) -> dict[str, str]:
        return {
            task_id: judgeability(task.outcome_contract, task.claims, self.tools)
            for task_id, task in self.tasks.items()
        }

    def _is_calibrated(self, entry: CalibrationEntry) -> bool:
        stamp = stamp_from(entry.at, entry.task_version, entry.content_hashes)
        return currency_of(stamp, self.tasks.get(entry.task_id), self.breaking).counts

    def _anomalies(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for item in self.evidence.used:
            kind = anomaly_of(item.row)
            if kind is not None and item.attempted:
                found.setdefault(item.row.task_id, []).append(kind)
        return found

    def _trivial(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for task_id in self.tasks:
            measured = [
                lane.arm_kind.value
                for lane in FLOORS
                if task_id in self.floors[lane.key].passed_task_ids
            ]
            derived = [ArmKind.NULL_AGENT.value] if task_id in self.saying_no else []
            if arms := list(dict.fromkeys([*measured, *derived])):
                found[task_id] = arms
        return found

    def _owed(self, run_ids: Sequence[str] | None) -> dict[str, int]:
        rows: dict[str, int] = {}
        for row in self.rows.records:
            rows[row.run_id] = rows.get(row.run_id, 0) + 1
        found = {}
        for request in self.requests.requests:
            total = request.progress.get("total")
            if not isinstance(total, int) or request.status not in UNENDED:
                continue
            owed = total - rows.get(request.run_id, 0)
            if owed > 0 and (run_ids is None or request.run_id in run_ids):
                found[request.run_id] = owed
        return found

    def _split_changed_at(self) -> datetime | None:
        changed, before = None, None
        for line in self.versions.records:
            if line.splits_sha256 and line.splits_sha256 != before:
                changed, before = read_time(line.created_at), line.splits_sha256
        return changed

    def _ledger_contamination(self) -> str | None:
        said = [line.contamination for line in self.versions.records if line.contamination]
        return said[-1] if said else None

    def _margins(self) -> list[float]:
        values = [(request.margin or {}).get("value") for request in self.requests.requests]
        return [float(value) for value in values if isinstance(value, int | float)]


def dossier_of(located: Located) -> Dossier:
    """The benchmark as it stands, shared by all who only read, for as long as no file changes."""
    directory = located.directory
    files = [*FILES, *(file.path for file in directory.row_files()), *directory.request_names()]
    stood = signatures(directory, files)

    def work() -> Dossier:
        return Dossier(directory, slug=located.slug)

    return KEPT.worked_out(directory, f"dossier {located.slug}", stood, work)


def stand_in(task: ManifestTask) -> Task:
    """A task of which only the manifest knows: nothing can be judged of it."""
    return Task.read({
        "task_id": task.task_id,
        "title": task.task_id,
        "split": task.split,
        "category_id": task.category_id,
        "outcome_contract": EMPTY_CONTRACT,
        "version": task.version,
        "content_hashes": task.content_hashes,
    })
