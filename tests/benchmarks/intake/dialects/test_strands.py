import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.intake.dialects.strands import Strands
from benchmarks.intake.ingest import IntakeOptions, ingest
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

DIALECT = Strands()


def kept(number: int, role: str, *content: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "message": {"role": role, "content": [*content]}, "message_id": number,
        "redact_message": None, "created_at": f"2026-05-01T10:00:{number:02d}.250Z", **more,
    }  # fmt: skip


CALL = {"toolUse": {"toolUseId": "c1", "name": "look", "input": {"city": "Oslo"}}}
CAME = {"toolResult": {"toolUseId": "c1", "status": "error", "content": [{"text": "no city"}]}}
ALL = [
    kept(0, "user", {"text": "Weather?"}),
    kept(1, "assistant", {"text": "I look."}, CALL),
    kept(2, "user", CAME),
    *[kept(number, "assistant", {"text": str(number)}) for number in range(3, 11)],
]
WHOLE = [
    ("user", "Weather?", [], []),
    ("assistant", "I look.", ["look"], []),
    ("tool", "", [], ["error"]),
    *[("assistant", str(number), [], []) for number in range(3, 11)],
]


def test_the_messages_of_a_folder_are_a_conversation_in_their_own_order(tmp_path: Path) -> None:
    folder = tmp_path / "session_s-1" / "agents" / "agent_a" / "messages"
    folder.mkdir(parents=True)
    for one in ALL:
        path = folder / f"message_{one['message_id']}.json"
        path.write_text(json.dumps(one), encoding="utf-8")
    found = ingest([tmp_path], options=IntakeOptions(now=datetime(2026, 6, 1, tzinfo=UTC)))
    (capture,) = found.captures
    told = capture.conversation
    assert shape(told) == WHOLE
    assert (calls_in(told), results_in(told)) == (
        [("c1", {"city": "Oslo"})], [((1, 1), "no city")],
    )  # fmt: skip
    assert (told.dialect, told.turns[1].at) == ("strands", "2026-05-01T10:00:01.250Z")


def test_the_session_is_that_of_the_folder_and_the_time_that_of_its_first_message() -> None:
    path = "x/session_s-1/agents/agent_a/messages/message_0.json"
    got = reading_of(pieces_of(DIALECT, *ALL, path=path))
    assert (got.frame.identity.session_id, got.frame.captured_at) == (
        "s-1", "2026-05-01T10:00:00.250Z",
    )  # fmt: skip


def test_what_was_put_in_place_of_a_message_is_what_was_said() -> None:
    instead = {"role": "user", "content": [{"text": "[withheld]"}]}
    found = reading_of(pieces_of(DIALECT, {**ALL[0], "redact_message": instead})).conversation
    assert found.turns[0].text() == "[withheld]"


@pytest.mark.parametrize(
    "record",
    [{}, [], {"message_id": 0}, {"message_id": 0, "message": "x"},
     {"message_id": 0, "message": {"role": 3}}, {"message": {"role": "user"}}],
)  # fmt: skip
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for place, one in enumerate(ALL[:3]):
        for key in one.keys() - {"message"}:
            assert pieces_of(DIALECT, *ALL[:place], {**one, key: odd})
        assert pieces_of(DIALECT, {**one, "message": {"role": "user", "content": odd}})
