"""How fast sources become captures: a mix of every dialect, from files to written lines.

The mix is made from the files of the test data, copies in turn, the ids of each copy its own.
Each folder has the share of the bytes that it has in the data: of what people really recorded, few
bytes stand in the small files that a test of a dialect needs. With `--shares equal` each folder has
as much as any other, so that the spans and sessions of such small files weigh many times more.
Files that are packed are left out: their ids cannot be told apart in copies.

The floor, measured in the same run, is plain reading of the same bytes. Prints one JSON object: MB
of sources a second, the target, the peak memory of all processes together, and where the time goes.

    python tests/perf/intake.py [--mb 100] [--processes 2] [--shares bytes] [--part 10]
        [--keep FOLDER]

Without the test data (UNDERSTUDY_TEST_DATA, else ../shared/data) there is nothing to measure.
"""

import argparse
import gc
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psutil

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from benchmarks.intake import normalise, recognising, taking, work  # noqa: E402
from benchmarks.intake.crew import GC_OBJECTS  # noqa: E402
from benchmarks.intake.gathering import Gathering  # noqa: E402
from benchmarks.intake.ingest import IntakeOptions, ingest  # noqa: E402
from benchmarks.intake.redact import Redactor  # noqa: E402
from benchmarks.intake.sources import found  # noqa: E402
from benchmarks.intake.sources.parsing import Parser  # noqa: E402

DATA_DIR = Path(os.environ.get("UNDERSTUDY_TEST_DATA") or REPOSITORY.parent / "shared" / "data")
TARGET_MB_PER_S, TARGET_PEAK_MB = 20.0, 400.0
MB = 1_000_000
CHUNK = 2**20
SAMPLE_S = 0.05
FOLDERS = (
    "captures", "cassettes", "bedrock", "otlp", "langfuse", "langsmith", "sessions", "openhands",
    "swe-agent", "harbor-atif", "inspect", "tau-bench", "tau2-bench", "deepeval-traces",
)  # fmt: skip
"""What intake is for: every dialect stands in one of them."""
SUFFIXES = frozenset({".json", ".jsonl", ".traj", ".har", ".yaml"})
SHARES = ("bytes", "equal")
JOINED = frozenset({"captures", "openhands", "tau-bench"})
"""Folders whose files of lines are joined, copy behind copy, into larger files."""
JOINED_BYTES = 8 * MB
MARK = "@@copy"
"""Stands in a template where each copy has its number, in six hex digits."""
ID_KEY = re.compile(r"(?:^|_|[a-z])(?:id|Id|ID|uuid|Uuid)$")
ID_IN_TEXT = re.compile(r'(?:id|Id|ID|uuid)\\+"\s*:\s*\\+"([\w.:-]{12,})')
ID_IN_YAML = re.compile(r"""(?:id|Id|ID|uuid)\\*"?:\s*\\*["']?([\w.-]{12,})""")
"""An id in JSON that stands in a text, as streams do."""
LONG_ID = 12
"""An id of so many characters stands for nothing else, wherever it occurs."""
STEPS: tuple[tuple[Any, str, str], ...] = (
    (Parser, "whole", "parse"),
    (Parser, "value", "parse"),
    (found, "json_digest", "digest"),
    (normalise, "json_digest", "digest"),
    (taking, "json_digest", "digest"),
    (taking, "detect", "detect"),
    (taking, "nearest", "detect"),
    (Redactor, "clean", "redact"),
    (recognising, "pair_of", "read"),
    (taking, "read_call", "read"),
    (taking, "read_record", "read"),
    (taking, "checked", "read"),
    (taking, "capture_from", "normalise"),
    (work, "told_of", "tell"),
    (work, "line_of", "write"),
    (Gathering, "take", "gather"),
)
"""Where each step of the pass begins; what none of them does is `rest`."""


@dataclass(frozen=True, slots=True)
class Template:
    """One file of the test data, with a mark wherever copies must differ."""

    folder: str
    name: str
    text: str

    def copy(self, number: int) -> bytes:
        """The file as its copy of this number."""
        return self.text.replace(MARK, f"{number:06x}").encode()


