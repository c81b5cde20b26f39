"""Promoting a proposal: gates first, all at once; then files, in an order that survives a crash.

Environment, copy of the proposal, record, benchmark.json, first version line (spec/build.md 12). A
crash between two of them leaves a proposal, and promoting again finishes it.
"""

from datetime import datetime
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.artifacts.stage import check_manifest
from benchmarks.errors import (
    Action,
    ApprovalRequired,
    Claimed,
    Complaint,
    GateFailed,
    InvalidArguments,
    InvalidBenchmark,
    WrongStage,
)
from benchmarks.records import cures
from benchmarks.records.base import JsonObject
from benchmarks.records.build import TRACE_FOUNDRY
from benchmarks.records.caller import Caller
from benchmarks.records.environment import Guidance
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.promotion import PromotionRecord
from benchmarks.records.times import stamp
from benchmarks.records.version import VersionLine
from benchmarks.records.vocabulary import Stage
from benchmarks.versioning.hashing import is_edited
from reviews.attention import unclassified_tools
from reviews.promotion.gates import Case, Refusal
from reviews.promotion.judgement import Judgement, Lifts, judge, rigor_block, waivers
from reviews.promotion.promoted import (
    Occasion,
    World,
    first_version_line,
    kept_validation,
    promoted_manifest,
    promotion_record,
)
from reviews.rigor.checks import run_checks
from reviews.services.dossier import Dossier
from reviews.services.writing import open_dossier, written

EDITED = "edited by hand since it was stamped"


def promote(
    *,
    located: Located,
    override_rigor: str | None = None,
    waive_dag: str | None = None,
    strict: bool = False,
    dry_run: bool = False,
    confirm: bool = False,
    caller: Caller,
    now: datetime,
) -> dict[str, Any]:
    """Promote the accepted tasks of a proposal, or refuse with every reason at once.

    Promoting what is promoted already changes nothing and gives the record again.

    Raises:
        GateFailed: gates refuse; `errors` has each, `details.refusals` with its tasks and cure.
        Claimed: nothing refuses but a live executor.
        ApprovalRequired: an override without a person's word.
    """
    lifts = _lifts(override_rigor, waive_dag, strict=strict)
    _need_person(lifts, caller, confirm=confirm or dry_run)
    if dry_run:
        promotion = _Promotion(open_dossier(located), lifts)
        return {"dry_run": True, **_refuse_or(promotion).answer(written(caller))}
    with located.directory.guard():
        dossier = open_dossier(located)
        if dossier.stage is Stage.PROMOTED:
            return _finished(dossier, caller, now)
        promotion = _refuse_or(_Promotion(dossier, lifts))
        promotion.write(Occasion(caller, stamp(now), dossier.inputs()))
        return promotion.answer(written(caller))


