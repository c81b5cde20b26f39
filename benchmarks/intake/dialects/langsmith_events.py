"""A streamed answer that stands only in the events of its run, one for each token."""

from collections.abc import Sequence
from typing import Any

from benchmarks.intake.drafting.langchain import unwrapped
from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.values import objects
from benchmarks.intake.wires.chat_chunks import assembled_completion
from benchmarks.intake.wires.stream import Stream
from benchmarks.intake.wires.streams import events_of
from benchmarks.records.base import JsonObject

TOKEN = "new_token"


def streamed_answer(events: Sequence[JsonObject]) -> JsonObject | None:
    """The body that the tokens come to; None where no event holds one."""
    tokens = [_kwargs(event) for event in events if event.get("name") == TOKEN]
    chunks = [found for token in tokens if isinstance(found := decoded(token.get("token")), dict)]
    if any("choices" in chunk for chunk in chunks):
        body = assembled_completion(events_of(Stream(chunks=tuple(chunks)))).body
        return body if isinstance(body, dict) else None
    message = _message(tokens)
    return {"choices": [{"index": 0, "message": message}]} if message is not None else None


def _kwargs(event: JsonObject) -> JsonObject:
    found = event.get("kwargs")
    return found if isinstance(found, dict) else {}


def _message(tokens: Sequence[JsonObject]) -> JsonObject | None:
    """The message of LangChain's chunks: their texts joined, their calls by index."""
    texts: list[str] = []
    calls: dict[Any, JsonObject] = {}
    for token in tokens:
        if isinstance(token.get("token"), str):
            texts.append(token["token"])
        chunk = token.get("chunk")
        inner = unwrapped(chunk.get("message")) if isinstance(chunk, dict) else None
        for part in objects(inner.get("tool_call_chunks")) if isinstance(inner, dict) else []:
            _add_call(calls, part)
    if not calls and not any(texts):
        return None
    text = "".join(texts)
    return {"role": "assistant", "content": text, "tool_calls": list(calls.values())}


def _add_call(calls: dict[Any, JsonObject], part: JsonObject) -> None:
    """Join a part of a call to it; an id that is new at an index begins another."""
    index = str(part.get("index"))
    known = calls.get(index)
    new_id = part.get("id") if isinstance(part.get("id"), str) and part["id"] else None
    if known is not None and new_id is not None and known["id"] not in {None, new_id}:
        calls[f"{index} {len(calls)}"] = calls.pop(index)
        known = None
    call = known or {"id": None, "name": "", "arguments": ""}
    calls[index] = {
        "id": call["id"] or new_id,
        "name": call["name"] + (part["name"] if isinstance(part.get("name"), str) else ""),
        "arguments": call["arguments"]
        + (part["args"] if isinstance(part.get("args"), str) else ""),
    }
