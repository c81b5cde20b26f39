"""Verifiers made from one good trajectory, measured on real trials (issue 2, spec/build.md 4.8).

The figures are exact: a bar on kappa alone would forgive a wrong verdict.
"""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.contract.compiling import SourceContext, compile_contract
from benchmarks.contract.observed import end_under, observed_from_conversation
from benchmarks.contract.score import score
from benchmarks.intake.ingest import Intake, IntakeOptions, ingest
from benchmarks.services.agreeing import agreement
from benchmarks.services.labelled_traces import Study
from tests.real.validity import expected_figures, figures_of

NOW = datetime(2026, 11, 2, tzinfo=UTC)
AIRLINE = "tau-bench/gpt-4o-airline.trials01.json"
RETAIL = "tau-retail/final_results.visible.json"


@pytest.fixture(scope="module")
def airline(data_dir: Path) -> dict[str, Any]:
    return agreement(sources=[data_dir / AIRLINE], now=NOW)


@pytest.fixture(scope="module", params=[AIRLINE, RETAIL])
def study(data_dir: Path, request: pytest.FixtureRequest) -> Study:
    return Study.of(read(data_dir / request.param))


def read(source: Path) -> Intake:
    return ingest([source], options=IntakeOptions(now=NOW, keep_records=True))


def test_airline_verifiers_agree_with_every_reward(airline: dict[str, Any]) -> None:
    assert airline["confusion"] == {
        "true_pass": 24, "false_pass": 0, "false_fail": 0, "true_fail": 19,
    }  # fmt: skip
    assert (airline["pairs"], airline["judgeable"]) == (43, 43)
    assert (airline["groups"], airline["groups_used"]) == (50, 31)
    assert airline["groups_without_success"] == 19
    assert (airline["kappa"], airline["kappa_low"], airline["kappa_high"]) == (1, 1, 1)
    assert airline["accuracy_low"] == 0.889745
    assert figures_of(airline) == expected_figures("tau-bench airline", 1)


def test_airline_verifiers_of_the_earliest_success_agree_too(data_dir: Path) -> None:
    found = agreement(sources=[data_dir / AIRLINE], per_group="first", now=NOW)
    assert (found["pairs"], found["agree"]) == (31, 31)


def test_a_source_passes_its_own_contract(study: Study) -> None:
    for thread in study.threads:
        talk = thread.conversation
        if talk.outcome is None or talk.outcome.reward != 1:
            continue
        context = SourceContext(offered=frozenset(study.policy), structured=study.structured)
        contract = compile_contract(talk, study.policy, context=context).contract
        verdict = score(contract, observed_from_conversation(talk, study.policy), study.policy)
        assert verdict.score.strict == 1, verdict.reasons


def test_airline_calls_and_ends(data_dir: Path) -> None:
    study = Study.of(read(data_dir / AIRLINE))
    seen = [observed_from_conversation(one.conversation, study.policy) for one in study.threads]
    calls = [call for observed in seen for call in observed.calls]
    assert len(calls) == 572
    assert sum(not call.accepted for call in calls) == 33
    assert sum(call.accepted and call.is_write(study.policy) for call in calls) == 88
    ends = Counter(end_under(one.conversation, study.policy).reason for one in study.threads)
    assert ends == {"user_stop": 76, "handoff": 22, "limit": 2}


def test_no_tool_of_either_set_is_unclassed(study: Study) -> None:
    assert [name for name, entry in study.policy.items() if entry.effect == "unknown"] == []


def test_two_sets_measured_together_are_measured_as_apart(data_dir: Path) -> None:
    found = agreement(sources=[data_dir / RETAIL, data_dir / AIRLINE], now=NOW)
    assert found["confusion"] == {
        "true_pass": 260, "false_pass": 1, "false_fail": 0, "true_fail": 92,
    }  # fmt: skip
