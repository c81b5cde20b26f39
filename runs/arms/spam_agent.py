"""An arm that must fail: it calls every tool once, with the smallest arguments allowed.

This is the plain pass over all tools. The skip pass, which leaves out what the scorer would punish,
belongs to a later release; its subscore is absent until then, never zero.
"""

from collections.abc import Mapping, Sequence

from benchmarks.contract.minimal import minimal_arguments
from benchmarks.records.base import JsonObject
from benchmarks.records.vocabulary import ArmKind, Termination
from runs.arms.arguments import ReadArguments
from runs.arms.base import Material, Play
from runs.arms.null_agent import NULL_TEXT
from runs.arms.transcript import Boundary, tool_call

PLAIN = "plain"


class SpamAgent:
    """Every offered tool once, then the null agent's sentence."""

    kinds: Sequence[ArmKind] = (ArmKind.SPAM_AGENT,)
    markers: Mapping[ArmKind, str] = {ArmKind.SPAM_AGENT: "runner_spam_agent"}

    async def play(self, play: Play) -> None:
        """Call and go on: a hand-off or finish does not end this pass."""
        transcript = play.transcript
        transcript.show(play.material.shown.candidate_prompt)
        turn = len(transcript.turns)
        asked = [
            tool_call(f"call_0_{place}", name, ReadArguments(arguments), "")
            for place, (name, arguments) in enumerate(spam_calls(play.material))
        ]
        transcript.act(None, asked)
        answered = []
        for call in asked:
            with transcript.inside(Boundary.WORLD):
                answer = play.world.call(call.name, call.arguments or {})
            answered.append(transcript.called(call, answer, turn, pass_=PLAIN))
        transcript.answered(answered, turn)
        transcript.say(NULL_TEXT)
        transcript.end(Termination.FINISHED, NULL_TEXT)


def spam_calls(material: Material) -> list[tuple[str, JsonObject]]:
    """Each tool that is offered, in code-unit order; without any, those of the contract."""
    tools = {tool.name: tool.parameters for tool in material.shown.tools}
    if not tools:
        contract = material.task.outcome_contract
        tools = {entry.tool: None for entry in contract.required if entry.tool is not None}
    return [
        (name, minimal_arguments(tools[name]))
        for name in sorted(tools, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    ]
