"""The API about itself: its OpenAPI document, and a page that shows it and loads nothing."""

import re
from functools import lru_cache
from typing import Any

from django.template.loader import render_to_string
from drf_spectacular.generators import SchemaGenerator

from benchmarks.api.base import LabView
from benchmarks.api.calls import Answer, ApiCall
from benchmarks.api.documents import Document
from benchmarks.api.operations import operation
from benchmarks.records.base import JsonObject

HTML = "text/html"
POLICY = (
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
METHODS = ("get", "post", "put", "patch", "delete")
TICKS = re.compile(r"`([^`]*)`")


class OpenApi(Document):
    """An OpenAPI 3.1 document."""

    openapi: str
    info: dict[str, Any]
    paths: dict[str, Any]


class SchemaView(LabView):
    """`/api/schema`."""

    @operation("read_schema", gives=OpenApi)
    def get(self, call: ApiCall) -> JsonObject:
        """Give the OpenAPI document of this API."""
        return openapi()


class DocsView(LabView):
    """`/api/docs`."""

    @operation("read_docs", media_type=HTML)
    def get(self, call: ApiCall) -> Answer:
        """Show every route on one page, which loads nothing from elsewhere."""
        document = openapi()
        page = render_to_string("lab/api_docs.html", {"title": "API", "routes": routes(document)})
        headers = {"Content-Security-Policy": POLICY}
        return Answer(document, text=page, media_type=HTML, headers=headers)


@lru_cache(maxsize=1)
def openapi() -> JsonObject:
    """The OpenAPI document; it changes only with the code."""
    document: JsonObject = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    return document


def routes(document: JsonObject) -> list[JsonObject]:
    """Every operation as people read it, by path."""
    return [
        _route(method, path, said[method])
        for path, said in document["paths"].items()
        for method in METHODS
        if method in said
    ]


def _route(method: str, path: str, said: JsonObject) -> JsonObject:
    body = said.get("requestBody", {}).get("content", {}).get("application/json", {})
    return {
        "method": method.upper(),
        "path": path,
        "service": said["operationId"],
        "summary": said["summary"],
        "description": TICKS.sub(r"\1", said["description"]),
        "parameters": said["parameters"],
        "body": name_of(body.get("schema", {})),
        "answers": [
            {"status": status, "what": _said(answer)}
            for status, answer in said["responses"].items()
        ],
    }


def _said(answer: JsonObject) -> str:
    """What an answer is: the codes of a refusal, which its name holds."""
    if "$ref" in answer:
        return ", ".join(name_of(answer).split(".")[1:])
    return str(answer["description"])


def name_of(schema: JsonObject) -> str:
    """The name of the component that a schema refers to; empty without one."""
    return str(schema.get("$ref", "")).rpartition("/")[2]
