"""What the reference and older versions wrote opens here (spec/files.md 13.2)."""

import pytest
from pydantic import ValidationError

from benchmarks.records.calibration import Calibration
from benchmarks.records.environment import OfflineValidation
from benchmarks.records.event import RunEvent
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.note import Feedback, Flag
from benchmarks.records.request import RunRequest
from benchmarks.records.review import Review, ReviewPolicy
from benchmarks.records.row import Row
from benchmarks.records.task import Task
from benchmarks.records.times import read_time, stamp
from benchmarks.records.tool_policy import ToolPolicy
from benchmarks.records.trajectory import JournalLine
from benchmarks.records.version import VersionLine
from benchmarks.records.vocabulary import ArmKind, Route, RowStatus, Split, read_split

ROW = {"run_id": "r", "task_id": "t", "model": "m", "status": "ok", "score": 1}


@pytest.mark.parametrize(
    ("word", "split"),
    [
        ("construction", Split.TRAIN),
        ("fit", Split.DEV),
        ("heldout", Split.HOLDOUT),
        ("none", Split.NONE),
        (None, Split.NONE),
        ("test", Split.NONE),
        ("train", Split.TRAIN),
        (7, Split.NONE),
    ],
)
def test_f11_splits_of_any_writer_are_read(word, split):
    assert read_split(word) is split
    assert Row.read({**ROW, "split": word}).split is split


def test_an_old_proposal_with_next_to_nothing_opens():
    found = BenchmarkManifest.read({
        "schema_version": "understudy.benchmark.v1",
        "status": "machine_compiled_review_pending",
        "executable": False,
        "promotion_blockers": ["human_final_judgment"],
        "tasks": [{"task_id": "t1", "split": "construction", "status": "machine_proposed"}],
    })
    assert (found.tasks[0].split, found.tasks[0].genesis) == (Split.TRAIN, None)


def test_an_old_task_opens_and_says_nothing_it_does_not_know():
    found = Task.read({
        "task_id": "t1",
        "outcome_contract": {"status": "machine_proposed", "required": []},
        "sentinels": [],
    })
    assert found.version is None
    assert found.content_hashes is None
    assert found.self_check is None
    assert found.boundary_rule is None
    assert found.outcome_contract.writes is None


def test_f25_the_runners_marker_beats_the_arm_kind():
    row = Row.read({**ROW, "arm_kind": "incumbent", "subscores": {"runner_oracle": 1}})
    assert row.arm_kind == ArmKind.ORACLE


def test_f26_a_cost_block_is_read_as_dollars_and_its_basis_kept():
    row = Row.read({**ROW, "cost": {"usd": 0.02, "basis": "estimate"}})
    assert row.cost == 0.02
    assert row.pricing.basis == "estimate"


def test_a_row_without_the_newer_keys_opens():
    row = Row.read({**ROW, "subscores": None, "route": "understudy-gateway"})
    assert (row.route, row.rollout, row.created_at, row.writes) == (Route.GATEWAY, None, None, [])
    assert row.arm_kind == ArmKind.CANDIDATE
    assert Row.read({**ROW, "route": "offline"}).route is Route.OFFLINE
    assert Row.read({**ROW, "arm_kind": "reward_hack"}).arm_kind == "reward_hack"


def test_a_score_outside_the_unit_interval_is_clamped_and_kept_raw():
    row = Row.read({**ROW, "score": 3})
    assert (row.score, row.subscores) == (1, {"raw_reward": 3})
    assert Row.read({**ROW, "score": -2}).score == 0


@pytest.mark.parametrize(
    ("line", "status", "code", "blame"),
    [
        ({"score": None}, RowStatus.UNSCORED, "non_finite_score", "verifier"),
        ({"score": "1"}, RowStatus.UNSCORED, "non_finite_score", "verifier"),
        ({"score": True}, RowStatus.UNSCORED, "non_finite_score", "verifier"),
        ({"status": "error", "score": 0}, RowStatus.ERROR, "unknown", "infra"),
        (
            {"status": "error", "error": "rollout_timeout: 600 s"},
            RowStatus.ERROR,
            "rollout_timeout",
            "agent",
        ),
        ({"status": "unscored"}, RowStatus.UNSCORED, "not_judgeable", "verifier"),
        ({"status": "weird"}, RowStatus.ERROR, "unknown", "infra"),
    ],
)
def test_a_row_has_a_score_exactly_when_it_is_ok(line, status, code, blame):
    row = Row.read({**ROW, **line})
    assert (row.status, row.score) == (status, None)
    assert (row.missing_reason.code, row.missing_reason.blame) == (code, blame)


def test_an_old_calibration_opens_with_its_list_of_floors():
    found = Calibration.read({
        "benchmark_id": "b",
        "run_id": "r",
        "incumbent_models": ["m"],
        "threshold": 1,
        "tasks": [{"task_id": "t", "score": 1, "passed": True}],
        "passed_count": 1,
        "failed_count": 0,
        "failed_task_ids": [],
        "trivial_floors": [{"arm_kind": "null_agent", "floor": 0}],
    })
    assert found.tasks[0].reducer is None
    assert found.dump()["trivial_floors"] == [{"arm_kind": "null_agent", "floor": 0}]


