"""The calls of a model in one trace: spans that saw the same call are one (rule 2 of 1.4).

Kits wrap each other: a framework's span holds a client's, which holds a provider's. The content
with more parsed parts wins, the usage of the innermost that reports any; what a wrapper counted
again is told apart, never added.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.gateway.usage import total_usage
from benchmarks.intake.spans.conventions import AI_SDK, GENAI, Content, Reader
from benchmarks.intake.spans.counts import usage_of
from benchmarks.intake.spans.kinds import is_wrapper
from benchmarks.intake.spans.messages import Message
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.intake.spans.tree import Tree
from benchmarks.intake.wires.usage import UsageRead
from benchmarks.records.blocks import Usage

CONFLICT_SHARE = 0.01
AROUND = frozenset({SpanKind.AGENT, SpanKind.OTHER})


@dataclass(frozen=True, slots=True)
class Recount:
    """What a span around calls counted again, and what they counted themselves."""

    around: Usage
    inside: Usage


@dataclass(slots=True)
class ModelCall:
    """One call of a model, seen by one span or by several, the innermost first."""

    places: list[int]
    content: Content
    usage: UsageRead
    recounts: list[Recount] = field(default_factory=list)
    """What spans around it counted again; with the last call that they are around."""

    @property
    def place(self) -> int:
        """The innermost span that saw it."""
        return self.places[0]

    @property
    def answer(self) -> Message | None:
        """What the model said."""
        return self.content.answer.message

    @property
    def is_empty(self) -> bool:
        """Whether neither input nor output is known."""
        return not self.content.size


def calls_of(tree: Tree, reader: Reader) -> list[ModelCall]:
    """The calls of a trace in order of their start."""
    _promote_agents(tree, reader)
    if SpanKind.INFERENCE not in tree.kinds:
        _promote_whole(tree, reader)
    found: dict[int, list[ModelCall]] = {}
    outer = _outer_inferences(tree)
    inner: dict[int, list[int]] = {}
    for place in reversed(tree.order):
        if tree.kinds[place] is not SpanKind.INFERENCE:
            continue
        own = ModelCall([place], reader.content(tree.spans[place]), usage_of(tree.spans[place]))
        inside = [call for child in reversed(inner.get(place, [])) for call in found.pop(child)]
        found[place] = _folded(own, inside) if inside else [own]
        above = outer[place]
        if above is not None:
            inner.setdefault(above, []).append(place)
    placed = {call.place: call for group in found.values() for call in group}
    calls = [placed[place] for place in tree.by_start(SpanKind.INFERENCE) if place in placed]
    _count_agents(tree, calls)
    return calls


def _promote_agents(tree: Tree, reader: Reader) -> None:
    """Take a wrapper for the call it wraps where the call itself was not exported."""
    holds_call = [kind is SpanKind.INFERENCE for kind in tree.kinds]
    for place in reversed(tree.order):
        parent = tree.parents[place]
        if not holds_call[place] and _tells_a_call(tree, place, reader):
            tree.kinds[place] = SpanKind.INFERENCE
            holds_call[place] = True
        if parent is not None and holds_call[place]:
            holds_call[parent] = True


def _tells_a_call(tree: Tree, place: int, reader: Reader) -> bool:
    span = tree.spans[place]
    if tree.kinds[place] is not SpanKind.AGENT:
        return False
    if not is_wrapper(span) and "gen_ai.output.messages" not in span.attributes:
        return False
    content = reader.content(span)
    return content.convention in {AI_SDK, GENAI} and content.answer.message is not None


def _promote_whole(tree: Tree, reader: Reader) -> None:
    """Take the outermost spans that hold a whole exchange for the calls that were not exported."""
    taken = [False] * len(tree.spans)
    has_runs = SpanKind.TOOL in tree.kinds
    for place in tree.order:
        parent = tree.parents[place]
        taken[place] = parent is not None and taken[parent]
        if taken[place] or tree.kinds[place] not in AROUND:
            continue
        if _tells_an_exchange(reader.content(tree.spans[place]), has_runs=has_runs):
            tree.kinds[place] = SpanKind.INFERENCE
            taken[place] = True


def _tells_an_exchange(content: Content, *, has_runs: bool) -> bool:
    """Whether what was asked stands as messages, and what was said beside or among them.

    An answer beside them tells nothing of when tools ran, as one among them does.
    """
    roles = {message.role for message in content.heard.messages}
    answered = "assistant" in roles or (content.answer.message is not None and not has_runs)
    return not content.heard.lossy and "user" in roles and answered


def _outer_inferences(tree: Tree) -> list[int | None]:
    """The nearest inference above each span with no tool run between."""
    outer: list[int | None] = [None] * len(tree.spans)
    for place in tree.order:
        parent = tree.parents[place]
        if parent is None or tree.kinds[parent] is SpanKind.TOOL:
            continue
        is_inference = tree.kinds[parent] is SpanKind.INFERENCE
        outer[place] = parent if is_inference else outer[parent]
    return outer


def _folded(own: ModelCall, inside: list[ModelCall]) -> list[ModelCall]:
    """A span around others: the same call again, or a wrapper of several, or neither."""
    if len(inside) == 1:
        if _is_same(own.content, inside[0].content):
            return [_merged(own, inside)]
        return [own, *inside]
    if any(call.answer is not None for call in inside) or own.is_empty:
        _count_again(own.usage, inside)
        return inside
    return [_merged(own, inside)]


def _is_same(outer: Content, inner: Content) -> bool:
    """Whether two spans saw one call: all but those that asked and answered something else."""
    asked, asked_inside = _last_asked(outer), _last_asked(inner)
    said, said_inside = outer.answer.message, inner.answer.message
    if asked is None or asked_inside is None or said is None or said_inside is None:
        return True
    if asked.key == asked_inside.key or said.key == said_inside.key:
        return True
    return _within(said.text, said_inside.text) or _within(asked.text, asked_inside.text)


def _within(one: str, other: str) -> bool:
    return bool(one) and bool(other) and (one in other or other in one)


def _last_asked(content: Content) -> Message | None:
    messages = [message for message in content.heard.messages if message.role != "system"]
    return messages[-1] if messages else None


def _merged(own: ModelCall, inside: Sequence[ModelCall]) -> ModelCall:
    """One call that several spans saw."""
    richest = max(inside, key=lambda call: call.content.size)
    best, other = richest.content, own.content
    if other.size > best.size:
        best, other = other, best
    content = Content(
        heard=best.heard if best.heard.messages else other.heard,
        answer=best.answer if best.answer.message is not None else other.answer,
        convention=best.convention or other.convention,
    )
    merged = ModelCall(
        places=[place for call in inside for place in call.places] + own.places,
        content=content,
        usage=inside[0].usage if len(inside) == 1 else UsageRead(_sum(inside)),
        recounts=[recount for call in inside for recount in call.recounts],
    )
    _count_again(own.usage, [merged])
    return merged


def _count_again(around: UsageRead, inside: Sequence[ModelCall]) -> None:
    """What a wrapper counted: again, or alone where nothing inside it counted."""
    if around.usage is None:
        return
    counted = _sum(inside)
    if counted is None:
        inside[-1].usage = around
    else:
        inside[-1].recounts.append(Recount(around.usage, counted))


def _sum(calls: Sequence[ModelCall]) -> Usage | None:
    found = [call.usage.usage for call in calls]
    return total_usage(found) if any(block is not None for block in found) else None


def _count_agents(tree: Tree, calls: Sequence[ModelCall]) -> None:
    """Tell what agents and frameworks counted of the calls inside them apart from those."""
    counted = {
        place: used
        for place, kind in enumerate(tree.kinds)
        if kind in AROUND and (used := usage_of(tree.spans[place])).usage is not None
    }
    if not counted:
        return
    inside: dict[int, list[ModelCall]] = {}
    for call in calls:
        for place in tree.above(call.place):
            if place in counted:
                inside.setdefault(place, []).append(call)
    for place in reversed(tree.order):
        if place in inside:
            _count_again(counted[place], inside[place])


def differs(recount: Recount) -> bool:
    """Whether two counts of the same calls are more than a hundredth apart."""
    around, inside = tokens(recount.around), tokens(recount.inside)
    return abs(around - inside) > CONFLICT_SHARE * max(around, inside)


def tokens(usage: Usage) -> int:
    """All tokens of a block."""
    return (usage.input_tokens or 0) + (usage.output_tokens or 0)


def model_of(span: Span) -> str | None:
    """The model that answered, else the one that was asked for."""
    names = (
        "gen_ai.response.model", "llm.model_name", "ai.response.model", "gen_ai.request.model",
        "ai.model.id", "langfuse.observation.model.name", "model_name",
    )  # fmt: skip
    for name in names:
        value = span.attributes.get(name)
        if isinstance(value, str) and value:
            return value
    return span.model
