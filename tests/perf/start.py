"""How fast the doors open: `understudy --help`, and MCP exec to the `initialize` answer.

Prints one JSON object a figure: the median of five runs, the target, and a floor of the same run
(a bare interpreter; a bare SDK server).
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

RUNS = 5
HELP_MS, INITIALIZE_MS = 150.0, 700.0
REPOSITORY = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "understudy_site.cli"]
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "perf", "version": "1"},
    },
}
BARE_SERVER = "from mcp.server.mcpserver import MCPServer; MCPServer('bare').run('stdio')"


def environment(home: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "UNDERSTUDY_HOME": home, "PYTHONPATH": str(REPOSITORY)}


def timed_exit(command: list[str], env: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - began) * 1000


def timed_initialize(command: list[str], env: dict[str, str]) -> float:
    began = time.perf_counter()
    server = subprocess.Popen(
        command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    if server.stdin is None or server.stdout is None:
        raise RuntimeError("the server has no pipes")
    server.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
    server.stdin.flush()
    answer = json.loads(server.stdout.readline())
    took = (time.perf_counter() - began) * 1000
    server.stdin.close()
    server.wait(timeout=30)
    if answer["id"] != 1 or "result" not in answer:
        raise RuntimeError(f"no initialize answer: {answer}")
    return took


def figure(name: str, target: float, ours: Callable[[], float], floor: Callable[[], float]) -> None:
    ours(), floor()
    pairs = [(ours(), floor()) for _ in range(RUNS)]
    value = statistics.median(pair[0] for pair in pairs)
    report = {
        "figure": name,
        "median_ms": round(value, 1),
        "target_ms": target,
        "met": value <= target,
        "floor_ms": round(statistics.median(pair[1] for pair in pairs), 1),
        "runs": RUNS,
    }
    sys.stdout.write(json.dumps(report) + "\n")


def main() -> None:
    subprocess.run(
        [
            sys.executable,
            "-m",
            "compileall",
            "-q",
            "understudy_site",
            "benchmarks",
            "reviews",
            "runs",
        ],
        cwd=REPOSITORY,
        env={**environment("/nowhere")},
        check=True,
    )
    with tempfile.TemporaryDirectory() as home:
        env = environment(home)
        figure(
            "understudy --help",
            HELP_MS,
            lambda: timed_exit([*COMMAND, "--help"], env),
            lambda: timed_exit([sys.executable, "-c", "pass"], env),
        )
        figure(
            "MCP exec to initialize",
            INITIALIZE_MS,
            lambda: timed_initialize([*COMMAND, "benchmarks", "mcp"], env),
            lambda: timed_initialize([sys.executable, "-c", BARE_SERVER], env),
        )


if __name__ == "__main__":
    main()
