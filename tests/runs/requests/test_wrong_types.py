"""Every field of a request with every JSON type: complaints, never an exception."""

from typing import Any

import pytest

from benchmarks.records.vocabulary import Split, Stage
from runs.requests.checking import KNOWN_KEYS, LAB_KEYS, check
from runs.requests.ground import Ground

GROUND = Ground(stage=Stage.PROMOTED, splits={"t1": Split.TRAIN}, has_captures=True)
VALUES: tuple[Any, ...] = (
    {},
    {"a": {}},
    [],
    [{}],
    [[]],
    [None],
    [0.5],
    [True],
    "",
    "\ud800",
    "a\x00b",
    True,
    False,
    -1,
    10**400,
    0.5,
    1e308,
)
TAKES_AN_OBJECT = {"settings", "margin"}
TAKES_A_LIST = {
    "models",
    "tasks",
    "incumbent_models",
    "trivial_arms",
    "reference_arms",
    "prompt_overrides",
}


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:12])
@pytest.mark.parametrize("key", [*KNOWN_KEYS, *sorted(LAB_KEYS)])
def test_no_value_of_a_field_is_an_exception(key: str, value: Any) -> None:
    error = check({"models": ["m"], key: value}, GROUND).error()
    assert error is None or error.code in {"invalid_arguments", "unknown_experiment"}


@pytest.mark.parametrize("key", [key for key in KNOWN_KEYS if key not in TAKES_AN_OBJECT])
def test_an_object_is_none_of_the_single_values(key: str) -> None:
    error = check({"models": ["m"], key: {"a": {}}}, GROUND).error()
    assert error is not None
    assert error.code == "invalid_arguments"
    assert key in [complaint.path for complaint in error.errors]


@pytest.mark.parametrize("key", [key for key in KNOWN_KEYS if key not in TAKES_A_LIST])
def test_a_list_is_none_of_the_single_values(key: str) -> None:
    error = check({"models": ["m"], key: [{}]}, GROUND).error()
    assert error is not None
    assert error.code == "invalid_arguments"
    assert key in [complaint.path for complaint in error.errors]


def test_wrong_types_are_told_all_at_once() -> None:
    body = {"models": ["m"], "split": {}, "experiment_id": {}, "retry_of": []}
    found = [(each.path, each.message) for each in check(body, GROUND).complaints.found]
    assert found == [
        ("split", "one of train, dev, holdout, all (tasks: train 1, dev 0, holdout 0, all 1)"),
        ("experiment_id", "the id of an experiment is a text"),
        ("models", "comes from the run that retry_of names; leave it out"),
        ("split", "comes from the run that retry_of names; leave it out"),
        ("retry_of", "the id of a run is a text"),
    ]


def test_an_experiment_that_is_not_there_is_no_wrong_type() -> None:
    error = check({"models": ["m"], "experiment_id": "exp-0"}, GROUND).error()
    assert error is not None
    assert error.code == "unknown_experiment"
