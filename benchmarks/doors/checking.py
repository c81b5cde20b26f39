"""Arguments against the model that says what may be given: every complaint at once."""

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from benchmarks.errors import Complaint, InvalidArguments

M = TypeVar("M", bound=BaseModel)


def checked(model: type[M], arguments: Mapping[str, Any], *, what: str) -> M:
    """The arguments as `model` holds them; `what` begins the message of a refusal.

    Raises:
        InvalidArguments: an argument is unknown or its value is wrong; all are listed.
    """
    fields = names_of(model)
    complaints = [
        stranger(name, value, fields) for name, value in arguments.items() if name not in fields
    ]
    known = {name: value for name, value in arguments.items() if name in fields}
    try:
        found = model.model_validate(known)
    except ValidationError as error:
        raise _invalid(model, complaints + _complaints(error), what) from None
    if complaints:
        raise _invalid(model, complaints, what)
    return found


def names_of(model: type[BaseModel]) -> list[str]:
    """What a caller calls the arguments."""
    return [info.alias or name for name, info in model.model_fields.items()]


def stranger(name: str, value: Any, known: Sequence[str]) -> Complaint:
    """The complaint about an argument that does not exist, with the nearest that does."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
    hint = f", nearest {near[0]!r}" if near else ""
    return Complaint(name, value, f"unknown argument {name!r}{hint}")


def _complaints(error: ValidationError) -> list[Complaint]:
    """One complaint for each argument, however many forms of it were tried."""
    by_name: dict[str, list[Any]] = {}
    for item in error.errors():
        by_name.setdefault(str(item["loc"][0]) if item["loc"] else "", []).append(item)
    return [_complaint(name, items) for name, items in by_name.items()]


def _complaint(name: str, items: Sequence[Any]) -> Complaint:
    first = items[0]
    value = "" if first["type"] == "missing" else first["input"]
    said = list(dict.fromkeys(str(item["msg"]) for item in items))
    expected = " ".join(str(item.get("ctx", {}).get("expected", "")) for item in items)
    words = re.findall(r"'([^']+)'", expected)
    near = difflib.get_close_matches(str(value), words, n=1, cutoff=0.4)
    said += [f"nearest {near[0]!r}"] if near else []
    return Complaint(name, value, "; ".join(said))


def _invalid(
    model: type[BaseModel], complaints: Sequence[Complaint], what: str
) -> InvalidArguments:
    said = "; ".join(f"{item.path}: {item.message}" for item in complaints)
    return InvalidArguments(
        f"{what}: {said}",
        hint=f"its arguments: {', '.join(names_of(model)) or 'none'}",
        errors=complaints,
    )
