"""Rollouts of a task whose outcome is known: what its verifier must pass and must fail.

The source as it was recorded, the same played through the world, and the other trials that carry
an outcome (spec/build.md 8.1).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from benchmarks.contract.mutants.subject import Example
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import Observed, ObservedCall, observed_from_conversation
from benchmarks.environment.oracle import play_source, texts_of
from benchmarks.environment.scene import Scene
from benchmarks.environment.world import World
from benchmarks.foundry.trials import succeeded
from benchmarks.records.conversation import Conversation
from benchmarks.records.digest import json_digest
from benchmarks.records.environment import GoldTask, RecordedCall
from benchmarks.records.verifier import fixture_id
from benchmarks.records.vocabulary import Termination

ORACLE: Final = "oracle"
CAPTURED: Final = "captured"
LARGEST = 2.0**53
"""Above it doubles do not tell an integer from the next."""
PASS, FAIL = "pass", "fail"


def right_examples(gold: GoldTask, scene: Scene | None) -> Iterator[Example]:
    """The source as it was recorded, then played through its world."""
    source = recorded(gold)
    yield Example(captured_id(gold.task_id, PASS, source), source, name="the source")
    if scene is not None:
        played = as_written(play_source(World.of(scene), gold).observed)
        yield Example(fixture_id(gold.task_id, ORACLE), played, origin=ORACLE, name="the oracle")


def trial_examples(
    task_id: str, trials: Iterable[Conversation], policy: Policy
) -> Iterator[tuple[Example, bool]]:
    """The other trials whose outcome is known, and whether each succeeded."""
    for place, trial in enumerate(trials, start=2):
        outcome = succeeded(trial.outcome)
        if outcome is None:
            continue
        observed = as_written(observed_from_conversation(trial, policy))
        name = captured_id(task_id, PASS if outcome else FAIL, observed)
        yield Example(name, observed, name=f"trial {place}"), outcome


def captured_id(task_id: str, expect: str, observed: Observed) -> str:
    """What a captured rollout is known by, whichever build meets it: what was done and said."""
    calls = [
        [call.tool, call.arguments, call.arguments_raw, call.status] for call in observed.calls
    ]
    said = [list(observed.texts), observed.final_response, str(observed.termination)]
    return fixture_id(task_id, CAPTURED, expect, json_digest([calls, said]))


def recorded(gold: GoldTask) -> Observed:
    """The rollout of the source, with what its own world answered."""
    rollout = Observed(
        calls=tuple(map(recorded_call, gold.calls)),
        texts=texts_of(gold),
        final_response=gold.final_response,
        termination=gold.termination or Termination.FINISHED,
        text_turns=tuple(gold.text_turns or ()),
    )
    return as_written(rollout)


def as_written(observed: Observed) -> Observed:
    """The rollout as files hold it, where 25.0 is written 25: what is drawn must not differ."""
    calls = (
        replace(call, arguments=whole(call.arguments), result=whole(call.result))
        for call in observed.calls
    )
    return replace(observed, calls=tuple(calls))


def whole(value: Any) -> Any:
    """A value with every float that is a whole number as an integer."""
    if isinstance(value, float) and value.is_integer() and abs(value) < LARGEST:
        return int(value)
    if isinstance(value, Mapping):
        return {name: whole(item) for name, item in value.items()}
    return [whole(item) for item in value] if isinstance(value, list) else value


def recorded_call(call: RecordedCall) -> ObservedCall:
    """One recorded call as the scorer sees it; arguments that did not parse stay text."""
    read = call.arguments if isinstance(call.arguments, dict) else None
    return ObservedCall(
        tool=call.tool,
        arguments=read,
        arguments_raw=None if read is not None else str(call.arguments or ""),
        status=call.status,
        result=call.content,
        call_id=call.call_id or None,
        turn=call.turn,
        confirmed=call.confirmed is not False,
    )