def templates(folder: str) -> list[Template]:
    """The files of a folder of which copies can be made."""
    root = DATA_DIR / folder
    made = []
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.suffix in SUFFIXES:
            with suppress(ValueError):
                text = path.read_text(encoding="utf-8")
                text = marked_yaml(text) if path.suffix == ".yaml" else marked(text)
                made.append(Template(folder, path.name, text))
    return made


def marked_yaml(text: str) -> str:
    """A recording in YAML, its ids ending in the mark.

    Raises:
        ValueError: it holds no id.
    """
    ids = set(ID_IN_YAML.findall(text))
    if not ids:
        raise ValueError("no id in it")
    for name in sorted(ids, key=len, reverse=True):
        text = text.replace(name, name[:-6] + MARK)
    return text


def marked(text: str) -> str:
    """The text of a file, its ids ending in the mark; a record without one has the mark as a key.

    Raises:
        ValueError: it is neither JSON nor lines of JSON.
    """
    records = records_in(text)
    ids = {name for record in records for name in ids_in(record)} | set(ID_IN_TEXT.findall(text))
    for name in sorted(ids, key=len, reverse=True):
        if len(name) >= LONG_ID:
            text = text.replace(name, name[:-6] + MARK)
            continue
        for quote in ('"', r"\""):
            text = text.replace(f"{quote}{name}{quote}", f"{quote}{name}{MARK}{quote}")
    own = f'{{"x_copy": "{MARK}", '
    lines = text.split("\n")
    if len(records) == 1:
        return text if MARK in text else text.replace("{", own, 1)
    return "\n".join(
        line.replace("{", own, 1) if line.startswith("{") and MARK not in line else line
        for line in lines
    )


def records_in(text: str) -> list[Any]:
    """The document, or the documents of all lines."""
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.split("\n") if line.strip()]


def ids_in(value: Any) -> Iterator[str]:
    """Every text under a key that names an id."""
    if isinstance(value, list):
        for item in value:
            yield from ids_in(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, str) and len(item) > 3 and ID_KEY.search(key):
                yield item
            else:
                yield from ids_in(item)


def make_mix(root: Path, size: int, shares: str) -> int:
    """Copies of the files of all folders, each with its share of `size`; how many bytes."""
    written = 0
    made = {folder: templates(folder) for folder in FOLDERS}
    held = {
        folder: sum(len(one.copy(0)) for one in files) if shares == "bytes" else 1
        for folder, files in made.items()
    }
    for folder, files in made.items():
        wanted = size * held[folder] // sum(held.values())
        number = 0
        (root / folder).mkdir(parents=True)
        while wanted > 0:
            template = files[number % len(files)]
            data = template.copy(number)
            place(root / folder, template, number, data)
            number += 1
            wanted -= len(data)
            written += len(data)
    return written


def place(folder: Path, template: Template, number: int, data: bytes) -> None:
    """Write a copy, to a file of its own or behind others of its kind."""
    if template.folder not in JOINED or not template.name.endswith(".jsonl"):
        (folder / f"{number:06}-{template.name}").write_bytes(data)
        return
    for part in range(1000):
        path = folder / f"joined-{part:03}.jsonl"
        if not path.exists() or path.stat().st_size < JOINED_BYTES:
            with path.open("ab") as file:
                file.write(data.rstrip(b"\n") + b"\n")
            return


def plain_reading(root: Path) -> float:
    """Seconds to read every byte of the mix."""
    began = time.perf_counter()
    for path in sorted(root.rglob("*")):
        if path.is_file():
            with path.open("rb") as file:
                while file.read(CHUNK):
                    pass
    return time.perf_counter() - began


class Peak:
    """The most memory that a process and its children had together, looked at now and then."""

    def __init__(self) -> None:
        self.bytes = 0
        self._done = Event()
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Peak":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        own = psutil.Process()
        while not self._done.wait(SAMPLE_S):
            total = 0
            for process in (own, *own.children(recursive=True)):
                with suppress(psutil.Error):
                    total += process.memory_info().rss
            self.bytes = max(self.bytes, total)


