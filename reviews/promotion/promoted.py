"""What a promotion writes: manifest and environment of the accepted tasks, and the record."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.environment.package import package_digest
from benchmarks.records.base import JsonObject
from benchmarks.records.caller import Caller
from benchmarks.records.direction import Dependencies
from benchmarks.records.environment import (
    EnvironmentTask,
    FixtureRow,
    Gold,
    Guidance,
    OfflineValidation,
    ToolSchema,
)
from benchmarks.records.manifest import PROMOTED, BenchmarkManifest, ManifestTask
from benchmarks.records.pilot import PilotState
from benchmarks.records.promotion import PromotionRecord
from benchmarks.records.task import Task
from benchmarks.records.version import VersionLine
from benchmarks.records.vocabulary import Contamination, Split
from benchmarks.versioning.bump import snapshot
from benchmarks.versioning.hashing import splits_sha256
from reviews.decisions import Decisions, Effective
from reviews.promotion.gates import Case
from reviews.promotion.judgement import Judgement, Lifts, rigor_block, waivers

NOTE = "promoted"
CAUSE = "promote"


@dataclass(frozen=True, slots=True)
class Occasion:
    """Who promotes, when, and what was read for it."""

    caller: Caller
    at: str
    inputs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class World:
    """The documents under environment/ that name tasks, and those that serve all of them."""

    tasks: Sequence[EnvironmentTask]
    fixtures: Sequence[FixtureRow]
    schemas: Mapping[str, ToolSchema]
    guidance: Guidance
    gold: Gold

    @property
    def digest(self) -> str:
        """The digest of what candidates can reach."""
        return package_digest(self.tasks, self.fixtures, self.schemas, self.guidance)

    def keeping(self, accepted: Collection[str]) -> "World":
        """The same with accepted tasks only; what is shared stays."""
        kept = frozenset(accepted)
        return World(
            tasks=[task for task in self.tasks if task.task_id in kept],
            fixtures=[row for row in self.fixtures if row.task_id is None or row.task_id in kept],
            schemas=self.schemas,
            guidance=self.guidance,
            gold=self.gold.with_(tasks=[task for task in self.gold.tasks if task.task_id in kept]),
        )


def kept_validation(validation: OfflineValidation, accepted: Collection[str]) -> OfflineValidation:
    """The offline validation of accepted tasks only."""
    return validation.with_(tasks=[row for row in validation.tasks if row.task_id in set(accepted)])


def promoted_manifest(
    proposal: BenchmarkManifest,
    tasks: Mapping[str, Task],
    accepted: Sequence[str],
    *,
    version: str,
    package_sha256: str | None,
) -> BenchmarkManifest:
    """benchmark.json of the accepted tasks, ready to be run."""
    kept = frozenset(accepted)
    listed = [task for task in proposal.tasks if task.task_id in kept]
    used = {task.category_id for task in listed}
    surface = sorted({name for task_id in accepted for name in tasks[task_id].tool_surface})
    environment = {**(proposal.environment or {}), "tool_surface": surface}
    if package_sha256 is not None:
        environment["package_sha256"] = package_sha256
    return proposal.with_(
        schema_version=PROMOTED,
        version=version,
        description=_description(proposal, len(listed)),
        taxonomy=[category for category in proposal.taxonomy if category.category_id in used],
        tasks=listed,
        environment=environment,
        splits=kept_splits(proposal.splits or {}, listed),
        status="promoted",
        executable=True,
        promotion_blockers=[],
    )


def _description(proposal: BenchmarkManifest, kept: int) -> str | None:
    """What the build said, with the number of tasks that are left; other words stay."""
    said = proposal.description
    counted = f"{len(proposal.tasks)} tasks "
    if said is None or not said.startswith(counted):
        return said
    return f"{kept} of {said}" if kept < len(proposal.tasks) else said


def kept_splits(splits: Mapping[str, object], listed: Sequence[ManifestTask]) -> JsonObject:
    """The block of the splits over these tasks: pairs of which one is gone no longer count."""
    ids = {task.task_id for task in listed}
    counts = Counter(task.split for task in listed)
    divided = [split for split in Split if split is not Split.NONE]
    found: JsonObject = {
        **splits,
        "boundary": " / ".join(f"{split.value} {counts[split]}" for split in divided),
        "splits_sha256": splits_sha256([(task.task_id, task.split.value) for task in listed]),
    }
    pairs = splits.get("near_duplicates")
    if not isinstance(pairs, list):
        return found
    total = splits.get("near_duplicates_total")
    kept = [pair for pair in pairs if {pair.get("a"), pair.get("b")} <= ids]
    whole = not isinstance(total, int) or total <= len(pairs)
    found["near_duplicates"] = kept
    if whole:
        found["near_duplicates_total"] = len(kept)
    if whole and not kept and splits.get("contamination") == Contamination.CONTAMINATED:
        found["contamination"] = Contamination.CLEAN.value
    return found


def promotion_record(
    benchmark_id: str, case: Case, judgement: Judgement, lifts: Lifts, occasion: Occasion
) -> PromotionRecord:
    """Who promoted what, on which evidence, over which doubts."""
    excluded = [task for task in case.task_ids if not case.decisions[task].accepted]
    accepted = case.accepted
    return PromotionRecord(
        benchmark_id=benchmark_id,
        promoted_at=occasion.at,
        promoted_by=occasion.caller.actor,
        counts={
            "proposed": len(case.task_ids),
            "accepted": len(accepted),
            "excluded": len(excluded),
        },
        accepted_tasks=accepted,
        excluded_tasks=[
            {"task_id": task, "decision": case.decisions[task].word} for task in excluded
        ],
        decisions=_decisions(case.task_ids, case.decisions),
        blockers_cleared=dict.fromkeys(case.blockers, True),
        waivers=waivers(case, judgement, lifts),
        rigor_gate=rigor_block(case, judgement, lifts),
        gates=[gate.document() for gate in judgement.gates],
        door=occasion.caller.door,
        pilot={
            "verdict": case.pilot.audit.verdict if case.pilot.audit is not None else None,
            "waived": case.pilot.state is PilotState.WAIVED,
        },
        postures=_postures(case.dependencies),
        verifiers=case.verifier_totals,
        inputs=dict(occasion.inputs),
    )


def first_version_line(
    manifest: BenchmarkManifest, tasks: Mapping[str, Task], occasion: Occasion
) -> VersionLine:
    """The line that begins versions.jsonl: every promoted task as it stands."""
    splits = manifest.splits or {}
    return VersionLine(
        created_at=occasion.at,
        version=manifest.version,
        splits_sha256=splits.get("splits_sha256"),
        contamination=splits.get("contamination"),
        note=NOTE,
        tasks=snapshot(tasks[task.task_id] for task in manifest.tasks),
        cause=CAUSE,
        actor=occasion.caller.actor,
        door=occasion.caller.door,
    )


def _postures(dependencies: Dependencies | None) -> list[JsonObject] | None:
    """How each dependency was played; None where nobody was asked."""
    if dependencies is None:
        return None
    return [
        {"name": one.name, "posture": one.posture, "approved_by": one.approved_by}
        for one in dependencies.dependencies
    ]


def _decisions(task_ids: Sequence[str], decisions: Decisions) -> dict[str, JsonObject]:
    return {task: _decision(decisions[task]) for task in task_ids}


def _decision(effective: Effective) -> JsonObject:
    review = effective.review
    return {
        "decision": effective.word,
        "note": review.note if review else "",
        "reviewed_at": review.created_at if review else None,
        "source": review.source if review else None,
        "explicit": effective.explicit,
    }
