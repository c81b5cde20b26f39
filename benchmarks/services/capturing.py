"""Captures as they are kept in a benchmark: one whole, or the rounds of a task."""

from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.errors import UnknownCapture, UnknownTask
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Capture

KEY = "capture_key"


def read_capture(*, located: Located, capture_id: str) -> dict[str, Any]:
    """One capture, by its key or by the id that its source gave it; of several the last one.

    Raises:
        UnknownCapture: there is none.
    """
    found = located.directory.captures([capture_id])
    capture = found.get(capture_id) or _by_id(located, capture_id)
    if capture is None:
        raise UnknownCapture(
            f"{located.slug} has no capture {capture_id!r}",
            hint=f"its tasks name theirs: understudy benchmarks tasks {located.slug}",
        )
    return {"slug": located.slug, **capture.dump()}


def read_rounds(*, located: Located, task_id: str) -> dict[str, Any]:
    """The captures that a task was made of, in their order, without their texts.

    Raises:
        UnknownTask: there is none of that id.
    """
    tasks = located.directory.tasks()
    task = tasks.get(task_id)
    if task is None:
        raise UnknownTask(
            f"{located.slug} has no task {task_id!r}",
            hint=f"it holds {len(tasks)} tasks: understudy benchmarks tasks {located.slug}",
        )
    keys = [str(each[KEY]) for each in task.source.captures if each.get(KEY)]
    captures = located.directory.captures(keys)
    rounds = [_round(place, captures[key]) for place, key in enumerate(keys) if key in captures]
    return {
        "slug": located.slug,
        "task_id": task_id,
        "rounds": rounds,
        "missing": [key for key in keys if key not in captures],
    }


def _by_id(located: Located, capture_id: str) -> Capture | None:
    keys: list[str] = []

    def take(line: JsonObject) -> None:
        if line.get("capture_id") == capture_id and isinstance(line.get(KEY), str):
            keys.append(line[KEY])

    holding = (capture_id.encode(),) if capture_id.isascii() and capture_id.isalnum() else ()
    located.directory.scan(layout.CAPTURES, take, holding=holding)
    found = located.directory.captures(keys[-1:])
    return next(iter(found.values()), None)


def _round(place: int, capture: Capture) -> JsonObject:
    return {
        "round": place,
        "capture_key": capture.capture_key,
        "capture_id": capture.capture_id,
        "captured_at": capture.captured_at,
        "pointer": capture.source.pointer,
        "provider": capture.routing.provider,
        "model": capture.routing.requested_model,
        "messages": len(capture.request.messages),
        "tools": len(capture.request.tools),
        "tool_calls": len(capture.response.tool_calls),
        "stop_reason": capture.response.stop_reason,
        "warnings": capture.warnings,
    }
