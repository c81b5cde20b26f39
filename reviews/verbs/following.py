"""What a verb that changed how a benchmark stands ends with."""

from benchmarks.doors.page import Page
from benchmarks.records import cures


def draw_done(page: Page, said: str, slug: str) -> None:
    """What was done, in one line, then the status."""
    page.line(said)
    draw_status(page, slug)


def draw_status(page: Page, slug: str) -> None:
    """The command that says what stands now, and what is next."""
    page.command(cures.read_status(slug).command)
