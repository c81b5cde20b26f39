"""Batch lines: what was asked in one file, what came back in another, joined by `custom_id`.

Either `{custom_id, method, url, body}` and `{custom_id, response: {status_code, body}, error}`, or
`{custom_id, params}` and `{custom_id, result: {type, message}}`.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.intake.dialect import Entry, JoinedPairs
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import id_text, word
from benchmarks.records.base import JsonObject

ASKED = frozenset({"method", "url", "body"})
UNSENT_STATUS = 500
"""What stands for the status of a call that a batch could not make."""
MESSAGES_PATH = "/v1/messages"
"""Where the requests go whose lines name no address."""


class Batch(JoinedPairs):
    """Requests and answers of one batch, or of several that use an id again."""

    name = "batch"
    lacks = "custom_id with a body"

    def detect(self, record: Any) -> bool:
        """Whether a record is one half of a call, or both."""
        if not isinstance(record, dict) or "custom_id" not in record:
            return False
        # With an answer of another form beside it, a request is a captured call like any other.
        alone = not isinstance(record.get("response"), dict)
        return _is_answer(record) or (alone and _is_request(record))

    def key(self, found: Found) -> str:
        """The id that whoever made the batch gave the call."""
        return id_text(found.record["custom_id"]) or ""

    def joined(self, records: Sequence[Found]) -> Iterable[Entry]:
        """Every call; a half without its other half is a call without request or answer.

        An id that is used again is a new call: the first answer is that of the first request, and
        so on. Further answers are of the last request, sent again.
        """
        placed = list(enumerate(records))
        whole = [_whole(line) for line in placed if _is_whole(line[1].record)]
        halves = [line for line in placed if not _is_whole(line[1].record)]
        if halves and not self.key(halves[0][1]):
            return [*whole, *map(_nameless, halves)]
        asked = _distinct([half for half in halves if _is_request(half[1].record)])
        came = _distinct([half for half in halves if not _is_request(half[1].record)])
        calls = [_call(asked, came, number) for number in range(max(len(asked), len(came)))]
        return [*calls, *whole, *_repeated(halves, asked, came)]


Half = tuple[int, Found]
"""A line that holds one side of a call, and its place."""


def _whole(line: Half) -> Entry:
    at, found = line
    return Entry(_pair(found.record, found.record), str(at))


def _nameless(half: Half) -> Entry:
    """A half that nobody can say the other half of."""
    at, found = half
    return Entry(found.record, str(at), Refused(Reason.MISSING_IDS, "no custom_id"))


def _distinct(halves: Sequence[Half]) -> list[Half]:
    """The lines without those that say again what an earlier one said."""
    by_digest: dict[str, Half] = {}
    for half in halves:
        by_digest.setdefault(half[1].record_sha256, half)
    return list(by_digest.values())


def _call(asked: Sequence[Half], came: Sequence[Half], number: int) -> Entry:
    request = asked[min(number, len(asked) - 1)] if asked else None
    answer = came[number] if number < len(came) else None
    start = asked[number] if number < len(asked) else came[number]
    return Entry(
        _pair(request[1].record if request else {}, answer[1].record if answer else {}),
        str(start[0]),
    )


def _repeated(
    halves: Sequence[Half], asked: Sequence[Half], came: Sequence[Half]
) -> Iterable[Entry]:
    """The calls whose request (where there is none, whose answer) stands there once more."""
    starts = asked or came
    numbers = {half[1].record_sha256: number for number, half in enumerate(starts)}
    places = {half[0] for half in starts}
    for at, found in halves:
        number = numbers.get(found.record_sha256)
        if number is not None and at not in places:
            yield Entry(_call(asked, came, number).record, str(at))


def _pair(request: JsonObject, answer: JsonObject) -> JsonObject:
    """The two halves as a captured call."""
    body = request.get("body", request.get("params"))
    custom_id = id_text(request.get("custom_id", answer.get("custom_id")))
    url = word(request.get("url")) or (MESSAGES_PATH if "params" in request else "")
    return {
        "id": custom_id,
        "url": url,
        "method": word(request.get("method")) or "POST",
        "request": body,
        **_response(answer),
    }


def _response(answer: JsonObject) -> JsonObject:
    """Status and body of an answer; one that a batch never got is a failed call."""
    response, result = answer.get("response"), answer.get("result")
    if isinstance(response, dict) and response.get("body"):
        return {"status": response.get("status_code"), "response": response["body"]}
    if isinstance(result, dict):
        if isinstance(result.get("message"), dict):
            return {"status": None, "response": result["message"]}
        error = result.get("error") or {"error": {"message": str(result.get("type"))}}
        return {"status": UNSENT_STATUS, "response": error}
    if isinstance(answer.get("error"), dict):
        return {"status": UNSENT_STATUS, "response": {"error": answer["error"]}}
    return {"status": None, "response": None}


def _is_whole(record: JsonObject) -> bool:
    return _is_request(record) and _is_answer(record)


def _is_request(record: JsonObject) -> bool:
    return record.keys() >= ASKED or isinstance(record.get("params"), dict)


def _is_answer(record: JsonObject) -> bool:
    response, result = record.get("response"), record.get("result")
    if isinstance(response, dict):
        return "body" in response
    if isinstance(result, dict):
        return "type" in result
    return "response" in record and isinstance(record.get("error"), dict)
