import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.errors import NothingSelected, SourceNotFound
from benchmarks.services.doctoring import doctor

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
        "closed": 1, "open": 0,
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


def test_sources_without_a_capture_name_what_was_seen_and_the_nearest_dialect(
    tmp_path: Path,
) -> None:
    path = put(tmp_path, {"model": "m", "messages": []}, {"traj": [], "reward": 1},
               {"traj": [], "reward": 0})  # fmt: skip
    with pytest.raises(NothingSelected) as caught:
        doctor(sources=[path], now=NOW)
    assert caught.value.message == (
        "no capture in f.jsonl: 2 not_a_capture: an object with reward, traj; "
        "1 not_a_capture: an object with messages, model"
    )
    assert (
        caught.value.hint == "the nearest dialect is tau_bench; it wants a list traj beside task_id"
    )
    assert caught.value.details["files"] == {"seen": 1, "recognised": 0, "other": 1}


def test_dialects_that_are_not_read_here_are_named(tmp_path: Path) -> None:
    path = put(tmp_path, {"resourceSpans": []})
    with pytest.raises(NothingSelected) as caught:
        doctor(sources=[path], output=tmp_path / "report.json", now=NOW)
    assert caught.value.hint == "recognised and not readable by this version: otlp"
    assert (tmp_path / "report.json").exists()


def test_a_missing_source_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match="nowhere"):
        doctor(sources=[tmp_path / "nowhere"], now=NOW)
