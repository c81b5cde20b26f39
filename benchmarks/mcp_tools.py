"""The MCP tools of this app: each translates its arguments and calls one service."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.doors.arguments import (
    Confirm,
    DirectionId,
    DryRun,
    Endpoints,
    Fixtures,
    MaxAgeDays,
    Name,
    Note,
    Postures,
    Reason,
    Seed,
    Share,
    Slug,
    Source,
    Splits,
    TaskIds,
    ToolEffects,
)
from benchmarks.doors.call import Call
from benchmarks.doors.tool import ToolEntry
from benchmarks.intake.ingest import MAX_LOSS
from benchmarks.services.answering import Answer
from benchmarks.services.building import build_benchmark as build_benchmark_service
from benchmarks.services.directing import propose_directions as propose_directions_service
from benchmarks.services.doctoring import doctor as doctor_service
from benchmarks.services.regenerating import regenerate_env as regenerate_env_service
from benchmarks.services.targets import need_one_directory
from benchmarks.services.verifying import verify_tasks as verify_tasks_service

Document = dict[str, Any]


def build_benchmark(
    call: Call,
    *,
    source: Source | None = None,
    name: Name | None = None,
    slug: Slug | None = None,
    workload: str | None = None,
    max_age_days: MaxAgeDays | None = None,
    tool_policy: ToolEffects | None = None,
    splits: Splits | None = None,
    seed: Seed | None = None,
    extra_writes: Literal["forbid", "allow"] | None = None,
    contract_from: Literal["first", "all"] | None = None,
    refusals: Literal["plain", "consulted"] | None = None,
    max_loss: Share | None = None,
    pilot: Annotated[bool, Field(description="Build one task, to be audited first.")] = False,
    waive_pilot: Reason | None = None,
    rebuild: bool = False,
    confirm: Confirm = False,
    dry_run: DryRun = False,
) -> Document:
    """Build a proposed benchmark from captured traces, or rebuild one from its own captures.

    Give `source` with `name` for a new one, or `slug`. The first build writes one task: run it,
    read its rollout, submit_review with pilot_audit; the same call then builds the rest.
    waive_pilot needs a reason, and confirm after the user agreed. Nothing leaves the machine.
    """
    located = place(call, slug, name)
    sources = [source] if isinstance(source, str) else source or []
    return build_benchmark_service(
        directory=located.directory,
        slug=located.slug,
        source=[Path(item).expanduser() for item in sources],
        workload=workload,
        max_age_days=max_age_days,
        max_loss=MAX_LOSS if max_loss is None else max_loss,
        tool_policy=tool_policy,
        splits=None if splits is None else dict[str, float](**splits),
        seed=seed,
        extra_writes=extra_writes,
        contract_from=contract_from,
        refusals=refusals,
        pilot=pilot,
        waive_pilot=waive_pilot,
        rebuild=rebuild,
        confirm=confirm,
        dry_run=dry_run,
        caller=call.caller,
        now=call.now,
    )


def trace_doctor(
    call: Call,
    *,
    source: Source,
    workload: str | None = None,
    max_age_days: MaxAgeDays | None = None,
    max_loss: Share | None = None,
) -> Document:
    """Say what a build would read, lose and redact of captured traces. Writes nothing.

    `verdict` is fail when more than max_loss (0.05) is lost; `findings` name each cause and cure.
    """
    sources = [source] if isinstance(source, str) else source
    return doctor_service(
        sources=[Path(item).expanduser() for item in sources],
        workload=workload,
        max_age_days=max_age_days,
        max_loss=MAX_LOSS if max_loss is None else max_loss,
        now=call.now,
    )


def propose_directions(
    call: Call,
    *,
    source: Source | None = None,
    name: Name | None = None,
    slug: Slug | None = None,
    pick: DirectionId | None = None,
    postures: Postures | None = None,
    endpoints: Endpoints | None = None,
    note: Note | None = None,
    confirm: Confirm = False,
) -> Document:
    """Propose 2-3 cards of what the captures could measure, or record the user's answer to them.

    Give `source` with `name` for a new one, or `slug`. Then `pick` a card and give `postures`, as
    the user said. A live posture needs confirm after the user agreed. Nothing leaves the machine.
    """
    located = place(call, slug, name)
    sources = [source] if isinstance(source, str) else source or []
    return propose_directions_service(
        directory=located.directory,
        slug=located.slug,
        source=[Path(item).expanduser() for item in sources],
        answer=Answer(
            pick=pick,
            postures=postures or {},
            endpoints=endpoints or {},
            note=note,
            confirm=confirm,
        ),
        home=call.home,
        caller=call.caller,
        now=call.now,
    )


def place(call: Call, slug: str | None, name: str | None) -> Located:
    """The directory that is named: one that is there, or a new one.

    Raises:
        InvalidArguments: neither is named, or both are.
    """
    need_one_directory(slug, name)
    return call.locate(slug) if slug else new_directory(call, str(name))


def new_directory(call: Call, name: str) -> Located:
    """Where a benchmark of this name is made: under the first root."""
    root = call.roots[0]
    directory = BenchmarkDir(root.path / name, read_only=root.read_only)
    return Located(directory, f"{root.prefix}--{name}", root.read_only)


def regenerate_env(
    call: Call,
    *,
    slug: Slug,
    tasks: TaskIds | None = None,
    tool_policy: ToolEffects | None = None,
    dry_run: DryRun = False,
) -> Document:
    """Make the environment, validation and stamps again after tasks.jsonl was edited.

    tool_policy says how tools are classed, written first. Edits by hand are kept.
    """
    located = call.locate(slug)
    return regenerate_env_service(
        directory=located.directory,
        slug=located.slug,
        tasks=tasks,
        tool_policy=tool_policy,
        dry_run=dry_run,
        caller=call.caller,
        now=call.now,
    )


def verify_tasks(
    call: Call,
    *,
    slug: Slug,
    tasks: TaskIds | None = None,
    fixtures: Fixtures | None = None,
    seed: Seed | None = None,
) -> Document:
    """Put verifiers to the test with right rollouts, wrong ones and harmless variants.

    Weak ones come first, with the wrong rollouts that they pass in words. A weak or untested
    verifier blocks promotion. `fixtures` adds rollouts whose outcome the user knows.
    """
    return verify_tasks_service(
        located=call.locate(slug),
        tasks=tasks,
        fixtures=fixtures,
        seed=seed,
        progress=call.progress.of_units("testing", "verifiers"),
        caller=call.caller,
        now=call.now,
    )


TOOLS: tuple[ToolEntry, ...] = (
    ToolEntry(
        trace_doctor,
        title="Look traces over",
        keys=(
            "verdict",
            "loss",
            "bar",
            "by_dialect",
            "dropped",
            "losses",
            "secrets",
            "would_build",
            "findings",
        ),
        hints="RI",
        waits=True,
        one_line=(
            "/tools/unknown_names/*",
            "/examples/*/detail",
            "/examples/*/pointer",
            "/would_build/unclassified_tools/*",
            "/would_build/lost_first/*",
            "/would_build/unsolved_first",
        ),
    ),
    ToolEntry(
        propose_directions,
        title="Propose what to measure",
        keys=("slug", "dir", "directions", "picked", "dependencies", "note"),
        hints="",
        waits=True,
        writes=True,
        fenced=("/directions/*/example/text",),
        one_line=("/directions/*/name", "/dependencies/*/name"),
    ),
    ToolEntry(
        build_benchmark,
        title="Build a benchmark",
        keys=("slug", "dir", "counts", "dropped", "splits", "self_check", "unclassified_tools"),
        hints="D",
        waits=True,
        writes=True,
        one_line=("/categories/*/name",),
    ),
    ToolEntry(
        regenerate_env,
        title="Regenerate the environment",
        keys=(
            "path",
            "oracle_pass",
            "sentinel_pass",
            "repaired_empty_contracts",
            "version_bumps",
            "changed_tasks",
            "leakage_audit",
            "self_check",
            "feedback_addressed",
        ),
        hints="DI",
        waits=True,
        writes=True,
    ),
    ToolEntry(
        verify_tasks,
        title="Test the verifiers",
        keys=("slug", "dir", "seed", "tasks", "totals", "of_benchmark", "promotion_blockers"),
        hints="I",
        waits=True,
        writes=True,
        one_line=(
            "/tasks/*/survivors/*/say",
            "/tasks/*/refused/*/say",
            "/tasks/*/set_aside/*/say",
        ),
    ),
)
