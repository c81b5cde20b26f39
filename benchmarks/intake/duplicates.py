"""One record met twice is one capture with two pointers (spec/build.md 1.8)."""

from collections.abc import Set

from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Conversation
from benchmarks.records.digest import json_digest


class Duplicates:
    """The captures so far, in order; a record met again is merged into its first."""

    def __init__(self, known: Set[str]) -> None:
        self.captures: list[Capture] = []
        self.merged = 0
        """Records that gave no capture of their own."""
        self._known = known
        self._by_record: dict[str, int] = {}
        self._by_answer: dict[str, int] = {}

    def add(self, capture: Capture, response_id: str | None) -> None:
        """Take a capture in: as a new one, into an earlier one, or as known from before."""
        record = capture.source.record_sha256 or capture.source.sha256
        if self._known & {record, capture.source.sha256}:
            self.merged += 1
            return
        answer = _answer_key(capture, response_id)
        at = self._by_record.get(record)
        if at is None and answer is not None:
            at = self._by_answer.get(answer)
        if at is None:
            at = len(self.captures)
            self.captures.append(capture)
        else:
            self.captures[at] = merged(self.captures[at], capture)
            self.merged += 1
        self._by_record.setdefault(record, at)
        if answer is not None:
            self._by_answer.setdefault(answer, at)


def _answer_key(capture: Capture, response_id: str | None) -> str | None:
    """An answer's own id with what it said: recorded tests use one id for many answers."""
    if response_id is None:
        return None
    conversation = capture.conversation
    said = [turn.dump()["parts"] for turn in conversation.turns if turn.origin == "response"]
    return json_digest([conversation.dialect, response_id, said])


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
