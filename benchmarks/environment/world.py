"""The world that answers one rollout's tool calls.

A call is answered by the first rule of spec/build.md 6.3 that applies. What was never recorded is
said to be so: a rejection is the agent's fault, `not_recorded` is the environment's, and neither
is ever a generic success. Nothing here reads a file, a clock or the scorer's side of a task.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from benchmarks.contract.call_keys import CallKey
from benchmarks.contract.lexicon import read_name, words
from benchmarks.contract.mutating import Policy, effect_of_call, is_closing
from benchmarks.environment.arithmetic import NotArithmetic, NumberFormat, evaluate
from benchmarks.environment.echo import created_thing, echo, echo_id
from benchmarks.environment.live import LiveReply
from benchmarks.environment.overlay import (
    NOT_FOUND,
    Overlay,
    Seen,
    change_of,
    entity_of_call,
    is_about,
)
from benchmarks.environment.rejections import (
    Rejection,
    declared_breach,
    malformed,
    styled,
    unknown_tool,
)
from benchmarks.environment.scene import Knowledge, Scene, make_scene
from benchmarks.environment.shared import Recorded, SharedIndex
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Fidelity
from benchmarks.records.environment import (
    Entity,
    EnvironmentTask,
    FixtureRow,
    Guidance,
    ToolSchema,
)
from benchmarks.records.tool_policy import ToolEntry
from benchmarks.records.vocabulary import Effect

Status = Literal["ok", "error", "rejected", "not_recorded"]
Counted = Literal["served", "not_recorded", "echoed", "simulated", "live", "rejected"]

CREATING_VERBS = words(
    "create add insert new register enroll book order reserve open issue post submit send pay"
    " refund charge buy purchase"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the world says to one call, and how it is counted."""

    status: Status
    content: Any
    """A JSON value; text stays text."""
    counted: Counted
    source: str | None = None
    """fixture, shared, overlay, echo, constant, builtin, live or closing; None for no source."""
    write: bool = False
    ends: bool = False
    """The call hands over or finishes: the rollout is over."""
    rejection: JsonObject | None = None
    """`{class, message}` of a rejected call."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One call with all that the rules look at."""

    tool: str
    arguments: JsonObject
    key: CallKey
    entry: ToolEntry | None
    entity: Entity | None
    write: bool


