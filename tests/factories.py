"""Hand-made benchmark directories: an item desk of any size, proposed or promoted.

Each task asks for one status of one item: "Set item I-0001 to shipped." The source looked the item
up, updated it and said so. `tests/stub_model.py` does what these prompts ask.
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.roots import Located
from benchmarks.records.blocks import Score
from benchmarks.records.build import TRACE_FOUNDRY, BuildManifest
from benchmarks.records.caller import Caller
from benchmarks.records.contract import Contract
from benchmarks.records.conversation import Tool
from benchmarks.records.environment import (
    EnvironmentTask,
    FixtureRow,
    Gold,
    GoldTask,
    Guidance,
    OfflineValidation,
    OracleScore,
    RecordedCall,
    ScriptedUser,
    TaskValidation,
    ToolSchema,
)
from benchmarks.records.manifest import PROMOTED, PROPOSAL, BenchmarkManifest
from benchmarks.records.promotion import PromotionRecord
from benchmarks.records.request import RunRequest
from benchmarks.records.task import Incumbent, Task, User
from benchmarks.records.tool_policy import EffectSource, ToolEntry, ToolPolicy
from benchmarks.records.version import TaskStamp, VersionLine
from benchmarks.records.vocabulary import Effect, Split
from benchmarks.versioning.hashing import content_hashes
from tests.verifier_factories import make_verifier_report

NOW = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
AT = "2026-11-02T09:00:00.000Z"
BENCHMARK_ID = "trace-a774ea2432856c8a"
CATEGORY = "cap-25c02cd40838"
INCUMBENT = "gpt-5.5"
SYSTEM = "You keep the item desk."
STATES = ("shipped", "packed", "returned")
SHELL = Caller("os:mira", "shell")

TEXT = {"type": "string"}
GET_ITEM = Tool(
    name="get_item",
    description="Look an item up.",
    parameters={"type": "object", "properties": {"item_id": TEXT}, "required": ["item_id"]},
    required=["item_id"],
)
UPDATE_ITEM = Tool(
    name="update_item",
    description="Set the status of an item.",
    parameters={
        "type": "object",
        "properties": {"item_id": TEXT, "status": TEXT},
        "required": ["item_id", "status"],
    },
    required=["item_id", "status"],
)
TOOLS = [GET_ITEM, UPDATE_ITEM]
ITEM = {"entity": "item", "id_argument": "item_id"}
GETS = ToolEntry.read({"effect": Effect.READ, **ITEM})
UPDATES = ToolEntry.read({"effect": Effect.WRITE, "idempotent": True, **ITEM})
POLICY = ToolPolicy(tools={"get_item": GETS, "update_item": UPDATES})


@dataclass(frozen=True)
class Desk:
    """A benchmark on disk, with what its tests ask of it."""

    directory: BenchmarkDir
    task_ids: list[str]

    @property
    def path(self) -> Path:
        return self.directory.path

    @property
    def located(self) -> Located:
        return Located(self.directory, f"local--{self.directory.name}", read_only=False)

    def rows(self) -> list[Any]:
        return self.directory.rows().records

    def request(self, run_id: str) -> RunRequest:
        return self.directory.request(run_id)

    def events(self, run_id: str | None = None) -> list[Any]:
        found = self.directory.read(layout.EVENTS).records
        return [event for event in found if run_id in {None, event.run_id}]


@dataclass
class Item:
    """One task of the desk, before it is written."""

    number: int
    split: Split = Split.TRAIN
    contract: dict[str, Any] | None = None
    user_turns: list[str] = field(default_factory=list)
    changes: dict[str, Any] = field(default_factory=dict)

    @property
    def task_id(self) -> str:
        return f"task-{self.number:016x}"

    def digest(self, of: str) -> str:
        """A digest that looks like one: zeros alone would cost every reader the slow parser."""
        return hashlib.sha256(f"{of} {self.number}".encode()).hexdigest()

    @property
    def item_id(self) -> str:
        return f"I-{self.number:04d}"

    @property
    def state(self) -> str:
        return STATES[self.number % len(STATES)]

    @property
    def prompt(self) -> str:
        return f"Set item {self.item_id} to {self.state}."

    def outcome_contract(self) -> Contract:
        wanted = {"item_id": self.item_id, "status": self.state}
        effect = {
            "id": "o1",
            "type": "state_effect",
            "tool": "update_item",
            "arguments": {key: {"match": "exact", "value": value} for key, value in wanted.items()},
        }
        answered = {"id": "o2", "type": "response_obligation", "kind": "answered"}
        plain = {"status": "machine_proposed", "writes": "forbid", "required": [effect, answered]}
        return Contract.read(self.contract or plain)

    def task(self) -> Task:
        turns = len(self.user_turns)
        line = Task.read({
            "task_id": self.task_id,
            "execution_group": self.digest("group"),
            "title": f"Set {self.item_id} to {self.state}",
            "split": self.split,
            "category_id": CATEGORY,
            "candidate_boundary": self.digest("boundary")[:32],
            "boundary_rule": "earliest",
            "user": User(mode="scripted" if turns else "none", turns=turns).dump(),
            "machine_confidence": "high",
            "tool_surface": [tool.name for tool in TOOLS],
            "tool_definitions": [tool.dump() for tool in TOOLS],
            "tool_effects": {
                name: EffectSource(effect=entry.effect).dump()
                for name, entry in POLICY.tools.items()
            },
            "outcome_contract": self.outcome_contract().dump(),
            "incumbent": Incumbent(model=INCUMBENT, observed_calls=2).dump(),
            "environment_sha256": self.digest("environment"),
            "version": "1.0.0",
            "self_check": {"ok": True, "failures": []},
            **self.changes,
        })
        return line.with_(content_hashes=content_hashes(line))

    def shown(self) -> EnvironmentTask:
        message = {"role": "user", "content": self.prompt}
        return EnvironmentTask(
            task_id=self.task_id,
            prompt=self.prompt,
            candidate_prompt=[message],
            system_prompt=SYSTEM,
            source_messages=[message],
            split=self.split,
            tool_surface=[tool.name for tool in TOOLS],
            boundary_rule="earliest",
            tools=TOOLS,
            user=ScriptedUser(
                mode="scripted" if self.user_turns else "none", turns=self.user_turns
            ),
        )

    def fixture(self) -> FixtureRow:
        content = {"item_id": self.item_id, "status": "new", "shelf": self.number % 7}
        return FixtureRow(
            task_id=self.task_id,
            tool="get_item",
            arguments={"item_id": self.item_id},
            content=content,
            seq=1,
            call_id="c1",
        )

    def gold(self) -> GoldTask:
        look = RecordedCall(
            call_id="c1",
            tool="get_item",
            arguments={"item_id": self.item_id},
            status="ok",
            write=False,
            content=self.fixture().content,
            turn=1,
        )
        write = RecordedCall(
            call_id="c2",
            tool="update_item",
            arguments={"item_id": self.item_id, "status": self.state},
            status="ok",
            write=True,
            content={"ok": True},
            turn=3,
        )
        return GoldTask(
            task_id=self.task_id,
            post_state_observations=[write],
            final_response="Done.",
            calls=[look, write],
            texts=["Done."],
            text_turns=[5],
            termination="finished",
        )

    def validation(self, task: Task) -> TaskValidation:
        passed = OracleScore(
            judgeable=True,
            strict=1,
            score=1,
            recall=1,
            precision=1,
            policy=1,
            met=["o1", "o2"],
            unmet=[],
            violated=[],
            unexpected_writes=0,
        )
        failed = Score(
            judgeable=True,
            strict=0,
            score=0.3333,
            recall=0,
            precision=0,
            policy=1,
            met=[],
            unmet=["o1", "o2"],
            violated=[],
            unexpected_writes=0,
        )
        hashes = task.content_hashes
        return TaskValidation(
            task_id=self.task_id,
            verifier_sha256=hashes.verifier_sha256 if hashes else None,
            oracle=passed,
            sentinels={"noop": failed},
        )


def make_items(count: int, splits: Iterable[Split] = (Split.TRAIN,)) -> list[Item]:
    """Items numbered from 1, their splits taken in turn."""
    order = list(splits)
    return [Item(number, order[(number - 1) % len(order)]) for number in range(1, count + 1)]


def make_desk(
    path: Path, items: int | list[Item] = 3, *, promoted: bool = True, **manifest: Any
) -> Desk:
    """A whole benchmark directory: promoted, or a proposal."""
    desk = make_items(items) if isinstance(items, int) else items
    directory = BenchmarkDir(path)
    path.mkdir(parents=True, exist_ok=True)
    tasks = [item.task() for item in desk]
    directory.replace(layout.TASKS, tasks)
    directory.replace(layout.MANIFEST, BuildManifest(schema_version=TRACE_FOUNDRY, status="ok"))
    directory.replace(layout.BENCHMARK, make_manifest(tasks, promoted=promoted, **manifest))
    directory.replace(layout.TOOL_POLICY, POLICY)
    directory.replace(layout.ENV_TASKS, [item.shown() for item in desk])
    directory.replace(layout.FIXTURES, [item.fixture() for item in desk])
    directory.replace(layout.SCHEMAS, make_schemas())
    directory.replace(layout.GUIDANCE, Guidance())
    directory.replace(layout.GOLD, Gold(tasks=[item.gold() for item in desk]))
    rows = [item.validation(task) for item, task in zip(desk, tasks, strict=True)]
    directory.replace(layout.VALIDATION, OfflineValidation(engine="native.v1", tasks=rows))
    directory.replace(layout.VERIFIER_REPORT, make_verifier_report(tasks))
    if promoted:
        directory.replace(layout.PROMOTION, make_promotion(tasks))
        directory.append(layout.VERSIONS, make_version(tasks))
    return Desk(directory, [item.task_id for item in desk])


def make_schemas() -> dict[str, ToolSchema]:
    """What the world knows of the two tools."""
    return {
        tool.name: ToolSchema(
            required=tool.required,
            properties=dict.fromkeys(tool.required, "string"),
            observed_n=7,
            description=tool.description,
            parameters=tool.parameters,
            effect=POLICY.tools[tool.name].effect.value,
        )
        for tool in TOOLS
    }


def make_manifest(tasks: list[Task], *, promoted: bool, **changes: Any) -> BenchmarkManifest:
    """benchmark.json over these tasks."""
    return BenchmarkManifest.read({
        "schema_version": PROMOTED if promoted else PROPOSAL,
        "benchmark_id": BENCHMARK_ID,
        "version": "1.0.0",
        "name": "Item desk",
        "created_at": AT,
        "provenance": {"origin": "derived-from-traces", "source_refs": [], "imported_from": None},
        "incumbent": {"model": INCUMBENT, "provider": None},
        "taxonomy": [{"category_id": CATEGORY, "name": "items"}],
        "tasks": [
            {
                "task_id": task.task_id,
                "category_id": CATEGORY,
                "genesis": "replayed",
                "split": task.split,
                "gold": {"kind": "final-state", "ref": "environment/gold.json"},
                "version": task.version,
                "content_hashes": task.content_hashes,
            }
            for task in tasks
        ],
        "environment": {"format": "verifiers.v1", "package_ref": "environment"},
        "verifier": {"kind": "final-state", "strict_metric": "final_state"},
        "status": "promoted" if promoted else "machine_compiled_review_pending",
        "executable": promoted,
        **changes,
    })


def make_promotion(tasks: list[Task]) -> PromotionRecord:
    """promotion-record.json that accepts every task."""
    return PromotionRecord(
        benchmark_id=BENCHMARK_ID,
        promoted_at=AT,
        promoted_by="os:mira",
        counts={"accepted": len(tasks), "excluded": 0},
        accepted_tasks=[task.task_id for task in tasks],
        excluded_tasks=[],
        decisions={},
        rigor_gate={"status": "passed"},
    )


def make_version(tasks: list[Task]) -> VersionLine:
    """The first line of versions.jsonl."""
    keys = ("task_id", "version", "content_hashes")
    stamps = [TaskStamp.read({key: getattr(task, key) for key in keys}) for task in tasks]
    return VersionLine(created_at=AT, version="1.0.0", tasks=stamps)


def make_request(run_id: str = "run-1", **changes: Any) -> RunRequest:
    """A request as a caller of the queueing service gets it, without its quote."""
    return RunRequest.read({
        "run_id": run_id,
        "benchmark_id": BENCHMARK_ID,
        "models": [],
        "split": "all",
        "tasks": "all",
        "rollouts_per_task": 1,
        "created_at": AT,
        "status": "queued",
        "confirmed": True,
        **changes,
    })


def queue(desk: Desk, run_id: str = "run-1", **changes: Any) -> RunRequest:
    """A request in the queue of a desk."""
    request = make_request(run_id, **changes)
    desk.directory.create(layout.request(run_id), request)
    return request


def make_home(path: Path, **trust: Any) -> Home:
    """A home folder; with `level` a posture in it."""
    home = Home(path)
    home.ensure()
    if trust:
        text = f'{{"level": "{trust["level"]}", "overrides": {trust.get("overrides", "{}")}}}'
        (path / "trust.json").write_text(text, encoding="utf-8")
    return home


def clock_from(moment: datetime = NOW) -> Callable[[], datetime]:
    """A clock that stands still."""
    return lambda: moment
