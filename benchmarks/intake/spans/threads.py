"""Which calls of a trace are one conversation, and who started whom.

A call goes on with a conversation when its input holds that one's history, or when its input lost
it and nothing says otherwise. Calls inside the run of a tool are that tool's own, a helper's.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.intake.spans.calls import ModelCall
from benchmarks.intake.spans.messages import (
    Message,
    arguments_key,
    common_prefix,
    key_of,
    system_text,
    without_system,
)
from benchmarks.intake.spans.span import SpanKind
from benchmarks.intake.spans.tool_runs import ToolRun
from benchmarks.intake.spans.tree import Tree, known_starts


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
    threads: list[Thread] = []
    for call in calls:
        scope, agent = tree.tools[call.place], tree.agents[call.place]
        thread = _continued(threads, call, scope, agent)
        if thread is None:
            thread = Thread(scope, agent)
            threads.append(thread)
        _join(thread, call)
    _Givers(tree, threads).give(runs)
    _name_parents(tree, threads)
    return _parents_first(threads)


def _join(thread: Thread, call: ModelCall) -> None:
    messages = without_system(call.content.heard.messages)
    keys = [key_of(message) for message in messages]
    if not thread.first:
        thread.first = _first_asked(messages)
    thread.system = thread.system or system_text(call.content.heard.messages)
    if common_prefix(keys, thread.keys) == len(thread.keys):
        thread.keys = keys
    else:
        known = set(thread.keys)
        thread.keys += [key for key in keys if key not in known]
    thread.heard = len(thread.keys)
    if call.answer is not None:
        thread.keys.append(key_of(call.answer))
    thread.calls.append(call)


def _first_asked(messages: Sequence[Message]) -> str:
    asked = next((message for message in messages if message.role == "user"), None)
    return key_of(asked) if asked is not None else ""


def _continued(
    threads: Sequence[Thread], call: ModelCall, scope: int | None, agent: int | None
) -> Thread | None:
    """The conversation that a call goes on with; None for a new one."""
    near = [thread for thread in threads if thread.scope == scope]
    messages = without_system(call.content.heard.messages)
    keys = [key_of(message) for message in messages]
    system = system_text(call.content.heard.messages)
    best: Thread | None = None
    most = 0
    for thread in near:
        shared = common_prefix(keys, thread.keys)
        if shared >= max(most, 1) and _goes_on(thread, keys, shared, system):
            best, most = thread, shared
    if best is not None:
        return best
    if keys and not call.content.heard.lossy:
        return _answered_before(near, keys)
    return _lost(near, _first_asked(messages), agent)


def _goes_on(thread: Thread, keys: Sequence[str], shared: int, system: str) -> bool:
    """Whether an input holds a history to its end, or all that was heard of it and more."""
    if shared == len(thread.keys) and shared > thread.heard:
        return True
    same_system = not system or not thread.system or system == thread.system
    return same_system and shared >= thread.heard and len(keys) > shared


def _answered_before(near: Sequence[Thread], keys: Sequence[str]) -> Thread | None:
    """The conversation whose inputs were never captured and whose answers stand in this one."""
    held = set(keys)
    for thread in reversed(near):
        if not thread.first and thread.keys and set(thread.keys) <= held:
            return thread
    return None


def _lost(near: Sequence[Thread], first: str, agent: int | None) -> Thread | None:
    """Where a call belongs whose input lost the history: to its agent's, else to the latest."""
    if first:
        same = [thread for thread in near if thread.first == first]
        near = same or [thread for thread in near if agent is not None and thread.agent == agent]
    own = [thread for thread in near if thread.agent == agent]
    chosen = own or near
    return chosen[-1] if chosen else None


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
        for thread in threads:
            self._learn(thread)

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
        near = [thread for thread in self.threads if thread.scope == scope]
        start = self.starts[run.place]
        begun = [
            thread
            for thread in near
            if thread.calls and self.starts[thread.calls[0].place] <= start
        ]
        return begun[-1] if begun else (near[0] if near else None)


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
