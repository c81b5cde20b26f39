"""Contracts learned from several successes, measured on 833 rollouts of 49 tasks (issue 5).

All figures: python -m tests.real.validity.
"""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.contract.agreement import CELLS, Pairs, Sourcing, TraceGroup, judge_pairs
from benchmarks.services.agreeing import conversations_of
from benchmarks.services.labelled_traces import Study
from benchmarks.stats.agreement import cohen_kappa

NOW = datetime(2026, 11, 2, tzinfo=UTC)
SUITES = ("banking", "slack", "travel", "workspace")
TASK = "/metadata/suite_name,/metadata/user_task_id"


@pytest.fixture(scope="module")
def measured(data_dir: Path) -> tuple[Study, list[TraceGroup]]:
    sources = [data_dir / "agentdojo" / f"{suite}.jsonl" for suite in SUITES]
    study = Study.of(conversations_of(sources, NOW), "/metadata/success")
    return study, study.groups(study.labels("/metadata/success", None), TASK)


def test_every_rollout_is_a_trace_of_its_own(measured: tuple[Study, list[TraceGroup]]) -> None:
    study, groups = measured
    assert (len(study.threads), len(groups)) == (833, 49)
    assert sum(len(group.good) for group in groups) == 457


@pytest.mark.parametrize(("successes", "floor"), [(2, 0.78), (7, 0.90)])
def test_kappa_of_contracts_from_several_successes(
    measured: tuple[Study, list[TraceGroup]], successes: int, floor: float
) -> None:
    study, groups = measured
    sourcing = Sourcing(successes, seed=1)
    used = [group for group in groups if sourcing.can_use(group)]
    judged = judge_pairs(used, study.policy, study.structured, sourcing)
    pairs = Pairs(tuple(pair for found in judged for pair in found))
    assert len(pairs.judgeable()) == len(pairs.pairs)
    kappa = cohen_kappa([pairs.confusion()[cell] for cell in CELLS])
    assert kappa is not None
    assert kappa >= floor
