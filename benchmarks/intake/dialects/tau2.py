"""tau2 simulations: one conversation each; the calls that the user makes are the user's own.

What the user does with tools of its own is kept, and is neither the agent's call nor said to it.
A simulation by voice, an index of results and task definitions hold no conversation.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.intake.dialect import Piece, RecordDialect
from benchmarks.intake.drafting.chat import add_message
from benchmarks.intake.drafting.draft import Draft, ResultFound
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.media import encoded_media
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.values import id_text, number, objects, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.tools import chat_tools
from benchmarks.intake.wires.usage import chat_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import End, Outcome, Stop, Text, Tool, UnknownPart
from benchmarks.records.times import stamp

NAME = "tau2"
MARKER = re.compile(r"###[A-Z][A-Z -]*###")
"""How the user's side says that it is done; whatever stands after it was not said."""
USER_STOPPED = "user_stop"
LIMITS = frozenset({"max_steps", "timeout", "too_many_errors", "context_window_exceeded"})
ERROR = "error"
USER_CALL, USER_RESULT = "user_tool_call", "user_tool_result"
BY_USER = "user"


class Tau2(RecordDialect):
    """A run of many simulations, or one simulation."""

    name = NAME
    lacks = "simulations[] and tasks[], or messages[] and termination_reason"

    def detect(self, record: Any) -> bool:
        """Whether a record is a run or a simulation."""
        return isinstance(record, dict) and (_is_run(record) or _is_simulation(record))

    def read(self, record: Any) -> Iterable[Piece]:
        """The conversation of every simulation."""
        if _is_simulation(record):
            return [Piece(_read(record, {}))]
        info = _inner(record, "info")
        simulations = record.get("simulations")
        found = [
            Piece(_read(simulation, info), within=f"/simulations/{at}")
            for at, simulation in enumerate(simulations if isinstance(simulations, list) else [])
            if isinstance(simulation, dict)
        ]
        return found or [Piece(_nothing("results without a simulation"))]


def _is_run(record: Mapping[str, Any]) -> bool:
    """Whether a record is a run: its simulations, or an index of them that holds none."""
    info = record.get("info")
    if isinstance(record.get("simulations"), list):
        return isinstance(record.get("tasks"), list) or isinstance(info, dict)
    described = isinstance(info, dict) and "environment_info" in info
    return described and isinstance(record.get("tasks"), list)


def _is_simulation(record: Mapping[str, Any]) -> bool:
    return "termination_reason" in record and ("messages" in record or "ticks" in record)


def _nothing(detail: str) -> Refused:
    return Refused(Reason.NOT_A_CAPTURE, detail)


def _read(simulation: JsonObject, info: Mapping[str, Any]) -> Reading | Refused:
    messages = objects(simulation.get("messages"))
    if not messages:
        return _without_messages(simulation)
    draft = Draft()
    environment = _inner(info, "environment_info")
    policy = word(environment.get("policy"))
    if policy and messages[0].get("role") != "system":
        draft.add("system", [Text(text=policy)])
    stopped = False
    for position, message in enumerate(messages):
        stopped = _add(draft, message, position) or stopped
    draft.close()
    parts = SessionParts(
        dialect=NAME,
        end=_end(draft, str(simulation.get("termination_reason")), stopped=stopped),
        tools=_tools(environment.get("tool_defs")),
        stop=Stop(reason="unknown", raw=word(simulation.get("termination_reason"))),
        outcome=_outcome(simulation.get("reward_info")),
    )
    return session_reading(draft, _frame(simulation, info), parts)


def _without_messages(simulation: Mapping[str, Any]) -> Refused:
    if simulation.get("ticks"):
        return _nothing("a simulation by voice: ticks, no messages")
    why = str(simulation.get("termination_reason"))
    task = id_text(simulation.get("task_id")) or "without an id"
    if ERROR in why:
        return Refused(Reason.FAILED_CALL, f"task {task}: ended by {why} before its first message")
    return Refused(Reason.NO_MESSAGES, f"task {task}: a simulation without messages")


def _add(draft: Draft, message: JsonObject, position: int) -> bool:
    """Add one message; whether the user closed the conversation with it."""
    role = message.get("role")
    if role == "tool":
        _add_results(draft, message, position)
    elif role == "user":
        return _add_user(draft, message, position)
    elif message.get("is_audio") is True and isinstance(message.get("content"), str):
        media = encoded_media(draft.blobs, "audio", "audio/wav", message["content"])
        draft.add("assistant", [media], source_index=position)
    else:
        add_message(draft, message, source_index=position, **_spent(draft, message))
    return False


