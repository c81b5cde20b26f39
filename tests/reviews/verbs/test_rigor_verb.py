"""`benchmarks rigor` in a shell: reports, gates, exit codes, and what machines read."""

import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.artifacts.roots import Located
from tests.driving import Shell
from tests.reviews.desks import make_desk

SLUG = "local--refund-desk"


@pytest.fixture
def clean(lab_home: Path) -> Located:
    """Nothing was run on it, so nothing fails and much is unknown."""
    return make_desk(lab_home / "benchmarks")


def test_report_is_written_and_exits_zero_though_the_gate_fails(
    shell: Shell, desk: Located
) -> None:
    ran = shell("benchmarks", "rigor", SLUG)
    assert ran.code == 0
    assert ran.document["gate"]["failures"] == ["null_floor"]
    assert (desk.directory.path / "rigor-report.md").is_file()
    shown = shell("benchmarks", "rigor", SLUG, "--format", "text")
    assert "null_floor" in shown.out
    assert "\x1b" not in shown.out


def test_several_benchmarks_give_an_array(shell: Shell, desk: Located, tmp_path: Path) -> None:
    other = make_desk(tmp_path / "other")
    ran = shell("benchmarks", "rigor", SLUG, other.directory.path)
    assert [report["gate"]["status"] for report in ran.document] == ["fail", "pass"]


def test_gate_exits_one_for_fail_beside_unknown(shell: Shell, desk: Located) -> None:
    ran = shell("benchmarks", "rigor", SLUG, "--ci")
    assert ran.code == 1
    [gate] = ran.document
    assert gate["schema_version"] == "understudy.rigor_ci.v1"
    assert (gate["benchmark_dir"], gate["failures"]) == (SLUG, ["trivial-floors"])
    assert "gold-leakage" in gate["unknowns"]
    assert not (desk.directory.path / "rigor-report.json").exists()
    assert shell("benchmarks", "rigor", SLUG, "--ci", "--strict").code == 1


def test_gate_exits_zero_for_unknown_alone_and_three_under_strict(
    shell: Shell, clean: Located
) -> None:
    assert shell("benchmarks", "rigor", SLUG, "--ci").code == 0
    assert shell("benchmarks", "rigor", SLUG, "--ci", "--strict").code == 3
    shown = shell("benchmarks", "rigor", "--benchmark", SLUG, "--ci", "--format", "text")
    assert f"{SLUG}: PASS" in shown.out


def test_no_benchmark_is_a_usage_error(shell: Shell) -> None:
    ran = shell("benchmarks", "rigor")
    assert (ran.code, ran.error["code"]) == (2, "invalid_arguments")


def test_unknown_run_is_named(shell: Shell, desk: Located) -> None:
    ran = shell("benchmarks", "rigor", SLUG, "--run", "run-9")
    assert (ran.code, ran.error["code"]) == (2, "unknown_run")
    assert shell("benchmarks", "rigor", SLUG, "--run", "run-1").code == 0


def test_junit_has_a_case_per_check(shell: Shell, desk: Located, tmp_path: Path) -> None:
    path = tmp_path / "rigor.xml"
    assert shell("benchmarks", "rigor", SLUG, "--ci", "--junit", path).code == 1
    suite = ElementTree.parse(path).getroot()
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    assert cases["trivial-floors"].find("failure") is not None
    assert cases["gold-leakage"].find("skipped") is not None
    assert list(cases["verifier-fixtures"]) == []
    assert list(cases["manifest-schema"]) == []
    assert suite.get("failures") == "1"


def test_unknown_is_a_failure_where_it_decides_the_exit(
    shell: Shell, clean: Located, tmp_path: Path
) -> None:
    path = tmp_path / "rigor.xml"
    assert shell("benchmarks", "rigor", SLUG, "--ci", "--strict", "--junit", path).code == 3
    suite = ElementTree.parse(path).getroot()
    assert suite.get("skipped") == "0"
    assert int(suite.get("failures") or 0) > 0


def test_summary_is_appended_where_the_build_asks_for_it(
    shell: Shell, desk: Located, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "summary.md"
    path.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    shell("benchmarks", "rigor", SLUG, "--ci", "--github-summary")
    page = path.read_text(encoding="utf-8")
    assert page.startswith("before\n| benchmark | check | status | finding |")
    assert "| local--refund-desk | trivial-floors | FAIL |" in page
    assert page.endswith("local--refund-desk: fail\n")


def git(folder: Path, *words: str) -> None:
    names = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *names, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two committed benchmarks; the second commit changed one of them."""
    folder = tmp_path / "repo"
    for name in ("a", "b"):
        make_desk(folder / name)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    (folder / "a" / "refund-desk" / "note.txt").write_text("x", encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "second")
    return folder


def both(folder: Path) -> list[Path]:
    return [folder / name / "refund-desk" for name in ("a", "b")]


def test_only_changed_benchmarks_are_checked(shell: Shell, repository: Path) -> None:
    ran = shell("benchmarks", "rigor", *both(repository), "--ci", "--changed-only")
    assert len(ran.document) == 1


def test_nothing_changed_selects_nothing(shell: Shell, repository: Path) -> None:
    words = ["benchmarks", "rigor", *both(repository), "--ci", "--changed-only", "--base", "HEAD"]
    ran = shell(*words)
    assert (ran.code, ran.out, ran.error["code"]) == (2, "", "nothing_selected")
    (both(repository)[1] / "new.txt").write_text("x", encoding="utf-8")
    assert len(shell(*words).document) == 1


def test_base_that_looks_like_a_flag_is_refused(shell: Shell, repository: Path) -> None:
    ran = shell(
        "benchmarks", "rigor", both(repository)[0], "--changed-only", "--base=--output=/tmp/x"
    )
    assert (ran.code, ran.error["code"]) == (2, "invalid_arguments")


def test_git_that_cannot_tell_checks_everything_and_says_so(shell: Shell, repository: Path) -> None:
    ran = shell(
        "benchmarks", "rigor", *both(repository), "--ci", "--changed-only", "--base", "nowhere"
    )
    assert len(ran.document) == 2
    assert "git could not tell what changed, all are checked" in ran.err
