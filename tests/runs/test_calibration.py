from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.records.blocks import Hashes
from benchmarks.records.calibration import Calibration, CalibrationEntry
from benchmarks.records.manifest import ManifestTask
from benchmarks.records.request import RunRequest
from benchmarks.records.row import Row
from benchmarks.records.version import VersionLine
from benchmarks.versioning.staleness import breaking_lines
from reviews.rigor.evidence import Placed, evidence
from runs.calibration import Scope, calibrate, is_calibrating

HASHES = {"env_sha256": "e", "verifier_sha256": "v", "meta_sha256": "m"}


def scope(*task_ids: str, versions: Iterable[VersionLine] = (), **edited: str) -> Scope:
    """A benchmark of these tasks; `edited` gives a task another verifier digest."""
    tasks = {
        task_id: ManifestTask(
            task_id=task_id,
            version="1.0.0",
            content_hashes=Hashes.read({
                **HASHES,
                "verifier_sha256": edited.get(task_id, "v"),
            }),
        )
        for task_id in task_ids
    }
    return Scope("demo", tasks, list(tasks), breaking_lines(versions))


def request(run_id: str, **fields: Any) -> RunRequest:
    number = int(run_id[1:])
    return RunRequest.read({
        "run_id": run_id,
        "benchmark_id": "demo",
        "models": ["m"],
        "split": "all",
        "tasks": "all",
        "rollouts_per_task": 1,
        "created_at": f"2026-11-02T0{number}:00:00.000Z",
        "started_at": f"2026-11-02T0{number}:10:00.000Z",
        "finished_at": f"2026-11-02T0{number}:50:00.000Z",
        "status": "done",
        "incumbent_models": ["m"],
        **fields,
    })


def row(run_id: str, task_id: str, score: float | None, **fields: Any) -> Row:
    line: dict[str, Any] = {
        "run_id": run_id,
        "benchmark_id": "demo",
        "task_id": task_id,
        "model": "m",
        "arm_kind": "incumbent",
        "status": "ok" if score is not None else "error",
        "score": score,
        "created_at": f"2026-11-02T0{run_id[1:]}:30:00.000Z",
        "provenance": {"task_version": "1.0.0", "task_content_hashes": HASHES},
        **fields,
    }
    return Row.read(line)


def null(run_id: str, task_id: str, score: float) -> Row:
    return row(run_id, task_id, score, model="null_agent", arm_kind="null_agent")


def placed(rows: Sequence[Row], known: Scope) -> tuple[Placed, ...]:
    found = evidence(rows, manifest=None, tasks=known.tasks, versions=(), flags=(), decisions={})
    return found.placed


def after(
    previous: Calibration | None, asked: RunRequest, rows: Sequence[Row], known: Scope
) -> Calibration:
    return calibrate(previous, asked, placed(rows, known), known)


def entry(calibration: Calibration, task_id: str) -> CalibrationEntry:
    return next(found for found in calibration.tasks if found.task_id == task_id)


THREE = scope("t1", "t2", "t3")


def first() -> Calibration:
    return after(None, request("r1"), [row("r1", "t1", 1), row("r1", "t2", 0)], THREE)


def f28() -> Calibration:
    return after(first(), request("r2"), [row("r2", "t3", 0.5)], THREE)


def f29() -> Calibration:
    asked = request("r3", calibration_threshold=0.6, rollouts_per_task=3)
    rows = [row("r3", "t2", score, rollout=k) for k, score in enumerate((1, 0, 1))]
    return after(f28(), asked, rows, THREE)


def test_f28_a_run_on_one_task_keeps_the_others() -> None:
    found = f28()
    assert [(e.task_id, e.score, e.passed) for e in found.tasks] == [
        ("t1", 1.0, True),
        ("t2", 0.0, False),
        ("t3", 0.5, False),
    ]
    assert (found.passed_count, found.failed_count) == (1, 2)
    assert found.failed_task_ids == ["t2", "t3"]
    assert found.unmeasured_task_ids == []
    assert found.threshold == 1


def test_f29_a_new_threshold_judges_every_task_anew() -> None:
    found = f29()
    assert {e.task_id: (e.score, e.passed) for e in found.tasks} == {
        "t1": (1.0, True),
        "t2": (0.666667, True),
        "t3": (0.5, False),
    }
    assert found.threshold == 0.6
    assert found.failed_task_ids == ["t3"]
    assert [(run["run_id"], run["threshold"]) for run in found.runs] == [
        ("r1", 1),
        ("r2", 1),
        ("r3", 0.6),
    ]


