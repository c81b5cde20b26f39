"""Captured traces become a benchmark: one pass, deterministic, that spends nothing."""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import Action, AlreadyExists, LossAboveBar, NothingSelected
from benchmarks.intake.ingest import MAX_LOSS, Intake, ingest
from benchmarks.records.base import JsonObject
from benchmarks.records.caller import Caller
from benchmarks.records.times import stamp
from benchmarks.records.tool_policy import ToolEntry
from benchmarks.records.vocabulary import Effect
from benchmarks.services.addressing import address_feedback
from benchmarks.services.asking import BuildRequest, pilot_of
from benchmarks.services.doctoring import nothing_found
from benchmarks.services.making import Making
from benchmarks.services.proposing import Change
from benchmarks.services.standing import Standing, read_standing
from benchmarks.services.writing import write_all

CAUSE = "build"


def build_benchmark(
    *,
    directory: BenchmarkDir,
    slug: str,
    source: Sequence[Path] = (),
    workload: str | None = None,
    max_age_days: float | None = None,
    max_loss: float = MAX_LOSS,
    redact: bool = True,
    tool_policy: Mapping[str, ToolEntry | str] | None = None,
    splits: Mapping[str, float] | None = None,
    seed: int | None = None,
    extra_writes: str | None = None,
    refusals: str | None = None,
    contract_from: str = "first",
    waive_pilot: str | None = None,
    rebuild: bool = False,
    confirm: bool = False,
    dry_run: bool = False,
    caller: Caller,
    now: datetime,
) -> JsonObject:
    """Build a benchmark from sources, or from the captures that the directory holds.

    The answer is the build manifest with `slug`, `dir` and `dropped`. A directory that was built
    before keeps ids, splits, ledgers and what people wrote; the same sources again change nothing.

    Raises:
        InvalidArguments: values are wrong; all are listed.
        PilotRequired: nobody audited a pilot, and nobody waived it.
        ApprovalRequired: a program waived it without a person's word.
        AlreadyExists: sources for a directory that has tasks, without `rebuild`.
        SourceNotFound: a source does not exist.
        NothingSelected: there is no capture, or no task can be made of what there is.
        LossAboveBar: more was lost than `max_loss` allows.
        DirectoryBusy: somebody else wrote to the directory meanwhile.
    """
    request = BuildRequest(
        sources=sorted(dict.fromkeys(source)),
        workload=workload,
        max_age_days=max_age_days,
        max_loss=max_loss,
        redact=redact,
        seed=seed,
        splits=splits,
        refusals=refusals,
        extra_writes=extra_writes,
        contract_from=contract_from,
        tools=tool_policy or {},
        waive_pilot=waive_pilot,
        rebuild=rebuild,
        confirm=confirm,
    )
    making = _prepared(directory, request, caller, now)
    documents = making.documents
    if not dry_run:
        with directory.guard():
            making.standing.check_unmoved()
            write_all(directory, documents)
            address_feedback(directory, documents.tasks, CAUSE, caller, now)
    return _answer(making, slug=slug, dry_run=dry_run)


def _prepared(
    directory: BenchmarkDir, request: BuildRequest, caller: Caller, now: datetime
) -> Making:
    """The build with everything checked and read; nothing is computed yet."""
    request.check()
    standing = read_standing(directory)
    _check_free(standing, request)
    pilot = pilot_of(request, standing.build, caller, now)
    change = Change(CAUSE, caller, stamp(now))
    return Making(standing, request, _taken_in(request, now), pilot, change, now)


def _check_free(standing: Standing, request: BuildRequest) -> None:
    """A built directory is only added to on purpose; one without captures needs a source."""
    name = standing.directory.name
    if request.sources and standing.is_built and not request.rebuild:
        raise AlreadyExists(
            f"{name} has {len(standing.tasks)} tasks",
            hint="--rebuild adds these sources to it; --slug NAME builds another benchmark",
            details={"tasks": len(standing.tasks), "dir": str(standing.directory.path)},
        )
    if not request.sources and not standing.captures:
        raise NothingSelected(
            f"{name} holds no captures", hint="name a source: a file or a folder of captures"
        )


def _taken_in(request: BuildRequest, now: datetime) -> Intake | None:
    """What the sources hold; None when the directory's own captures are built on."""
    if not request.sources:
        return None
    intake = ingest(request.sources, options=request.intake_options(now))
    report = intake.report
    if not intake.captures:
        raise nothing_found(request.sources, intake)
    if report.verdict == "fail":
        raise LossAboveBar(
            f"{report.loss:.1%} was lost, the bar is {report.bar:.1%}",
            hint="see what: understudy traces doctor; a higher --max-loss is the waiver",
            details={
                "loss": report.loss,
                "bar": report.bar,
                "losses": report.losses,
                "dropped": report.dropped,
                "examples": report.examples,
            },
        )
    return intake


def _answer(making: Making, *, slug: str, dry_run: bool) -> JsonObject:
    benchmark, tasks = making.proposed.benchmark, making.assembled.tasks
    names = {category.category_id: category.name for category in benchmark.taxonomy}
    per_category = Counter(names.get(task.category_id or "", "") for task in benchmark.tasks)
    return {
        "ok": True,
        "replayed": False,
        **making.change.caller.block(),
        **making.manifest.dump(),
        "slug": slug,
        "dir": str(making.standing.directory.path),
        "benchmark_id": benchmark.benchmark_id,
        "version": benchmark.version,
        "dropped": making.dropped,
        "splits": (benchmark.splits or {}).get("boundary"),
        "contamination": (benchmark.splits or {}).get("contamination"),
        "categories": [
            {"name": name, "tasks": count} for name, count in per_category.most_common()
        ],
        "needs_review": sum(task.status == "needs_review" for task in tasks),
        "unclassified_tools": _unclassified(making),
        "promotion_blockers": benchmark.promotion_blockers,
        **({"dry_run": True} if dry_run else {}),
        "next_actions": [
            Action(
                say="see what was built and what to do next",
                command=f"understudy benchmarks status {shlex.quote(slug)}",
                tool="benchmark_status",
                arguments={"slug": slug},
            ).document()
        ],
    }


def _unclassified(making: Making) -> list[str]:
    """The tools that were called and cannot be classed, by tool or by call."""
    called = {name for task in making.assembled.tasks for name in task.tool_surface}
    policy = making.policy
    return sorted(
        name
        for name in called
        if name not in policy
        or (policy[name].effect is Effect.UNKNOWN and policy[name].per_call is None)
    )
