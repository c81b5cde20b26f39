"""The verbs of this app, as a static table: `understudy --help` reads it and imports nothing."""

from benchmarks.verbs import VerbEntry

VERBS: tuple[VerbEntry, ...] = ()
