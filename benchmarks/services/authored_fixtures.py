"""Rollouts that people say a verifier must pass or must fail, as a file or a call gives them."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from benchmarks.artifacts import document
from benchmarks.artifacts.parsing import parse_given
from benchmarks.errors import Complaint, InvalidArguments, SourceNotFound, Unreadable
from benchmarks.records.base import JsonObject
from benchmarks.records.digest import json_digest
from benchmarks.records.verifier import VerifierFixture, fixture_id
from benchmarks.records.vocabulary import Termination, known

AUTHORED = "authored"
TAKEN = frozenset({
    "task_id",
    "expect",
    "calls",
    "final_response",
    "texts",
    "termination",
    "note",
    "retired",
    "fixture_id",
    "origin",
    "schema_version",
    "created_at",
    "actor",
    "door",
})
"""What such a rollout may say; who wrote it and when is said by the writing."""
ROLLOUT = ("calls", "final_response", "texts", "termination")
HINT = 'each is {"task_id", "expect": "pass" or "fail", "calls": [{"tool", "arguments"}], ...}'


def fixtures_in(path: Path) -> list[Any]:
    """What a file holds: one JSON object, an array of them, `{"fixtures": [...]}`, or JSON lines.

    Raises:
        SourceNotFound: there is no such file.
        Unreadable: it is neither JSON nor JSON lines.
    """
    data = document.read_bytes(path)
    if data is None:
        raise SourceNotFound(f"{path} does not exist", details={"path": str(path)})
    text = data.decode("utf-8-sig", "replace").strip()
    try:
        value = parse_given(text)
    except ValueError:
        return _lines(path, text)
    if isinstance(value, Mapping) and isinstance(value.get("fixtures"), list):
        value = value["fixtures"]
    return value if isinstance(value, list) else [value]


def authored(
    given: Sequence[Any], tasks: Collection[str], by: Mapping[str, Any]
) -> list[VerifierFixture]:
    """These rollouts as fixtures, all checked before one is taken; `by` says who and when.

    Raises:
        InvalidArguments: one is no such rollout, or of a task that is not there; all are listed.
    """
    complaints: list[Complaint] = []
    found: list[VerifierFixture] = []
    for at, value in enumerate(given):
        wrong = [*_wrong(value, tasks, f"fixtures[{at}]")]
        complaints += wrong
        if wrong:
            continue
        try:
            found.append(_fixture(value, by))
        except ValidationError as error:
            complaints += [
                Complaint(
                    ".".join([f"fixtures[{at}]", *map(str, one["loc"])]), one["input"], one["msg"]
                )
                for one in error.errors()
            ]
    if complaints or not found:
        complaints = complaints or [Complaint("fixtures", "", "none is given")]
        said = "; ".join(f"{one.path}: {one.message}" for one in complaints)
        raise InvalidArguments(f"no fixture was added: {said}", hint=HINT, errors=complaints)
    return found


def _lines(path: Path, text: str) -> list[Any]:
    values: list[Any] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            values.append(parse_given(line))
        except ValueError as error:
            raise Unreadable(
                f"{path.name} line {number} is not JSON: {error}", hint=HINT
            ) from error
    return values


def _wrong(value: Any, tasks: Collection[str], place: str) -> list[Complaint]:
    """What is wrong with one rollout, before its shape is looked at."""
    if not isinstance(value, Mapping):
        return [Complaint(place, value, "an object is wanted")]
    task, expect = value.get("task_id"), value.get("expect")
    found = []
    if task not in tasks:
        said = f"the benchmark has no task {task!r}"
        found.append(Complaint(f"{place}.task_id", task, said))
    if expect not in {"pass", "fail"}:
        said = f"{expect!r} is neither pass nor fail"
        found.append(Complaint(f"{place}.expect", expect, said))
    if not any(value.get(name) for name in ROLLOUT) and value.get("calls") is None:
        found.append(
            Complaint(place, "", "it neither calls nor says anything: give calls, even []")
        )
    ended = value.get("termination")
    if ended is not None and known(Termination, ended) is None:
        said = f"{ended!r} is not one of {', '.join(Termination)}"
        found.append(Complaint(f"{place}.termination", ended, said))
    found += [
        Complaint(f"{place}.{name}", value[name], "no such key of a fixture")
        for name in sorted(set(map(str, value)) - TAKEN)
    ]
    return found


def _fixture(value: Mapping[str, Any], by: Mapping[str, Any]) -> VerifierFixture:
    """One rollout as a fixture, known by its task and by what is done and said in it."""
    rollout: JsonObject = {name: value[name] for name in ROLLOUT if value.get(name) is not None}
    task, expect = str(value["task_id"]), str(value["expect"])
    name = fixture_id(task, AUTHORED, expect, json_digest(rollout))
    return VerifierFixture.read({
        "fixture_id": name,
        "task_id": task,
        "expect": expect,
        "origin": AUTHORED,
        "final_response": None,
        **rollout,
        **({"note": value["note"]} if value.get("note") else {}),
        **({"retired": True} if value.get("retired") is True else {}),
        **by,
    })
