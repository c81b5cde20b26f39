"""The whole lifecycle on shipped captures, through the services that every door calls.

The steps are those of spec/surface.md 9, in their order, but for the candidates (9).
Each is checked against what it must give: the demo is also the smoke test.
"""

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located, resolve
from benchmarks.doors.call import Call
from benchmarks.errors import AlreadyExists, Internal, UnderstudyError
from benchmarks.records.caller import Caller
from benchmarks.records.event import RunEvent
from benchmarks.records.vocabulary import RunStatus
from benchmarks.services.answering import Answer
from benchmarks.services.building import build_benchmark
from benchmarks.services.directing import propose_directions
from benchmarks.services.doctoring import doctor
from benchmarks.services.regenerating import regenerate_env
from benchmarks.services.verifying import read_verification, verify_tasks
from reviews.services.assessing import assess, gate_of, read_rigor_report
from reviews.services.noting import submit_feedback
from reviews.services.pilot_auditing import Found
from reviews.services.promoting import promote
from reviews.services.recording import submit_review
from runs.executor.assignment import Listener
from runs.executor.shutdown import Shutdown
from runs.services.benchmark_status import benchmark_status
from runs.services.executing import Order, execute_runs
from runs.services.leaderboards import read_leaderboard
from runs.services.queueing import queue_run
from understudy_site import demo_captures as shipped

INCUMBENT = "scripted/incumbent"
AUDITOR = "demo"
"""Who answers for the operator: it is said in every file that it writes."""
FINDINGS = ("agent: the world answered as it was recorded", "verifier: each met entry is right")
LINEAGE = "the conversation without a user turn was laid among the captures on purpose"
NEXT = "understudy traces doctor <your captures>"
VERSION = "1.1.0"
"""Of what is promoted: one verifier was corrected after the build."""
CELLS_PER_TASK = 5
"""One incumbent, two arms that must fail, two that must pass."""

Document = dict[str, Any]


