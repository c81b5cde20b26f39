import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.intake.dialects.llama_index import LlamaIndexStore
from benchmarks.intake.ingest import IntakeOptions, ingest
from tests.benchmarks.intake.shapes import ODD, calls_in, results_in, shape

DIALECT = LlamaIndexStore()


def said(role: str, *blocks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": role, "additional_kwargs": more, "blocks": [*blocks]}


def text(words: str) -> dict[str, Any]:
    return {"block_type": "text", "text": words}


ASKED = {"id": "c1", "type": "function",
         "function": {"name": "look", "arguments": '{"city": "Oslo"}'}}  # fmt: skip
BLOCK = {"block_type": "tool_call", "tool_call_id": "c1", "tool_name": "look",
         "tool_kwargs": {"city": "Oslo"}}  # fmt: skip


def chat(call: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        said("user", text("Weather?")),
        call,
        said("tool", text("rain"), tool_call_id="c1", name="look"),
        said("assistant", text("It rains.")),
    ]


@pytest.mark.parametrize("call", [said("assistant", tool_calls=[ASKED]), said("assistant", BLOCK)])
@pytest.mark.parametrize("outside", [False, True])
def test_every_chat_of_a_store_is_a_conversation(
    tmp_path: Path, call: dict[str, Any], outside: bool
) -> None:
    store: dict[str, Any] = {"store": {"a/b": chat(call)}, "class_name": "SimpleChatStore"}
    store = {"chat_store": store, "chat_store_key": "a/b"} if outside else store
    path = tmp_path / "chat_store.json"
    path.write_text(json.dumps(store), encoding="utf-8")
    found = ingest([path], options=IntakeOptions(now=datetime(2026, 6, 1, tzinfo=UTC)))
    (capture,) = found.captures
    told = capture.conversation
    assert shape(told) == [
        ("user", "Weather?", [], []),
        ("assistant", "", ["look"], []),
        ("tool", "", [], ["ok"]),
        ("assistant", "It rains.", [], []),
    ]
    assert (calls_in(told), results_in(told)) == ([("c1", {"city": "Oslo"})], [((1, 0), "rain")])


def test_a_chat_is_placed_and_named() -> None:
    record = {"store": {"a/b": []}, "class_name": "SimpleChatStore"}
    (entry,) = DIALECT.entries(record)
    assert (entry.within, entry.record["session_id"]) == ("/store/a~1b", "a/b")
    (entry,) = DIALECT.entries({"chat_store": record})
    assert entry.within == "/chat_store/store/a~1b"


@pytest.mark.parametrize("odd", [*ODD, {"store": {}}, {"class_name": "SimpleChatStore"}])
def test_other_records_are_no_store(odd: Any) -> None:
    assert not DIALECT.detect(odd)
    assert not DIALECT.detect({"store": odd if not isinstance(odd, dict) else 1, "class_name": "x"})
