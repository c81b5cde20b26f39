"""The rigor of a benchmark: measured from its files, kept beside them, and printed as a gate."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.errors import InvalidBenchmark, NotMeasured, UnknownRun, WrongStage
from benchmarks.records import cures
from benchmarks.records.rigor import GateReport, RigorReport
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import Stage
from reviews.rigor.evidence import root_run
from reviews.rigor.gate import gate_report, gate_word
from reviews.rigor.render import render
from reviews.rigor.report import Stamp, rigor_report
from reviews.services.dossier import Dossier


def assess(*, located: Located, run_ids: Sequence[str] | None = None, now: datetime) -> RigorReport:
    """Every check over the effective tasks; nothing is written. `run_ids` narrows the rows.

    Raises:
        WrongStage: nothing was built yet.
        InvalidBenchmark: there is nothing in which a task could be found.
        UnknownRun: no row is of one of the runs.
    """
    dossier = Dossier(located.directory, slug=located.slug)
    _need_tasks(dossier)
    if run_ids is not None:
        _need_runs(dossier, run_ids)
    splits = (dossier.manifest.splits if dossier.manifest else None) or {}
    seed = splits.get("seed")
    return rigor_report(
        dossier.subject(run_ids=run_ids),
        Stamp(
            generated_at=stamp(now),
            benchmark_version=dossier.version,
            seed=seed if isinstance(seed, int) else 0,
            inputs=dossier.inputs(),
        ),
        flags={task_id: dossier.flag_words(task_id) for task_id in dossier.doubts},
    )


def write_report(*, located: Located, report: RigorReport) -> bool:
    """Keep a report beside the benchmark, as data and Markdown; False where one may not write."""
    if located.read_only or not located.directory.writable:
        return False
    with located.directory.guard():
        located.directory.replace(layout.RIGOR_REPORT, report)
        located.directory.write_bytes(layout.RIGOR_TEXT, render(report).encode())
    return True


def read_rigor_report(
    *,
    located: Located,
    ci: bool = False,
    strict: bool = False,
    refresh: bool = True,
    now: datetime,
) -> dict[str, Any]:
    """The report measured now and kept, or with `refresh` false as it stands; `ci` gives the gate.

    Raises:
        NotMeasured: `refresh` is false and no report was ever written.
    """
    if refresh:
        report = assess(located=located, now=now)
        write_report(located=located, report=report)
    else:
        report = _kept(located)
    if not ci:
        return report.dump()
    gate = gate_of(located, report)
    return {**gate.dump(), "verdict": gate_word(gate, strict=strict)}


def read_rigor_text(*, located: Located) -> str:
    """The kept report as Markdown, word for word what stands beside it.

    Raises:
        NotMeasured: no report was ever written.
    """
    return render(_kept(located))


def gate_of(located: Located, report: RigorReport) -> GateReport:
    """The gate over a report, under the name by which doors know the benchmark."""
    return gate_report(report, located.slug)


def _kept(located: Located) -> RigorReport:
    report = located.directory.load(layout.RIGOR_REPORT)
    if report is None:
        raise NotMeasured(
            f"{located.slug} has no rigor report yet",
            hint=f"understudy benchmarks rigor {located.slug}",
        )
    return report


def _need_tasks(dossier: Dossier) -> None:
    if dossier.stage is Stage.INTAKE:
        raise WrongStage(
            f"rigor needs tasks; {dossier.slug} is an intake",
            hint=f"understudy traces build-benchmark {dossier.slug}",
            details={"stage": dossier.stage.value, "needs": Stage.PROPOSED.value},
            next_actions=(cures.read_status(dossier.slug),),
        )
    if dossier.stage is Stage.INVALID and not dossier.tasks:
        raise InvalidBenchmark(
            f"{dossier.slug} holds no task that can be read",
            hint=f"understudy benchmarks show {dossier.slug}",
            errors=list(dossier.stage_report.complaints),
        )


def _need_runs(dossier: Dossier, run_ids: Sequence[str]) -> None:
    there = {name for row in dossier.rows.records for name in (row.run_id, root_run(row.run_id))}
    unknown = [run for run in run_ids if run not in there]
    if unknown:
        raise UnknownRun(
            f"{dossier.slug} has no row of {', '.join(unknown)}",
            hint=f"{len(there)} runs have rows: understudy runs list {dossier.slug}",
        )
