"""Pi: the entries of one session, a tree by their parents; messages among notes of the program."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.drafting.draft import Draft, ResultFound
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.loose_parts import loose_pieces, result_parts
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import id_text, one_object, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.inclusive_usage import inclusive_usage
from benchmarks.intake.wires.usage import UsageRead
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.times import stamp

NAME = "pi"
ENTRIES = frozenset({
    "message", "model_change", "thinking_level_change", "compaction", "branch_summary", "custom",
    "custom_message", "label", "session_info",
})  # fmt: skip
COUNTS = {
    "input_tokens": ("input",),
    "output_tokens": ("output",),
    "cache_read_tokens": ("cacheRead",),
    "cache_write_tokens": ("cacheWrite",),
}
FAILED = ("error", "aborted")


class Pi(GroupDialect):
    """The entries of one file."""

    name = NAME
    lacks = "type, parentId and message"

    def detect(self, record: Any) -> bool:
        """Whether a record is one entry, or the head of a session."""
        if not isinstance(record, dict):
            return False
        kind = word(record.get("type"))
        if kind == "session":
            return "cwd" in record and "version" in record and "id" in record
        if kind not in ENTRIES or "parentId" not in record or "id" not in record:
            return False
        return kind != "message" or word(one_object(record.get("message")).get("role")) is not None

    def keys(self, found: Found) -> Iterable[str]:
        """The file: only its head names the session."""
        return [found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation that the last entry ends; what was left aside is none of it."""
        entries = [found.record for found in records]
        head: JsonObject = next((one for one in entries if one.get("type") == "session"), {})
        return [Piece(_reading(_branch(entries), head))]


def _branch(entries: Sequence[JsonObject]) -> list[tuple[int, JsonObject]]:
    """The entries from the first to the last message along the parents."""
    placed = {id_text(one.get("id")): (at, one) for at, one in enumerate(entries)}
    last = next((one for one in reversed(entries) if one.get("type") == "message"), None)
    found: list[tuple[int, JsonObject]] = []
    seen: set[str] = set()
    name = id_text(last.get("id")) if last is not None else None
    while name is not None and name in placed and name not in seen:
        seen.add(name)
        found.append(placed[name])
        name = id_text(placed[name][1].get("parentId"))
    return found[::-1]


def _reading(entries: Iterable[tuple[int, JsonObject]], head: JsonObject) -> Reading | Refused:
    draft = Draft()
    failed, provider, model = "", None, None
    for at, entry in entries:
        message = one_object(entry.get("message"))
        if entry.get("type") != "message":
            continue
        _add(draft, message, at, _moment(entry))
        if message.get("role") == "assistant":
            provider, model = word(message.get("provider")), word(message.get("model")) or model
            is_broken = message.get("stopReason") in FAILED
            failed = (word(message.get("errorMessage")) or "aborted") if is_broken else ""
    if not draft.turns:
        return Refused(Reason.NO_MESSAGES, "a session without a message")
    draft.close()
    frame = Frame(
        identity=Identity(session_id=id_text(head.get("id"))),
        routing=Routing(provider=provider, requested_model=model, upstream_model=model),
        captured_at=_moment(head) or next((turn.at for turn in draft.turns if turn.at), None),
    )
    end = end_of(draft.turns, failed=failed)
    return session_reading(draft, frame, SessionParts(NAME, end=end))


def _add(draft: Draft, message: JsonObject, at: int, moment: str | None) -> None:
    role = word(message.get("role"))
    about: dict[str, Any] = {"source_index": at, "at": moment}
    if role == "toolResult":
        parts = result_parts(draft, message.get("content"))
        failed = True if message.get("isError") is True else None
        raw_id, name = id_text(message.get("toolCallId")), word(message.get("toolName"))
        draft.add("tool", [ResultFound(raw_id, name, parts, failed=failed)], **about)
        return
    pieces = loose_pieces(draft, message.get("content"))
    if role == "user" and pieces:
        draft.add("user", pieces, **about)
    elif role == "assistant":
        usage = _usage(one_object(message.get("usage"))).usage
        more = {"usage": usage, "model": word(message.get("model"))}
        about |= {name: value for name, value in more.items() if value is not None}
        if pieces or usage is not None:
            draft.add("assistant", pieces, **about)


def _usage(found: Mapping[str, Any]) -> UsageRead:
    """What an answer cost: its input is told without what was cached."""
    read = inclusive_usage(found, COUNTS, cost=one_object(found.get("cost")).get("total"))
    usage = read.usage
    if usage is None or usage.input_tokens is None:
        return read
    cached = (usage.cache_read_tokens or 0) + (usage.cache_write_tokens or 0)
    return UsageRead(usage.with_(input_tokens=usage.input_tokens + cached))


def _moment(entry: Mapping[str, Any]) -> str | None:
    moment = read_moment(entry.get("timestamp"))
    return stamp(moment) if moment else None
