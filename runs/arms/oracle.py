"""An arm that must pass: the source's accepted calls and words, sent through the world."""

from collections.abc import Mapping, Sequence

from benchmarks.contract.contract_words import STATE_EFFECT
from benchmarks.contract.minimal import minimal_arguments
from benchmarks.environment.oracle import PlayedCall, play_source
from benchmarks.gateway.scripted import by_turn
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Entry
from benchmarks.records.environment import GoldTask, RecordedCall
from benchmarks.records.vocabulary import ArmKind, Termination
from runs.arms.arguments import ReadArguments
from runs.arms.base import Material, Play
from runs.arms.transcript import Boundary, Transcript, tool_call

CALLING_TYPES = frozenset({None, STATE_EFFECT, "read_obligation"})
SAYING_TYPES = frozenset({"response_obligation", "value_propagation"})
RESPONSE = "response"
ANSWERED = "answered"


class Oracle:
    """The recorded answer of each task, played again."""

    kinds: Sequence[ArmKind] = (ArmKind.ORACLE,)
    markers: Mapping[ArmKind, str] = {ArmKind.ORACLE: "runner_oracle"}

    async def play(self, play: Play) -> None:
        """Play the source; without one, what the contract asks for, in its order."""
        transcript, material = play.transcript, play.material
        transcript.show(material.shown.candidate_prompt)
        gold = material.gold or gold_from_contract(material)
        with transcript.inside(Boundary.WORLD):
            played = play_source(play.world, gold)
        users = list(material.shown.user.turns)
        for calls, text in by_turn(played.calls, gold):
            _act(transcript, calls, text)
            if not calls and users:
                transcript.user(users.pop(0))
        closed = any(call.answer.ends for call in played.calls)
        if judges_response(material, closed) and not played.observed.texts:
            transcript.missing_gold.append(RESPONSE)
        transcript.end(Termination(played.observed.termination), played.observed.final_response)


def _act(transcript: Transcript, calls: Sequence[PlayedCall], text: str | None) -> None:
    """One turn of the source, its calls as the world answered them here."""
    turn, before = len(transcript.turns), len(transcript.calls)
    asked = [
        tool_call(_id(call, before + place), call.tool, ReadArguments(call.arguments), "")
        for place, call in enumerate(calls)
    ]
    transcript.act(text, asked)
    answered = [
        transcript.called(one, call.answer, turn) for one, call in zip(asked, calls, strict=True)
    ]
    transcript.answered(answered, turn)


def judges_response(material: Material, closed: bool) -> bool:
    """Whether the contract judges what is said; a hand-off or finish answers without words."""
    return any(
        entry.type in SAYING_TYPES and not (closed and entry.kind == ANSWERED)
        for entry in material.task.outcome_contract.required
    )


def gold_from_contract(material: Material) -> GoldTask:
    """Calls made from the contract, in its order, where no source was kept."""
    definitions = {tool.name: tool.parameters for tool in material.shown.tools}
    calls = [
        RecordedCall(
            call_id=f"call_{place}",
            tool=entry.tool,
            arguments={**minimal_arguments(definitions.get(entry.tool)), **wanted_arguments(entry)},
            status="ok",
        )
        for place, entry in enumerate(material.task.outcome_contract.required)
        if entry.type in CALLING_TYPES and entry.tool is not None
    ]
    return GoldTask(task_id=material.task.task_id, calls=calls, texts=[])


def wanted_arguments(entry: Entry) -> JsonObject:
    """The arguments that an entry's matchers name by value."""
    matchers = entry.arguments or {}
    return {name: matcher["value"] for name, matcher in matchers.items() if "value" in matcher}


def _id(call: PlayedCall, place: int) -> str:
    return call.call_id or f"call_{place}"