def test_an_old_offline_validation_with_scores_only_opens():
    found = OfflineValidation.read({
        "tasks": [
            {"task_id": "t1", "oracle": {"score": 1}, "sentinels": {"mine": {"score": 0}}},
            {"task_id": "t2", "oracle": {"score": None}},
        ]
    })
    first, second = found.tasks
    assert (first.oracle.judgeable, first.oracle.score, first.oracle.strict) == (True, 1, None)
    assert first.sentinels["mine"].score == 0
    assert (second.oracle.judgeable, second.oracle.score) == (False, None)


def test_entries_met_by_position_are_read_as_text():
    [task] = OfflineValidation.read({
        "tasks": [{"task_id": "t", "oracle": {"score": 1, "met": [0, 2], "unmet": ["o2"]}}]
    }).tasks
    assert (task.oracle.met, task.oracle.unmet, task.oracle.violated) == (["0", "2"], ["o2"], [])


def test_a_version_line_needs_its_time_only():
    found = VersionLine.read({"created_at": "x", "splits_sha256": "f9", "contamination": "clean"})
    assert (found.version, found.task_bumps, found.tasks) == (None, [], None)


def test_requests_reviews_notes_events_and_journals_without_newer_keys_open():
    request = RunRequest.read({
        "run_id": "r",
        "benchmark_id": "b",
        "models": ["m"],
        "split": "all",
        "tasks": "all",
        "rollouts_per_task": 1,
        "created_at": "x",
        "status": "running",
        "claimed_by": {"pid": 1, "host": "elsewhere"},
    })
    assert (request.seed, request.requires, request.actor) == (None, None, None)
    review = Review.read({
        "benchmark_id": "b",
        "task_id": "t",
        "decision": "accept",
        "created_at": "x",
    })
    assert (review.source, review.actor, review.note) == (None, None, "")
    event = RunEvent.read({"ts": "x", "run_id": "r", "type": "cap_warning", "cap": 3})
    assert event.dump()["cap"] == 3
    assert JournalLine.read({"at": 1, "seq": 1, "kind": "call"}).task_id is None


def test_notes_without_ids_have_derived_ones():
    note = {"benchmark_id": "b", "task_id": "t1", "created_at": "2026-11-02T11:05:00.000Z"}
    flag = Flag.read({**note, "reason": "bad-gold"})
    feedback = Feedback.read({**note, "feedback": "Refund only the item, not the shipping."})
    assert flag.ref == Flag.read({**note, "reason": "bad-gold", "status": "resolved"}).ref
    assert flag.ref != Flag.read({**note, "reason": "other"}).ref
    assert feedback.ref.startswith("fb-")
    assert len(flag.ref) == len("flag-") + 12
    assert Flag.read({**note, "reason": "x", "flag_id": "flag-mine"}).ref == "flag-mine"


def test_the_printed_ids_of_notes_are_derived():
    task_id = "task-ecd3aab93469f815"
    flag = Flag(
        benchmark_id="b", task_id=task_id, reason="bad-gold", created_at="2026-11-02T11:05:00.000Z"
    )
    feedback = Feedback(
        benchmark_id="refund-desk",
        task_id=task_id,
        feedback="Refund only the item, not the shipping.",
        created_at="2026-11-02T11:06:00.000Z",
    )
    assert flag.ref == "flag-b819978066e9"
    assert feedback.ref == "fb-28e269f6fdc3"


def test_bad_values_of_a_policy_never_loosen_the_bar():
    found = ReviewPolicy.read({
        "min_confidence": "hihg",
        "require_incumbent_pass": "no",
        "default_decision": "pendin",
        "min_fidelity": "0.1",
        "min_mutation_score": 1.5,
    })
    assert found == ReviewPolicy()


def test_an_invalid_effect_is_unknown():
    found = ToolPolicy.read({"tools": {"x": {"effect": "maybe"}}})
    assert found.tools["x"].effect.value == "unknown"


def test_a_record_of_another_schema_is_refused():
    with pytest.raises(ValidationError):
        Review.read({
            "schema_version": "understudy.benchmark_review.v2",
            "benchmark_id": "b",
            "task_id": "t",
            "decision": "accept",
            "created_at": "x",
        })


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2026-11-02T09:14:03Z", "2026-11-02T09:14:03.000Z"),
        ("2026-11-02T09:14:03.1204+02:00", "2026-11-02T07:14:03.120Z"),
        ("2026-11-02 09:14:03", "2026-11-02T09:14:03.000Z"),
        (" 2026-11-02T09:14:03Z ", "2026-11-02T09:14:03.000Z"),
    ],
)
def test_times_are_read_as_instants_and_written_in_one_form(text, written):
    assert stamp(read_time(text)) == written


@pytest.mark.parametrize("value", ["", "yesterday", None, 1793620802.12])
def test_what_is_no_time_is_none(value):
    assert read_time(value) is None
