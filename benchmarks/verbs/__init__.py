"""The verbs of this app, as a static table: `understudy --help` reads it and imports nothing."""

from typing import NamedTuple


class VerbEntry(NamedTuple):
    """One shell verb: where its class stands is known without importing it."""

    noun: str
    name: str
    """Empty for a noun that is its own verb."""
    help: str
    target: str
    """`module:Class`."""
    starts_itself: bool = False
    """The target is `module:function`, which parses its own arguments: for a fast start."""


VERBS: tuple[VerbEntry, ...] = (
    VerbEntry(
        "benchmarks",
        "sync",
        "Bring the hub's tables to what the directories say, verified byte by byte.",
        "benchmarks.verbs.benchmarks_sync:Sync",
    ),
    VerbEntry(
        "benchmarks",
        "verify",
        "Test every verifier with rollouts that it must pass and that it must fail.",
        "benchmarks.verbs.benchmarks_verify:Verify",
    ),
    VerbEntry(
        "traces",
        "agreement",
        "Measure verifiers made from one good trace against the outcomes of the others.",
        "benchmarks.verbs.traces_agreement:Agreement",
    ),
    VerbEntry(
        "traces",
        "build-benchmark",
        "Compile captured traces into a benchmark to review.",
        "benchmarks.verbs.traces_build_benchmark:BuildBenchmark",
    ),
    VerbEntry(
        "traces",
        "directions",
        "Propose what to measure, as cards; record the pick and how dependencies are played.",
        "benchmarks.verbs.traces_directions:Directions",
    ),
    VerbEntry(
        "traces",
        "doctor",
        "Say what a build would read, lose and redact.",
        "benchmarks.verbs.traces_doctor:Doctor",
    ),
    VerbEntry(
        "traces",
        "regenerate-env",
        "Make the environment, its proof and the stamps again after edits.",
        "benchmarks.verbs.traces_regenerate_env:RegenerateEnv",
    ),
)
