"""The documents of a directory, and what the entry of a benchmark says of it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.layout import DocumentFile
from benchmarks.artifacts.stage import stage
from benchmarks.errors import InvalidBenchmark, NewerSchema, Unreadable
from benchmarks.mirror.base import Derived, Mirror, MirroredDocument
from benchmarks.mirror.columns import word
from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.records.base import Record
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.times import read_time

DOCUMENTS: tuple[DocumentFile[Any], ...] = (
    layout.BENCHMARK,
    layout.MANIFEST,
    layout.INTAKE_REPORT,
    layout.TOOL_POLICY,
    layout.DIRECTIONS,
    layout.DEPENDENCIES,
    layout.PILOT_AUDIT,
    layout.GUIDANCE,
    layout.VALIDATION,
    layout.VERIFIER_REPORT,
    layout.PROMOTION,
    layout.PROPOSAL,
    layout.REVIEW_POLICY,
    layout.OVERVIEW,
    layout.CALIBRATION,
    layout.RIGOR_REPORT,
)
UNSHAPED = ("app-harness.json",)
"""Documents that nothing here reads as records yet: any object is one."""
COMPARISONS = "comparison-*.json"
HEAVY: tuple[DocumentFile[Any], ...] = (
    layout.SOURCE_DAG,
    layout.GOLD,
    *(
        DocumentFile(file.path, Record)
        for file in (layout.ENV_TASKS, layout.FIXTURES, layout.SCHEMAS)
    ),
)


def document_files(directory: BenchmarkDir) -> Sequence[DocumentFile[Any]]:
    """Every light document that a directory may hold."""
    unshaped = (DocumentFile(name, Record) for name in UNSHAPED)
    compared = (DocumentFile(facts.name, Record) for facts in directory.listing(COMPARISONS))
    return (*DOCUMENTS, *unshaped, *compared)


def describe(entry: BenchmarkEntry, directory: BenchmarkDir) -> Callable[[], None]:
    """Stage, names and origin of a benchmark, as `benchmarks show` tells them."""
    columns = _columns(directory)
    return lambda: _update(entry, columns)


def _update(entry: BenchmarkEntry, columns: Mapping[str, Any]) -> None:
    BenchmarkEntry.objects.filter(pk=entry.pk).update(**columns)


def _columns(directory: BenchmarkDir) -> dict[str, Any]:
    report = stage(directory)
    manifest = _manifest(directory)
    provenance = (manifest.provenance if manifest else None) or {}
    return {
        "stage": report.stage.value if report.stage is not None else "",
        "name": word(manifest.name if manifest else None) or word(directory.name),
        "benchmark_id": word(manifest.benchmark_id if manifest else None),
        "version": word(manifest.version if manifest else None, 64),
        "origin": word(provenance.get("origin"), 32),
        "executable": manifest.executable if manifest else None,
        "created_at": read_time(manifest.created_at) if manifest else None,
    }


def _manifest(directory: BenchmarkDir) -> BenchmarkManifest | None:
    try:
        return directory.load(layout.BENCHMARK)
    except (InvalidBenchmark, NewerSchema, Unreadable):
        return None


BENCHMARK: tuple[Mirror, ...] = (
    MirroredDocument("documents", document_files),
    MirroredDocument("heavy_documents", lambda _: HEAVY, heavy=True),
    Derived("benchmark", frozenset({"documents", "tasks"}), work_out=describe),
)
