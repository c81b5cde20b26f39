"""Rows, events, calibrations and looks over REST, as the mirror has them."""

import json
import os
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.records.calibration import Calibration
from benchmarks.records.event import RunEvent
from benchmarks.records.holdout import HoldoutLook
from benchmarks.records.row import Row
from tests.factories import Desk, queue
from tests.rest import Rest
from tests.reviews.desks import add_rows
from tests.reviews.factories import make_row
from tests.runs.services.requests import make_request
from tests.runs.services.requests import queue as put

pytestmark = pytest.mark.django_db
REFUNDS = "local--refund-desk"
SECRET = "sk-" + "a1B2" * 8


def row(**changes: Any) -> Row:
    return make_row(**{"run_id": "run-1", "model": "m1", **changes})


def at(second: int) -> str:
    return f"2026-11-04T09:00:{second:02d}.000Z"


def rows(rest: Rest, **query: Any) -> list[tuple[str, str, str, int]]:
    found = rest.get("/api/rows", **query).document["results"]
    return [(each["run_id"], each["model"], each["task_id"], each["rollout"]) for each in found]


def event(seq: int, kind: str = "rollout", **changes: Any) -> RunEvent:
    line = {"ts": at(seq), "run_id": "run-1", "type": kind, "seq": seq, **changes}
    return RunEvent.read({"executor_version": "1.0.0", **line})


def look(second: int, **changes: Any) -> HoldoutLook:
    said = {"kind": "run", "run_id": "run-1", "arms": ["m1"], "task_ids": ["t1"]}
    return HoldoutLook.read({"at": at(second), **said, **changes})


# Rows


def test_a_row_comes_under_the_names_of_its_record(rest: Rest, refunds: Located) -> None:
    odd = {"kind": "low_fidelity", "detail": "x"}
    add_rows(
        refunds,
        row(
            score=None,
            status="unscored",
            anomaly=odd,
            anomalies=[odd],
            missing_reason={"code": "low_fidelity", "blame": "environment", "detail": "x"},
            cost=0.25,
            latency_ms=120.5,
            usage={"input_tokens": 7, "output_tokens": 3, "calls": 1},
            writes=[{"tool": "issue_refund", "arguments": {"order_id": "A-1007"}}],
            created_at=at(1),
        ),
    )
    answered = rest.get("/api/rows", slug=REFUNDS)
    [found] = answered.document["results"]
    assert (found["slug"], found["run_id"], found["model"]) == (REFUNDS, "run-1", "m1")
    assert (found["task_id"], found["rollout"], found["split"]) == ("t1", 0, "dev")
    assert (found["status"], found["score"]) == ("unscored", None)
    assert (found["anomaly"], found["anomalies"]) == ("low_fidelity", ["low_fidelity"])
    assert found["missing_reason"] == {"code": "low_fidelity", "blame": "environment"}
    assert (found["cost"], found["latency_ms"]) == (0.25, 120.5)
    assert found["usage"] == {"input_tokens": 7, "output_tokens": 3}
    assert found["created_at"] == at(1)
    assert found["place"] == {"file": "rows-run-1-m1.jsonl", "line": 1}
    assert "writes" not in found
    assert "raw" not in found
    assert answered.document["page"]["total"] == 1
    assert answered.headers["Understudy-Freshness"] == "complete"


def test_heavy_keys_come_only_when_asked_for(rest: Rest, refunds: Located) -> None:
    write = {"tool": "issue_refund", "arguments": {"order_id": "A-1007"}}
    add_rows(refunds, row(writes=[write]))
    [found] = rest.get("/api/rows", expand="writes,raw").document["results"]
    [line] = refunds.directory.path.joinpath("rows-run-1-m1.jsonl").read_text().splitlines()
    assert (found["writes"], found["raw"]) == ([write], json.loads(line))
    refused = rest.get("/api/rows", expand="everything")
    assert (refused.status, refused.document["errors"][0]["path"]) == (400, "expand")


def test_a_line_that_was_changed_since_is_not_shown_as_the_row(
    rest: Rest, refunds: Located
) -> None:
    add_rows(refunds, row(writes=[{"tool": "x", "arguments": {}}]))
    rest.get("/api/rows")
    path = refunds.directory.path / "rows-run-1-m1.jsonl"
    state = path.stat()
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"tool":"x"', '"tool":"y"'), encoding="utf-8")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    found = rest.get("/api/rows", expand="writes,raw").document["results"]
    assert [(each["writes"], each["raw"]) for each in found] == [(None, None)]


def test_rows_of_one_moment_are_paged_each_once(rest: Rest, refunds: Located) -> None:
    add_rows(refunds, *(row(rollout=number, created_at=at(1)) for number in range(11)))
    pages = rest.pages("/api/rows", slug=REFUNDS, limit=4)
    assert [len(page) for page in pages] == [4, 4, 3]
    assert [each["rollout"] for page in pages for each in page] == list(range(10, -1, -1))


