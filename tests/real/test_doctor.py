"""What the doctor says of every folder of real traces, and that a build of it does the same."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.errors import LossAboveBar, NothingSelected
from benchmarks.services.doctoring import doctor
from tests.benchmarks.services.factories import NOW, build

BUILT = {
    "captures": 79, "cassettes": 79, "bedrock": 8, "otlp": 14, "langfuse": 22, "langsmith": 10,
    "sessions": 20, "openhands": 6, "swe-agent": 5, "harbor-atif": 14, "inspect": 34,
    "deepeval-traces": 3,
}  # fmt: skip
"""Tasks by folder, every loss waived."""


@pytest.mark.parametrize("folder", sorted(BUILT))
def test_a_build_makes_what_the_doctor_says(data_dir: Path, tmp_path: Path, folder: str) -> None:
    source = data_dir / folder
    report = doctor(sources=[source], max_loss=1.0, now=NOW)
    answer = build(tmp_path / "desk", source, max_loss=1.0, dry_run=True)
    said = report["would_build"]
    assert said["tasks"] == answer["counts"]["tasks"] == BUILT[folder]
    assert said["closed"] + said["open"] == said["tasks"]
    assert said["helpers_attached"] == answer["dropped"].get("helper_attached", 0)
    assert said["trials_merged"] == answer["dropped"].get("repeat_trial", 0)
    lost = {"no_user_turn", "no_model_output", "lineage_cycle"} & answer["dropped"].keys()
    assert said["lost"] == {reason: answer["dropped"][reason] for reason in lost}
    assert said["lost_first"].keys() == lost
    assert said["conversations"] == answer["counts"]["conversations"]
    assert said["unclassified_tools"] == answer["unclassified_tools"]
    assert report["captures"] == answer["counts"]["captures"]
    assert report["files"]["with_captures"] == answer["counts"]["source_files"]
    assert report["dropped"].items() <= answer["dropped"].items()
    assert report["records"] == (
        report["captures"] + sum(report["dropped"].values()) + report["duplicates"]
    )


def test_tasks_without_a_success_are_named_by_both(data_dir: Path, tmp_path: Path) -> None:
    """Of 50 tasks with two trials each, 19 were never solved; both trials of them are left out."""
    source = data_dir / "tau-bench" / "gpt-4o-airline.trials01.json"
    said = doctor(sources=[source], now=NOW)["would_build"]
    answer = build(tmp_path / "desk", source, dry_run=True)
    assert said == {
        "tasks": 31, "trials_merged": 31, "no_successful_trajectory": 19, "helpers_attached": 0,
        "closed": 31, "open": 0, "lost": {}, "lost_first": {}, "conversations": 100,
        "unsolved_first": "gpt-4o-airline.trials01.json#/0",
        "unclassified_tools": [],
    }  # fmt: skip
    assert answer["counts"]["tasks"] == 31
    assert answer["dropped"] == {"no_successful_trajectory": 38, "repeat_trial": 31}


@pytest.mark.parametrize(
    ("name", "wrappers", "orphans"),
    [
        ("agno-2025-06-11.trace.json", (2, 2110, 658), 0),
        ("csharp-agent-with-gemini-2026-03-09.trace.json", (2, 8047, 414), 1),
        ("pydantic-ai-tools-2025-12-04.trace.json", (3, 1315, 209), 0),
        ("koog-2025-08-26.chatml.json", (0, 0, 0), 0),
    ],
)
def test_usage_of_wrappers_and_orphans_of_framework_traces(
    data_dir: Path, name: str, wrappers: tuple[int, int, int], orphans: int
) -> None:
    source = data_dir / "langfuse" / "framework-traces" / name
    report = doctor(sources=[source], max_loss=1.0, now=NOW)
    keys = ("spans", "input_tokens", "output_tokens")
    assert report["wrapper_usage"] == dict(zip(keys, wrappers, strict=True))
    assert report["orphan_spans"] == report["joins"]["orphan_spans"] == orphans


def codes(report: Mapping[str, Any]) -> dict[str, str]:
    return {one["code"]: one["text"] for one in report["findings"]}


def test_spans_of_kits_are_read_and_what_they_lack_is_said(data_dir: Path, tmp_path: Path) -> None:
    source = data_dir / "otlp"
    report = doctor(sources=[source], now=NOW)
    assert (report["verdict"], report["loss"]) == ("fail", 0.2609)
    assert report["losses"] == {"record": 0.2609, "message": 0.0, "join": 0.2}
    found = codes(report)
    assert list(found) == [
        "loss_above_bar", "missing_ids", "missing_results", "orphan_spans", "unclassified_tools",
        "conversations_lost", "call_inferred", "missing_usage", "duplicates",
    ]  # fmt: skip
    assert found["loss_above_bar"] == "26.1% of the records are lost; the bar is 5.0%"
    assert found["missing_ids"] == "6 records lack the ids that join them to others"
    assert found["orphan_spans"] == "5 spans name parents that were not recorded"
    with pytest.raises(LossAboveBar, match=r"26\.1% of the records are lost"):
        build(tmp_path / "desk", source)


def test_a_file_that_lost_its_calls_is_refused_with_what_it_lost(data_dir: Path) -> None:
    source = data_dir / "tau-bench" / "MockRetailDomainEnv-few_shot.jsonl"
    report = doctor(sources=[source], now=NOW)
    assert report["losses"] == {"record": 0.0, "message": 0.0, "join": 1.0}
    assert codes(report)["orphan_results"] == "479 results answer no call that was recorded"


def test_a_folder_of_tasks_and_scores_holds_none_and_says_what_it_holds(data_dir: Path) -> None:
    with pytest.raises(NothingSelected) as caught:
        doctor(sources=[data_dir / "tau2-bench"], now=NOW)
    assert caught.value.message.startswith("no capture in tau2-bench: task definitions (80); ")
    assert caught.value.details["nearest"]["dialect"] == "tau2"


def test_secrets_of_framework_traces_are_counted_by_kind(data_dir: Path) -> None:
    report = doctor(sources=[data_dir / "langfuse"], now=NOW)
    assert report["secrets"] == {"api_key": 9}
    assert codes(report)["secrets_redacted"] == "secrets redacted: 9 api_key"
