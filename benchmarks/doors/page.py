"""Text for people: tables and lines in which no captured text can move the cursor."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from benchmarks.doors.marks import visible

DEFAULT_WIDTH = 100
SHORT_CELL, LEAST_CELL, LONG_WORD = 14, 20, 40
GAP = 2
"""Cells between two columns."""


class Page:
    """Where a verb draws its answer. Values are data: never markup, never control codes."""

    def __init__(
        self,
        stream: IO[str],
        *,
        width: int | None = None,
        colour: bool = False,
        pasted: Callable[[str], str] = str,
    ) -> None:
        """Draw on `stream`, in colour only where the stream is a terminal.

        `pasted` makes of a command the one that works when it is pasted here.
        """
        self.pasted = pasted
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
        self.console.print(Text(visible(self.pasted(text)), style="bold"), soft_wrap=True)

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

        No word is broken and no id is shortened: a table that needs more than the width is drawn
        wider. One without rows is one line that says so.
        """
        cells = [[visible(cell) for cell in row] for row in rows]
        if not cells:
            self.line(f"{title}: none" if title else f"no {columns[0]}")
            return
        if title:
            self.line(title)
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
        extents = [
            _extent([name, *(row[number] for row in cells)], whole=number in {*ids, *right})
            for number, name in enumerate(columns)
        ]
        widths = _shared(extents, self.console.width - GAP * len(columns) - 1)
        for number, name in enumerate(columns):
            table.add_column(
                Text(visible(name)),
                width=widths[number],
                overflow="fold",
                justify="right" if number in right else "left",
            )
        for row in cells:
            table.add_row(*(Text(cell) for cell in row))
        width = self.console.width
        self.console.width = max(width, sum(widths) + GAP * len(columns) + 1)
        self.console.print(table)
        self.console.width = width

    def panel(self, title: str, body: Any) -> None:
        """A framed text."""
        self.console.print(Panel(Text(visible(body)), title=Text(visible(title)), box=box.ROUNDED))


@dataclass(frozen=True, slots=True)
class Extent:
    """How narrow a column may be, and how wide it would like to be, in cells."""

    least: int
    most: int


def _extent(texts: Sequence[str], *, whole: bool) -> Extent:
    """A short column, or one that is never wrapped, is as wide as its longest line."""
    most = max(cell_len(line) for text in texts for line in text.split("\n"))
    if whole or most <= SHORT_CELL:
        return Extent(most, most)
    word = max((cell_len(word) for text in texts for word in text.split()), default=0)
    return Extent(max(min(word, LONG_WORD), min(most, LEAST_CELL)), most)


def _shared(extents: Sequence[Extent], room: int) -> list[int]:
    """The width of each column: its least, and a fair share of what room is left over."""
    widths = [extent.least for extent in extents]
    spare = max(0, room - sum(widths))
    wanting = sorted(range(len(extents)), key=lambda at: extents[at].most - extents[at].least)
    for place, at in enumerate(wanting):
        given = min(extents[at].most - extents[at].least, spare // (len(wanting) - place))
        widths[at] += given
        spare -= given
    return widths


def page_width(columns: int) -> int:
    """The terminal's width, 100 when unknown."""
    return columns if columns > 0 else DEFAULT_WIDTH
