"""The JSON Schema of arguments as doors publish it: an optional one is left out, never null."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from benchmarks.doors.arguments import MEANINGS


def arguments_schema(
    model: type[BaseModel],
    *,
    ref_template: str = "#/$defs/{model}",
    meanings: Mapping[str, str] = MEANINGS,
) -> dict[str, Any]:
    """The closed schema of a model of arguments; `meanings` are words for those that need them."""
    schema = model.model_json_schema(ref_template=ref_template)
    schema["properties"] = {
        name: _plain_property(field, meanings.get(name))
        for name, field in schema.get("properties", {}).items()
    }
    return schema


def shape(field: Mapping[str, Any]) -> str:
    """The schema of one argument in one line, without its words."""
    kept = {key: value for key, value in field.items() if key not in {"title", "description"}}
    return json.dumps(kept, ensure_ascii=False)


def _plain_property(field: Mapping[str, Any], meaning: str | None) -> dict[str, Any]:
    """One argument without what only pydantic needs, and with a description."""
    kinds = [kind for kind in field.get("anyOf", []) if kind != {"type": "null"}]
    rest = {key: value for key, value in field.items() if key not in {"anyOf", "title"}}
    if rest.get("default", ...) is None:
        del rest["default"]
    if len(kinds) == 1:
        rest = {**kinds[0], **rest}
    elif kinds:
        said = [kind["description"] for kind in kinds if "description" in kind]
        rest = {"anyOf": kinds, **rest, **({"description": said[0]} if said else {})}
    rest["description"] = meaning or rest.get("description", "")
    return rest
