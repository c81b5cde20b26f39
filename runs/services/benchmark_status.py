"""The state of a benchmark in one answer, and the one next command (spec/surface.md 3)."""

import os
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import Any

from benchmarks.artifacts import document, layout
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.roots import Located
from benchmarks.audit.verdicts import UNTESTED, WEAK, beyond_testing, with_verdict
from benchmarks.errors import UnderstudyError, Unreadable
from benchmarks.gateway.credentials import is_reachable, read_credentials
from benchmarks.records.base import JsonObject
from benchmarks.records.rigor import RigorReport
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import ArmKind, RunStatus, Split, Stage
from reviews.attention import unclassified_tools
from reviews.autoaccept import auto_accepts, undecided
from reviews.notes import OpenFlags, open_feedback, open_flags
from reviews.pilot import pilot_rows
from reviews.services.build_warnings import build_warnings, edit_warnings
from reviews.services.dossier import dossier_of
from runs.requests.capabilities import lacking
from runs.services.stale_rows import stale_rows
from runs.services.statuses import is_held_elsewhere
from runs.status.calibrated import Calibrated
from runs.status.facts import Facts, Gate
from runs.status.rows import Worth, result_types_section, rows_section, worth_of
from runs.status.rules import next_step
from runs.status.sections import (
    attention_section,
    gate_of,
    gate_section,
    newest_gate,
    notes_section,
    policy_section,
    reviews_section,
    runs_section,
    stale_in_headline,
    unsupported,
    version_section,
    watcher_section,
)
from runs.trust.posture import Posture, read_posture

SCHEMA = "understudy.benchmark_status.v1"
CANDIDATES = frozenset({ArmKind.CANDIDATE, ArmKind.APP_REPLAY})
ARTIFACTS = {
    "calibration": ("calibration.json",),
    "rigor_report": ("rigor-report.json", "rigor-report.md"),
    "comparison": ("comparison-*.json",),
    "partner_report": ("partner-report.json", "partner-report.md"),
    "versions": ("versions.jsonl",),
    "rows": layout.ROWS_PATTERNS,
}


def benchmark_status(
    *, located: Located, home: Home, with_next: bool = True, now: datetime, live: bool = True
) -> JsonObject:
    """Everything that is known of a benchmark, and what to do next; it writes nothing.

    Without `live` it says what the files say: nobody is looked for who holds the directory, and a
    run that is `running` is believed to be.
    """
    state = _State(located, home, now, live=live)
    dossier = state.dossier
    document: JsonObject = {
        "schema_version": SCHEMA,
        "benchmark": state.benchmark(),
        "version": version_section(
            dossier.version,
            dossier.versions.records,
            from_manifest=bool(dossier.manifest and dossier.manifest.version),
        ),
        "rows": rows_section(state.worth),
        "stale_in_headline": stale_in_headline(state.report, state.worth.stale, dossier.breaking),
        "ledgers": state.ledgers(),
        "attention": attention_section(dossier.doubts, dossier.decisions),
        "calibration": state.calibrated.document(),
        "verifiers": state.verifiers(),
        "runs": {
            **runs_section(dossier.requests.requests, dossier.rows.records, state.holder),
            "watcher": watcher_section(state.watcher),
        },
        "result_types": result_types_section(state.worth, state.newest_run),
        "gate": gate_section(state.gate),
        "artifacts": state.artifacts(),
        "posture": {
            "level": state.posture.level.value,
            "stop_loss_usd": state.posture.stop_loss_usd,
        },
        "warnings": [
            *dossier.warnings(),
            *build_warnings(dossier.build),
            *edit_warnings(dossier.edited, dossier.slug),
            *state.calibrated.warnings,
        ],
    }
    if live:
        read_at = stamp(now)
        document["freshness"] = {"source": "directory", "complete": True, "read_at": read_at}
    if with_next:
        document["next"] = next_step(state.facts())
    return document


