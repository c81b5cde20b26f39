"""What a verb that changed or showed how a benchmark stands ends with."""

from benchmarks.artifacts.roots import Located
from benchmarks.doors.call import Call
from benchmarks.doors.page import Page
from benchmarks.errors import UnderstudyError
from benchmarks.records import cures
from runs.services.benchmark_status import benchmark_status
from runs.status.block import next_words


def draw_next(page: Page, located: Located, call: Call) -> None:
    """Why what is next is next, and its command; the status where that cannot be told."""
    try:
        step = benchmark_status(located=located, home=call.home, now=call.now)["next"]
    except UnderstudyError:
        step = None
    if step is None:
        page.command(cures.read_status(located.slug).command)
        return
    page.line(page.pasted(f"next: {next_words(step)}"))
    page.command(step["command"])
