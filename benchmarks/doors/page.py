"""Text for people: tables and lines in which no captured text can move the cursor."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any

from rich import box
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

DEFAULT_WIDTH = 100
SHORT_CELL, LEAST_CELL = 14, 20
BIDI_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(value: Any) -> str:
    """The value as one safe text: control characters and bidirectional marks are spelled out."""
    text = "-" if value is None else str(value)
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(char) for char in text)


def _shown(char: str) -> str:
    if char in "\n\t":
        return char
    if char in BIDI_MARKS or unicodedata.category(char) in {"Cc", "Cs"}:
        return f"\\u{ord(char):04x}" if ord(char) > 0xFF else f"\\x{ord(char):02x}"
    return char


class Page:
    """Where a verb draws its answer. Values are data: never markup, never control codes."""

    def __init__(self, stream: IO[str], *, width: int | None = None, colour: bool = False) -> None:
        """Draw on `stream`, in colour only where the stream is a terminal."""
        self.console = Console(
            file=stream,
            width=width,
            force_terminal=colour,
            no_color=not colour,
            highlight=False,
            markup=False,
            emoji=False,
            soft_wrap=False,
        )

    def line(self, text: Any = "", *, style: str | None = None) -> None:
        """One line of text, wrapped at the width."""
        self.console.print(Text(visible(text), style=style or ""))

    def command(self, text: str) -> None:
        """A command ready to paste: one line, never wrapped."""
        self.console.print(Text(visible(text), style="bold"), soft_wrap=True)

    def verbatim(self, text: str) -> None:
        """A text ready to paste: its own lines, never wrapped."""
        self.console.print(Text(visible(text)), soft_wrap=True)

    def labelled(self, pairs: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        """`label  value` lines, the labels in one column."""
        items = list(pairs.items() if isinstance(pairs, Mapping) else pairs)
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True, style="bold")
        table.add_column(overflow="fold")
        for label, value in items:
            table.add_row(Text(visible(label)), Text(visible(value)))
        self.console.print(table)

    def table(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[Any]],
        *,
        title: str | None = None,
        ids: Sequence[int] = (0,),
        right: Sequence[int] = (),
    ) -> None:
        """A table; short columns and those in `ids` are never wrapped, `right` ones align right.

        A table that needs more than the width is drawn wider: no id is ever shortened.
        """
        table = Table(
            title=Text(visible(title)) if title else None,
            title_justify="left",
            box=box.SIMPLE_HEAD,
            pad_edge=False,
            collapse_padding=True,
        )
        cells = [[visible(cell) for cell in row] for row in rows]
        needed = 0
        for number, name in enumerate(columns):
            longest = max((len(row[number]) for row in cells), default=0)
            whole = number in ids or number in right or longest <= SHORT_CELL
            needed += 2 + (max(longest, len(name)) if whole else min(longest, LEAST_CELL))
            table.add_column(
                Text(visible(name)),
                no_wrap=whole,
                overflow="fold",
                justify="right" if number in right else "left",
            )
        for row in cells:
            table.add_row(*(Text(cell) for cell in row))
        width = self.console.width
        self.console.width = max(width, needed)
        self.console.print(table)
        self.console.width = width

    def panel(self, title: str, body: Any) -> None:
        """A framed text."""
        self.console.print(Panel(Text(visible(body)), title=Text(visible(title)), box=box.ROUNDED))


def page_width(columns: int) -> int:
    """The terminal's width, 100 when unknown."""
    return columns if columns > 0 else DEFAULT_WIDTH