@dataclass
class Demonstration:
    """One run of the demo in one directory."""

    call: Call
    directory: Path
    seed: int
    steps: list[Document] = field(default_factory=list)
    _began: float = field(default_factory=time.monotonic)

    @property
    def captures(self) -> Path:
        """Where the sample captures are laid."""
        return self.directory.with_name(self.directory.name + "-captures")

    @property
    def located(self) -> Located:
        """The benchmark of the demo, as the doors name it."""
        if not self.directory.is_dir():
            return Located(BenchmarkDir(self.directory), self.directory.name, read_only=False)
        return resolve(str(self.directory), self.call.roots, cwd=self.call.cwd, allow_outside=True)

    def play(self, *, fresh: bool) -> Document:
        """Run every step and answer with what there is to read.

        Raises:
            AlreadyExists: the directory is there, and `fresh` was not said.
            Internal: a step gave something else than it must.
        """
        self._make_room(fresh=fresh)
        self._step("captures", self._lay_captures)
        self._step("doctor", self._doctor)
        self._step("directions", self._directions)
        pilot = self._step("pilot", self._pilot)
        self._step("build", partial(self._build, pilot))
        self._step("verify", self._verify)
        self._step("gate, promote", self._promote)
        self._step("calibrate", self._calibrate)
        board, report, status = self._step("read", self._read)
        return {
            "ok": True,
            "slug": self.located.slug,
            "dir": str(self.directory),
            "seconds": round(time.monotonic() - self._began, 1),
            "steps": self.steps,
            "leaderboard": board,
            "rigor": report,
            "status": status,
            "next_actions": [{"say": "read your own traces", "command": NEXT, "who": "person"}],
        }

    def _step(self, name: str, work: Callable[[], tuple[str, Any]]) -> Any:
        began = time.monotonic()
        said, value = work()
        seconds = round(time.monotonic() - began, 1)
        self.steps.append({"step": name, "ok": True, "seconds": seconds, "said": said})
        self.call.progress.note(f"{time.monotonic() - self._began:6.1f} s  {name}: {said}")
        return value

    def _make_room(self, *, fresh: bool) -> None:
        if not self.directory.exists():
            return
        if not fresh:
            raise AlreadyExists(
                f"{self.directory} exists", hint="understudy demo --fresh keeps it as demo-<n>"
            )
        number = 1
        while self.directory.with_name(f"{self.directory.name}-{number}").exists():
            number += 1
        kept = self.directory.with_name(f"{self.directory.name}-{number}")
        self.directory.rename(kept)
        with suppress(FileNotFoundError):
            self.captures.rename(kept.with_name(kept.name + "-captures"))
        self.call.progress.note(f"the earlier demo is kept as {kept}")

    def _lay_captures(self) -> tuple[str, None]:
        self.captures.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in shipped.FILES:
            shutil.copyfile(shipped.FOLDER / name, self.captures / name)
        return f"{shipped.RECORDS} records in {len(shipped.FILES)} files: {self.captures}", None

    def _doctor(self) -> tuple[str, None]:
        report = doctor(sources=[self.captures], now=self.call.now)
        lost = {code: count for code, count in report["dropped"].items() if code in shipped.BROKEN}
        self._must("records", report["records"], shipped.RECORDS)
        self._must("broken records", lost, shipped.BROKEN)
        self._must("secrets", report["secrets"], shipped.SECRETS)
        self._must("verdict", report["verdict"], "pass")
        said = (
            f"{report['conversations']} conversations, {report['tool_calls']} calls; "
            f"dropped {_counts(lost)}; redacted {_counts(report['secrets'])}; "
            f"verdict {report['verdict']}"
        )
        return said, None

    def _directions(self) -> tuple[str, None]:
        """The interview: cards, a pick, and every suggested posture approved."""
        proposed = self._propose(Answer(), source=[self.captures])
        cards, needed = proposed["directions"], proposed["dependencies"]
        self._must("cards", len(cards), shipped.CARDS)
        postures = {one["name"]: one["posture"] for one in needed}
        answered = self._propose(Answer(pick=cards[0]["direction_id"], postures=postures))
        self._must("the picker", answered["picked"]["actor"], AUDITOR)
        played = ", ".join(f"{name} {posture}" for name, posture in postures.items())
        return f"picked of {len(cards)}: {cards[0]['name']}; {played}", None

    def _propose(self, answer: Answer, source: Sequence[Path] = ()) -> Document:
        return propose_directions(
            directory=BenchmarkDir(self.directory),
            slug=self.located.slug,
            source=source,
            answer=answer,
            caller=self._auditor,
            now=self.call.now,
        )

    @property
    def _auditor(self) -> Caller:
        return Caller(AUDITOR, self.call.caller.door)

    def _pilot(self) -> tuple[str, str]:
        """One task: built, run, its rollout audited for both sides."""
        built = self._built()
        task_id = str(built["pilot_task_id"])
        self._must("tasks of the pilot", built["counts"]["tasks"], 1)
        self._run({"models": [INCUMBENT], "tasks": [task_id], "seed": self.seed}, "the pilot", 1)
        reviewed = submit_review(
            located=self.located,
            task_ids=[task_id],
            decision="accept",
            pilot_audit=Found("pass", "pass", FINDINGS),
            home=self.call.home,
            caller=self._auditor,
            now=self.call.now,
        )
        self._must("the audit", reviewed["pilot_audit"]["verdict"], "pass")
        (row,) = read_verification(located=self.located)["tasks"]
        self._must("the pilot's verifier", (row["valid_pass"], row["wrong_fail"]), (True, True))
        return f"{task_id}: the valid rollout passes, the wrong one fails; audit passed", task_id

    def _built(self) -> Document:
        return build_benchmark(
            directory=BenchmarkDir(self.directory),
            slug=self.located.slug,
            seed=self.seed,
            caller=self.call.caller,
            now=self.call.now,
        )

    def _build(self, pilot: str) -> tuple[str, None]:
        built = self._built()
        without = {
            code: count for code, count in built["dropped"].items() if code in shipped.WITHOUT_TASK
        }
        self._must("tasks", built["counts"]["tasks"], shipped.TASKS)
        self._must("pilot", built["pilot"], {"task_id": pilot, "pending": 0})
        self._must("conversations without a task", without, shipped.WITHOUT_TASK)
        return f"{shipped.TASKS} tasks ({built['splits']}); no task for {_counts(without)}", None

    def _verify(self) -> tuple[str, None]:
        """A wrong rollout that a person thought of is let pass; the contract is corrected."""
        located, caller, now = self.located, self.call.caller, self.call.now
        weak = shipped.weak_task(located.directory.tasks())
        found = verify_tasks(
            located=located, fixtures=[shipped.wrong_rollout(weak)], caller=caller, now=now
        )
        self._must("weak verifiers", found["totals"]["weak"], 1)
        noted = submit_feedback(
            located=located, task_id=weak, feedback=shipped.FEEDBACK, caller=caller, now=now
        )
        self._must("the hand-off", noted["ok"], True)
        corrected = [
            shipped.corrected(task) if task.task_id == weak else task
            for task in located.directory.tasks().values()
        ]
        located.directory.replace(layout.TASKS, corrected)
        regenerated = regenerate_env(
            directory=located.directory, slug=located.slug, tasks=[weak], caller=caller, now=now
        )
        self._must("addressed feedback", len(regenerated["feedback_addressed"]), 1)
        again = verify_tasks(located=located, caller=caller, now=now)
        self._must("tested verifiers", again["totals"], {"tested": 10, "weak": 0, "untested": 0})
        rejected, made = _mutants(again)
        return (
            f"{rejected} of {made} faults rejected; 1 weak verifier found ({weak}), corrected, "
            "its feedback addressed"
        ), None

    def _promote(self) -> tuple[str, None]:
        gate = gate_of(self.located, assess(located=self.located, now=self.call.now))
        promoted = promote(
            located=self.located, waive_dag=LINEAGE, caller=self.call.caller, now=self.call.now
        )
        self._must("version", promoted["version"], VERSION)
        marks = [check.status for check in gate.checks]
        said = f"gate {marks.count('PASS')} PASS, {marks.count('UNKNOWN')} UNKNOWN"
        return f"{said}; {len(promoted['accepted_tasks'])} tasks promoted, version {VERSION}", None

    def _calibrate(self) -> tuple[str, None]:
        tasks = list(self.located.directory.tasks())
        body = {
            "models": [INCUMBENT],
            "incumbent_models": [INCUMBENT],
            "reference_arms": ["oracle", "replay"],
            "trivial_arms": ["null_agent", "spam_agent"],
            "tasks": tasks,
            "seed": self.seed,
        }
        self._run(body, "calibrating", CELLS_PER_TASK * len(tasks))
        status = benchmark_status(located=self.located, home=self.call.home, now=self.call.now)
        calibration = status["calibration"]
        incumbent = calibration["incumbent"]
        self._must("incumbent", incumbent["passed"], len(tasks))
        floors = ", ".join(
            f"{floor['arm']} {floor['floor']:.0%}"
            for floor in calibration["floors"]
            if floor["floor"] is not None
        )
        return f"incumbent {incumbent['passed']}/{len(tasks)}; {floors}", None

    def _run(self, body: Document, label: str, cells: int) -> None:
        """Queue a run and execute it here."""
        queued = queue_run(
            located=self.located,
            home=self.call.home,
            body=body,
            caller=self.call.caller,
            now=self.call.now,
        )
        self.call.progress.start(label, cells, "rollouts")
        ended = execute_runs(
            order=Order(lambda: [self.located], queued["run_id"]),
            home=self.call.home,
            listener=Listener(self._advance, self.call.progress.note),
            shutdown=Shutdown(),
        )
        self.call.progress.stop()
        self._must("run", [request.status for request in ended], [RunStatus.DONE])

    def _advance(self, event: RunEvent) -> None:
        if event.type in {"rollout", "rollout_error"}:
            self.call.progress.advance()

    def _read(self) -> tuple[str, tuple[Document, Document, Document]]:
        located, now = self.located, self.call.now
        board = read_leaderboard(located=located, split="all")
        report = read_rigor_report(located=located, now=now)
        status = benchmark_status(located=located, home=self.call.home, now=now)
        self._must("stage", status["benchmark"]["stage"], "promoted")
        marks = [item["status"] for item in report["items"]]
        counts = {mark: marks.count(mark) for mark in ("PASS", "FLAG", "UNKNOWN")}
        return f"rigor {_counts(counts)}", (board, report, status)

    def _must(self, what: str, found: Any, wanted: Any) -> None:
        if found != wanted:
            raise Internal(
                f"the demo's {what} are {found!r} and must be {wanted!r}",
                hint="this is a fault of the lab: please report it with the directory",
                details={"dir": str(self.directory), "steps": self.steps},
            )


def play(call: Call, directory: Path, *, seed: int, fresh: bool) -> Document:
    """Run the demo in `directory`; an error says after which step.

    Raises:
        UnderstudyError: a step failed.
    """
    demonstration = Demonstration(call, directory, seed)
    try:
        return demonstration.play(fresh=fresh)
    except UnderstudyError as error:
        done = [step["step"] for step in demonstration.steps]
        error.add_note(f"after the steps: {', '.join(done) or 'none'}")
        raise


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _mutants(report: Document) -> tuple[int, int]:
    """How many injected faults were rejected, and how many counted."""
    counts = [row["mutants"] for row in report["tasks"]]
    made = sum(one["made"] - one["equivalent"] - one["broken"] for one in counts)
    return sum(one["rejected"] for one in counts), made
