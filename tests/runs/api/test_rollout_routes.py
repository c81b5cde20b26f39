"""Rollouts over REST: watched, listed, read, compared and replayed; both stages alike."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from tests.rest import Rest
from tests.reviews.desks import add_rows, make_promoted_desk
from tests.reviews.factories import make_row, make_task
from tests.runs.rollouts.kept import calling, text
from tests.runs.services.requests import make_request, queue
from tests.runs.services.test_following import FINAL, REFUND, START, lines, write
from tests.runs.services.test_replaying import CALL, record
from tests.runs.services.test_rollouts import keep, refund

pytestmark = pytest.mark.django_db
REFUNDS = "local--refund-desk"
ONE: dict[str, Any] = {"run": "run-1", "task": "t1"}
SECRET = "sk-" + "a1B2" * 8


@pytest.fixture(params=["proposed", "promoted"])
def bench(request: pytest.FixtureRequest, lab_home: Path) -> Located:
    """The refund desk at either stage."""
    if request.param == "proposed":
        found: Located = request.getfixturevalue("refunds")
        return found
    return make_promoted_desk(lab_home / "benchmarks")


# Watched


def test_a_run_is_watched_line_by_line(rest: Rest, refunds: Located) -> None:
    queue(refunds, make_request(status="running"))
    told = lines(START, REFUND, {**REFUND, "kind": "result", "content": "ok"}, FINAL)
    write(refunds, [*told[:2], told[2][:30]])
    first = rest.get("/api/runs/live", slug=REFUNDS, **ONE)
    assert first.status == 200
    found = first.document
    assert [each["kind"] for each in found["lines"]] == ["rollout_start", "call"]
    assert (found["run_id"], found["status"], found["task_id"]) == ("run-1", "running", "t1")
    assert (found["since"], found["next"], found["live"]) == (0, 2, None)
    assert found["progress"] == {"completed": 0, "total": 2}
    write(refunds, told)
    then = rest.get("/api/runs/live", run="run-1", since=2).document
    assert [each["kind"] for each in then["lines"]] == ["result", "final_response"]
    assert then["next"] == 4
    assert [step["event"] for step in then["accumulation"]["steps"]] == ["call", "final_response"]
    assert then["accumulation"]["verdict"]["task_completed_correctly"] is True


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({"run": "run-9"}, 404, "unknown_run"),
        ({"run": "run-1", "task": "t9"}, 404, "unknown_task"),
        ({"run": "run-1", "arm": "m9"}, 404, "unknown_arm"),
        ({"run": "run-1", "since": -1}, 400, "invalid_arguments"),
        ({"run": "../x"}, 400, "invalid_arguments"),
        ({}, 400, "invalid_arguments"),
        ({"run": "run-1", "slug": "local--nope"}, 404, "unknown_benchmark"),
    ],
)
def test_what_cannot_be_watched_says_why(
    rest: Rest, refunds: Located, query: dict[str, Any], status: int, code: str
) -> None:
    queue(refunds, make_request())
    answered = rest.get("/api/runs/live", **query)
    assert (answered.status, answered.code) == (status, code)


# Listed


def test_the_rollouts_of_a_task_come_with_their_turns(rest: Rest, bench: Located) -> None:
    keep(bench, refund(), refund(rollout=1))
    add_rows(bench, make_row("t2"), make_row(rollout=7, created_at="2026-11-05T00:00:00.000Z"))
    found = rest.get("/api/rollouts", slug=REFUNDS, task="t1").document
    assert (found["task_id"], found["total_rows"], found["page"]["returned"]) == ("t1", 3, 3)
    assert [each["rollout"] for each in found["rollouts"]] == [7, 1, 0]
    bare, _, whole = found["rollouts"]
    assert (bare["turns"], bare["snippet"], bare["system"]) == ([], "", None)
    assert [(turn["role"], turn["text"]) for turn in whole["turns"]] == [
        ("user", "Refund A-1007."),
        ("assistant", ""),
        ("assistant", "Done."),
    ]
    assert [call["tool"] for call in whole["turns"][1]["calls"]] == ["issue_refund"]
    assert (whole["snippet"], whole["score"], whole["model"]) == ("Refund A-1007.", 1, "m1")
    assert set(whole) >= {
        *("id", "run_id", "model", "route", "status", "score", "subscores", "latency_ms"),
        *("trace_leaf", "snippet", "system", "turns", "branch_depth"),
    }


def test_the_list_of_rollouts_is_paged_and_narrowed(rest: Rest, refunds: Located) -> None:
    keep(refunds, *(refund(rollout=number) for number in range(3)), refund(model="m2"))

    def listed(**query: Any) -> Any:
        return rest.get("/api/rollouts", slug=REFUNDS, task="t1", **query).document

    first = listed(limit=3)
    then = listed(limit=3, cursor=first["page"]["next_cursor"])
    ids = [each["id"] for each in [*first["rollouts"], *then["rollouts"]]]
    assert (len(ids), len(set(ids)), then["page"]["next_cursor"]) == (4, 4, None)
    assert [each["model"] for each in listed(arm="m2")["rollouts"]] == ["m2"]
    assert listed(run="run-9")["rollouts"] == []
    too_many = rest.get("/api/rollouts", slug=REFUNDS, task="t1", limit=101)
    assert (too_many.status, too_many.code) == (400, "invalid_arguments")
    unknown = rest.get("/api/rollouts", slug=REFUNDS, task="t9")
    assert (unknown.status, unknown.code) == (404, "unknown_task")


def test_at_most_four_hundred_turns_come(rest: Rest, refunds: Located) -> None:
    turns = [text(number, "user", f"turn {number}") for number in range(450)]
    keep(refunds, refund().with_(turns=turns, calls=[]))
    [found] = rest.get("/api/rollouts", slug=REFUNDS, task="t1").document["rollouts"]
    assert (len(found["turns"]), found["turns_total"]) == (400, 450)


def test_a_turn_over_a_blob_is_whole(rest: Rest, refunds: Located) -> None:
    words = "x" * 70_000
    keep(refunds, refund().with_(turns=[text(0, "user", words)], calls=[]))
    [found] = rest.get("/api/rollouts", slug=REFUNDS, task="t1").document["rollouts"]
    assert (found["turns"][0]["text"], len(found["snippet"])) == (words, 120)


# Read


def test_a_rollout_is_read_with_what_each_step_met(rest: Rest, bench: Located) -> None:
    keep(bench, refund())
    found = rest.get("/api/rollouts/one", **ONE).document
    assert (found["model"], found["rollout"], found["complete"]) == ("m1", 0, True)
    assert [each["kind"] for each in found["events"]] == [
        *("user", "call", "result", "assistant", "final_response"),
    ]
    assert found["page"]["total"] == 5
    assert found["verdict"]["strict"] == 1
    assert "messages" not in found
    more = rest.get("/api/rollouts/one", **ONE, include="messages").document
    assert len(more["messages"]["turns"]) == 3


def test_the_events_of_a_rollout_come_in_pages(rest: Rest, refunds: Located) -> None:
    keep(refunds, refund())
    seen: list[int] = []
    cursor: dict[str, Any] = {}
    while True:
        found = rest.get("/api/rollouts/one", **ONE, limit=2, **cursor).document
        seen += [each["index"] for each in found["events"]]
        if found["page"]["next_cursor"] is None:
            break
        cursor = {"cursor": found["page"]["next_cursor"]}
    assert seen == [0, 1, 2, 3, 4]
    dead = rest.get("/api/rollouts/one", **ONE, limit=2, rollout=1, **cursor)
    assert dead.code in {"cursor_invalid", "unknown_rollout"}


def test_a_label_with_slashes_names_an_arm_in_the_query(rest: Rest, refunds: Located) -> None:
    labels = ["m1", "vendor/m 1?&"]
    names = layout.arm_names(labels)
    queue(refunds, make_request(models=labels, arm_names=names))
    each = refund(model=labels[1])
    file = layout.trajectories("run-1", names[labels[1]])
    refunds.directory.append(file, each)
    line = make_row(model=labels[1], trajectory_ref={"path": file.path, "attempt": 1})
    refunds.directory.append(layout.rows("run-1", names[labels[1]]), line)
    found = rest.get("/api/rollouts/one", **ONE, arm=labels[1])
    assert (found.status, found.document["model"]) == (200, labels[1])
    several = rest.get("/api/rollouts/one", **ONE)
    assert (several.status, several.code) == (409, "ambiguous")
    assert several.document["details"] == {"candidates": labels}


def test_two_rollouts_are_compared(rest: Rest, bench: Located) -> None:
    keep(bench, refund("A-1007"), refund("B-2", model="m2"))
    query = {"task": "t1", "run_a": "run-1", "run_b": "run-1", "arm_a": "m1", "arm_b": "m2"}
    found = rest.get("/api/rollouts/diff", **query).document
    assert (found["a"]["model"], found["b"]["model"]) == ("m1", "m2")
    assert found["tool_sequence"]["arguments_diverge_at"] == 0
    assert [each["same"] for each in found["obligations"]] == [False]
    add_rows(bench, make_row(rollout=3))
    none = rest.get("/api/rollouts/diff", **query, rollout_a=3)
    assert (none.status, none.code) == (409, "not_measured")


# Replayed


def test_a_task_is_replayed_at_either_stage(rest: Rest, bench: Located) -> None:
    record(bench, CALL)
    keep(bench, refund())
    answered = rest.get("/api/replay", slug=REFUNDS, task="t1")
    assert answered.status == 200
    found = answered.document
    assert found["verdict"]["task_completed_correctly"] is True
    assert [(arm["key"], arm["verdict"]["strict"]) for arm in found["arms"]] == [("m1 · run-1", 1)]
    assert found["stage"] in {"proposed", "promoted"}
    assert rest.get("/api/replay", slug=REFUNDS, task="t9").code == "unknown_task"
    assert rest.get("/api/replay", task="t1").code == "invalid_arguments"


# Text from outside


def test_holdout_rollouts_come_with_the_notice_at_each_route(rest: Rest, lab_home: Path) -> None:
    bench = make_promoted_desk(lab_home / "benchmarks", make_task("t1", split="holdout"))
    keep(bench, refund(), refund(rollout=1))
    write(bench, lines(START))
    queue(bench, make_request(status="running", rollouts_per_task=2))
    diff = {"run_a": "run-1", "run_b": "run-1", "rollout_b": 1}
    for path, query in (
        ("rollouts", {"slug": REFUNDS}),
        ("rollouts/one", {"run": "run-1"}),
        ("rollouts/diff", diff),
        ("replay", {"slug": REFUNDS}),
        ("runs/live", {"run": "run-1"}),
    ):
        answered = rest.get(f"/api/{path}", task="t1", **query)
        assert answered.status == 200, answered.body
        assert answered.document["notices"][0]["text"] == (
            "holdout figures: 0 looks at the holdout so far"
        )
        assert next(iter(answered.document)) == "notices"


def test_secrets_in_a_rollout_never_leave(rest: Rest, refunds: Located) -> None:
    queue(refunds, make_request(status="running"))
    words = f"the key is {SECRET}"
    turns = [text(0, "user", words), calling(1, "issue_refund"), text(2, "assistant", words)]
    keep(refunds, refund().with_(turns=turns, final_response=words))
    write(refunds, lines(START, {"kind": "assistant", "content": words}))
    for path in (
        f"/api/rollouts?slug={REFUNDS}&task=t1",
        "/api/rollouts/one?run=run-1&task=t1&include=messages",
        f"/api/replay?slug={REFUNDS}&task=t1",
        "/api/runs/live?run=run-1&task=t1",
    ):
        name, _, query = path.partition("?")
        asked = dict(part.split("=") for part in query.split("&"))
        answered = rest.get(name, **asked)
        assert answered.status == 200
        assert SECRET.encode() not in answered.body
        assert any("api_key" in each for each in answered.document["warnings"])


def test_an_unchanged_rollout_is_304(rest: Rest, refunds: Located) -> None:
    keep(refunds, refund())
    etag = rest.get("/api/rollouts/one", **ONE).headers["ETag"]
    assert rest.get("/api/rollouts/one", **ONE, headers={"If-None-Match": etag}).status == 304
    keep(refunds, refund(rollout=1))
    assert json.loads(rest.get("/api/rollouts/one", **ONE, rollout=1).body)["rollout"] == 1
