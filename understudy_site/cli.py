"""The `understudy` command: nouns and verbs from a static table, so that help costs nothing.

Everything heavy stands behind `shell`, imported only when a verb runs.
"""

import difflib
import importlib
import json
import os
import sys
from collections.abc import Iterator, Sequence

from benchmarks.errors import UnderstudyError, UnknownTool
from benchmarks.release import VERSION
from benchmarks.verbs import VERBS as BENCHMARK_VERBS
from benchmarks.verbs import VerbEntry
from reviews.verbs import VERBS as REVIEW_VERBS
from runs.verbs import VERBS as RUN_VERBS
from understudy_site.absent import refuse_known
from understudy_site.verbs import VERBS as SITE_VERBS

VERBS: tuple[VerbEntry, ...] = (*BENCHMARK_VERBS, *REVIEW_VERBS, *RUN_VERBS, *SITE_VERBS)
NOUNS = ("traces", "benchmarks", "runs", "reviews", "trust", "hub", "demo")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; nothing but the answer goes to stdout."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in {"--help", "-h", "help"}:
        _print(_nouns_help())
        return 0
    if words[0] == "--version":
        _print(f"understudy {VERSION}\n")
        return 0
    try:
        entry, rest = _find(words)
    except UnderstudyError as error:
        return _refused(error, words)
    if entry is None:
        _print(_noun_help(words[0]))
        return 0
    if entry.starts_itself:
        module, _, function = entry.target.partition(":")
        return int(getattr(importlib.import_module(module), function)(rest))
    return int(importlib.import_module("understudy_site.shell").run(entry, rest))


def verbs_of(noun: str) -> Iterator[VerbEntry]:
    """The verbs of one noun, in table order."""
    return (entry for entry in VERBS if entry.noun == noun)


def _find(words: Sequence[str]) -> tuple[VerbEntry | None, list[str]]:
    noun, rest = words[0], list(words[1:])
    refuse_known(list(words))
    verbs = {entry.name: entry for entry in verbs_of(noun)}
    if not verbs:
        raise _unknown("noun", noun, NOUNS, "understudy")
    if "" in verbs:
        return verbs[""], rest
    if not rest or rest[0] in {"--help", "-h"}:
        return None, []
    if rest[0] not in verbs:
        raise _unknown("verb", rest[0], list(verbs), f"understudy {noun}")
    return verbs[rest[0]], rest[1:]


def _unknown(what: str, said: str, known: Sequence[str], before: str) -> UnknownTool:
    """The error for a word that does not exist after `before`; the hint has the nearest."""
    near = difflib.get_close_matches(said, known, n=1, cutoff=0.5)
    hint = f"nearest: {before} {near[0]}" if near else f"{before} --help"
    return UnknownTool(f"there is no {what} {said!r} of {before}", hint=hint)


def _refused(error: UnderstudyError, words: Sequence[str]) -> int:
    said = "text" in words or "--format=text" in words
    text = said or os.environ.get("UNDERSTUDY_FORMAT") == "text"
    if sys.stdout.isatty() or text:
        sys.stderr.write(f"error: {error.message}\nhint: {error.hint}\n")
    else:
        sys.stderr.write(json.dumps(error.document(), ensure_ascii=False) + "\n")
    return error.exit_code


def _nouns_help() -> str:
    lines = ["usage: understudy NOUN VERB ...", "", "A benchmark lab over captured traces.", ""]
    for noun in NOUNS:
        names = [entry.name for entry in verbs_of(noun) if entry.name]
        what = ", ".join(names) or next((entry.help for entry in verbs_of(noun)), "")
        lines += [f"  {noun:<12} {what}"] if what else []
    lines += ["", "understudy NOUN --help lists its verbs; understudy NOUN VERB --help its flags."]
    return "\n".join(lines) + "\n"


def _noun_help(noun: str) -> str:
    lines = [f"usage: understudy {noun} VERB ...", ""]
    lines += [f"  {entry.name:<18} {entry.help}" for entry in verbs_of(noun)]
    return "\n".join(lines) + "\n"


def _print(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stderr.close()


if __name__ == "__main__":
    sys.exit(main())
