"""`understudy benchmarks mcp`: answers `initialize` first and loads the lab behind it."""

import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.artifacts.named_roots import named_roots
from benchmarks.doors.parsing import Parser
from benchmarks.doors.permissions import AGENT_PERMISSIONS
from benchmarks.errors import InvalidArguments, UnderstudyError
from benchmarks.release import VERSION
from understudy_site.mcp.session import Session

COMMAND, HOME = "understudy", "UNDERSTUDY_HOME"


def main(argv: Sequence[str]) -> int:
    """Serve over stdio until the client closes; stdout is the wire and nothing else."""
    try:
        options = _parser().parse(argv)
        allowed = _allowed(options.allow, read_only=options.read_only)
        further = [str(root) for root in named_roots(options.root)]
    except UnderstudyError as error:
        if sys.stdout.isatty():
            sys.stderr.write(f"error: {error.message}\nhint: {error.hint}\n")
        else:
            sys.stderr.write(json.dumps(error.document(), ensure_ascii=False) + "\n")
        return error.exit_code
    except SystemExit as stop:
        return int(stop.code or 0)
    if options.home:
        os.environ[HOME] = options.home
    if options.print_config:
        sys.stdout.write(json.dumps(registration(further), indent=2) + "\n")
        return 0
    from understudy_site.mcp.server import LabServer  # noqa: PLC0415 - 500 ms: the SDK

    session = Session(roots=tuple(further), allowed=allowed, actor=options.actor)
    LabServer(session, version=VERSION).run("stdio")
    return 0


def registration(roots: Sequence[str]) -> dict[str, object]:
    """The entry for an agent's MCP configuration, as it works when pasted on this machine.

    Off the PATH the command is this interpreter; a home of one's own goes along.
    """
    is_on_path = shutil.which(COMMAND) is not None
    arguments = [] if is_on_path else ["-m", "understudy_site.cli"]
    arguments += ["benchmarks", "mcp"]
    for root in roots:
        arguments += ["--root", root]
    server: dict[str, object] = {
        "type": "stdio",
        "command": COMMAND if is_on_path else sys.executable,
        "args": arguments,
    }
    home = os.environ.get(HOME)
    if home:
        server["env"] = {HOME: str(Path(home).expanduser().absolute())}
    return {"mcpServers": {"understudy-benchmarks": server}}


def _parser() -> Parser:
    parser = Parser(
        prog="understudy benchmarks mcp",
        description="Serve the benchmarks to a coding agent over MCP, on stdin and stdout.",
    )
    parser.add_argument("--root", metavar="DIR", action="append", default=[], help="a further root")
    parser.add_argument(
        "--allow", metavar="A,B", default=",".join(AGENT_PERMISSIONS), help="permissions"
    )
    parser.add_argument("--read-only", action="store_true", help="the same as --allow read")
    parser.add_argument("--print-config", action="store_true", help="print the registration")
    parser.add_argument("--home", metavar="DIR", help="in place of UNDERSTUDY_HOME")
    parser.add_argument("--actor", metavar="NAME", help="who acts; default mcp:<client>@<user>")
    return parser


def _allowed(text: str, *, read_only: bool) -> frozenset[str]:
    if read_only:
        return frozenset({"read"})
    named = [word.strip() for word in text.split(",") if word.strip()]
    strangers = [word for word in named if word not in AGENT_PERMISSIONS]
    if strangers or not named:
        raise InvalidArguments(
            f"--allow {text!r}: {', '.join(strangers) or 'nothing'} is not a permission",
            hint=f"any of {', '.join(AGENT_PERMISSIONS)}",
        )
    return frozenset(named)
