"""Files to records: what is foreign, late, doubled, invalid or newer is named."""

import json

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.documents import newer_than
from benchmarks.artifacts.layout import LedgerFile
from benchmarks.artifacts.reading import required_keys, schema_id
from benchmarks.errors import InvalidBenchmark, NewerSchema, Unreadable
from benchmarks.records.calibration import Calibration
from benchmarks.records.review import ReviewPolicy
from benchmarks.records.row import Row
from benchmarks.records.version import VersionLine
from benchmarks.records.vocabulary import RowStatus

REVIEW = {
    "schema_version": "understudy.benchmark_review.v1",
    "benchmark_id": "refund-desk",
    "task_id": "t1",
    "decision": "accept",
    "note": "",
    "created_at": "2026-11-02T11:00:00.000Z",
}
CALIBRATION = {
    "schema_version": "understudy.calibration.v1",
    "benchmark_id": "b",
    "run_id": "r",
    "incumbent_models": ["m"],
    "threshold": 1,
    "started_at": None,
    "finished_at": None,
    "tasks": [],
    "passed_count": 0,
    "failed_count": 0,
    "failed_task_ids": [],
}


def put(directory, name, *lines, end="\n"):
    path = directory.path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + end, encoding="utf-8")
    return path


def row(score=1.0, **changes):
    return {
        "schema_version": "understudy.eval_result.v1",
        "run_id": "run-1",
        "task_id": "t1",
        "model": "m",
        "status": "ok",
        "score": score,
    } | changes


def test_f21_a_broken_review_line_costs_itself(directory):
    put(
        directory,
        "reviews.jsonl",
        REVIEW,
        REVIEW | {"decision": "reject"},
        '{"schema_version": "understudy',
        REVIEW | {"task_id": "t2"},
    )
    read = directory.read(layout.REVIEWS)
    assert [(review.task_id, review.decision.value) for review in read.records] == [
        ("t1", "accept"),
        ("t1", "reject"),
        ("t2", "accept"),
    ]
    assert read.counts.malformed == 1
    assert read.counts.reasons == {"bad_json": 1}
    assert [(problem.file, problem.line) for problem in read.problems] == [("reviews.jsonl", 3)]


def test_f05_a_row_with_a_score_that_is_no_number_is_kept_unscored(directory):
    put(directory, "rows-run-1-m.jsonl", json.dumps(row()).replace("1.0", "NaN"))
    read = directory.rows()
    [kept] = read.records
    assert kept.status is RowStatus.UNSCORED
    assert kept.score is None
    assert kept.missing_reason.code == "non_finite_score"
    assert kept.missing_reason.blame.value == "verifier"
    assert read.counts.non_finite == 1


def test_a_line_of_another_schema_is_counted_and_left_out(directory):
    put(
        directory,
        "reviews.jsonl",
        REVIEW | {"schema_version": "understudy.benchmark_flag.v1"},
        REVIEW | {"schema_version": "understudy.benchmark_review.v2"},
        REVIEW | {"schema_version": 4},
        REVIEW,
    )
    read = directory.read(layout.REVIEWS)
    assert len(read.records) == 1
    assert read.counts.foreign_schema == 3
    assert read.counts.malformed == 0


def test_a_line_without_schema_id_is_taken_when_its_required_keys_are_there(directory):
    bare = {key: value for key, value in REVIEW.items() if key != "schema_version"}
    unlike = {key: value for key, value in bare.items() if key != "decision"}
    put(directory, "reviews.jsonl", bare, unlike)
    read = directory.read(layout.REVIEWS)
    assert [review.task_id for review in read.records] == ["t1"]
    assert read.counts.foreign_schema == 1


def test_a_version_line_needs_its_time_only(directory):
    put(directory, "versions.jsonl", {"created_at": "2026-11-03T08:00:00.000Z"}, {"note": "x"})
    read = directory.read(layout.VERSIONS)
    assert [line.created_at for line in read.records] == ["2026-11-03T08:00:00.000Z"]
    assert read.counts.foreign_schema == 1


def test_a_line_of_the_right_schema_with_a_wrong_value_is_invalid_by_field(directory):
    put(directory, "reviews.jsonl", REVIEW, REVIEW | {"decision": "maybe", "note": 7})
    read = directory.read(layout.REVIEWS)
    assert len(read.records) == 1
    assert read.counts.reasons == {"invalid": 1}
    assert [(problem.line, problem.complaint.path) for problem in read.problems] == [
        (2, "decision"),
        (2, "note"),
    ]
    assert read.problems[0].placed().path == "reviews.jsonl:2 decision"
    assert read.problems[0].placed().value == "maybe"


