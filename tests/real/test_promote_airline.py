"""The airline benchmark: what may not be promoted as it stands, and what may."""

import json
import shutil
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.artifacts.stage import stage
from benchmarks.errors import GateFailed
from benchmarks.records.caller import Caller
from benchmarks.records.vocabulary import Attention, Stage
from benchmarks.services.building import build_benchmark
from benchmarks.services.verifying import verify_tasks
from reviews.services.assessing import assess
from reviews.services.dossier import Dossier
from reviews.services.promoting import promote
from reviews.services.recording import submit_review

MIRA = Caller("os:mira", "shell")
NOW = datetime(2026, 11, 4, tzinfo=UTC)
SLUG = "local--airline"
VERIFIED = ("verifier-fixtures.jsonl", "verifier-report.json", "benchmark.json")


@pytest.fixture(scope="module")
def built(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "airline"
    build_benchmark(
        directory=BenchmarkDir(folder),
        slug=SLUG,
        source=[data_dir / "tau-bench" / "gpt-4o-airline.trials01.json"],
        waive_pilot="no pilot in this release",
        caller=MIRA,
        now=NOW,
    )
    return folder


@pytest.fixture
def airline(built: Path, tmp_path: Path) -> Located:
    folder = tmp_path / "airline"
    shutil.copytree(built, folder)
    return Located(BenchmarkDir(folder), SLUG, read_only=False)


def test_seventeen_of_thirty_one_tasks_are_passed_by_doing_nothing(airline: Located) -> None:
    dossier = Dossier(airline.directory, slug=SLUG)
    trivial = dossier.flagged(Attention.TRIVIAL_PASS)
    assert (len(dossier.tasks), len(trivial)) == (31, 17)
    assert dossier.flagged(Attention.WEAK_VERIFIER) == trivial
    assert dossier.flagged(Attention.UNCLASSIFIED_TOOL) == []
    assert dossier.flagged(Attention.SCHEMA_CONFLICT) == []
    assert dossier.flagged(Attention.SELF_CHECK_FAILED) == []
    assert dossier.warnings() == []


def test_every_verifier_is_tested_by_its_build_and_again_with_the_same_result(
    airline: Located,
) -> None:
    """31 sources, 31 oracles and 12 second successes pass; 19 recorded failures do not."""
    before = {name: airline.directory.digest(name) for name in VERIFIED}
    answer = verify_tasks(located=airline, caller=MIRA, now=NOW + timedelta(days=1))
    assert {name: airline.directory.digest(name) for name in VERIFIED} == before
    assert answer["totals"] == {"tested": 31, "weak": 0, "untested": 0}
    counts = [Counter(row["fixtures"]) for row in answer["tasks"]]
    assert sum(counts, Counter()) == {
        "pass": 74,
        "pass_accepted": 74,
        "fail": 19,
        "fail_rejected": 19,
    }
    assert {row["mutation_score"] for row in answer["tasks"]} == {1}
    assert [row["task_id"] for row in answer["tasks"] if row["survivors"]] == []
    assert all(row["harmless"]["accepted"] == row["harmless"]["made"] for row in answer["tasks"])


def test_it_is_not_promoted_as_it_stands_and_the_tasks_are_named(airline: Located) -> None:
    trivial = Dossier(airline.directory).flagged(Attention.TRIVIAL_PASS)
    with pytest.raises(GateFailed) as caught:
        promote(located=airline, caller=MIRA, now=NOW)
    [refusal] = caught.value.details["refusals"]
    assert (refusal["code"], refusal["task_ids"]) == ("null_floor", trivial)
    assert "17 of 31 contracts are met by doing nothing (54.8 %, bar 5 %)" in refusal["message"]


def test_fourteen_tasks_are_promoted_once_the_others_are_rejected(airline: Located) -> None:
    trivial = Dossier(airline.directory).flagged(Attention.TRIVIAL_PASS)
    submit_review(located=airline, task_ids=trivial, decision="reject", caller=MIRA, now=NOW)
    answer = promote(located=airline, caller=MIRA, now=NOW)
    assert (len(answer["accepted_tasks"]), len(answer["excluded_tasks"])) == (14, 17)
    assert answer["record"]["pilot"] == {"verdict": None, "waived": True}
    found = stage(airline.directory)
    assert (found.stage, found.errors) == (Stage.PROMOTED, [])
    promoted = json.loads((airline.directory.path / "benchmark.json").read_text("utf-8"))
    assert len(promoted["tasks"]) == 14
    assert promoted["splits"]["contamination"] == "clean"
    environment = airline.directory.path / "environment" / "understudy_trace_env" / "tasks.json"
    assert len(json.loads(environment.read_text("utf-8"))) == 14
    report = assess(located=airline, now=NOW)
    assert report.gate["failures"] == []
    assert len(report.tasks) == 14


def test_override_promotes_all_of_them_and_says_so(airline: Located) -> None:
    answer = promote(
        located=airline, override_rigor="refusals are what we sell", caller=MIRA, now=NOW
    )
    assert len(answer["accepted_tasks"]) == 31
    assert answer["gate"]["status"] == "overridden"
    assert answer["gate"]["failures"] == ["null_floor"]
