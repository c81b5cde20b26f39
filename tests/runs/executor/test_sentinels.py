from typing import Any

import pytest

from runs.executor.sentinels import Finished, anomalies, notes

LONG = "x" * 400


def finished(**changes: Any) -> Finished:
    known: dict[str, Any] = {
        "costs_nothing": False,
        "scored": True,
        "score": 0,
        "has_delivery": True,
        "delivery_proven": True,
        "sent": "Set item I-1 to shipped.",
        "boundary": "Set item I-1 to shipped.",
        "title": "Set I-1",
        "journal_lines": 4,
        "calls": 1,
        "final_text": "Done.",
        "wants_calls": True,
        "wants_writes": True,
        "wants_response": True,
    }
    return Finished(**{**known, **changes})


def kinds(**changes: Any) -> list[str]:
    return [anomaly.kind for anomaly in anomalies(finished(**changes))]


def test_a_clean_rollout_has_none() -> None:
    assert kinds() == []


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"timed_out": True, "scored": False, "score": None}, ["rollout_timeout"]),
        ({"delivery_differs": True, "delivery_proven": False}, ["treatment_undelivered"]),
        ({"sent": " "}, ["empty_prompt"]),
        ({"sent": "Set I-1", "boundary": "y" * 32}, ["empty_prompt"]),
        ({"sent": "Set I-1", "boundary": "y" * 31}, []),
        ({"sent": "Set I-1", "boundary": "Set I-1"}, []),
        ({"sent": "x" * 39, "boundary": LONG}, ["empty_prompt"]),
        ({"sent": "x" * 40, "boundary": LONG}, []),
        ({"sent": "x", "boundary": "x" * 399}, []),
        ({"fidelity": 0.75}, ["low_fidelity"]),
        ({"fidelity": 0.8}, []),
        ({"fidelity": None}, []),
        ({"fidelity": 0.5, "min_fidelity": 0.4}, []),
        ({"truncated_by_provider": True}, ["truncated_output"]),
        ({"journal_lines": 0}, ["no_journal_events"]),
        ({"journal_lines": 0, "wants_calls": False}, []),
        ({"journal_lines": 0, "scored": False, "score": None}, []),
    ],
)
def test_each_condition_has_its_kind(changes: dict[str, Any], found: list[str]) -> None:
    assert kinds(**changes) == found


def test_a_lazy_model_that_was_reached_gets_its_honest_zero_and_a_note() -> None:
    lazy = {"calls": 0, "final_text": None}
    assert kinds(**lazy) == []
    assert notes(finished(**lazy)) == ["made_no_calls", "said_nothing"]


def test_where_delivery_is_not_proven_doing_nothing_is_an_anomaly() -> None:
    unproven = {"calls": 0, "final_text": None, "delivery_proven": False}
    assert kinds(**unproven) == ["no_tool_calls", "empty_final_response", "zero_score_zero_calls"]
    assert notes(finished(**unproven)) == []


def test_a_pass_without_calls_is_no_zero() -> None:
    assert kinds(calls=0, score=1, wants_writes=False, delivery_proven=False) == []


def test_an_arm_that_costs_nothing_can_only_time_out() -> None:
    nothing = {"costs_nothing": True, "sent": "", "fidelity": 0.1, "journal_lines": 0, "calls": 0}
    assert kinds(**nothing) == []
    assert kinds(**nothing, timed_out=True) == ["rollout_timeout"]
    assert notes(finished(**nothing)) == []


def test_all_are_found_and_the_first_stands_first() -> None:
    many = kinds(sent="", fidelity=0.1, delivery_differs=True, truncated_by_provider=True)
    assert many == ["treatment_undelivered", "empty_prompt", "low_fidelity", "truncated_output"]
