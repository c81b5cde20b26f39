"""The steps of an ATIF trajectory as turns: message, calls and observation of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.intake.drafting.draft import CallFound, Draft, Piece, ResultFound, Role
from benchmarks.intake.drafting.media import UNKNOWN_MIME, data_url_media, encoded_media
from benchmarks.intake.values import id_text, objects, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.usage import UsageRead, chat_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import (
    JsonPart,
    Media,
    Reasoning,
    ResultPart,
    Text,
    UnknownPart,
)
from benchmarks.records.times import stamp

SOURCES: Mapping[str, Role] = {"user": "user", "agent": "assistant", "system": "system"}
ENVIRONMENT = "environment"
"""Who speaks in a turn that shows what came back without a call."""
REFERENCE = "subagent_trajectory_ref"
MEDIA = {"image": "image", "audio": "audio", "video": "video", "document": "file", "file": "file"}


@dataclass(frozen=True, slots=True)
class Started:
    """A reference to a helper's trajectory, and the call that it stands in the answer of."""

    ref: JsonObject
    turn: int | None
    """The turn that it stands in; None before the first."""
    call_id: str | None


def add_step(
    draft: Draft, step: JsonObject, *, source_index: int, is_history: bool
) -> list[Started]:
    """Append the turns of one step; the helpers that its observation names.

    What was copied from an earlier trajectory spent nothing here.
    """
    source = str(step.get("source"))
    role = SOURCES.get(source)
    if role is None:
        draft.add("tool", [UnknownPart(source_type=source, value=step)], source_index=source_index)
        return []
    results = _results(step)
    said = content_parts(draft, step.get("message"))
    pieces = _answered(step, said) if role == "assistant" else [*said]
    about = _about(step, source_index)
    if pieces or role == "assistant" or not results:
        if role == "assistant" and not is_history:
            about |= _spent(draft, step)
        draft.add(role, pieces, **about)
    return _observe(draft, step, results, source_index)


def _answered(step: Mapping[str, Any], said: Sequence[ResultPart]) -> list[Piece]:
    thought = word(step.get("reasoning_content"))
    pieces: list[Piece] = [Reasoning(text=thought)] if thought else []
    pieces += said
    for call in objects(step.get("tool_calls")):
        name = word(call.get("function_name")) or word(call.get("name"))
        pieces.append(CallFound(id_text(call.get("tool_call_id")), name, call.get("arguments")))
    return pieces


def _about(step: Mapping[str, Any], source_index: int) -> dict[str, Any]:
    moment = read_moment(step.get("timestamp"))
    found = {
        "source_index": source_index,
        "at": stamp(moment) if moment else None,
        "model": word(step.get("model_name")) if step.get("source") == "agent" else None,
    }
    return {key: value for key, value in found.items() if value is not None}


def _spent(draft: Draft, step: Mapping[str, Any]) -> dict[str, Any]:
    """The usage of a step; of several calls of a model where it says so."""
    read = step_usage(step.get("metrics"))
    if read.issue and read.issue != "missing_usage":
        draft.note(read.issue, len(draft.turns), None, read.detail)
    if read.usage is None:
        return {}
    calls = step.get("llm_call_count")
    several = type(calls) is int and calls > 1
    return {"usage": read.usage.with_(calls=calls) if several else read.usage}


def step_usage(metrics: Any) -> UsageRead:
    """Tokens of a step: the prompt's hold the cached ones."""
    if not isinstance(metrics, dict):
        return UsageRead(None, "missing_usage")
    extra = metrics["extra"] if isinstance(metrics.get("extra"), dict) else {}
    read = chat_usage({
        "prompt_tokens": metrics.get("prompt_tokens"),
        "completion_tokens": metrics.get("completion_tokens"),
        "prompt_tokens_details": {"cached_tokens": metrics.get("cached_tokens")},
        "completion_tokens_details": {"reasoning_tokens": extra.get("reasoning_tokens")},
        "cost": metrics.get("cost_usd"),
    })
    written = extra.get("cache_creation_input_tokens")
    if read.usage is None or type(written) is not int or written < 0:
        return read
    return UsageRead(read.usage.with_(cache_write_tokens=written), read.issue, read.detail)


