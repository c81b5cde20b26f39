"""What a live journal says of one rollout, as the scorer sees it."""

from collections.abc import Iterable, Sequence

from benchmarks.artifacts.parsing import BadJson, parse_json
from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.records.base import JsonObject
from benchmarks.records.trajectory import JournalLine
from benchmarks.records.vocabulary import RowStatus, Termination

ENDED_WELL = frozenset({RowStatus.OK, RowStatus.UNSCORED})
"""Row statuses of rollouts that came to their own end."""


def observed_from_journal(lines: Sequence[JournalLine]) -> Observed:
    """The calls and words so far; the lines are of one attempt, in file order.

    Each line is a turn of its own, so that words and calls keep their order. A rollout is finished
    once its last word or its end is told.
    """
    calls: list[ObservedCall] = []
    texts: list[tuple[int, str]] = []
    results = _results(lines)
    final: str | None = None
    for place, line in enumerate(lines):
        said = line.dump()
        content = said.get("content")
        if line.kind == "call":
            calls.append(_call(said, place, results))
        elif line.kind == "assistant" and isinstance(content, str) and content.strip():
            texts.append((place, content))
        elif line.kind == "final_response" and isinstance(content, str):
            final = content
            if content.strip() and (not texts or texts[-1][1] != content):
                texts.append((place, content))
    return Observed(
        calls=tuple(calls),
        texts=tuple(text for _, text in texts),
        final_response=final,
        termination=_termination(lines, final),
        text_turns=tuple(turn for turn, _ in texts),
    )


def _results(lines: Iterable[JournalLine]) -> dict[str, object]:
    """What each call was answered, by its id."""
    told = (line.dump() for line in lines if line.kind == "result")
    return {str(said["call_id"]): said.get("content") for said in told if "call_id" in said}


def _call(said: JsonObject, place: int, results: dict[str, object]) -> ObservedCall:
    arguments, raw = arguments_told(said.get("arguments"))
    call_id = said.get("call_id")
    return ObservedCall(
        tool=str(said.get("tool") or ""),
        arguments=arguments,
        arguments_raw=raw,
        status="ok" if said.get("status") in {None, "ok"} else "error",
        result=results.get(str(call_id)),
        call_id=str(call_id) if call_id is not None else None,
        turn=place,
    )


def arguments_told(told: object) -> tuple[JsonObject | None, str | None]:
    """The arguments of a call as a line tells them: JSON text, or an object in an older file.

    The object, else None and the text as it stands.
    """
    if isinstance(told, dict):
        return told, None
    text = told if isinstance(told, str) else ""
    try:
        value = parse_json(text.encode("utf-8", "replace")).value
    except BadJson:
        return None, text
    return (value, None) if isinstance(value, dict) else (None, text)


def _termination(lines: Sequence[JournalLine], final: str | None) -> Termination:
    ends = [line.dump().get("status") for line in lines if line.kind == "rollout_end"]
    if final is not None or (ends and ends[-1] in ENDED_WELL):
        return Termination.FINISHED
    return Termination.ERROR if ends else Termination.MAX_TURNS
