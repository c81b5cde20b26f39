import pytest

from benchmarks.audit.verdicts import (
    beyond_testing,
    current_verifiers,
    faults_of,
    need_tested,
    totals,
    verdicts,
    with_verdict,
)
from benchmarks.errors import VerifierUntested
from benchmarks.records.task import Task
from benchmarks.records.verifier import TaskVerification, VerifierReport
from tests.reviews.factories import make_task
from tests.verifier_factories import make_verification, make_verifier_report

TASKS = [make_task(name) for name in ("t1", "t2", "t3")]


def rows(**words: str) -> dict[str, TaskVerification]:
    return {name: make_verification(make_task(name), verdict=word) for name, word in words.items()}


def test_row_is_current_while_its_digest_is_the_tasks() -> None:
    report = make_verifier_report(TASKS[:2])
    assert list(current_verifiers(TASKS, report)) == ["t1", "t2"]
    moved = make_verification(TASKS[1], verifier_sha256="6" * 64)
    changed = report.with_(tasks=[report.tasks[0], moved])
    assert list(current_verifiers(TASKS, changed)) == ["t1"]
    assert current_verifiers(TASKS, None) == {}


def test_row_without_a_digest_is_about_an_unstamped_task_alone() -> None:
    bare = Task.read({**make_task("t1").dump(), "content_hashes": None})
    row = make_verification(bare)
    report = VerifierReport(generated_at="x", seed=0, tasks=[row])
    assert list(current_verifiers([bare], report)) == ["t1"]
    assert current_verifiers([make_task("t1")], report) == {}


def test_task_without_a_row_is_untested() -> None:
    found = rows(t1="tested", t2="weak")
    assert verdicts(["t1", "t2", "t3"], found) == {"t1": "tested", "t2": "weak", "t3": "untested"}
    assert with_verdict("untested", ["t3", "t1", "t4"], found) == ["t3", "t4"]
    assert totals(["t1", "t3"], found) == {"tested": 1, "weak": 0, "untested": 1}


def test_only_a_weak_verifier_has_faults() -> None:
    weak = make_verification(TASKS[0], verdict="weak", why=["passes drop_write"])
    assert faults_of(weak) == ["passes drop_write"]
    assert faults_of(weak.with_(why=None)) == ["its test found it weak"]
    assert faults_of(make_verification(TASKS[0], why=["x"])) == []


def test_figure_by_an_untested_verifier_needs_a_reason() -> None:
    found = rows(t1="tested", t2="weak", t3="untested")
    assert need_tested("local--b", ["t1", "t2"], found) == []
    for reason in (None, "", "  "):
        with pytest.raises(VerifierUntested) as caught:
            need_tested("local--b", ["t1", "t3", "t4"], found, allow_untested=reason)
    assert caught.value.details == {"task_ids": ["t3", "t4"]}
    assert (caught.value.code, caught.value.status, caught.value.exit_code) == (
        "verifier_untested",
        403,
        1,
    )
    assert caught.value.hint.startswith("understudy benchmarks verify local--b; --allow-untested")
    assert need_tested("local--b", ["t3"], found, allow_untested="read by hand") == ["t3"]


def test_what_was_tested_in_vain_is_told_apart_from_what_nobody_tested() -> None:
    why = ["the contract cannot be judged", "soundex"]
    found = {**rows(t1="tested"), "t2": make_verification(TASKS[1], verdict="untested", why=why)}
    said = "the contract cannot be judged; soundex"
    assert beyond_testing(["t1", "t2", "t3"], found) == {"t2": said}
    with pytest.raises(VerifierUntested) as caught:
        need_tested("local--b", ["t2", "t3"], found)
    assert caught.value.message == (
        f"nobody tested the verifier of t2, t3 as it is today; t2: {said}"
    )
