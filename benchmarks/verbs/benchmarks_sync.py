"""`understudy benchmarks sync`: the tables of the hub, brought to what the directories say."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.artifacts.roots import Located, list_directories
from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_listed
from benchmarks.errors import InvalidArguments
from benchmarks.records.wording import many


class Sync:
    noun = "benchmarks"
    name = "sync"
    help = "Bring the hub's tables to what the directories say, verified byte by byte."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("benchmarks", nargs="*", metavar="B", help="directories or slugs")
        add_listed(parser, "--benchmark", dest="more", help="further benchmarks")
        parser.add_argument("--all", action="store_true", help="every benchmark of the roots")
        parser.add_argument(
            "--check", action="store_true", help="only compare: every file, every column"
        )
        parser.add_argument(
            "--rebuild", action="store_true", help="drop what was mirrored and read it anew"
        )

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        if args.check and args.rebuild:
            raise InvalidArguments("--check writes nothing: it does not go with --rebuild")
        located = chosen(call, [*args.benchmarks, *(args.more or [])], everything=args.all)
        from benchmarks.doors.database import (  # noqa: PLC0415 - 200 ms: Django
            database_errors,
            open_database,
        )

        open_database(call.home)
        from benchmarks.mirror import syncing  # noqa: PLC0415 - needs Django set up

        with database_errors():
            if args.check:
                document = syncing.check_benchmarks(located=located)
                return Result(
                    document,
                    text=lambda page: draw_check(page, document),
                    exit_code=0 if document["ok"] else 1,
                )
            if args.all:
                syncing.mark_absent(located, call.roots)
            call.progress.start("mirroring", unit="lines")
            document = syncing.sync_benchmarks(
                located=located, rebuild=args.rebuild, report=call.progress.advance
            )
        return Result(
            document,
            text=lambda page: draw(page, document),
            exit_code=0 if document["ok"] else 1,
        )


def chosen(call: Call, names: Sequence[str], *, everything: bool) -> list[Located]:
    """The benchmarks that are named, or every one of the roots.

    Raises:
        InvalidArguments: none is named, or some beside `--all`.
    """
    if bool(names) == everything:
        said = "both benchmarks and --all are named" if names else "no benchmark is named"
        raise InvalidArguments(said, hint="understudy benchmarks sync B, or --all")
    if not everything:
        return [call.locate(name) for name in dict.fromkeys(names)]
    listing = list_directories(call.roots)
    for warning in listing.warnings:
        call.progress.note(warning)
    return listing.found


def draw(page: Page, document: Mapping[str, Any]) -> None:
    """One row a benchmark, then what is refused and its cure."""
    page.table(
        ("benchmark", "lines read", "rows", "seconds", "behind bytes", "revision"),
        [
            (
                one["slug"], one["lines_read"], one["rows"], one["seconds"],
                one["behind_bytes"], one["revision"],
            )
            for one in document["synced"]
        ],
        right=(1, 2, 3, 4, 5),
    )  # fmt: skip
    for failure in document["failed"]:
        page.line(f"{failure['slug']}: {failure['message']}")
        page.command(failure["hint"])


def draw_check(page: Page, document: Mapping[str, Any]) -> None:
    """Equal, or what is not."""
    for one in document["checked"]:
        count = one["differences"]
        page.line(f"{one['slug']}: {many(count, 'difference') if count else 'equal to its files'}")
    shown = document["differences"]
    if shown:
        page.table(
            ("benchmark", "what", "file", "line", "columns"),
            [
                (
                    one["slug"], one["kind"], one["file"],
                    one.get("line"), ", ".join(one.get("columns", ())),
                )
                for one in shown
            ],
        )  # fmt: skip
    if document["differing"] > len(shown):
        page.line(f"and {document['differing'] - len(shown)} more")
