"""Which calls of a trace are one conversation, and who started whom.

A call goes on with a conversation when its input holds that one's history, or when its input lost
it and nothing says otherwise. Calls inside the run of a tool are that tool's own, a helper's.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.intake.spans.calls import ModelCall
from benchmarks.intake.spans.messages import (
    Message,
    arguments_key,
    common_prefix,
    system_text,
    without_system,
)
from benchmarks.intake.spans.span import SpanKind
from benchmarks.intake.spans.tool_runs import ToolRun
from benchmarks.intake.spans.tree import Tree, known_starts

ALIKE = 200
"""How many conversations that begin alike are looked at, the latest ones."""


@dataclass(slots=True)
class Thread:
    """The calls and tool runs of one conversation, in order."""

    scope: int | None
    """The tool run that it happened inside of."""
    agent: int | None = None
    calls: list[ModelCall] = field(default_factory=list)
    runs: list[ToolRun] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    """Its history so far, the last answer included."""
    heard: int = 0
    """How much of the history the last input held."""
    first: str = ""
    """What was asked first."""
    system: str = ""
    parent: "Thread | None" = None
    call_id: str | None = None


def threads_of(tree: Tree, calls: Sequence[ModelCall], runs: Sequence[ToolRun]) -> list[Thread]:
    """The conversations of a trace, in order of their first call, each after its parent."""
    finder = _Finder()
    for call in calls:
        finder.take(call, tree.tools[call.place], tree.agents[call.place])
    threads = finder.threads
    _Givers(tree, threads).give(runs)
    _name_parents(tree, threads)
    return _parents_first(threads)


class _Finder:
    """Finds the conversation that a call goes on with, among those so far."""

    def __init__(self) -> None:
        self.threads: list[Thread] = []
        self.by_opening: dict[tuple[int | None, str], list[Thread]] = {}
        self.by_first: dict[tuple[int | None, str], Thread] = {}
        self.by_agent: dict[tuple[int | None, int | None], Thread] = {}
        self.latest: dict[int | None, Thread] = {}
        self.unheard: dict[int | None, list[Thread]] = {}
        """Conversations none of whose inputs was captured."""

    def take(self, call: ModelCall, scope: int | None, agent: int | None) -> None:
        """Put a call where it belongs."""
        messages = without_system(call.content.heard.messages)
        keys = [message.key for message in messages]
        first = _first_asked(messages)
        told = self._told_already(call, keys, scope)
        if told is not None:
            _put_in_order(told, call, len(keys))
            self._index(told, agent)
            return
        thread = self._continued(call, keys, scope)
        if thread is None and keys and not call.content.heard.lossy:
            thread = self._answered_before(keys, scope)
        elif thread is None:
            thread = self._lost(first, scope, agent)
        if thread is None:
            thread = Thread(scope, agent)
            self.threads.append(thread)
        _join(thread, call, keys, first)
        self._index(thread, agent)

    def _continued(self, call: ModelCall, keys: Sequence[str], scope: int | None) -> Thread | None:
        """The conversation most of whose history an input holds, the latest of several."""
        system = system_text(call.content.heard.messages)
        best: Thread | None = None
        most = 1
        near = self.by_opening.get((scope, keys[0]), []) if keys else []
        for thread in near[-ALIKE:]:
            shared = common_prefix(keys, thread.keys)
            if shared >= most and _goes_on(thread, keys, shared, system):
                best, most = thread, shared
        return best

    def _told_already(
        self, call: ModelCall, keys: Sequence[str], scope: int | None
    ) -> Thread | None:
        """The conversation that went on after this call, and was met before it."""
        if call.answer is None or not keys:
            return None
        whole = [*keys, call.answer.key]
        for thread in reversed(self.by_opening.get((scope, keys[0]), [])[-ALIKE:]):
            if len(thread.keys) > len(whole) and thread.keys[: len(whole)] == whole:
                return thread
        return None

    def _answered_before(self, keys: Sequence[str], scope: int | None) -> Thread | None:
        """The conversation without inputs whose answers all stand in this input."""
        held = set(keys)
        for thread in reversed(self.unheard.get(scope, [])[-ALIKE:]):
            if not thread.first and thread.keys and set(thread.keys) <= held:
                return thread
        return None

    def _lost(self, first: str, scope: int | None, agent: int | None) -> Thread | None:
        """Where a call belongs whose input lost the history: its agent's, else the latest."""
        if first and (scope, first) in self.by_first:
            return self.by_first[scope, first]
        if (scope, agent) in self.by_agent and (agent is not None or not first):
            return self.by_agent[scope, agent]
        return None if first else self.latest.get(scope)

    def _index(self, thread: Thread, agent: int | None) -> None:
        scope = thread.scope
        if thread.keys:
            alike = self.by_opening.setdefault((scope, thread.keys[0]), [])
            if not any(one is thread for one in alike[-ALIKE:]):
                alike.append(thread)
        if thread.first:
            self.by_first[scope, thread.first] = thread
        elif len(thread.calls) == 1:
            self.unheard.setdefault(scope, []).append(thread)
        self.by_agent[scope, agent] = thread
        self.latest[scope] = thread


