"""Records to readings: each classed by its content, its secrets taken out, then read."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from benchmarks.intake.dialect import Piece, RecordDialect
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.redact import Redactor
from benchmarks.intake.sources.parsing import Parser
from benchmarks.intake.table import WIRES
from benchmarks.intake.wires.envelope import (
    RAW_RESPONSE_KEYS,
    REQUEST_KEYS,
    RESPONSE_KEYS,
    UPSTREAM_KEYS,
    Pair,
    address_of,
    frame_of,
    is_envelope,
    is_known_version,
    pair_of,
)
from benchmarks.intake.wires.wire import wire_of
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Conversation, Text

BODY_KEYS = frozenset({*REQUEST_KEYS, *RESPONSE_KEYS, *RAW_RESPONSE_KEYS, *UPSTREAM_KEYS})
MAX_TURNS = 20_000
MASKED = re.compile(r"\s*(?:\[(?:redacted|sanitized)[^\]]*\]|redacted input)\s*", re.IGNORECASE)
OUR_MARK = re.compile(r"\[redacted:[a-z_]+\]")


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a captured call is, and what was made of it."""

    dialect: str | None
    """None for what is no call of a model."""
    result: Reading | Refused


def read_call(record: JsonObject, parser: Parser, redactor: Redactor | None) -> Recognised:
    """The conversation of one envelope or bare pair."""
    if is_envelope(record) and not is_known_version(record):
        detail = f"schema_version {record['schema_version']!r}"
        return Recognised("envelope", Refused(Reason.UNSUPPORTED_VERSION, detail))
    pair = pair_of(record, parser)
    wire = wire_of(pair, WIRES)
    if wire is None:
        return Recognised(None, Refused(Reason.NOT_A_CAPTURE, _other_call(pair)))
    if pair.stream is not None:
        assembled = wire.assembled(pair.stream)
        pair = replace(
            pair,
            response=assembled.body,
            truncated=assembled.truncated,
            error=assembled.error,
        )
    # Secrets go out of what was assembled: one may be split over two chunks.
    clean = _clean(pair, redactor) if redactor else pair
    return Recognised(wire.name, accepted(wire.read(clean, frame_of(clean))))


def read_record(dialect: RecordDialect, clean: object) -> list[Piece]:
    """The conversations of one record whose secrets are out."""
    return checked(dialect.read(clean))


def checked(pieces: Iterable[Piece]) -> list[Piece]:
    """The pieces, those refused that no dialect has to look at by itself."""
    return [replace(piece, result=accepted(piece.result)) for piece in pieces]


def accepted(result: Reading | Refused) -> Reading | Refused:
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


def _clean(pair: Pair, redactor: Redactor) -> Pair:
    """The call without secrets, in its bodies and in what stands around them."""
    around = {key: value for key, value in pair.record.items() if key not in BODY_KEYS}
    found = [pair.request, pair.response, pair.upstream_request, around, pair.error]
    clean = redactor.clean(found)
    return replace(
        pair,
        request=clean[0],
        response=clean[1],
        upstream_request=clean[2],
        record={**pair.record, **clean[3]},
        error=clean[4],
    )


def _other_call(pair: Pair) -> str:
    """What a call was that was no call of a model."""
    address = address_of(pair.url)
    where = f"{address.hostname or ''}{address.path}"
    return f"no model call: {where}" if address.path else "no model call"


def _texts(conversation: Conversation) -> list[str]:
    parts = (part for turn in conversation.turns for part in turn.parts)
    return [part.text for part in parts if isinstance(part, Text)]
