"""Runs whose tools are real: a model over a socket, and a desk that is no recording."""

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.records.direction import Dependencies, Dependency
from tests.executing import execute
from tests.factories import Desk, Item, make_desk, queue
from tests.stub_model import StubModel

MODEL: dict[str, Any] = {"models": ["stub-model"]}
LIVE_DESK = Path(__file__).resolve().parents[2] / "live_desk.py"
CALLED: list[tuple[str, Any]] = []
CODE = [200]


class Handler(BaseHTTPRequestHandler):
    """An item desk behind HTTP."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        CALLED.append((self.path, body))
        answer = json.dumps({"really": body}).encode()
        self.send_response(CODE[0])
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def place() -> Iterator[str]:
    CALLED.clear()
    CODE[0] = 200
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"tool+http://127.0.0.1:{server.server_port}/{{tool}}"
    server.shutdown()
    server.server_close()


def items(count: int) -> list[Item]:
    return [Item(number, changes={"posture": "live"}) for number in range(1, count + 1)]


def live(desk: Desk, endpoint: str, **changes: Any) -> Desk:
    known = {
        "name": "item desk", "kind": "mcp", "tools": ["get_item", "update_item"],
        "posture": "live", "approved_by": "os:mira", "endpoint": endpoint,
    }  # fmt: skip
    found = Dependencies(dependencies=[Dependency.read({**known, **changes})])
    desk.directory.replace(layout.DEPENDENCIES, found)
    return desk


def test_calls_go_to_the_http_tool_and_the_row_is_marked_and_has_no_fidelity(
    tmp_path: Path, place: str
) -> None:
    desk = live(make_desk(tmp_path / "desk", items(1)), place)
    queue(desk, **MODEL)
    with StubModel() as stub:
        (ended,) = execute(desk, stub.url, live_endpoints=frozenset({place}))
        told = stub.seen[-1].body["messages"][-1]
    assert ended.status == "done"
    asked = {"item_id": "I-0001", "status": "packed"}
    assert [("/update_item", asked)] == CALLED
    assert json.loads(told["content"]) == {"really": asked}
    (row,) = desk.rows()
    assert (row.score, row.posture, row.anomaly) == (1, "live", None)
    assert row.fidelity is not None
    assert row.fidelity.dump() == {
        "calls": 1, "served": 0, "not_recorded": 0, "echoed": 0, "simulated": 0,
        "live": 1, "rejected": 0, "share": None,
    }  # fmt: skip
    (kept,) = desk.directory.trajectories("run-1").records
    assert [(call.source, call.status, call.write) for call in kept.calls] == [("live", "ok", True)]


def test_calls_go_to_an_mcp_server_that_is_started_for_the_rollout(tmp_path: Path) -> None:
    endpoint = f"stdio:{sys.executable} {LIVE_DESK} stdio"
    desk = live(make_desk(tmp_path / "desk", items(1)), endpoint)
    queue(desk, **MODEL)
    with StubModel() as stub:
        execute(desk, stub.url, live_endpoints=frozenset({endpoint}))
        told = stub.seen[-1].body["messages"][-1]
    assert told["content"] == "I-0001 is packed now"
    (row,) = desk.rows()
    assert (row.status, row.score, row.posture) == ("ok", 1, "live")


def test_a_refusal_of_the_tool_is_the_agents_to_deal_with(tmp_path: Path, place: str) -> None:
    desk = live(make_desk(tmp_path / "desk", items(1)), place)
    queue(desk, **MODEL)
    CODE[0] = 422
    with StubModel() as stub:
        execute(desk, stub.url, live_endpoints=frozenset({place}))
    (row,) = desk.rows()
    assert (row.status, row.score, row.missing_reason) == ("ok", 0, None)
    assert row.writes == []


def test_a_place_that_fails_costs_the_cell_and_is_the_environments_fault(
    tmp_path: Path, place: str
) -> None:
    desk = live(make_desk(tmp_path / "desk", items(1)), place)
    queue(desk, **MODEL)
    CODE[0] = 503
    with StubModel() as stub:
        execute(desk, stub.url, live_endpoints=frozenset({place}))
    (row,) = desk.rows()
    assert (row.status, row.score, row.posture) == ("error", None, "live")
    assert row.missing_reason is not None
    assert row.missing_reason.dump() == {
        "code": "live_tool_failed",
        "blame": "environment",
        "detail": "item desk: update_item: the place answered with status 503",
    }


def test_what_nobody_approved_here_fails_at_preflight_with_all_of_it_and_calls_nothing(
    tmp_path: Path, place: str
) -> None:
    desk = live(make_desk(tmp_path / "desk", items(2)), place, approved_by=None)
    queue(desk, **MODEL)
    with StubModel() as stub:
        (ended,) = execute(desk, stub.url, live_endpoints=frozenset({place}))
        assert stub.seen == []
    assert ended.status == "failed"
    assert ended.error is not None
    assert ended.error["class"] == "ApprovalRequired"
    assert [f"task {task}" in ended.error["message"] for task in desk.task_ids] == [True, True]
    assert CALLED == []
    assert desk.rows() == []


def test_arms_of_the_lab_never_reach_anything_real(tmp_path: Path, place: str) -> None:
    desk = live(make_desk(tmp_path / "desk", items(1)), place, approved_by=None)
    queue(
        desk, models=[], trivial_arms=["null_agent", "spam_agent"],
        reference_arms=["oracle", "replay"],
    )  # fmt: skip
    (ended,) = execute(desk)
    assert ended.status == "done"
    assert CALLED == []
    assert {row.posture for row in desk.rows()} == {None}
    assert {row.model: row.score for row in desk.rows()}["oracle"] == 1
