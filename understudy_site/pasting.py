"""A command that is printed works as it is printed, where its caller stands.

Services name a benchmark by its slug and know nothing of the flags of the call. A slug of a
directory outside every root means nothing to the next call, and `--home` and `--root` hold for one
call only: both are put into every command that the shell prints.
"""

import os
import re
import shlex
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.artifacts.roots import outside_slug

SPOKEN = frozenset({"command", "hint", "execute_hint", "next_command", "why"})
"""Keys of a document whose text holds commands."""
VERB = re.compile(
    r"\bunderstudy (?:traces|benchmarks|runs|reviews|trust|hub) [a-z][a-z-]*(?![\w/])"
)


@dataclass(frozen=True, slots=True)
class Pasting:
    """What a command needs beside its own words so that the next call finds the same things."""

    flags: str = ""
    """`--home` and `--root` of this call, quoted."""
    paths: Mapping[str, str] = field(default_factory=dict)
    """The quoted path of each directory outside every root that was named, by its slug."""

    def __call__(self, text: str) -> str:
        """The text with its commands as they work when pasted."""
        for slug, path in self.paths.items():
            text = text.replace(shlex.quote(slug), path).replace(slug, path)
        if not self.flags or any(flag in text for flag in (" --home ", " --root ")):
            return text
        return VERB.sub(lambda found: f"{found[0]} {self.flags}", text)

    def document(self, value: Any, key: str = "") -> Any:
        """A document with the commands in it as they work when pasted; all else as it is."""
        if not (self.flags or self.paths):
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
    return Pasting(shlex.join(flags), _outside(argv, cwd))


def _outside(argv: Sequence[str], cwd: Path) -> dict[str, str]:
    """Every path that a word may be, by the slug it has where it is a benchmark outside the roots.

    It need not be there yet: a build makes it.
    """
    names = {name for word in argv for name in (word.partition("=")[2], *word.split(","))}
    found = {}
    for name in names:
        if name and "\0" not in name:
            real = Path(os.path.realpath(cwd / os.path.expanduser(name)))
            found[outside_slug(real)] = shlex.quote(str(real))
    return found
