"""Two locks: one holder at a time, free the moment it dies, and a fence that only rises."""

import errno
import fcntl
import json
import multiprocessing
import os
import signal
import threading
import time
from datetime import UTC, datetime

import pytest

from benchmarks.artifacts import claim as claims
from benchmarks.artifacts.claim import ClaimOwner, Locking, claim, guard, holder
from benchmarks.errors import Claimed, ClaimLost, DirectoryBusy, LocksUnsupported

NOW = datetime(2026, 11, 2, 12, tzinfo=UTC)
FORK = multiprocessing.get_context("fork")


def owner(**changes):
    return ClaimOwner("1.0.0", NOW, **changes)


@pytest.fixture
def directory(tmp_path):
    folder = tmp_path / "refund-desk"
    folder.mkdir()
    return folder


def content(directory):
    return json.loads((directory / "runs" / "claim.lock").read_text(encoding="utf-8"))


def hold(directory, taken):
    with claim(directory, owner=owner(run_id="run-1")):
        taken.send(True)
        time.sleep(60)


@pytest.fixture
def elsewhere(directory):
    """Another process that holds the directory until it is killed."""
    here, there = FORK.Pipe()
    process = FORK.Process(target=hold, args=(directory, there))
    process.start()
    assert here.poll(30)
    yield process
    process.kill()
    process.join(30)


def test_the_lock_file_says_who_holds_it(directory):
    with claim(directory, owner=owner(run_id="run-1", host="lab-1", nonce="9f0c")) as held:
        found = content(directory)
        assert len(found.pop("dir_id")) == 32
        assert found.pop("boot_id", "") == claims.boot_id()
        assert found == {
            "pid": os.getpid(),
            "host": "lab-1",
            "nonce": "9f0c",
            "fence": 1,
            "executor_version": "1.0.0",
            "claimed_at": "2026-11-02T12:00:00.000Z",
            "run_id": "run-1",
        }
        assert held.block() == {
            "pid": os.getpid(),
            "nonce": "9f0c",
            "executor_version": "1.0.0",
            "host": "lab-1",
            "claimed_at": "2026-11-02T12:00:00.000Z",
            "fence": 1,
        }


def test_a_second_process_is_refused_by_name(directory, elsewhere):
    started = time.monotonic()
    with pytest.raises(Claimed) as refused, claim(directory, owner=owner()):
        pass
    assert time.monotonic() - started >= 0.1
    assert refused.value.details["claimed_by"]["pid"] == elsewhere.pid
    assert f"refund-desk is claimed by pid {elsewhere.pid}" in refused.value.message
    assert "since 2026-11-02T12:00:00.000Z (understudy 1.0.0)" in refused.value.message
    assert holder(directory)["pid"] == elsewhere.pid


def test_one_process_cannot_hold_a_directory_twice(directory):
    with claim(directory, owner=owner()):
        with pytest.raises(Claimed), claim(directory, owner=owner()):
            pass
        assert holder(directory)["fence"] == 1


def test_the_claim_is_free_at_once_after_a_kill(directory, elsewhere):
    os.kill(elsewhere.pid, signal.SIGKILL)
    elsewhere.join()
    assert holder(directory) is None
    with claim(directory, owner=owner()) as held:
        assert held.fence == 2
        assert held.previous["pid"] == elsewhere.pid


def test_a_stopped_holder_still_holds(directory, elsewhere):
    os.kill(elsewhere.pid, signal.SIGSTOP)
    try:
        assert holder(directory)["pid"] == elsewhere.pid
        with pytest.raises(Claimed), claim(directory, owner=owner()):
            pass
    finally:
        os.kill(elsewhere.pid, signal.SIGCONT)


def test_the_directory_keeps_its_id_and_the_fence_rises(directory):
    ids = []
    for fence in (1, 2, 3):
        with claim(directory, owner=owner()) as held:
            assert held.fence == fence
            ids.append(held.dir_id)
    assert len(set(ids)) == 1


