"""tau-bench trajectories: `{task_id, traj, reward, info, trial}`, one whole conversation each.

Call ids repeat inside one trajectory, or are missing: results are joined in order. The gold that
stands in `info` goes nowhere; the reward is the outcome, never shown and never compiled.
Few-shot lines hold a conversation flattened to text: what was called is lost there, so a result
is an orphan.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.intake.dialect import Piece, RecordDialect
from benchmarks.intake.drafting.chat import add_message, chat_form
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.values import id_text, number, objects
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity
from benchmarks.records.conversation import Conversation, Outcome, Stop

NAME = "tau_bench"
STOP_MARKER = "###STOP###"
ERROR_CHARS = 200
FLATTENED = "messages_display"
HEAD = re.compile(r"^(system|user|assistant|tool): ?", re.MULTILINE)
NOTHING = "None"
"""How an answer without words was written, one that called a tool."""


class TauBench(RecordDialect):
    """One trajectory a record."""

    name = NAME
    lacks = "a list traj beside task_id"

    def detect(self, record: Any) -> bool:
        """Whether a record is one trajectory."""
        if not isinstance(record, dict):
            return False
        if isinstance(record.get("traj"), list):
            return "task_id" in record
        flattened = record.get(FLATTENED)
        return isinstance(flattened, str) and HEAD.match(flattened) is not None

    def read(self, record: Any) -> Iterable[Piece]:
        """The conversation of one trajectory."""
        return [Piece(read(record))]


def read(record: JsonObject) -> Reading | Refused:
    """The conversation of one trajectory; a rollout that crashed before it has none."""
    if not isinstance(record.get("traj"), list):
        return _reading(record, unflattened(record[FLATTENED]))
    messages = objects(record["traj"])
    return _reading(record, messages) if messages else _without_messages(record)


def unflattened(text: str) -> list[JsonObject]:
    """The messages of a text in which every message begins a line with its role."""
    heads = list(HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    messages: list[JsonObject] = []
    for head, end in zip(heads, ends, strict=True):
        content = text[head.end() : end].removesuffix("\n")
        is_lost = content == NOTHING and head[1] == "assistant"
        messages.append({"role": head[1], "content": None if is_lost else content})
    return messages


def _reading(record: JsonObject, messages: Sequence[JsonObject]) -> Reading:
    draft = Draft()
    stopped = False
    for position, message in enumerate(messages):
        stopped = _add(draft, message, position) or stopped
    draft.close()
    turns = draft.turns
    cut_short = bool(turns) and turns[-1].role == "tool" and not stopped
    conversation = Conversation(
        dialect=NAME,
        granularity="session",
        turns=turns,
        tools=[],
        stop=Stop(reason="unknown"),
        issues=draft.issues,
        end=end_of(
            turns,
            user_stopped=stopped,
            limit="ends on a result, the user never closed" if cut_short else "",
        ),
        outcome=_outcome(record.get("reward")),
    )
    request, response = chat_form(messages)
    identity = Identity(task_id=id_text(record.get("task_id")), trial=id_text(record.get("trial")))
    return Reading(conversation, request, response, Frame(identity=identity))


def _add(draft: Draft, message: JsonObject, position: int) -> bool:
    """Add one message; whether the user closed the conversation with it."""
    content = message.get("content")
    if message.get("role") != "user" or not isinstance(content, str):
        add_message(draft, message, source_index=position)
        return False
    if STOP_MARKER not in content:
        add_message(draft, message, source_index=position)
        return False
    said = content[: content.index(STOP_MARKER)].rstrip()
    if said:
        add_message(draft, {**message, "content": said}, source_index=position)
    return True


def _without_messages(record: Mapping[str, Any]) -> Refused:
    info = record.get("info")
    error = info.get("error") if isinstance(info, dict) else None
    if not error:
        return Refused(Reason.NO_MESSAGES, f"task {record['task_id']}: an empty trajectory")
    first_line = str(error).strip().partition("\n")[0][:ERROR_CHARS]
    return Refused(
        Reason.FAILED_CALL,
        f"task {record['task_id']}: the rollout crashed before its first message: {first_line}",
    )


def _outcome(reward: object) -> Outcome | None:
    if isinstance(reward, bool):
        return Outcome(success=reward, source="reward")
    found = number(reward)
    return None if found is None else Outcome(reward=found, source="reward")
