"""The recorded incumbent: its calls with their recorded results, its words, what it was paid."""

from collections.abc import Mapping, Sequence

from benchmarks.gateway.scripted import by_turn
from benchmarks.records.conversation import ArgumentsError, ToolCall
from benchmarks.records.environment import RecordedCall
from benchmarks.records.trajectory import Call
from benchmarks.records.vocabulary import ArmKind, Blame, Termination, known
from runs.arms.base import ArmBroke, Play
from runs.arms.transcript import Recorded, Transcript

RECORDED = "recorded"


class Replay:
    """Nothing is called and nothing is spent."""

    kinds: Sequence[ArmKind] = (ArmKind.REPLAY,)
    markers: Mapping[ArmKind, str] = {ArmKind.REPLAY: "runner_replay"}

    async def play(self, play: Play) -> None:
        """Show the recording as it stands, rejected calls and all."""
        material, transcript = play.material, play.transcript
        gold = material.gold
        if gold is None:
            detail = f"task {material.task.task_id} has no recorded source"
            raise ArmBroke("missing_gold", Blame.VERIFIER, detail)
        transcript.show(material.shown.candidate_prompt)
        users = list(material.shown.user.turns)
        for calls, text in by_turn(gold.calls, gold):
            _act(transcript, calls, text)
            if not calls and users:
                transcript.user(users.pop(0))
        transcript.recorded = material.recorded or Recorded()
        ended = known(Termination, gold.termination) or Termination.FINISHED
        transcript.end(ended, gold.final_response)


def _act(transcript: Transcript, calls: Sequence[RecordedCall], text: str | None) -> None:
    turn, before = len(transcript.turns), len(transcript.calls)
    kept = [_call(call, before + place, turn) for place, call in enumerate(calls)]
    transcript.act(text, [_asked(call) for call in kept])
    for call in kept:
        transcript.record(call)
    transcript.answered(kept, turn)


def _asked(call: Call) -> ToolCall:
    return ToolCall(
        call_id=call.call_id,
        name=call.tool,
        arguments=call.arguments,
        arguments_raw=call.arguments_raw,
        arguments_error=(
            ArgumentsError.read(call.arguments_error) if call.arguments_error else None
        ),
    )


def _call(recorded: RecordedCall, place: int, turn: int) -> Call:
    arguments = recorded.arguments
    read = arguments if isinstance(arguments, dict) else None
    raw = None if read is not None else str(arguments or "")
    error = ArgumentsError(kind="invalid_json", message="as recorded") if read is None else None
    return Call(
        index=place,
        call_id=recorded.call_id or f"call_{place}",
        turn=turn,
        tool=recorded.tool,
        arguments=read,
        arguments_raw=raw,
        arguments_error=error.dump() if error is not None else None,
        write=recorded.write is True,
        status="ok" if recorded.status == "ok" else "error",
        source=RECORDED,
        content=recorded.content,
    )
