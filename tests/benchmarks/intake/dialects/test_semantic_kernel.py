from typing import Any

import pytest

from benchmarks.intake.dialects.semantic_kernel import (
    SemanticKernelHistory,
    SemanticKernelMessages,
)
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    founds,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

LINES = SemanticKernelMessages()
HISTORY = SemanticKernelHistory()


def message(label: str, *items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"Role": {"Label": label}, "Items": [*items], **more}


def text(words: str) -> dict[str, Any]:
    return {"$type": "TextContent", "Text": words}


CALL = {"$type": "FunctionCallContent", "Id": "c1", "PluginName": "Air", "FunctionName": "look",
        "Arguments": {"city": "Oslo"}}  # fmt: skip
CAME = {"$type": "FunctionResultContent", "CallId": "c1", "PluginName": "Air",
        "FunctionName": "look", "Result": "rain"}  # fmt: skip
USED = {"Usage": {"InputTokenCount": 10, "OutputTokenCount": 5, "TotalTokenCount": 15}}
ALL = [
    message("system", text("You help.")),
    message("user", text("Weather?"), AuthorName="Ann"),
    message("assistant", CALL, ModelId="m-1", Metadata=USED),
    message("tool", CAME),
    message("Assistant", text("It rains."), ModelId="m-1"),
]
WHOLE = [
    ("system", "You help.", [], []),
    ("user", "Weather?", [], []),
    ("assistant", "", ["Air-look"], []),
    ("tool", "", [], ["ok"]),
    ("assistant", "It rains.", [], []),
]


def test_messages_are_turns_and_functions_bear_the_name_of_their_plugin() -> None:
    got = reading_of(pieces_of(LINES, *ALL))
    found = got.conversation
    assert shape(found) == WHOLE
    assert (calls_in(found), results_in(found)) == ([("c1", {"city": "Oslo"})], [((2, 0), "rain")])
    assert (found.turns[1].name, found.turns[2].model) == ("Ann", "m-1")
    assert (found.turns[2].usage.input_tokens, found.usage.output_tokens) == (10, 5)
    assert (got.frame.routing.upstream_model, found.end.reason) == ("m-1", "reply")
    assert (found.dialect, found.issues) == ("semantic_kernel", [])


@pytest.mark.parametrize("record", [ALL, {"Messages": ALL}, {"id": 1, "chatHistory": ALL}])
def test_a_history_in_one_record_is_read_like_its_messages(record: Any) -> None:
    assert HISTORY.detect(record)
    assert shape(reading_of(list(HISTORY.read(record))).conversation) == WHOLE


def test_older_messages_pictures_and_unknown_items_are_kept() -> None:
    older = {"Role": {"Label": "user"}, "Content": "Hi.", "Items": None}
    picture = {"$type": "ImageContent", "Uri": "https://x/a.png", "MimeType": "image/png"}
    found = reading_of(
        pieces_of(LINES, older, message("user", picture, {"$type": "NewContent"}))
    ).conversation
    assert [[part.type for part in turn.parts] for turn in found.turns] == [
        ["text"], ["media", "unknown"],
    ]  # fmt: skip


def test_a_history_without_a_message_is_no_conversation() -> None:
    (piece,) = LINES.read("f", founds([ALL[0]]))
    assert piece.result == Refused(Reason.NO_MESSAGES, "a history without a message")


@pytest.mark.parametrize(
    "record",
    [{}, [], [3], {"Role": "user", "Items": []}, {"Role": {"Label": 3}, "Items": []},
     {"Role": {"Label": "user"}}, {"Messages": []}, {"messages": [{"role": "user"}]}],
)  # fmt: skip
def test_near_misses_are_none(record: Any) -> None:
    assert not LINES.detect(record)
    assert not HISTORY.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for place, one in enumerate(ALL):
        for key in (one.keys() | {"Content", "Metadata", "ModelId"}) - {"Role"}:
            assert pieces_of(LINES, *ALL[:place], {**one, key: odd})
        for item in one["Items"]:
            for key in item:
                changed = {**one, "Items": [{**item, key: odd}, odd]}
                assert pieces_of(LINES, *ALL[:place], changed)
    assert list(HISTORY.read([*ALL, odd, {**ALL[0], "Role": odd}]))
