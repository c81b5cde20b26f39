"""A list as the shell shows it: one page, with the cursor of the next."""

import argparse
from collections.abc import Mapping
from typing import Any

from benchmarks.doors.call import Call
from benchmarks.doors.page import Page
from benchmarks.doors.paging import DEFAULT_LIMIT, MAX_LIMIT, Pager
from benchmarks.doors.parsing import integer


def add_page(parser: argparse.ArgumentParser) -> None:
    """How much of a list is shown, and from where."""
    parser.add_argument(
        "--limit",
        type=integer(1, MAX_LIMIT),
        default=DEFAULT_LIMIT,
        metavar="N",
        help=f"items on a page ({DEFAULT_LIMIT})",
    )
    parser.add_argument("--cursor", metavar="C", help="next_cursor of the page before")


def paged(
    document: Mapping[str, Any], key: str, call: Call, args: argparse.Namespace, asked: Any
) -> dict[str, Any]:
    """The document with one page of its list; `asked` is what the list was asked with."""
    pager = Pager(call.home.secret(), args.limit, args.cursor, asked)
    items, page = pager.page(document[key])
    return {**document, key: items, "page": page}


def draw_more(page: Page, document: Mapping[str, Any]) -> None:
    """One line when there is more than the page holds."""
    shown = document["page"]
    if shown["next_cursor"] is not None:
        page.line(f"{shown['returned']} of {shown['total']}; more: --cursor {shown['next_cursor']}")


def percentage(value: float | None) -> str:
    """A mean score as people read it."""
    return "-" if value is None else f"{value:.2f}"
