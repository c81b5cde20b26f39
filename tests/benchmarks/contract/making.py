"""Small rollouts and contracts, spelled shortly."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.contract.mutating import Policy, effective_policy
from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.contract.score import Scored, score
from benchmarks.records.contract import Contract
from benchmarks.records.conversation import (
    CallRef,
    Conversation,
    End,
    Part,
    Stop,
    Text,
    Tool,
    ToolCall,
    ToolResult,
    Turn,
)
from benchmarks.records.vocabulary import Termination

TOOLS: Mapping[str, tuple[str, ...]] = {
    "create-ticket": ("title",),
    "set-status": ("ticket_id", "status"),
    "set-priority": ("ticket_id", "priority"),
    "close-ticket": ("ticket_id",),
    "send-email": ("to", "body"),
    "issue_refund": ("order_id", "amount"),
    "cancel_order": ("order_id",),
    "get_order": ("order_id",),
    "find_user": ("email",),
    "book-stay": ("room_id", "from_date", "nights", "guests", "extras", "wish"),
    "bookings": ("what",),
    "transfer_to_human_agents": ("summary",),
    "finish": ("answer",),
}


def tool(name: str, keys: Sequence[str] = (), **schema: Any) -> Tool:
    """A tool with untyped properties, or with the given schema."""
    declared = {"type": "object", "properties": {key: {} for key in keys}, **schema}
    return Tool(name=name, parameters=declared)


POLICY: Policy = effective_policy(None, [tool(name, keys) for name, keys in TOOLS.items()])


def call(name: str, result: Any = "OK", **arguments: Any) -> ObservedCall:
    """One accepted call."""
    return ObservedCall(name, dict(arguments), result=result)


def rejected(name: str, **arguments: Any) -> ObservedCall:
    """One call that was not carried out."""
    return ObservedCall(name, dict(arguments), status="error", result="Error: no")


def rollout(
    *calls: ObservedCall,
    said: str | Sequence[str] = "Done.",
    termination: str = Termination.FINISHED,
) -> Observed:
    """A rollout with these calls and texts."""
    texts = (said,) if isinstance(said, str) else tuple(said)
    texts = tuple(text for text in texts if text)
    return Observed(calls, texts, texts[-1] if texts else None, termination)


def contract(*required: Mapping[str, Any], writes: str = "forbid", **rest: Any) -> Contract:
    """A contract with these required entries."""
    return Contract.read({
        "status": "machine_proposed",
        "writes": writes,
        "required": list(required),
        **rest,
    })


def effect(name: str, entry_id: str = "o1", **matchers: Mapping[str, Any]) -> dict[str, Any]:
    """A state_effect with these matchers."""
    return {"id": entry_id, "type": "state_effect", "tool": name, "arguments": matchers}


def exact(value: Any) -> dict[str, Any]:
    """The matcher of one value, code point by code point."""
    return {"match": "exact", "value": value}


def response(kind: str, entry_id: str = "r1", **fields: Any) -> dict[str, Any]:
    """A response_obligation."""
    return {"id": entry_id, "type": "response_obligation", "kind": kind, **fields}


def said_value(value: Any, entry_id: str = "v1", **fields: Any) -> dict[str, Any]:
    """A value_propagation."""
    return {"id": entry_id, "type": "value_propagation", "value": value, **fields}


def judged(demand: Contract, observed: Observed, policy: Policy = POLICY) -> Scored:
    """The one scorer."""
    return score(demand, observed, policy)


class Talk:
    """A conversation while it is written down."""

    def __init__(self, *tools: Tool) -> None:
        """A conversation that is offered these tools."""
        self.turns: list[Turn] = []
        self.tools = list(tools)
        self.count = 0

    def _add(self, role: Any, *parts: Part) -> "Talk":
        index = len(self.turns)
        turn = Turn(index=index, role=role, origin="request", parts=list(parts))
        self.turns.append(turn)
        return self

    def system(self, text: str) -> "Talk":
        """The system says something."""
        return self._add("system", Text(text=text))

    def user(self, text: str) -> "Talk":
        """The user says something."""
        return self._add("user", Text(text=text))

    def says(self, text: str) -> "Talk":
        """The assistant says something."""
        return self._add("assistant", Text(text=text))

    def calls(
        self, name: str, arguments: dict[str, Any] | str, result: str | None = "OK",
        status: Any = "ok",
    ) -> "Talk":  # fmt: skip
        """The assistant calls a tool and gets a result; None: it was never captured."""
        self.count += 1
        call_id = f"c{self.count}"
        raw = isinstance(arguments, str)
        part = ToolCall(
            call_id=call_id,
            name=name,
            arguments=None if raw else arguments,
            arguments_raw=arguments if raw else None,
        )
        self._add("assistant", part)
        if result is not None:
            at = CallRef(turn=len(self.turns) - 1, part=0)
            answer = ToolResult(
                call_id=call_id, name=name, status=status, parts=[Text(text=result)], call=at
            )
            self._add("tool", answer)
        return self

    def ends(self, reason: Any = "reply") -> Conversation:
        """The conversation as it was captured."""
        return Conversation(
            dialect="messages",
            granularity="session",
            turns=self.turns,
            tools=self.tools,
            stop=Stop(reason="end"),
            end=End(reason=reason),
        )
