"""Which call started which helper, and what the tools that start helpers do (spec/build.md 2.3).

A source says so itself (`helper_of`), or a helper's span hangs under a captured call, or its first
user turn is, word for word, what somebody else's call in the same session or trace hands over.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.contract.lexicon import read_name
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import observed_calls
from benchmarks.foundry.lineage import reading_order
from benchmarks.foundry.turns import system_text
from benchmarks.foundry.wording import normal
from benchmarks.records.capture import Capture, HelperOf
from benchmarks.records.conversation import ToolCall
from benchmarks.records.tool_policy import ToolEntry
from benchmarks.records.vocabulary import Effect, Role

TASK_CHARS = 20
"""A first user turn shorter than this may be what a call hands over by chance."""
EVIDENCE = "fan_out"
LEXICON = "lexicon"
Opening = tuple[str, str]
"""What a conversation opens with: its first user turn and its system text, as they stand."""


def linked(captures: Sequence[Capture]) -> list[Capture]:
    """The captures, each helper's with the call that started it."""
    found = _Links(captures)
    return [found.linked(capture) for capture in captures]


def with_delegates(
    entries: Mapping[str, ToolEntry], captures: Sequence[Capture]
) -> dict[str, ToolEntry]:
    """The entries, where the tools that start helpers do what their helpers did.

    Whoever said more than a name does (operator, annotation, HTTP method) is believed.
    """
    made = _delegations(linked(captures))
    policy = dict(entries)
    for _ in range(len(made) + 1):
        effects = {name: _effect(helpers, policy) for name, helpers in made.items()}
        changed = {
            name: policy[name].with_(effect=effect, evidence=EVIDENCE, role=Role.DELEGATE)
            for name, effect in effects.items()
            if name in policy
            and policy[name].source == LEXICON
            and (policy[name].effect, policy[name].evidence) != (effect, EVIDENCE)
        }
        if not changed:
            break
        policy |= changed
    return policy


def _effect(helpers: Iterable[Sequence[Capture]], policy: Policy) -> Effect:
    """Write when any helper made an accepted write."""
    return Effect.WRITE if any(_wrote(helper, policy) for helper in helpers) else Effect.READ


def _wrote(helper: Sequence[Capture], policy: Policy) -> bool:
    """Whether the captures of one helper hold a write that none of them shows rejected."""
    accepted: dict[str, bool] = {}
    for capture in helper:
        for call in observed_calls(capture.conversation, policy):
            if call.is_write(policy):
                name = call.call_id or f"{capture.capture_key} {call.turn}"
                accepted[name] = accepted.get(name, True) and call.accepted
    return any(accepted.values())


def _delegations(captures: Sequence[Capture]) -> dict[str, list[list[Capture]]]:
    """The captures of each helper, by the tool whose call started it."""
    by_key = {capture.capture_key: capture for capture in captures}
    helpers: dict[tuple[str, str], list[Capture]] = {}
    for capture in captures:
        if capture.helper_of is not None:
            caller = (capture.helper_of.capture_key, capture.helper_of.call_id)
            helpers.setdefault(caller, []).append(capture)
    made: dict[str, list[list[Capture]]] = {}
    for (key, call_id), found in sorted(helpers.items()):
        caller_capture = by_key.get(key)
        call = caller_capture and call_of(caller_capture, call_id)
        if call:
            made.setdefault(call.name, []).append(found)
    return made


def call_of(capture: Capture, call_id: str) -> ToolCall | None:
    """The call of that id in a capture: the last one, which its own response made."""
    turns = reversed(capture.conversation.turns)
    found = (call for turn in turns for call in turn.calls() if call.call_id == call_id)
    return next(found, None) if call_id else None


@dataclass
class _Scope:
    """What one session or trace holds."""

    captures: list[Capture] = field(default_factory=list)
    openings: dict[str, Opening] = field(default_factory=dict)
    """By capture key."""

    @property
    def is_shared(self) -> bool:
        """Whether several conversations open in it."""
        return len(set(self.openings.values())) > 1


