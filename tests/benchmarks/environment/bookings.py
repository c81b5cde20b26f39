"""A world of bookings and tickets with a tool of every kind."""

from typing import Any

from benchmarks.contract.mutating import Policy, effective_policy
from benchmarks.environment.world import Answer, World
from benchmarks.records.conversation import Tool
from benchmarks.records.environment import EnvironmentTask, FixtureRow, Guidance, ToolSchema
from benchmarks.records.tool_policy import ToolEntry, ToolPolicy


def tool(
    name: str, *, inferred: bool = False, required: tuple[str, ...] = (), **types: Any
) -> Tool:
    properties = {
        key: kind if isinstance(kind, dict) else {"type": kind} for key, kind in types.items()
    }
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(
        name=name, parameters=parameters, required=list(required), inferred=inferred or None
    )


TOOLS = [
    tool("get_booking", booking_id="string", required=("booking_id",)),
    tool("update_booking", booking_id="string", cabin="string", address="object"),
    tool("cancel_booking", booking_id="string"),
    tool("delete_booking", booking_id="string"),
    tool("create_ticket", title="string", priority={"type": "string", "enum": ["p0", "p1"]}),
    tool("get_ticket", ticket_id="string"),
    tool("update_ticket", ticket_id="string", priority="string"),
    tool("pay", method="string", amount="number"),
    tool("search_rooms", views="array", floor="integer"),
    tool("list_rooms", hotel="string"),
    tool("house_rules"),
    tool("calculate", expression="string"),
    tool("run_sql", query="string"),
    tool("sync", part="string"),
    tool("transfer_to_human_agents", summary="string"),
    tool("finish", answer="string"),
]
SCHEMAS = {
    "house_rules": ToolSchema(constant=True),
    "calculate": ToolSchema(builtin="arithmetic", builtin_format={"decimals": 2, "style": "float"}),
    "create_ticket": ToolSchema(
        reply_shape={
            "type": "object",
            "properties": {"ticket_id": "string", "title": "string", "queue": "string"},
            "ids": {"/ticket_id": "tkt-"},
        },
        id_prefix="tkt-",
    ),
}


def own(tool_name: str, content: Any, status: str = "ok", **arguments: Any) -> FixtureRow:
    return FixtureRow(
        task_id="task-1", tool=tool_name, arguments=arguments, status=status, content=content
    )


def shared(tool_name: str, content: Any, **arguments: Any) -> FixtureRow:
    return FixtureRow(tool=tool_name, arguments=arguments, content=content)


def policy_of(tools: list[Tool], **changed: ToolEntry) -> Policy:
    return {**effective_policy(ToolPolicy(), tools), **changed}


def world(
    *rows: FixtureRow,
    task_id: str = "task-1",
    simulated: bool = True,
    schemas: dict[str, ToolSchema] | None = None,
    guidance: Guidance | None = None,
    tools: list[Tool] | None = None,
) -> World:
    offered = TOOLS if tools is None else tools
    task = EnvironmentTask(task_id=task_id, prompt="", candidate_prompt=[], tools=offered)
    return World(
        task,
        rows,
        SCHEMAS if schemas is None else schemas,
        guidance or Guidance(),
        policy_of(offered),
        simulated=simulated,
    )


def said(answer: Answer) -> tuple[str, Any, str, str | None]:
    return answer.status, answer.content, answer.counted, answer.source


A = {"booking_id": "A-7", "cabin": "eco", "status": "open"}
GET_A = own("get_booking", A, booking_id="A-7")
