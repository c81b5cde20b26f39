"""A command that is printed works as it is printed, where its caller stands.

Services name a benchmark by its slug and know nothing of the flags of the call. A slug of a
directory outside every root means nothing to the next call, and `--home` and `--root` hold for one
call only: both are put into every command that the shell prints.
"""

import os
import re
import shlex
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.artifacts.roots import holds_benchmark, outside_slug

SPOKEN = frozenset({"command", "hint", "execute_hint", "next_command", "why", "remedy"})
"""Keys of a document whose text holds commands."""
BACKSLASH = chr(92)
WORDS = r"\bunderstudy (?:traces|benchmarks|runs|reviews|trust|hub) [a-z][a-z-]*(?![\w/])"
VERB = re.compile(WORDS)
SUBJECT = rf"({WORDS}(?: --benchmark)? )"
"""What stands before the benchmark of a command."""


@dataclass(frozen=True, slots=True)
class Pasting:
    """What a command needs beside its own words so that the next call finds the same things."""

    flags: str = ""
    """`--home` and `--root` of this call, quoted."""
    paths: Mapping[str, str] = field(default_factory=dict)
    """The quoted path of each directory outside every root that was named, by its slug."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The quoted path of each benchmark that was named by its path, by its bare name."""

    def __call__(self, text: str) -> str:
        """The text with its commands as they work when pasted."""
        for slug, path in self.paths.items():
            text = text.replace(shlex.quote(slug), path).replace(slug, path)
        for name, path in self.names.items():
            subject = rf"{SUBJECT}{re.escape(shlex.quote(name))}(?![\w/.-])"
            text = re.sub(subject, rf"\g<1>{path.replace(BACKSLASH, 2 * BACKSLASH)}", text)
        if not self.flags or any(flag in text for flag in (" --home ", " --root ")):
            return text
        return VERB.sub(lambda found: f"{found[0]} {self.flags}", text)

    def document(self, value: Any, key: str = "") -> Any:
        """A document with the commands in it as they work when pasted; all else as it is."""
        if not (self.flags or self.paths or self.names):
            return value
        if isinstance(value, Mapping):
            return {name: self.document(item, str(name)) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.document(item, key) for item in value]
        return self(value) if isinstance(value, str) and key in SPOKEN else value


def pasting(args: Namespace, argv: Sequence[str], cwd: Path) -> Pasting:
    """How commands are printed for a call with these words."""
    flags = ["--home", str(cwd / args.home)] if args.home else []
    for root in args.root:
        flags += ["--root", str(cwd / root)]
    places = list(_places(argv, cwd))
    return Pasting(
        shlex.join(flags),
        {outside_slug(real): shlex.quote(str(real)) for real in places},
        {real.name: shlex.quote(str(real)) for real in places if _is_benchmark(real)},
    )


def _places(argv: Sequence[str], cwd: Path) -> Iterator[Path]:
    """Every path that a word may be. It need not be there yet: a build makes it."""
    for name in {name for word in argv for name in (word.partition("=")[2], *word.split(","))}:
        if name and "\0" not in name:
            yield Path(os.path.realpath(cwd / os.path.expanduser(name)))


def _is_benchmark(path: Path) -> bool:
    with suppress(OSError):
        return holds_benchmark(path)
    return False