class _Promotion:
    """One promotion under way: what it is decided on, and what it would write."""

    def __init__(self, dossier: Dossier, lifts: Lifts) -> None:
        _need_proposal(dossier)
        self.dossier, self.lifts = dossier, lifts
        self.accepted = [task for task in dossier.tasks if dossier.decisions[task].accepted]
        self.world = _world(dossier)
        kept = self.world.keeping(self.accepted) if self.world is not None else None
        self.kept = kept
        self.manifest = promoted_manifest(
            _manifest(dossier),
            dossier.tasks,
            self.accepted,
            version=dossier.version,
            package_sha256=kept.digest if kept is not None else None,
        )
        self.case = self._case()
        self.judgement: Judgement = judge(self.case, lifts)
        self.record: PromotionRecord | None = None

    def _case(self) -> Case:
        dossier = self.dossier
        subject = dossier.subject(tasks=self.accepted)
        build = dossier.build
        return Case(
            name=dossier.slug,
            task_ids=list(dossier.tasks),
            decisions=dossier.decisions,
            validation=dossier.validation,
            verifiers=dossier.verifiers,
            items=run_checks(subject),
            conflicts=conflicts_of(dossier),
            unclassified={
                task_id: names
                for task_id, task in dossier.tasks.items()
                if (names := unclassified_tools(task, dossier.tools))
            },
            manifest_errors=[
                f"{each.path}: {each.message}" for each in check_manifest(self.manifest.dump())
            ],
            holder=dossier.directory.holder(),
            build=build,
            pilot=dossier.pilot,
            dag=dossier.source_dag,
            blockers=_manifest(dossier).promotion_blockers,
            dependencies=dossier.dependencies,
            tasks=dossier.tasks,
            from_traces=build is not None and build.schema_version == TRACE_FOUNDRY,
        )

    def write(self, occasion: Occasion) -> None:
        """Write the promotion; each file whole, in the order that a crash may interrupt."""
        directory = self.dossier.directory
        self.record = promotion_record(
            self.manifest.benchmark_id, self.case, self.judgement, self.lifts, occasion
        )
        if self.kept is not None:
            directory.replace(layout.ENV_TASKS, self.kept.tasks)
            directory.replace(layout.FIXTURES, self.kept.fixtures)
            directory.replace(layout.GOLD, self.kept.gold)
        if self.dossier.validations is not None:
            directory.replace(
                layout.VALIDATION, kept_validation(self.dossier.validations, self.accepted)
            )
        if not directory.exists(layout.PROPOSAL):
            directory.replace(layout.PROPOSAL, _manifest(self.dossier))
        directory.replace(layout.PROMOTION, self.record)
        directory.replace(layout.BENCHMARK, self.manifest)
        _begin_versions(self.dossier, self.manifest, occasion)

    def answer(self, head: dict[str, Any]) -> dict[str, Any]:
        """The document of a promotion, or of one that would go through."""
        gate = rigor_block(self.case, self.judgement, self.lifts)
        decisions = self.dossier.decisions
        answer: dict[str, Any] = {
            **head,
            "benchmark_id": self.manifest.benchmark_id,
            "version": self.manifest.version,
            "accepted_tasks": self.accepted,
            "excluded_tasks": [
                {"task_id": task, "decision": decisions[task].word}
                for task in self.dossier.tasks
                if not decisions[task].accepted
            ],
            "gate": {key: gate[key] for key in ("status", "failures", "unknowns")},
            "waivers": waivers(self.case, self.judgement, self.lifts),
        }
        if self.record is not None:
            answer["record"] = self.record.dump()
        if self.judgement.lifted:
            answer["notices"] = [_override_notice(self.judgement, self.lifts)]
        return answer


def conflicts_of(dossier: Dossier) -> dict[str, str]:
    """The tasks that the two files do not agree on, or that were edited by hand."""
    edited = {task_id: EDITED for task_id, line in dossier.lines.items() if is_edited(line)}
    return {**edited, **dossier.conflicts}


def _lifts(override_rigor: str | None, waive_dag: str | None, *, strict: bool) -> Lifts:
    given = {"override_rigor": override_rigor, "waive_dag": waive_dag}
    found = [
        Complaint(name, reason, "a reason is wanted: it stands in the record")
        for name, reason in given.items()
        if reason is not None and not reason.strip()
    ]
    if found:
        said = "; ".join(f"{each.path}: {each.message}" for each in found)
        raise InvalidArguments(said, hint="say why, in a few words", errors=found)
    return Lifts(override_rigor=override_rigor, waive_dag=waive_dag, strict=strict)


def _need_person(lifts: Lifts, caller: Caller, *, confirm: bool) -> None:
    """An agent lifts a gate only with a person's word.

    Raises:
        ApprovalRequired: it has none.
    """
    asked = [
        name
        for name, reason in (
            ("override_rigor", lifts.override_rigor),
            ("waive_dag", lifts.waive_dag),
        )
        if reason is not None
    ]
    if asked and not caller.is_person and not confirm:
        raise ApprovalRequired(
            f"{' and '.join(asked)} must be a person's decision",
            hint="ask the user; with their explicit consent repeat the call with confirm: true",
            details={"needs": asked},
        )


def _need_proposal(dossier: Dossier) -> None:
    """Return when there is a proposal to promote.

    Raises:
        InvalidBenchmark: the documents do not validate.
        WrongStage: there is no proposal here.
    """
    if dossier.stage is Stage.PROPOSED and dossier.manifest is not None:
        return
    if dossier.stage in {Stage.INVALID, Stage.PROPOSED}:
        raise InvalidBenchmark(
            f"{dossier.slug} cannot be promoted: its documents do not validate",
            hint=f"understudy benchmarks show {dossier.slug}",
            errors=list(dossier.stage_report.complaints)
            + [Complaint("document", "", text) for text in dossier.complaints],
        )
    raise WrongStage(
        f"promoting needs a proposed benchmark; {dossier.slug} is {dossier.stage.value}",
        hint=f"understudy benchmarks status {dossier.slug}",
        details={"stage": dossier.stage.value, "needs": Stage.PROPOSED.value},
        next_actions=(cures.read_status(dossier.slug),),
    )


