"""benchmark.json and manifest.json: what a benchmark is, and how it was built."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.foundry.compile import Compilation
from benchmarks.records.base import JsonObject
from benchmarks.records.build import TRACE_FOUNDRY, BuildManifest, SelfCheck
from benchmarks.records.manifest import PROPOSAL, BenchmarkManifest, Category, ManifestTask
from benchmarks.records.task import Incumbent, Task

UNREVIEWED = "machine_compiled_review_pending"
ENGINE = "native.v1"
VERIFIER: JsonObject = {
    "kind": "final-state",
    "strict_metric": "task_completed_correctly",
    "dense_metric": "final_state_partial_credit",
    "replayable": True,
}
RESULTS_CONTRACT: JsonObject = {
    "row_schema": "understudy.eval_result.v1",
    "trace_artifact": "traces.jsonl",
    "branch_projection": "one_eval_row_per_root_to_leaf_branch",
}
PRIVACY: JsonObject = {
    "local_only": True,
    "contains_customer_payloads": True,
    "upload_performed": False,
    "provider_called": False,
}
LINEAGE_POLICY = "main_line_of_each_conversation"


@dataclass(frozen=True)
class Described:
    """What benchmark.json says beyond its tasks."""

    benchmark_id: str
    name: str
    created_at: str
    version: str
    environment_ref: str
    taxonomy: Sequence[Category]
    splits: JsonObject
    captures: int


def new_manifest(tasks: Sequence[Task], about: Described) -> BenchmarkManifest:
    """The proposal that these tasks make."""
    return BenchmarkManifest(
        schema_version=PROPOSAL,
        benchmark_id=about.benchmark_id,
        version=about.version,
        name=about.name,
        description=f"{len(tasks)} tasks from {about.captures} captures",
        created_at=about.created_at,
        provenance={
            "origin": "derived-from-traces",
            "source_refs": ["capture-ledger.jsonl", "source-dag.json"],
            "imported_from": None,
        },
        incumbent=incumbent_of(tasks),
        taxonomy=list(about.taxonomy),
        tasks=[manifest_task(task) for task in tasks],
        environment=environment_block(tasks, about.environment_ref),
        verifier=dict(VERIFIER),
        splits=about.splits,
        results_contract=dict(RESULTS_CONTRACT),
        status=UNREVIEWED,
        executable=False,
    )


def manifest_task(task: Task, listed: ManifestTask | None = None) -> ManifestTask:
    """A task as the manifest lists it; what else the manifest said of it stays."""
    changes = {
        "task_id": task.task_id,
        "category_id": task.category_id,
        "seed": int(task.task_hash[:8], 16) if task.task_hash else None,
        "genesis": (listed.genesis if listed else None) or "replayed",
        "split": task.split,
        "gold": {"kind": "final-state", "ref": f"tasks.jsonl#{task.task_id}"},
        "status": task.status,
        "task_hash": task.task_hash,
        "capability_fit": task.capability_fit,
        "incumbent": task.incumbent,
        "version": task.version,
        "content_hashes": task.content_hashes,
    }
    return listed.with_(**changes) if listed is not None else ManifestTask.read(changes)


def environment_block(tasks: Sequence[Task], environment_ref: str) -> JsonObject:
    """Where the environment stands, and who can run it."""
    return {
        "format": "verifiers.v1",
        "engine": ENGINE,
        "package_ref": "environment",
        "package_sha256": environment_ref,
        "tool_surface": sorted({tool for task in tasks for tool in task.tool_surface}),
        "runtime": "subprocess",
    }


def incumbent_of(tasks: Sequence[Task]) -> Incumbent:
    """The model that did most of the tasks, and all that any of them was done by."""
    found = [task.incumbent for task in tasks if task.incumbent is not None]
    counts = Counter(one.model for one in found if one.model)
    most = min(counts, key=lambda model: (-counts[model], model), default=None)
    provider = next((one.provider for one in found if one.model == most), None)
    return Incumbent(
        model=most,
        provider=provider if most is not None else None,
        observed_calls=sum(one.observed_calls for one in found),
        models=[{"model": model, "tasks": counts[model]} for model in sorted(counts)],
    )


@dataclass(frozen=True)
class Origin:
    """Where a build's captures came from, and by which word of the operator."""

    source: str
    """The last component of the source's path."""
    output: str
    """The directory's own name."""
    files: int
    workload: str | None = None
    max_age_days: float | None = None
    cutoff: str | None = None
    newest: str | None = None
    filtered: Mapping[str, int] = field(default_factory=dict)
    """Records that a filter or the reader left out, by reason."""
    seed: int = 0
    options: JsonObject = field(default_factory=dict)
    pilot: JsonObject | None = None
    direction: str | None = None
    """The card whose conversations alone were built."""
    redacted: bool = True
    """Whether the secrets of every capture were taken out; False once some were kept."""
    builder: str = ""
    artifacts: Mapping[str, str] = field(default_factory=dict)


