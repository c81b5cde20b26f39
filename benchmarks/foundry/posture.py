"""How a world answers: as somebody approved, else simulated where something can be written."""

from collections.abc import Iterable, Sequence

from benchmarks.contract.mutating import Policy, is_closing
from benchmarks.records.conversation import Tool
from benchmarks.records.direction import Dependencies, PostureWord
from benchmarks.records.vocabulary import Effect

WEAKEST_FIRST: tuple[PostureWord, ...] = ("frozen", "simulated", "live")


def suggested_posture(tools: Iterable[Tool], policy: Policy) -> PostureWord:
    """The posture suggested for a task that offers these tools (spec/build.md 9.2): never live.

    A tool that is classed call by call may write.
    """
    entries = [policy.get(tool.name) for tool in tools]
    writes = any(
        entry is not None
        and not is_closing(entry)
        and (entry.effect is Effect.WRITE or entry.per_call is not None)
        for entry in entries
    )
    return "simulated" if writes else "frozen"


def decided_posture(tools: Iterable[Tool], dependencies: Dependencies | None) -> PostureWord | None:
    """The posture that was approved for what these tools reach; None where nobody decided.

    A task has one world: of several postures the strongest is its own.
    """
    if dependencies is None:
        return None
    reached = dependencies.of_tools(frozenset(tool.name for tool in tools))
    if not any(one.is_approved for one in reached):
        return None
    words = {one.posture for one in reached if one.is_approved or one.posture != "live"}
    return max(words, key=WEAKEST_FIRST.index)


def is_simulated(posture: PostureWord | None, tools: Sequence[Tool], policy: Policy) -> bool:
    """Whether writes change what the recorded world answers later.

    Where nothing is decided, and beside live tools, it plays as its tools suggest.
    """
    decided = posture if posture in {"frozen", "simulated"} else suggested_posture(tools, policy)
    return decided == "simulated"
