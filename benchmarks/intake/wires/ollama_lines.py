"""The objects of a streamed Ollama answer as the answer they came to.

Every object may give its calls the index 0, and none has an id: each call is a call of its own.
"""

from typing import Any

from benchmarks.intake.values import objects
from benchmarks.intake.wires.stream import Assembled
from benchmarks.intake.wires.streams import Events
from benchmarks.records.base import JsonObject

TEXTS = ("content", "thinking")


def assembled_ollama(found: Events) -> Assembled:
    """The answer that objects add up to; cut short when none of them says it is done."""
    body: JsonObject = {}
    texts: dict[str, list[str]] = {key: [] for key in TEXTS}
    calls: list[Any] = []
    for event in found.events:
        value = event.value if isinstance(event.value, dict) else {}
        body |= value
        message = value.get("message")
        message = message if isinstance(message, dict) else {}
        for key in TEXTS:
            if isinstance(message.get(key), str):
                texts[key].append(message[key])
        calls += objects(message.get("tool_calls"))
    joined = {key: "".join(pieces) for key, pieces in texts.items() if any(pieces)}
    said: JsonObject = {"role": "assistant", "content": "", **joined}
    if calls:
        said["tool_calls"] = calls
    return Assembled(
        {**body, "message": said},
        truncated=found.broken or body.get("done") is not True,
        error=found.failure,
    )
