import json
from pathlib import Path
from typing import Any

from tests.demo import PlayedDemo
from tests.driving import Shell

NEXT = "understudy traces doctor <your captures>"


def test_the_demo_ends_with_board_rigor_status_and_one_next_command(shell: Shell) -> None:
    ran = shell("demo", "--format", "text")
    assert ran.code == 0
    lines = ran.out.rstrip().splitlines()
    assert lines[-1] == NEXT
    assert any(line.split()[:1] == ["scripted/incumbent"] for line in lines)
    assert any(line.startswith("UNKNOWN") and "noise_floor" in line for line in lines)
    said = " ".join(ran.out.split())
    assert "PASS 23: " in said
    assert "UNKNOWN 2: noise_floor, guidance_effectiveness" in said
    assert any(line.startswith("stage") and "promoted" in line for line in lines)


def test_its_document_says_each_step_and_what_came_of_it(played_demo: PlayedDemo) -> None:
    document = played_demo.document
    assert [(step["step"], step["ok"]) for step in document["steps"]] == [
        ("captures", True), ("doctor", True), ("directions", True), ("pilot", True),
        ("build", True), ("verify", True), ("gate, promote", True), ("calibrate", True),
        ("read", True),
    ]  # fmt: skip
    assert document["slug"] == "local--demo"
    assert document["seconds"] < 60
    board = document["leaderboard"]
    assert [(arm["label"], arm["overall"]) for arm in board["arms"]] == [("scripted/incumbent", 1)]
    directory = played_demo.benchmarks / "demo"
    record = json.loads((directory / "promotion-record.json").read_text())
    assert record["pilot"] == {"verdict": "pass", "waived": False}
    assert [waiver["issue"] for waiver in record["waivers"]] == ["lineage"]
    assert record["verifiers"] == {"tested": 10, "weak": 0, "untested": 0}


def test_the_interview_the_audit_and_the_corrected_verifier_are_in_its_files(
    played_demo: PlayedDemo,
) -> None:
    document = played_demo.document
    said = {step["step"]: step["said"] for step in document["steps"]}
    directory = played_demo.benchmarks / "demo"

    def read(name: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((directory / name).read_text(encoding="utf-8"))
        return found

    picked = read("directions.json")["picked"]
    assert (picked["actor"], picked["door"]) == ("demo", "shell")
    dependencies = read("dependencies.json")["dependencies"]
    assert [(one["posture"], one["approved_by"]) for one in dependencies] == [
        ("simulated", "demo"),
        ("frozen", "demo"),
    ]
    audit, pilot = read("pilot-audit.json"), read("manifest.json")["pilot"]
    assert (audit["verdict"], pilot) == ("pass", {"task_id": audit["task_id"], "pending": 0})
    assert audit["agent_audit"]["findings"] == ["the world answered as it was recorded"]
    assert audit["verifier_audit"]["findings"] == ["each met entry is right"]
    assert audit["agent_audit"]["arm"] == "scripted/incumbent"
    assert said["pilot"].startswith(f"{audit['task_id']}: the valid rollout passes")
    (feedback,) = [
        json.loads(line) for line in (directory / "feedback.jsonl").read_text().splitlines()[:1]
    ]
    assert f"1 weak verifier found ({feedback['task_id']})" in said["verify"]
    assert document["status"]["ledgers"]["feedback"]["open"] == 0
    assert document["status"]["version"]["current"] == "1.1.0"


def test_a_second_demo_is_refused_and_a_fresh_one_keeps_the_first(
    shell: Shell, demo_home: Path
) -> None:
    second = shell("demo")
    assert (second.code, second.out, second.error["code"]) == (1, "", "already_exists")
    assert shell("demo", "--fresh").code == 0
    kept = sorted(path.name for path in (demo_home / "benchmarks").iterdir())
    assert kept == ["demo", "demo-1", "demo-1-captures", "demo-captures"]


def test_the_same_seed_gives_the_same_rows_but_for_times_and_ids(
    shell: Shell, played_demo: PlayedDemo, tmp_path: Path
) -> None:
    def rows(folder: Path) -> list[tuple[str, str, object, object]]:
        found = [
            json.loads(line)
            for path in sorted(folder.glob("rows-*.jsonl"))
            for line in path.read_text().splitlines()
        ]
        keys = ("model", "task_id", "score", "writes")
        return sorted((tuple(row[key] for key in keys) for row in found), key=str)

    assert shell("demo", "--output", tmp_path / "again").code == 0
    assert rows(tmp_path / "again") == rows(played_demo.benchmarks / "demo")