def _add_user(draft: Draft, message: JsonObject, position: int) -> bool:
    """What the user did with tools of its own, then what it said up to the first marker."""
    calls = objects(message.get("tool_calls"))
    if calls:
        own = [UnknownPart(source_type=USER_CALL, value=call) for call in calls]
        draft.add("tool", own, source_index=position, name=BY_USER)
    content = message.get("content")
    marker = MARKER.search(content) if isinstance(content, str) else None
    said = content[: marker.start()].rstrip() if marker and isinstance(content, str) else content
    if said or not (calls or marker):
        plain = {key: value for key, value in message.items() if key != "tool_calls"}
        add_message(draft, {**plain, "content": said}, source_index=position, **_at(message))
    return marker is not None and "STOP" in marker[0]


def _add_results(draft: Draft, message: JsonObject, position: int) -> None:
    """One result or several; those of the user's tools are the user's."""
    several = objects(message.get("tool_messages"))
    results = several or [message]
    own = [one for one in results if one.get("requestor") == BY_USER]
    if own:
        parts = [UnknownPart(source_type=USER_RESULT, value=one) for one in own]
        draft.add("tool", parts, source_index=position, name=BY_USER)
    answers = [_result(one) for one in results if one.get("requestor") != BY_USER]
    if answers:
        draft.add("tool", answers, source_index=position, **_at(message))


def _result(message: Mapping[str, Any]) -> ResultFound:
    content = message.get("content")
    text = content if isinstance(content, str) else None
    parts = [Text(text=text)] if text else []
    raw_id = id_text(message.get("id")) or id_text(message.get("tool_call_id"))
    return ResultFound(
        raw_id, word(message.get("name")), parts, failed=message.get("error") is True or None
    )


def _at(message: Mapping[str, Any]) -> dict[str, Any]:
    moment = read_moment(message.get("timestamp"))
    return {"at": stamp(moment)} if moment else {}


def _spent(draft: Draft, message: Mapping[str, Any]) -> dict[str, Any]:
    """Time, and usage of the agent's own calls; the user's model is no cost of the agent's."""
    about = _at(message)
    usage = message.get("usage")
    read = chat_usage({**usage, "cost": message.get("cost")}) if isinstance(usage, dict) else None
    if read is None or message.get("role") != "assistant":
        return about
    if read.issue:
        draft.note(read.issue, len(draft.turns), None, read.detail)
    return {**about, "usage": read.usage} if read.usage else about


def _end(draft: Draft, why: str, *, stopped: bool) -> End:
    return end_of(
        draft.turns,
        user_stopped=stopped or why == USER_STOPPED,
        limit=why if why in LIMITS else "",
        failed=why if ERROR in why else "",
    )


def _outcome(found: Any) -> Outcome | None:
    reward = number(found.get("reward")) if isinstance(found, dict) else None
    return None if reward is None else Outcome(reward=reward, source="reward_info")


def _tools(found: Any) -> list[Tool]:
    """The agent's tools, in a list or by name."""
    if isinstance(found, dict):
        return chat_tools({"tools": [_signature(name, one) for name, one in found.items()]})
    return chat_tools({"tools": found})


def _signature(name: str, one: Any) -> JsonObject:
    inner = one if isinstance(one, dict) else {}
    return {
        "type": "function",
        "name": name,
        "description": inner.get("doc") or inner.get("description"),
        "parameters": inner.get("params") or inner.get("parameters"),
    }


def _frame(simulation: Mapping[str, Any], info: Mapping[str, Any]) -> Frame:
    written = simulation.get("start_time") or simulation.get("timestamp")
    moment = read_moment(written)
    model = word(_inner(info, "agent_info").get("llm"))
    domain = word(_inner(info, "environment_info").get("domain_name"))
    task = id_text(simulation.get("task_id"))
    return Frame(
        identity=Identity(
            session_id=id_text(simulation.get("id")),
            task_id=f"{domain}/{task}" if domain and task else task,
            trial=id_text(simulation.get("trial")),
        ),
        routing=Routing(requested_model=model),
        captured_at=stamp(moment) if moment else None,
        unread_time=str(written) if written and moment is None else None,
    )


def _inner(found: Mapping[str, Any], key: str) -> JsonObject:
    value = found.get(key)
    return value if isinstance(value, dict) else {}
