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
        "traces",
        "agreement",
        "Measure verifiers made from one good trace against the outcomes of the others.",
        "benchmarks.verbs.traces_agreement:Agreement",
    ),
    VerbEntry(
        "traces",
        "doctor",
        "Say what a build would read, lose and redact.",
        "benchmarks.verbs.traces_doctor:Doctor",
    ),
)
