"""Runs one verb: flags every verb has, one answer on stdout, everything else on stderr."""

import gc
import getpass
import importlib
import json
import logging
import os
import shutil
import signal
import sys
import uuid
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from benchmarks.artifacts.disk import refused
from benchmarks.artifacts.home import Home, home
from benchmarks.artifacts.named_roots import named_roots
from benchmarks.artifacts.parsing import MAX_DIGITS
from benchmarks.artifacts.roots import roots
from benchmarks.artifacts.settings import FORMATS, read_project
from benchmarks.doors.call import Call
from benchmarks.doors.marks import visible
from benchmarks.doors.page import Page, page_width
from benchmarks.doors.parsing import Parser
from benchmarks.doors.progress import Progress
from benchmarks.errors import Complaint, Internal, InvalidArguments, UnderstudyError
from benchmarks.records.base import plain
from benchmarks.records.blocks import Notice
from benchmarks.records.caller import Caller
from benchmarks.verbs import VerbEntry
from benchmarks.verbs.base import Verb
from understudy_site.pasting import Pasting, pasting

HOME = "UNDERSTUDY_HOME"
KEY_CHARS = 128
INTERRUPTED, TERMINATED = 130, 143
GC_OBJECTS = 50_000
"""Records are many and hold no cycles: looking for some at every 700th doubles reading them."""

logger = logging.getLogger("understudy")


class Terminated(BaseException):
    """SIGTERM: the append in hand is finished, then the process ends."""


def run(entry: VerbEntry, argv: Sequence[str]) -> int:
    """Run the verb and return its exit code (spec/surface.md 2.1, 2.2)."""
    signal.signal(signal.SIGTERM, _terminated)
    sys.set_int_max_str_digits(MAX_DIGITS)
    gc.set_threshold(GC_OBJECTS, 20, 100)
    text = _wants_text(_said_format(argv))
    pasted = Pasting()
    try:
        verb = load(entry)
        args = parser_of(verb).parse(argv)
        pasted = pasting(args, argv, Path.cwd())
        return _run(entry, verb, args, argv, pasted)
    except UnderstudyError as error:
        return _show_error(error, pasted, text=text)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; what was acknowledged is on disk\n")
        return INTERRUPTED
    except Terminated:
        sys.stderr.write("terminated; what was acknowledged is on disk\n")
        return TERMINATED
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1
    except Exception as error:  # noqa: BLE001 - the last resort of a door: logged, never shown
        return _show_error(refused(error) or _internal(error, argv), pasted, text=text)


def _terminated(number: int, frame: FrameType | None) -> None:
    raise Terminated


def _run(
    entry: VerbEntry, verb: Verb, args: Namespace, argv: Sequence[str], pasted: Pasting
) -> int:
    with at_home(args.home):
        return _run_here(entry, verb, args, argv, pasted)


@contextmanager
def at_home(place: str | None) -> Iterator[None]:
    """The home folder of `--home`, for this verb and whatever it starts."""
    before = os.environ.get(HOME)
    if place:
        os.environ[HOME] = place
    try:
        yield
    finally:
        if before is not None:
            os.environ[HOME] = before
        elif place:
            os.environ.pop(HOME, None)


def _run_here(
    entry: VerbEntry, verb: Verb, args: Namespace, argv: Sequence[str], pasted: Pasting
) -> int:
    here = home()
    text = _wants_text("json" if args.json else args.format or here.settings.format)
    words = ("understudy", entry.noun, *filter(None, [entry.name]), *argv)
    call = replace(call_of(args, here), argv=words)
    result = verb.run(call, args)
    call.progress.stop()
    for notice in result.notices or _said_in(result.document):
        call.notify(notice)
    if text and result.text is not None:
        result.text(Page(sys.stdout, width=_width(), colour=_colour(), pasted=pasted))
    elif result.document is not None:
        print_json(pasted.document(plain(result.document, "document")))
    sys.stdout.flush()
    return result.exit_code


def _said_in(document: Any) -> list[Notice]:
    """The notices of a document: there is no answer in which they can be missed."""
    found = document.get("notices") if isinstance(document, dict) else None
    return [Notice.read(notice) for notice in found or []]


def load(entry: VerbEntry) -> Verb:
    """The verb of a table entry."""
    module, _, name = entry.target.partition(":")
    verb: Verb = getattr(importlib.import_module(module), name)()
    return verb


