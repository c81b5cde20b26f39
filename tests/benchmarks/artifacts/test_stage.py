"""What a directory is ready for, and every complaint about its manifest."""

import copy
import json

import pytest

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.stage import StageReport, check_manifest, is_proposal, stage

PROPOSAL = {
    "schema_version": "understudy.benchmark_proposal.v1",
    "benchmark_id": "trace-a774ea2432856c8a",
    "status": "machine_compiled_review_pending",
    "tasks": [{"task_id": "t1", "split": "train"}],
}
PROMOTED = {
    "schema_version": "understudy.benchmark.v1",
    "benchmark_id": "trace-a774ea2432856c8a",
    "provenance": {"origin": "derived-from-traces", "imported_from": None},
    "taxonomy": [{"category_id": "cap-1"}],
    "tasks": [
        {
            "task_id": "t1",
            "category_id": "cap-1",
            "genesis": "replayed",
            "split": "train",
            "gold": {"kind": "final-state", "ref": "tasks.jsonl#t1"},
        }
    ],
    "environment": {"format": "verifiers.v1", "package_ref": "environment"},
    "verifier": {"kind": "final-state", "strict_metric": "task_completed_correctly"},
    "status": "promoted",
}
OLD_PROPOSAL = {
    "schema_version": "understudy.benchmark.v1",
    "status": "machine_compiled_review_pending",
    "executable": False,
    "promotion_blockers": ["oracle_failed"],
    "tasks": [{"task_id": "t1", "split": "construction", "status": "machine_proposed"}],
}
TRACES = {"schema_version": "understudy.trace_foundry.v1"}
DATASET = {"schema_version": "understudy.dataset_foundry.v1"}
RECORD = {"schema_version": "understudy.promotion_record.v1"}


@pytest.fixture
def directory(tmp_path):
    (tmp_path / "refund-desk").mkdir()
    return BenchmarkDir(tmp_path / "refund-desk")


def put(directory, **files):
    names = {
        "benchmark": "benchmark.json",
        "manifest": "manifest.json",
        "promotion": "promotion-record.json",
        "directions": "directions.json",
        "intake": "intake-report.json",
        "tasks": "tasks.jsonl",
    }
    for key, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (directory.path / names[key]).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"promotion": RECORD, "benchmark": PROMOTED}, "promoted"),
        ({"promotion": RECORD, "benchmark": PROMOTED, "manifest": TRACES, "tasks": ""}, "promoted"),
        ({"promotion": RECORD, "benchmark": PROPOSAL, "manifest": TRACES, "tasks": ""}, "proposed"),
        ({"promotion": RECORD, "benchmark": OLD_PROPOSAL, "tasks": ""}, "proposed"),
        ({"benchmark": PROMOTED, "manifest": TRACES, "tasks": ""}, "proposed"),
        ({"benchmark": PROPOSAL, "tasks": ""}, "proposed"),
        ({"benchmark": OLD_PROPOSAL, "tasks": ""}, "proposed"),
        ({"manifest": TRACES, "tasks": ""}, "proposed"),
        ({"manifest": DATASET, "tasks": ""}, "proposed"),
        ({"benchmark": PROMOTED}, "promoted"),
        ({"benchmark": PROMOTED, "tasks": ""}, "promoted"),
        ({"benchmark": PROMOTED, "manifest": {"leakage_audit": {}}, "tasks": ""}, "promoted"),
        ({"directions": {}}, "intake"),
        ({"intake": {}}, "intake"),
        ({"intake": {}, "manifest": TRACES}, "intake"),
        ({"intake": {}, "manifest": TRACES, "tasks": ""}, "proposed"),
        ({"benchmark": "{oops"}, "invalid"),
        ({"benchmark": "{oops", "intake": {}}, "invalid"),
        ({"benchmark": {}}, "invalid"),
        ({"benchmark": PROPOSAL}, "invalid"),
        ({"benchmark": PROPOSAL, "intake": {}}, "invalid"),
        ({"benchmark": {"schema_version": "understudy.benchmark.v1"}, "tasks": ""}, "invalid"),
        ({"manifest": TRACES}, "invalid"),
        ({"manifest": {"leakage_audit": {}}, "tasks": ""}, "invalid"),
        ({"intake": {}, "tasks": ""}, "invalid"),
        ({"tasks": ""}, None),
        ({}, None),
    ],
)
def test_the_first_rule_that_fits_gives_the_stage(directory, files, expected):
    put(directory, **files)
    report = stage(directory)
    assert report.stage == expected
    assert bool(report.errors) or expected != "invalid"


def test_a_directory_without_any_file_is_no_benchmark(directory):
    assert stage(directory) == StageReport(None)


def test_a_valid_promoted_benchmark_has_no_errors(directory):
    put(directory, benchmark=PROMOTED, promotion=RECORD)
    assert stage(directory).errors == []


@pytest.mark.parametrize(
    ("files", "error"),
    [
        ({"manifest": TRACES}, "tasks.jsonl: missing beside manifest.json"),
        (
            {"intake": {}, "tasks": ""},
            "benchmark.json or manifest.json: missing beside intake-report.json",
        ),
        ({"benchmark": PROPOSAL}, "tasks.jsonl: missing beside benchmark.json"),
        (
            {"benchmark": {}, "manifest": TRACES},
            "benchmark.json schema_version: understudy.benchmark_proposal.v1 or "
            "understudy.benchmark.v1 is wanted",
        ),
    ],
)
def test_an_invalid_directory_says_what_is_wrong(directory, files, error):
    put(directory, **files)
    assert error in stage(directory).errors


