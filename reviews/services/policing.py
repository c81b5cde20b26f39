"""The review policy: the operator's bars, shown and set field by field."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.precondition import need_unchanged
from benchmarks.artifacts.roots import Located
from benchmarks.errors import Complaint, InvalidArguments
from benchmarks.records.caller import Caller
from benchmarks.records.review import ReviewPolicy
from reviews.services.accepting import auto_accepts_of
from reviews.services.writing import open_dossier, written

WORDS = {"default_decision": ("accept", "pending"), "min_confidence": ("high", "medium", "low")}
SHARES = ("min_fidelity", "min_mutation_score")


def show_policy(*, located: Located) -> dict[str, Any]:
    """The policy in force, and what it would let through."""
    dossier = open_dossier(located)
    found = auto_accepts_of(dossier)
    return {
        **dossier.policy.dump(),
        "effect": {
            "auto_acceptable": list(found.acceptable),
            "exceptions": {
                task: [flag.value for flag in flags] for task, flags in found.exceptions.items()
            },
        },
    }


def set_policy(
    *,
    located: Located,
    default_decision: str | None = None,
    min_confidence: str | None = None,
    require_incumbent_pass: bool | None = None,
    min_fidelity: float | None = None,
    min_mutation_score: float | None = None,
    if_digests: Collection[str] | None = None,
    caller: Caller,
    now: datetime,
) -> dict[str, Any]:
    """Set the named fields and leave the rest of the file as it is, unknown keys too.

    Raises:
        StalePrecondition: what `show_policy` gives is not any more what was read.
    """
    asked = {
        "default_decision": default_decision,
        "min_confidence": min_confidence,
        "require_incumbent_pass": require_incumbent_pass,
        "min_fidelity": min_fidelity,
        "min_mutation_score": min_mutation_score,
    }
    changes = {name: value for name, value in asked.items() if value is not None}

    def change(before: ReviewPolicy | None) -> ReviewPolicy:
        return (before or ReviewPolicy()).with_(**changes)

    with located.directory.guard():
        _check(changes)
        if if_digests is not None:
            need_unchanged(show_policy(located=located), if_digests)
        located.directory.edit(layout.REVIEW_POLICY, change)
    return {**written(caller), **show_policy(located=located)}


def _check(changes: dict[str, Any]) -> None:
    """A typo is refused at the door; in the file it would only mean the default.

    Raises:
        InvalidArguments: a value is not one of the field's; all of them are named.
    """
    found = []
    for name, value in changes.items():
        if name in WORDS and value not in WORDS[name]:
            found.append(Complaint(name, value, f"one of {', '.join(WORDS[name])} is wanted"))
        if name in SHARES and not 0 <= value <= 1:
            found.append(Complaint(name, value, "a share from 0 to 1 is wanted"))
    if found:
        said = "; ".join(f"{each.path} {each.value!r}: {each.message}" for each in found)
        raise InvalidArguments(said, hint="understudy reviews policy --help", errors=found)
