import json
from pathlib import Path

import pytest

from benchmarks.verbs.traces_doctor import gauge
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
    assert "1 task (1 closed, 0 open)" in ran.out
    assert ran.out.rstrip().splitlines()[-1] == (f"understudy traces build-benchmark '{source}'")


def test_people_see_what_was_lost_and_how_to_build_all_the_same(
    shell: Shell, tmp_path: Path
) -> None:
    source = tmp_path / "f.jsonl"
    source.write_text(f"{json.dumps(TRIAL)}\n{{broken\n", encoding="utf-8")
    ran = shell("traces", "doctor", source, "--format", "text", "--max-age-days", "0")
    assert ran.code == 1
    shown = " ".join(ran.out.split())
    assert "malformed_line 1 loss f.jsonl#L2" in shown
    assert "fail: loss 50.0%, bar 5.0%" in shown
    assert "error: 50.0% of the records are lost; the bar is 5.0%" in shown
    assert ran.out.rstrip().splitlines()[-2:] == [
        "to build all the same:",
        f"understudy traces build-benchmark {source} --max-age-days 0 --max-loss 0.5",
    ]


def test_spans_without_content_exit_1_and_no_build_is_offered(shell: Shell, tmp_path: Path) -> None:
    source = tmp_path / "f.json"
    attributes = [{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}]
    span = {"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331",
            "name": "chat", "attributes": attributes}  # fmt: skip
    spans = {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}
    source.write_text(json.dumps(spans), encoding="utf-8")
    ran = shell("traces", "doctor", source, "--max-loss", "1", "--format", "text")
    assert ran.code == 1
    assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true" in ran.out
    assert "build-benchmark" not in ran.out


def test_a_file_without_a_capture_counts_in_no_share_and_is_told_apart(
    shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "f.jsonl").write_text(f"{json.dumps(TRIAL)}\n{{broken\n", encoding="utf-8")
    (tmp_path / "g.jsonl").write_text("{broken\n", encoding="utf-8")
    ran = shell("traces", "doctor", tmp_path, "--format", "text")
    shown = " ".join(ran.out.split())
    assert "malformed_line 2 loss, 1 apart f.jsonl#L2" in shown
    assert "50.0%, 1 of 2 records; 1 more in files without a capture" in shown
    assert "1 recognised of 2 seen; 1 with captures" in shown
    assert "-> export them again, or take them out; the first is f.jsonl#L2" in shown


def test_conversations_and_tools_are_those_of_a_build(shell: Shell, tmp_path: Path) -> None:
    source = tmp_path / "f.json"
    source.write_text(json.dumps([TRIAL]), encoding="utf-8")
    shown = " ".join(shell("traces", "doctor", source, "--format", "text").out.split())
    assert "out of 1 conversation unclassified no tool that a task calls" in shown


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0.0, "···············|··············· 0.0%"), (0.05, "███████████████|··············· 5.0%"),
     (0.1, "███████████████|███████████████ 10.0%")],
)  # fmt: skip
def test_a_share_is_drawn_beside_the_bar(share: float, shown: str) -> None:
    assert gauge(share, {"loss": 0.1, "bar": 0.05}) == shown


def test_a_bar_of_nothing_is_drawn_too() -> None:
    assert gauge(0.0, {"loss": 0.0, "bar": 0.0}) == f"|{'·' * 30} 0.0%"


def test_the_output_file_holds_the_report(shell: Shell, tmp_path: Path) -> None:
    source, output = tmp_path / "f.json", tmp_path / "report.json"
    source.write_text(json.dumps([TRIAL]), encoding="utf-8")
    ran = shell("traces", "doctor", source, "--output", output, "--no-redact")
    written = json.loads(output.read_text(encoding="utf-8"))
    assert written == ran.document
    assert written["redacted"] is False
