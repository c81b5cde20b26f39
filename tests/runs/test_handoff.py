"""Handing a request to a broker: what is sent, and that a broker that is down costs nothing."""

import base64
import json
import logging
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from benchmarks.artifacts.home import home
from runs.handoff import hand_over, handed_over
from tests.redis_server import running_redis

HINT = "understudy runs execute --benchmark local--desk --run run-1"


def answer(**changes: Any) -> dict[str, Any]:
    known: dict[str, Any] = {
        "ok": True,
        "slug": "local--desk",
        "run_id": "run-1",
        "run": {"run_id": "run-1", "status": "queued"},
        "executor": {"live": False, "version": None},
        "execute_hint": HINT,
    }
    return {**known, **changes}


def messages(url: str) -> list[dict[str, Any]]:
    with Redis.from_url(url) as store:
        return [json.loads(line) for line in store.lrange("lab.control", 0, -1)]


def test_without_a_broker_nothing_is_done_and_nothing_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert hand_over("local--desk", "run-1") is False
    assert handed_over(answer()) == answer()
    assert caplog.records == []


def test_a_message_holds_names_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_redis(tmp_path / "redis") as server:
        monkeypatch.setenv("REDIS_URL", server.url)
        assert hand_over("local--desk", "run-1") is True
        (message,) = messages(server.url)
    assert message["headers"]["task"] == "runs.execute_request"
    assert message["content-type"] == "application/json"
    args, kwargs, _ = json.loads(base64.b64decode(message["body"]))
    assert (args, kwargs) == (["local--desk", "run-1"], {})


def test_where_no_worker_answers_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_redis(tmp_path / "redis") as server:
        monkeypatch.setenv("REDIS_URL", server.url)
        told = handed_over(answer())
        assert len(messages(server.url)) == 1
    assert told["execute_hint"] == (
        f"handed to the broker, where no worker answers now; without one: {HINT}"
    )
    assert told["executor"] == {"live": False, "version": None, "broker": True, "worker": None}


def test_a_live_executor_keeps_the_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live = {"live": True, "version": "1.0.0", "pid": 7, "host": "lab-1"}
    with running_redis(tmp_path / "redis") as server:
        monkeypatch.setenv("REDIS_URL", server.url)
        told = handed_over(answer(executor=live, execute_hint="executor 1.0.0 is here"))
    assert told["execute_hint"] == "executor 1.0.0 is here"
    assert told["executor"] == {**live, "broker": True, "worker": None}


@pytest.mark.parametrize(
    "changes",
    [
        {"run_id": None, "run": {"written": False, "status": "queued"}},
        {"run": {"run_id": "run-1", "status": "done"}, "replayed": True},
        {"slug": "path--desk-0a1b2c3d"},
    ],
)
def test_what_no_worker_could_run_is_handed_to_nobody(
    changes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_redis(tmp_path / "redis") as server:
        monkeypatch.setenv("REDIS_URL", server.url)
        assert handed_over(answer(**changes)) == answer(**changes)
        assert messages(server.url) == []


def test_a_broker_that_refuses_costs_one_line(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://:geheim@127.0.0.1:1/0")
    hand_over("local--desk", "warm")
    caplog.clear()
    began = time.monotonic()
    with caplog.at_level(logging.WARNING):
        assert handed_over(answer()) == answer()
    assert time.monotonic() - began < 1.5
    (record,) = caplog.records
    assert record.getMessage().startswith(
        "run run-1 is not handed to the broker redis://:***@127.0.0.1:1/0: "
    )
    assert "geheim" not in caplog.text


def test_a_broker_that_is_silent_is_left_after_a_second(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("REDIS_URL", f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        began = time.monotonic()
        assert hand_over("local--desk", "run-1") is False
        assert time.monotonic() - began < 2.5
    assert len(caplog.records) == 1


def test_the_home_of_the_call_is_the_one_whose_broker_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_redis(tmp_path / "redis") as server:
        monkeypatch.setenv("REDIS_URL", server.url)
        there = home()
        monkeypatch.delenv("REDIS_URL")
        assert hand_over("local--desk", "run-1") is False
        assert hand_over("local--desk", "run-1", here=there) is True
        assert len(messages(server.url)) == 1


def test_a_variable_that_does_not_parse_costs_nothing_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REDIS_URL", "amqp://lab-1")
    assert hand_over("local--desk", "run-1") is False
