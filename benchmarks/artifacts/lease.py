"""The lease beside the kernel lock, as a claim sees it: whoever has Redis hands one in.

A kernel lock ends at its host, and some network file systems honour none. Where Redis is
configured a claim takes a lease too, so that hosts exclude each other. This room knows what a claim
asks of it; `runs/lease.py` knows Redis.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from benchmarks.errors import Claimed
from benchmarks.records.base import JsonObject


class LeaseUnreachable(Exception):
    """Nobody answers who could give a lease; the text says where and why."""


@dataclass(frozen=True, slots=True)
class Bid:
    """What a lease is asked for."""

    path: Path
    """`runs/claim.lock` of the directory."""
    dir_id: str
    inode: int
    """Of the lock file: a copied directory has another one, a shared mount the same."""
    floor: int
    """The largest fence found on the disk; the lease's is larger."""
    block: JsonObject
    """Who asks: pid, host, boot_id, nonce, claimed_at, executor_version."""


class Lease(Protocol):
    """A directory that is ours at every host, as long as it is renewed."""

    @property
    def fence(self) -> int:
        """The number that rises with every holder."""

    def is_held(self) -> bool:
        """Whether the last renewal is young enough; asks nobody."""

    def regain(self) -> bool:
        """Try to get a lease back that was not renewed in time; False when it is given up.

        It comes back only if no other fence was issued meanwhile.
        """

    def news(self) -> str | None:
        """That renewals fail, in words: once each time they begin to."""

    def release(self) -> None:
        """Let it go; one that is another's by now stays his."""


class Leases(Protocol):
    """Gives leases."""

    def take(self, bid: Bid) -> Lease:
        """The lease, renewed by itself until it is released.

        Raises:
            Claimed: a live holder has it.
            LeaseUnreachable: nobody answers.
        """


def refusal(path: Path, block: JsonObject) -> Claimed:
    """The error that names who holds the directory of a lock file."""
    return Claimed(
        f"{path.parent.parent.name} is claimed by pid {block.get('pid', '?')} on "
        f"{block.get('host', '?')} since {block.get('claimed_at', '?')} "
        f"(understudy {block.get('executor_version', '?')})",
        hint="wait for it, or end that process; its claim is free the moment it ends",
        details={"claimed_by": block},
    )