def _results(step: Mapping[str, Any]) -> list[JsonObject]:
    observation = step.get("observation")
    if isinstance(observation, dict):
        return objects(observation.get("results"))
    return [{"content": observation}] if observation else []


def _observe(
    draft: Draft, step: Mapping[str, Any], results: list[JsonObject], source_index: int
) -> list[Started]:
    """What came back: results of calls in one turn, then what answers no call in another."""
    answers: list[Piece] = []
    loose: list[Piece] = []
    refs: list[tuple[JsonObject, str | None]] = []
    owners = _owners(step, results)
    for result, owner in zip(results, owners, strict=True):
        parts = content_parts(draft, result.get("content"))
        if owner is not None:
            answers.append(ResultFound(owner.raw_id, owner.name, parts))
        elif parts:
            loose += parts
        refs += [(ref, owner.raw_id if owner else None) for ref in _references(result)]
    if answers:
        draft.add("tool", answers, source_index=source_index)
    if loose:
        draft.add("tool", loose, source_index=source_index, name=ENVIRONMENT)
    turn = draft.turns[-1].index if draft.turns else None
    return [Started(ref, turn, call_id) for ref, call_id in refs]


@dataclass(frozen=True, slots=True)
class _Owner:
    """The call that a result belongs to."""

    raw_id: str | None
    name: str | None


def _owners(step: Mapping[str, Any], results: list[JsonObject]) -> list[_Owner | None]:
    """For each result its call: the one it names, else the step's only open call."""
    calls = objects(step.get("tool_calls"))
    named = [id_text(result.get("source_call_id")) for result in results]
    waiting = list(named)
    rest = []
    for call in calls:
        call_id = id_text(call.get("tool_call_id"))
        if call_id is not None and call_id in waiting:
            waiting.remove(call_id)
        else:
            rest.append(_Owner(call_id, word(call.get("function_name"))))
    owners: list[_Owner | None] = []
    for raw_id in named:
        if raw_id is not None:
            owners.append(_Owner(raw_id, None))
        else:
            owners.append(rest.pop() if len(rest) == 1 else None)
    return owners


def references(step: Mapping[str, Any]) -> list[JsonObject]:
    """The references to helpers in what came back."""
    return [ref for result in _results(step) for ref in _references(result)]


def _references(result: Mapping[str, Any]) -> list[JsonObject]:
    found = result.get(REFERENCE)
    if isinstance(found, dict):
        return [found]
    if isinstance(found, str) and found:
        return [{"trajectory_path": found}]
    return objects(found)


def content_parts(draft: Draft, content: Any) -> list[ResultPart]:
    """A text, a list of parts, or any other value."""
    if content is None or content == "":
        return []
    if isinstance(content, str):
        return [Text(text=content)]
    if isinstance(content, list):
        return [_part(draft, item) for item in content]
    return [JsonPart(value=content)]


def _part(draft: Draft, item: Any) -> ResultPart:
    if isinstance(item, str):
        return Text(text=item)
    if not isinstance(item, dict):
        return JsonPart(value=item)
    if isinstance(item.get("text"), str):
        return Text(text=item["text"])
    kind = str(item.get("type"))
    return _media(draft, kind, item) or UnknownPart(source_type=kind, value=item)


def _media(draft: Draft, kind: str, item: Mapping[str, Any]) -> Media | None:
    source = item.get("source")
    if kind not in MEDIA or not isinstance(source, dict):
        return None
    mime = word(source.get("media_type")) or UNKNOWN_MIME
    path = word(source.get("path")) or word(source.get("url"))
    if path is not None and path.startswith("data:"):
        return data_url_media(draft.blobs, MEDIA[kind], path)
    if path is not None:
        return Media(media=MEDIA[kind], mime=mime, uri=path)
    data = word(source.get("data"))
    return encoded_media(draft.blobs, MEDIA[kind], mime, data) if data else None