def _put_in_order(thread: Thread, call: ModelCall, heard: int) -> None:
    """Put a call in front of the first whose input held more."""
    place = next(
        (
            place
            for place, one in enumerate(thread.calls)
            if len(without_system(one.content.heard.messages)) > heard
        ),
        len(thread.calls),
    )
    thread.calls.insert(place, call)


def _join(thread: Thread, call: ModelCall, keys: list[str], first: str) -> None:
    thread.first = thread.first or first
    thread.system = thread.system or system_text(call.content.heard.messages)
    if call.content.heard.lossy:
        known = set(thread.keys)
        thread.keys += [key for key in keys if key not in known]
    else:
        # The latest form is the one that the next input holds.
        thread.keys = list(keys)
    thread.heard = len(thread.keys)
    if call.answer is not None:
        thread.keys.append(call.answer.key)
    thread.calls.append(call)


def _first_asked(messages: Sequence[Message]) -> str:
    asked = next((message for message in messages if message.role == "user"), None)
    return asked.key if asked is not None else ""


def _goes_on(thread: Thread, keys: Sequence[str], shared: int, system: str) -> bool:
    """Whether an input holds a history to its end, or all that was heard of it and more.

    A call that was never answered is sent again with the same input.
    """
    holds_all = shared == len(thread.keys)
    if holds_all and shared > thread.heard:
        return True
    if system and thread.system and system != thread.system:
        return False
    if holds_all and thread.calls[-1].answer is None:
        return True
    return shared >= thread.heard and len(keys) > shared


