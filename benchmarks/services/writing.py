"""The documents of a build onto disk, in the order that a killed build can be started again from.

What differs from what stands by its clock alone is left as it stands, so the same work done twice
writes nothing the second time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.layout import DocumentFile, ListFile, MapFile, R, TableFile
from benchmarks.records.base import JsonObject, Record
from benchmarks.records.build import BuildManifest
from benchmarks.records.capture import Capture, LedgerEntry
from benchmarks.records.dag import IndexRow, SourceDag
from benchmarks.records.intake import IntakeReport
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.task import Task
from benchmarks.records.tool_policy import ToolPolicy
from benchmarks.records.verifier import VerifierFixture, VerifierReport
from benchmarks.records.version import VersionLine
from benchmarks.services.examining import Examined
from benchmarks.services.standing import Environment, if_readable

CLOCKS = frozenset({"generated_at", "created_at", "cutoff_utc"})
WRITTEN_AT_ONCE = 200
"""Captures in one write: what a killed build has written is not written again."""


@dataclass(frozen=True)
class Ingested:
    """What an intake adds to a directory."""

    captures: Sequence[Capture] = ()
    ledger: Sequence[LedgerEntry] = ()
    blobs: Mapping[str, bytes] = field(default_factory=dict)
    report: IntakeReport | None = None


@dataclass(frozen=True)
class Lineage:
    """What became of every capture."""

    dag: SourceDag
    index: Sequence[IndexRow]


@dataclass(frozen=True)
class Documents:
    """Everything that a build or a regeneration leaves in a directory."""

    policy: ToolPolicy
    environment: Environment
    tasks: Sequence[Task]
    benchmark: BenchmarkManifest
    manifest: BuildManifest
    version_line: VersionLine | None = None
    examined: Examined | None = None
    verifiers: VerifierReport | None = None
    ingested: Ingested = field(default_factory=Ingested)
    lineage: Lineage | None = None


def write_all(directory: BenchmarkDir, documents: Documents) -> None:
    """Write what differs, evidence before what rests on it; the caller holds the guard."""
    write_ingested(directory, documents.ingested)
    if documents.lineage is not None:
        put(directory, layout.SOURCE_DAG, documents.lineage.dag)
        put_table(directory, layout.EXECUTION_INDEX, documents.lineage.index)
    put(directory, layout.TOOL_POLICY, documents.policy)
    write_environment(directory, documents.environment)
    put_table(directory, layout.TASKS, documents.tasks)
    if documents.examined is not None and documents.verifiers is not None:
        write_verifiers(directory, documents.examined, documents.verifiers)
    put(directory, layout.BENCHMARK, documents.benchmark)
    put(directory, layout.MANIFEST, documents.manifest)
    if documents.version_line is not None:
        directory.append(layout.VERSIONS, documents.version_line)


def write_verifiers(
    directory: BenchmarkDir,
    examined: Examined,
    report: VerifierReport,
    added: Sequence[VerifierFixture] = (),
) -> None:
    """The fixtures that the ledger does not hold yet, then the report that names them."""
    ledger = directory.read(layout.VERIFIER_FIXTURES).records
    directory.append(layout.VERIFIER_FIXTURES, *examined.to_append(ledger, added))
    put(directory, layout.VERIFIER_REPORT, report)


def write_ingested(directory: BenchmarkDir, ingested: Ingested) -> None:
    """Blobs before the captures that name them, captures before the ledger that counts them."""
    for digest in sorted(ingested.blobs):
        directory.write_blob(ingested.blobs[digest])
    known = {capture.capture_key for capture in directory.read(layout.CAPTURES).records}
    fresh = [capture for capture in ingested.captures if capture.capture_key not in known]
    for start in range(0, len(fresh), WRITTEN_AT_ONCE):
        directory.append(layout.CAPTURES, *fresh[start : start + WRITTEN_AT_ONCE])
    entered = {entry.capture_key for entry in directory.read(layout.CAPTURE_LEDGER).records}
    entries = [entry for entry in ingested.ledger if entry.capture_key not in entered]
    directory.append(layout.CAPTURE_LEDGER, *entries)
    if ingested.report is not None:
        put(directory, layout.INTAKE_REPORT, ingested.report)


def write_environment(directory: BenchmarkDir, environment: Environment) -> None:
    """The package, then the scorer's side, then its proof."""
    put_list(directory, layout.ENV_TASKS, environment.tasks)
    put_list(directory, layout.FIXTURES, environment.fixtures)
    put_map(directory, layout.SCHEMAS, environment.schemas)
    for file, document in (
        (layout.GUIDANCE, environment.guidance),
        (layout.GOLD, environment.gold),
        (layout.VALIDATION, environment.validation),
    ):
        if document is not None:
            put(directory, file, document)


def put(directory: BenchmarkDir, file: DocumentFile[Any], content: Record) -> None:
    """Replace a document unless only clocks differ."""
    old = if_readable(lambda: directory.load(file))
    if old is None or not same_but_for_clock(old.dump(), content.dump()):
        directory.replace(file, content)


def put_table(directory: BenchmarkDir, file: TableFile[R], content: Sequence[R]) -> None:
    """Replace a table unless it says the same."""
    if not directory.exists(file) or directory.read(file).records != list(content):
        directory.replace(file, content)


def put_list(directory: BenchmarkDir, file: ListFile[R], content: Sequence[R]) -> None:
    """Replace an array document unless it says the same."""
    old = if_readable(lambda: directory.load_list(file))
    if not directory.exists(file) or old != list(content):
        directory.replace(file, content)


def put_map(directory: BenchmarkDir, file: MapFile[R], content: Mapping[str, R]) -> None:
    """Replace a document of records by name unless it says the same, in the same order."""
    old = if_readable(lambda: directory.load_map(file))
    if not directory.exists(file) or list((old or {}).items()) != list(content.items()):
        directory.replace(file, content)


def same_but_for_clock(one: JsonObject, other: JsonObject) -> bool:
    """Whether two documents differ in nothing but when they were written."""
    return bool(_timeless(one) == _timeless(other))


def _timeless(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _timeless(item) for key, item in value.items() if key not in CLOCKS}
    if isinstance(value, list):
        return [_timeless(item) for item in value]
    return value
