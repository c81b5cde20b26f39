"""The arms of a body: what may be measured, and under which labels (V3-V5, V9, V11, V13, V14)."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.records.vocabulary import REFERENCE_ARMS, TRIVIAL_ARMS, ArmKind
from runs.requests.arms import RESERVED_LABELS, label_of
from runs.requests.complaints import Complaints
from runs.requests.fields import Body
from runs.requests.ground import Ground

MOST_MODELS = 8
MOST_OVERRIDES = 16
LABEL_CHARS = 80
PLACEHOLDERS = frozenset({"MODEL", "INC"})
"""What printed commands leave for the caller to fill in."""
SUFFIX_CHARS = 65_536
LOCAL_KEYS = frozenset({"ref", "label", "serving"})
OVERRIDE_KEYS = frozenset({"arm_label", "model", "system_prompt_suffix"})


def listed(body: Body, name: str) -> Sequence[Any]:
    """The list under a key; empty when there is none or it is no list."""
    value = body.get(name)
    return value if isinstance(value, list | tuple) else ()


def labels_of(body: Body) -> list[str]:
    """Every label of a body in plan order, as far as it can be read."""
    overrides = [entry for entry in listed(body, "prompt_overrides") if isinstance(entry, Mapping)]
    return [
        *(label_of(entry) for entry in listed(body, "models")),
        *(str(entry.get("arm_label", "")).strip() for entry in overrides),
        *(str(word) for word in listed(body, "trivial_arms")),
        *(str(word) for word in listed(body, "reference_arms")),
    ]


def check_models(body: Body, complaints: Complaints) -> None:
    """V3."""
    models = body.get("models", ())
    if not isinstance(models, list | tuple):
        complaints.add("models", models, "a list of model ids")
        return
    if len(models) > MOST_MODELS:
        complaints.add("models", len(models), f"at most {MOST_MODELS} entries")
    for place, entry in enumerate(models):
        wrong = _model_wrong(entry)
        if wrong is not None:
            complaints.add(f"models.{place}", entry, wrong)


def _model_wrong(entry: Any) -> str | None:
    if isinstance(entry, str):
        return _label_wrong(entry)
    if not isinstance(entry, Mapping):
        return "a model id, or {ref, label, serving} of a local model"
    if not isinstance(entry.get("ref"), str) or not entry["ref"].strip():
        return "a local model needs its ref"
    strange = sorted(set(entry) - LOCAL_KEYS)
    if strange:
        return f"unknown key {strange[0]}: a local model has ref, label and serving"
    return _label_wrong(label_of(entry))


def _label_wrong(text: str) -> str | None:
    if not text.strip():
        return "is blank"
    if text in PLACEHOLDERS:
        return "stands for a model: fill in the name of one"
    if text != text.strip():
        return "has blanks at its ends"
    if len(text) > LABEL_CHARS:
        return f"has {len(text)} characters, at most {LABEL_CHARS}"
    return "has control characters" if not text.isprintable() else None


def check_some_arm(body: Body, complaints: Complaints) -> None:
    """V4."""
    kinds = ("models", "prompt_overrides", "trivial_arms", "reference_arms")
    if not any(body.get(name) for name in kinds) and body.get("app_replay") is not True:
        message = "no arm: name a model, or ask for trivial_arms or reference_arms"
        complaints.add("models", body.get("models", []), message)


def check_labels(body: Body, complaints: Complaints) -> None:
    """V5. Labels that only make the same file name are fine."""
    places: dict[str, str] = {}
    entries = [(f"models.{n}", label_of(entry)) for n, entry in enumerate(listed(body, "models"))]
    entries += [
        (f"prompt_overrides.{n}.arm_label", str(entry.get("arm_label", "")).strip())
        for n, entry in enumerate(listed(body, "prompt_overrides"))
        if isinstance(entry, Mapping)
    ]
    for path, label in entries:
        if label in RESERVED_LABELS:
            complaints.add(path, label, "the name of an arm of the lab's own; use another label")
        elif label in places:
            complaints.add(path, label, f"the same label as {places[label]}")
        elif label:
            places[label] = path


def check_incumbents(body: Body, complaints: Complaints) -> None:
    """V9."""
    incumbents = body.get("incumbent_models")
    if incumbents is None:
        return
    if not isinstance(incumbents, list | tuple):
        complaints.add("incumbent_models", incumbents, "a list of labels of models")
        return
    models = [label_of(entry) for entry in listed(body, "models")]
    for place, label in enumerate(incumbents):
        path = f"incumbent_models.{place}"
        if label not in models:
            complaints.add(path, label, f"is not among the models: {', '.join(models) or 'none'}")
        elif label in incumbents[:place]:
            complaints.add(path, label, "is named twice")


def check_own_arms(body: Body, ground: Ground, complaints: Complaints) -> None:
    """V11."""
    _check_kinds(body, "trivial_arms", TRIVIAL_ARMS, complaints)
    _check_kinds(body, "reference_arms", REFERENCE_ARMS, complaints)
    if ArmKind.REPLAY in listed(body, "reference_arms") and not ground.has_captures:
        message = "needs normalized-captures.jsonl, which this benchmark does not have"
        complaints.add("reference_arms", ArmKind.REPLAY.value, message)


def _check_kinds(body: Body, name: str, kinds: Sequence[ArmKind], complaints: Complaints) -> None:
    value = body.get(name)
    if value is None:
        return
    words = ", ".join(kind.value for kind in kinds)
    if not isinstance(value, list | tuple):
        complaints.add(name, value, f"a list of {words}")
        return
    for place, word in enumerate(value):
        if word not in kinds:
            complaints.add(f"{name}.{place}", word, f"one of {words}")
        elif word in value[:place]:
            complaints.add(f"{name}.{place}", word, "is named twice")


def check_overrides(body: Body, complaints: Complaints) -> None:
    """V13."""
    overrides = body.get("prompt_overrides")
    if overrides is None:
        return
    if not isinstance(overrides, list | tuple):
        complaints.add("prompt_overrides", overrides, "a list of overrides")
        return
    if len(overrides) > MOST_OVERRIDES:
        complaints.add("prompt_overrides", len(overrides), f"at most {MOST_OVERRIDES}")
    models = [entry for entry in listed(body, "models") if isinstance(entry, str)]
    seen: dict[tuple[str, str], int] = {}
    for place, entry in enumerate(overrides):
        if _check_override(place, entry, models, complaints):
            twin = seen.setdefault((entry["model"], entry["system_prompt_suffix"]), place)
            if twin != place:
                message = f"the same model and suffix as {twin}: use rollouts_per_task"
                complaints.add(f"prompt_overrides.{place}", entry["arm_label"], message)


def _check_override(place: int, entry: Any, models: Sequence[str], complaints: Complaints) -> bool:
    path = f"prompt_overrides.{place}"
    if not isinstance(entry, Mapping) or set(entry) != OVERRIDE_KEYS:
        complaints.add(path, entry, "has exactly arm_label, model and system_prompt_suffix")
        return False
    label, model, suffix = (entry[k] for k in ("arm_label", "model", "system_prompt_suffix"))
    before = len(complaints.found)
    wrong = _label_wrong(label) if isinstance(label, str) else "a label is a text"
    if wrong is not None:
        complaints.add(f"{path}.arm_label", label, wrong)
    if model not in models:
        known = ", ".join(models) or "none"
        complaints.add(f"{path}.model", model, f"is not among the models by id: {known}")
    if not isinstance(suffix, str) or not suffix.strip():
        complaints.add(f"{path}.system_prompt_suffix", suffix, "a text that is not blank")
    elif len(suffix) > SUFFIX_CHARS:
        message = f"has {len(suffix)} characters, at most {SUFFIX_CHARS}"
        complaints.add(f"{path}.system_prompt_suffix", suffix, message)
    return len(complaints.found) == before


def check_app_replay(body: Body, complaints: Complaints) -> None:
    """V14, in a version that replays no apps."""
    value = body.get("app_replay")
    if value is None or value is False:
        return
    if value is not True:
        complaints.add("app_replay", value, "true or false")
        return
    complaints.add("app_replay", value, "this version replays no applications")
