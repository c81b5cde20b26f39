"""The commands of a Markdown page, run as a reader would: in one shell, from top to bottom."""

import os
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```sh\n(.*?)^```", flags=re.S | re.M)
PORT = "1421"
BACKGROUND = re.compile(r"^(understudy hub serve[^\n#]*&).*$", flags=re.M)


def blocks(text: str) -> list[str]:
    """The shell blocks of a page."""
    return BLOCK.findall(text)


def run_blocks(found: list[str], folder: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """Run blocks in `folder`; the first command that fails ends it, and what was begun is ended.

    The page's port is a free one, and its home is `home`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    port = _free_port()
    waits = f"until curl -sf -o /dev/null http://127.0.0.1:{port}/healthz; do sleep 0.2; done"
    said = "\n".join(found).replace(f"127.0.0.1:{PORT}", f"127.0.0.1:{port}")
    said = said.replace("~/.understudy", shlex.quote(str(home)))
    script = BACKGROUND.sub(rf"\1\n{waits}", said)
    ends = "trap 'for pid in $(jobs -p); do kill $pid; wait $pid; done || true' EXIT"
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"{ends}\n{script}"],
        cwd=folder,
        env={**os.environ, "PATH": _path(folder), "UNDERSTUDY_HUB_PORT": str(port)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def _path(folder: Path) -> str:
    """PATH, with this interpreter's `understudy` first."""
    place = folder / "bin"
    place.mkdir(exist_ok=True)
    command = place / "understudy"
    command.write_text(
        f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(REPOSITORY))} "
        f'exec {shlex.quote(sys.executable)} -m understudy_site.cli "$@"\n',
        encoding="utf-8",
    )
    command.chmod(0o755)
    return f"{place}{os.pathsep}{os.environ['PATH']}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
