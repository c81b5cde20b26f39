"""Every sidecar, per schema number, as it was once written: it loads for ever.

What is loaded and dumped again gives the same bytes: keys in page order, unknown keys after them,
absent left out, null kept where it was said. A file here is never changed, only added.
"""

from pathlib import Path

import pytest

from benchmarks.artifacts.jsonl import encode, encode_value
from benchmarks.artifacts.parsing import parse_json
from benchmarks.records.base import Record
from benchmarks.records.build import BuildManifest
from benchmarks.records.calibration import Calibration
from benchmarks.records.capture import Capture, LedgerEntry
from benchmarks.records.dag import IndexRow, SourceDag
from benchmarks.records.direction import Dependencies, Directions
from benchmarks.records.environment import (
    EnvironmentTask,
    FixtureRow,
    Gold,
    Guidance,
    OfflineValidation,
)
from benchmarks.records.event import RunEvent
from benchmarks.records.holdout import HoldoutLook
from benchmarks.records.home import AuditLine, Job, PriceTable, TrustPosture
from benchmarks.records.intake import IntakeReport
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.note import Feedback, Flag
from benchmarks.records.pilot import PilotAudit
from benchmarks.records.promotion import PromotionRecord
from benchmarks.records.request import Overrides, RunRequest
from benchmarks.records.review import Review, ReviewPolicy
from benchmarks.records.rigor import GateReport, RigorReport
from benchmarks.records.row import Row
from benchmarks.records.task import Task
from benchmarks.records.tool_policy import ToolPolicy
from benchmarks.records.trajectory import JournalLine, Trajectory
from benchmarks.records.verifier import VerifierFixture, VerifierReport
from benchmarks.records.version import VersionLine

GOLDEN = Path(__file__).parents[2] / "golden"

LINES: dict[str, type[Record]] = {
    "audit.v1.jsonl": AuditLine,
    "benchmark_flag.v1.jsonl": Flag,
    "benchmark_review.v1.jsonl": Review,
    "benchmark_task.v1.jsonl": Task,
    "benchmark_version.v1.jsonl": VersionLine,
    "capture_ledger.v1.jsonl": LedgerEntry,
    "eval-execution-index-row.v1.jsonl": IndexRow,
    "eval_result.v1.jsonl": Row,
    "holdout_look.v1.jsonl": HoldoutLook,
    "journal.v1.jsonl": JournalLine,
    "normalized_capture.v1.jsonl": Capture,
    "run_event.v1.jsonl": RunEvent,
    "task_feedback.v1.jsonl": Feedback,
    "trajectory.v1.jsonl": Trajectory,
    "verifier_fixture.v1.jsonl": VerifierFixture,
}
DOCUMENTS: dict[str, type[Record]] = {
    "benchmark.v1.json": BenchmarkManifest,
    "benchmark_proposal.v1.json": BenchmarkManifest,
    "calibration.v1.json": Calibration,
    "capability_directions.v1.json": Directions,
    "dataset_foundry.v1.json": BuildManifest,
    "dependency_posture.v1.json": Dependencies,
    "environment_gold.v1.json": Gold,
    "intake_report.v1.json": IntakeReport,
    "job.v1.json": Job,
    "overrides.v1.json": Overrides,
    "pilot_audit.v1.json": PilotAudit,
    "price_table.v1.json": PriceTable,
    "promotion_record.v1.json": PromotionRecord,
    "rejection_guidance.v1.json": Guidance,
    "review_policy.v1.json": ReviewPolicy,
    "rigor_ci.v1.json": GateReport,
    "rigor_report.v1.json": RigorReport,
    "run_request.v1.json": RunRequest,
    "source_dag.v1.json": SourceDag,
    "tool_policy.v1.json": ToolPolicy,
    "trace_foundry.v1.json": BuildManifest,
    "trust_posture.v1.json": TrustPosture,
    "verifier_report.v1.json": VerifierReport,
    "verifier_validation.v1.json": OfflineValidation,
}
LISTS: dict[str, type[Record]] = {
    "environment_tasks.v1.json": EnvironmentTask,
    "fixtures.v1.json": FixtureRow,
}


@pytest.mark.parametrize(("name", "record"), LINES.items())
def test_a_ledger_or_table_line_is_loaded_and_dumped_to_the_same_bytes(name, record):
    lines = (GOLDEN / name).read_bytes().splitlines()
    assert lines
    for line in lines:
        assert encode(record.read(parse_json(line).value).dump()) == line


@pytest.mark.parametrize(("name", "record"), DOCUMENTS.items())
def test_a_document_is_loaded_and_dumped_to_the_same_bytes(name, record):
    data = (GOLDEN / name).read_bytes()
    loaded = record.read(parse_json(data).value)
    assert encode_value(loaded.dump(), indent=True) + b"\n" == data


@pytest.mark.parametrize(("name", "record"), LISTS.items())
def test_a_document_of_records_is_loaded_and_dumped_to_the_same_bytes(name, record):
    data = (GOLDEN / name).read_bytes()
    loaded = [record.read(item) for item in parse_json(data).value]
    assert encode_value([item.dump() for item in loaded], indent=True) + b"\n" == data


@pytest.mark.parametrize(("name", "record"), {**LINES, **DOCUMENTS}.items())
def test_a_changed_copy_keeps_every_other_key(name, record):
    [first, *_] = (
        (GOLDEN / name).read_bytes().splitlines()
        if name in LINES
        else [(GOLDEN / name).read_bytes()]
    )
    loaded = record.read(parse_json(first).value)
    assert loaded.with_().dump() == loaded.dump()
    assert loaded.with_(x_added={"a": None}).dump() == loaded.dump() | {"x_added": {"a": None}}


def test_every_golden_file_is_read_by_a_test():
    named = {*LINES, *DOCUMENTS, *LISTS}
    assert {path.name for path in GOLDEN.iterdir() if path.is_file()} == named
