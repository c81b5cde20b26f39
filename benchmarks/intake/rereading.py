"""A text that a dialect joined out of pieces is looked through for secrets once more.

Secrets go out of a record before it is read. One that was split over two pieces cannot be seen
there, and no more can one that only its name gives away, where words are taken apart into values.
"""

import re
from dataclasses import replace

import orjson

from benchmarks.intake.reading import Reading
from benchmarks.intake.redact import Redactor
from benchmarks.records.base import JsonObject, Record
from benchmarks.records.capture import CaptureRequest, CaptureResponse
from benchmarks.records.conversation import Conversation

PUT_TOGETHER = frozenset({"langsmith", "copilot_chat", "gemini_stream"})
"""Dialects that join the pieces of a text out of a record."""
REST = re.compile(rb"(\[redacted:[a-z_]+\])[A-Za-z0-9_-]+")
"""The end of a secret whose beginning was enough to know it by."""


def looked_through_again(reading: Reading, redactor: Redactor) -> Reading:
    """The reading without the secrets that its pieces make together; other readings stay."""
    if not reading.taken_apart and reading.conversation.dialect not in PUT_TOGETHER:
        return reading
    chat = Redactor()
    return replace(
        reading,
        conversation=Conversation.read(_clean(reading.conversation, redactor)),
        request=CaptureRequest.read(_clean(reading.request, chat)),
        response=CaptureResponse.read(_clean(reading.response, chat)),
    )


def _clean(record: Record, redactor: Redactor) -> JsonObject:
    found = redactor.clean(record.dump())
    whole: JsonObject = orjson.loads(REST.sub(rb"\1", orjson.dumps(found)))
    return whole
