"""Where randomness comes from: the text of what is measured, so that the same inputs agree."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import rfc8785

SEED_BYTES = 6
"""48 bits: a seed is a safe integer in JSON."""


@dataclass(frozen=True, slots=True)
class TaskKey:
    """A task as a seed sees it: its id and the digests that its rows ran against."""

    task_id: str
    env_sha256: str = ""
    verifier_sha256: str = ""


def seed_of(purpose: str, benchmark_id: str, arm: str, tasks: Iterable[TaskKey]) -> int:
    """The seed of one figure: the first six bytes of the digest of its seed text."""
    ordered = sorted(tasks, key=lambda task: code_units(task.task_id))
    names = [[task.task_id, task.env_sha256, task.verifier_sha256] for task in ordered]
    text = rfc8785.dumps([purpose, benchmark_id, arm, names])
    return int.from_bytes(hashlib.sha256(text).digest()[:SEED_BYTES], "big")


def code_units(text: str) -> bytes:
    """A sort key: UTF-16 code units, as RFC 8785 orders names."""
    return text.encode("utf-16-be", "surrogatepass")
