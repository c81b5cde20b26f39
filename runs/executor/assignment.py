"""What one execution of one run is given, and what it gives back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from benchmarks.artifacts.claim import Claim
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.gateway.limiter import Lane
from benchmarks.records.base import JsonObject
from benchmarks.records.event import RunEvent
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import Blame, RunStatus
from runs.executor.budget import Budget
from runs.executor.events import EventMaker
from runs.executor.history import History
from runs.executor.library import Library
from runs.executor.plan import Plan
from runs.executor.rollout import Terms
from runs.executor.rows import RunFacts
from runs.executor.shutdown import Shutdown
from runs.executor.tally import Tally


@dataclass(frozen=True, slots=True)
class Listener:
    """Who hears of a run while it goes on."""

    event: Callable[[RunEvent], None]
    narrate: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Assignment:
    """Everything that one execution of one run is given."""

    directory: BenchmarkDir
    claim: Claim
    request: RunRequest
    plan: Plan
    history: History
    library: Library
    terms: Mapping[str, Terms]
    """By arm label."""
    lanes: Mapping[str, Lane]
    facts: RunFacts
    seed: int
    events: EventMaker
    budget: Budget
    width: int
    timeout_s: float
    listener: Listener
    shutdown: Shutdown
    clock: Callable[[], datetime]
    opening: tuple[RunEvent, ...] = ()
    """What is announced before the first cell."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How an execution ended."""

    status: RunStatus | None
    """None: the process was asked to end, and the run goes on with the next holder."""
    tally: Tally
    budget: Budget
    arm_names: Mapping[str, str]
    stop: JsonObject | None = None
    error: JsonObject | None = None
    blame: Blame | None = None
    """Why cells were never started."""
