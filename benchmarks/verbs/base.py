"""A shell verb: one class, one file, one service."""

import argparse
from typing import ClassVar, Protocol

from benchmarks.doors.call import Call, Result


class Verb(Protocol):
    """Translates arguments in, calls one service, translates the answer out."""

    noun: ClassVar[str]
    name: ClassVar[str]
    help: ClassVar[str]

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the flags of this verb; those that every verb has are there already."""

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        """Do it."""
