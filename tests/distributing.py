"""How pytest's processes share the work: file by file, those that take long first."""

import pytest
from xdist.scheduler import LoadGroupScheduling

LONG = (
    "tests/flows/",
    "tests/real/",
    "tests/site/",
    "tests/runs/admin/",
    "tests/reviews/admin/",
    "tests/runs/",
    "tests/reviews/",
    "tests/benchmarks/mirror/",
    "tests/benchmarks/services/",
    "tests/benchmarks/api/",
)
"""Where tests start processes and browsers or build whole benchmarks, the longest first."""


def put_long_first(items: list[pytest.Item]) -> None:
    """Sort the tests by `LONG`; those of one place, and the rest, keep their order."""
    items.sort(key=lambda item: _place(item.nodeid))


def _place(nodeid: str) -> int:
    return next((at for at, start in enumerate(LONG) if nodeid.startswith(start)), len(LONG))


class FileByFile(LoadGroupScheduling):
    """A file is a unit of work, unless `xdist_group` names a larger one.

    What a module makes for all of its tests is then made by one process only, and since the quick
    files come last, the processes end within seconds of each other.
    """

    def _split_scope(self, nodeid: str) -> str:
        group = super()._split_scope(nodeid)
        return nodeid.partition("::")[0] if group == nodeid else group