def test_lines_with_a_lower_fence_than_an_earlier_one_are_late(directory):
    put(
        directory,
        "rows-run-1-m.jsonl",
        row(task_id="t1", fence=3),
        row(task_id="t2", fence=4),
        row(task_id="t3", fence=3),
        row(task_id="t4"),
        row(task_id="t5", fence=4),
    )
    put(directory, "rows-run-1-n.jsonl", row(task_id="t6", fence=1))
    read = directory.rows()
    assert [found.task_id for found in read.records] == ["t1", "t2", "t4", "t5", "t6"]
    assert read.counts.late == 1
    assert {name: counts.late for name, counts in read.files.items()} == {
        "rows-run-1-m.jsonl": 1,
        "rows-run-1-n.jsonl": 0,
    }


def test_a_ledger_without_fence_ignores_the_key(directory):
    put(directory, "reviews.jsonl", REVIEW | {"fence": 3}, REVIEW | {"fence": 1})
    assert len(directory.read(layout.REVIEWS).records) == 2


TASK = {
    "schema_version": "understudy.benchmark_task.v1",
    "task_id": "t1",
    "title": "a",
    "outcome_contract": {"status": "machine_proposed", "required": []},
}


def test_of_two_task_lines_with_one_id_the_first_counts_and_both_are_named(directory):
    put(directory, "tasks.jsonl", TASK, TASK | {"task_id": "t2"}, TASK | {"title": "b"})
    read = directory.read(layout.TASKS)
    assert [(task.task_id, task.title) for task in read.records] == [("t1", "a"), ("t2", "a")]
    [problem] = read.problems
    assert problem.line == 3
    assert problem.complaint.path == "task_id"
    assert problem.complaint.message == "line 1 has the same task_id; the first counts"
    assert read.counts.reasons == {"duplicate": 1}


def test_f20_a_task_without_obligations_loads(directory):
    put(directory, "tasks.jsonl", TASK, end="")
    [task] = directory.tasks().values()
    assert task.outcome_contract.required == []


def test_bad_lines_of_a_table_are_problems_and_the_others_stand(directory):
    put(
        directory,
        "tasks.jsonl",
        TASK,
        "{oops",
        {"task_id": "t3"},
        TASK | {"task_id": "t4", "title": 5},
        [TASK],
    )
    read = directory.read(layout.TASKS)
    assert [task.task_id for task in read.records] == ["t1"]
    assert [(problem.line, problem.complaint.path) for problem in read.problems] == [
        (2, ""),
        (3, "outcome_contract"),
        (4, "title"),
        (5, ""),
    ]
    assert read.problems[1].complaint.value == "(absent)"
    assert read.counts.reasons == {"bad_json": 1, "invalid": 2, "not_object": 1}


def test_f07_a_bad_bar_stays_the_default_and_unknown_keys_are_written_back(directory):
    policy = {
        "schema_version": "understudy.review_policy.v1",
        "min_confidence": "hihg",
        "x_team": "blue",
    }
    put(directory, "review-policy.json", policy)
    assert directory.load(layout.REVIEW_POLICY).min_confidence == "high"
    directory.edit(layout.REVIEW_POLICY, lambda found: found.with_(default_decision="pending"))
    written = json.loads((directory.path / "review-policy.json").read_text(encoding="utf-8"))
    assert written == {
        "schema_version": "understudy.review_policy.v1",
        "min_confidence": "high",
        "require_incumbent_pass": True,
        "default_decision": "pending",
        "min_fidelity": 0.8,
        "min_mutation_score": 0.8,
        "x_team": "blue",
    }


def test_a_policy_of_another_schema_is_no_policy(directory):
    put(directory, "review-policy.json", {"schema_version": "other.v1", "min_confidence": "low"})
    assert directory.load(layout.REVIEW_POLICY) is None


