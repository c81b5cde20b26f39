import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.errors import LossAboveBar, NothingSelected, SourceNotFound
from benchmarks.services.doctoring import doctor
from tests.benchmarks.services.factories import build

NOW = datetime(2026, 11, 2, tzinfo=UTC)
HI = {"role": "user", "content": "hi"}
BYE = {"role": "user", "content": "bye ###STOP###"}
HO = {"role": "assistant", "content": "ho"}


def trial(task: int, number: int, reward: float) -> dict[str, Any]:
    return {"task_id": task, "trial": number, "reward": reward, "traj": [HI, HO, BYE]}


def put(folder: Path, *lines: Any) -> Path:
    path = folder / "f.jsonl"
    written = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("\n".join(written), encoding="utf-8")
    return path


def test_the_report_says_what_a_build_would_make(tmp_path: Path) -> None:
    path = put(tmp_path, trial(1, 0, 0.0), trial(1, 1, 1.0), trial(1, 2, 1.0), trial(2, 0, 0.0))
    report = doctor(sources=[path], now=NOW)
    assert report["would_build"] == {
        "tasks": 1, "trials_merged": 2, "no_successful_trajectory": 1, "helpers_attached": 0,
        "closed": 1, "open": 0, "lost": {}, "lost_first": {}, "conversations": 4,
        "unsolved_first": "f.jsonl#L4", "unclassified_tools": [],
    }  # fmt: skip
    assert (report["verdict"], report["captures"]) == ("pass", 4)


def test_a_loss_above_the_bar_fails_and_a_higher_bar_passes(tmp_path: Path) -> None:
    path = put(tmp_path, trial(1, 0, 1.0), "{broken")
    assert doctor(sources=[path], now=NOW)["verdict"] == "fail"
    assert doctor(sources=[path], max_loss=0.5, now=NOW)["verdict"] == "pass"


def test_nothing_is_written_but_the_output(tmp_path: Path) -> None:
    path = put(tmp_path, trial(1, 0, 1.0))
    before = sorted(tmp_path.iterdir())
    report = doctor(sources=[path], now=NOW)
    assert sorted(tmp_path.iterdir()) == before
    output = tmp_path / "report.json"
    doctor(sources=[path], output=output, now=NOW)
    assert json.loads(output.read_text(encoding="utf-8")) == report
    assert output.stat().st_mode & 0o777 == 0o600


def refused(tmp_path: Path, *lines: Any) -> NothingSelected:
    with pytest.raises(NothingSelected) as caught:
        doctor(sources=[put(tmp_path, *lines)], output=tmp_path / "report.json", now=NOW)
    assert (tmp_path / "report.json").exists()
    return caught.value


def test_sources_without_a_capture_name_what_was_seen(tmp_path: Path) -> None:
    traj = {"traj": [], "reward": 1}
    (tmp_path / "notes.md").write_text("words", encoding="utf-8")
    put(tmp_path, {"model": "m", "messages": []}, traj, traj)
    with pytest.raises(NothingSelected) as caught:
        doctor(sources=[tmp_path], now=NOW)
    assert caught.value.message == (
        f"no capture in {tmp_path.name}: an object with reward, traj (2); "
        "an object with messages, model (1); a file named .md (1)"
    )
    assert caught.value.details["files"] == {
        "seen": 2,
        "recognised": 0,
        "other": 2,
        "with_captures": 0,
    }


@pytest.mark.parametrize(
    ("record", "dialect", "lacks"),
    [
        ({"model": "m", "messages": []}, "openai.chat", "a response beside the request"),
        ({"contents": [{"parts": [{"text": "hi"}]}]}, "gemini", "a response beside the request"),
        ({"traj": [], "reward": 1}, "tau_bench", "a list traj beside task_id"),
        ({"uuid": "u1", "type": "user", "message": HI}, "claude_code", "sessionId and uuid"),
        ({"spans": [{"name": "chat"}]}, "otlp", "resourceSpans"),
        ({"steps": [{"source": "user"}], "agent": {}}, "atif", "schema_version ATIF-"),
        ({"version": 2, "eval": {}}, "inspect", "version, eval and plan"),
    ],
)
def test_a_near_miss_names_the_dialect_and_the_mark_it_lacks(
    tmp_path: Path, record: dict[str, Any], dialect: str, lacks: str
) -> None:
    error = refused(tmp_path, record)
    assert error.details["nearest"] == {"dialect": dialect, "lacks": lacks}
    assert error.hint == f"the nearest dialect is {dialect}; it wants {lacks}"


def test_what_comes_near_to_nothing_is_sent_to_the_list_of_dialects(tmp_path: Path) -> None:
    error = refused(tmp_path, {"colour": "red"})
    assert "nearest" not in error.details
    assert error.hint.startswith("docs/dialects.md lists what is read")


def test_what_is_recognised_and_holds_no_capture_says_the_cure(tmp_path: Path) -> None:
    request = {"custom_id": "a", "method": "POST", "url": "/v1/chat/completions",
               "body": {"model": "m", "messages": [HI]}}  # fmt: skip
    error = refused(tmp_path, request)
    assert error.message == "no capture in f.jsonl: no response: a request without an answer (1)"
    assert error.hint == (
        "add the file that holds the answers; the first is f.jsonl#L1: a request without an answer"
    )


def test_spans_without_any_message_are_a_report_that_fails(tmp_path: Path) -> None:
    span = {
        "traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331", "name": "chat",
        "attributes": [
            {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
            {"key": "gen_ai.response.id", "value": {"stringValue": "r1"}},
        ],
    }  # fmt: skip
    path = put(tmp_path, {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})
    for bar in (0.05, 1.0):
        report = doctor(sources=[path], max_loss=bar, now=NOW)
        assert (report["verdict"], report["captures"]) == ("fail", 0)
        assert report["losses"] == {"record": 0.0, "message": 1.0, "join": 0.0}
        assert report["orphan_spans"] == 1
        assert report["would_build"]["tasks"] == 0
        found = {one["code"]: one for one in report["findings"]}["no_content"]
        assert (found["severity"], found["text"]) == (
            "error",
            "1 inference span carries no content: content capture is off "
            "(OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true)",
        )
        assert found["next"].endswith("; or add the traces that hold it: response id r1")


def test_what_would_not_be_built_is_among_the_findings(tmp_path: Path) -> None:
    report = doctor(sources=[put(tmp_path, trial(2, 0, 0.0))], now=NOW)
    assert [one["code"] for one in report["findings"]][:2] == [
        "no_tasks", "no_successful_trajectory",
    ]  # fmt: skip


def test_somebody_who_waits_is_told_how_many_bytes_were_read(tmp_path: Path) -> None:
    path = put(tmp_path, trial(1, 0, 1.0))
    told: list[tuple[int, int]] = []
    doctor(sources=[path], progress=lambda read, total: told.append((read, total)), now=NOW)
    size = path.stat().st_size
    assert told == [(size, size)]


def test_a_missing_source_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match="nowhere"):
        doctor(sources=[tmp_path / "nowhere"], now=NOW)


def test_a_build_refuses_spans_without_any_message_as_the_doctor_fails_them(
    tmp_path: Path,
) -> None:
    attributes = [{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}]
    span = {"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331",
            "name": "chat", "attributes": attributes}  # fmt: skip
    path = put(tmp_path, {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})
    with pytest.raises(LossAboveBar, match=r"100\.0% of the model calls carry no content"):
        build(tmp_path / "desk", path)
    with pytest.raises(NothingSelected, match=r"no messages"):
        build(tmp_path / "desk", path, max_loss=1.0)
