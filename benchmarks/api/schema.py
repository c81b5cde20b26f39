"""The OpenAPI document, made from what each route says of itself."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent
from pydantic import BaseModel

from benchmarks.api.documents import Freshness, Notice, Page, Problem
from benchmarks.api.errors import PROBLEM, title_of
from benchmarks.api.operations import Operation, operation_of
from benchmarks.api.refusals import refusals_of
from benchmarks.doors.permissions import permission_of
from benchmarks.doors.schemas import arguments_schema
from benchmarks.errors import UnderstudyError

REF = "#/components/schemas/{model}"
JSON = "application/json"
PAGE = "page"
"""A list's document that has a page of its own is described whole, not by its items."""
SECURITY = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "A token of POST /api/tokens."},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "sessionid",
        "description": "A signed-in user; a write sends the header X-CSRFToken too.",
    },
}
OWN_WORDS: Mapping[str, str] = {}
"""What an argument means here is said where it stands: MCP's words are about other ones."""
Schema = dict[str, Any]


class LabSchema(AutoSchema):
    """One operation of the document, from the `Operation` of its method."""

    def get_operation(
        self,
        path: str,
        path_regex: str,
        path_prefix: str,
        method: str,
        registry: ComponentRegistry,
    ) -> Schema | None:
        """The operation object; None where the view takes no such method."""
        described = operation_of(self.view, method)
        if described is None:
            return None
        view_doc = getattr(self.view, method.lower()).__doc__ or ""
        summary, _, rest = view_doc.strip().partition("\n")
        names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
        found: Schema = {
            "operationId": described.service,
            "summary": summary.strip().removesuffix("."),
            "description": _description(rest, described),
            "tags": [path.removeprefix("/api/").split("/")[0]],
            "parameters": [
                *map(_in_path, names),
                *_in_query(registry, described),
                *_in_header(described),
            ],
        }
        if described.body is not None:
            found["requestBody"] = {
                "required": True,
                "content": {JSON: {"schema": _arguments(registry, described.body)}},
            }
        found["responses"] = {
            str(described.status): _success(registry, described),
            **{
                str(status): _answer(status, _component(registry, model))
                for status, model in described.also.items()
            },
            **_failures(registry, refusals_of(described, has_slug="slug" in names)),
        }
        return found


def _description(rest: str, described: Operation) -> str:
    permission = permission_of(described.service)
    needs = f"Needs the permission `{permission}`." if permission else "Any identity may call it."
    lines = [line.strip() for line in rest.strip().splitlines()]
    return "\n".join([*lines, *([""] if lines else []), needs])


def _in_path(name: str) -> Schema:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _in_query(registry: ComponentRegistry, described: Operation) -> Iterable[Schema]:
    schema = arguments_schema(described.query, ref_template=REF, meanings=OWN_WORDS)
    _parts(registry, schema)
    for name, field in schema["properties"].items():
        kept = {key: value for key, value in field.items() if key != "description"}
        yield {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "description": field["description"],
            "schema": kept,
        }


def _in_header(described: Operation) -> Iterable[Schema]:
    text = {"type": "string"}
    if described.writes:
        yield {
            "name": "Idempotency-Key",
            "in": "header",
            "description": "The same key and arguments write once.",
            "schema": {**text, "minLength": 1, "maxLength": 128},
        }
    else:
        yield {
            "name": "If-None-Match",
            "in": "header",
            "description": "An ETag: 304 while it stands.",
            "schema": text,
        }
    if described.matches:
        yield {
            "name": "If-Match",
            "in": "header",
            "description": "An ETag: 412 when it is old.",
            "schema": text,
        }


def _success(registry: ComponentRegistry, described: Operation) -> Schema:
    if described.gives is None:
        return {"description": title_of(described.status)}
    item = _component(registry, described.gives)
    is_whole = not described.is_list or PAGE in described.gives.model_fields
    schema = item if is_whole else _page_of(registry, described.gives, item)
    found = _answer(described.status, schema)
    if described.media_type != JSON:
        found["content"][described.media_type] = {"schema": {"type": "string"}}
    return found


def _answer(status: int, schema: Schema) -> Schema:
    return {"description": title_of(status), "content": {JSON: {"schema": schema}}}


def _page_of(registry: ComponentRegistry, kind: type[BaseModel], item: Schema) -> Schema:
    page, fresh = _component(registry, Page), _component(registry, Freshness)
    schema: Schema = {
        "type": "object",
        "required": ["results", "page"],
        "properties": {
            "notices": {"type": "array", "items": _component(registry, Notice)},
            "results": {"type": "array", "items": item},
            "page": page,
            "freshness": fresh,
        },
    }
    return _registered(registry, f"{kind.__name__}List", schema)


def _failures(registry: ComponentRegistry, kinds: Sequence[type[UnderstudyError]]) -> Schema:
    problem = _component(registry, Problem)
    codes: dict[int, list[str]] = {}
    for kind in kinds:
        codes.setdefault(kind.status, []).append(kind.code)
    return {
        str(status): {
            "description": ", ".join(f"`{code}`" for code in dict.fromkeys(found)),
            "content": {
                PROBLEM: {
                    "schema": {
                        "allOf": [
                            problem,
                            {"properties": {"code": {"enum": list(dict.fromkeys(found))}}},
                        ]
                    }
                }
            },
        }
        for status, found in sorted(codes.items())
    }


def _component(registry: ComponentRegistry, model: type[BaseModel]) -> Schema:
    schema = model.model_json_schema(ref_template=REF, mode="serialization")
    return _with_parts(registry, model.__name__, schema)


def _arguments(registry: ComponentRegistry, model: type[BaseModel]) -> Schema:
    schema = arguments_schema(model, ref_template=REF, meanings=OWN_WORDS)
    return _with_parts(registry, model.__name__, schema)


def _with_parts(registry: ComponentRegistry, name: str, schema: Schema) -> Schema:
    _parts(registry, schema)
    return _registered(registry, name, schema)


def _parts(registry: ComponentRegistry, schema: Schema) -> None:
    for part, inner in schema.pop("$defs", {}).items():
        _registered(registry, part, inner)


def _registered(registry: ComponentRegistry, name: str, schema: Mapping[str, Any]) -> Schema:
    component = ResolvedComponent(  # type: ignore[no-untyped-call]
        name=name, type=ResolvedComponent.SCHEMA, schema=dict(schema), object=name
    )
    registry.register_on_missing(component)
    return {"$ref": f"#/components/schemas/{name}"}


def finish(result: Schema, **_: Any) -> Schema:
    """The last touch: how one signs in, and each refusal said once."""
    components = result.setdefault("components", {})
    components["securitySchemes"] = SECURITY
    result["security"] = [{name: []} for name in SECURITY]
    shared: Schema = {}
    for path in result["paths"].values():
        for operation in path.values():
            operation["responses"] = dict(_shared(operation["responses"], shared))
    components["responses"] = dict(sorted(shared.items()))
    return result


def _shared(responses: Schema, shared: Schema) -> Iterable[tuple[str, Schema]]:
    """The responses, each refusal as a reference to the one of the same status and codes."""
    for status, response in responses.items():
        if PROBLEM not in response.get("content", {}):
            yield status, response
            continue
        codes = response["description"].replace("`", "").split(", ")
        name = ".".join([status, *codes])
        shared.setdefault(name, response)
        yield status, {"$ref": f"#/components/responses/{name}"}
