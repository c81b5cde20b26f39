"""Makes the golden benchmark of a release, once, before it is published.

    python tests/golden/making/make_release.py

It drives the shell verbs over `captures/` and leaves `../v<version>/hotel-desk`: built, reviewed,
promoted, calibrated, run and read. A golden benchmark is never made again after its release: it is
the proof that later versions read what this one wrote (tests/flows/test_golden_releases.py).
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.release import VERSION

HERE = Path(__file__).resolve().parent
NAME = "hotel-desk"
SLUG = f"local--{NAME}"
SUFFIX = "Before you change anything, say what you are about to do.\n"
HOST = "lab-1"
"""Stands for the host that made it, which is nobody's business."""
LOCKS = ("claim.lock", "guard.lock")


class Desk:
    """One home in which verbs are driven."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environ = {**os.environ, "UNDERSTUDY_HOME": str(home)}

    def verb(self, *words: str) -> Any:
        """The document that a verb prints."""
        command = [sys.executable, "-m", "understudy_site.cli", *words, "--json"]
        command += ["--quiet", "--actor", "person"]
        done = subprocess.run(
            command, env=self.environ, cwd=self.home, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(words)}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    def run(self, *words: str) -> None:
        """Queue a run and execute it."""
        self.verb("runs", "queue", SLUG, *words, "--split", "all", "--confirm")
        self.verb("runs", "execute", SLUG)

    def task(self, tool: str | None) -> str:
        """The task whose contract asks for a call of this tool; without one, of no call."""
        lines = (self.home / "benchmarks" / NAME / "tasks.jsonl").read_text(encoding="utf-8")
        for line in lines.splitlines():
            task = json.loads(line)
            required = task["outcome_contract"]["required"]
            tools = {entry.get("tool") for entry in required}
            values = any(entry["type"] == "value_propagation" for entry in required)
            if (tool in tools) if tool else (tools == {None} and not values):
                return str(task["task_id"])
        raise SystemExit(f"no task asks for {tool}")


def live(desk: Desk) -> None:
    """The life of the benchmark, from captures to figures."""
    shutil.copytree(HERE / "captures", desk.home / "captures")
    (desk.home / "suffix.txt").write_text(SUFFIX, encoding="utf-8")
    waived = ("--waive-pilot", "a golden example has no pilot")
    desk.verb("traces", "build-benchmark", "--source", "captures", "--slug", NAME, *waived)
    refused, leak = desk.task(None), desk.task("create_ticket")
    late, cancelled = desk.task("update_booking"), desk.task("cancel_booking")
    reject(desk, refused, leak)
    desk.verb("reviews", "feedback", SLUG, late, "Say that one o'clock is by day.")
    desk.verb("traces", "promote", SLUG)
    trivial = ("--trivial-arms", "null_agent,spam_agent", "--reference-arms", "oracle,replay")
    incumbent = "scripted/incumbent"
    desk.run("--models", incumbent, "--incumbent", incumbent, *trivial)
    told = ("--prompt-override", "hasty-told=scripted/hasty=suffix.txt")
    desk.run("--models", "scripted/careful,scripted/hasty", *told, "--rollouts", "2", "--seed", "7")
    flagged(desk, late, cancelled)
    waiting = desk.verb("runs", "queue", SLUG, "--trivial-arms", "null_agent", "--split", "train")
    desk.verb("runs", "cancel", SLUG, waiting["run_id"], "--reason", "asked twice")
    desk.verb("benchmarks", "rigor", SLUG)


def reject(desk: Desk, refused: str, leak: str) -> None:
    """A policy, a rejected task and an accepted one."""
    desk.verb("reviews", "policy", SLUG, "--min-fidelity", "0.8")
    words = ("--note", "Saying no is enough to pass it.")
    desk.verb("reviews", "submit", SLUG, refused, "reject", *words)
    desk.verb("reviews", "submit", SLUG, leak, "accept", "--note", "The id is the world's own.")


def flagged(desk: Desk, late: str, cancelled: str) -> None:
    """A doubt that was answered and one that stands."""
    words = ("--reason", "ambiguous", "--note", "One o'clock by day, surely?")
    doubt = desk.verb("reviews", "flag", SLUG, late, *words)
    flag_id = doubt.get("flag_id") or doubt["flag"]["flag_id"]
    desk.verb("reviews", "resolve", SLUG, flag_id, "--note", "Yes, by day.")
    desk.verb("reviews", "flag", SLUG, cancelled, "--reason", "too-easy", "--note", "All pass.")


def keep(made: Path, kept: Path) -> None:
    """The directory without its locks and without the name of this host."""
    shutil.copytree(made, kept, ignore=shutil.ignore_patterns(*LOCKS))
    host = json.dumps(socket.gethostname()).encode()
    for path in (path for path in kept.rglob("*") if path.is_file()):
        path.write_bytes(path.read_bytes().replace(host, json.dumps(HOST).encode()))
        path.chmod(0o644)


def main(arguments: Sequence[str]) -> None:
    """Make the golden benchmark of this version, which must not be there."""
    kept = HERE.parent / f"v{VERSION.replace('.', '_')}" / NAME
    if kept.exists():
        raise SystemExit(f"{kept} is there: a release is never made again")
    with tempfile.TemporaryDirectory() as home:
        desk = Desk(Path(home))
        live(desk)
        keep(desk.home / "benchmarks" / NAME, kept)


if __name__ == "__main__":
    main(sys.argv[1:])
