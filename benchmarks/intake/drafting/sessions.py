"""What every dialect of whole conversations does alike once its turns are drafted."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from benchmarks.gateway.usage import total_usage
from benchmarks.intake.drafting.chat_form import session_form
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.reading import Frame, Reading
from benchmarks.records.blocks import Usage
from benchmarks.records.conversation import Conversation, End, Outcome, Stop, Tool, Turn


@dataclass(frozen=True, slots=True)
class SessionParts:
    """What a dialect found in one session beside its turns."""

    dialect: str
    end: End
    tools: list[Tool] = field(default_factory=list)
    stop: Stop = field(default_factory=lambda: Stop(reason="unknown"))
    outcome: Outcome | None = None
    usage: Usage | None = None
    """What the source says of the whole session; used where no turn says what it cost."""


def session_reading(draft: Draft, frame: Frame, parts: SessionParts) -> Reading:
    """The reading of one whole conversation; its usage is the sum over its turns, where any."""
    request, response = session_form(draft.turns)
    return Reading(
        conversation=Conversation(
            dialect=parts.dialect,
            granularity="session",
            turns=draft.turns,
            tools=parts.tools,
            stop=parts.stop,
            usage=usage_of_turns(draft.turns) or parts.usage,
            issues=draft.issues,
            end=parts.end,
            outcome=parts.outcome,
        ),
        request=request,
        response=response,
        frame=frame,
        blobs=draft.blobs,
    )


def usage_of_turns(turns: Iterable[Turn]) -> Usage | None:
    """What the model's turns cost together; None where no turn says anything."""
    found = [turn.usage for turn in turns if turn.role == "assistant"]
    return total_usage(found) if any(usage is not None for usage in found) else None
