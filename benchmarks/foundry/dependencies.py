"""What the tools of a benchmark reach: one dependency per server or origin (spec/build.md 9.2)."""

from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from benchmarks.contract.lexicon import PREFIX
from benchmarks.contract.mutating import Policy, is_closing
from benchmarks.foundry.posture import suggested_posture
from benchmarks.foundry.tasks import Draft
from benchmarks.records.conversation import Conversation, Tool
from benchmarks.records.direction import Dependency, DependencyKind
from benchmarks.records.vocabulary import Role

Origin = tuple[DependencyKind, str]

APPLICATION: Origin = ("other", "application tools")
"""Tools of which nothing says where they lead."""
PROVIDER: Origin = ("other", "provider tools")
HTTP = "http tools"
USER = "user"
NO_OUTSIDE = frozenset({Role.SCRATCH, Role.DELEGATE})
"""Tools that reach nothing beyond the agent and its helpers."""
SIMULATED = "simulated"
MCP_MARK = "mcp__"


def dependencies_of(drafts: Sequence[Draft], policy: Policy, *, seed: int) -> list[Dependency]:
    """Every dependency of these conversations by kind and name, each with a suggested posture.

    A live posture is never suggested. A user who speaks again is a dependency of its own: a script
    of what was said, until a person wants a model there.
    """
    servers = called_servers(draft.conversation for draft in drafts)
    tools = {tool.name: tool for draft in drafts for tool in reversed(draft.conversation.tools)}
    for name in sorted({name for draft in drafts for name in draft.surface} - tools.keys()):
        tools[name] = Tool(name=name)
    found: dict[Origin, list[Tool]] = {}
    for name in sorted(tools):
        entry = policy.get(name)
        role = entry.role if entry is not None else None
        if not is_closing(entry) and role not in NO_OUTSIDE:
            origin = origin_of(tools[name], servers.get(name), policy)
            found.setdefault(origin, []).append(tools[name])
    made = [
        _dependency(kind, name, members, policy, seed)
        for (kind, name), members in sorted(found.items())
    ]
    if any(draft.boundary.script for draft in drafts):
        made.append(Dependency(name=USER, kind="model", posture="frozen"))
    return _apart(made)


def origin_of(tool: Tool, server: str | None, policy: Policy) -> Origin:
    """Where a tool leads: its server, its host, a database, or what the source leaves open."""
    named = tool.server or server or prefixed_server(tool.name)
    if named:
        return "mcp", named
    if tool.http is not None:
        return "http", _host(tool.http) or HTTP
    entry = policy.get(tool.name)
    if entry is not None and entry.per_call == "sql":
        return "database", tool.name
    return PROVIDER if tool.kind == "provider" else APPLICATION


def prefixed_server(name: str) -> str | None:
    """The server in a name such as `mcp__github__create_issue`."""
    found = PREFIX.match(name)
    if found is None or not found[0].startswith(MCP_MARK):
        return None
    return found[0][len(MCP_MARK) : -2]


def called_servers(conversations: Iterable[Conversation]) -> dict[str, str]:
    """The server of each tool, where its calls name one."""
    return {
        call.name: call.server
        for conversation in conversations
        for turn in conversation.turns
        for call in turn.calls()
        if call.server
    }


def _dependency(
    kind: DependencyKind, name: str, tools: Sequence[Tool], policy: Policy, seed: int
) -> Dependency:
    posture = suggested_posture(tools, policy)
    return Dependency(
        name=name,
        kind=kind,
        tools=[tool.name for tool in tools],
        posture=posture,
        seed=seed if posture == SIMULATED else None,
    )


def _apart(found: Sequence[Dependency]) -> list[Dependency]:
    """Dependencies under names of their own: of two with one name, the later says its kind too."""
    taken: set[str] = set()
    named = []
    for one in found:
        name = one.name if one.name not in taken else f"{one.name} ({one.kind})"
        taken.add(name)
        named.append(one.with_(name=name))
    return named


def _host(http: dict[str, object]) -> str | None:
    for key in ("url", "base_url", "server", "path"):
        value = http.get(key)
        if isinstance(value, str) and "://" in value:
            try:
                return urlsplit(value).hostname
            except ValueError:
                return None
    return None
