from typing import Any

import pytest

from benchmarks.errors import InvalidArguments, NothingSelected, UnknownExperiment
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import Split, Stage
from runs.requests.checking import Checking, check
from runs.requests.ground import EndedRun, Ground

SPLITS = {"t1": Split.TRAIN, "t2": Split.TRAIN, "t3": Split.DEV, "t4": Split.HOLDOUT}


def ground(**changes: Any) -> Ground:
    return Ground(**{"stage": Stage.PROMOTED, "splits": SPLITS, "has_captures": True, **changes})


def checked(body: dict[str, Any], **changes: Any) -> Checking:
    return check(body, ground(**changes))


def wrong(body: dict[str, Any], **changes: Any) -> list[tuple[str, str]]:
    """Path and message of every complaint."""
    found = checked(body, **changes).complaints.found
    return [(complaint.path, complaint.message) for complaint in found]


def paths(body: dict[str, Any], **changes: Any) -> list[str]:
    return [path for path, _ in wrong(body, **changes)]


def ended(**fields: Any) -> RunRequest:
    blank = {
        "run_id": "run-old",
        "benchmark_id": "b",
        "models": ["m"],
        "split": "train",
        "tasks": "all",
        "rollouts_per_task": 2,
        "created_at": "2026-11-02T12:00:00.000Z",
        "status": "stopped",
    }
    return RunRequest.read({**blank, **fields})


def test_one_model_is_enough_and_gets_the_defaults() -> None:
    found = checked({"models": ["m"]})
    assert found.error() is None
    assert found.checked.fields == {
        "models": ["m"],
        "split": "all",
        "tasks": "all",
        "rollouts_per_task": 1,
    }
    assert found.checked.selection.task_ids == ("t1", "t2", "t3", "t4")
    assert found.checked.cells == 4


def test_zero_cost_arms_roll_out_once() -> None:
    found = checked({"models": ["m"], "trivial_arms": ["null_agent"], "rollouts_per_task": 3})
    assert found.checked.cells == 4 * 3 + 4


def test_no_arm_at_all() -> None:
    assert wrong({"models": []}) == [
        ("models", "no arm: name a model, or ask for trivial_arms or reference_arms")
    ]


def test_every_complaint_comes_in_one_answer_in_the_order_of_the_table() -> None:
    body = {"models": ["m", "m"], "rollouts_per_task": 2.5, "split": "test"}
    assert paths(body) == ["models.1", "split", "rollouts_per_task"]


def test_case_6_has_four_entries() -> None:
    body = {
        "models": ["m", "m"],
        "rollouts_per_task": 0,
        "tasks": ["nope"],
        "calibration_threshold": 1.5,
    }
    error = checked(body).error()
    assert isinstance(error, InvalidArguments)
    assert [complaint.path for complaint in error.errors] == [
        "models.1",
        "tasks.0",
        "rollouts_per_task",
        "calibration_threshold",
    ]


def test_an_unknown_key_names_the_nearest() -> None:
    assert wrong({"models": ["m"], "model": ["a"]}) == [
        ("model", "unknown key; did you mean models")
    ]


@pytest.mark.parametrize("key", ["status", "progress", "claimed_by", "requires", "spend", "quote"])
def test_what_the_lab_writes_is_refused(key: str) -> None:
    assert wrong({"models": ["m"], key: 1}) == [(key, "written by the lab")]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("", "is blank"),
        (" m", "has blanks at its ends"),
        ("m\x07", "has control characters"),
        ("m" * 81, "has 81 characters, at most 80"),
        ("MODEL", "stands for a model: fill in the name of one"),
        ("INC", "stands for a model: fill in the name of one"),
        (7, "a model id, or {ref, label, serving} of a local model"),
        ({"label": "x"}, "a local model needs its ref"),
        ({"ref": "a/b", "port": 1}, "unknown key port: a local model has ref, label and serving"),
    ],
)
def test_a_model_that_cannot_be(entry: Any, message: str) -> None:
    assert wrong({"models": [entry]})[0] == ("models.0", message)


def test_more_than_eight_models() -> None:
    assert paths({"models": [f"m{n}" for n in range(9)]}) == ["models"]


def test_a_label_of_the_lab_s_own_is_no_model() -> None:
    assert paths({"models": ["null_agent"]}) == ["models.0"]
    assert paths({"models": ["(unknown)"]}) == ["models.0"]


def test_a_local_label_may_not_repeat_a_model() -> None:
    body = {"models": ["m", {"ref": "models/m"}]}
    assert wrong(body) == [("models.1", "the same label as models.0")]


