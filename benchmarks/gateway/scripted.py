"""A model that follows a script: the built-in provider `scripted/<name>`, and every test's double.

`incumbent` and `careful` say and do what the source did; `hasty` leaves out the last write of some
tasks, chosen by the seed of the run.
"""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from benchmarks.errors import UnknownModel
from benchmarks.gateway.base import AskedCall, ChatAnswer, ChatCall
from benchmarks.gateway.failures import CallFailed
from benchmarks.gateway.hearing import heard_ids, with_ids
from benchmarks.gateway.patience import Patience
from benchmarks.records.base import JsonObject
from benchmarks.records.environment import GoldTask, RecordedCall
from benchmarks.records.json_bytes import json_bytes
from benchmarks.records.vocabulary import Route

PREFIX = "scripted/"
FAITHFUL = ("incumbent", "careful")
HASTY = "hasty"
NAMES = (*FAITHFUL, HASTY)
HASTY_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class ScriptedTurn:
    """One assistant turn: calls of tools, or a text."""

    calls: tuple[RecordedCall, ...] = ()
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """What the source did in one task, turn by turn."""

    task_id: str
    turns: tuple[ScriptedTurn, ...] = ()

    def without_last_write(self) -> "Script":
        """The same script with its last write left out; the words stay."""
        place = max(
            (
                (number, position)
                for number, turn in enumerate(self.turns)
                for position, call in enumerate(turn.calls)
                if call.write
            ),
            default=None,
        )
        if place is None:
            return self
        number, position = place
        turn = self.turns[number]
        kept = turn.calls[:position] + turn.calls[position + 1 :]
        shorter = (ScriptedTurn(kept, turn.text),) if kept or turn.text is not None else ()
        return Script(self.task_id, self.turns[:number] + shorter + self.turns[number + 1 :])


class InTurn(Protocol):
    """A call that may say in which turn of its source it was made."""

    @property
    def turn(self) -> int | None:
        """The source's turn, where known."""
        ...


C = TypeVar("C", bound=InTurn)


def by_turn(calls: Sequence[C], gold: GoldTask) -> list[tuple[tuple[C, ...], str | None]]:
    """Calls and texts of a source, turn by turn in its order.

    What says nothing about its turn stands alone: such calls before every text.
    """
    texts = list(gold.texts or ([gold.final_response] if gold.final_response else []))
    places = gold.text_turns or []
    if len(places) != len(texts) or any(call.turn is None for call in calls):
        return [*(((call,), None) for call in calls), *(((), text) for text in texts)]
    said = dict(zip(places, texts, strict=True))
    numbers = sorted({*places, *(call.turn for call in calls if call.turn is not None)})
    return [
        (tuple(call for call in calls if call.turn == number), said.get(number))
        for number in numbers
    ]


def script_of(gold: GoldTask) -> Script:
    """The source's turns, from what the scorer's side of a task keeps of them."""
    turns = by_turn(gold.calls, gold)
    return Script(gold.task_id, tuple(ScriptedTurn(calls, text) for calls, text in turns))


class ScriptedChat:
    """A ChatModel that gives the turns of a script, one a call."""

    def __init__(
        self,
        script: Script,
        *,
        name: str = "incumbent",
        latency_s: float = 0.0,
        failures: Mapping[int, CallFailed] | None = None,
    ) -> None:
        self.called_model = PREFIX + name
        self.lane_key = PREFIX
        self.route = Route.OFFLINE
        self.asked: list[ChatCall] = []
        """Every call so far, for whoever wants to see what reached the model."""
        self._script = script
        self._latency_s = latency_s
        self._failures = dict(failures or {})

    async def complete(self, call: ChatCall, patience: Patience) -> ChatAnswer:
        """The next turn of the script: as many in as the conversation holds assistant turns."""
        patience.admitted()
        self.asked.append(call)
        if self._latency_s:
            await asyncio.sleep(self._latency_s)
        failure = self._failures.get(len(self.asked) - 1)
        if failure is not None:
            raise failure
        place = sum(message.get("role") == "assistant" for message in call.messages)
        return self._answer(call, place)

    def _answer(self, call: ChatCall, place: int) -> ChatAnswer:
        turns = self._script.turns
        turn = turns[place] if place < len(turns) else ScriptedTurn(text="")
        past = [recorded for earlier in turns[:place] for recorded in earlier.calls]
        ids = heard_ids(past, call.messages)
        return ChatAnswer(
            text=with_ids(turn.text, ids),
            calls=tuple(_asked(recorded, ids) for recorded in turn.calls),
            stop="tool_calls" if turn.calls else "stop",
            usage=None,
            model=self.called_model,
            sent=json_bytes(_body(call)),
        )


def scripted_model(name: str, script: Script, *, seed: int) -> ScriptedChat:
    """The built-in model `scripted/<name>` for one task.

    Raises:
        UnknownModel: no script has that name.
    """
    style = name.removeprefix(PREFIX)
    if style in FAITHFUL:
        return ScriptedChat(script, name=style)
    if style == HASTY:
        chosen = script.without_last_write() if _is_hurried(script.task_id, seed) else script
        return ScriptedChat(chosen, name=style)
    raise UnknownModel(
        f"no scripted model {style!r}", hint=f"there are {', '.join(PREFIX + n for n in NAMES)}"
    )


def _is_hurried(task_id: str, seed: int) -> bool:
    digest = hashlib.sha256(f"{seed}:{task_id}".encode()).digest()
    return int.from_bytes(digest[:4]) < HASTY_SHARE * 2**32


def _asked(recorded: RecordedCall, ids: Mapping[str, str]) -> AskedCall:
    arguments = with_ids(recorded.arguments, ids)
    text = arguments if isinstance(arguments, str) else json_bytes(arguments or {}).decode()
    return AskedCall(recorded.call_id, recorded.tool, text)


def _body(call: ChatCall) -> JsonObject:
    body: dict[str, Any] = {"model": call.model, "messages": list(call.messages)}
    if call.tools:
        body["tools"] = list(call.tools)
    return body
