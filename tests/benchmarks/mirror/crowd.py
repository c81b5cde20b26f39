"""Many processes on one directory and one database. Run by tests, prints JSON.

    python -m tests.benchmarks.mirror.crowd together|killed FOLDER TIMES

`together`: eight processes write to the directory and sync it at once, TIMES times each.
`killed`: a process that syncs is killed at a random moment, TIMES times.
"""

import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.artifacts import jsonl, layout
from benchmarks.artifacts.home import home
from benchmarks.doors.database import open_database
from benchmarks.records.version import VersionLine
from tests.factories import Desk, make_desk
from tests.reviews.factories import make_row

PROCESSES = 8
ROWS = 60


def forked(work: Callable[[], None]) -> int:
    """A process that does the work; it ends with 0, or says what went wrong and ends with 1."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        work()
        code = 0
    except BaseException:  # noqa: BLE001 - the process ends here, and says why
        traceback.print_exc()
    finally:
        os._exit(code)


def add_rows(desk: Desk, arm: int, first: int, count: int) -> None:
    lines = [
        make_row(desk.task_ids[number % 3], 1.0, model=f"m{arm}", rollout=number).dump()
        for number in range(first, first + count)
    ]
    jsonl.append(desk.path / layout.rows("run-1", f"m{arm}").path, lines)


def together(desk: Desk, times: int) -> dict[str, Any]:
    from django.db import connections, transaction  # noqa: PLC0415 - Django is set up by now

    from benchmarks.mirror.checking import differences  # noqa: PLC0415
    from benchmarks.mirror.engine import sync_directory  # noqa: PLC0415
    from benchmarks.models import BenchmarkEntry  # noqa: PLC0415
    from runs.models import RowEntry  # noqa: PLC0415

    def work(number: int) -> None:
        for turn in range(times):
            add_rows(desk, number, turn * 5, 5)
            desk.directory.append(layout.VERSIONS, VersionLine(created_at=f"{number}.{turn}"))
            sync_directory(desk.located)
            with transaction.atomic():
                entry = BenchmarkEntry.objects.get(slug=desk.located.slug)
                BenchmarkEntry.objects.filter(pk=entry.pk).update(present=True)

    connections.close_all()
    pids = [forked(lambda number=number: work(number)) for number in range(PROCESSES)]
    codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
    sync_directory(desk.located)
    return {
        "codes": codes,
        "rows": RowEntry.objects.count(),
        "differences": [each.document() for each in differences(desk.located)],
    }


ENOUGH, MOST = 5, 10
"""So many kills must meet a sync at work; for them there may be so many times as many turns."""
LATER, SOONER = 1.1, 0.8


def killed(desk: Desk, times: int) -> dict[str, Any]:
    from django.db import connections  # noqa: PLC0415 - Django is set up by now

    from benchmarks.mirror import ledger  # noqa: PLC0415
    from benchmarks.mirror.checking import differences  # noqa: PLC0415
    from benchmarks.mirror.engine import sync_directory  # noqa: PLC0415

    ledger.BATCH_LINES = 5
    chance = random.Random(7)
    began = time.monotonic()
    sync_directory(desk.located)
    usual_s = time.monotonic() - began
    midway, disagreements = 0, []
    for turn in range(MOST * times):
        if turn >= times and midway >= ENOUGH:
            break
        add_rows(desk, 0, turn * ROWS, ROWS)
        connections.close_all()
        pid = forked(lambda: sync_directory(desk.located) and None)
        time.sleep(chance.uniform(0.0, 2.0) * usual_s)
        os.kill(pid, signal.SIGKILL)
        was_alive = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL
        midway += was_alive
        # The first sync tells little of how long the others take: each kill comes nearer to that.
        usual_s *= LATER if was_alive else SOONER
        disagreements += disagreeing(desk)
    sync_directory(desk.located)
    found = [each.document() for each in differences(desk.located)]
    return {"midway": midway, "disagreements": disagreements, "differences": found}


def disagreeing(desk: Desk) -> list[str]:
    """Cursors whose entries are not exactly the lines before them."""
    from benchmarks.models import BenchmarkEntry, LedgerCursor  # noqa: PLC0415
    from runs.models import RowEntry  # noqa: PLC0415

    found = []
    for cursor in LedgerCursor.objects.filter(ledger="rows"):
        entries = RowEntry.objects.filter(file=cursor.file).order_by("line")
        places = [(entry.line, entry.offset + entry.length + 1) for entry in entries]
        read = (desk.path / cursor.file).read_bytes()[: cursor.offset]
        whole = [place for place, _ in places] == list(range(1, read.count(b"\n") + 1))
        if not whole or (places and places[-1] != (cursor.line, cursor.offset)):
            found.append(f"{cursor.file}: {cursor.offset}, {places[-1:]}")
    counted = BenchmarkEntry.objects.get().counts.get("rows", 0)
    if counted != RowEntry.objects.count():
        found.append(f"{counted} rows counted")
    return found


def main() -> None:
    what, folder, times = sys.argv[1:]
    open_database(home())
    desk = make_desk(Path(folder), 3)
    work = {"together": together, "killed": killed}[what]
    sys.stdout.write(json.dumps(work(desk, int(times))) + "\n")


if __name__ == "__main__":
    main()
