"""A hotel desk in a few words: conversations, tools, a policy and task sources."""

from typing import Any

from benchmarks.contract.compiling import compile_contract
from benchmarks.contract.mutating import Policy, effective_policy
from benchmarks.environment.package import Package, TaskSource, package
from benchmarks.foundry.boundary import boundary_of
from benchmarks.records.contract import Contract
from benchmarks.records.conversation import (
    CallRef,
    Conversation,
    End,
    JsonPart,
    Stop,
    Text,
    Tool,
    ToolCall,
    ToolResult,
    Turn,
)
from benchmarks.records.task import Task

Step = str | tuple[str, dict[str, Any], Any]
"""Words, or a call as `(tool, arguments, result)`; a result None was never captured.

Words that begin with `> ` are the assistant's, others the user's.
"""


def tool(name: str, required: tuple[str, ...] = (), **types: Any) -> Tool:
    properties = {
        key: kind if isinstance(kind, dict) else {"type": kind} for key, kind in types.items()
    }
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(name=name, description=f"{name}.", parameters=parameters, required=list(required))


TOOLS = [
    tool("get_booking", ("booking_id",), booking_id="string"),
    tool("list_rooms", hotel="string"),
    tool("cancel_booking", ("booking_id",), booking_id="string"),
    tool(
        "create_ticket",
        ("title",),
        title="string",
        priority={"type": "string", "enum": ["p0", "p1", "p2"]},
    ),
    tool("notify_desk", ("ticket_id",), ticket_id="string"),
    tool("transfer_to_human_agents", summary="string"),
]
POLICY: Policy = effective_policy(None, TOOLS)


def conversation(*steps: Step, tools: list[Tool] | None = None) -> Conversation:
    turns: list[Turn] = [
        Turn(index=0, role="system", origin="request", parts=[Text(text="You run the desk.")])
    ]
    for step in steps:
        if isinstance(step, str):
            role = "assistant" if step.startswith("> ") else "user"
            part = Text(text=step.removeprefix("> "))
            origin = "response" if role == "assistant" else "request"
            turns.append(Turn(index=len(turns), role=role, origin=origin, parts=[part]))
            continue
        name, arguments, result = step
        at = CallRef(turn=len(turns), part=0)
        call = ToolCall(call_id=f"c{len(turns)}", name=name, arguments=arguments)
        turns.append(Turn(index=at.turn, role="assistant", origin="response", parts=[call]))
        if result is None:
            continue
        said = Text(text=result) if isinstance(result, str) else JsonPart(value=result)
        answer = ToolResult(call_id=call.call_id, name=name, status="ok", parts=[said], call=at)
        turns.append(Turn(index=len(turns), role="tool", origin="request", parts=[answer]))
    last = steps[-1] if steps else ""
    replied = isinstance(last, str) and last.startswith("> ")
    return Conversation(
        dialect="openai.chat",
        granularity="session",
        turns=turns,
        tools=TOOLS if tools is None else tools,
        stop=Stop(reason="end"),
        end=End(reason="reply" if replied else "open"),
    )


def source(
    task_id: str,
    spoken: Conversation,
    *,
    trials: tuple[Conversation, ...] = (),
    contract: Contract | None = None,
    **fields: Any,
) -> TaskSource:
    boundary = boundary_of(spoken)
    assert boundary is not None
    task = Task(
        task_id=task_id,
        title=task_id,
        boundary_rule="earliest",
        tool_definitions=spoken.tools,
        outcome_contract=contract or compile_contract(spoken, POLICY).contract,
        **fields,
    )
    return TaskSource(task, boundary, spoken, trials)


def packaged(*sources: TaskSource, others: tuple[Conversation, ...] = ()) -> Package:
    recordings = [one.conversation for one in sources]
    trials = [trial for one in sources for trial in one.trials]
    return package(sources, [*recordings, *trials, *others], POLICY)


BOOKING = {"booking_id": "A-7", "status": "open", "guest": "Mia"}
CANCELLING: tuple[Step, ...] = (
    ("get_booking", {"booking_id": "A-7"}, BOOKING),
    ("cancel_booking", {"booking_id": "A-7"}, {"booking_id": "A-7", "status": "cancelled"}),
    "> Booking A-7 is cancelled.",
)
CANCELLED = conversation("Cancel booking A-7, please.", *CANCELLING)
LEAK = conversation(
    "Water drips in room 12!",
    ("list_rooms", {"hotel": "Adler"}, ["11", "12"]),
    ("create_ticket", {"title": "Leak in 12", "priority": "p0"}, {"ticket_id": "tkt-81"}),
    ("notify_desk", {"ticket_id": "tkt-81"}, "Desk told of tkt-81"),
    "> Somebody is on the way, ticket tkt-81.",
)
REFUSED = conversation(
    "Cancel booking B-8, it is for tonight.",
    ("get_booking", {"booking_id": "B-8"}, {"booking_id": "B-8", "status": "open"}),
    "> I cannot cancel on the same day.",
)