def test_f08_a_newer_document_is_shown_as_far_as_known_and_never_overwritten(directory):
    newer = CALIBRATION | {"schema_version": "understudy.calibration.v2", "x_new": [1]}
    path = put(directory, "calibration.json", newer)
    before = path.read_bytes()
    found = directory.load(layout.CALIBRATION)
    assert found.schema_version == "understudy.calibration.v2"
    assert (found.threshold, found.x_new) == (1, [1])

    message = r"calibration\.json is understudy\.calibration\.v2: a newer understudy wrote it"
    ours = Calibration.read(CALIBRATION)
    with pytest.raises(NewerSchema, match=message):
        directory.replace(layout.CALIBRATION, ours)
    with pytest.raises(NewerSchema, match=message):
        directory.edit(layout.CALIBRATION, lambda _: ours)
    assert path.read_bytes() == before


def test_a_newer_document_that_cannot_be_read_as_ours_is_newer_not_invalid(directory):
    put(directory, "calibration.json", {"schema_version": "understudy.calibration.v9"})
    with pytest.raises(NewerSchema):
        directory.load(layout.CALIBRATION)


def test_an_invalid_document_lists_every_field(directory):
    put(directory, "calibration.json", CALIBRATION | {"threshold": "x", "tasks": [{}]})
    with pytest.raises(InvalidBenchmark) as refused:
        directory.load(layout.CALIBRATION)
    assert [complaint.path for complaint in refused.value.errors] == [
        "calibration.json threshold",
        "calibration.json tasks.0.task_id",
    ]
    assert refused.value.message == "calibration.json is not valid: threshold, tasks.0.task_id"


def test_a_document_of_another_family_is_invalid(directory):
    put(directory, "calibration.json", CALIBRATION | {"schema_version": "understudy.flag.v3"})
    with pytest.raises(InvalidBenchmark, match="schema_version"):
        directory.load(layout.CALIBRATION)


def test_documents_whose_schema_id_may_be_missing_are_read_without_it(directory):
    bare = {key: value for key, value in CALIBRATION.items() if key != "schema_version"}
    put(directory, "calibration.json", bare)
    put(directory, "manifest.json", {"leakage_audit": {"status": "clean"}})
    put(directory, "environment/offline-validation.json", {"tasks": []})
    assert directory.load(layout.CALIBRATION).threshold == 1
    assert directory.load(layout.MANIFEST).leakage_audit == {"status": "clean"}
    assert directory.load(layout.VALIDATION).tasks == []


def test_a_damaged_document_is_unreadable(directory):
    put(directory, "calibration.json", "{")
    with pytest.raises(Unreadable, match=r"calibration\.json is not JSON"):
        directory.load(layout.CALIBRATION)


def test_old_reviews_come_first_with_the_time_they_were_made(directory):
    put(
        directory,
        "review-decisions.jsonl",
        {"task_id": "t1", "decision": "reject", "reviewed_at": "2026-10-01T00:00:00Z"},
        {"task_id": "t2", "decision": "perhaps", "reviewed_at": "2026-10-01T00:00:00Z"},
    )
    put(directory, "reviews.jsonl", REVIEW)
    read = directory.reviews()
    assert [(found.decision.value, found.created_at) for found in read.records] == [
        ("reject", "2026-10-01T00:00:00Z"),
        ("accept", "2026-11-02T11:00:00.000Z"),
    ]
    assert read.counts.reasons == {"invalid": 1}
    assert read.problems[0].file == "review-decisions.jsonl"


@pytest.mark.parametrize(
    ("accepts", "found", "newer"),
    [
        (("understudy.x.v1",), "understudy.x.v2", True),
        (("understudy.x.v1",), "understudy.x.v10", True),
        (("understudy.x.v1", "understudy.x.v3"), "understudy.x.v2", False),
        (("understudy.x.v1",), "understudy.x.v1", False),
        (("understudy.x.v1",), "understudy.y.v2", False),
        (("understudy.x.v1",), "understudy.x", False),
        (("understudy.x.v1",), None, False),
        (("understudy.x.v1",), 7, False),
        ((), "understudy.x.v2", False),
    ],
)
def test_newer_is_a_higher_number_of_the_same_family(accepts, found, newer):
    assert newer_than(accepts, found) is newer


def test_the_schema_id_and_the_required_keys_are_those_of_the_record():
    assert schema_id(ReviewPolicy) == "understudy.review_policy.v1"
    assert required_keys(Row) == ("run_id", "task_id", "model", "status")
    assert required_keys(VersionLine) == ("created_at",)


def test_a_ledger_of_another_name_reads_as_its_record(directory):
    put(directory, "rows/old.jsonl", row())
    assert [found.task_id for found in directory.rows().records] == ["t1"]
    assert len(directory.read(LedgerFile("rows/old.jsonl", Row)).records) == 1
