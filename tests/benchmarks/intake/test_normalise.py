"""The printed vectors of spec/files.md 3.2, and what a capture is made of."""

import json
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.intake.ingest import Intake, IntakeOptions, ingest
from benchmarks.intake.normalise import capture_key
from benchmarks.records.capture import Capture
from benchmarks.records.digest import json_digest

OPTIONS = IntakeOptions(now=datetime(2026, 11, 2, 9, 20, tzinfo=UTC))
LINE = (
    '{"schema_version":4,"request_id":"req-7f31","ts":"2026-11-02T09:14:03Z",'
    '"workload_name":"refund-desk","request_body":{"model":"gpt-5.5","messages":[{"role":"user",'
    '"content":"Refund order A-1007, it came broken."}]},"response_body":{"choices":[{"message":'
    '{"role":"assistant","content":"On it."}}]}}'
)


def read(tmp_path: Path, text: str, name: str = "captures.jsonl") -> Intake:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return ingest([tmp_path / name], options=OPTIONS)


def only(intake: Intake) -> Capture:
    (capture,) = intake.captures
    return capture


def test_the_printed_capture_line(tmp_path: Path) -> None:
    capture = only(read(tmp_path, LINE + "\n"))
    assert capture.capture_id == "req-7f31"
    assert capture.source.sha256 == (
        "76de460f98d4e5f590614534cfd7968540b22d48c49cb04b304e686d6c0ff83c"
    )
    assert capture.source.record_sha256 == (
        "e6560533085d3cdad71b62fe85f3005f07895ca5bc19600e093c29901d3f35eb"
    )
    assert capture.capture_key == "789923b8b49ccb3859659160ced15916"
    assert json_digest({"kind": "fingerprint", "root": capture.capture_key}) == (
        "ecd3aab93469f815c9a53cb32c1642cc2333d42215b5697a6d5ae01a02529f9b"
    )


def test_the_fields_of_the_printed_capture(tmp_path: Path) -> None:
    written = only(read(tmp_path, LINE + "\n")).dump()
    assert written["captured_at"] == "2026-11-02T09:14:03.000Z"
    assert written["source"]["pointer"] == "captures.jsonl#L1"
    assert written["source"]["pointers"] == ["captures.jsonl#L1"]
    assert written["source"]["local_path"] == "captures.jsonl"
    assert written["source"]["identity"]["request_id"] == "req-7f31"
    assert "task_id" not in written["source"]["identity"]
    assert written["scope"] == {
        "org_id": None, "project_id": None, "workload_id": None, "workload_name": "refund-desk",
    }  # fmt: skip
    assert written["routing"]["requested_model"] == "gpt-5.5"
    assert written["request"] == {
        "system": None,
        "messages": [{"role": "user", "content": "Refund order A-1007, it came broken."}],
        "tools": [],
        "settings": {"model": "gpt-5.5"},
    }
    assert written["response"] == {
        "encoding": "json",
        "body": {"choices": [{"message": {"role": "assistant", "content": "On it."}}]},
        "tool_calls": [],
        "stop_reason": None,
    }
    assert written["warnings"] == ["upstream_request_unavailable", "missing_usage"]
    assert (written["trace"], written["upstream_request"]) == (None, None)
    assert "raw" not in written
    assert "secrets" not in written


def test_the_same_object_in_another_layout_is_one_capture_with_two_pointers(
    tmp_path: Path,
) -> None:
    shuffled = dict(reversed(json.loads(LINE).items()))
    (tmp_path / "a.jsonl").write_text(LINE + "\n", encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps([shuffled], indent=1), encoding="utf-8")
    intake = ingest([tmp_path], options=OPTIONS)
    capture = only(intake)
    assert capture.source.pointers == ["a.jsonl#L1", "b.json#/0"]
    assert capture.source.pointer == "a.jsonl#L1"
    assert capture.source.sha256.startswith("76de460f")
    assert intake.report.duplicates == 1
    assert intake.report.records == 2


def test_two_records_with_one_request_id_are_two(tmp_path: Path) -> None:
    other = LINE.replace("broken", "late")
    first, second = read(tmp_path, f"{LINE}\n{other}\n").captures
    assert first.capture_id == second.capture_id == "req-7f31"
    assert first.capture_key != second.capture_key


def test_a_record_without_any_id_is_named_by_its_bytes(tmp_path: Path) -> None:
    record = '{"task_id":1,"trial":0,"reward":1,"traj":[{"role":"user","content":"hi"}]}'
    capture = only(read(tmp_path, record))
    assert capture.capture_id == capture.source.sha256[:24]
    assert capture.capture_key == capture_key(
        capture.capture_id, capture.source.record_sha256 or ""
    )
    assert capture.captured_at is None
    assert capture.warnings == ["unknown_time"]


def test_fingerprints_follow_scope_system_and_first_user_turn(tmp_path: Path) -> None:
    def group(line: str) -> str:
        return only(read(tmp_path, line)).fingerprints.group

    assert group(LINE) == group(LINE.replace("On it.", "Done.").replace("req-7f31", "r"))
    assert group(LINE) != group(LINE.replace("refund-desk", "other"))
    assert group(LINE) != group(LINE.replace("broken", "late"))


def test_a_capture_reads_back_equal(tmp_path: Path) -> None:
    capture = only(read(tmp_path, LINE))
    assert Capture.read(json.loads(json.dumps(capture.dump()))) == capture