def test_f30_provider_errors_leave_the_older_verdict() -> None:
    errors = [row("r4", "t1", None, rollout=k, error="HTTP 503") for k in range(3)]
    found = after(f29(), request("r4", rollouts_per_task=3), errors, THREE)
    assert entry(found, "t1") == entry(f29(), "t1")
    assert found.passed_count == 2
    assert found.run_id == "r4"


def test_f31_the_null_floor_is_over_all_tasks_it_was_ever_measured_on() -> None:
    eleven = scope(*(f"t{i}" for i in range(1, 12)))
    asked = {"incumbent_models": None, "trivial_arms": ["null_agent"]}
    ten = after(
        None, request("r1", **asked), [null("r1", f"t{i}", 0) for i in range(1, 11)], eleven
    )
    assert ten.null_floor is not None
    assert (ten.null_floor.floor, ten.null_floor.measured) == (0.0, 10)
    found = after(ten, request("r2", **asked), [null("r2", "t11", 1)], eleven).null_floor
    assert found is not None
    assert (found.floor, found.measured, found.coverage) == (0.090909, 11, 1.0)
    assert found.floor_exceeded
    assert found.passed_task_ids == ["t11"]


def test_the_mean_of_one_nought_one_is_flaky_and_failed_at_one() -> None:
    rows = [row("r1", "t1", score, rollout=k) for k, score in enumerate((1, 0, 1))]
    found = after(None, request("r1", rollouts_per_task=3), rows, scope("t1"))
    first_entry = entry(found, "t1")
    assert (first_entry.score, first_entry.passed) == (0.666667, False)
    assert (first_entry.flaky, first_entry.pass_rate) == (True, 0.666667)
    assert found.flaky_task_ids == ["t1"]
    assert found.failed_task_ids == ["t1"]


def test_the_same_task_passes_at_a_threshold_of_two_thirds() -> None:
    rows = [row("r1", "t1", score, rollout=k) for k, score in enumerate((1, 0, 1))]
    asked = request("r1", rollouts_per_task=3, calibration_threshold=2 / 3)
    assert entry(after(None, asked, rows, scope("t1")), "t1").passed is True


def test_a_task_that_never_passed_is_failed_and_not_flaky() -> None:
    found = f28()
    assert entry(found, "t2").flaky is None
    assert found.flaky_task_ids == []


def test_the_best_incumbents_mean_counts_and_not_its_best_rollout() -> None:
    rows = [
        *(row("r1", "t1", score, rollout=k, model="a") for k, score in enumerate((1, 0, 0))),
        *(row("r1", "t1", score, rollout=k, model="b") for k, score in enumerate((1, 1, 0))),
    ]
    asked = request("r1", models=["a", "b"], incumbent_models=["b", "a"], rollouts_per_task=3)
    found = after(None, asked, rows, scope("t1"))
    assert found.incumbent_models == ["a", "b"]
    assert entry(found, "t1").score == 0.666667
    assert entry(found, "t1").rollouts == 6
    assert (entry(found, "t1").by_model or {})["a"]["score"] == 0.333333


def test_what_errored_is_unmeasured_with_its_blame_and_not_failed() -> None:
    error = row(
        "r1",
        "t1",
        None,
        missing_reason={"code": "provider_error", "blame": "provider", "detail": ""},
    )
    found = after(None, request("r1"), [error], scope("t1"))
    assert (entry(found, "t1").score, entry(found, "t1").passed) == (None, None)
    assert entry(found, "t1").missing == {"provider": 1}
    assert (found.passed_count, found.failed_count) == (0, 0)
    assert found.unmeasured_task_ids == ["t1"]


def test_anomalous_rollouts_are_counted_and_never_scored() -> None:
    rows = [
        row("r1", "t1", 0, rollout=0, anomaly={"kind": "no_tool_calls", "detail": ""}),
        row("r1", "t1", 1, rollout=1),
    ]
    found = entry(after(None, request("r1", rollouts_per_task=2), rows, scope("t1")), "t1")
    assert (found.score, found.rollouts, found.anomalous_rollouts) == (1.0, 1, 1)


def test_overrides_candidates_apps_and_fallbacks_never_enter() -> None:
    rows = [
        row("r1", "t1", 1, prompt_override={"arm_label": "m", "base_model": "m"}),
        row("r1", "t2", 1, arm_kind="candidate"),
        row("r1", "t3", 1, arm_kind="app_replay"),
        row("r1", "t4", 1, fallback_reason="no memory"),
    ]
    found = after(None, request("r1"), rows, scope("t1", "t2", "t3", "t4"))
    assert found.tasks == []
    assert found.unmeasured_task_ids == ["t1", "t2", "t3", "t4"]


