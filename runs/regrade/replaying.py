"""A regrade that was asked for twice with one key: the second gets the first's answer.

The answer stands in the last event of the first, but for its deltas: the new rows hold those.
"""

from collections.abc import Iterable

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.idempotency import is_keyed, replayed
from benchmarks.records.base import JsonObject
from benchmarks.records.caller import Caller
from benchmarks.records.row import Row
from runs.regrade.writing import ANSWER, REGRADE

DELTAS = "deltas"


def kept_answer(answer: JsonObject) -> JsonObject:
    """What an event keeps of an answer."""
    return {key: value for key, value in answer.items() if key != DELTAS}


def first_answer(
    directory: BenchmarkDir, caller: Caller, arguments: JsonObject
) -> JsonObject | None:
    """The answer that this key of this actor got; None where it has no answer yet.

    Raises:
        IdempotencyConflict: the key was used for another regrade.
    """
    if caller.idempotency_key is None:
        return None
    events: list[JsonObject] = []

    def take(line: JsonObject) -> None:
        if line.get("type") == REGRADE and is_keyed(line, caller):
            events.append(line)

    directory.scan(layout.EVENTS, take, holding=[f'"{REGRADE}"'.encode()])
    if replayed(events, caller, arguments) is None:
        return None
    answer = next((event[ANSWER] for event in events if event.get(ANSWER)), None)
    return None if answer is None else {**answer, DELTAS: _deltas(directory, answer)}


def _deltas(directory: BenchmarkDir, answer: JsonObject) -> list[JsonObject]:
    """What became of each row, in the order of the source runs and of their rows."""
    runs = [summary["run_id"] for summary in answer["summaries"]]
    rows = [row for row in _rows(directory) if row.run_id in runs]
    found = [(runs.index(row.run_id), _place(row), _delta(row)) for row in rows]
    return [delta for _, _, delta in sorted(found, key=lambda each: each[:2])]


def _rows(directory: BenchmarkDir) -> Iterable[Row]:
    for file in directory.row_files():
        yield from directory.read(file).records


def _source(row: Row) -> JsonObject:
    found: JsonObject = (row.provenance or {}).get("source_run") or {}
    return found


def _place(row: Row) -> tuple[str, int]:
    file, _, line = str(_source(row).get("row_ref")).rpartition("#")
    return (file, int(line)) if line.isdigit() else (file, 0)


def _delta(row: Row) -> JsonObject:
    source = _source(row)
    old, new = source.get("old_score"), row.score
    return {
        "source_run_id": source.get("run_id"),
        "run_id": row.run_id,
        "model": row.model,
        "task_id": row.task_id,
        "rollout": row.rollout or 0,
        "old_score": old,
        "new_score": new,
        "status": row.status.value,
        "changed": new != old,
        "regrade_mode": (row.provenance or {}).get("regrade_mode"),
        "evidence": source.get("evidence"),
        "row_ref": source.get("row_ref"),
    }
