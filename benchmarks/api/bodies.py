"""The body of a write: JSON of at most 1 MiB, read strictly."""

import json
from typing import Any, NoReturn

from django.http import HttpRequest

from benchmarks.artifacts.parsing import MAX_DEPTH, SURROGATE_ESCAPE, exact_integer, is_deeper
from benchmarks.errors import InvalidArguments, TooLarge, UnsupportedMediaType

MOST_BYTES = 1024 * 1024
JSON = "application/json"
HINT = "the body is one JSON object"


def read_body(request: HttpRequest) -> dict[str, Any]:
    """The JSON object in the body; an empty body is an empty object.

    Raises:
        UnsupportedMediaType: there is a body, or a type, and it is not JSON.
        TooLarge: it has over 1 MiB, however it was sent.
        InvalidArguments: it is not one JSON object; where it stops being one is said.
    """
    said = (request.content_type or "").lower()
    if int(request.META.get("CONTENT_LENGTH") or 0) > MOST_BYTES:
        raise _too_large()
    data = request.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise _too_large()
    if said != JSON and (data or said or request.method != "DELETE"):
        raise UnsupportedMediaType(
            f"a write takes {JSON}, not {said or 'a body without a type'}",
            hint=f"send Content-Type: {JSON}",
        )
    return parse_object(data) if data else {}


def parse_object(data: bytes) -> dict[str, Any]:
    """The object in `data`: each key once, numbers finite and exact.

    Raises:
        InvalidArguments: it is something else; line and column of the fault are said.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidArguments(f"the body is not UTF-8 at byte {error.start}", hint=HINT) from None
    if is_deeper(data, MAX_DEPTH):
        raise InvalidArguments(f"the body is nested over {MAX_DEPTH} levels deep", hint=HINT)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_each_key_once,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=exact_integer,
        )
    except json.JSONDecodeError as error:
        raise InvalidArguments(
            f"the body is not JSON at line {error.lineno}, column {error.colno}: {error.msg}",
            hint=HINT,
            details={"line": error.lineno, "column": error.colno},
        ) from None
    except (ValueError, RecursionError) as error:
        raise InvalidArguments(f"the body cannot be read: {error}", hint=HINT) from None
    if SURROGATE_ESCAPE.search(text) and not _is_text(value):
        raise InvalidArguments("the body holds half a character (a lone surrogate)", hint=HINT)
    if not isinstance(value, dict):
        raise InvalidArguments(f"the body is {_word(value)}, not an object", hint=HINT)
    return value


def _is_text(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} is there twice")
        found[key] = value
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _finite(text: str) -> float:
    number = float(text)
    if number in {float("inf"), float("-inf")}:
        raise ValueError(f"{text} is beyond a double")
    return number


def _word(value: object) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def _too_large() -> TooLarge:
    return TooLarge(
        f"the body has over {MOST_BYTES:,} bytes",
        hint="a body has at most 1 MiB",
        details={"limit": MOST_BYTES},
    )
