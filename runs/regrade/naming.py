"""How the run of a regrade is called: after the root run, names never nest (spec/files.md 3.2)."""

from collections.abc import Collection
from dataclasses import dataclass, field

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from reviews.rigor.evidence import root_run

LONGEST_ROOT = 108
"""So that the number still fits a run id."""
NAMED_AFTER = (
    "rows-{run}-*.jsonl",
    f"{layout.TRAJECTORIES}/{{run}}-*.jsonl",
    f"{layout.LIVE}/{{run}}-*.jsonl",
)


@dataclass(slots=True)
class Names:
    """Gives each regrade of a directory a name that nothing there has."""

    directory: BenchmarkDir
    taken: Collection[str]
    """The runs of every row."""
    given: set[str] = field(default_factory=set)

    def of(self, source_run: str) -> str:
        """The next free name after the root of a run."""
        root = root_run(source_run)
        if len(root) > LONGEST_ROOT or not layout.RUN_ID.fullmatch(root):
            root = layout.safe(root)
        number = 1
        while self._is_taken(f"{root}-{layout.REGRADE}{number}"):
            number += 1
        name = f"{root}-{layout.REGRADE}{number}"
        self.given.add(name)
        return name

    def _is_taken(self, name: str) -> bool:
        if name in self.given or name in self.taken:
            return True
        patterns = [pattern.format(run=name) for pattern in NAMED_AFTER]
        listed = bool(self.directory.listing(*patterns))
        return listed or self.directory.exists(layout.request(name))