def test_a_damaged_document_is_an_error_with_its_name(directory):
    put(directory, benchmark="[]", manifest="{", tasks="")
    errors = stage(directory).errors
    assert [error.split(":")[0] for error in errors] == ["benchmark.json", "manifest.json"]
    assert "holds list where a JSON object is wanted" in errors[0]


def test_a_damaged_manifest_beside_a_valid_benchmark_is_told_and_costs_nothing(directory):
    put(directory, benchmark=PROMOTED, manifest="{")
    report = stage(directory)
    assert report.stage == "promoted"
    assert [error.split(":")[0] for error in report.errors] == ["manifest.json"]


def test_a_proposal_needs_only_tasks_with_ids():
    assert check_manifest({"schema_version": PROPOSAL["schema_version"], "tasks": []}) == []
    assert is_proposal(OLD_PROPOSAL)
    assert check_manifest(OLD_PROPOSAL) == []
    broken = PROPOSAL | {"tasks": [{"task_id": " "}, 7, {"task_id": "t"}]}
    assert [each.path for each in check_manifest(broken)] == [
        "benchmark.json tasks.0.task_id",
        "benchmark.json tasks.1.task_id",
    ]
    assert [each.path for each in check_manifest(PROPOSAL | {"tasks": {}})] == [
        "benchmark.json tasks"
    ]


def changed(path, value):
    manifest = copy.deepcopy(PROMOTED)
    *parents, last = path
    place = manifest
    for key in parents:
        place = place[key]
    if value is None and isinstance(place, dict):
        place.pop(last, None)
    else:
        place[last] = value
    return manifest


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        (("benchmark_id",), " ", "benchmark_id"),
        (("benchmark_id",), None, "benchmark_id"),
        (("provenance", "origin"), "found", "provenance.origin"),
        (("provenance",), None, "provenance.origin"),
        (("taxonomy", 0, "category_id"), "", "taxonomy.0.category_id"),
        (("tasks", 0, "category_id"), "cap-9", "tasks.0.category_id"),
        (("tasks", 0, "genesis"), "dreamed", "tasks.0.genesis"),
        (("tasks", 0, "split"), "test", "tasks.0.split"),
        (("tasks", 0, "gold"), {"kind": "vibe"}, "tasks.0.gold.kind"),
        (("environment", "format"), "docker", "environment.format"),
        (("environment", "package_ref"), None, "environment.package_ref"),
        (("verifier", "kind"), "vibe", "verifier.kind"),
        (("verifier", "strict_metric"), "", "verifier.strict_metric"),
    ],
)
def test_each_wrong_value_of_a_promoted_manifest_is_a_complaint(path, value, complaint):
    found = [each.path for each in check_manifest(changed(path, value))]
    assert f"benchmark.json {complaint}" in found


def test_all_complaints_come_at_once():
    manifest = changed(("benchmark_id",), "")
    manifest["tasks"].append({"task_id": "t1", "category_id": "cap-1", "split": "test"})
    manifest["environment"] = {}
    assert [each.path.removeprefix("benchmark.json ") for each in check_manifest(manifest)] == [
        "benchmark_id",
        "tasks.0.task_id",
        "tasks.1.task_id",
        "tasks.1.split",
        "environment.format",
        "environment.package_ref",
    ]


def test_an_import_names_its_format_and_its_source():
    manifest = changed(("provenance", "origin"), "imported")
    assert [each.path for each in check_manifest(manifest)] == [
        "benchmark.json provenance.imported_from.format",
        "benchmark.json provenance.imported_from.ref",
    ]
    manifest["provenance"]["imported_from"] = {"format": "harbor", "ref": "x"}
    assert check_manifest(manifest) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("tasks", 0, "gold"), None),
        (("tasks", 0, "split"), "heldout"),
        (("tasks", 0, "split"), None),
        (("tasks", 0, "genesis"), None),
        (("taxonomy",), []),
        (("environment", "format"), "verifiers.v0"),
    ],
)
def test_what_older_writers_left_out_or_spelled_otherwise_is_no_complaint(path, value):
    assert check_manifest(changed(path, value)) == []


@pytest.mark.parametrize("written", ["", "\n \n"])
def test_an_empty_file_of_tasks_beside_listed_ones_is_named(directory, written):
    put(directory, benchmark=PROMOTED, promotion=RECORD)
    (directory.path / "tasks.jsonl").write_text(written, encoding="utf-8")
    found = stage(directory)
    assert (found.stage, found.has_lost_tasks) == ("promoted", True)
    assert found.errors == [
        "tasks.jsonl: it is empty, and benchmark.json lists 1 task: put back a copy of it, "
        "or build again from the captures"
    ]


def test_a_file_of_tasks_that_is_missing_or_filled_is_no_complaint(directory):
    put(directory, benchmark=PROMOTED, promotion=RECORD)
    assert not stage(directory).has_lost_tasks
    (directory.path / "tasks.jsonl").write_text('{"task_id": "t1"}\n', encoding="utf-8")
    assert not stage(directory).has_lost_tasks
