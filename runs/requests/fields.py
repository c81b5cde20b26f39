"""The single values of a request: numbers, settings, margin (V8, V10, V12, V15-V18)."""

from collections.abc import Mapping
from typing import Any

from runs.requests.complaints import Complaints, is_integer, is_number
from runs.requests.ground import Ground

Body = Mapping[str, Any]

MOST_ROLLOUTS = 20
LONGEST_TIMEOUT_S = 86_400
LARGEST_SEED = 2**53 - 1
INTEGERS: tuple[tuple[str, int, int | None, str], ...] = (
    ("max_turns", 1, 1000, "an integer from 1 to 1000"),
    ("max_total_tokens", 1000, None, "an integer of at least 1000"),
    ("concurrency", 1, 256, "an integer from 1 to 256"),
    ("seed", 0, LARGEST_SEED, "an integer from 0 to 2^53 - 1"),
)
HARNESS_KEYS = ("model", "messages", "tools", "stream")
METRICS = ("strict", "dense")


def check_rollouts(body: Body, complaints: Complaints) -> None:
    """V8."""
    value = body.get("rollouts_per_task", 1)
    if not is_integer(value) or not 1 <= value <= MOST_ROLLOUTS:
        complaints.add("rollouts_per_task", value, f"an integer from 1 to {MOST_ROLLOUTS}")


def check_threshold(body: Body, complaints: Complaints) -> None:
    """V10."""
    value = body.get("calibration_threshold")
    if value is not None and not (is_number(value) and 0 < value <= 1):
        complaints.add("calibration_threshold", value, "a number over 0, at most 1")


def check_timeout(body: Body, complaints: Complaints) -> None:
    """V12."""
    value = body.get("rollout_timeout_seconds")
    if value is not None and not (is_number(value) and 0 < value <= LONGEST_TIMEOUT_S):
        message = f"a number of seconds over 0, at most {LONGEST_TIMEOUT_S}"
        complaints.add("rollout_timeout_seconds", value, message)


def check_experiment(body: Body, ground: Ground, complaints: Complaints) -> None:
    """V15."""
    value = body.get("experiment_id")
    if value is None:
        return
    if not isinstance(value, str):
        complaints.add("experiment_id", value, "the id of an experiment is a text")
    elif value not in ground.experiment_ids:
        complaints.add("experiment_id", value, "no experiment of this benchmark has that id")


def check_settings(body: Body, complaints: Complaints) -> None:
    """V16. Values are JSON already, because a door parsed them."""
    settings = body.get("settings")
    if settings is None:
        return
    if not isinstance(settings, Mapping):
        complaints.add("settings", settings, "an object of sampling settings")
        return
    for key, value in settings.items():
        wanted = _setting_wanted(str(key), value)
        if wanted is not None:
            complaints.add(f"settings.{key}", value, wanted)


def _setting_wanted(key: str, value: Any) -> str | None:
    """What a setting must be, when it is not that."""
    if key in HARNESS_KEYS:
        return "set by the lab for every call; remove it"
    if key == "temperature" and not (is_number(value) and 0 <= value <= 2):
        return "a number from 0 to 2"
    if key == "top_p" and not (is_number(value) and 0 < value <= 1):
        return "a number over 0, at most 1"
    if key == "max_output_tokens" and not (is_integer(value) and 1 <= value <= 1_000_000):
        return "an integer from 1 to 1,000,000"
    return None


def check_integers(body: Body, complaints: Complaints) -> None:
    """V17."""
    for name, least, most, wanted in INTEGERS:
        value: Any = body.get(name)
        if value is None:
            continue
        if not is_integer(value) or value < least or (most is not None and value > most):
            complaints.add(name, value, wanted)


def check_margin(body: Body, labels: list[str], complaints: Complaints) -> None:
    """V18: the margin is a number, or an object with its metric."""
    margin, baseline = body.get("margin"), body.get("baseline")
    value = margin.get("value") if isinstance(margin, Mapping) else margin
    metric = margin.get("metric", METRICS[0]) if isinstance(margin, Mapping) else METRICS[0]
    if margin is not None and not (is_number(value) and 0 < value < 1):
        complaints.add("margin", value, "a number over 0 and below 1")
    if metric not in METRICS:
        complaints.add("margin.metric", metric, f"one of {', '.join(METRICS)}")
    if baseline is not None and baseline not in labels:
        complaints.add("baseline", baseline, f"the label of an arm: {', '.join(labels)}")
