"""A claim with a lease beside it: which of the two decides, where, and what is written when."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.artifacts.claim import ClaimOwner, Locking, boot_id, claim, holder
from benchmarks.artifacts.lease import Bid, LeaseUnreachable, refusal
from benchmarks.errors import Claimed, ClaimLost, LocksUnsupported

NOW = datetime(2026, 11, 2, 12, tzinfo=UTC)
OWNER = ClaimOwner("1.0.0", NOW, "run-1", pid=4711, host="lab-1", nonce="9f0c")


@dataclass
class HandLease:
    """A lease whose state a test sets."""

    fence: int
    held: bool = True
    comes_back: bool = True
    word: str | None = None
    released: bool = False
    asked: int = 0

    def is_held(self) -> bool:
        return self.held

    def regain(self) -> bool:
        self.asked += 1
        self.held = self.comes_back
        return self.comes_back

    def news(self) -> str | None:
        word, self.word = self.word, None
        return word

    def release(self) -> None:
        self.released = True


@dataclass
class HandLeases:
    """Gives one lease above the floor, or refuses."""

    refuses: Exception | None = None
    bids: list[Bid] = field(default_factory=list)
    given: list[HandLease] = field(default_factory=list)
    above: int = 1

    def take(self, bid: Bid) -> HandLease:
        self.bids.append(bid)
        if self.refuses is not None:
            raise self.refuses
        self.given.append(HandLease(bid.floor + self.above))
        return self.given[-1]


def nfs(_: Path) -> str:
    return "NFS"


def no_lock(descriptor: int, path: Path) -> bool:
    raise LocksUnsupported(f"{path}: the file system refuses locks")


def content(directory: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((directory / "runs/claim.lock").read_bytes())
    return found


def test_the_lease_is_asked_with_what_the_disk_says(tmp_path: Path) -> None:
    queue = tmp_path / "runs" / "queue"
    queue.mkdir(parents=True)
    (queue / "run-1.json").write_text('{"claimed_by": {"fence": 8}}', encoding="utf-8")
    leases = HandLeases(above=4)
    with claim(tmp_path, owner=OWNER, locking=Locking(leases)) as held:
        (bid,) = leases.bids
        assert (bid.floor, bid.dir_id) == (8, held.dir_id)
        assert bid.inode == (tmp_path / "runs/claim.lock").stat().st_ino
        assert bid.block == {
            "pid": 4711,
            "nonce": "9f0c",
            "executor_version": "1.0.0",
            "host": "lab-1",
            "claimed_at": "2026-11-02T12:00:00.000Z",
            "boot_id": boot_id(),
        }
        assert held.fence == 12
        assert content(tmp_path)["fence"] == 12
    assert leases.given[0].released


def test_the_directory_has_its_id_before_a_lease_is_named_after_it(tmp_path: Path) -> None:
    seen: list[dict[str, object]] = []

    class Looks(HandLeases):
        def take(self, bid: Bid) -> HandLease:
            seen.append(content(tmp_path))
            return super().take(bid)

    with claim(tmp_path, owner=OWNER, locking=Locking(Looks())) as held:
        assert seen == [{"dir_id": held.dir_id}]
        assert held.previous is None


def test_a_refused_lease_gives_the_lock_back_and_writes_nothing(tmp_path: Path) -> None:
    with claim(tmp_path, owner=OWNER):
        before = content(tmp_path)
    other = {"pid": 9, "host": "lab-2", "claimed_at": "then", "executor_version": "1.0.0"}
    leases = HandLeases(refusal(tmp_path / "runs" / "claim.lock", other))
    with (
        pytest.raises(Claimed, match="claimed by pid 9 on lab-2 since then"),
        claim(tmp_path, owner=OWNER, locking=Locking(leases)),
    ):
        pass
    assert content(tmp_path) == before
    assert holder(tmp_path) is None


def test_a_held_lock_refuses_before_any_lease_is_asked_for(tmp_path: Path) -> None:
    leases = HandLeases()
    with (
        claim(tmp_path, owner=OWNER),
        pytest.raises(Claimed),
        claim(tmp_path, owner=OWNER, locking=Locking(leases)),
    ):
        pass
    assert leases.bids == []


def test_on_a_local_disk_work_goes_on_without_the_lease(tmp_path: Path) -> None:
    leases = HandLeases(LeaseUnreachable("Redis at r gives no lease: refused"))
    with claim(tmp_path, owner=OWNER, locking=Locking(leases)) as held:
        assert held.warning == "Redis at r gives no lease: refused"
        assert held.fence == 1
        held.check()


def test_on_a_local_disk_a_lost_lease_is_only_news(tmp_path: Path) -> None:
    leases = HandLeases()
    with claim(tmp_path, owner=OWNER, locking=Locking(leases)) as held:
        (lease,) = leases.given
        lease.held, lease.comes_back, lease.word = False, False, "it is lost"
        held.check()
        assert (held.is_paused, lease.asked) == (False, 0)
        assert [held.news(), held.news()] == ["it is lost", None]


def test_on_a_network_file_system_a_lease_is_needed(tmp_path: Path) -> None:
    with (
        pytest.raises(LocksUnsupported) as refused,
        claim(tmp_path, owner=OWNER, locking=Locking(network=nfs)),
    ):
        pass
    assert refused.value.message == (
        f"{tmp_path / 'runs'} is on NFS: its locks do not exclude executors of other hosts"
    )
    assert refused.value.hint == (
        "move the benchmark to a local disk, or set REDIS_URL for a lease between hosts"
    )
    leases = HandLeases(LeaseUnreachable("Redis at r gives no lease: refused"))
    with (
        pytest.raises(LocksUnsupported, match=r"is on NFS: Redis at r gives no lease"),
        claim(tmp_path, owner=OWNER, locking=Locking(leases, nfs)),
    ):
        pass


def test_on_a_network_file_system_the_lease_decides_where_there_are_no_locks(
    tmp_path: Path,
) -> None:
    leases = HandLeases()
    locking = Locking(leases, nfs, no_lock)
    with claim(tmp_path, owner=OWNER, locking=locking) as held:
        held.check()
        assert held.network == "NFS"
    assert leases.given[0].released


def test_a_lost_lease_on_a_network_file_system_is_got_back_before_a_write(tmp_path: Path) -> None:
    leases = HandLeases()
    with claim(tmp_path, owner=OWNER, locking=Locking(leases, nfs)) as held:
        (lease,) = leases.given
        assert held.is_paused is False
        lease.held = False
        assert held.is_paused
        held.check()
        assert (lease.asked, held.is_paused) == (1, False)


def test_one_that_does_not_come_back_ends_the_claim(tmp_path: Path) -> None:
    leases = HandLeases()
    with claim(tmp_path, owner=OWNER, locking=Locking(leases, nfs)) as held:
        leases.given[0].held = leases.given[0].comes_back = False
        with pytest.raises(ClaimLost, match=r"the lease of fence 1 is gone"):
            held.check()


def test_got_back_under_another_s_fence_in_the_file_it_is_lost_all_the_same(
    tmp_path: Path,
) -> None:
    first, second = HandLeases(), HandLeases()
    everybody = Locking(first, nfs, lambda descriptor, path: True)
    with claim(tmp_path, owner=OWNER, locking=everybody) as held:
        other = ClaimOwner("1.0.0", NOW, nonce="77aa")
        locking = Locking(second, nfs, lambda descriptor, path: True)
        with claim(tmp_path, owner=other, locking=locking) as newer:
            assert newer.fence == 2
            newer.check()
            with pytest.raises(ClaimLost, match="fence 1 is no longer the newest"):
                held.check()


def test_two_hosts_that_meet_in_a_directory_without_an_id_do_not_both_get_it(
    tmp_path: Path,
) -> None:
    class Overtaken(HandLeases):
        def take(self, bid: Bid) -> HandLease:
            lock = tmp_path / "runs" / "claim.lock"
            lock.write_text('{"dir_id": "the other host\'s"}\n', encoding="utf-8")
            return super().take(bid)

    leases = Overtaken()
    with pytest.raises(Claimed), claim(tmp_path, owner=OWNER, locking=Locking(leases, nfs)):
        pass
    assert leases.given[0].released
