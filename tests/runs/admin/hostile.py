"""A benchmark whose every text tries to be something else: markup, a command, another direction."""

from pathlib import Path
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.records.event import RunEvent
from benchmarks.records.note import Feedback
from benchmarks.records.review import Review
from benchmarks.records.tool_policy import ToolEntry, ToolPolicy
from tests.factories import CATEGORY, Desk, Item, make_desk, queue
from tests.reviews.factories import make_flag, make_row

SCRIPT = "<script>alert(1)</script>"
CLOSE = "</textarea></title></style><img src=x onerror=alert(2)>"
LINK = "javascript:alert(3)"
BIDI = "\u202egnp.exe\u2066"
CONTROL = "\x1b[31mred\x07\x00"
ATTRIBUTE = '" onmouseover="alert(4)" x=\''
ALL = f"{SCRIPT}{CLOSE}{LINK}{BIDI}{CONTROL}{ATTRIBUTE}"
RAW = (
    SCRIPT,
    "<img src=x",
    "onerror=alert(2)>",
    '" onmouseover="',
    "\u202e",
    "\u2066",
    "\x1b",
    "\x07",
)
"""What stands unescaped in no page."""
RUN = "run-hostile"


def make_hostile_desk(root: Path, *, promoted: bool = True) -> Desk:
    """Two tasks, a run under way, notes, tools and a leaderboard, every word of them hostile."""
    items = [Item(number, changes={"title": f"{number}{ALL}"}) for number in (1, 2)]
    desk = make_desk(
        root / "hostile",
        items,
        promoted=promoted,
        name=f"Desk {ALL}",
        taxonomy=[{"category_id": CATEGORY, "name": f"cat {ALL}", "description": ALL}],
    )
    directory = desk.directory
    directory.replace(
        layout.TOOL_POLICY,
        ToolPolicy(tools={f"tool{ALL}": ToolEntry.read({"effect": "write", "evidence": ALL})}),
    )
    model = f"model{SCRIPT}{BIDI}"
    queue(
        desk,
        RUN,
        status="running",
        models=[model],
        arm_names={model: "hostile"},
        progress={"completed": 1, "total": 2, "arms": {model: {"completed": 1, "total": 2}}},
        actor=f"user:{ALL}",
        door="rest",
        claimed_by={"host": f"host{ALL}", "pid": 1, "executor_version": ALL},
        unsupported={"missing": [ALL]},
    )
    directory.append(
        layout.rows(RUN, "hostile"),
        make_row(
            desk.task_ids[0],
            None,
            run_id=RUN,
            model=model,
            error=ALL,
            error_boundary=f"gateway{SCRIPT}",
            anomaly={"kind": f"odd{SCRIPT}", "detail": ALL},
        ),
    )
    directory.append(
        layout.EVENTS,
        RunEvent.read({
            "ts": "2026-11-04T08:00:00.000Z",
            "run_id": RUN,
            "type": f"odd{SCRIPT}",
            "model": model,
            "task_id": f"t{ALL}",
            "error": {"message": ALL},
        }),
    )
    _notes(desk)
    return desk


def _notes(desk: Desk) -> None:
    task_id = desk.task_ids[0]
    said: dict[str, Any] = {"actor": f"user:{ALL}", "door": "admin"}
    desk.directory.append(layout.FLAGS, make_flag(task_id, note=ALL, **said))
    feedback = {"task_id": task_id, "feedback": ALL, "created_at": "2026-11-04T08:00:00.000Z"}
    desk.directory.append(
        layout.FEEDBACK, Feedback.read({"benchmark_id": "hostile", **feedback, **said})
    )
    review = {"task_id": task_id, "decision": "accept", "note": ALL, "source": "human"}
    desk.directory.append(
        layout.REVIEWS,
        Review.read({
            "benchmark_id": "hostile",
            "created_at": "2026-11-04T08:00:00.000Z",
            **review,
            **said,
        }),
    )
