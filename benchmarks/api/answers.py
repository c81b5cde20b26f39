"""What goes back: notices first, only the keys that were asked for, and what a cache may keep."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from django.http import HttpResponse

from benchmarks.api.calls import Answer, ApiCall
from benchmarks.api.operations import Operation
from benchmarks.doors.checking import stranger
from benchmarks.doors.marks import visible
from benchmarks.doors.redacting import redacted
from benchmarks.errors import InvalidArguments
from benchmarks.records.base import plain
from benchmarks.records.digest import json_digest

NOTICES, FRESHNESS, RESULTS = "notices", "freshness", "results"
KEPT = frozenset({NOTICES, FRESHNESS, "page", "warnings"})
NOTICE_CHARS = 240


def respond(call: ApiCall, operation: Operation, given: Answer | Mapping[str, Any]) -> HttpResponse:
    """The response to a call that went well; 304 where the caller has the same already."""
    answer = given if isinstance(given, Answer) else Answer(given, status=operation.status)
    found = answer.document if operation.writes else redacted(answer.document)
    document = with_notices_first(found)
    etag = answer.etag or etag_of(call, operation, document)
    if answer.text is not None:
        etag = f'{etag[:-1]}-{answer.media_type}"'
    if is_known(call.headers.get("If-None-Match", ""), etag) and not operation.writes:
        response = HttpResponse(status=304)
        del response["Content-Type"]
    elif answer.text is not None:
        response = HttpResponse(answer.text, content_type=f"{answer.media_type}; charset=utf-8")
    else:
        shown = only_fields(document, call.query.fields)
        response = HttpResponse(encoded(shown), content_type="application/json")
        response.status_code = answer.status
    for name, value in {**_headers(call, document), **answer.headers}.items():
        response[name] = value
    if not operation.writes:
        response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    response["Vary"] = "Accept, Authorization, Cookie"
    return response


def encoded(document: Mapping[str, Any]) -> bytes:
    """The JSON of a document; half a character, which no JSON text can hold, is escaped."""
    value = plain(document, "document")
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


def with_notices_first(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with its notices, where it speaks of any, as the first key."""
    if NOTICES not in document:
        return dict(document)
    rest = {key: value for key, value in document.items() if key != NOTICES}
    return {NOTICES: document[NOTICES], **rest}


def _headers(call: ApiCall, document: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    texts = [str(each.get("text", "")) for each in document.get(NOTICES) or ()]
    if texts:
        found["Understudy-Notice"] = " | ".join(_header_text(text) for text in texts)
    fresh = document.get(FRESHNESS) or call.freshness
    if isinstance(fresh, Mapping):
        is_complete = fresh.get("complete")
        found["Understudy-Freshness"] = (
            "complete" if is_complete else f"behind={fresh.get('behind_bytes', 0)}"
        )
    page = document.get("page")
    cursor = page.get("next_cursor") if isinstance(page, Mapping) else None
    if cursor:
        found["Link"] = f'<{next_page(call.url, str(cursor))}>; rel="next"'
    return found


def next_page(url: str, cursor: str) -> str:
    """The same list, from a cursor on."""
    parts = urlsplit(url)
    asked = [(name, value) for name, value in parse_qsl(parts.query) if name != "cursor"]
    return f"{quote(parts.path)}?{urlencode([*asked, ('cursor', cursor)])}"


def _header_text(text: str) -> str:
    """One line of ASCII: a header can hold no more."""
    line = " ".join(visible(text).split())[:NOTICE_CHARS]
    return line.encode("ascii", "backslashreplace").decode("ascii")


def only_fields(document: Mapping[str, Any], fields: Sequence[str]) -> Mapping[str, Any]:
    """The document, or each item of its list, with no other keys than these.

    Raises:
        InvalidArguments: a key is on no item; the nearest that is is named.
    """
    if not fields:
        return document
    items = document.get(RESULTS)
    if isinstance(items, list):
        known = list(dict.fromkeys(key for item in items for key in item))
        _need_known(fields, known if items else fields)
        return {**document, RESULTS: [_picked(item, fields) for item in items]}
    _need_known(fields, list(document))
    return {key: value for key, value in document.items() if key in KEPT or key in fields}


def _picked(item: Mapping[str, Any], fields: Sequence[str]) -> dict[str, Any]:
    return {key: value for key, value in item.items() if key in fields}


def _need_known(fields: Sequence[str], known: Sequence[str]) -> None:
    found = [stranger(name, name, known) for name in fields if name not in known]
    if found:
        raise InvalidArguments(
            "fields: " + "; ".join(each.message.replace("argument", "key") for each in found),
            hint=f"its keys: {', '.join(known)}",
            errors=found,
        )


def etag_of(call: ApiCall, operation: Operation, document: Mapping[str, Any]) -> str:
    """A list: its revision and the digest of what was asked. A document: its own digest, strong."""
    revision = call.freshness.get("revision") if call.freshness else None
    if operation.is_list and revision is not None:
        is_behind = not (call.freshness or {}).get("complete")
        asked = [call.service, call.sent_path, call.query.model_dump(mode="json")]
        seen = [list(call.identity.patterns), is_behind, call.state]
        return f'W/"{revision}-{json_digest([asked, seen])[:16]}"'
    shown = {key: value for key, value in document.items() if key != FRESHNESS}
    digest = json_digest(plain(shown, "document"))
    fields = call.query.fields
    return f'"{json_digest([digest, fields]) if fields else digest}"'


def is_known(header: str, etag: str) -> bool:
    """Whether `If-None-Match` names the tag, compared weakly as HTTP asks."""
    if not header:
        return False
    named = [_opaque(each) for each in header.split(",")]
    return _opaque(etag) in named or "*" in named


def _opaque(tag: str) -> str:
    return tag.strip().removeprefix("W/")
