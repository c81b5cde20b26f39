"""How a captured conversation ended: the first rule that holds (spec/build.md 1.6)."""

from collections.abc import Callable, Sequence

from benchmarks.contract.mutating import classify
from benchmarks.records.conversation import End, Refusal, Text, ToolCall, ToolResult, Turn
from benchmarks.records.vocabulary import Role

RoleOf = Callable[[str], Role | None]


def role_by_name(name: str) -> Role | None:
    """The role that a tool's own name gives it."""
    return classify(name).role


def end_of(
    turns: Sequence[Turn],
    *,
    user_stopped: bool = False,
    limit: str = "",
    failed: str = "",
    role_of: RoleOf = role_by_name,
) -> End:
    """The end of a conversation.

    `user_stopped`: the user closed it. `limit`: which limit cut it. `failed`: why its last model
    call failed. `role_of`: what a tool is for.
    """
    if user_stopped:
        return End(reason="user_stop")
    closing = _closing_call(turns, role_of)
    if closing is not None:
        return closing
    if limit:
        return End(reason="limit", detail=limit)
    if _replied(turns):
        return End(reason="reply")
    if failed:
        return End(reason="error", detail=failed)
    return _unfinished(turns)


def _closing_call(turns: Sequence[Turn], role_of: RoleOf) -> End | None:
    found = last_call(turns)
    if found is None:
        return None
    call, result = found
    if result is not None and result.status == "error":
        return None
    role = role_of(call.name)
    if role is Role.HANDOFF:
        return End(reason="handoff", detail=call.name)
    if role is Role.FINISH:
        return End(reason="finish", detail=call.name)
    return None


def last_call(turns: Sequence[Turn]) -> tuple[ToolCall, ToolResult | None] | None:
    """The last call of the conversation and its result, if it has one."""
    for turn in reversed(turns):
        for position in range(len(turn.parts) - 1, -1, -1):
            call = turn.parts[position]
            if isinstance(call, ToolCall):
                return call, _result_of(turns, turn.index, position)
    return None


def _result_of(turns: Sequence[Turn], turn_index: int, part_index: int) -> ToolResult | None:
    for turn in turns[turn_index:]:
        for result in turn.results():
            if result.call and (result.call.turn, result.call.part) == (turn_index, part_index):
                return result
    return None


def _replied(turns: Sequence[Turn]) -> bool:
    """Whether the last turn is the assistant's and something is said behind its calls.

    What the provider's own tool came to the model alone may have seen: what it says then tells.
    """
    if not turns or turns[-1].role != "assistant":
        return False
    last = turns[-1]
    if not (last.text().strip() or any(isinstance(part, Refusal) for part in last.parts)):
        return False
    answered = {(r.call.turn, r.call.part) for r in last.results() if r.call}
    said_at = max(at for at, part in enumerate(last.parts) if isinstance(part, Text | Refusal))
    return all(
        (last.index, at) in answered or (part.executed_by is not None and at < said_at)
        for at, part in enumerate(last.parts)
        if isinstance(part, ToolCall)
    )


def _unfinished(turns: Sequence[Turn]) -> End:
    if not turns:
        return End(reason="unknown", detail="no turn")
    found = last_call(turns)
    last = turns[-1]
    if found is not None and found[1] is not None and found[1] in last.results():
        if found[1].status == "error":
            return End(reason="error", detail=found[0].name)
        return End(reason="open", detail="the last turn is a result")
    if last.calls():
        return End(reason="open", detail="the last turn is a call")
    if last.results():
        return End(reason="open", detail="the last turn is a result")
    if last.role == "user":
        return End(reason="open", detail="the last turn is the user's")
    return End(reason="unknown", detail=f"the last turn is the {last.role}'s and says nothing")