STALE = frozenset({"stale"})
BAD_TIMES = frozenset({"malformed_timestamp", "missing_timestamp"})
SCOPE = frozenset({"workload_mismatch", "missing_workload_scope"})


def build_manifest(
    found: Compilation, origin: Origin, self_check: SelfCheck, fixtures_split: JsonObject
) -> BuildManifest:
    """How these tasks were built."""
    filtered = dict(sorted(origin.filtered.items()))
    return BuildManifest.read({
        "schema_version": TRACE_FOUNDRY,
        "status": UNREVIEWED,
        "source": origin.source,
        "output_dir": origin.output,
        "freshness": _present({
            "max_age_days": origin.max_age_days,
            "cutoff_utc": origin.cutoff,
            "newest_capture_utc": origin.newest,
        }),
        "counts": counts_of(found, origin.files, filtered),
        "artifacts": dict(origin.artifacts),
        "privacy": {**PRIVACY, **({} if origin.redacted else {"redacted": False})},
        "source_scope": _present({
            "workload": origin.workload,
            "kept": found.captures,
            "filtered": {name: filtered[name] for name in filtered if name in SCOPE},
        }),
        "quarantines": [quarantine.dump() for quarantine in found.dag.quarantines],
        "lineage": lineage_of(found),
        "self_check": self_check.dump(),
        "fixtures_split": fixtures_split,
        "versioning": {"bumps": []},
        "builder": {"name": "understudy", "version": origin.builder},
        "seed": origin.seed,
        "intake_report": "intake-report.json",
        "options": origin.options,
        **_present({"pilot": origin.pilot, "direction": origin.direction}),
    })


def counts_of(found: Compilation, files: int, filtered: Mapping[str, int]) -> JsonObject:
    """How much came in, and how much came out."""
    return {
        "source_files": files,
        "captures": found.captures,
        "conversations": len(found.fates),
        "tasks": len(found.made),
        "edges": len(found.dag.edges),
        "stale_filtered": sum(filtered.get(name, 0) for name in STALE),
        "invalid_timestamp_filtered": sum(filtered.get(name, 0) for name in BAD_TIMES),
        "not_normalizable_filtered": sum(
            count for name, count in filtered.items() if name not in STALE | BAD_TIMES | SCOPE
        ),
        "filtered_reasons": dict(filtered),
    }


def lineage_of(found: Compilation) -> JsonObject:
    """What became of every conversation; tasks of the source without a success by their names."""
    return {
        "policy": LINEAGE_POLICY,
        "counts": {drop.value: count for drop, count in found.drops.items()},
        "included_task_count": len(found.made),
        "no_successful_trajectory": found.unsuccessful(),
    }


def _present(values: Mapping[str, object]) -> JsonObject:
    return {name: value for name, value in values.items() if value is not None}
