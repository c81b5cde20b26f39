"""An arm that must fail: it does nothing and says so, the same for every task."""

from collections.abc import Mapping, Sequence

from benchmarks.records.vocabulary import ArmKind, Termination
from runs.arms.base import Play

NULL_TEXT = "I am unable to complete this request."


class NullAgent:
    """No call, one refusal."""

    kinds: Sequence[ArmKind] = (ArmKind.NULL_AGENT,)
    markers: Mapping[ArmKind, str] = {ArmKind.NULL_AGENT: "runner_null_agent"}

    async def play(self, play: Play) -> None:
        """Say the one sentence."""
        play.transcript.show(play.material.shown.candidate_prompt)
        play.transcript.say(NULL_TEXT)
        play.transcript.end(Termination.FINISHED, NULL_TEXT)
