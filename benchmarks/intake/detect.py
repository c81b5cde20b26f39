"""The table of everything that is recognised, in the order in which it is tried.

Every record is classed by itself, by content, so one file may mix dialects. A name without a
reader is `unsupported_dialect`: recognised, not readable by this version, never a loss. A later
reader is added to `ingest.READERS`; its mark is here already.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.intake.dialects import tau_bench
from benchmarks.intake.wires.envelope import is_envelope, is_pair

Test = Callable[[Mapping[str, Any]], bool]


@dataclass(frozen=True, slots=True)
class Mark:
    """A name, and what gives it away in a record."""

    name: str
    test: Test
    lacks: str
    """What a near miss lacks, for the report when nothing was recognised."""


def has(*keys: str) -> Test:
    """Whether a record has all of the keys."""
    wanted = frozenset(keys)
    return lambda record: wanted <= record.keys()


def has_list(key: str, *also: str) -> Test:
    """Whether a record has a list under `key`, and all of the other keys."""
    wanted = frozenset(also)
    return lambda record: isinstance(record.get(key), list) and wanted <= record.keys()


def any_of(*tests: Test) -> Test:
    """Whether one of the tests holds."""
    return lambda record: any(test(record) for test in tests)


def _is_reference(record: Mapping[str, Any]) -> bool:
    return str(record.get("schema_version", "")).startswith("understudy.normalized_capture.")


def _is_har(record: Mapping[str, Any]) -> bool:
    log = record.get("log")
    return isinstance(log, dict) and isinstance(log.get("entries"), list)


def _is_batch(record: Mapping[str, Any]) -> bool:
    if "custom_id" not in record:
        return False
    response = record.get("response")
    return {"method", "url", "body"} <= record.keys() or (
        isinstance(response, dict) and "body" in response
    )


def _is_atif(record: Mapping[str, Any]) -> bool:
    return str(record.get("schema_version", "")).startswith("ATIF-")


def _is_claude_code(record: Mapping[str, Any]) -> bool:
    kinds = {"user", "assistant", "system", "summary", "tool_result"}
    if "sessionId" in record and "uuid" in record:
        return record.get("type") in kinds or "message" in record
    return "direction" in record and isinstance(record.get("message"), dict)


def _is_codex(record: Mapping[str, Any]) -> bool:
    kinds = {"session_meta", "turn_context", "response_item", "event_msg", "compacted"}
    return "payload" in record and record.get("type") in kinds


def _is_managed_event(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    starts = ("user.message", "user.custom_tool", "agent.", "session.", "span.model_request_")
    return isinstance(kind, str) and kind.startswith(starts)


def _is_openhands(record: Mapping[str, Any]) -> bool:
    if "source" in record and ("action" in record or "observation" in record) and "id" in record:
        return True
    history = record.get("history")
    return (
        isinstance(history, list)
        and bool(history)
        and isinstance(history[0], dict)
        and ("action" in history[0] or "observation" in history[0])
        and "source" in history[0]
    )


def _is_swe_agent(record: Mapping[str, Any]) -> bool:
    if "trajectory_format" in record:
        return True
    info = record.get("info")
    is_run = isinstance(record.get("history"), list) or isinstance(record.get("trajectory"), list)
    return is_run and (isinstance(info, dict) or "environment" in record)


def _is_langfuse(record: Mapping[str, Any]) -> bool:
    kinds = {"GENERATION", "SPAN", "TOOL", "AGENT", "EVENT"}
    if isinstance(record.get("observations"), list):
        return True
    return "traceId" in record and record.get("type") in kinds


def _is_langsmith(record: Mapping[str, Any]) -> bool:
    if "run_type" in record and ("inputs" in record or "dotted_order" in record):
        return True
    return isinstance(record.get("post"), list) and isinstance(record.get("patch"), list)


def _is_otel_span(record: Mapping[str, Any]) -> bool:
    if isinstance(record.get("attributes"), dict | list):
        return bool(record.keys() & {"name", "spanContext", "context", "span_kind"})
    starts = ("gen_ai.", "llm.", "openinference.", "traceloop.", "ai.operationId")
    if any(key.startswith(starts) for key in record):
        return True
    return bool(record) and all(_is_span_list(value) for value in record.values())


def _is_span_list(value: Any) -> bool:
    """Whether a value is a list of spans, as in a dump by operation."""
    return (
        isinstance(value, list)
        and bool(value)
        and isinstance(value[0], dict)
        and "attributes" in value[0]
    )


def _is_messages(record: Mapping[str, Any]) -> bool:
    return any(
        isinstance(record.get(key), list) and is_message_list(record[key])
        for key in ("messages", "conversations", "history", "chat_history")
    )


def is_message_list(items: list[Any]) -> bool:
    """Whether a list holds messages of a conversation."""
    return bool(items) and all(
        isinstance(item, dict)
        and bool(item.keys() & {"role", "from", "type"})
        and bool(item.keys() & {"content", "value", "text", "parts", "tool_calls"})
        for item in items
    )


CONTAINERS = (
    Mark("har", _is_har, "log.entries"),
    Mark("cassette", has_list("interactions"), "interactions[]"),
    Mark("nock", has("scope", "path", "response"), "scope, path and response"),
    Mark("batch", _is_batch, "custom_id with a body"),
)
OWN = (Mark("reference", _is_reference, "schema_version understudy.normalized_capture.v1"),)
ENVELOPES = (Mark("envelope", is_envelope, "request_id, schema_version, a request and a response"),)
CONVERSATIONS = (
    Mark("atif", _is_atif, "schema_version ATIF-"),
    Mark(tau_bench.NAME, tau_bench.detect, "a list traj beside task_id"),
    Mark(
        "tau2",
        any_of(has_list("simulations", "tasks"), has("messages", "termination_reason")),
        "simulations[] and tasks[]",
    ),
    Mark("claude_code", _is_claude_code, "sessionId and uuid"),
    Mark("codex", _is_codex, "type and payload"),
    Mark("gemini_cli", has("sessionId", "projectHash"), "sessionId and projectHash"),
    Mark("openhands", _is_openhands, "source and action or observation"),
    Mark("swe_agent", _is_swe_agent, "history or trajectory, and info"),
    Mark("inspect", has("version", "eval", "plan"), "version, eval and plan"),
    Mark("verifiers", has("prompt", "completion", "example_id"), "prompt, completion, example_id"),
    Mark("deepeval", any_of(has("llmSpans"), has("agentSpans")), "llmSpans or agentSpans"),
    Mark("anthropic_managed", _is_managed_event, "an event type such as agent.message"),
)
SPANS = (
    Mark(
        "otlp",
        any_of(has("resourceSpans"), has("resource_spans"), has("resourceLogs")),
        "resourceSpans",
    ),
    Mark("langfuse", _is_langfuse, "observations[]"),
    Mark("langsmith", _is_langsmith, "run_type and inputs"),
    Mark("otel_spans", _is_otel_span, "attributes with a name or a span context"),
)
PAIRS = (Mark("pair", is_pair, "a request and a response"),)
MESSAGES = (Mark("messages", _is_messages, "messages[] of role and content"),)
TABLE: tuple[Mark, ...] = OWN + CONTAINERS + ENVELOPES + CONVERSATIONS + SPANS + PAIRS + MESSAGES

NOT_CAPTURES = (
    Mark("a table of counts", has("captureDate", "attributeSummary"), ""),
    Mark("a list of predictions", has("instance_id", "model_patch"), ""),
    Mark("a terminal recording", has("version", "width", "height"), ""),
    Mark("a chat-application export", has("mapping", "current_node"), ""),
    Mark("task definitions", any_of(has("user_scenario"), has("evaluation_criteria")), ""),
    Mark("a result table", any_of(has("leaderboard"), has("metrics", "model")), ""),
)


def detect(record: Any) -> str | None:
    """The name of what a record is; None for what no mark fits."""
    if isinstance(record, list):
        return _detect_list(record)
    return next((mark.name for mark in TABLE if mark.test(record)), None)


def name_of_other(record: Any) -> str:
    """What a record that is no capture looks like, so that nobody wonders."""
    if not isinstance(record, dict):
        return "a list"
    known = next((mark.name for mark in NOT_CAPTURES if mark.test(record)), None)
    return known or f"an object with {', '.join(sorted(record)[:5]) or 'no key'}"


def _detect_list(record: list[Any]) -> str | None:
    if is_message_list(record):
        return "messages"
    first = record[0] if record else None
    return "anthropic_managed" if str(first).startswith("client.beta.sessions") else None


def nearest(record: Any) -> tuple[str, str] | None:
    """The pair dialect that a record comes closest to, and the mark it lacks."""
    if not isinstance(record, dict):
        return None
    if "messages" in record:
        return "openai.chat", "a response beside the request"
    for mark in TABLE:
        wanted = [word.strip(",.[]") for word in mark.lacks.split()]
        if any(word in record for word in wanted):
            return mark.name, mark.lacks
    return None
