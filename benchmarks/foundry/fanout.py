"""Helpers hang on whoever started them: one task, the orchestrator's (spec/build.md 2.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks.contract.observed import said_by_turn
from benchmarks.foundry.grouping import Thread
from benchmarks.foundry.lineage import reading_order
from benchmarks.foundry.stitching import with_answers
from benchmarks.records.capture import HelperOf
from benchmarks.records.conversation import Conversation
from benchmarks.records.dag import Edge

HELPER = "helper"


@dataclass(frozen=True)
class FanOut:
    """All conversations, those of helpers apart."""

    threads: tuple[Thread, ...]
    """What may become tasks, each with its helpers."""
    helpers: tuple[Thread, ...]
    looped: tuple[Thread, ...]
    """Conversations that are said to have started each other."""


def fan_out(threads: Sequence[Thread]) -> FanOut:
    """The conversations, each helper's attached to the orchestrator at the top of its chain.

    Where nobody captured who started some helpers, the earliest of them stands for it, and is
    marked as guessed.
    """
    if not any(_caller(thread) for thread in threads):
        return FanOut(tuple(threads), (), ())
    return _FanOut(threads).result()


class _FanOut:
    """The conversations by position, with the position of whoever started each."""

    def __init__(self, threads: Sequence[Thread]) -> None:
        self.threads = threads
        self.above: dict[int, int] = {}
        self.guessed: set[int] = set()
        holders: dict[str, list[int]] = {}
        for at, thread in enumerate(threads):
            for capture in (*thread.main_line, *thread.beside):
                holders.setdefault(capture.capture_key, []).append(at)
        orphans: dict[str, list[int]] = {}
        for at, thread in enumerate(threads):
            caller = _caller(thread)
            if caller is None:
                continue
            found = [one for one in holders.get(caller.capture_key, ()) if one != at]
            if found:
                self.above[at] = _which(found, caller, threads)
            else:
                orphans.setdefault(caller.capture_key, []).append(at)
        for found in orphans.values():
            first = min(found, key=lambda at: reading_order(threads[at].main_line[0]))
            self.guessed.add(first)
            self.above.update({at: first for at in found if at != first})
        self.answers = self._final_texts()

    def _final_texts(self) -> dict[int, dict[str, str]]:
        """What helpers came to, by the position of whoever started them and by the call's id."""
        found: dict[int, dict[str, str]] = {}
        for at, above in self.above.items():
            caller, text = _caller(self.threads[at]), final_text(self.threads[at].conversation)
            if caller is not None and caller.call_id and text:
                found.setdefault(above, {}).setdefault(caller.call_id, text)
        return found

    def result(self) -> FanOut:
        """Everything attached."""
        chains = {at: list(self._chain(at)) for at in range(len(self.threads))}
        looped = {at for at, chain in chains.items() if chain[-1] in self.above}
        under: dict[int, list[int]] = {}
        for at, chain in chains.items():
            if at not in looped and len(chain) > 1:
                under.setdefault(chain[-1], []).append(at)
        tops = [at for at in chains if at not in self.above]
        return FanOut(
            threads=tuple(self._with_helpers(at, under.get(at, [])) for at in tops),
            helpers=tuple(self._answered(at) for at in chains if at in self.above.keys() - looped),
            looped=tuple(self._in_circle(at) for at in chains if at in looped),
        )

    def _chain(self, at: int) -> Iterator[int]:
        """A conversation, who started it, who started that one; a circle is gone round once."""
        seen: set[int] = set()
        while at not in seen:
            seen.add(at)
            yield at
            if at not in self.above:
                return
            at = self.above[at]

    def _with_helpers(self, at: int, under: Sequence[int]) -> Thread:
        thread = self._answered(at)
        edges = [self._edge(helper, thread.execution_group) for helper in under]
        return replace(
            thread,
            helpers=tuple(self.threads[helper] for helper in under),
            guessed=at in self.guessed,
            edges=(*thread.edges, *edges),
        )

    def _in_circle(self, at: int) -> Thread:
        thread = self.threads[at]
        return replace(thread, edges=(*thread.edges, self._edge(at, thread.execution_group)))

    def _edge(self, at: int, execution_group: str) -> Edge:
        thread, caller = self.threads[at], _caller(self.threads[at])
        starter = self.threads[self.above[at]]
        known = caller is not None and self._holds(starter, caller.capture_key)
        evidence = {"call_id": caller.call_id} if known and caller and caller.call_id else {}
        return Edge(
            from_=caller.capture_key if known and caller else starter.key,
            to=thread.key,
            type=HELPER,
            execution_group=execution_group,
            confidence="deterministic" if known else "low",
            evidence=evidence,
        )

    def _holds(self, thread: Thread, key: str) -> bool:
        return any(one.capture_key == key for one in (*thread.main_line, *thread.beside))

    def _answered(self, at: int) -> Thread:
        """The conversation, where its helpers' last words answer calls that nothing answers."""
        thread, answers = self.threads[at], self.answers.get(at)
        if answers is None:
            return thread
        return replace(thread, conversation=with_answers(thread.conversation, answers))


def final_text(conversation: Conversation) -> str:
    """The last thing that a conversation says; empty when it says nothing."""
    said = said_by_turn(conversation.turns)
    return said[-1][1] if said else ""


def _caller(thread: Thread) -> HelperOf | None:
    """The call that started a conversation."""
    return thread.main_line[0].helper_of


def _which(found: Sequence[int], caller: HelperOf, threads: Sequence[Thread]) -> int:
    """Of the forks that share a capture, the first that holds the call."""
    calling = (
        at
        for at in found
        if any(
            call.call_id == caller.call_id
            for turn in threads[at].conversation.turns
            for call in turn.calls()
        )
    )
    return next(calling, found[0])