def one_pass(root: Path, processes: int) -> dict[str, Any]:
    """Read the mix and write its lines; seconds, processor seconds and counts."""
    options = IntakeOptions(now=datetime.now(UTC), processes=processes)
    written = 0
    with tempfile.TemporaryDirectory() as folder, Peak() as peak:
        began, cpu = time.perf_counter(), processor_seconds()
        intake = ingest([root], options=options)
        with (Path(folder) / "normalized-captures.jsonl").open("wb") as file:
            for line in intake.lines():
                written += file.write(line + b"\n")
        seconds, cpu = time.perf_counter() - began, processor_seconds() - cpu
    return {
        "seconds": seconds,
        "cpu_s": cpu,
        "peak_mb": peak.bytes / MB,
        "written_mb": written / MB,
        "captures": intake.gathered.totals().captures,
        "duplicates": intake.gathered.duplicates,
        "dropped": len(intake.dropped),
    }


def processor_seconds() -> float:
    """Of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def apart(root: Path, processes: int) -> dict[str, Any]:
    """The pass in a process of its own, whose memory is that of the pass alone."""
    command = [sys.executable, __file__, "--measure", str(root), "--processes", str(processes)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


@dataclass(slots=True)
class Clock:
    """Processor time by step; a step inside another counts for itself alone."""

    spent: Counter[str] = field(default_factory=Counter)
    inside: list[str] = field(default_factory=lambda: ["rest"])
    since: float = field(default_factory=time.process_time)

    def turn(self) -> None:
        """Book the time since the last turn to the step at hand."""
        now = time.process_time()
        self.spent[self.inside[-1]] += now - self.since
        self.since = now

    def around(self, step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, its time booked to a step."""

        def timed(*args: Any, **named: Any) -> Any:
            self.turn()
            self.inside.append(step)
            try:
                return function(*args, **named)
            finally:
                self.turn()
                self.inside.pop()

        return timed


def shares(root: Path) -> dict[str, float]:
    """Which share of the time of one process each step takes."""
    clock = Clock()
    for holder, name, step in STEPS:
        setattr(holder, name, clock.around(step, getattr(holder, name)))
    one_pass(root, 0)
    clock.turn()
    whole = sum(clock.spent.values())
    return {name: round(spent / whole, 3) for name, spent in clock.spent.most_common()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mb", type=int, default=100)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--shares", choices=SHARES, default=SHARES[0], help="of the folders")
    parser.add_argument("--part", type=int, default=10, help="MB of which the steps are measured")
    parser.add_argument("--keep", type=Path, help="a folder in which the mix stays")
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    # As every verb of the shell does (understudy_site/shell.py).
    gc.set_threshold(GC_OBJECTS, 20, 100)
    if args.measure:
        sys.stdout.write(json.dumps(one_pass(args.measure, args.processes)))
        return
    with tempfile.TemporaryDirectory() as folder:
        report = measured(args.keep or Path(folder), args)
    sys.stdout.write(json.dumps(report) + "\n")


def measured(folder: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Make the mix, read it both ways, and say what that took."""
    mix, part = (folder / f"mix-{args.shares}-{mb}" for mb in (args.mb, args.part))
    for root, size in ((mix, args.mb), (part, args.part)):
        if not root.exists():
            make_mix(root, size * MB, args.shares)
    size = sum(path.stat().st_size for path in mix.rglob("*") if path.is_file()) / MB
    plain_reading(mix)
    plain = plain_reading(mix)
    took = apart(mix, args.processes)
    speed, peak = size / took["seconds"], took["peak_mb"]
    return {
        "figure": "intake of a mix of dialects, files to lines, secrets out",
        "mb_per_s": round(speed, 2),
        "target_mb_per_s": TARGET_MB_PER_S,
        "peak_mb": round(peak, 1),
        "target_peak_mb": TARGET_PEAK_MB,
        "met": speed >= TARGET_MB_PER_S and peak < TARGET_PEAK_MB,
        "plain_reading_mb_per_s": round(size / plain, 1),
        "times_plain_reading": round(took["seconds"] / plain, 1),
        "cpu_s_per_mb": round(took["cpu_s"] / size, 4),
        "shares_of_folders": args.shares,
        "mb": round(size, 1),
        "written_mb": round(took["written_mb"], 1),
        "captures": took["captures"],
        "duplicates": took["duplicates"],
        "dropped": took["dropped"],
        "processes": args.processes,
        "load": round(os.getloadavg()[0], 1),
        "shares": shares(part),
    }


if __name__ == "__main__":
    main()
