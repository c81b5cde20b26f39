import json
from pathlib import Path

from tests.driving import Shell

TRIAL = {"task_id": 1, "trial": 0, "reward": 1.0, "traj": [
    {"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"},
    {"role": "user", "content": "bye ###STOP###"}]}  # fmt: skip


def test_traces_doctor_prints_the_report(shell: Shell, tmp_path: Path) -> None:
    source = tmp_path / "f.json"
    source.write_text(json.dumps([TRIAL]), encoding="utf-8")
    ran = shell("traces", "doctor", source)
    assert ran.code == 0
    assert ran.document["by_dialect"] == {
        "tau_bench": {"files": 1, "records": 1, "conversations": 1, "turns": 3, "calls": 0}
    }
    assert ran.document["would_build"]["tasks"] == 1


def test_a_loss_above_the_bar_exits_1_and_still_prints(shell: Shell, tmp_path: Path) -> None:
    source = tmp_path / "f.jsonl"
    source.write_text(f"{json.dumps(TRIAL)}\n{{broken\n", encoding="utf-8")
    ran = shell("traces", "doctor", source)
    assert (ran.code, ran.document["verdict"]) == (1, "fail")
    assert shell("traces", "doctor", source, "--max-loss", "0.5").code == 0


def test_sources_without_a_capture_exit_2(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "read.me").write_text("words", encoding="utf-8")
    ran = shell("traces", "doctor", tmp_path)
    assert (ran.code, ran.error["code"]) == (2, "nothing_selected")
    assert shell("traces", "doctor", tmp_path / "nowhere").code == 2


def test_people_see_a_table_and_the_next_command(shell: Shell, tmp_path: Path) -> None:
    source = tmp_path / "my traces.json"
    source.write_text(json.dumps([TRIAL]), encoding="utf-8")
    ran = shell("traces", "doctor", source, "--format", "text")
    assert "tau_bench" in ran.out
    assert "pass: loss 0.0%, bar 5.0%" in ran.out
    assert ran.out.rstrip().splitlines()[-1] == (
        f"understudy traces build-benchmark '{source}' --waive-pilot REASON"
    )


def test_the_output_file_holds_the_report(shell: Shell, tmp_path: Path) -> None:
    source, output = tmp_path / "f.json", tmp_path / "report.json"
    source.write_text(json.dumps([TRIAL]), encoding="utf-8")
    ran = shell("traces", "doctor", source, "--output", output, "--no-redact")
    written = json.loads(output.read_text(encoding="utf-8"))
    assert written == ran.document
    assert written["redacted"] is False
