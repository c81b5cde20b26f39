"""A source whose tools give an answer away is found out by the build, and stays so."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.services.regenerating import failed, regenerate_env
from tests.benchmarks.services.factories import CALLER, LATER, build, desk, task_lines

ANSWER = "Yes, it is on its way."


@pytest.fixture
def leaking(tmp_path: Path) -> Path:
    """A desk whose look-ups say their final answer in the description of a tool."""
    source = desk(tmp_path / "captures")
    lines = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if line["request_body"]["messages"][1]["content"].startswith("Did you send"):
            line["request_body"]["tools"][0]["function"]["description"] = f"Orders. {ANSWER}"
    text = "".join(json.dumps(line) + "\n" for line in lines)
    source.write_text(text, encoding="utf-8")
    build(tmp_path / "desk", source)
    return tmp_path / "desk"


def looked_up(path: Path) -> list[str]:
    return [line["task_id"] for line in task_lines(path) if line["title"].startswith("Did you")]


def test_a_build_says_which_tasks_leak_and_is_blocked(leaking: Path) -> None:
    directory = BenchmarkDir(leaking)
    manifest, benchmark = directory.load(layout.MANIFEST), directory.load(layout.BENCHMARK)
    assert manifest is not None
    assert benchmark is not None
    audit = manifest.leakage_audit or {}
    assert (audit["status"], audit["checked_tasks"]) == ("findings", 6)
    assert audit["package_sha256"] == (benchmark.environment or {})["package_sha256"]
    first, second = looked_up(leaking)
    found = [(one["task_id"], one["location"], one["excerpt"]) for one in audit["findings"]]
    assert [one for one in found if one[1] == "tools.get_order"] == [
        (first, "tools.get_order", ANSWER),
        (second, "tools.get_order", ANSWER),
    ]
    assert {one[0] for one in found} == {first, second}
    assert benchmark.promotion_blockers == ["gold_leakage"]


def test_a_regeneration_tells_the_leak_and_fails(leaking: Path) -> None:
    answer: dict[str, Any] = regenerate_env(
        directory=BenchmarkDir(leaking), slug="local--desk", caller=CALLER, now=LATER
    )
    assert answer["leakage_audit"]["status"] == "findings"
    assert answer["leakage_audit"]["leaking_tasks"] == looked_up(leaking)
    assert answer["self_check"]["failed"] == 0
    assert failed(answer)


@pytest.mark.parametrize("redact", [True, False])
def test_secrets_that_were_kept_on_purpose_fail_no_later_build(
    tmp_path: Path, redact: bool
) -> None:
    source = desk(tmp_path / "captures")
    key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"
    text = source.read_text(encoding="utf-8").replace("My toaster", f"My key is {key}, my toaster")
    source.write_text(text, encoding="utf-8")
    path = tmp_path / "desk"
    build(path, source, redact=redact)
    assert (key in (path / "tasks.jsonl").read_text(encoding="utf-8")) is not redact
    answer: dict[str, Any] = regenerate_env(
        directory=BenchmarkDir(path), slug="local--desk", caller=CALLER, now=LATER
    )
    assert answer["self_check"]["environment_failures"] == []
    build(path)
    manifest = BenchmarkDir(path).load(layout.MANIFEST)
    assert manifest is not None
    assert manifest.is_redacted is redact
    assert manifest.self_check is not None
    assert manifest.self_check.environment_failures == []


def test_a_sound_build_is_clean(bench: Path) -> None:
    manifest = BenchmarkDir(bench).load(layout.MANIFEST)
    assert manifest is not None
    audit = manifest.leakage_audit or {}
    assert (audit["status"], audit["checked_tasks"], audit["findings"]) == ("clean", 6, [])