def test_f25_an_oracle_row_written_as_incumbent_is_a_ceiling() -> None:
    marked = row("r1", "t1", 1, subscores={"runner_oracle": 1})
    found = after(None, request("r1"), [marked], scope("t1"))
    assert found.tasks == []
    assert found.oracle_ceiling is not None
    assert (found.oracle_ceiling.floor, found.oracle_ceiling.floor_exceeded) == (1.0, False)


def test_rows_of_another_run_never_enter() -> None:
    found = after(None, request("r1"), [row("r2", "t1", 1)], scope("t1"))
    assert found.tasks == []


def test_a_contract_edit_unmeasures_its_task_and_no_other() -> None:
    edited = scope("t1", "t2", "t3", t3="v2")
    found = after(f28(), request("r5"), [], edited)
    assert found.unmeasured_task_ids == ["t3"]
    assert entry(found, "t3") == entry(f28(), "t3")
    assert (found.passed_count, found.failed_task_ids) == (1, ["t2"])


def test_entries_and_floor_scores_of_tasks_that_are_gone_stay_and_count_nowhere() -> None:
    known = after(first(), request("r2", trivial_arms=["null_agent"]), [null("r2", "t2", 1)], THREE)
    found = after(known, request("r3"), [row("r3", "t1", 1)], scope("t1", "t3"))
    assert [e.task_id for e in found.tasks] == ["t1", "t2"]
    assert (found.passed_count, found.failed_count) == (1, 0)
    assert found.null_floor is not None
    assert set(found.null_floor.scores or {}) == {"t2"}
    assert (found.null_floor.floor, found.null_floor.measured) == (None, 0)


def test_a_spam_task_counts_when_either_pass_does() -> None:
    spam = row(
        "r1",
        "t1",
        0,
        model="spam_agent",
        arm_kind="spam_agent",
        subscores={"spam_skip_forbidden": 1},
    )
    found = after(None, request("r1", trivial_arms=["spam_agent"]), [spam], scope("t1"))
    assert found.spam_floor is not None
    assert found.spam_skip_floor is not None
    assert (found.spam_floor.floor, found.spam_skip_floor.floor) == (1.0, 1.0)


def test_after_a_stop_only_tasks_with_all_their_cells_are_taken() -> None:
    asked = request("r1", status="stopped", rollouts_per_task=2)
    rows = [row("r1", "t1", 1, rollout=0), row("r1", "t1", 1, rollout=1), row("r1", "t2", 1)]
    found = after(None, asked, rows, scope("t1", "t2"))
    assert [e.task_id for e in found.tasks] == ["t1"]


def test_the_same_run_twice_is_the_same_document() -> None:
    rows = [row("r2", "t3", 0.5), null("r2", "t3", 0)]
    asked = request("r2", trivial_arms=["null_agent"])
    once = after(first(), asked, rows, THREE)
    assert after(once, asked, rows, THREE).dump() == once.dump()


def test_keys_of_another_writer_are_kept() -> None:
    known = Calibration.read({**first().dump(), "x_team": "blue"})
    assert after(known, request("r2"), [], THREE).dump()["x_team"] == "blue"


def test_tasks_of_untested_verifiers_are_named_apart() -> None:
    assert f28().untested_task_ids == []
    named = replace(THREE, untested=["t2", "t3"])
    assert after(f28(), request("r3"), [], named).untested_task_ids == ["t2", "t3"]


def test_an_older_entry_without_digests_is_unmeasured_after_a_breaking_bump() -> None:
    bare = entry(first(), "t1").with_(content_hashes=None, task_version=None)
    known = first().with_(tasks=[bare])
    line = VersionLine.read({
        "created_at": "2026-11-03T00:00:00.000Z",
        "task_bumps": [{"task_id": "t1", "bump": "minor", "from": "1.0.0", "to": "1.1.0"}],
    })
    found = after(known, request("r2"), [], scope("t1", versions=[line]))
    assert found.unmeasured_task_ids == ["t1"]
    assert after(known, request("r2"), [], scope("t1")).unmeasured_task_ids == []


def test_a_run_of_candidates_alone_calibrates_nothing() -> None:
    assert not is_calibrating(request("r1", incumbent_models=None))
    assert is_calibrating(request("r1", incumbent_models=None, reference_arms=["oracle"]))
