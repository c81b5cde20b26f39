"""The arguments that verbs share, and a parser that raises instead of exiting."""

import argparse
import difflib
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from benchmarks.errors import InvalidArguments, SourceNotFound


class Parser(argparse.ArgumentParser):
    """argparse whose errors are ours: they name the value and the nearest known flag."""

    def __init__(self, **options: Any) -> None:
        """A parser without abbreviations."""
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print."""
        raise InvalidArguments(message, hint=f"{self.prog} --help")

    def parse(self, argv: Sequence[str]) -> argparse.Namespace:
        """The arguments in any order.

        Raises:
            InvalidArguments: a value is wrong or a flag unknown; all unknown ones are named.
        """
        arguments, strangers = self.parse_known_intermixed_args(list(argv))
        if strangers:
            flags = [text for action in self._actions for text in action.option_strings]
            said = [_stranger(text, flags) for text in strangers]
            raise InvalidArguments(
                f"unknown argument{'s' if len(said) > 1 else ''}: " + ", ".join(said),
                hint=f"{self.prog} --help",
            )
        return arguments


def _stranger(text: str, flags: Sequence[str]) -> str:
    near = difflib.get_close_matches(text.split("=", 1)[0], flags, n=1)
    return f"{text} (nearest: {near[0]})" if near else text


def integer(low: int, high: int | None = None) -> Callable[[str], int]:
    """A decimal integer within bounds, named in the error."""
    bounds = f"{low}..{high}" if high is not None else f"{low} or more"

    def read(text: str) -> int:
        if text.lstrip("+-").isdecimal():
            value = int(text)
            if value >= low and (high is None or value <= high):
                return value
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer from {bounds}")

    return read


def number(low: float, high: float | None = None) -> Callable[[str], float]:
    """A finite number within bounds, named in the error."""
    bounds = f"{low:g}..{high:g}" if high is not None else f"{low:g} or more"

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if math.isfinite(value) and value >= low and (high is None or value <= high):
            return value
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from {bounds}")

    return read


class _Listed(argparse.Action):
    """Collects commas and repeats into one list."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        found = list(getattr(namespace, self.dest, None) or [])
        found += [item.strip() for item in str(values).split(",") if item.strip()]
        setattr(namespace, self.dest, found)


def add_listed(parser: argparse.ArgumentParser, *flags: str, help: str, dest: str) -> None:
    """A flag that takes commas and repeats, under both numbers of its noun."""
    parser.add_argument(*flags, action=_Listed, dest=dest, default=None, metavar="A,B", help=help)


def add_benchmark(parser: argparse.ArgumentParser) -> None:
    """The benchmark, as the first positional or as --benchmark; see `benchmark_of`."""
    parser.add_argument("benchmark", nargs="?", metavar="B", help="a directory, a slug or a name")
    parser.add_argument("--benchmark", dest="benchmark_flag", metavar="B", help="the same")


def benchmark_of(arguments: argparse.Namespace) -> str:
    """The one benchmark that the arguments name.

    Raises:
        InvalidArguments: none is named, or the two ways disagree.
    """
    named = benchmark_if_named(arguments)
    if named is None:
        raise InvalidArguments(
            "no benchmark is named", hint="name a directory or a slug: understudy benchmarks list"
        )
    return named


def benchmark_if_named(arguments: argparse.Namespace) -> str | None:
    """The one benchmark that the arguments name, if they do.

    Raises:
        InvalidArguments: the two ways disagree.
    """
    named = [name for name in (arguments.benchmark, arguments.benchmark_flag) if name]
    if len(set(named)) == 2 and Path(named[0]).resolve() != Path(named[1]).resolve():
        raise InvalidArguments(f"two benchmarks are named: {named[0]} and {named[1]}")
    return str(named[0]) if named else None


def add_words(parser: argparse.ArgumentParser, metavar: str, help: str) -> None:
    """The benchmark and further words, or the words alone beside --benchmark; see `words_of`."""
    parser.add_argument("words", nargs="*", metavar=metavar, help=help)
    parser.add_argument("--benchmark", dest="benchmark_flag", metavar="B", help="in place of B")


def words_of(
    arguments: argparse.Namespace, *, at_least: int, at_most: int
) -> tuple[str, list[str]]:
    """The one benchmark that the arguments name, and the words after it.

    Raises:
        InvalidArguments: none is named, or there are too few or too many words.
    """
    words = list(arguments.words)
    flag = arguments.benchmark_flag
    if flag is None and words:
        flag = words.pop(0)
    elif flag is not None and len(words) > at_least and _same_name(words[0], flag):
        words.pop(0)
    if flag is None:
        raise InvalidArguments(
            "no benchmark is named", hint="name a directory or a slug: understudy benchmarks list"
        )
    if not at_least <= len(words) <= at_most:
        said = " ".join(words) or "none"
        wanted = str(at_least) if at_least == at_most else f"{at_least} to {at_most}"
        raise InvalidArguments(
            f"{len(words)} words after the benchmark ({said}), {wanted} wanted",
            hint="the verb's --help names them",
        )
    return str(flag), words


def _same_name(word: str, flag: str) -> bool:
    return word == flag or Path(word).resolve() == Path(flag).resolve()


def text_value(text: str, stdin: Callable[[], str]) -> str:
    """The value itself, the content of `@FILE`, or standard input for `-`.

    Raises:
        SourceNotFound: the file does not exist or cannot be read.
    """
    if text == "-":
        return stdin()
    if not text.startswith("@"):
        return text
    try:
        return Path(text[1:]).read_text(encoding="utf-8")
    except OSError as error:
        raise SourceNotFound(f"{text[1:]}: {error.strerror}", hint="name a readable file") from None
