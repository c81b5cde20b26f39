"""What the scorer sees of a rollout: its calls, what was said, and how it ended.

The same shape comes from a captured conversation and from a kept trajectory, so that both are
judged by one scorer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.mutating import Policy, effect_of_call, is_closing
from benchmarks.contract.rejection import result_status
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import (
    Conversation,
    End,
    JsonPart,
    Refusal,
    ResultPart,
    Text,
    ToolCall,
    ToolResult,
    Turn,
)
from benchmarks.records.digest import canonical
from benchmarks.records.trajectory import Trajectory
from benchmarks.records.vocabulary import Effect, Role, Termination

TERMINATIONS = {
    "user_stop": Termination.FINISHED,
    "handoff": Termination.FINISHED,
    "finish": Termination.FINISHED,
    "reply": Termination.FINISHED,
    "error": Termination.ERROR,
}
FINISH_ARGUMENTS = ("answer", "result", "message", "output", "text", "thought")


@dataclass(frozen=True, slots=True)
class ObservedCall:
    """One call: its arguments parsed, or the raw text; accepted means status ok."""

    tool: str
    arguments: JsonObject | None = None
    arguments_raw: str | None = None
    status: str = "ok"
    result: Any = None
    """The result as text or as a JSON value; None when none was captured."""
    call_id: str | None = None
    turn: int | None = None
    confirmed: bool = True
    """False when the result was never captured: accepted and unconfirmed."""

    @property
    def accepted(self) -> bool:
        """Whether the call was carried out."""
        return self.status == "ok"

    def effect(self, policy: Policy) -> Effect:
        """What the call did to the world, by the class of its tool."""
        return effect_of_call(policy.get(self.tool), self.arguments)

    def is_write(self, policy: Policy) -> bool:
        """Whether the call is a write; a hand-off and a finish are neither read nor write."""
        return self.effect(policy) is Effect.WRITE


@dataclass(frozen=True, slots=True)
class Observed:
    """A whole rollout as the scorer sees it."""

    calls: tuple[ObservedCall, ...] = ()
    texts: tuple[str, ...] = ()
    """Everything the assistant said, in order."""
    final_response: str | None = None
    termination: str = Termination.FINISHED
    text_turns: tuple[int, ...] = ()
    """The turn of each text, where turns are known."""

    @property
    def finished(self) -> bool:
        """Whether the rollout came to its own end."""
        return self.termination == Termination.FINISHED

    def final_text(self, policy: Policy) -> str:
        """The last thing said; a finish call's text argument when nothing was; else empty."""
        for text in (self.final_response, *reversed(self.texts)):
            if text is not None and text.strip():
                return text
        finishing = (call for call in reversed(self.calls) if finishes(call, policy))
        return next((said for call in finishing if (said := finish_text(call))), "")


def finishes(call: ObservedCall, policy: Policy) -> bool:
    """Whether a call is an accepted finish."""
    entry = policy.get(call.tool)
    return call.accepted and entry is not None and entry.role is Role.FINISH


def finish_text(call: ObservedCall) -> str:
    """What a finish call says in its arguments."""
    arguments = call.arguments or {}
    texts = (arguments.get(name) for name in FINISH_ARGUMENTS)
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")


def termination_of(end: End | None) -> Termination:
    """How a captured end reads as the termination of a rollout (spec/build.md 8.4)."""
    return TERMINATIONS.get(end.reason, Termination.MAX_TURNS) if end else Termination.MAX_TURNS


def end_under(conversation: Conversation, policy: Policy) -> End:
    """The end of a conversation once the roles of its tools are known.

    A user's stop stands whatever the tools are; a last call that hands over or finishes, and was
    not rejected, ends the rest; a role that the policy denies ends nothing.
    """
    end = conversation.end or End(reason="unknown", detail="the source does not say")
    if end.reason == "user_stop":
        return end
    calls = observed_calls(conversation, policy)
    last = calls[-1] if calls else None
    entry = policy.get(last.tool) if last else None
    if last and last.accepted and entry and is_closing(entry):
        reason: Any = "handoff" if entry.role is Role.HANDOFF else "finish"
        return End(reason=reason, detail=last.tool)
    if end.reason in {"handoff", "finish"}:
        return End(reason="open", detail="the last call neither hands over nor finishes")
    return end