def test_a_row_that_comes_while_one_pages_moves_nothing(rest: Rest, refunds: Located) -> None:
    add_rows(refunds, *(row(rollout=number, created_at=at(number)) for number in range(4)))
    first = rest.get("/api/rows", limit=2).document
    add_rows(refunds, row(rollout=9, created_at=at(50)))
    then = rest.get("/api/rows", limit=2, cursor=first["page"]["next_cursor"]).document
    assert [each["rollout"] for each in [*first["results"], *then["results"]]] == [3, 2, 1, 0]
    assert then["page"]["next_cursor"] is None


def test_newest_first_and_rows_without_a_time_last(rest: Rest, refunds: Located) -> None:
    add_rows(
        refunds,
        row(rollout=0, created_at=at(5)),
        row(rollout=1, created_at=None),
        row(rollout=2, created_at=at(9)),
    )
    assert [each[3] for each in rows(rest)] == [2, 0, 1]


def test_filters_are_or_within_a_name_and_and_across(rest: Rest, refunds: Located) -> None:
    add_rows(
        refunds,
        row(rollout=0, created_at=at(1)),
        row(rollout=1, created_at=at(2), score=None),
        row(task_id="t2", model="m2", created_at=at(3)),
        row(run_id="run-2", created_at=at(4)),
    )
    one, two = ("run-1", "m1", "t1", 0), ("run-1", "m1", "t1", 1)
    three, four = ("run-1", "m2", "t2", 0), ("run-2", "m1", "t1", 0)
    assert rows(rest, task="t2") == [three]
    assert rows(rest, arm="m2") == [three]
    assert rows(rest, run=["run-2"], arm=["m1", "m2"]) == [four]
    assert rows(rest, status="error") == [two]
    assert rows(rest, status=["ok", "error"], task="t1", run="run-1") == [two, one]
    assert rows(rest, split="dev") == [four, three, two, one]
    assert rows(rest, split="holdout") == []
    assert rows(rest, since=at(2), until=at(4)) == [three, two]
    assert rows(rest, slug="refund-desk", anomaly="no_tool_calls") == []
    for query in ({"status": "great"}, {"split": "test"}, {"since": "soon"}, {"model": "m1"}):
        assert rest.get("/api/rows", **query).code == "invalid_arguments"
    assert rest.get("/api/rows", slug="local--nope").code == "unknown_benchmark"


def test_stale_rows_are_told_from_current_ones(rest: Rest, refunds: Located) -> None:
    add_rows(refunds, row(rollout=0))
    old = make_row(
        run_id="run-1",
        model="m1",
        rollout=1,
        provenance={"task_version": "0.9.0", "task_content_hashes": {"env_sha256": "0" * 64}},
    )
    refunds.directory.append(layout.rows("run-1", "m1"), old)
    stale = [each[3] for each in rows(rest, stale="true")]
    current = [each[3] for each in rows(rest, stale="false")]
    assert (sorted([*stale, *current]), set(stale) & set(current)) == ([0, 1], set())
    assert 0 in current


def test_the_rows_of_a_run_are_its_own(rest: Rest, refunds: Located) -> None:
    put(refunds, make_request())
    add_rows(refunds, row(), row(run_id="run-10"))
    found = rest.get("/api/runs/run-1/rows").document
    assert [each["run_id"] for each in found["results"]] == ["run-1"]
    assert found["page"]["total"] is None
    unknown = rest.get("/api/runs/run-9/rows")
    assert (unknown.status, unknown.code) == (404, "unknown_run")
    assert rest.get("/api/runs/run-9/rows", slug=REFUNDS).code == "unknown_run"


def test_holdout_figures_come_with_the_number_of_looks(rest: Rest, refunds: Located) -> None:
    add_rows(refunds, row(split="holdout"), row(task_id="t2"))
    refunds.directory.append(layout.HOLDOUT, look(1), look(2))
    answered = rest.get("/api/rows", slug=REFUNDS)
    assert next(iter(answered.document)) == "notices"
    assert answered.document["notices"] == [
        {"kind": "holdout", "text": "holdout figures: 2 looks at the holdout so far"}
    ]
    assert "2 looks" in answered.headers["Understudy-Notice"]
    assert rest.get("/api/rows", task="t2").document["notices"] == []


def test_secrets_in_a_row_stay_here_and_are_counted(rest: Rest, refunds: Located) -> None:
    add_rows(refunds, row(score=None, error=f"401 for {SECRET}"))
    found = rest.get("/api/rows", expand="raw")
    assert SECRET.encode() not in found.body
    assert found.document["results"][0]["error"] == "401 for [redacted:api_key]"
    assert found.document["warnings"] == ["secrets were taken out of this answer: 3 api_key"]


