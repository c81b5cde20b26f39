"""One record met twice is one capture with two pointers (spec/build.md 1.8)."""

from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Conversation


def merged(first: Capture, again: Capture) -> Capture:
    """The first capture with the fuller conversation of the two, and what it lacked itself."""
    fuller = again if _parts(again) > _parts(first) else first
    other = first if fuller is again else again
    conversation = fuller.conversation
    if conversation.usage is None and other.conversation.usage is not None:
        conversation = conversation.with_(usage=other.conversation.usage)
    pointers = [*first.source.pointers, *again.source.pointers]
    transport = first.transport
    if transport.latency_ms is None:
        transport = transport.with_(latency_ms=again.transport.latency_ms)
    moment = first.captured_at or again.captured_at
    warnings = [code for code in fuller.warnings if code != "unknown_time" or moment is None]
    return first.with_(
        captured_at=moment,
        source=first.source.with_(pointers=list(dict.fromkeys(pointers))),
        transport=transport,
        conversation=conversation,
        request=fuller.request,
        response=fuller.response,
        fingerprints=fuller.fingerprints,
        warnings=warnings,
        secrets=fuller.secrets,
    )


def _parts(capture: Capture) -> int:
    conversation: Conversation = capture.conversation
    return sum(len(turn.parts) for turn in conversation.turns) + len(conversation.tools)
