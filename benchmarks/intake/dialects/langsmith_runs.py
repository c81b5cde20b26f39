"""LangSmith's runs, in whichever form they were sent or exported, merged by their id.

A run is posted when it starts and patched when it ends, often in two requests; a patch without an
id names its run by the last part of `dotted_order`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import id_text, objects, word
from benchmarks.records.base import JsonObject

RUN_TYPES = frozenset({
    "llm", "chat_model", "tool", "chain", "agent", "retriever", "embedding", "prompt", "parser",
})  # fmt: skip
RUN_KEYS = frozenset({"inputs", "outputs", "dotted_order", "trace_id", "child_runs"})
STAMP_END = "Z"
"""What parts the time from the id in one step of `dotted_order`."""


def is_run(record: Any) -> bool:
    """Whether a record is one run."""
    return (
        isinstance(record, dict)
        and isinstance(record.get("run_type"), str)
        and record["run_type"] in RUN_TYPES
        and bool(record.keys() & RUN_KEYS)
    )


def is_batch(record: Any) -> bool:
    """Whether a record is what a client sends: runs that start, and runs that end."""
    return isinstance(record, dict) and all(
        isinstance(record.get(key), list) for key in ("post", "patch")
    )


def is_page(record: Any) -> bool:
    """Whether a record is an answer of the API that lists runs."""
    listed = record.get("runs") if isinstance(record, dict) else None
    return isinstance(listed, list) and bool(listed) and all(map(is_run, listed))


@dataclass(frozen=True, slots=True)
class Run:
    """One run, merged from all that tells of it; `record` is the first of a group that did."""

    run_id: str
    parent_id: str | None
    fields: JsonObject
    record: int = 0


def trace_ids(record: Any) -> list[str]:
    """The ids of the traces that a record tells of."""
    return list(dict.fromkeys(_trace_id(told, parent) for told, parent in _told(record)))


def runs_of(trace_id: str, records: Sequence[Found]) -> list[Run]:
    """The runs of one trace; what is told later of a run counts, but nothing never does."""
    runs: dict[str, Run] = {}
    for place, found in enumerate(records):
        for told, parent in _told(found.record):
            if _trace_id(told, parent) != trace_id:
                continue
            run_id = _run_id(told) or f"run {len(runs)}"
            known = runs.get(run_id) or Run(run_id, None, {}, place)
            runs[run_id] = Run(
                run_id,
                _parent_id(told) or parent or known.parent_id,
                {**known.fields, **_saying(told)},
                known.record,
            )
    return list(runs.values())


def _saying(told: Mapping[str, Any]) -> JsonObject:
    return {key: value for key, value in told.items() if value not in (None, {}, [], "")}


def _told(record: Any) -> Iterator[tuple[JsonObject, str | None]]:
    """Every run that a record tells of, with the run that it stands in."""
    if not isinstance(record, dict):
        return
    listed = [item for key in ("post", "patch", "runs") for item in objects(record.get(key))]
    yield from _with_children(listed if listed or not is_run(record) else [record])


def _with_children(runs: Iterable[JsonObject]) -> Iterator[tuple[JsonObject, str | None]]:
    waiting: list[tuple[JsonObject, str | None]] = [(run, None) for run in runs]
    waiting.reverse()
    while waiting:
        run, parent = waiting.pop()
        run_id = _run_id(run)
        children = objects(run.get("child_runs"))
        # A child that names no trace is of the trace of the run it stands in.
        about: JsonObject = {key: run[key] for key in ("trace_id", "session_name") if key in run}
        about.setdefault("trace_id", _trace_id(run, parent))
        waiting += [({**about, **child}, run_id) for child in reversed(children)]
        yield {key: value for key, value in run.items() if key != "child_runs"}, parent


def _run_id(run: Mapping[str, Any]) -> str | None:
    steps = _steps(run)
    return id_text(run.get("id")) or (steps[-1] if steps else None)


def _parent_id(run: Mapping[str, Any]) -> str | None:
    steps = _steps(run)
    return id_text(run.get("parent_run_id")) or (steps[-2] if len(steps) > 1 else None)


def _trace_id(run: Mapping[str, Any], parent: str | None) -> str:
    steps = _steps(run)
    named = id_text(run.get("trace_id")) or (steps[0] if steps else None)
    return named or _parent_id(run) or parent or _run_id(run) or ""


def _steps(run: Mapping[str, Any]) -> list[str]:
    """The ids of the runs from the root down to this one."""
    order = word(run.get("dotted_order"))
    return [step.partition(STAMP_END)[2] or step for step in order.split(".")] if order else []
