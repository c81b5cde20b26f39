import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.driving import Shell
from understudy_site.absent import ABSENT
from understudy_site.cli import VERBS

REPOSITORY = Path(__file__).resolve().parents[2]


def test_alone_it_prints_the_nouns(shell: Shell) -> None:
    ran = shell()
    assert ran.code == 0
    assert ran.err == ""
    assert [line.split()[0] for line in ran.out.splitlines() if line.startswith("  ")] == [
        "traces",
        "benchmarks",
        "runs",
        "reviews",
        "trust",
        "hub",
        "demo",
    ]


def test_version(shell: Shell) -> None:
    assert (shell("--version").out, shell("--version").code) == ("understudy 0.1.0\n", 0)


@pytest.mark.parametrize(
    ("words", "nearest"),
    [
        (("tracse", "doctor"), "nearest: understudy traces"),
        (("traces", "docter"), "nearest: understudy traces doctor"),
        (("benchmarks", "review", "--accept-all-pending"), "understudy reviews accept-clean"),
        (("traces", "run-replays"), "understudy runs queue"),
        (("traces", "serve"), "understudy hub serve"),
        (("traces", "build-viewer"), "understudy hub serve"),
        (("next",), "understudy benchmarks status"),
        (("xyzzy",), "understudy --help"),
        (("runs", "xyzzy"), "understudy runs --help"),
    ],
)
def test_what_does_not_exist_exits_2_and_names_the_nearest(
    shell: Shell, words: tuple[str, ...], nearest: str
) -> None:
    ran = shell(*words)
    assert (ran.code, ran.out) == (2, "")
    assert (ran.error["code"], ran.error["hint"]) == ("unknown_tool", nearest)


@pytest.mark.parametrize("name", sorted(ABSENT))
def test_what_a_later_release_has_is_unsupported_and_never_a_guess(shell: Shell, name: str) -> None:
    ran = shell(*name.split(), "--benchmark", "B")
    assert (ran.code, ran.out) == (1, "")
    assert (ran.error["code"], ran.error["details"]) == ("unsupported", {"missing": name})
    assert ran.error["message"] == f"{name} is not in this release"
    assert "nearest" not in ran.error["hint"]


def test_nothing_absent_is_a_verb_and_hints_name_verbs_that_are_there(shell: Shell) -> None:
    verbs = {f"{entry.noun} {entry.name}".strip() for entry in VERBS}
    assert not verbs & set(ABSENT)
    for hint in ABSENT.values():
        _, found, command = hint.partition("understudy ")
        assert not found or " ".join(command.split()[:2]) in verbs


@pytest.mark.parametrize(
    ("words", "target"),
    [
        (("benchmarks", "evolve"), "understudy benchmarks experiment"),
        (("capture-import", "x"), "understudy benchmarks profile"),
        (("traces", "push-prime"), "understudy benchmarks export"),
    ],
)
def test_an_older_name_whose_successor_is_absent_says_so(
    shell: Shell, words: tuple[str, ...], target: str
) -> None:
    ran = shell(*words)
    assert (ran.code, ran.error["code"]) == (2, "unknown_tool")
    assert ran.error["hint"].startswith(f"{target}, which is not in this release; ")


def test_manage_py_is_the_same_command(shell: Shell, lab_home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "benchmarks", "list", "--home", str(lab_home)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    here = shell("benchmarks", "list")
    assert (done.returncode, json.loads(done.stdout)) == (0, here.document)


def test_a_wrong_value_leaves_stdout_empty_and_one_json_line_last(shell: Shell) -> None:
    ran = shell("runs", "queue", "--benchmark", "B", "--models", "a", "--rollouts", "2.5")
    assert (ran.code, ran.out) == (2, "")
    assert ran.error["code"] == "invalid_arguments"
    assert "2.5" in ran.error["message"]
    assert "1..20" in ran.error["message"]


def test_as_text_an_error_says_error_and_hint(shell: Shell) -> None:
    ran = shell("benchmarks", "show", "local--nowhere", "--format", "text")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: ")
    assert "\nhint: " in ran.err


def test_a_closed_pipe_ends_quietly(lab_home: Path) -> None:
    command = f"{sys.executable} -m understudy_site.cli --help | true"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_project_file_names_captures_and_a_root_and_nothing_else(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    shutil.copytree(REPOSITORY / "understudy_site" / "demo_data", project / "traces")
    (project / ".understudy").mkdir()
    config = {"captures": "traces", "benchmarks": "benches", "gateway_url": "http://elsewhere"}
    (project / ".understudy" / "config.json").write_text(json.dumps(config))
    (project / "deep").mkdir()
    monkeypatch.chdir(project / "deep")
    built = shell("traces", "build-benchmark", "--slug", "desk", "--waive-pilot", "test")
    assert (built.code, built.document["counts"]["tasks"]) == (0, 10)
    assert [root["path"] for root in shell("benchmarks", "list").document["roots"]][1] == str(
        project / "benches"
    )


def test_as_text_a_refusal_names_each_value_and_every_cure(shell: Shell, demo_home: Path) -> None:
    captures = demo_home / "benchmarks" / "demo-captures"
    shell("traces", "build-benchmark", captures, "--slug", "desk", "--waive-pilot", "test")
    ran = shell("traces", "promote", "desk", "--format", "text")
    assert (ran.code, ran.out) == (1, "")
    assert "hint: source_dag_quarantines: understudy traces promote" in ran.err
    assert ran.err.splitlines()[-1] == (
        "next: understudy traces promote --benchmark local--desk --waive-dag REASON"
    )


def test_an_integer_of_thousands_of_digits_is_shown_whole(shell: Shell, demo_home: Path) -> None:
    table = demo_home / "benchmarks" / "demo" / "tasks.jsonl"
    first, *rest = table.read_text("utf-8").splitlines()
    digits = "9" * 6000
    table.write_text("\n".join([first[:-1] + f', "x_id": {digits}}}', *rest]) + "\n", "utf-8")
    task_id = json.loads(first)["task_id"]
    ran = shell("benchmarks", "tasks", "demo", task_id)
    assert ran.code == 0
    assert digits in ran.out
