"""Verifiers of the airline benchmark put to the test, and its floors, as docs/validity.md says."""

from pathlib import Path

import pytest

from benchmarks.artifacts.directory import BenchmarkDir
from tests.real.validity import built, expected, floors_of, verifiers_of


@pytest.fixture(scope="module")
def airline(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> BenchmarkDir:
    return built(data_dir, tmp_path_factory.mktemp("validity") / "airline")


def test_faults_are_rejected_and_harmless_variants_accepted(airline: BenchmarkDir) -> None:
    written = expected()["verifiers"]
    assert verifiers_of(airline) == {key: written[key] for key in written if key != "floors"}


def test_no_arm_without_a_model_passes_a_task_that_changes_state_but_the_oracle(
    airline: BenchmarkDir,
) -> None:
    found = floors_of(airline)
    assert found == expected()["verifiers"]["floors"]
    assert {arm: passed["changing_state"] for arm, passed in found["passed"].items()} == {
        "null_agent": 0, "spam_agent": 0, "oracle": 13,
    }  # fmt: skip
