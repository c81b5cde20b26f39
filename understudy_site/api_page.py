"""docs/api.md and docs/openapi.json: the REST door, from what its routes say of themselves."""

import importlib
import json
import os
import secrets
from collections.abc import Iterator

import django

from benchmarks.records.base import JsonObject

INTRO = """\
# REST

Everything is under `/api/`, JSON in and out; `docs/openapi.json` is the same as data, and
`GET /api/schema` gives it. Nothing here runs a model: queueing is not executing.

- **Who.** `Authorization: Bearer <token>` (`understudy hub serve --new-token NAME --permissions
  read,review`, or `POST /api/tokens`), or a signed-in session with the header `X-CSRFToken` on
  writes. Only `/healthz` asks nobody. A token may less than its owner, never more; patterns limit
  which benchmarks it sees at all.
- **Writes** take `Content-Type: application/json`, at most 1 MiB, and `Idempotency-Key`: the same
  key and arguments write once, and the answer then says `replayed`. `If-Match` with an ETag writes
  only while the document is the one that was read.
- **Lists** give `results`, `page` and `freshness`. `limit` is 50, at most 500; `cursor` is
  `page.next_cursor` of the page before and dies with another filter; the header `Link` has the
  next page's address. A filter may stand several
  times (OR); several filters narrow (AND). `fields=a,b` keeps those keys.
- **Freshness.** Before a read the mirror takes in what is new for at most 250 ms, with `fresh=1`
  for 5 s; what is left is in `freshness` and in the header `Understudy-Freshness`.
- **ETags.** `If-None-Match` gives 304 while nothing changed.
- **Notices** are the first key of the body and the header `Understudy-Notice`: show them.
- **Errors** are problem documents (RFC 9457) with the codes of [errors.md](errors.md), every
  complaint in `errors`, and what to do in `hint` and `next_actions`. `X-Request-Id` names the
  request.
- **Limits.** 1,200 reads and 120 writes a minute; then 429 with `Retry-After`.
- Every path answers with and without its final slash. An id of a task is percent-encoded and comes
  last.

```sh
curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:1421/api/benchmarks
curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"slug": "local--demo", "reference_arms": ["oracle"]}' http://127.0.0.1:1421/api/runs
```
"""


def openapi() -> JsonObject:
    """The OpenAPI document; the home of this machine is neither read nor made."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "understudy_site.settings")
    os.environ.setdefault("UNDERSTUDY_SECRET_KEY", secrets.token_urlsafe(48))
    django.setup()
    document: JsonObject = importlib.import_module("benchmarks.api.manual").openapi()
    return document


def openapi_text() -> str:
    """docs/openapi.json."""
    return json.dumps(openapi(), indent=1, ensure_ascii=False) + "\n"


def api_page() -> str:
    """docs/api.md: every route with what it takes, gives and refuses."""
    document = openapi()
    manual = importlib.import_module("benchmarks.api.manual")
    lines = [INTRO]
    for route in manual.routes(document):
        lines += _route(route, document["components"]["schemas"])
    return "\n".join(lines).rstrip() + "\n"


def _route(route: JsonObject, components: JsonObject) -> Iterator[str]:
    yield f"## {route['method']} {route['path']}\n"
    yield f"{route['summary']}. Service `{route['service']}`.\n"
    yield f"{route['description']}\n"
    rows = list(_parameters(route, components))
    if rows:
        yield "| name | in | required | schema | meaning |\n|---|---|---|---|---|"
        yield from rows
        yield ""
    answers = "; ".join(f"{each['status']} {each['what']}" for each in route["answers"])
    yield f"Answers: {answers}.\n"


def _parameters(route: JsonObject, components: JsonObject) -> Iterator[str]:
    for each in route["parameters"]:
        yield _row(each["name"], each["in"], each["schema"], each)
    body = components.get(route["body"], {})
    for name, field in body.get("properties", {}).items():
        about = {**field, "required": name in body.get("required", ())}
        yield _row(name, "body", field, about)


def _row(name: str, where: str, schema: JsonObject, about: JsonObject) -> str:
    kept = {key: value for key, value in schema.items() if key not in {"title", "description"}}
    shown = json.dumps(kept, ensure_ascii=False).replace("|", "\\|")
    needed = "yes" if about.get("required") is True else ""
    meaning = str(about.get("description", "")).replace("|", "\\|").replace("\n", " ")
    return f"| `{name}` | {where} | {needed} | `{shown}` | {meaning} |"
