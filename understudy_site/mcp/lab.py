"""The loaded lab behind the MCP server: every tool, and how a call is checked and run."""

import difflib
import json
import logging
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.artifacts.disk import refused
from benchmarks.artifacts.home import Home, home
from benchmarks.artifacts.roots import Root, roots
from benchmarks.doors import checking
from benchmarks.doors.audit import Deed
from benchmarks.doors.call import Call
from benchmarks.doors.jobs import Jobs
from benchmarks.doors.paging import Pager
from benchmarks.doors.progress import Progress
from benchmarks.doors.schemas import arguments_schema
from benchmarks.doors.tool import ToolEntry
from benchmarks.errors import Forbidden, Internal, UnderstudyError, UnknownTool
from benchmarks.records.caller import Caller
from understudy_site.mcp.answers import Answer, answer, refusal
from understudy_site.mcp.session import Session
from understudy_site.tools import TOOLS

Report = Callable[[Mapping[str, Any]], None]
COMMON = frozenset({"max_bytes", "limit", "cursor", "idempotency_key", "wait_s"})

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class PublishedTool:
    """A tool as `tools/list` shows it."""

    name: str
    title: str
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    hints: str


def published(entry: ToolEntry) -> PublishedTool:
    """The closed input schema, the output schema and the four hints of a tool."""
    properties: dict[str, Any] = {key: {} for key in ("ok", "notices", "next_actions", *entry.keys)}
    return PublishedTool(
        name=entry.name,
        title=entry.title,
        description=entry.description,
        input_schema=arguments_schema(entry.model),
        output_schema={"type": "object", "properties": properties},
        hints=entry.hints,
    )


class LoadedLab:
    """The tools that one session may call."""

    def __init__(self, session: Session, *, here: Home, within: Sequence[Root]) -> None:
        """The tools that `session` allows, over the roots `within`."""
        self._session = session
        self._home = here
        self._roots = within
        self._entries = {entry.name: entry for entry in TOOLS}
        self.tools = [published(entry) for entry in TOOLS if entry.permission in session.allowed]

    def call(
        self, name: str, arguments: Mapping[str, Any], *, actor: str, report: Report
    ) -> Answer:
        """Run a tool; a failure is an answer too, and nothing else leaves."""
        caller = Caller(actor=actor, door="mcp")
        try:
            return self._call(name, arguments, caller, report)
        except UnderstudyError as error:
            self._deed(caller, name, arguments).refused(self._home, error)
            return refusal(error)
        except Exception as error:  # noqa: BLE001 - the last resort of a door: logged, never shown
            return refusal(refused(error) or self._internal(name, error))

    def _call(
        self, name: str, arguments: Mapping[str, Any], caller: Caller, report: Report
    ) -> Answer:
        entry = self._entry(name)
        given = checked(entry, arguments)
        own = {key: value for key, value in given.items() if key in entry.own}
        caller = Caller(caller.actor, caller.door, given.get("idempotency_key"))
        call = replace(self._context(caller), report=report)
        document: Mapping[str, Any]
        if entry.waits and not given.get("dry_run"):
            jobs = Jobs(self._home)
            job = jobs.start(
                kind=name,
                arguments=own,
                roots=[str(root) for root in self._session.roots],
                caller=caller,
                now=call.now,
            )
            document = jobs.outcome(job.job_id, wait_s=given["wait_s"])
        else:
            document = entry.function(call, **own)
        if entry.writes and not given.get("dry_run"):
            self._deed(caller, name, arguments).record(self._home)
        return answer(
            entry, document, pager=self._pager(entry, given), max_bytes=given["max_bytes"]
        )

    def _entry(self, name: str) -> ToolEntry:
        entry = self._entries.get(name)
        if entry is None:
            near = difflib.get_close_matches(name, list(self._entries), n=1)
            hint = f"nearest: {near[0]}" if near else "tools/list names them all"
            raise UnknownTool(f"there is no tool {name!r}", hint=hint)
        if entry.permission not in self._session.allowed:
            raise Forbidden(
                f"{name} needs the permission {str(entry.permission)!r}",
                hint=f"this session allows {', '.join(sorted(self._session.allowed))}: "
                "restart the server with --allow",
                details={"permission": str(entry.permission)},
            )
        return entry

    def _context(self, caller: Caller) -> Call:
        return Call(
            caller=caller,
            home=self._home,
            roots=self._roots,
            cwd=Path.cwd(),
            progress=Progress(),
        )

    def _pager(self, entry: ToolEntry, given: Mapping[str, Any]) -> Pager | None:
        if entry.list_key is None:
            return None
        asked = {key: value for key, value in given.items() if key not in COMMON}
        return Pager(
            secret=self._home.secret(),
            limit=given["limit"],
            cursor=given.get("cursor"),
            filter=[entry.name, asked],
        )

    def _deed(self, caller: Caller, name: str, arguments: Mapping[str, Any]) -> Deed:
        return Deed(caller, name, arguments, self._context(caller).now)

    def _internal(self, name: str, error: Exception) -> Internal:
        error_id = uuid.uuid4().hex[:12]
        logger.error("error %s in tool %s", error_id, name, exc_info=error)
        self._home.log(f"error {error_id} in tool {name}", error)
        return Internal(
            f"something went wrong that should not have (error {error_id})",
            hint=f"the details are in {self._home.path / 'logs'}",
            details={"error_id": error_id},
        )


def open_lab(session: Session) -> LoadedLab:
    """Load the lab for one session."""
    here = home()
    return LoadedLab(session, here=here, within=roots(here, [Path(root) for root in session.roots]))


def checked(entry: ToolEntry, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by name, as the function takes them.

    Raises:
        InvalidArguments: an argument is unknown or its value is wrong; all are listed.
    """
    model = checking.checked(entry.model, _unwrapped(entry, arguments), what=entry.name)
    return {name: getattr(model, name) for name in entry.model.model_fields}


def _unwrapped(entry: ToolEntry, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays and objects that came as JSON text, parsed, where the schema has no text there."""
    properties = entry.model.model_json_schema().get("properties", {})
    whole: dict[str, Any] = {}
    for name, value in arguments.items():
        whole[name] = value
        if isinstance(value, str) and value[:1] in "[{" and value:
            kinds = json.dumps(properties.get(name, {}))
            if '"array"' in kinds or '"object"' in kinds or '"$ref"' in kinds:
                try:
                    whole[name] = json.loads(value)
                except ValueError:
                    continue
    return whole
