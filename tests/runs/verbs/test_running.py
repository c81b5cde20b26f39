"""The verbs that queue, execute and cancel, and those of trust, through the shell."""

import json
from pathlib import Path

import pytest

from benchmarks.artifacts.home import home
from tests.driving import Shell
from tests.factories import Desk, make_desk

TASK = "task-0000000000000001"


@pytest.fixture
def desk(lab_home: Path) -> Desk:
    return make_desk(home().benchmarks / "desk", 2)


def test_queue_execute_and_status_from_the_shell(desk: Desk, shell: Shell) -> None:
    queued = shell("runs", "queue", "desk", "--models", "scripted/careful", "--tasks", TASK)
    assert queued.code == 0
    run_id = queued.document["run_id"]
    assert queued.document["status"] == "queued"
    assert queued.document["execute_hint"].endswith(f"--run {run_id}")
    assert queued.err == ""
    executed = shell("runs", "execute", "--benchmark", "desk")
    assert executed.code == 0
    assert executed.err.startswith("executor version 0.1.0 (pid ")
    assert f"{run_id} run_finished 1/1" in executed.err
    assert [run["status"] for run in executed.document] == ["done"]
    assert len(desk.rows()) == 1


def test_case_2_a_number_that_is_none_is_a_usage_error(desk: Desk, shell: Shell) -> None:
    ran = shell("runs", "queue", "--benchmark", "desk", "--models", "a", "--rollouts", "2.5")
    assert (ran.code, ran.out) == (2, "")
    assert ran.error["code"] == "invalid_arguments"
    assert "2.5" in ran.error["message"]
    assert "1..20" in ran.error["message"]


def test_a_notice_stands_on_stderr_before_the_answer(desk: Desk, shell: Shell) -> None:
    assert shell("trust", "set", "bounded_experiments").code == 0
    ran = shell("runs", "queue", "desk", "--models", "scripted/careful,scripted/hasty")
    assert ran.err.startswith("notice: bounded_experiments: 2 model arms")
    assert ran.document["notices"][0]["kind"] == "posture"


def test_below_the_posture_the_error_offers_one_action(desk: Desk, shell: Shell) -> None:
    ran = shell("runs", "queue", "desk", "--models", "a,b")
    assert ran.code == 1
    assert ran.error["code"] == "posture_too_low"
    assert [action["command"] for action in ran.error["next_actions"]] == [
        "understudy trust set bounded_experiments"
    ]
    assert shell("runs", "queue", "desk", "--models", "a,b", "--confirm").code == 0


def test_overrides_come_from_files_and_from_earlier_runs(
    desk: Desk, shell: Shell, tmp_path: Path
) -> None:
    file = tmp_path / "suffix.txt"
    file.write_text("\nBe kind = be brief.\n", encoding="utf-8")
    words = ("runs", "queue", "desk", "--models", "m", "--tasks", TASK, "--confirm")
    first = shell(*words, "--prompt-override", f"kind=m={file}").document
    assert first["prompt_overrides"][0]["system_prompt_suffix"] == "Be kind = be brief."
    again = shell(*words, "--prompt-override", f"kind=m=run:{first['run_id']}").document
    assert again["prompt_overrides"] == first["prompt_overrides"]
    missing = shell(*words, "--prompt-override", f"other=m=run:{first['run_id']}")
    assert missing.code == 2
    assert shell(*words, "--prompt-override", "kind=m").code == 2
    assert shell(*words, "--prompt-override", "kind=m=/nowhere").error["code"] == (
        "source_not_found"
    )


def test_settings_are_json_given_or_in_a_file(desk: Desk, shell: Shell, tmp_path: Path) -> None:
    words = ("runs", "queue", "desk", "--models", "m", "--tasks", TASK)
    file = tmp_path / "settings.json"
    file.write_text('{"temperature": 0.5}', encoding="utf-8")
    assert shell(*words, "--settings", f"@{file}").document["settings"] == {"temperature": 0.5}
    assert shell(*words, "--settings", "{").code == 2


def test_a_dry_run_prints_the_quote_for_people(desk: Desk, shell: Shell) -> None:
    ran = shell("runs", "queue", "desk", "--models", "gpt-4o", "--dry-run", "--format", "text")
    assert "dry run: would be queued on local--desk" in ran.out
    again = "understudy runs queue desk --models gpt-4o --format text"
    assert ran.out.splitlines()[-1] == again
    assert "2 to play, 0 on disk" in ran.out
    assert "$0.08" in ran.out
    assert "no cap" in ran.out
    assert not (desk.path / "runs/queue").exists()


def test_cancel_from_the_shell(desk: Desk, shell: Shell) -> None:
    run_id = shell("runs", "queue", "desk", "--reference-arms", "oracle").document["run_id"]
    ran = shell("runs", "cancel", "desk", run_id)
    assert ran.document["run"]["status"] == "cancelled"
    said = shell("runs", "cancel", "desk", run_id, "--format", "text")
    assert said.out.splitlines() == [
        f"{run_id} is cancelled: 0 of 2 cells have rows",
        "next: calibration is not run",
        "understudy runs queue --benchmark local--desk --trivial-arms null_agent,spam_agent",
    ]


def test_an_empty_queue_is_an_empty_list_and_says_so(desk: Desk, shell: Shell) -> None:
    ran = shell("runs", "execute", "desk")
    assert (ran.code, ran.document) == (0, [])
    assert "the queue is empty" in ran.err


def test_a_run_that_fails_exits_1(desk: Desk, shell: Shell) -> None:
    shell("runs", "queue", "desk", "--models", "no-such-model", "--tasks", TASK)
    ran = shell("runs", "execute", "--all", "--format", "text")
    assert ran.code == 1
    assert "failed" in ran.out
    status = shell("benchmarks", "status", "desk").document
    assert ran.out.splitlines()[-1] == status["next"]["command"]


def test_what_a_later_version_brings_is_refused_by_name(desk: Desk, shell: Shell) -> None:
    for words in (("--distribute",), ("--runner", "oracle")):
        ran = shell("runs", "execute", "desk", *words)
        assert ran.error["code"] == "unsupported"
    assert shell("runs", "execute").code == 2
    assert shell("runs", "execute", "desk", "--all").code == 2


def test_trust_in_the_shell(lab_home: Path, shell: Shell) -> None:
    words = ("trust", "set", "hosted_ops", "--spend-stop-loss", "5")
    forbidden = ("--allow-provider-upload", "--forbid-provider-upload")
    assert shell(*words, *forbidden).document["resolved"] == {
        "level": "hosted_ops",
        "allow_spend_usd_per_run": 5,
        "allow_provider_upload": False,
        "allow_traffic_changes": False,
    }
    shown = shell("trust", "show", "--format", "text").out
    assert "hosted_ops" in shown
    assert "$5 a run, stopped at twice of it" in shown
    cleared = shell("trust", "set", "hosted_ops", "--clear-spend-stop-loss")
    assert cleared.document["resolved"]["allow_spend_usd_per_run"] is None
    unknown = shell("trust", "set", "trusted")
    assert unknown.code == 2
    assert "local_sandbox, bounded_experiments, hosted_ops" in unknown.error["message"]
    assert json.loads((lab_home / "trust.json").read_text("utf-8"))["level"] == "hosted_ops"
