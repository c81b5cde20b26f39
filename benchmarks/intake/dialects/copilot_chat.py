"""Copilot's chat in an editor: a session as it is exported or kept, its requests in order.

The rounds of calls behind one request stand in the metadata of its result; without them the words
that were shown are the answer.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.intake.dialect import Piece, RecordDialect
from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.intake.drafting.draft import Piece as TurnPiece
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.loose_parts import result_parts
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.values import id_text, objects, one_object, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import JsonPart, Reasoning, ResultPart, Text
from benchmarks.records.times import stamp

NAME = "copilot_chat"


class CopilotChat(RecordDialect):
    """One session in one record."""

    name = NAME
    lacks = "requests[] and responderUsername"

    def detect(self, record: Any) -> bool:
        """Whether a record is a session with its requests."""
        if not isinstance(record, dict) or "responderUsername" not in record:
            return False
        return isinstance(record.get("requests"), list)

    def read(self, record: Any) -> Iterable[Piece]:
        """The one conversation of the record."""
        return [Piece(_reading(record))]


def _reading(session: JsonObject) -> Reading | Refused:
    draft = Draft()
    requests = objects(session["requests"])
    for position, request in enumerate(requests):
        _add(draft, request, position)
    if not draft.turns:
        return Refused(Reason.NO_MESSAGES, "a session without a request")
    draft.close()
    last = requests[-1]
    failed = word(one_object(_result(last).get("errorDetails")).get("message")) or ""
    model = _model(last)
    frame = Frame(
        identity=Identity(session_id=id_text(session.get("sessionId"))),
        routing=Routing(requested_model=model, upstream_model=model),
        captured_at=next((at for request in requests if (at := _moment(request))), None),
    )
    return session_reading(draft, frame, SessionParts(NAME, end=end_of(draft.turns, failed=failed)))


def _result(request: Mapping[str, Any]) -> JsonObject:
    return one_object(request.get("result"))


def _model(request: Mapping[str, Any]) -> str | None:
    return (word(request.get("modelId")) or "").rpartition("/")[2] or None


def _moment(request: Mapping[str, Any]) -> str | None:
    moment = read_moment(request.get("timestamp"))
    return stamp(moment) if moment else None


def _add(draft: Draft, request: JsonObject, position: int) -> None:
    """What a person asked, then round by round what was answered, called and handed back."""
    message = request.get("message")
    asked = word(one_object(message).get("text")) or word(message)
    if asked:
        draft.add("user", [Text(text=asked)], source_index=position, at=_moment(request))
    about: dict[str, Any] = {"source_index": position}
    model = _model(request)
    said = {**about, "model": model} if model else about
    metadata = one_object(_result(request).get("metadata"))
    rounds = objects(metadata.get("toolCallRounds"))
    returned = one_object(metadata.get("toolCallResults"))
    for one in rounds:
        pieces = _round(one)
        if pieces:
            draft.add("assistant", pieces, **said)
        results = _results(draft, pieces, returned)
        if results:
            draft.add("tool", results, **about)
    shown = "" if rounds else _shown(request.get("response"))
    if shown:
        draft.add("assistant", [Text(text=shown)], **said)


def _round(one: JsonObject) -> list[TurnPiece]:
    """What the model said and called in one round."""
    thinking = one.get("thinking")
    thought: Any = thinking.get("text") if isinstance(thinking, dict) else thinking
    parts = thought if isinstance(thought, list) else [thought]
    words = "".join(part for part in parts if isinstance(part, str))
    text = word(one.get("response"))
    pieces: list[TurnPiece] = [Reasoning(text=words)] if words else []
    pieces += [Text(text=text)] if text else []
    for call in objects(one.get("toolCalls")):
        pieces.append(
            CallFound(id_text(call.get("id")), word(call.get("name")), call.get("arguments"))
        )
    return pieces


def _results(
    draft: Draft, pieces: Iterable[TurnPiece], returned: Mapping[str, Any]
) -> list[ResultFound]:
    """What came back of the calls of one round."""
    calls = [piece for piece in pieces if isinstance(piece, CallFound)]
    return [
        ResultFound(call.raw_id, call.name, _parts(draft, returned[call.raw_id]))
        for call in calls
        if call.raw_id is not None and call.raw_id in returned
    ]


def _parts(draft: Draft, found: Any) -> list[ResultPart]:
    """The values of a result: texts as they are, others as values."""
    items = one_object(found).get("content")
    if not isinstance(items, list):
        return result_parts(draft, found)
    values = [one_object(item).get("value", item) for item in items]
    return [
        Text(text=value) if isinstance(value, str) else JsonPart(value=value)
        for value in values
        if value != ""
    ]


def _shown(response: Any) -> str:
    """The words of an answer as they were shown, without what the editor shows beside them."""
    parts = response if isinstance(response, list) else []
    texts = [one_object(part).get("value") for part in parts if "kind" not in one_object(part)]
    return "".join(text for text in texts if isinstance(text, str))