class _Links:
    """The calls of all captures, looked up when a helper asks for the one that started it."""

    def __init__(self, captures: Sequence[Capture]) -> None:
        scopes: dict[str, _Scope] = {}
        for capture in captures:
            name = _scope(capture)
            if name is not None:
                scope = scopes.setdefault(name, _Scope())
                scope.captures.append(capture)
                scope.openings[capture.capture_key] = opening_of(capture)
        self.scopes = {name: scope for name, scope in scopes.items() if scope.is_shared}
        self.handed: dict[str, dict[str, list[tuple[Capture, ToolCall]]]] = {}
        self.spans = {
            name: {capture.capture_id: capture for capture in scope.captures}
            for name, scope in self.scopes.items()
        }

    def linked(self, capture: Capture) -> Capture:
        """The capture with its caller, where one is known."""
        said = capture.helper_of
        if said is not None:
            is_own = said.capture_key == capture.capture_key
            return capture.with_(helper_of=None) if is_own else capture
        name = _scope(capture)
        if name is None or name not in self.scopes:
            return capture
        caller = self._by_span(name, capture) or self._by_words(name, capture)
        return capture if caller is None else capture.with_(helper_of=caller)

    def _by_span(self, name: str, capture: Capture) -> HelperOf | None:
        """The captured call under whose span the capture's own stands."""
        identity = capture.source.identity
        above = identity.caller_span_id or (capture.trace and capture.trace.caller_span_id)
        parent = self.spans[name].get(above) if above else None
        openings = self.scopes[name].openings
        if parent is None or openings[parent.capture_key] == openings[capture.capture_key]:
            return None
        return HelperOf(capture_key=parent.capture_key, call_id="")

    def _by_words(self, name: str, capture: Capture) -> HelperOf | None:
        """The call that hands over what the capture opens with."""
        scope = self.scopes[name]
        opening = scope.openings[capture.capture_key]
        if len(opening[0]) < TASK_CHARS:
            return None
        for caller, call in self._calls(name).get(normal(opening[0]), ()):
            own = scope.openings[caller.capture_key]
            if own == opening:
                continue
            if own[0] != opening[0] or read_name(call.name).role is Role.DELEGATE:
                return HelperOf(capture_key=caller.capture_key, call_id=call.call_id)
        return None

    def _calls(self, name: str) -> Mapping[str, list[tuple[Capture, ToolCall]]]:
        """The calls of a scope by each text that they hand over, the earliest first."""
        if name not in self.handed:
            found: dict[str, list[tuple[Capture, ToolCall]]] = {}
            for capture in sorted(self.scopes[name].captures, key=reading_order):
                for call in _own_calls(capture):
                    for text in _texts(call):
                        found.setdefault(text, []).append((capture, call))
            self.handed[name] = found
        return self.handed[name]


def opening_of(capture: Capture) -> Opening:
    """What the capture's conversation opens with."""
    turns = capture.conversation.turns
    first = next((turn.text() for turn in turns if turn.role == "user"), "")
    return first, system_text(turns)


def _own_calls(capture: Capture) -> Iterable[ToolCall]:
    """The calls that the capture itself recorded first."""
    is_session = capture.conversation.granularity == "session"
    for turn in capture.conversation.turns:
        if is_session or turn.origin == "response":
            yield from turn.calls()


def _texts(call: ToolCall) -> Iterable[str]:
    for value in (call.arguments or {}).values():
        if isinstance(value, str) and len(value) >= TASK_CHARS:
            yield normal(value)


def _scope(capture: Capture) -> str | None:
    identity = capture.source.identity
    session = identity.session_id or identity.conversation_id or identity.execution_id
    if session:
        return f"session {session}"
    trace = capture.trace
    return f"trace {trace.trace_id}" if trace is not None and trace.valid else None
