import pytest

from benchmarks.foundry.grouping import threads_of
from benchmarks.foundry.trials import Case, cases_of, succeeded
from benchmarks.records.conversation import Outcome
from tests.benchmarks.foundry.factories import session_record

SYSTEM = ("system", "You handle refunds.")


def trial(number: int, reward: float | None, task: str | None = "7", system: str = "s") -> object:
    said = [("system", system), ("user", "Refund it."), ("assistant", f"Done {number}.")]
    return session_record(said, line=number + 1, reward=reward, task=task, trial=str(number))


def cases(*captures: object) -> list[Case]:
    return cases_of(threads_of(captures, lambda _: True))


def source_of(case: Case) -> str | None:
    return case.source.leaf.capture_id if case.source else None


@pytest.mark.parametrize(
    ("outcome", "good"),
    [
        (None, None),
        ({"reward": 1.0}, True),
        ({"reward": 2}, True),
        ({"reward": 0.99}, False),
        ({"success": False, "reward": 1}, False),
        ({"success": True, "reward": 0}, True),
        ({}, None),
    ],
)
def test_a_success_flag_speaks_before_the_reward(outcome: dict | None, good: bool | None) -> None:
    read = None if outcome is None else Outcome.read({"source": "x", **outcome})
    assert succeeded(read) is good


def test_the_earliest_success_is_the_source() -> None:
    (case,) = cases(trial(2, 1), trial(0, 0), trial(1, 1))
    assert source_of(case) == "req-2"
    assert [one.leaf.capture_id for one in case.trials] == ["req-1", "req-2", "req-3"]
    assert case.outcomes == (False, True, True)


def test_trials_are_ordered_by_number_not_by_letters() -> None:
    (case,) = cases(trial(10, 1), trial(9, 1))
    assert source_of(case) == "req-10"


def test_outcomes_without_a_success_give_no_source() -> None:
    (case,) = cases(trial(0, 0), trial(1, 0.5))
    assert case.source is None


def test_without_any_outcome_the_earliest_is_the_source() -> None:
    (case,) = cases(trial(1, None), trial(0, None))
    assert source_of(case) == "req-1"
    assert case.outcomes == ()


def test_a_lone_conversation_known_to_have_failed_is_no_source() -> None:
    (case,) = cases(trial(0, 0, task=None))
    assert case.source is None


def test_another_system_text_or_no_external_id_is_another_task() -> None:
    assert len(cases(trial(0, 1), trial(1, 1, system="t"))) == 2
    assert len(cases(trial(0, 1, task=None), trial(1, 1, task=None))) == 2


@pytest.mark.parametrize("dialect", ["tau_bench", "tau2", "inspect", "verifiers"])
def test_trials_of_every_dialect_that_names_its_tasks_are_one_case(dialect: str) -> None:
    said = [SYSTEM, ("user", "Refund it.")]
    first = session_record(
        [*said, ("assistant", "No.")], line=1, reward=0, task="7", trial="0", dialect=dialect
    )
    second = session_record(
        [*said, ("assistant", "Yes.")], line=2, reward=1, task="7", trial="1", dialect=dialect
    )
    (case,) = cases(second, first)
    assert source_of(case) == "req-2"
    assert [one.leaf.capture_id for one in case.trials] == ["req-1", "req-2"]


def test_one_task_id_of_two_dialects_is_two_tasks() -> None:
    said = [SYSTEM, ("user", "Refund it."), ("assistant", "Yes.")]
    found = cases(
        session_record(said, line=1, task="7", dialect="inspect"),
        session_record(said, line=2, task="7", dialect="verifiers"),
    )
    assert len(found) == 2


def test_epochs_of_one_session_id_stay_trials_of_one_task() -> None:
    said = [SYSTEM, ("user", "Refund it.")]
    found = cases(
        session_record([*said, ("assistant", "No.")], line=1, task="7", trial="1", session="s"),
        session_record([*said, ("assistant", "Yes.")], line=2, task="7", trial="2", session="s"),
    )
    assert [len(case.trials) for case in found] == [2]
