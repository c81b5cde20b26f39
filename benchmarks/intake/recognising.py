"""One parsed record to a reading, or to the reason why there is none."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from benchmarks.intake.detect import detect, name_of_other
from benchmarks.intake.dialects import anthropic_messages, openai_chat, tau_bench
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.redact import Redactor
from benchmarks.intake.sources.parsing import Parser
from benchmarks.intake.wires.envelope import (
    RAW_RESPONSE_KEYS,
    REQUEST_KEYS,
    RESPONSE_KEYS,
    UPSTREAM_KEYS,
    Pair,
    frame_of,
    is_envelope,
    is_known_version,
    pair_of,
)
from benchmarks.intake.wires.wire import wire_of
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Conversation, Text

PAIR_READERS: dict[str, Callable[[Pair, Frame], Reading | Refused]] = {
    openai_chat.NAME: openai_chat.read,
    anthropic_messages.NAME: anthropic_messages.read,
}
FILE_READERS: dict[str, Callable[[JsonObject], Reading | Refused]] = {
    tau_bench.NAME: tau_bench.read,
}
"""Every dialect that is read here; the others that `detect` names are `unsupported_dialect`."""

BODY_KEYS = frozenset({*REQUEST_KEYS, *RESPONSE_KEYS, *RAW_RESPONSE_KEYS, *UPSTREAM_KEYS})
MAX_TURNS = 20_000
MASKED = re.compile(r"\s*(?:\[(?:redacted|sanitized)[^\]]*\]|redacted input)\s*", re.IGNORECASE)
OUR_MARK = re.compile(r"\[redacted:[a-z_]+\]")


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a record is, and what was made of it."""

    dialect: str | None
    """None for what is no capture."""
    result: Reading | Refused


def recognise(record: object, parser: Parser, redactor: Redactor | None) -> Recognised:
    """Class a record by its content, take the secrets out, and read it."""
    name = detect(record)
    if name is None or not isinstance(record, dict):
        if name is None:
            return Recognised(None, Refused(Reason.NOT_A_CAPTURE, name_of_other(record)))
        return Recognised(name, Refused(Reason.UNSUPPORTED_DIALECT, name))
    if name in {"envelope", "pair"}:
        return _recognise_pair(record, parser, redactor)
    reader = FILE_READERS.get(name)
    if reader is None:
        return Recognised(name, Refused(Reason.UNSUPPORTED_DIALECT, name))
    return Recognised(name, _accepted(reader(redactor.clean(record) if redactor else record)))


def _recognise_pair(record: JsonObject, parser: Parser, redactor: Redactor | None) -> Recognised:
    if is_envelope(record) and not is_known_version(record):
        detail = f"schema_version {record['schema_version']!r}"
        return Recognised("envelope", Refused(Reason.UNSUPPORTED_VERSION, detail))
    pair = pair_of(record, parser)
    dialect = wire_of(pair)
    if dialect is None:
        return Recognised(None, Refused(Reason.NOT_A_CAPTURE, _other_call(pair)))
    reader = PAIR_READERS.get(dialect)
    if reader is not None and not (pair.streamed and not pair.failed):
        clean = _clean(pair, redactor) if redactor else pair
        return Recognised(dialect, _accepted(reader(clean, frame_of(clean))))
    name = f"{dialect} (streamed)" if pair.streamed else dialect
    if pair.failed:
        return Recognised(dialect, Refused(Reason.FAILED_CALL, f"{name}, status {pair.status}"))
    return Recognised(dialect, Refused(Reason.UNSUPPORTED_DIALECT, name))


def _clean(pair: Pair, redactor: Redactor) -> Pair:
    """The call without secrets, in its bodies and in what stands around them."""
    around = {key: value for key, value in pair.record.items() if key not in BODY_KEYS}
    clean = redactor.clean([pair.request, pair.response, pair.upstream_request, around])
    return replace(
        pair,
        request=clean[0],
        response=clean[1],
        upstream_request=clean[2],
        record={**pair.record, **clean[3]},
    )


def _other_call(pair: Pair) -> str:
    """What a call was that was no call of a model."""
    address = urlsplit(pair.url)
    return f"no model call: {address.hostname}{address.path}" if pair.url else "no model call"


def _accepted(result: Reading | Refused) -> Reading | Refused:
    """The reading, unless it is endless, or somebody took every word out before it came here."""
    if isinstance(result, Refused):
        return result
    turns = len(result.conversation.turns)
    if turns > MAX_TURNS:
        return Refused(Reason.TOO_LONG, f"{turns} turns, at most {MAX_TURNS} are read")
    texts = _texts(result.conversation)
    if texts and all(MASKED.fullmatch(text) and not OUR_MARK.fullmatch(text) for text in texts):
        return Refused(Reason.CONTENT_MASKED, "every text is masked")
    return result


def _texts(conversation: Conversation) -> list[str]:
    parts = (part for turn in conversation.turns for part in turn.parts)
    return [part.text for part in parts if isinstance(part, Text)]