def parser_of(verb: Verb) -> Parser:
    """The parser of a verb, with the flags that every verb has."""
    parser = Parser(prog=f"understudy {verb.noun} {verb.name}".strip(), description=verb.help)
    verb.add_arguments(parser)
    common = parser.add_argument_group("every verb")
    common.add_argument("--format", choices=FORMATS, help="text on a terminal, else JSON")
    common.add_argument("--json", action="store_true", help="the same as --format json")
    common.add_argument("--quiet", action="store_true", help="notices and errors only")
    common.add_argument("--verbose", action="store_true", help="a debug log on stderr")
    common.add_argument("--home", metavar="DIR", help="in place of UNDERSTUDY_HOME")
    common.add_argument("--root", metavar="DIR", action="append", default=[], help="a further root")
    common.add_argument("--actor", metavar="NAME", help="who acts; default os:<user>")
    common.add_argument("--idempotency-key", metavar="KEY", help="a write is done once per key")
    return parser


def call_of(args: Namespace, here: Home) -> Call:
    """What the shell hands to a verb."""
    logging.basicConfig(
        level=logging.DEBUG if args.verbose else os.environ.get("UNDERSTUDY_LOG_LEVEL", "WARNING"),
        stream=sys.stderr,
        format="%(levelname)s %(name)s: %(message)s",
    )
    key = args.idempotency_key
    if key is not None and not (1 <= len(key) <= KEY_CHARS and key.isascii() and key.isprintable()):
        raise InvalidArguments(
            f"--idempotency-key {key!r} is not 1..{KEY_CHARS} printable ASCII characters"
        )
    project = read_project(Path.cwd(), here.path)
    further = named_roots(args.root)
    if project is not None and project.benchmarks is not None:
        further.insert(0, project.benchmarks)
    return Call(
        caller=Caller(args.actor or here.settings.actor or actor_name(), "shell", key),
        home=here,
        roots=roots(here, further),
        cwd=Path.cwd(),
        progress=Progress(None if args.quiet else sys.stderr),
        project=project,
        allow_outside=True,
        notify=_said_once(),
    )


def actor_name() -> str:
    """`os:<user>`."""
    try:
        return f"os:{getpass.getuser()}"
    except (KeyError, OSError):
        return f"os:{os.getuid()}"


def print_json(document: Any) -> None:
    """The document on stdout: two-space indent, UTF-8, one final newline."""
    sys.stdout.write(json.dumps(plain(document, "document"), indent=2, ensure_ascii=False) + "\n")


def _said_once() -> Callable[[Notice], None]:
    """Says each notice of one call once, as early as anybody asks for it."""
    said: set[str] = set()

    def say(notice: Notice) -> None:
        if notice.text not in said:
            said.add(notice.text)
            sys.stderr.write(f"notice: {visible(notice.text)}\n")
            sys.stderr.flush()

    return say


def _said_format(argv: Sequence[str]) -> str:
    words = list(argv)
    if "--json" in words:
        return "json"
    for place, word in enumerate(words):
        if word.startswith("--format="):
            return word.partition("=")[2]
        if word == "--format" and place + 1 < len(words):
            return words[place + 1]
    return os.environ.get("UNDERSTUDY_FORMAT", "auto")


def _wants_text(form: str) -> bool:
    return form == "text" or (form != "json" and sys.stdout.isatty())


def _width() -> int:
    return page_width(shutil.get_terminal_size((0, 0)).columns)


def _colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _show_error(error: UnderstudyError, pasted: Pasting, *, text: bool) -> int:
    if not text:
        shown = pasted.document(plain(error.document(), "error"))
        sys.stderr.write(json.dumps(shown, ensure_ascii=False) + "\n")
        return error.exit_code
    sys.stderr.write(f"error: {visible(error.message)}\n")
    for complaint in error.errors:
        sys.stderr.write(f"  {visible(_complaint_line(complaint))}\n")
    if error.hint:
        sys.stderr.write(f"hint: {visible(pasted(error.hint))}\n")
    for action in error.next_actions:
        sys.stderr.write(f"next: {visible(pasted(action.command))}\n")
    return error.exit_code


def _complaint_line(complaint: Complaint) -> str:
    """Where, with which value unless the words say it already, and why."""
    shown = complaint.document()
    path, value, message = shown["path"], shown["value"], shown["message"]
    is_told = not value or value == path or value in message
    return f"{path}: {message}" if is_told else f"{path} {value}: {message}"


def _internal(error: Exception, argv: Sequence[str]) -> Internal:
    error_id = uuid.uuid4().hex[:12]
    logger.debug("error %s in %s", error_id, list(argv), exc_info=error)
    try:
        here = home()
        here.log(f"error {error_id}", error)
        where = str(here.path / "logs")
    except (OSError, UnderstudyError):
        where = "the debug log (--verbose)"
    return Internal(
        f"something went wrong that should not have (error {error_id})",
        hint=f"the details are in {where}",
        details={"error_id": error_id},
    )