def observed_from_conversation(conversation: Conversation, policy: Policy) -> Observed:
    """A captured conversation as the scorer sees a rollout."""
    said = said_by_turn(conversation.turns)
    return Observed(
        calls=observed_calls(conversation, policy),
        texts=tuple(text for _, text in said),
        final_response=said[-1][1] if said else None,
        termination=termination_of(end_under(conversation, policy)),
        text_turns=tuple(turn for turn, _ in said),
    )


def observed_calls(conversation: Conversation, policy: Policy) -> tuple[ObservedCall, ...]:
    """The calls of a conversation in order, each with its own result.

    A result object's `status` keys are read here, where the class of the tool is known.
    """
    results = {
        (result.call.turn, result.call.part): result
        for turn in conversation.turns
        for result in turn.results()
        if result.call is not None
    }
    return tuple(
        observed_call(part, turn.index, results.get((turn.index, place)), policy)
        for turn in conversation.turns
        for place, part in enumerate(turn.parts)
        if isinstance(part, ToolCall)
    )


def observed_call(
    call: ToolCall, turn: int, result: ToolResult | None, policy: Policy
) -> ObservedCall:
    """One captured call; without a result it is accepted and unconfirmed."""
    content = result_content(result.parts) if result else None
    writes = effect_of_call(policy.get(call.name), call.arguments) is Effect.WRITE
    failed = result is not None and (
        result.status == "error" or result_status(content, is_write=writes) == "error"
    )
    return ObservedCall(
        tool=call.name,
        arguments=call.arguments,
        arguments_raw=call.arguments_raw,
        status="error" if failed else "ok",
        result=content,
        call_id=call.call_id,
        turn=turn,
        confirmed=result is not None,
    )


def result_content(parts: Sequence[ResultPart]) -> Any:
    """What a result says: its one JSON value, or its texts joined by newlines."""
    if len(parts) == 1 and isinstance(parts[0], JsonPart):
        return parts[0].value
    texts = [part.text for part in parts if isinstance(part, Text)]
    values = [canonical(part.value).decode() for part in parts if isinstance(part, JsonPart)]
    return "\n".join([*texts, *values])


def said_by_turn(turns: Sequence[Turn]) -> list[tuple[int, str]]:
    """What the assistant said, turn by turn; turns that say nothing are left out."""
    said = ((turn.index, spoken(turn)) for turn in turns if turn.role == "assistant")
    return [(index, text) for index, text in said if text.strip()]


def spoken(turn: Turn) -> str:
    """The words of a turn: texts, refusals and structured values, never hidden thought."""
    words: list[str] = []
    for part in turn.parts:
        if isinstance(part, Text | Refusal):
            words.append(part.text)
        elif isinstance(part, JsonPart):
            words.append(canonical(part.value).decode())
    return "\n".join(words)


def observed_from_trajectory(trajectory: Trajectory) -> Observed:
    """A kept rollout as the scorer sees it: turns shown to the candidate are not its words."""
    own = [turn for turn in trajectory.turns if turn.origin == "response"]
    said = said_by_turn(own)
    return Observed(
        calls=tuple(
            ObservedCall(
                tool=call.tool,
                arguments=call.arguments,
                arguments_raw=call.arguments_raw,
                status=call.status,
                result=call.content,
                call_id=call.call_id,
                turn=call.turn,
            )
            for call in trajectory.calls
        ),
        texts=tuple(text for _, text in said),
        final_response=trajectory.final_response,
        termination=trajectory.termination,
        text_turns=tuple(turn for turn, _ in said),
    )
