"""What happened in one run, newest first."""

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.records.base import JsonObject

NEWEST = 25


def newest_events(*, located: Located, run_id: str, limit: int = NEWEST) -> list[JsonObject]:
    """The last events of a run, newest first. Nothing is ever counted from events."""
    events = located.directory.read(layout.EVENTS).records
    mine = [event for event in events if event.run_id == run_id]
    return [event.dump() for event in reversed(mine[-limit:])]
