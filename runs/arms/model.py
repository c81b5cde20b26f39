"""A model in the world: the tool loop and the scripted user (spec/run.md 5.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from benchmarks.contract.mutating import is_closing
from benchmarks.contract.observed import FINISH_ARGUMENTS
from benchmarks.environment.live import LiveFailed, LiveTools
from benchmarks.environment.world import Answer, World
from benchmarks.gateway.base import AskedCall, ChatAnswer, ChatCall, ChatModel
from benchmarks.gateway.failures import CONTENT_POLICY, CONTEXT, CallFailed
from benchmarks.gateway.wire import (
    WireTools,
    delivered_digest,
    treatment_digest,
    wire_tools,
)
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import ToolCall
from benchmarks.records.digest import bytes_digest, json_digest
from benchmarks.records.json_bytes import json_bytes
from benchmarks.records.trajectory import Call
from benchmarks.records.vocabulary import ArmKind, Blame, Role, Termination
from runs.arms.arguments import read_arguments
from runs.arms.base import ArmBroke, Material, Play
from runs.arms.transcript import Boundary, Delivery, Transcript, tool_call

MOST_CALLS_IN_A_TURN = 64
TOO_MANY = "too many calls in one turn"


@dataclass(frozen=True, slots=True)
class Treatment:
    """What a model is shown first of a task, in the form of the wire."""

    system: str | None
    tools: WireTools
    messages: tuple[JsonObject, ...]
    digest: str
    system_sha256: str | None
    tools_sha256: str

    def opening(self) -> list[JsonObject]:
        """The messages of the first request."""
        first = [{"role": "system", "content": self.system}] if self.system else []
        return [*first, *self.messages]


@dataclass(slots=True)
class ModelArm:
    """A model answers turn by turn; the world answers its calls."""

    kinds: Sequence[ArmKind] = (ArmKind.INCUMBENT, ArmKind.CANDIDATE)
    markers: Mapping[ArmKind, str] = field(default_factory=dict)
    _treatments: dict[tuple[str, str | None], Treatment] = field(default_factory=dict)
    _delivered: dict[str, str] = field(default_factory=dict)
    """Treatment digest by the digest of the bytes sent: rollouts of one task send the same."""

    async def play(self, play: Play) -> None:
        """Play to the end: an answer without calls after the last user turn, or a limit."""
        if play.model is None:
            raise TypeError(f"arm {play.spec.label} has no model")
        treatment = self._treatment(play)
        transcript = play.transcript
        transcript.called_model = play.model.called_model
        transcript.system = treatment.system
        transcript.settings = dict(play.settings)
        transcript.system_sha256 = treatment.system_sha256
        transcript.tools_sha256 = treatment.tools_sha256
        transcript.delivery = Delivery(treatment.digest)
        transcript.show(treatment.messages)
        dialogue = Dialogue(play, play.model, treatment)
        while (ended := await self._turn(dialogue)) is None:
            pass
        transcript.end(ended, dialogue.final_text())

    async def _turn(self, dialogue: "Dialogue") -> Termination | None:
        """One turn of the model and what follows from it; the end when it is the last."""
        limit = dialogue.limit_reached()
        if limit is not None:
            return limit
        try:
            answer = await dialogue.ask()
        except CallFailed as failure:
            return dialogue.end_of(failure)
        self._prove(dialogue.play.transcript, answer)
        return await dialogue.take(answer)

    def _prove(self, transcript: Transcript, answer: ChatAnswer) -> None:
        """Note what the first request really held, from its bytes."""
        delivery = transcript.delivery
        if delivery is None:
            return
        if delivery.wire is None and answer.sent:
            key = bytes_digest(answer.sent)
            if key not in self._delivered:
                self._delivered[key] = delivered_digest(answer.sent)
            delivery = replace(delivery, wire=self._delivered[key])
        if answer.stop is not None and not delivery.answered:
            delivery = replace(delivery, answered=True)
        transcript.delivery = delivery

    def _treatment(self, play: Play) -> Treatment:
        key = (play.material.task.task_id, play.spec.suffix)
        if key not in self._treatments:
            self._treatments[key] = treatment_of(play.material, play.spec.suffix)
        return self._treatments[key]


def treatment_of(material: Material, suffix: str | None) -> Treatment:
    """The boundary of a task as an arm shows it; an override adds its suffix to the system text."""
    shown = material.shown
    system = shown.system_prompt or None
    if suffix is not None:
        system = f"{system}\n\n{suffix}" if system else suffix
    tools = wire_tools(shown.tools)
    messages = tuple(dict(message) for message in shown.candidate_prompt)
    return Treatment(
        system=system,
        tools=tools,
        messages=messages,
        digest=treatment_digest(system, tools.definitions, messages),
        system_sha256=bytes_digest(system.encode()) if system else None,
        tools_sha256=json_digest(list(tools.definitions)),
    )


class Dialogue:
    """One conversation under way: what goes back on the wire, and whose turn it is."""

    def __init__(self, play: Play, model: ChatModel, treatment: Treatment) -> None:
        self.play = play
        self._model = model
        self._tools = treatment.tools
        self._messages = treatment.opening()
        self._user = list(play.material.shown.user.turns)
        self._turn = 0
        self._ids: set[str] = set()
        self._finish_text: str | None = None
        _check_script(play.material)

    def limit_reached(self) -> Termination | None:
        """The limit that forbids another turn."""
        limits = self.play.limits
        if self._turn >= limits.max_turns:
            return Termination.MAX_TURNS
        counts = self.play.transcript.bill.usage.counts
        tokens = counts.get("input_tokens", 0) + counts.get("output_tokens", 0)
        if limits.max_total_tokens is not None and tokens >= limits.max_total_tokens:
            return Termination.LENGTH
        return None

    async def ask(self) -> ChatAnswer:
        """The model's answer to the conversation so far, paid and journalled."""
        call = ChatCall(
            model=self._model.called_model,
            messages=self._messages,
            tools=self._tools.definitions,
            settings=self.play.settings,
            key=f"{self.play.cell_key}-{self._turn}",
        )
        with self.play.transcript.inside(Boundary.GATEWAY):
            answer = await self._model.complete(call, self.play.patience)
        self.play.transcript.paid(answer.usage)
        self.play.transcript.bad_usage += answer.bad_usage
        return answer

    def end_of(self, failure: CallFailed) -> Termination:
        """A failure that is an end of the conversation; any other is raised."""
        if failure.kind is CONTENT_POLICY:
            return Termination.REFUSED
        if failure.kind is CONTEXT and self._turn > 0:
            return Termination.LENGTH
        raise failure

    async def take(self, answer: ChatAnswer) -> Termination | None:
        """Add an answer to the conversation and act on it; the end when it is the last."""
        transcript = self.play.transcript
        turn = len(transcript.turns)
        asked = [self._identified(call, place) for place, call in enumerate(answer.calls)]
        transcript.assistant(answer, asked, model=answer.model)
        self._messages.append(_sent_back(answer, asked, self._tools))
        self._turn += 1
        closed = await self._run(asked, turn)
        if closed:
            return Termination.FINISHED
        if answer.stop == "content_filter":
            return Termination.REFUSED
        if answer.stop == "length":
            cut_by_provider = "max_output_tokens" not in self.play.settings
            transcript.truncated_by_provider = cut_by_provider
            return Termination.LENGTH
        return None if asked else self._user_speaks()

    def final_text(self) -> str | None:
        """The last text that is not blank, else what a finish call said."""
        return self.play.transcript.last_text() or self._finish_text

    def _user_speaks(self) -> Termination | None:
        """The next scripted turn; without one the conversation has come to its end."""
        if not self._user:
            return Termination.FINISHED
        text = self._user.pop(0)
        self._messages.append({"role": "user", "content": text})
        self.play.transcript.user(text)
        return None

    def _identified(self, call: AskedCall, place: int) -> ToolCall:
        """The call under an id of its own, its arguments read."""
        call_id = call.call_id
        if call_id is None or call_id in self._ids:
            call_id = f"call_{self._turn}_{place}"
        self._ids.add(call_id)
        name = self._tools.original(call.name)
        return tool_call(call_id, name, read_arguments(call.arguments), call.arguments)

    async def _run(self, asked: Sequence[ToolCall], turn: int) -> bool:
        """Run the calls of a turn in order; whether one of them ended the rollout."""
        done: list[Call] = []
        closed = False
        for place, call in enumerate(asked):
            answer = await self._answer(call, place)
            done.append(self.play.transcript.called(call, answer, turn))
            content = reply_text(answer.content)
            self._messages.append({
                "role": "tool",
                "tool_call_id": call.call_id,
                "content": content,
            })
            if answer.ends:
                self._note_finish(call)
                closed = True
                break
        self.play.transcript.answered(done, turn)
        return closed

    async def _answer(self, call: ToolCall, place: int) -> Answer:
        world = self.play.world
        if place >= MOST_CALLS_IN_A_TURN:
            return too_many_calls(world)
        with self.play.transcript.inside(Boundary.WORLD):
            if call.arguments is None:
                error = call.arguments_error
                return world.malformed(call.name, error.message if error else "unreadable")
            live = self.play.live
            if live is not None and live.serves(call.name) and world.is_real(call.name):
                return await _live_answer(live, world, call.name, call.arguments)
            return world.call(call.name, call.arguments)

    def _note_finish(self, call: ToolCall) -> None:
        entry = self.play.material.policy.get(call.name)
        if entry is None or not is_closing(entry) or entry.role is not Role.FINISH:
            return
        texts = ((call.arguments or {}).get(name) for name in FINISH_ARGUMENTS)
        said = (text for text in texts if isinstance(text, str) and text.strip())
        self._finish_text = next(said, None)