def _manifest(dossier: Dossier) -> BenchmarkManifest:
    """The proposal; `_need_proposal` has seen that it is there."""
    if dossier.manifest is None:
        raise InvalidBenchmark(f"{dossier.slug} has no benchmark.json")
    return dossier.manifest


def _world(dossier: Dossier) -> World | None:
    """The environment as it stands; None where there is none to narrow."""
    directory = dossier.directory
    if not directory.exists(layout.ENV_TASKS):
        return None
    gold = directory.load(layout.GOLD)
    if gold is None:
        return None
    return World(
        tasks=directory.load_list(layout.ENV_TASKS),
        fixtures=directory.load_list(layout.FIXTURES),
        schemas=directory.load_map(layout.SCHEMAS),
        guidance=directory.load(layout.GUIDANCE) or Guidance(),
        gold=gold,
    )


def _refuse_or(promotion: _Promotion) -> _Promotion:
    """The promotion, when nothing stands against it.

    Raises:
        Claimed: only a live executor does.
        GateFailed: gates refuse.
    """
    refusals = promotion.judgement.refusals
    if not refusals:
        return promotion
    if all(refusal.code == Claimed.code for refusal in refusals):
        raise Claimed(
            f"{promotion.case.name}: {refusals[0].message}",
            hint=refusals[0].cure,
            details={"claimed_by": promotion.case.holder},
        )
    raise _gate_failed(promotion, refusals)


def _gate_failed(promotion: _Promotion, refusals: list[Refusal]) -> GateFailed:
    codes = list(dict.fromkeys(refusal.code for refusal in refusals))
    return GateFailed(
        f"{promotion.case.name} is not promoted: {', '.join(codes)}",
        hint="; ".join(dict.fromkeys(f"{each.code}: {each.cure}" for each in refusals)),
        details={
            "codes": codes,
            "refusals": [_refusal(refusal) for refusal in refusals],
            "gates": [gate.document() for gate in promotion.judgement.gates],
        },
        errors=[
            Complaint(refusal.code, ", ".join(refusal.task_ids), refusal.message)
            for refusal in refusals
        ],
        next_actions=_next_actions(refusals),
    )


def _next_actions(refusals: list[Refusal]) -> list[Action]:
    """The cure of each refusal, every command once."""
    actions = [action for refusal in refusals if (action := refusal.next_action) is not None]
    return list({action.command: action for action in actions}.values())


def _refusal(refusal: Refusal) -> JsonObject:
    return {
        "code": refusal.code,
        "message": refusal.message,
        "task_ids": list(refusal.task_ids),
        "cure": refusal.cure,
    }


def _begin_versions(dossier: Dossier, manifest: BenchmarkManifest, occasion: Occasion) -> None:
    """The first line of versions.jsonl, unless there is one."""
    if dossier.versions.records:
        return
    line: VersionLine = first_version_line(manifest, dossier.tasks, occasion)
    dossier.directory.append(layout.VERSIONS, line)


def _finished(dossier: Dossier, caller: Caller, now: datetime) -> dict[str, Any]:
    """The answer for what is promoted already; what a crash left out is written."""
    record, manifest = dossier.promotion, dossier.manifest
    if record is None or manifest is None:
        raise WrongStage(
            f"{dossier.slug} is promoted already, and was not promoted here",
            hint=f"understudy benchmarks status {dossier.slug}",
            details={"stage": dossier.stage.value, "needs": Stage.PROPOSED.value},
            next_actions=(cures.read_status(dossier.slug),),
        )
    _begin_versions(dossier, manifest, Occasion(caller, stamp(now), {}))
    gate = record.rigor_gate
    return {
        **written(caller, replayed=True),
        "benchmark_id": record.benchmark_id,
        "version": dossier.version,
        "accepted_tasks": record.accepted_tasks,
        "excluded_tasks": record.excluded_tasks,
        "gate": {key: gate.get(key) for key in ("status", "failures", "unknowns")},
        "waivers": record.waivers,
        "record": record.dump(),
    }


def _override_notice(judgement: Judgement, lifts: Lifts) -> JsonObject:
    names = ", ".join(gate.name for gate in judgement.lifted)
    reason = lifts.override_rigor or lifts.waive_dag or ""
    return {"kind": "override", "text": f"promoted over {names}: {reason}"[:240]}
