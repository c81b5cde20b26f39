"""Every check of a body at once (spec/run.md 1.3): all complaints, or what may be written."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.errors import (
    InvalidArguments,
    NothingSelected,
    UnderstudyError,
    UnknownExperiment,
)
from benchmarks.records.base import JsonObject
from benchmarks.records.request import RunRequest
from runs.requests import arm_checks, fields
from runs.requests.arm_checks import labels_of, listed
from runs.requests.arms import ArmSpec, arms_of
from runs.requests.complaints import Complaints, nearest
from runs.requests.fields import Body
from runs.requests.ground import Ground
from runs.requests.selection import Selection, check_split, empty_selection, select

MOST_CELLS = 1_000_000
SELECTION_KEYS = ("models", "tasks", "split", "rollouts_per_task", "prompt_overrides")
"""What a retry takes from the run it repeats, and may not be given."""
INHERITED_KEYS = (
    *SELECTION_KEYS,
    "incumbent_models",
    "calibration_threshold",
    "trivial_arms",
    "reference_arms",
    "rollout_timeout_seconds",
    "settings",
    "max_turns",
    "max_total_tokens",
    "seed",
)
KNOWN_KEYS = (
    *INHERITED_KEYS,
    "app_replay",
    "experiment_id",
    "concurrency",
    "margin",
    "baseline",
    "retry_of",
)
LAB_KEYS = frozenset({
    "status",
    "progress",
    "claimed_by",
    "requires",
    "spend",
    "arm_names",
    "quote",
    "error",
    "live",
    "unsupported",
})


@dataclass(frozen=True, slots=True)
class Checked:
    """A body that may be written: its fields with their defaults, and what they select."""

    fields: JsonObject
    selection: Selection
    arms: tuple[ArmSpec, ...]
    cells: int


@dataclass(frozen=True, slots=True)
class Checking:
    """A body with all that is wrong with it."""

    complaints: Complaints
    checked: Checked
    empty: bool
    """Whether nothing is selected, and nothing else is wrong."""

    def error(self) -> UnderstudyError | None:
        """The one error of the body, or None when nothing is wrong."""
        found = self.complaints.found
        if not found:
            return None
        first, more = found[0], len(found) - 1
        message = f"{first.path} {first.document()['value']}: {first.message}"
        if more:
            message += f" (and {more} more)"
        kind: type[UnderstudyError] = InvalidArguments
        if self.empty:
            kind = NothingSelected
        elif all(each.path == "experiment_id" and isinstance(each.value, str) for each in found):
            kind = UnknownExperiment
        return kind(message, errors=tuple(found), hint="correct them all and queue again")


def check(body: Body, ground: Ground) -> Checking:
    """All that is wrong with a body, in the order of the table, and what it would select."""
    complaints = Complaints()
    _check_keys(body, complaints)
    source = _retried(body, ground)
    whole: Body = {**_inherited(source), **body} if source is not None else body
    _check_arms(whole, complaints)
    split = check_split(whole, ground, complaints)
    selection = select(whole, split, ground, complaints)
    fields.check_rollouts(whole, complaints)
    arm_checks.check_incumbents(whole, complaints)
    fields.check_threshold(whole, complaints)
    arm_checks.check_own_arms(whole, ground, complaints)
    fields.check_timeout(whole, complaints)
    arm_checks.check_overrides(whole, complaints)
    arm_checks.check_app_replay(whole, complaints)
    fields.check_experiment(whole, ground, complaints)
    fields.check_settings(whole, complaints)
    fields.check_integers(whole, complaints)
    fields.check_margin(whole, labels_of(whole), complaints)
    _check_retry(body, ground, complaints)
    empty = not complaints and not selection.task_ids
    if empty:
        complaints.add("tasks", *empty_selection(whole, split, selection))
    if complaints:
        return Checking(complaints, Checked({}, selection, (), 0), empty)
    checked = _checked(whole, split, selection, source, ground)
    if checked.cells > MOST_CELLS:
        message = f"arms x tasks x rollouts is over {MOST_CELLS} cells"
        complaints.add("rollouts_per_task", checked.cells, message)
    return Checking(complaints, checked, empty=False)


def _check_keys(body: Body, complaints: Complaints) -> None:
    """V1, V2."""
    for key, value in body.items():
        if key in LAB_KEYS:
            complaints.add(key, value, "written by the lab")
        elif key not in KNOWN_KEYS:
            complaints.add(key, value, f"unknown key{nearest(key, list(KNOWN_KEYS))}")


def _check_arms(body: Body, complaints: Complaints) -> None:
    arm_checks.check_models(body, complaints)
    arm_checks.check_some_arm(body, complaints)
    arm_checks.check_labels(body, complaints)


def _check_retry(body: Body, ground: Ground, complaints: Complaints) -> None:
    """V19."""
    run_id = body.get("retry_of")
    if run_id is None:
        return
    for key in SELECTION_KEYS:
        if key in body:
            complaints.add(key, body[key], "comes from the run that retry_of names; leave it out")
    if not isinstance(run_id, str):
        complaints.add("retry_of", run_id, "the id of a run is a text")
    elif run_id in ground.live_runs:
        complaints.add("retry_of", run_id, "that run has not ended")
    elif run_id not in ground.runs:
        complaints.add("retry_of", run_id, f"no such run among {len(ground.runs)} that ended")
    elif not ground.runs[run_id].again:
        complaints.add("retry_of", run_id, "that run owes 0 cells and lost 0: nothing to ask again")


def _retried(body: Body, ground: Ground) -> RunRequest | None:
    run_id = body.get("retry_of")
    ended = ground.runs.get(run_id) if isinstance(run_id, str) else None
    return ended.request if ended is not None else None


def _inherited(source: RunRequest) -> JsonObject:
    """The fields that a retry takes over, as a caller would have given them."""
    written = source.dump()
    return {key: written[key] for key in INHERITED_KEYS if written.get(key) is not None}


def _checked(
    body: Body, split: str, selection: Selection, source: RunRequest | None, ground: Ground
) -> Checked:
    given = {key: body[key] for key in KNOWN_KEYS if body.get(key) is not None}
    given.pop("margin", None)
    whole: JsonObject = {
        **given,
        "models": [_trimmed(entry) for entry in listed(body, "models")],
        "split": split,
        "tasks": list(selection.task_ids) if selection.explicit else "all",
        "rollouts_per_task": body.get("rollouts_per_task", 1),
    }
    for name in ("incumbent_models", "trivial_arms", "reference_arms", "prompt_overrides"):
        if not whole.get(name):
            whole.pop(name, None)
    if whole.get("app_replay") is not True:
        whole.pop("app_replay", None)
    arms = arms_of(_draft(whole))
    if source is not None:
        cells = ground.runs[source.run_id].again
    else:
        cells = cells_of(arms, len(selection.task_ids), whole["rollouts_per_task"])
    return Checked(whole, selection, arms, cells)


def cells_of(arms: tuple[ArmSpec, ...], tasks: int, rollouts: int) -> int:
    """How many cells arms, tasks and rollouts make; zero-cost arms roll out once."""
    return sum(tasks * (rollouts if arm.spends else 1) for arm in arms)


def _trimmed(entry: Any) -> Any:
    return dict(entry) if isinstance(entry, Mapping) else str(entry).strip()


def _draft(whole: Mapping[str, Any]) -> RunRequest:
    """The fields as a request that nothing has been written of."""
    blank = {"run_id": "-", "benchmark_id": "-", "created_at": "-", "status": "queued"}
    return RunRequest.read({**blank, **whole})