def test_trace_text_is_sent_as_json_and_nothing_else(rest: Rest, refunds: Located) -> None:
    words = "<img src=x onerror=alert(1)>\x1b[31m"
    add_rows(refunds, row(score=None, error=words))
    answered = rest.get("/api/rows")
    assert answered.headers["Content-Type"] == "application/json"
    assert answered.headers["X-Content-Type-Options"] == "nosniff"
    assert answered.document["results"][0]["error"] == words
    assert b"\x1b" not in answered.body


def test_a_rewritten_ledger_is_refused_by_name(rest: Rest, refunds: Located) -> None:
    add_rows(refunds, row(rollout=0), row(rollout=1))
    assert len(rows(rest, slug=REFUNDS)) == 2
    path = refunds.directory.path / "rows-run-1-m1.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(reversed(lines)) + "\n", encoding="utf-8")
    answered = rest.get("/api/rows", slug=REFUNDS)
    assert (answered.status, answered.code) == (409, "ledger_rewritten")
    assert "benchmarks sync" in answered.document["hint"]


# Events, calibrations, looks


def test_events_come_as_their_lines_newest_first(rest: Rest, refunds: Located) -> None:
    told = [
        event(1, "run_started", progress={"completed": 0, "total": 2}),
        event(2, model="m1", task_id="t1", score=1, status="ok", error=None),
        event(3, model="m2", task_id="t2", run_id="run-2"),
    ]
    refunds.directory.append(layout.EVENTS, *told)
    put(refunds, make_request())
    found = rest.get("/api/events", slug=REFUNDS).document["results"]
    assert [(each["seq"], each["type"]) for each in found] == [
        (3, "rollout"),
        (2, "rollout"),
        (1, "run_started"),
    ]
    assert found[1] == {"slug": REFUNDS, **told[1].dump()}
    mine = rest.get("/api/runs/run-1/events").document["results"]
    assert [each["seq"] for each in mine] == [2, 1]

    def seqs(**query: Any) -> list[int]:
        return [each["seq"] for each in rest.get("/api/events", **query).document["results"]]

    assert seqs(type="run_started") == [1]
    assert seqs(arm="m2") == [3]
    assert seqs(task=["t1", "t2"], run="run-1") == [2]
    assert seqs(since=at(2), until=at(3)) == [2]
    assert rest.get("/api/events", split="dev").code == "invalid_arguments"


def test_calibrations_come_task_by_task(rest: Rest, refunds: Located) -> None:
    def entry(task_id: str, second: int, **changes: Any) -> dict[str, Any]:
        plain = {"score": 1, "passed": True, "rollouts": 1, "anomalous_rollouts": 0}
        return {"task_id": task_id, "run_id": "run-1", "at": at(second), **plain, **changes}

    calibration = Calibration.read({
        "benchmark_id": "b",
        "run_id": "run-1",
        "incumbent_models": ["m1"],
        "threshold": 1,
        "started_at": None,
        "finished_at": None,
        "tasks": [entry("t1", 1), entry("t2", 2, score=None, passed=None)],
        "passed_count": 1,
        "failed_count": 0,
        "failed_task_ids": [],
    })
    refunds.directory.replace(layout.CALIBRATION, calibration)
    found = rest.get("/api/calibrations", slug=REFUNDS).document["results"]
    assert [(each["task_id"], each["passed"]) for each in found] == [("t2", None), ("t1", True)]
    assert found[0]["slug"] == REFUNDS
    assert len(rest.get("/api/calibrations", task="t1").document["results"]) == 1


def test_looks_say_who_looked_with_what(rest: Rest, refunds: Located) -> None:
    refunds.directory.append(
        layout.HOLDOUT, look(1, actor="os:mira", door="shell"), look(2, run_id="run-2")
    )
    found = rest.get("/api/holdout-looks").document["results"]
    assert [each["run_id"] for each in found] == ["run-2", "run-1"]
    assert (found[1]["actor"], found[1]["arms"], found[1]["slug"]) == ("os:mira", ["m1"], REFUNDS)
    assert len(rest.get("/api/holdout-looks", run="run-2").document["results"]) == 1
    assert rest.get("/api/holdout-looks", kind="export").document["results"] == []


def test_reading_a_page_is_no_look_at_the_holdout(rest: Rest, refunds: Located) -> None:
    add_rows(refunds, row(split="holdout"))
    for path in ("/api/rows", f"/api/benchmarks/{REFUNDS}/leaderboard", "/api/holdout-looks"):
        assert rest.get(path).status == 200
    assert not refunds.directory.exists(layout.HOLDOUT)


def test_lists_over_all_benchmarks_leave_out_what_a_token_does_not_see(
    desk: Desk, refunds: Located
) -> None:
    add_rows(refunds, row())
    queue(desk)
    desk.directory.append(layout.EVENTS, event(1))
    refunds.directory.append(layout.EVENTS, event(2))
    narrow = Rest("read", benchmarks=("local--items",))
    assert narrow.get("/api/rows").document["results"] == []
    assert [each["seq"] for each in narrow.get("/api/events").document["results"]] == [1]
    assert narrow.get("/api/events", slug=REFUNDS).code == "unknown_benchmark"
