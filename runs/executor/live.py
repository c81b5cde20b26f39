"""The live tools of a run: which place answers for which tool, and one session a rollout.

A task says itself that it is live, in the digest that its rows carry: so no row of a real tool is
ever taken for one of a recording.
"""

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module

from benchmarks.environment.live import LiveFailed, LiveReply, LiveTools
from benchmarks.records.base import JsonObject
from benchmarks.records.direction import Dependencies, Dependency
from benchmarks.records.endpoint import Endpoint, NotAnEndpoint, read_endpoint
from benchmarks.records.task import Task
from runs.arms.http_tools import HttpTools

LIVE = "live"
MCP = "runs.live.mcp_server:McpTools"
"""Loaded by name when a run needs it: the executor itself knows no MCP."""
TOKENS = "UNDERSTUDY_LIVE_TOKEN_"
Open = Callable[[Dependency], LiveTools]
Fault = tuple[str, str]
"""The class of an error, and what is wrong."""


@dataclass(frozen=True)
class LiveGround:
    """What of a directory and a machine decides which tools are live."""

    dependencies: Dependencies = field(default_factory=Dependencies)
    allowed: Collection[str] = ()
    """The endpoints that somebody approved on this machine."""

    def of_task(self, task: Task) -> list[Dependency]:
        """The live dependencies that a task reaches."""
        return [one for one in self.dependencies.of_task(task) if one.posture == LIVE]

    def faults(self, task: Task) -> list[Fault]:
        """Why the live tools of a task may not or cannot be called; all of it."""
        found = self.of_task(task)
        if not found and task.posture == LIVE:
            return [("ApprovalRequired", f"task {task.task_id} has live tools nobody approved")]
        return [fault for one in found if (fault := self._fault(task, one)) is not None]

    def tools_of(self, task: Task) -> dict[str, Dependency]:
        """The dependency behind each live tool of a task; none where the task is not live."""
        if task.posture != LIVE:
            return {}
        return {tool: one for one in self.of_task(task) for tool in one.tools}

    def _fault(self, task: Task, one: Dependency) -> Fault | None:
        named = f"task {task.task_id}: the live dependency {one.name}"
        if not one.is_approved:
            return "ApprovalRequired", f"{named} was approved by nobody"
        if one.endpoint is None:
            return "InvalidArguments", f"{named} has no endpoint"
        try:
            read_endpoint(one.endpoint, one.kind)
        except NotAnEndpoint as error:
            return "InvalidArguments", f"{named}: {error}"
        if task.posture != LIVE:
            said = f"{named} became live after the task was made; regenerate-env makes it again"
            return "EnvironmentNotReady", said
        if one.endpoint not in self.allowed:
            said = f"{named} was not approved on this machine; approve its endpoint here"
            return "ApprovalRequired", said
        return None


class LiveSession:
    """The live tools of one rollout: a place is opened by the first call that goes there."""

    def __init__(self, tools: Mapping[str, Dependency], opener: Open) -> None:
        self._tools, self._opener = tools, opener
        self._opened: dict[str, LiveTools] = {}

    def serves(self, tool: str) -> bool:
        """Whether calls of a tool go to something real."""
        return tool in self._tools

    async def call(self, tool: str, arguments: JsonObject) -> LiveReply:
        """The tool's own answer.

        Raises:
            LiveFailed: there is none.
        """
        dependency = self._tools[tool]
        if dependency.name not in self._opened:
            self._opened[dependency.name] = self._opener(dependency)
        try:
            return await self._opened[dependency.name].call(tool, arguments)
        except LiveFailed as error:
            raise LiveFailed(f"{dependency.name}: {error}") from error

    async def aclose(self) -> None:
        """Let go of every place."""
        for opened in self._opened.values():
            await opened.aclose()


def open_live(dependency: Dependency, environ: Mapping[str, str] | None = None) -> LiveTools:
    """The way to a dependency, with the key that the environment holds for it.

    Raises:
        LiveFailed: its endpoint is none.
    """
    try:
        endpoint = read_endpoint(dependency.endpoint or "", dependency.kind)
    except NotAnEndpoint as error:
        raise LiveFailed(str(error)) from error
    token = (os.environ if environ is None else environ).get(token_name(dependency.name))
    if endpoint.kind == "http":
        return HttpTools(endpoint.url, token)
    return _mcp(endpoint, token)


def token_name(dependency: str) -> str:
    """The environment variable that holds the key to a dependency."""
    return TOKENS + re.sub(r"[^A-Z0-9]+", "_", dependency.upper()).strip("_")


def live_faults(tasks: Sequence[Task], ground: LiveGround) -> list[Fault]:
    """Everything that is wrong with the live tools of some tasks, each thing once."""
    return list(dict.fromkeys(fault for task in tasks for fault in ground.faults(task)))


def _mcp(endpoint: Endpoint, token: str | None) -> LiveTools:
    module, _, name = MCP.partition(":")
    made: LiveTools = getattr(import_module(module), name)(endpoint, token)
    return made