def test_labels_that_make_one_file_name_are_fine() -> None:
    assert checked({"models": ["openai/gpt-4o", "openai:gpt-4o"]}).error() is None


def test_an_old_split_name_is_told_its_new_one() -> None:
    assert wrong({"models": ["m"], "split": "heldout"}) == [
        (
            "split",
            "one of train, dev, holdout, all (tasks: train 2, dev 1, holdout 1, all 4);"
            " heldout is now holdout",
        )
    ]


def test_tasks_unknown_repeated_or_out_of_split_are_each_named() -> None:
    body = {"models": ["m"], "tasks": ["t1", "t1", "t9", "t3"], "split": "train"}
    assert wrong(body) == [
        ("tasks.1", "is named twice, also as tasks.0"),
        ("tasks.2", "no such task among 4"),
        ("tasks.3", "is in split dev, not train"),
    ]


@pytest.mark.parametrize("tasks", [[], "some", 7, {"t1": 1}])
def test_tasks_that_are_no_selection(tasks: Any) -> None:
    assert paths({"models": ["m"], "tasks": tasks}) == ["tasks"]


def test_named_tasks_stand_in_manifest_order() -> None:
    found = checked({"models": ["m"], "tasks": ["t3", "t1"]})
    assert found.checked.selection.task_ids == ("t1", "t3")
    assert found.checked.fields["tasks"] == ["t1", "t3"]


@pytest.mark.parametrize("value", [0, 21, 2.5, True, "2", None])
def test_rollouts_that_cannot_be(value: Any) -> None:
    expected = ["rollouts_per_task"]
    assert paths({"models": ["m"], "rollouts_per_task": value}) == expected


def test_an_incumbent_is_one_of_the_models_once() -> None:
    body = {"models": ["a", "b"], "incumbent_models": ["c", "a", "a"]}
    assert wrong(body) == [
        ("incumbent_models.0", "is not among the models: a, b"),
        ("incumbent_models.2", "is named twice"),
    ]


@pytest.mark.parametrize("value", [0, 1.5, -1, True, "1", float("nan")])
def test_thresholds_that_cannot_be(value: Any) -> None:
    assert paths({"models": ["m"], "calibration_threshold": value}) == ["calibration_threshold"]


def test_own_arms_are_of_their_kinds_and_once() -> None:
    body = {
        "trivial_arms": ["null_agent", "oracle", "null_agent"],
        "reference_arms": ["spam_agent"],
    }
    assert paths(body) == ["trivial_arms.1", "trivial_arms.2", "reference_arms.0"]


def test_replay_needs_the_captures() -> None:
    message = "needs normalized-captures.jsonl, which this benchmark does not have"
    assert wrong({"reference_arms": ["replay"]}, has_captures=False) == [
        ("reference_arms", message)
    ]
    assert checked({"reference_arms": ["replay"]}).error() is None


@pytest.mark.parametrize("value", ["600", True, 0, -1, 86_401, float("inf")])
def test_timeouts_that_cannot_be(value: Any) -> None:
    assert paths({"models": ["m"], "rollout_timeout_seconds": value}) == ["rollout_timeout_seconds"]


def test_overrides_that_cannot_be_are_each_named() -> None:
    good = {"arm_label": "a", "model": "m", "system_prompt_suffix": "Be kind."}
    body = {
        "models": ["m", {"ref": "x/local"}],
        "prompt_overrides": [
            good,
            {**good, "arm_label": "b"},
            {**good, "arm_label": "c", "model": "local", "system_prompt_suffix": " "},
            {"arm_label": "d", "model": "m"},
        ],
    }
    assert wrong(body) == [
        ("prompt_overrides.1", "the same model and suffix as 0: use rollouts_per_task"),
        ("prompt_overrides.2.model", "is not among the models by id: m"),
        ("prompt_overrides.2.system_prompt_suffix", "a text that is not blank"),
        ("prompt_overrides.3", "has exactly arm_label, model and system_prompt_suffix"),
    ]


def test_a_suffix_over_its_limit() -> None:
    suffix = {"arm_label": "a", "model": "m", "system_prompt_suffix": "x" * 65_537}
    assert paths({"models": ["m"], "prompt_overrides": [suffix]}) == [
        "prompt_overrides.0.system_prompt_suffix"
    ]


def test_an_app_replay_is_not_of_this_version() -> None:
    assert paths({"app_replay": True}) == ["app_replay"]
    assert checked({"models": ["m"], "app_replay": False}).error() is None


