from typing import Any

import pytest

from benchmarks.intake.wires.gemini_arguments import PartialCall, is_partial
from benchmarks.intake.wires.gemini_chunks import assembled_chunks
from benchmarks.intake.wires.stream import Stream


def piece(path: Any, goes_on: bool = True, **value: Any) -> dict[str, Any]:
    return {"partialArgs": [{"jsonPath": path, **value}], "willContinue": goes_on}


def arguments(*pieces: dict[str, Any], args: Any = None) -> dict[str, Any]:
    call = PartialCall({"name": "get", "id": "c1", "args": args})
    for one in pieces:
        call.take(one)
    whole = call.whole()
    assert (whole["name"], whole["id"]) == ("get", "c1")
    found: dict[str, Any] = whole["args"]
    return found


def test_a_text_in_pieces_is_one_text_and_other_values_are_what_they_are() -> None:
    assert arguments(
        piece("$.city", stringValue="New "), piece("$.city", stringValue="York"),
        piece("$.city", stringValue=""), piece("$.days", numberValue=3),
        piece("$.now", boolValue=False), piece("$.note", nullValue="NULL_VALUE"),
    ) == {"city": "New York", "days": 3, "now": False, "note": None}  # fmt: skip


def test_paths_lead_into_objects_and_lists() -> None:
    assert arguments(
        piece("$.a.b[0].c", stringValue="x"), piece("$.a.b[0].d", numberValue=1),
        piece("$.a.b[1]", stringValue="y"), piece("$['odd name'][\"q\"]", stringValue="z"),
    ) == {"a": {"b": [{"c": "x", "d": 1}, "y"]}, "odd name": {"q": "z"}}  # fmt: skip


@pytest.mark.parametrize("path", ["", "$", "city", "$..city", "$[0]", "$.a[9]", "$.a[", "$.a[-1]"])
def test_a_path_that_leads_nowhere_is_the_name_of_its_value(path: str) -> None:
    assert arguments(piece(path, stringValue="x"))[path] == "x"


def test_a_path_through_a_value_does_not_overwrite_it() -> None:
    found = arguments(piece("$.a", stringValue="x"), piece("$.a.b", stringValue="y"))
    assert found == {"a": "x", "$.a.b": "y"}
    found = arguments(piece("$.a.b", stringValue="x"), piece("$.a[0]", stringValue="y"))
    assert found == {"a": {"b": "x"}, "$.a[0]": "y"}


def test_arguments_that_came_whole_stay() -> None:
    assert arguments(piece("$.b", numberValue=2), args={"a": 1}) == {"a": 1, "b": 2}


@pytest.mark.parametrize("odd", [None, 1, "x", [], {}, [None], [{}], [{"jsonPath": 1}]])
def test_pieces_of_any_shape_raise_nothing(odd: Any) -> None:
    assert isinstance(arguments({"partialArgs": odd, "willContinue": odd}, args=odd), dict)


def test_what_is_the_first_of_several_pieces() -> None:
    assert is_partial({"name": "get", "willContinue": True})
    assert is_partial({"name": "get", "partial_args": [{}]})
    assert not is_partial({"name": "get", "args": {}})
    assert not is_partial({"name": "get", "willContinue": False})


def test_calls_in_pieces_over_several_chunks_stay_apart() -> None:
    def chunk(call: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"candidates": [{"content": {"parts": [{"functionCall": call}]}, **more}]}

    found = assembled_chunks(Stream(chunks=(
        chunk({"name": "get", "willContinue": True}),
        chunk(piece("$.n", numberValue=1)),
        chunk({}),
        chunk({"name": "get", "willContinue": True}),
        chunk(piece("$.n", numberValue=2, goes_on=False)),
        chunk({"name": "get", "args": {"n": 3}}, finishReason="STOP"),
    )))  # fmt: skip
    assert found.body["candidates"][0]["content"]["parts"] == [
        {"functionCall": {"name": "get", "args": {"n": 1}}},
        {"functionCall": {"name": "get", "args": {"n": 2}}},
        {"functionCall": {"name": "get", "args": {"n": 3}}},
    ]
