"""What is known of a task before a model writes about it: all of it from the recording."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from benchmarks.contract.entries import Demands, demands_of
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.contract.responses import Words
from benchmarks.contract.score import Judging
from benchmarks.contract.source_text import as_text
from benchmarks.environment.oracle import texts_of
from benchmarks.environment.scene import Scene
from benchmarks.records.environment import EnvironmentTask, GoldTask
from benchmarks.records.task import Task
from benchmarks.records.vocabulary import Termination


@dataclass(frozen=True, slots=True)
class KnownRollout:
    """A rollout of the task whose verdict is known: a fixture of its verifier."""

    name: str
    must_pass: bool
    observed: Observed


@dataclass(frozen=True)
class Evidence:
    """One task: its line, what a candidate is shown, what its source did, and its world."""

    task: Task
    shown: EnvironmentTask
    gold: GoldTask
    scene: Scene
    policy: Policy
    known: Sequence[KnownRollout] = ()

    @cached_property
    def observed(self) -> Observed:
        """What the source did and said, as the scorer sees it."""
        calls = tuple(
            ObservedCall(
                tool=call.tool,
                arguments=call.arguments if isinstance(call.arguments, dict) else None,
                status=call.status,
                result=call.content,
                call_id=call.call_id,
                turn=call.turn,
                confirmed=call.confirmed is not False,
            )
            for call in self.gold.calls
        )
        return Observed(
            calls=calls,
            texts=texts_of(self.gold),
            final_response=self.gold.final_response,
            termination=self.gold.termination or Termination.FINISHED,
            text_turns=tuple(self.gold.text_turns or ()),
        )

    @cached_property
    def words(self) -> Words:
        """What the source said, its final text found once."""
        return Words.of(self.observed, self.policy)

    @cached_property
    def demands(self) -> Demands:
        """The contract that stands, made ready."""
        return demands_of(self.task.outcome_contract, self.policy)

    def judging(self) -> Judging:
        """The source under the contract that stands: it resolves `ref`.

        Made anew for each reply: it remembers entries by their ids, and replies share those.
        """
        return Judging.of(self.demands, self.observed, self.policy)

    @property
    def boundary_text(self) -> str:
        """What the user says before the first answer."""
        said = [m.get("content") for m in self.shown.candidate_prompt if m.get("role") == "user"]
        return "\n".join(as_text(text) for text in said) or self.shown.prompt

    @property
    def final_text(self) -> str:
        """The last thing that the source said."""
        return self.words.final

    def accepted(self, tool: str) -> list[int]:
        """The accepted calls to a tool, by place."""
        return [
            place
            for place, call in enumerate(self.observed.calls)
            if call.accepted and call.tool == tool
        ]

    def results(self) -> Iterator[object]:
        """Everything that a tool answered."""
        return (call.result for call in self.observed.calls if call.result is not None)

    def inputs(self) -> Iterator[str]:
        """Everything that the task itself says: system text, boundary, scripted user turns."""
        yield self.shown.system_prompt or ""
        yield self.boundary_text
        yield from self.shown.user.turns
