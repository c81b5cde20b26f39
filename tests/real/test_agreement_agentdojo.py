"""Contracts learned from several successes, measured on 833 rollouts of 49 tasks (issue 5).

All figures: python -m tests.real.validity.
"""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.contract.agreement import (
    CELLS,
    Pairs,
    ReadGroup,
    Sourcing,
    judge_group,
    read_group,
)
from benchmarks.services.agreeing import SCHEMA, conversations_of
from benchmarks.services.labelled_traces import Study
from benchmarks.stats.agreement import cohen_kappa
from benchmarks.stats.seeding import seed_of
from tests.real.validity import expected_figures

NOW = datetime(2026, 11, 2, tzinfo=UTC)
LABEL = "/metadata/success"
SUITES = ("banking", "slack", "travel", "workspace")
TASK = "/metadata/suite_name,/metadata/user_task_id"


@pytest.fixture(scope="module")
def measured(data_dir: Path) -> tuple[Study, list[ReadGroup]]:
    sources = [data_dir / "agentdojo" / f"{suite}.jsonl" for suite in SUITES]
    study = Study.of(conversations_of(sources, NOW), LABEL)
    groups = study.groups(study.labels(LABEL, None), TASK)
    return study, [read_group(group, study.policy, study.structured) for group in groups]


def test_every_rollout_is_a_trace_of_its_own(measured: tuple[Study, list[ReadGroup]]) -> None:
    study, groups = measured
    assert (len(study.threads), len(groups)) == (833, 49)
    assert sum(len(each.group.good) for each in groups) == 457


@pytest.mark.parametrize(
    ("successes", "floor"), [(1, 0.55), (2, 0.78), (3, 0.85), (5, 0.88), (7, 0.90)]
)
def test_kappa_of_contracts_from_several_successes(
    measured: tuple[Study, list[ReadGroup]], successes: int, floor: float
) -> None:
    study, groups = measured
    sourcing = Sourcing(successes, seed=seed_of(SCHEMA, "", LABEL, []))
    used = [each for each in groups if sourcing.can_use(each.group)]
    judged = [judge_group(each, study.policy, sourcing) for each in used]
    pairs = Pairs(tuple(pair for found in judged for pair in found))
    assert len(pairs.judgeable()) == len(pairs.pairs)
    confusion = [pairs.confusion()[cell] for cell in CELLS]
    assert confusion == expected_figures("AgentDojo", successes)["confusion"]
    kappa = cohen_kappa(confusion)
    assert kappa is not None
    assert kappa >= floor