def _check_script(material: Material) -> None:
    """A task that promises a scripted user needs the script."""
    user = material.task.user
    if user is None or user.mode != "scripted" or material.shown.user.turns:
        return
    if user.turns > 0:
        detail = f"task {material.task.task_id} promises {user.turns} user turns and has none"
        raise ArmBroke("user_script_exhausted", Blame.ENVIRONMENT, detail)


def _sent_back(answer: ChatAnswer, asked: Sequence[ToolCall], tools: WireTools) -> JsonObject:
    """The assistant message as it goes back on the wire: role, content, tool_calls."""
    content = answer.text
    if content is None and not asked:
        content = answer.refusal or ""
    message: JsonObject = {"role": "assistant", "content": content}
    if asked:
        message["tool_calls"] = [
            {
                "id": call.call_id,
                "type": "function",
                "function": {"name": tools.on_wire(call.name), "arguments": given.arguments},
            }
            for call, given in zip(asked, answer.calls, strict=True)
        ]
    return message


async def _live_answer(live: LiveTools, world: World, tool: str, arguments: JsonObject) -> Answer:
    """The real tool's answer; one that does not come ends the rollout, and is nobody's mistake."""
    try:
        reply = await live.call(tool, arguments)
    except LiveFailed as failure:
        raise ArmBroke("live_tool_failed", Blame.ENVIRONMENT, str(failure)) from failure
    return world.lived(tool, arguments, reply)


def too_many_calls(world: World) -> Answer:
    """The answer to a call beyond what one turn may hold; it touches nothing."""
    world.tally["rejected"] += 1
    rejection = {"class": "too_many_calls", "message": TOO_MANY}
    content = {"ok": False, "error": TOO_MANY}
    return Answer("rejected", content, "rejected", rejection=rejection)


def reply_text(content: object) -> str:
    """A result as the text of a tool message."""
    return content if isinstance(content, str) else json_bytes(content).decode()
