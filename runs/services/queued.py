"""What a written request is answered with, whatever it asks for, and who will pick it up."""

import shlex
from collections.abc import Mapping, Sequence

from benchmarks.artifacts.roots import JOINT, OUTSIDE, Located
from benchmarks.records.base import JsonObject
from benchmarks.records.request import RunRequest


def queued_answer(
    located: Located, request: RunRequest, warnings: Sequence[str], *, replayed: bool = False
) -> JsonObject:
    """The document of a service that queued a request."""
    directory = located.directory
    executor = executor_of(directory.holder() or directory.watcher())
    return {
        "notices": request.notices or [],
        "ok": True,
        "replayed": replayed,
        "actor": request.actor,
        "door": request.door,
        "slug": located.slug,
        "run_id": request.run_id,
        "run": request.dump(),
        "executor": executor,
        "execute_hint": execute_hint(executor, shell_name(located), request.run_id),
        "quote": request.quote,
        "warnings": list(warnings),
    }


def executor_of(holder: Mapping[str, object] | None) -> JsonObject:
    """Who is at work on the directory now, or watches it."""
    if holder is None:
        return {"live": False, "version": None}
    return {
        "live": True,
        "version": holder.get("executor_version"),
        "pid": holder.get("pid"),
        "host": holder.get("host"),
    }


def shell_name(located: Located) -> str:
    """What names the benchmark in a shell: outside every root only its path does."""
    outside = located.slug.startswith(f"{OUTSIDE}{JOINT}")
    return str(located.directory.path) if outside else located.slug


def execute_hint(executor: JsonObject, name: str, run_id: str) -> str:
    """Who will pick the request up, or the command that does."""
    if executor["live"]:
        who = f"pid {executor['pid']} on {executor['host']}"
        return f"executor {executor['version']} ({who}) is here and will pick it up"
    return shlex.join(["understudy", "runs", "execute", "--benchmark", name, "--run", run_id])
