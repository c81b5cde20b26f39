"""What a reviewer checks a task against: the recording, its world, its origins and its rollouts."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.records.caller import Caller
from benchmarks.records.environment import EnvironmentTask, Gold, GoldTask, ScriptedUser
from benchmarks.records.note import Feedback
from reviews.services.reading_task import read_task
from tests.reviews.captures import SESSION_KEY, make_session
from tests.reviews.desks import add_rows, make_desk, make_promoted_desk
from tests.reviews.factories import make_flag, make_row, make_task

MIRA = Caller("user:mira", "admin")


def part(desk: Located, name: str, task_id: str = "t1") -> Any:
    return read_task(located=desk, task_id=task_id, include={name})[name]


@pytest.fixture
def told(tmp_path: Path) -> Located:
    """A task whose source is one captured conversation of five turns."""
    source = {
        "node_ids": [SESSION_KEY],
        "captures": [{"capture_key": SESSION_KEY, "pointer": "talks.jsonl#L1"}],
    }
    desk = make_desk(tmp_path, make_task("t1", source=source), make_task("t2"))
    desk.directory.append(layout.CAPTURES, make_session())
    shown = EnvironmentTask(
        task_id="t1",
        prompt="Refund A-1007.",
        candidate_prompt=[{"role": "user", "content": "Refund A-1007."}],
        system_prompt="You handle refunds.",
        user=ScriptedUser(mode="scripted", turns=["Yes, all of it."]),
    )
    desk.directory.replace(layout.ENV_TASKS, [shown])
    return desk


def test_each_turn_says_what_a_candidate_gets_of_it(told: Located) -> None:
    recording = part(told, "recording")
    assert [(turn["role"], turn["side"]) for turn in recording["turns"]] == [
        ("system", "seen"),
        ("user", "seen"),
        ("assistant", "recorded"),
        ("tool", "recorded"),
        ("user", "later"),
        ("assistant", "recorded"),
    ]
    assert recording["end"]["reason"] == "reply"


def test_without_an_environment_nothing_but_the_system_text_is_taken_for_seen(
    told: Located,
) -> None:
    told.directory.replace(layout.ENV_TASKS, [])
    sides = [turn["side"] for turn in part(told, "recording")["turns"]]
    assert sides == ["seen", "recorded", "recorded", "recorded", "recorded", "recorded"]


def test_task_without_captures_has_no_recording(told: Located) -> None:
    assert part(told, "recording", "t2") is None


def test_lineage_names_the_captures_and_the_kin_across_splits(tmp_path: Path) -> None:
    source = {"node_ids": ["a", "b"], "captures": [{"capture_key": "a", "pointer": "x#L1"}]}
    desk = make_desk(
        tmp_path,
        make_task("t1", cluster_id="cl-1", split="train", source=source),
        make_task("t2", cluster_id="cl-1", split="holdout"),
        make_task("t3", cluster_id="cl-2"),
    )
    pair = {"a": "t1", "b": "t2", "similarity": 0.93}
    manifest = desk.directory.load(layout.BENCHMARK)
    assert manifest is not None
    splits = {**(manifest.splits or {}), "near_duplicates": [pair, {"a": "t2", "b": "t3"}]}
    desk.directory.replace(layout.BENCHMARK, manifest.with_(splits=splits))
    found = part(desk, "lineage")
    assert found["captures"] == [
        {"capture_key": "a", "pointer": "x#L1", "captured_at": None, "beside": False},
        {"capture_key": "b", "pointer": None, "captured_at": None, "beside": True},
    ]
    assert found["cluster"] == {
        "cluster_id": "cl-1",
        "tasks": [{"task_id": "t2", "name": "Refund t2", "split": "holdout"}],
        "crosses_splits": True,
    }
    assert found["near_duplicates"] == [pair]
    assert part(desk, "lineage", "t3")["cluster"] is None


def test_surroundings_tell_own_answers_from_shared_ones_and_name_what_is_missing(
    tmp_path: Path,
) -> None:
    offered = [{"name": name} for name in ("get_order", "get_hours", "get_stock", "issue_refund")]
    desk = make_desk(tmp_path, make_task("t1", tool_definitions=offered))
    policy = desk.directory.load(layout.TOOL_POLICY)
    assert policy is not None
    reads = {name: {"effect": "read"} for name in ("get_order", "get_hours", "get_stock")}
    desk.directory.replace(
        layout.TOOL_POLICY, policy.read({"tools": {**policy.dump()["tools"], **reads}})
    )
    rows = desk.directory.load_list(layout.FIXTURES)
    entity = {"type": "order", "id": "A-1007"}
    desk.directory.replace(
        layout.FIXTURES, [row.with_(entity=entity) if row.task_id else row for row in rows]
    )
    env = desk.directory.load_list(layout.ENV_TASKS)
    desk.directory.replace(
        layout.ENV_TASKS, [EnvironmentTask.read({**row.dump(), "tools": offered}) for row in env]
    )
    call = {"call_id": "c1", "tool": "issue_refund", "arguments": {}, "status": "ok"}
    gold = GoldTask.read({"task_id": "t1", "calls": [{**call, "confirmed": False}]})
    desk.directory.replace(layout.GOLD, Gold(tasks=[gold]))
    found = part(desk, "surroundings")
    assert found["posture"] == {"posture": "simulated", "from": "its tools, as a suggestion"}
    assert found["entities"] == [{"type": "order", "id": "A-1007", "reads": 1}]
    counts = [(tool["name"], tool["own"], tool["shared"]) for tool in found["tools"]]
    assert counts == [
        ("get_order", 1, 0),
        ("get_hours", 0, 1),
        ("get_stock", 0, 0),
        ("issue_refund", 0, 0),
    ]
    assert found["not_recorded"] == ["get_stock"]
    assert found["unconfirmed"] == ["issue_refund"]


def test_arms_give_every_rollout_its_place(tmp_path: Path) -> None:
    desk = make_desk(tmp_path)
    odd = {"kind": "low_fidelity", "detail": "0.5"}
    add_rows(
        desk,
        make_row("t1", 1.0, rollout=0),
        make_row("t1", 0.5, rollout=1),
        make_row("t1", 1.0, rollout=2, anomaly=odd),
        make_row("t1", None, rollout=3, missing_reason={
            "code": "rate_limit", "blame": "provider", "detail": "429",
        }),
        make_row("t2", 0.0, rollout=0),
        make_row("t1", 1.0, model="m2"),
    )  # fmt: skip
    first, second = part(desk, "arms")
    assert [(r["rollout"], r["place"], r["reason"], r["passed"]) for r in first["rollouts"]] == [
        (0, "scored", None, True),
        (1, "scored", None, False),
        (2, "anomalous", "low_fidelity", True),
        (3, "missing", "provider", None),
    ]
    assert (first["model"], first["mean_score"], first["scored"]) == ("m1", 0.75, 2)
    # Wilson at 0.75 of 2: (0.75 + 0.960365 ± 1.959964 · sqrt(0.09375 + 0.240091)) / 2.920729
    assert first["interval"] == {"low": 0.197867, "high": 0.973323, "n": 2}
    assert second["interval"]["insufficient"] is True


def test_handoff_is_that_of_the_newest_open_feedback(tmp_path: Path) -> None:
    desk = make_desk(tmp_path)
    assert part(desk, "handoff") is None
    for number, words in enumerate(("wrong amount", "no, the shipping")):
        line = Feedback(
            benchmark_id="refund-desk",
            task_id="t1",
            feedback=words,
            created_at=f"2026-11-04T09:00:0{number}.000Z",
        )
        desk.directory.append(layout.FEEDBACK, line)
    text = part(desk, "handoff")
    assert text.index("no, the shipping") < text.index("still open (data):\n```text\nwrong amount")


def test_flags_of_a_task_are_its_own_and_those_of_the_whole(tmp_path: Path) -> None:
    desk = make_promoted_desk(tmp_path)
    for task_id in ("t1", None, "t2"):
        desk.directory.append(layout.FLAGS, make_flag(task_id))
    flags = part(desk, "flags")
    assert [flag["task_id"] for flag in flags] == ["t1", None]
    assert all(flag["flag_id"].startswith("flag-") for flag in flags)
