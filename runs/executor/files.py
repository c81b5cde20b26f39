"""The ledgers of a run, open for appending by the one that holds the claim."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.jsonl import Appender

NOBODY = ("", "")


@dataclass(slots=True)
class ArmFiles:
    """The three ledgers of one arm."""

    name: str
    """The arm's part of the file names."""
    rows: Appender
    trajectories: Appender
    journal: Appender
    trajectory_path: str
    journal_path: str
    next_seq: int

    def close(self) -> None:
        """Let the files go."""
        for appender in (self.rows, self.trajectories, self.journal):
            appender.close()


@dataclass(slots=True)
class RunFiles:
    """The ledgers of every arm of a run, each opened when it is first written."""

    directory: BenchmarkDir
    run_id: str
    names: dict[str, str]
    """The file name of each arm by label; an arm whose files are another's gets another name."""
    journal_lines: Mapping[str, int]
    """How many lines each journal has already."""
    renamed: bool = False
    _open: dict[str, ArmFiles] = field(default_factory=dict)

    def of(self, label: str) -> ArmFiles:
        """The ledgers of one arm."""
        if label not in self._open:
            self._open[label] = self._opened(label)
        return self._open[label]

    def journal_path(self, label: str) -> str | None:
        """Where the live journal of an arm is; None before its first line."""
        files = self._open.get(label)
        return files.journal_path if files is not None else None

    def close(self) -> None:
        """Let every file go."""
        for files in self._open.values():
            files.close()
        self._open.clear()

    def _opened(self, label: str) -> ArmFiles:
        name = self._free_name(label)
        journal = layout.live(self.run_id, name)
        trajectories = layout.trajectories(self.run_id, name)
        return ArmFiles(
            name=name,
            rows=self.directory.appender(layout.rows(self.run_id, name)),
            trajectories=self.directory.appender(trajectories),
            journal=self.directory.appender(journal),
            trajectory_path=trajectories.path,
            journal_path=journal.path,
            next_seq=self.journal_lines.get(journal.path, 0) + 1,
        )

    def _free_name(self, label: str) -> str:
        """The arm's name, or with the suffix where its files hold another run's or arm's lines."""
        name = self.names.get(label) or layout.safe(label)
        if self._is_ours(label, name):
            return name
        self.renamed = True
        self.names[label] = layout.suffixed(label)
        return self.names[label]

    def _is_ours(self, label: str, name: str) -> bool:
        ours = {NOBODY, (self.run_id, label)}
        return self._first(layout.rows(self.run_id, name)) in ours and (
            self._first(layout.trajectories(self.run_id, name)) in ours
        )

    def _first(self, file: layout.LedgerFile[layout.R]) -> tuple[str, str]:
        """Run and arm of a ledger's first line."""
        line = self.directory.first(file)
        return (str(line.get("run_id")), str(line.get("model"))) if line is not None else NOBODY


def sync_all(appenders: Iterable[Appender]) -> None:
    """Return when all that was appended to these files is on the disk."""
    for appender in appenders:
        appender.sync()