class _Givers:
    """Gives each tool run to the conversation that asked for it."""

    def __init__(self, tree: Tree, threads: list[Thread]) -> None:
        self.tree = tree
        self.threads = threads
        self.starts = known_starts(tree.spans)
        self.by_place: dict[int, Thread] = {}
        self.by_id: dict[tuple[int | None, str], Thread] = {}
        self.by_call: dict[tuple[int | None, str, str], Thread] = {}
        self.by_agent: dict[tuple[int | None, int], Thread] = {}
        self.near: dict[int | None, list[tuple[int, int]]] = {}
        """When conversations began, and which they are."""
        for place, thread in enumerate(threads):
            self._learn(thread)
            began = (self.starts[thread.calls[0].place], place)
            self.near.setdefault(thread.scope, []).append(began)

    def _learn(self, thread: Thread) -> None:
        for call in thread.calls:
            for place in call.places:
                self.by_place.setdefault(place, thread)
            agent = self.tree.agents[call.place]
            if agent is not None:
                self.by_agent.setdefault((thread.scope, agent), thread)
            for message in call.content.messages:
                for found in message.calls:
                    if found.raw_id is not None:
                        self.by_id.setdefault((thread.scope, found.raw_id), thread)
                    key = (thread.scope, found.name or "", arguments_key(found.arguments))
                    self.by_call.setdefault(key, thread)

    def give(self, runs: Sequence[ToolRun]) -> None:
        """Each run in order; one seen by two spans is given once, the inner ones of a tool not."""
        given: dict[int, ToolRun] = {}
        for run in runs:
            above = self.tree.tools[run.place]
            if above is not None and _is_same_run(given.get(above), run):
                given[run.place] = run
                continue
            thread = self._thread(run, above)
            if thread is not None:
                thread.runs.append(run)
                given[run.place] = run

    def _thread(self, run: ToolRun, scope: int | None) -> Thread | None:
        found = self.by_id.get((scope, run.call_id)) if run.call_id is not None else None
        if found is None:
            found = self._enclosing(run)
        if found is None:
            keys = [(scope, run.name, key) for key in run.argument_keys]
            found = next((self.by_call[key] for key in keys if key in self.by_call), None)
        if found is None:
            found = self._nearest(run, scope)
        if found is None and scope is None:
            found = Thread(None, self.tree.agents[run.place])
            self.near[None] = [(self.starts[run.place], len(self.threads))]
            self.threads.append(found)
        return found

    def _enclosing(self, run: ToolRun) -> Thread | None:
        """The conversation of the call that the run happened inside of."""
        for place in self.tree.above(run.place):
            if self.tree.kinds[place] is SpanKind.TOOL:
                return None
            if place in self.by_place:
                return self.by_place[place]
        return None

    def _nearest(self, run: ToolRun, scope: int | None) -> Thread | None:
        """The conversation of the run's agent, else the latest that had begun before it."""
        agent = self.tree.agents[run.place]
        if agent is not None and (scope, agent) in self.by_agent:
            return self.by_agent[scope, agent]
        near = self.near.get(scope)
        if not near:
            return None
        place = bisect_right(near, (self.starts[run.place], len(self.threads)))
        return self.threads[near[max(place - 1, 0)][1]]


def _is_same_run(outer: ToolRun | None, run: ToolRun) -> bool:
    """Whether two kits' spans saw one run of a tool."""
    if outer is None:
        return False
    if outer.call_id is not None and run.call_id is not None:
        return outer.call_id == run.call_id
    return outer.name == run.name


def _name_parents(tree: Tree, threads: Sequence[Thread]) -> None:
    """Say of every helper who started it: through a tool, or as an agent above its own."""
    by_run = {run.place: (thread, run) for thread in threads for run in thread.runs}
    by_agent: dict[tuple[int | None, int], Thread] = {}
    for thread in threads:
        for call in thread.calls:
            agent = tree.agents[call.place]
            if agent is not None:
                by_agent.setdefault((thread.scope, agent), thread)
    for thread in threads:
        if thread.scope is not None:
            started = by_run.get(thread.scope)
            if started is not None and started[0] is not thread:
                thread.parent, run = started
                thread.call_id = run.call_id
        elif thread.agent is not None:
            thread.parent = _agent_above(tree, thread, by_agent)


def _agent_above(
    tree: Tree, thread: Thread, by_agent: dict[tuple[int | None, int], Thread]
) -> Thread | None:
    """The conversation of the nearest agent above a thread's own, told something else."""
    agent = tree.agents[thread.agent] if thread.agent is not None else None
    while agent is not None:
        found = by_agent.get((thread.scope, agent))
        if found is not None and found is not thread and found.system != thread.system:
            return found
        agent = tree.agents[agent]
    return None


def _parents_first(threads: Sequence[Thread]) -> list[Thread]:
    """Threads in order, each after the one that started it; circles of helpers are cut."""
    placed: list[Thread] = []
    seen: set[int] = set()
    for thread in threads:
        chain: list[Thread] = []
        one: Thread | None = thread
        while one is not None and id(one) not in seen:
            seen.add(id(one))
            chain.append(one)
            one = one.parent
        if one is not None and any(one is link for link in chain):
            chain[-1].parent = None
        placed += reversed(chain)
    return placed
