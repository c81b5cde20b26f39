"""Queueing through the service: what is checked, what is written, what is answered."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.jsonl import append
from benchmarks.artifacts.presence import Presence
from benchmarks.errors import (
    EnvironmentLegacy,
    EnvironmentMissing,
    EnvironmentNotReady,
    IdempotencyConflict,
    InvalidArguments,
    InvalidBenchmark,
    PostureTooLow,
    ReviewRequired,
    TaskEdited,
    TaskNotAccepted,
    UnknownExperiment,
    WrongStage,
)
from benchmarks.records.base import JsonObject
from benchmarks.records.build import DATASET_FOUNDRY, BuildManifest
from benchmarks.records.caller import Caller
from benchmarks.records.review import Review, ReviewPolicy
from benchmarks.records.vocabulary import Split
from runs.services.queueing import queue_run
from tests.executing import execute
from tests.factories import (
    AT,
    BENCHMARK_ID,
    NOW,
    SHELL,
    Desk,
    make_desk,
    make_home,
    make_items,
    queue,
)
from tests.stub_model import Behaviour, StubModel

TASK = "task-0000000000000001"


@pytest.fixture
def sandbox(tmp_path: Path) -> Home:
    return make_home(tmp_path / "sandbox")


@pytest.fixture
def bounded(tmp_path: Path) -> Home:
    return make_home(tmp_path / "bounded", level="bounded_experiments")


def ask(desk: Desk, home: Home, caller: Caller = SHELL, **body: Any) -> JsonObject:
    options = {name: body.pop(name) for name in ("dry_run", "confirm") if name in body}
    return queue_run(located=desk.located, home=home, body=body, caller=caller, now=NOW, **options)


def queued(desk: Desk) -> list[str]:
    return sorted(path.name for path in (desk.path / "runs/queue").glob("*"))


def review(desk: Desk, decision: str, task_id: str = TASK, source: str = "human") -> None:
    line = Review(
        benchmark_id=desk.directory.name,
        task_id=task_id,
        decision=decision,  # type: ignore[arg-type]
        created_at=AT,
        source=source,
    )
    desk.directory.append(layout.REVIEWS, line)


def test_a_request_is_written_with_all_that_an_executor_needs(
    tmp_path: Path, sandbox: Home
) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    answer = ask(desk, sandbox, models=["openai/gpt-4o"], tasks=[TASK])
    request = desk.request(answer["run_id"])
    assert answer["run"] == request.dump()
    assert request.status == "queued"
    assert request.benchmark_id == BENCHMARK_ID
    assert (request.actor, request.door) == ("os:mira", "shell")
    assert request.created_at == "2026-11-02T12:00:00.000Z"
    assert request.arm_names == {"openai/gpt-4o": "openai_gpt-4o"}
    assert request.requires == ["native_world"]
    assert request.seed is not None
    assert request.progress == {"completed": 0, "total": 1}
    assert request.notices is None
    assert answer["notices"] == []
    assert answer["executor"] == {"live": False, "version": None}
    assert answer["execute_hint"] == (
        f"understudy runs execute --benchmark local--desk --run {request.run_id}"
    )
    assert answer["quote"]["owed"] == 1
    assert answer["quote"]["table_sha256"]


def test_a_watching_executor_is_told_of(tmp_path: Path, sandbox: Home) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    with Presence({"pid": 7, "host": "lab", "executor_version": "0.1.0"}) as presence:
        desk.directory.show(presence)
        answer = ask(desk, sandbox, models=["openai/gpt-4o"], tasks=[TASK])
    assert answer["executor"] == {"live": True, "version": "0.1.0", "pid": 7, "host": "lab"}
    assert answer["execute_hint"] == "executor 0.1.0 (pid 7 on lab) is here and will pick it up"


def test_case_8_a_free_shape_passes_and_a_spending_one_is_refused_below_the_posture(
    tmp_path: Path, sandbox: Home
) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    assert ask(desk, sandbox, models=["m"], tasks=[TASK])["notices"] == []
    override = {"arm_label": "kind", "model": "m", "system_prompt_suffix": "Be kind."}
    for body in (
        {"models": ["m"], "tasks": [TASK], "prompt_overrides": [override]},
        {"models": ["m"]},
        {"models": ["m"], "tasks": [TASK], "rollouts_per_task": 2},
    ):
        with pytest.raises(PostureTooLow):
            ask(desk, sandbox, **body)
    assert len(queued(desk)) == 1


def test_case_9_above_the_posture_one_notice_comes_with_the_answer(
    tmp_path: Path, bounded: Home
) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    answer = ask(desk, bounded, models=["scripted/careful"], trivial_arms=["null_agent"])
    assert list(answer)[0] == "notices"
    (notice,) = answer["notices"]
    assert notice["kind"] == "posture"
    assert notice["text"] == (
        "bounded_experiments: 1 model arm (scripted/careful) and 1 zero-cost arm (null_agent)"
        " x 3 tasks x 1 rollout = 6 rollouts; about $0.00; no cap; stop: runs cancel;"
        " lower: trust set local_sandbox"
    )
    assert desk.request(answer["run_id"]).notices == [notice]


def test_confirm_lets_one_call_through_and_is_recorded(tmp_path: Path, sandbox: Home) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    answer = ask(desk, sandbox, models=["scripted/careful"], confirm=True)
    request = desk.request(answer["run_id"])
    assert request.confirmed is True
    assert len(answer["notices"]) == 1
    free = ask(desk, sandbox, reference_arms=["oracle"], confirm=True)
    assert desk.request(free["run_id"]).confirmed is None


def test_a_dry_run_writes_nothing_and_is_never_guarded(tmp_path: Path, sandbox: Home) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    answer = ask(desk, sandbox, models=["gpt-4o"], rollouts_per_task=2, dry_run=True)
    assert answer["dry_run"] is True
    assert list(answer)[:2] == ["notices", "dry_run"]
    assert not {"run_id"} & {*answer, *answer["run"]}
    assert answer["run"]["written"] is False
    assert answer["quote"]["owed"] == 6
    assert answer["quote"]["tokens_from"] == "constant"
    assert answer["quote"]["cost_usd"] == pytest.approx(6 * (8000 * 2.5 + 2000 * 10) / 1e6)
    assert not (desk.path / "runs/queue").exists()


def test_case_7_the_same_key_writes_once_and_other_arguments_conflict(
    tmp_path: Path, bounded: Home
) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    keyed = Caller("os:mira", "shell", "sop-1")
    first = ask(desk, bounded, keyed, models=["m"])
    second = ask(desk, bounded, keyed, models=["m"])
    assert (first["replayed"], second["replayed"]) == (False, True)
    assert second["run"] == first["run"]
    assert len(queued(desk)) == 1
    with pytest.raises(IdempotencyConflict):
        ask(desk, bounded, keyed, models=["m"], rollouts_per_task=2)


def test_case_6_one_error_names_everything_and_nothing_is_written(
    tmp_path: Path, bounded: Home
) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    with pytest.raises(InvalidArguments) as caught:
        ask(
            desk, bounded, models=["m", "m"], rollouts_per_task=0, tasks=["nope"],
            calibration_threshold=1.5,
        )  # fmt: skip
    assert len(caught.value.errors) == 4
    assert not (desk.path / "runs/queue").exists()


def test_overrides_are_written_whole_beside_the_request(tmp_path: Path, bounded: Home) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    text = "Always confirm the amount before refunding."
    override = {"arm_label": "confirm", "model": "m", "system_prompt_suffix": text}
    answer = ask(desk, bounded, models=["m"], prompt_overrides=[override])
    kept = desk.directory.load(layout.overrides(answer["run_id"]))
    assert kept is not None
    assert kept.overrides == [
        {
            **override,
            "system_prompt_suffix_sha256": (
                "b49539e7ffb6df2fbb9f1f73c5e0ed5701d42973bb9ad58137e9e2c1a552ba35"
            ),
        }
    ]


def test_a_margin_is_declared_with_its_moment(tmp_path: Path, bounded: Home) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    answer = ask(desk, bounded, models=["a", "b"], margin=0.05, baseline="a")
    assert answer["run"]["margin"] == {
        "metric": "strict",
        "value": 0.05,
        "declared_at": "2026-11-02T12:00:00.000Z",
    }
    assert answer["run"]["baseline"] == "a"


def test_a_kept_row_tells_more_of_the_cost_than_a_constant(tmp_path: Path, bounded: Home) -> None:
    desk = make_desk(tmp_path / "desk", 2)
    queue(desk, models=["stub-model"])
    with StubModel() as stub:
        execute(desk, stub.url)
    quoted = ask(desk, bounded, models=["stub-model"], dry_run=True)["quote"]
    assert quoted["tokens_from"] == "kept_rows"
    assert quoted["cost_usd"] == pytest.approx(2 * 2 * 0.144)
    assert quoted["minutes"] is not None


def test_what_is_worth_knowing_and_no_refusal_is_a_warning(tmp_path: Path, bounded: Home) -> None:
    desk = make_desk(tmp_path / "desk", make_items(2, (Split.DEV, Split.HOLDOUT)))
    answer = ask(desk, bounded, models=["newcomer-1"], trivial_arms=["majority_class"])
    assert answer["warnings"] == [
        "no key for newcomer-1 here: set one where it is executed (OPENAI_API_KEY, or "
        "UNDERSTUDY_API_KEY with UNDERSTUDY_GATEWAY_URL)",
        "no price for newcomer-1: its cost will be unknown",
        "1 of 2 tasks in the holdout: the look will be recorded",
        "2 tasks: fewer than 30 give wide intervals",
        "one rollout per task: luck and skill are not told apart",
        "executors of version 0.1.0 lack majority_class: they will leave it",
    ]


def test_a_retry_asks_for_what_the_run_lost(tmp_path: Path, bounded: Home) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    queue(desk, models=["stub-model"])
    with StubModel(Behaviour(status=418, failing=2)) as stub:
        execute(desk, stub.url, widths=(1,))
    answer = ask(desk, bounded, retry_of="run-1")
    assert answer["run"]["models"] == ["stub-model"]
    assert answer["run"]["progress"] == {"completed": 0, "total": 2}
    assert answer["quote"]["owed"] == 2
    assert "retry_of" in answer["run"]["requires"]


def test_a_retry_of_one_spending_cell_is_free(tmp_path: Path, sandbox: Home) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    queue(desk, models=["stub-model"])
    with StubModel(Behaviour(status=418, failing=1)) as stub:
        execute(desk, stub.url, widths=(1,))
    assert ask(desk, sandbox, retry_of="run-1")["notices"] == []


def test_an_experiment_must_be_there(tmp_path: Path, bounded: Home) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    with pytest.raises(UnknownExperiment):
        ask(desk, bounded, reference_arms=["oracle"], experiment_id="exp-1")
    line = {"experiment_id": "exp-1", "data_selection": {}}
    append(desk.path / layout.EXPERIMENTS.path, [line])
    assert ask(desk, bounded, reference_arms=["oracle"], experiment_id="exp-1")["ok"]


# Stage


def test_a_proposal_runs_one_named_task_of_a_model_and_any_of_what_costs_nothing(
    tmp_path: Path, bounded: Home
) -> None:
    desk = make_desk(tmp_path / "desk", 3, promoted=False)
    assert ask(desk, bounded, models=["m"], tasks=[TASK])["ok"]
    assert ask(desk, bounded, reference_arms=["oracle"])["ok"]
    with pytest.raises(WrongStage, match="promote to run more"):
        ask(desk, bounded, models=["m"], tasks=desk.task_ids[:2])
    with pytest.raises(WrongStage):
        ask(desk, bounded, models=["m"])


def test_a_pending_or_refused_task_of_a_proposal_may_not_run(tmp_path: Path, bounded: Home) -> None:
    desk = make_desk(tmp_path / "desk", 3, promoted=False)
    desk.directory.replace(layout.REVIEW_POLICY, ReviewPolicy(default_decision="pending"))
    with pytest.raises(TaskNotAccepted, match="its decision is pending, by the review policy"):
        ask(desk, bounded, models=["m"], tasks=[TASK])
    review(desk, "needs_more")
    with pytest.raises(TaskNotAccepted, match="its decision is needs_more, explicitly"):
        ask(desk, bounded, models=["m"], tasks=[TASK])
    review(desk, "restrict")
    assert ask(desk, bounded, models=["m"], tasks=[TASK])["ok"]


def test_a_promoted_run_of_all_leaves_refused_tasks_out_and_a_named_one_is_refused(
    tmp_path: Path, bounded: Home
) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    review(desk, "reject")
    assert ask(desk, bounded, models=["m"])["quote"]["owed"] == 2
    with pytest.raises(TaskNotAccepted):
        ask(desk, bounded, models=["m"], tasks=[TASK])


def test_a_proposal_made_from_a_table_waits_for_a_person(tmp_path: Path, bounded: Home) -> None:
    desk = make_desk(tmp_path / "desk", 2, promoted=False)
    desk.directory.replace(layout.MANIFEST, BuildManifest(schema_version=DATASET_FOUNDRY))
    for body in ({"models": ["m"], "tasks": [TASK]}, {"reference_arms": ["oracle"]}):
        with pytest.raises(ReviewRequired):
            ask(desk, bounded, **body)
    review(desk, "accept", source="agent")
    with pytest.raises(ReviewRequired):
        ask(desk, bounded, models=["m"], tasks=[TASK])
    review(desk, "accept")
    assert ask(desk, bounded, models=["m"], tasks=[TASK])["ok"]


def test_a_task_edited_by_hand_is_regenerated_first(tmp_path: Path, bounded: Home) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    tasks = list(desk.directory.tasks().values())
    desk.directory.replace(layout.TASKS, [tasks[0].with_(title="Edited"), *tasks[1:]])
    with pytest.raises(TaskEdited) as caught:
        ask(desk, bounded, models=["m"])
    assert "traces regenerate-env" in caught.value.hint
    assert [complaint.value for complaint in caught.value.errors] == [TASK]


def test_an_environment_that_is_missing_or_not_ready_is_named_by_task(
    tmp_path: Path, bounded: Home
) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    validation = desk.directory.load(layout.VALIDATION)
    assert validation is not None
    first, second, third = validation.tasks
    broken = first.with_(oracle=first.oracle.with_(strict=0))
    unverifiable = second.with_(oracle=second.oracle.with_(missing_gold=["response"]))
    desk.directory.replace(layout.VALIDATION, validation.with_(tasks=[broken, unverifiable, third]))
    with pytest.raises(EnvironmentNotReady) as caught:
        ask(desk, bounded, models=["m"])
    assert caught.value.details["reason"] == "broken"
    assert [str(complaint.value)[-1] for complaint in caught.value.errors] == ["1", "2"]
    assert caught.value.hint == "leave these tasks out: name others with --tasks"
    with pytest.raises(EnvironmentNotReady) as caught:
        ask(desk, bounded, models=["m"], tasks=[desk.task_ids[1]])
    assert caught.value.details["reason"] == "unverifiable"
    stale = third.with_(verifier_sha256="0" * 64)
    desk.directory.replace(layout.VALIDATION, validation.with_(tasks=[stale]))
    with pytest.raises(EnvironmentNotReady) as caught:
        ask(desk, bounded, models=["m"], tasks=[desk.task_ids[2]])
    assert caught.value.details["reason"] == "missing"
    assert caught.value.hint.startswith("understudy traces regenerate-env")
    (desk.path / layout.ENV_TASKS.path).unlink()
    with pytest.raises(EnvironmentMissing):
        ask(desk, bounded, models=["m"])


def test_a_reference_directory_runs_what_needs_no_model(tmp_path: Path, bounded: Home) -> None:
    desk = make_desk(tmp_path / "desk", 2)
    tasks = [
        task.model_copy(update={"boundary_rule": None}) for task in desk.directory.tasks().values()
    ]
    desk.directory.replace(layout.TASKS, tasks)
    assert ask(desk, bounded, trivial_arms=["null_agent"], reference_arms=["oracle"])["ok"]
    with pytest.raises(EnvironmentLegacy, match="contains the incumbent's own turns"):
        ask(desk, bounded, models=["m"])


def test_nothing_is_queued_in_an_invalid_directory(tmp_path: Path, bounded: Home) -> None:
    desk = make_desk(tmp_path / "desk", 2, promoted=False)
    (desk.path / "tasks.jsonl").unlink()
    (desk.path / "benchmark.json").write_text(json.dumps({"schema_version": "x"}), "utf-8")
    with pytest.raises(InvalidBenchmark) as caught:
        ask(desk, bounded, models=["m"])
    assert caught.value.errors


def test_complaints_about_the_body_stand_beside_those_about_its_tasks(
    tmp_path: Path, bounded: Home
) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    review(desk, "reject")
    with pytest.raises(TaskNotAccepted) as caught:
        ask(desk, bounded, models=["m"], tasks=[TASK], rollouts_per_task=0)
    assert [complaint.path for complaint in caught.value.errors] == ["rollouts_per_task", "tasks"]