def test_an_unknown_experiment_has_its_own_code() -> None:
    error = checked({"models": ["m"], "experiment_id": "exp-1"}).error()
    assert isinstance(error, UnknownExperiment)
    found = checked({"models": ["m"], "experiment_id": "e"}, experiment_ids=frozenset({"e"}))
    assert found.error() is None


def test_settings_are_checked_where_they_are_known_and_passed_through_where_not() -> None:
    body = {
        "models": ["m"],
        "settings": {
            "temperature": 2.1,
            "top_p": 0,
            "max_output_tokens": 0,
            "stream": True,
            "logit_bias": {"1": 2},
        },
    }
    assert paths(body) == [
        "settings.temperature",
        "settings.top_p",
        "settings.max_output_tokens",
        "settings.stream",
    ]


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("max_turns", 1001),
        ("max_turns", 0),
        ("max_total_tokens", 999),
        ("concurrency", 257),
        ("seed", 2**53),
        ("seed", -1),
        ("seed", 1.0),
    ],
)
def test_integers_out_of_range(name: str, bad: Any) -> None:
    assert paths({"models": ["m"], name: bad}) == [name]


def test_a_margin_is_inside_nought_and_one_and_against_a_label() -> None:
    assert paths({"models": ["m"], "margin": 1}) == ["margin"]
    assert paths({"models": ["m"], "margin": 0.05, "baseline": "n"}) == ["baseline"]
    assert checked({"models": ["m"], "margin": 0.05, "baseline": "m"}).error() is None
    assert paths({"models": ["m"], "margin": {"metric": "loose", "value": 0.1}}) == [
        "margin.metric"
    ]


def test_a_retry_takes_arms_and_selection_from_its_run() -> None:
    runs = {"run-old": EndedRun(ended(settings={"temperature": 0}), again=3)}
    found = checked({"retry_of": "run-old"}, runs=runs)
    assert found.error() is None
    assert found.checked.fields["models"] == ["m"]
    assert found.checked.fields["split"] == "train"
    assert found.checked.fields["rollouts_per_task"] == 2
    assert found.checked.fields["settings"] == {"temperature": 0}
    assert found.checked.cells == 3


def test_a_retry_names_no_selection_of_its_own() -> None:
    runs = {"run-old": EndedRun(ended(), again=3)}
    assert paths({"retry_of": "run-old", "models": ["m"], "tasks": "all"}, runs=runs) == [
        "models",
        "tasks",
    ]


def test_a_retry_of_a_run_that_owes_nothing_has_not_ended_or_is_not_there() -> None:
    runs = {"run-old": EndedRun(ended(), again=0)}
    body = {"retry_of": "run-old"}
    assert wrong(body, runs=runs) == [
        ("retry_of", "that run owes 0 cells and lost 0: nothing to ask again")
    ]
    assert "has not ended" in wrong(body, live_runs=frozenset({"run-old"}))[-1][1]
    assert wrong(body)[-1] == ("retry_of", "no such run among 0 that ended")


def test_nothing_selected_says_why_each_task_was_left_out() -> None:
    error = checked({"models": ["m"], "split": "dev"}, refused=frozenset({"t3"})).error()
    assert isinstance(error, NothingSelected)
    assert error.errors[0].message == (
        "split dev leaves no task: 1 in split holdout, 2 in split train,"
        " 1 rejected or in need of more"
    )


def test_a_run_of_all_tasks_leaves_the_rejected_out() -> None:
    found = checked({"models": ["m"]}, refused=frozenset({"t2"}))
    assert found.checked.selection.task_ids == ("t1", "t3", "t4")


def test_a_million_cells_and_no_more() -> None:
    many = {f"t{n}": Split.TRAIN for n in range(50_001)}
    body = {"models": ["a"], "rollouts_per_task": 20}
    assert paths(body, splits=many) == ["rollouts_per_task"]
    fewer = dict(list(many.items())[:50_000])
    assert checked(body, splits=fewer).checked.cells == 1_000_000


def test_a_thousand_and_one_tasks_all_run() -> None:
    many = {f"t{n}": Split.TRAIN for n in range(1001)}
    assert checked({"models": ["a"]}, splits=many).checked.cells == 1001


def test_a_near_miss_of_a_task_id_is_named() -> None:
    splits = {"task-ecd3aab93469f815": Split.TRAIN}
    assert wrong({"models": ["m"], "tasks": ["task-ecd3aab93469f814"]}, splits=splits) == [
        ("tasks.0", "no such task among 1; did you mean task-ecd3aab93469f815")
    ]