class _State:
    """One benchmark, read once for all sections."""

    def __init__(self, located: Located, home: Home, now: datetime, *, live: bool) -> None:
        self.located = located
        self.home = home
        self.now = now
        self.directory = located.directory
        self.dossier = dossier_of(located)
        self.live = live
        self.holder = located.directory.holder() if live else None
        self.watcher = located.directory.watcher() if live else None

    @cached_property
    def worth(self) -> Worth:
        """What the rows are worth today."""
        return worth_of(self.dossier.evidence, self.dossier.tasks, self.dossier.breaking)

    @cached_property
    def report(self) -> RigorReport | None:
        """The newest rigor report; one that cannot be read counts as missing."""
        try:
            return self.directory.load(layout.RIGOR_REPORT)
        except UnderstudyError:
            return None

    @cached_property
    def report_is_current(self) -> bool:
        """Whether the report is about the files as they are: none changed, came or went."""
        return self.report is not None and self.report.inputs == self.dossier.inputs()

    @property
    def gate(self) -> Gate:
        """What the gate said when it ran last."""
        reported = gate_of(self.report, current=self.report_is_current)
        is_promoted = self.dossier.stage is Stage.PROMOTED
        return newest_gate(reported, self.dossier.promotion if is_promoted else None)

    @cached_property
    def calibrated(self) -> Calibrated:
        """What calibration says of today's tasks."""
        measured = {
            task_id: entry
            for task_id, entry in self.dossier.calibrated.items()
            if entry.score is not None
        }
        return Calibrated(
            stored=self.dossier.calibration,
            entries=measured,
            floors=self.dossier.floors,
            effective=self.dossier.effective,
            waits_for_incumbent=self.incumbent is not None,
            can_replay=self.has_captures,
            flagged=frozenset(filter(self.open_flags.cover, self.dossier.effective)),
            overridden=self._overridden(),
            untested=self.untested,
        )

    @cached_property
    def untested(self) -> list[str]:
        """The tasks whose verifier nobody tested as it is today."""
        return with_verdict(UNTESTED, self.dossier.effective, self.dossier.verifiers)

    @cached_property
    def open_flags(self) -> OpenFlags:
        """The published doubts that keep tasks out of headlines."""
        return open_flags(self.dossier.flags.records)

    def _overridden(self) -> frozenset[str]:
        """The checks over which the benchmark was promoted on somebody's word."""
        record = self.dossier.promotion
        if record is None or record.rigor_gate.get("status") != "overridden":
            return frozenset()
        return frozenset(map(str, record.rigor_gate.get("failures") or ()))

    @cached_property
    def incumbent(self) -> str | None:
        """The manifest's incumbent model, where a key for it is found."""
        manifest = self.dossier.manifest
        model = manifest.incumbent.model if manifest and manifest.incumbent else None
        credentials = read_credentials(self.home.credentials_file, os.environ)
        return model if is_reachable(model, credentials) else None

    @property
    def has_captures(self) -> bool:
        """Whether captures are kept here: the replay arm and a build stand on them."""
        return any(each.bytes for each in self.directory.listing(layout.CAPTURES.path))

    @cached_property
    def posture(self) -> Posture:
        """What the operator allows without being asked."""
        try:
            return read_posture(document.read(self.home.trust_file))
        except Unreadable:
            return Posture()

    @property
    def newest_run(self) -> str | None:
        """The run that was asked for last."""
        requests = self.dossier.requests.requests
        return requests[-1].run_id if requests else None

    def benchmark(self) -> JsonObject:
        """`benchmark`: what it is and where."""
        manifest = self.dossier.manifest
        return {
            "slug": self.located.slug,
            "dir": str(self.directory.path),
            "benchmark_id": manifest.benchmark_id if manifest else None,
            "name": manifest.name if manifest else None,
            "stage": self.dossier.stage.value,
            "read_only": self.located.read_only,
            "errors": self.dossier.stage_report.errors,
        }

    def ledgers(self) -> JsonObject:
        """`ledgers`: reviews, notes, looks, and the lines that could not be read."""
        dossier = self.dossier
        return {
            "reviews": reviews_section(dossier.decisions, dossier.reviews.records),
            **notes_section(dossier.feedback.records, dossier.flags.records),
            "holdout_looks": len(dossier.counted_looks),
            "malformed": dossier.malformed(),
            "policy": policy_section(dossier.policy),
        }

    def verifiers(self) -> JsonObject:
        """`verifiers`: each task under the first word that fits."""
        marks = Counter(map(self.dossier.verifier_mark, self.dossier.effective))
        return {mark: marks[mark] for mark in ("tested", "weak", "untested", "flaky")}

    def artifacts(self) -> list[JsonObject]:
        """`artifacts`: each written file, and whether it is about what is there now."""
        return [
            {
                "path": each.name,
                "kind": kind,
                "bytes": each.bytes,
                "modified_at": stamp(each.modified_at),
                "current": self._is_current(kind, each.name),
            }
            for kind, patterns in ARTIFACTS.items()
            for each in self.directory.listing(*patterns)
        ]

    def facts(self) -> Facts:
        """What the next command depends on."""
        dossier = self.dossier
        decisions = dossier.decisions
        left = unsupported(dossier.requests.requests)
        waiting = undecided(dossier.doubts, decisions, dossier.doubts)
        splits = [dossier.tasks[task_id].split for task_id in dossier.effective]
        used = [item.row.arm_kind for item in dossier.evidence.used]
        return Facts(
            slug=self.located.slug,
            stage=dossier.stage,
            dir=str(self.directory.path),
            has_lost_tasks=dossier.stage_report.has_lost_tasks,
            claim_live=self._is_claimed(),
            watched=self.watcher is not None,
            runs=dossier.requests.requests,
            unsupported=left,
            lacking_here=frozenset(run for run, missing in left.items() if lacking(missing)),
            has_captures=self.has_captures,
            **self._interview(),
            **self._pilot(),
            owns_environment=self._owns_environment(),
            regenerate_because=self._regenerate_because(),
            unknown_tools=self._unknown_tools(),
            untested=self.untested,
            beyond_testing=beyond_testing(self.untested, dossier.verifiers),
            weak=with_verdict(WEAK, waiting, dossier.verifiers),
            judging_little=dossier.judging_little(waiting),
            flagged=waiting,
            clean_pending=auto_accepts(dossier.tasks, decisions, dossier.doubts).acceptable,
            open_feedback=[
                line.task_id
                for line in open_feedback(dossier.feedback.records)
                if line.task_id in dossier.tasks
            ],
            lineage_faults=dossier.source_dag.faults if dossier.source_dag else (),
            gate=self.gate,
            stale=stale_rows(dossier, self.worth),
            exceeded=self.calibrated.to_fix,
            calibration=self.calibrated.verdict,
            calibration_missing=self.calibrated.missing if dossier.calibration else (),
            has_measurable=bool(self.calibrated.measurable),
            suspects=self.calibrated.failed,
            incumbent=self.incumbent,
            has_candidate_rows=any(kind in CANDIDATES for kind in used),
            report_is_current=self.report_is_current,
            splits={split: splits.count(split) for split in Split},
        )

    def _interview(self) -> dict[str, Any]:
        """What was proposed, what was picked, and which postures wait for an answer."""
        directions, dependencies = self.dossier.directions, self.dossier.dependencies
        card = directions.picked_card if directions is not None else None
        needs = card.needs if card is not None else None
        waiting = dependencies.unapproved(needs) if dependencies is not None else []
        return {
            "cards": [one.direction_id for one in directions.directions] if directions else [],
            "picked": card.direction_id if card is not None else None,
            "unapproved": {one.name: one.posture for one in waiting},
        }

    def _pilot(self) -> dict[str, Any]:
        """The pilot and when it last ran, where the build recorded directions or a pilot."""
        dossier = self.dossier
        build = dossier.build
        recorded = build is not None and (build.pilot is not None or build.direction is not None)
        pilot = dossier.pilot
        if not recorded or pilot.task_id is None:
            return {"pilot": pilot if recorded else None}
        shown = pilot_rows(
            dossier.rows.records,
            dossier.tasks[pilot.task_id],
            dossier.breaking,
            replays=self.incumbent is None,
        )
        newest = shown[0] if shown else None
        return {
            "pilot": pilot,
            "pilot_shown": newest.created_at if newest else None,
            "pilot_rollout": (newest.run_id, newest.model) if newest else None,
        }

    def _is_claimed(self) -> bool:
        """Whether anybody works here, by lock or by an older executor's word."""
        requests = self.dossier.requests.requests
        if not self.live:
            return any(request.status == RunStatus.RUNNING for request in requests)
        return self.holder is not None or any(
            is_held_elsewhere(self.directory, request, self.now) for request in requests
        )

    def _owns_environment(self) -> bool:
        built = self.dossier.build is not None or self.directory.exists(layout.ENV_TASKS)
        return built and bool(self.dossier.lines)

    def _regenerate_because(self) -> str | None:
        """Why the environment must be built anew; None while it is as good as it gets."""
        dossier = self.dossier
        if dossier.stage not in {Stage.PROPOSED, Stage.PROMOTED}:
            return None
        lines = [dossier.lines[task] for task in dossier.effective if task in dossier.lines]
        if not self.directory.exists(layout.ENV_TASKS):
            return "the environment is missing"
        if any(task.boundary_rule is None for task in lines):
            return "the environment shows the incumbent's own turns: an older tool built it"
        edited = [task.task_id for task in lines if task.task_id in dossier.edited]
        if edited:
            return f"{_some(edited)} edited by hand"
        old = [task.task_id for task in lines if task.task_id not in dossier.validation]
        if old:
            return f"the environment is older than {_some(old)}"
        check = dossier.build.self_check if dossier.build else None
        return (
            "the environment fails its self-check" if check and check.environment_failures else None
        )

    def _unknown_tools(self) -> list[str]:
        tools = self.dossier.tools
        tasks = map(self.dossier.tasks.__getitem__, self.dossier.effective)
        return list(dict.fromkeys(n for task in tasks for n in unclassified_tools(task, tools)))

    def _is_current(self, kind: str, name: str) -> bool:
        if kind == "calibration":
            return self.calibrated.verdict != "stale"
        if kind == "rigor_report":
            return self.report_is_current
        if kind in {"comparison", "partner_report"} and name.endswith(".json"):
            return self._unchanged(self._inputs_of(name))
        return True

    def _inputs_of(self, name: str) -> Mapping[str, str]:
        """The digests that a written document was made from, where it says them."""
        try:
            found = (document.read(self.directory.path / name) or {}).get("inputs")
        except Unreadable:
            return {}
        return found if isinstance(found, dict) else {}

    def _unchanged(self, inputs: Mapping[str, str]) -> bool:
        return all(self.directory.digest(name) == digest for name, digest in inputs.items())


def _some(task_ids: list[str]) -> str:
    first = f"task {task_ids[0]}"
    return first if len(task_ids) == 1 else f"{first} and {len(task_ids) - 1} more"