def test_the_fence_is_above_every_request_ever_claimed(directory):
    queue = directory / "runs" / "queue"
    queue.mkdir(parents=True)
    for name, text in {
        "run-a.json": '{"claimed_by": {"fence": 11}}',
        "run-b.json": '{"claimed_by": {"pid": 4711}}',
        "run-c.json": "{broken",
        "run-d.json": '{"claimed_by": {"fence": true}}',
        "run-e.json": "[1]",
    }.items():
        (queue / name).write_text(text, encoding="utf-8")
    with claim(directory, owner=owner()) as held:
        assert held.fence == 12


@pytest.mark.parametrize("junk", [b"", b"not json", b"[1]", b"\xff\xfe" * 4000, b'{"fence":"x"}'])
def test_unreadable_content_never_blocks_a_claim(directory, junk):
    (directory / "runs").mkdir()
    (directory / "runs" / "claim.lock").write_bytes(junk)
    with claim(directory, owner=owner()) as held:
        assert held.fence == 1
        held.check()


def test_the_lock_file_is_overwritten_in_place(directory):
    with claim(directory, owner=owner(host="a-very-long-host-name" * 5)):
        inode = (directory / "runs" / "claim.lock").stat().st_ino
    with claim(directory, owner=owner(host="b")):
        assert content(directory)["host"] == "b"
    assert (directory / "runs" / "claim.lock").stat().st_ino == inode


def test_nobody_holds_a_directory_without_a_lock_file(directory):
    assert holder(directory) is None
    assert not (directory / "runs").exists()


def test_a_claim_is_lost_when_another_fence_stands_in_the_file(directory):
    with claim(directory, owner=owner()) as held:
        held.check()
        found = content(directory)
        (directory / "runs" / "claim.lock").write_text(
            json.dumps(found | {"fence": 2, "nonce": "other"}), encoding="utf-8"
        )
        with pytest.raises(ClaimLost, match="fence 1 is no longer the newest") as lost:
            held.check()
        assert lost.value.details["claimed_by"]["nonce"] == "other"
        assert (lost.value.code, lost.value.exit_code) == ("claimed", 5)


def test_a_claim_is_lost_when_its_lock_file_was_replaced(directory):
    lock = directory / "runs" / "claim.lock"
    with claim(directory, owner=owner()) as held:
        copy = lock.read_bytes()
        lock.unlink()
        with pytest.raises(ClaimLost):
            held.check()
        lock.write_bytes(copy)
        with pytest.raises(ClaimLost):
            held.check()


def test_torn_tails_of_the_claimed_files_are_cut_and_of_others_not(directory):
    torn = b'{"a":1}\n{"b'
    cut = ["rows-run-1-m.jsonl", "runs/trajectories/run-1-m.jsonl", "runs/live/run-1-m.jsonl"]
    left = ["reviews.jsonl", "runs/events.jsonl"]
    for name in [*cut, *left]:
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_bytes(torn)
    with claim(directory, owner=owner()):
        pass
    assert {name: (directory / name).read_bytes() for name in cut} == dict.fromkeys(
        cut, b'{"a":1}\n'
    )
    assert {name: (directory / name).read_bytes() for name in left} == dict.fromkeys(left, torn)


def test_a_linked_rows_file_is_never_cut(directory, tmp_path):
    outside = tmp_path / "outside.jsonl"
    outside.write_bytes(b"no line")
    (directory / "rows-run-1-m.jsonl").symlink_to(outside)
    with claim(directory, owner=owner()):
        pass
    assert outside.read_bytes() == b"no line"


def test_a_network_file_system_is_refused_by_its_name(directory):
    with (
        pytest.raises(LocksUnsupported, match=r"is on NFS") as refused,
        claim(directory, owner=owner(), locking=Locking(network=lambda _: "NFS")),
    ):
        pass
    assert refused.value.details["file_system"] == "NFS"


def test_a_lock_that_excludes_nobody_is_found_out(directory, monkeypatch):
    monkeypatch.setattr(fcntl, "flock", lambda *_: None)
    with (
        pytest.raises(LocksUnsupported, match="locks exclude nobody here"),
        claim(directory, owner=owner()),
    ):
        pass


