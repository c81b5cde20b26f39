"""A hand-made benchmark directory: a refund desk with a few tasks, proposed or promoted."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.records.build import TRACE_FOUNDRY, BuildManifest
from benchmarks.records.dag import SourceDag
from benchmarks.records.environment import (
    EnvironmentTask,
    FixtureRow,
    Gold,
    GoldTask,
    Guidance,
    OfflineValidation,
    ToolSchema,
)
from benchmarks.records.manifest import PROMOTED
from benchmarks.records.promotion import PromotionRecord
from benchmarks.records.row import Row
from benchmarks.records.task import Task
from benchmarks.records.tool_policy import ToolEntry, ToolPolicy
from benchmarks.versioning.hashing import content_hashes, splits_sha256
from reviews.promotion.promoted import World
from tests.reviews.factories import BENCHMARK_ID, make_manifest, make_score, make_task
from tests.verifier_factories import make_verifier_report

DESK = "refund-desk"


def make_desk(root: Path, *tasks: Task, **manifest: Any) -> Located:
    """A proposal of these tasks, complete enough to be promoted."""
    stamped = [stamped_task(task) for task in tasks or (make_task("t1"), make_task("t2"))]
    directory = BenchmarkDir(root / DESK)
    directory.path.mkdir(parents=True)
    ids = [task.task_id for task in stamped]
    world = make_world(ids)
    directory.replace(layout.TASKS, stamped)
    directory.replace(layout.ENV_TASKS, world.tasks)
    directory.replace(layout.FIXTURES, world.fixtures)
    directory.replace(layout.SCHEMAS, world.schemas)
    directory.replace(layout.GUIDANCE, world.guidance)
    directory.replace(layout.GOLD, world.gold)
    validate(directory, stamped)
    directory.replace(layout.VERIFIER_REPORT, make_verifier_report(stamped))
    directory.replace(
        layout.BENCHMARK,
        make_manifest(
            *ids,
            tasks=[
                {
                    "task_id": task.task_id,
                    "category_id": "cap-1",
                    "split": task.split,
                    "version": task.version,
                    "content_hashes": task.content_hashes,
                }
                for task in stamped
            ],
            splits={
                "boundary": f"dev {len(ids)}",
                "splits_sha256": splits_sha256([(task.task_id, task.split) for task in stamped]),
                "contamination": "clean",
                "near_duplicates": [],
                "near_duplicates_total": 0,
            },
            environment={
                "format": "verifiers.v1",
                "package_ref": "environment",
                "package_sha256": world.digest,
                "tool_surface": ["issue_refund"],
            },
            status="machine_compiled_review_pending",
            **manifest,
        ),
    )
    build = {"schema_version": TRACE_FOUNDRY, "status": "machine_compiled_review_pending"}
    waived = {"waived": {"reason": "no pilot yet", "actor": "os:mira", "door": "shell", "at": "x"}}
    directory.replace(layout.MANIFEST, BuildManifest.read({**build, "pilot": waived}))
    directory.replace(
        layout.TOOL_POLICY, ToolPolicy(tools={"issue_refund": ToolEntry(effect="write")})
    )
    directory.replace(layout.SOURCE_DAG, make_dag())
    return Located(directory, f"local--{DESK}", read_only=False)


def stamped_task(task: Task) -> Task:
    return task.with_(content_hashes=content_hashes(task))


def make_dag(**changes: Any) -> SourceDag:
    blank = {"valid": True, "issues": [], "quarantines": [], "quarantined_groups": []}
    return SourceDag.read({**blank, "nodes": [], "edges": [], "groups": [], **changes})


def make_world(ids: Sequence[str]) -> World:
    return World(
        tasks=tuple(
            EnvironmentTask(
                task_id=task_id,
                prompt=f"Refund {task_id}",
                candidate_prompt=[{"role": "user", "content": f"Refund {task_id}"}],
                system_prompt="You handle refunds.",
            )
            for task_id in ids
        ),
        fixtures=(
            *(FixtureRow(task_id=task_id, tool="get_order", content=task_id) for task_id in ids),
            FixtureRow(tool="get_hours", content="9 to 5"),
        ),
        schemas={"get_order": ToolSchema()},
        guidance=Guidance(),
        gold=Gold(tasks=[GoldTask(task_id=task_id, final_response="Done.") for task_id in ids]),
    )


def validate(directory: BenchmarkDir, tasks: Sequence[Task], **rows: dict[str, Any]) -> None:
    """The offline validation of these tasks; `rows` replaces parts of some."""
    lines = [
        {
            "task_id": task.task_id,
            "verifier_sha256": task.content_hashes.verifier_sha256 if task.content_hashes else None,
            "oracle": make_score(1),
            "sentinels": {"wrong_value": make_score(0)},
            **rows.get(task.task_id, {}),
        }
        for task in tasks
    ]
    directory.replace(layout.VALIDATION, OfflineValidation.read({"tasks": lines}))


def add_rows(located: Located, *rows: Row) -> None:
    """Rows under today's stamps, in the files of their runs and arms."""
    tasks = located.directory.tasks()
    for row in rows:
        task = tasks[row.task_id]
        stamps = {"task_version": task.version, "task_content_hashes": task.content_hashes}
        line = row.with_(benchmark_id=BENCHMARK_ID, provenance=stamps)
        located.directory.append(layout.rows(row.run_id, row.model), line)


def make_promoted_desk(root: Path, *tasks: Task) -> Located:
    """The same, promoted by hand."""
    desk = make_desk(root, *tasks)
    manifest = desk.directory.load(layout.BENCHMARK)
    assert manifest is not None
    desk.directory.replace(
        layout.BENCHMARK, manifest.with_(schema_version=PROMOTED, status="promoted")
    )
    record = {
        "benchmark_id": BENCHMARK_ID,
        "promoted_at": "2026-11-03T07:00:00.000Z",
        "promoted_by": "mira",
        "counts": {},
        "accepted_tasks": [task.task_id for task in manifest.tasks],
        "excluded_tasks": [],
        "decisions": {},
        "rigor_gate": {"status": "passed", "failures": [], "unknowns": []},
    }
    desk.directory.replace(layout.PROMOTION, PromotionRecord.read(record))
    return desk