class World:
    """One rollout's state over a task's recording; two worlds share nothing that changes."""

    def __init__(
        self,
        task: EnvironmentTask,
        rows: Sequence[FixtureRow],
        schemas: Mapping[str, ToolSchema],
        guidance: Guidance,
        policy: Policy,
        simulated: bool = True,
    ) -> None:
        shared = SharedIndex((row for row in rows if row.task_id is None), policy)
        own = [row for row in rows if row.task_id == task.task_id]
        known = Knowledge(schemas, guidance, policy, shared)
        self.scene = make_scene(task, own, known, simulated=simulated)
        self.reset()

    @classmethod
    def of(cls, scene: Scene) -> "World":
        """A world before its first call over a scene that is already indexed."""
        world = cls.__new__(cls)
        world.scene = scene
        world.reset()
        return world

    def reset(self) -> None:
        """Forget every call."""
        self.cursors: Counter[CallKey] = Counter()
        self.writes: Counter[CallKey] = Counter()
        self.tally: Counter[Counted] = Counter()
        self.overlay = Overlay()

    def call(self, name: str, arguments: Mapping[str, Any]) -> Answer:
        """The answer to one call with parsed arguments."""
        answer = self.answer(name, dict(arguments))
        self.tally[answer.counted] += 1
        return answer

    def is_real(self, name: str) -> bool:
        """Whether a call of a tool may leave the world: it is offered, and ends nothing."""
        return name in self.scene.tools and not self.closes(name)

    def lived(self, name: str, arguments: JsonObject, reply: LiveReply) -> Answer:
        """The answer of a real tool, counted; the recording says nothing to it."""
        self.tally["live"] += 1
        write = effect_of_call(self.scene.known.policy.get(name), arguments) is Effect.WRITE
        return Answer(reply.status, reply.content, "live", "live", write=write)

    def malformed(self, name: str, reason: str) -> Answer:
        """The answer to a call whose arguments are no JSON object; it touches nothing."""
        self.tally["rejected"] += 1
        return rejected(malformed(name, reason), None)

    def closes(self, name: str) -> bool:
        """Whether a tool hands over or finishes."""
        return is_closing(self.scene.known.policy.get(name))

    def fidelity(self) -> Fidelity:
        """Where the answers so far came from; with a live one among them there is no share."""
        served, missing, live = (
            self.tally[counted] for counted in ("served", "not_recorded", "live")
        )
        return Fidelity(
            calls=self.tally.total(),
            served=served,
            not_recorded=missing,
            echoed=self.tally["echoed"],
            simulated=self.tally["simulated"],
            live=live,
            rejected=self.tally["rejected"],
            share=served / (served + missing) if served + missing and not live else None,
        )

    def answer(self, name: str, arguments: JsonObject) -> Answer:
        """The first rule that applies, in the order of the page."""
        tool = self.scene.tools.get(name)
        if tool is None:
            return rejected(unknown_tool(name, list(self.scene.tools)), None)
        breach = self.scene.breach(tool, arguments)
        if breach is not None:
            told = declared_breach(name, breach, self.scene.known.guidance)
            return rejected(told, self.scene.schema(name).rejection_style)
        entry = self.scene.known.policy.get(name)
        if self.closes(name):
            return Answer("ok", {"ok": True}, "echoed", "closing", ends=True)
        asked = Asked(
            tool=name,
            arguments=arguments,
            key=self.scene.keys.key(name, arguments),
            entry=entry,
            entity=entity_of_call(entry, arguments),
            write=effect_of_call(entry, arguments) is Effect.WRITE,
        )
        return self.written(asked) if asked.write else self.looked_up(asked)

    def written(self, asked: Asked) -> Answer:
        """A recorded error whose turn it is; else an echo, and the overlay moves."""
        self.cursors[asked.key] += 1
        turn = self.cursors[asked.key]
        rows = self.scene.own.get(asked.key, ())
        failed = next((row for row in rows if row.seq == turn and row.status == "error"), None)
        if failed is not None:
            return Answer("error", failed.content, "served", "fixture", write=True)
        content = self.created(asked) if self.creates(asked) else self.changed(asked)
        return Answer("ok", content, "echoed", "echo", write=True)

    def creates(self, asked: Asked) -> bool:
        """Whether the write makes a thing: its records show new ids, or its verb says so."""
        if self.scene.schema(asked.tool).id_prefix is not None:
            return True
        idempotent = asked.entry is not None and asked.entry.idempotent
        return not idempotent and read_name(asked.tool).verb in CREATING_VERBS

    def created(self, asked: Asked) -> Any:
        """The echo of a write that makes a thing; the thing can be read under its id."""
        shape, made = self.scene.schema(asked.tool).reply_shape, self.echo_ids(asked)
        content = echo(shape, asked.tool, asked.arguments, made)
        if self.scene.simulated:
            thing = created_thing(shape, content, asked.arguments, made[""])
            self.overlay.created[thing.id] = thing.object_
        return content

    def changed(self, asked: Asked) -> Any:
        """The echo of a write on a thing that is there; later reads show the change."""
        known: JsonObject = dict(asked.arguments)
        if self.scene.simulated and asked.entity is not None:
            change = change_of(asked.tool, asked.entry, asked.entity, asked.arguments)
            self.overlay.record(change)
            known |= self.object_now(asked.entity) or {}
        schema = self.scene.schema(asked.tool)
        return echo(schema.reply_shape, asked.tool, known, self.echo_ids(asked))

    def echo_ids(self, asked: Asked) -> dict[str, str]:
        """The ids that this write gets, from the call and how often it was made, by pointer."""
        self.writes[asked.key] += 1
        times = self.writes[asked.key]
        schema = self.scene.schema(asked.tool)
        own = (schema.id_prefix or "") + echo_id(self.scene.task_id, asked.key, times)
        made = {"": own}
        for place, (pointer, prefix) in enumerate(id_pointers(schema)):
            second = prefix + echo_id(self.scene.task_id, asked.key, times, pointer)
            made[pointer] = second if place else own
        return made

    def looked_up(self, asked: Asked) -> Answer:
        """A recorded answer, what this rollout made, or what a tool is known to compute."""
        rows = self.scene.answers(asked.key)
        if rows:
            return self.replayed(asked, rows)
        made = self.made(asked) if self.scene.simulated else None
        if made is not None:
            status: Status = "error" if made.removed else "ok"
            return Answer(status, made.content, "simulated", "overlay")
        constant = self.scene.constant(asked.tool)
        if constant is not None:
            return Answer("ok", constant.content, "simulated", "constant")
        return self.computed(asked) or not_recorded(asked.tool)

    def replayed(self, asked: Asked, rows: Sequence[Recorded]) -> Answer:
        """The next occurrence, the last one again and again, with this rollout's changes in it."""
        row = rows[min(self.cursors[asked.key], len(rows) - 1)]
        self.cursors[asked.key] += 1
        source = "shared" if row.shared else "fixture"
        if row.status == "error":
            return Answer("error", row.content, "served", source)
        seen = self.seen(asked, row.content)
        if not seen.changed:
            return Answer("ok", row.content, "served", source)
        return Answer("error" if seen.removed else "ok", seen.content, "simulated", "overlay")

    def seen(self, asked: Asked, content: Any) -> Seen:
        """A recorded result as this rollout sees it."""
        if not self.scene.simulated:
            return Seen(content, changed=False)
        whole = asked.entity if asked.entity and is_about(asked.tool, asked.entity) else None
        return self.overlay.seen(content, whole)

    def made(self, asked: Asked) -> Seen | None:
        """The object of a thing that this rollout made or changed, where the read fits it."""
        created = self.overlay.made_by_id(asked.arguments)
        if created is not None:
            return Seen(dict(created), changed=True)
        change = self.overlay.change_to(asked.entity)
        if change is None or asked.entity is None or not is_about(asked.tool, asked.entity):
            return None
        if change.removed:
            return Seen(dict(NOT_FOUND), changed=True, removed=True)
        now = self.object_now(asked.entity)
        fits = now is not None and self.fits(asked.tool, now)
        return Seen(now, changed=True) if fits else None

    def fits(self, tool: str, object_: JsonObject) -> bool:
        """Whether the tool is known to return such objects, or nothing is known of its results."""
        shape = self.scene.schema(tool).reply_shape
        if not isinstance(shape, dict):
            return True
        names = set(shape.get("properties") or ())
        return shape.get("type") == "object" and 2 * len(names & set(object_)) >= len(names)

    def object_now(self, entity: Entity) -> JsonObject | None:
        """The recorded object of an entity with this rollout's changes in it."""
        recorded = self.scene.object_of(entity)
        if recorded is None:
            return self.overlay.created.get(entity.id)
        seen = self.overlay.seen(recorded, entity)
        return None if seen.removed else seen.content

    def computed(self, asked: Asked) -> Answer | None:
        """The result of a builtin, where the tool has one and it can be computed."""
        schema = self.scene.schema(asked.tool)
        if not self.scene.simulated or schema.builtin != "arithmetic":
            return None
        given = [value for value in asked.arguments.values() if value is not None]
        if len(given) != 1 or not isinstance(given[0], str):
            return None
        try:
            value = evaluate(given[0])
        except NotArithmetic:
            return None
        result = NumberFormat.read(schema.builtin_format).write(value)
        return Answer("ok", result, "simulated", "builtin")


def id_pointers(schema: ToolSchema) -> list[tuple[str, str]]:
    """Where the ids of a tool's replies stand, and their prefixes."""
    ids = (schema.reply_shape or {}).get("ids")
    found = ids if isinstance(ids, dict) else {}
    return [(str(pointer), str(prefix)) for pointer, prefix in found.items()]


def rejected(rejection: Rejection, style: str | None) -> Answer:
    """The answer to a call that is the agent's fault."""
    content = styled(rejection, style)
    return Answer("rejected", content, "rejected", rejection=rejection.document())


def not_recorded(tool: str) -> Answer:
    """The honest answer to a call that the recording cannot answer."""
    message = f"{tool}: no recorded result for these arguments in this environment."
    content = {"error": "not_recorded", "message": message}
    return Answer("not_recorded", content, "not_recorded")