@pytest.mark.parametrize("code", [errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK])
def test_a_file_system_that_refuses_locks_is_named(directory, monkeypatch, code):
    def refuse(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with (
        pytest.raises(LocksUnsupported, match="refuses locks"),
        claim(directory, owner=owner()),
    ):
        pass
    with pytest.raises(LocksUnsupported, match="refuses locks"), guard(directory / "guard.lock"):
        pass
    assert holder(directory) is None


def test_a_readers_question_for_an_instant_does_not_cost_a_claim(directory):
    (directory / "runs").mkdir()
    lock = directory / "runs" / "claim.lock"
    lock.touch()
    reader = os.open(lock, os.O_RDONLY)
    fcntl.flock(reader, fcntl.LOCK_SH)
    threading.Timer(0.04, lambda: os.close(reader)).start()
    with claim(directory, owner=owner()) as held:
        assert held.fence == 1


def test_a_forked_child_does_not_keep_the_claim(directory):
    with claim(directory, owner=owner()):
        child = os.fork()
        if child == 0:
            time.sleep(30)
            os._exit(0)
    try:
        with claim(directory, owner=owner()) as held:
            assert held.fence == 2
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_a_forked_child_that_leaves_the_block_does_not_free_the_claim(directory):
    child = None
    try:
        with claim(directory, owner=owner()):
            child = os.fork()
            if child != 0:
                os.waitpid(child, 0)
                assert holder(directory)["pid"] == os.getpid()
    finally:
        if child == 0:
            os._exit(0)


def test_a_guard_is_taken_again_by_the_thread_that_holds_it(tmp_path):
    path = tmp_path / "runs" / "guard.lock"
    with guard(path), guard(path), guard(tmp_path / "runs" / ".." / "runs" / "guard.lock"):
        pass
    assert path.exists()
    with guard(path):
        pass


def test_another_thread_waits_for_the_guard(tmp_path):
    path = tmp_path / "guard.lock"
    refused = []

    def take():
        with pytest.raises(DirectoryBusy) as busy, guard(path, wait_s=0.05):
            pass
        refused.append(busy.value)

    with guard(path):
        thread = threading.Thread(target=take)
        thread.start()
        thread.join()
    [busy] = refused
    assert busy.message == f"{path} was not free for 0.05 s: another process is writing there"
    assert (busy.code, busy.exit_code) == ("directory_busy", 5)


def test_the_guard_is_freed_when_its_body_fails(tmp_path):
    path = tmp_path / "guard.lock"
    with pytest.raises(ZeroDivisionError), guard(path):
        raise ZeroDivisionError
    with guard(path, wait_s=0):
        pass


def test_the_guard_can_be_taken_under_the_claim(directory):
    with claim(directory, owner=owner()), guard(directory / "runs" / "guard.lock", wait_s=0):
        pass


def test_both_lock_files_are_for_their_owner_only(directory):
    with claim(directory, owner=owner()), guard(directory / "runs" / "guard.lock"):
        modes = {
            path.name: oct(path.stat().st_mode & 0o777)
            for path in (directory / "runs").glob("*.lock")
        }
    assert modes == {"claim.lock": "0o600", "guard.lock": "0o600"}


def race(directory, line):
    line.recv()
    try:
        with claim(directory, owner=owner()):
            line.send("won")
            line.recv()
    except Claimed:
        line.send("refused")


def test_of_six_processes_exactly_one_wins(directory):
    lines = [FORK.Pipe() for _ in range(6)]
    processes = [FORK.Process(target=race, args=(directory, there)) for _, there in lines]
    for process in processes:
        process.start()
    for here, _ in lines:
        here.send("go")
    assert sorted(here.recv() for here, _ in lines) == ["refused"] * 5 + ["won"]
    for (here, _), process in zip(lines, processes, strict=True):
        here.send("leave")
        process.join(30)
