"""Running an executor in tests: in this process, or as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.gateway.credentials import Credentials
from benchmarks.records.event import RunEvent
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import TrustLevel
from runs.execution.means import Means
from runs.execution.queue import execute_directory
from runs.executor.assignment import Listener
from runs.executor.shutdown import Shutdown
from runs.trust.posture import Posture
from tests.factories import Desk

REPOSITORY = Path(__file__).resolve().parent.parent
PRICES = '{"version": "t", "models": {"stub-model": {"input": 100, "output": 1000}}}'
"""830 tokens in and 61 out are 0.144 US dollars a call."""
CALL_USD = 0.144


@dataclass
class Heard:
    """What an executor said."""

    events: list[RunEvent] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def types(self) -> list[str]:
        return [event.type for event in self.events]


def make_means(folder: Path, url: str | None = None, **changes: Any) -> Means:
    """The means of an executor; with `url` its models are reached there, at the stub's price."""
    prices = folder / "prices.json"
    prices.write_text(PRICES, encoding="utf-8")
    environ = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": url} if url else {}
    heard = changes.pop("heard", Heard())
    known: dict[str, Any] = {
        "version": "9.9.9",
        "credentials": Credentials(environ),
        "prices_file": prices,
        "posture": Posture(TrustLevel.BOUNDED_EXPERIMENTS),
        "listener": Listener(heard.events.append, heard.texts.append),
        "shutdown": Shutdown(),
        "clock": lambda: datetime.now(UTC),
    }
    return Means(**{**known, **changes})


def execute(desk: Desk, url: str | None = None, **changes: Any) -> list[RunRequest]:
    """One pass of an executor in this process."""
    run_id = changes.pop("run_id", None)
    return execute_directory(
        desk.directory, make_means(desk.path.parent, url, **changes), run_id=run_id
    )


def environment(home: Path, url: str | None = None) -> dict[str, str]:
    """The environment of an executor process: nothing of this one's keys and homes."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    keys = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": url} if url else {}
    return {**kept, **keys, "UNDERSTUDY_HOME": str(home), "PYTHONPATH": str(REPOSITORY)}


def start_executor(
    desk: Desk, home: Path, url: str | None = None, *words: str
) -> subprocess.Popen[str]:
    """`understudy runs execute` on a desk, as a real process."""
    command = [sys.executable, "-m", "understudy_site.cli", "runs", "execute"]
    return subprocess.Popen(
        [*command, "--benchmark", str(desk.path), *words],
        env=environment(home, url),
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ask_to_end(shutdown: Shutdown, after: Callable[[RunEvent], bool]) -> Listener:
    """A listener that asks the process to end at the first event that `after` names."""

    def hear(event: RunEvent) -> None:
        if after(event):
            shutdown.ask()

    return Listener(hear, lambda text: None)
