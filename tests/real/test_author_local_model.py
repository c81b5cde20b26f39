"""One small real model authors one small task: the call completes, and nothing false merges.

The model has 135 million parameters and invents what it does not know, which is what grounding is
there for. `.ci/run` installs it; elsewhere the test skips.
"""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import Located
from benchmarks.records.caller import Caller
from runs.services.authoring import Wish, queue_authoring
from tests.benchmarks.services.factories import build, desk, look_up, task_lines
from tests.driving import Shell
from tests.local_model import MODEL, missing, running_model

pytestmark = pytest.mark.slow
TEXT = {"type": "string", "minLength": 1, "maxLength": 16}
ENTRY = {
    "type": "object",
    "properties": {
        "type": {"enum": ["read_obligation"]},
        "tool": {"type": "string", "maxLength": 24},
        "arguments_semantic": {
            "type": "object", "properties": {"order_id": TEXT}, "required": ["order_id"],
        },
    },
    "required": ["type", "tool", "arguments_semantic"],
}  # fmt: skip
PARTS = {
    "type": "object",
    "properties": {"required": {"type": "array", "items": ENTRY, "minItems": 1, "maxItems": 1}},
    "required": ["required"],
}
FIELDS = {
    "statement": TEXT,
    "intent_summary": TEXT,
    "success_criteria": {"type": "array", "items": TEXT, "minItems": 1, "maxItems": 1},
    "category_proposal": {
        "type": "object", "properties": {"id": TEXT, "name": TEXT}, "required": ["id", "name"],
    },
    "difficulty": {"enum": ["easy", "medium", "hard"]},
    "difficulty_reason": TEXT,
    "confidence": {"enum": ["high", "medium", "low"]},
    "contract": PARTS,
}  # fmt: skip
SCHEMA = {"type": "object", "properties": FIELDS, "required": list(FIELDS)}
SETTINGS = {
    "max_output_tokens": 160,
    "response_format": {
        "type": "json_schema", "json_schema": {"name": "task", "schema": SCHEMA},
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def local_model() -> Any:
    """The URL of the model; where CI promised it, it must be there."""
    lacking = missing()
    if lacking and not os.environ.get("UNDERSTUDY_TEST_LOCAL_MODEL"):
        pytest.skip(f"no local model: {', '.join(lacking)} is not installed (.ci/run does it)")
    with running_model() as url:
        yield url


def test_a_small_real_model_is_heard_and_believed_only_where_it_is_right(
    local_model: str, lab_home: Path, tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNDERSTUDY_LOCAL_SERVERS", local_model)
    path = home().benchmarks / "desk"
    build(path, desk(tmp_path / "source", look_up(5)))
    bench = BenchmarkDir(path)
    (before,) = task_lines(path)
    asked = queue_authoring(
        located=Located(bench, "local--desk", read_only=False),
        home=home(),
        wish=Wish(models=(MODEL,), task_ids=(before["task_id"],), context_cap=1000),
        caller=Caller("os:mira", "shell"),
        now=datetime.now(UTC),
    )
    assert asked["quote"]["basis"] == "free"
    request = bench.request(asked["run_id"])
    bench.replace(layout.request(request.run_id), request.with_(settings=SETTINGS))
    assert shell("runs", "execute", "--benchmark", "desk").code == 0
    assert bench.request(request.run_id).status == "done"

    events = bench.read(layout.AUTHORING_EVENTS).records
    assert [event.status for event in events] == ["ok"] * len(events)
    assert 1 <= len(events) <= 2
    for event in events:
        assert event.tokens["prompt"] > 500
        assert event.tokens["completion"] > 10
        assert isinstance(json.loads(event.reply or ""), dict)
    (after,) = task_lines(path)
    verified = events[-1].grounding == "verified"
    assert after["authored"]["grounding"] == ("verified" if verified else "failed")
    assert after["authored"]["grounding_violations"] == events[-1].violations
    kept = after["outcome_contract"]["required"][: len(before["outcome_contract"]["required"])]
    assert kept == before["outcome_contract"]["required"]
    if not verified:
        assert events[-1].violations
        assert after["outcome_contract"] == before["outcome_contract"]
        assert after["status"] == "needs_review"
    validation = bench.load(layout.VALIDATION)
    assert validation is not None
    assert validation.tasks[0].is_solvable
    assert validation.tasks[0].passing_sentinels == []
