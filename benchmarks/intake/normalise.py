"""A reading becomes a capture: ids, digests and fingerprints (spec/files.md 3.2, 6.1)."""

from typing import Any

from benchmarks.intake.reading import Reading
from benchmarks.intake.sources.found import Found
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Capture, Fingerprints, Source
from benchmarks.records.digest import json_digest, json_digests

CAPTURE_ID_CHARS = 24
CAPTURE_KEY_CHARS = 32


def capture_from(found: Found, reading: Reading, secrets: dict[str, int]) -> Capture:
    """The capture of one record."""
    frame = reading.frame
    capture_id = frame.capture_id or found.sha256[:CAPTURE_ID_CHARS]
    warnings = [*frame.warnings]
    if frame.captured_at is None:
        warnings.append("unknown_time")
    if frame.unread_time is not None:
        warnings.append("malformed_time")
    codes = (issue.code for issue in reading.conversation.issues)
    return Capture(
        capture_id=capture_id,
        capture_key=capture_key(capture_id, found.record_sha256),
        captured_at=frame.captured_at,
        source=Source(
            pointer=found.pointer,
            pointers=[found.pointer],
            sha256=found.sha256,
            record_sha256=found.record_sha256,
            local_path=found.local_path,
            content_sha256=found.content_sha256,
            identity=frame.identity,
        ),
        scope=frame.scope,
        routing=frame.routing,
        transport=frame.transport,
        request=reading.request,
        response=reading.response,
        trace=frame.trace,
        upstream_request=frame.upstream_request,
        warnings=list(dict.fromkeys([*warnings, *codes])),
        fingerprints=fingerprints(reading),
        conversation=reading.conversation,
        secrets=secrets or None,
    )


def capture_key(capture_id: str, record_sha256: str) -> str:
    """The same for the same record, in whatever file or layout it stands."""
    made_from = {"capture_id": capture_id, "record_sha256": record_sha256}
    return json_digest(made_from, parsed=True)[:CAPTURE_KEY_CHARS]


def fingerprints(reading: Reading) -> Fingerprints:
    """Digests of scope, system and first user turn; of each source message; of each tool."""
    request = reading.request
    messages = json_digests(request.messages)
    return Fingerprints(
        group=json_digest({
            "scope": reading.frame.scope.dump(),
            "system": request.system,
            "user": _first_user(reading),
        }),
        messages=messages,
        sequence=json_digest(messages, parsed=True),
        tools=json_digests(request.tools),
    )


def _first_user(reading: Reading) -> list[JsonObject] | None:
    for turn in reading.conversation.turns:
        if turn.role == "user":
            parts: list[Any] = [part.dump() for part in turn.parts]
            return parts
    return None
