"""docs/map.md: where each idea stands, read from the first line of every module."""

import ast
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
APPS = ("benchmarks", "reviews", "runs", "understudy_site")

INTRO = """\
# The map

One noun, one room. If two rooms fit, the lower one wins. Apps import downward in one line,
`understudy_site` → `runs` → `reviews` → `benchmarks`; inside an app the rooms stand on floors
and import down only.
`lint-imports` and `tests/architecture/` hold that.

| looking for | it stands in |
|---|---|
| a file name of a benchmark directory | `benchmarks/artifacts/layout.py` |
| a key in a JSON line | `benchmarks/records/<sidecar>.py` |
| a digest | `benchmarks/records/digest.py` |
| a lock, a lease between hosts | `benchmarks/artifacts/claim.py`, `runs/lease.py` |
| a broker, a worker | `runs/broker/`, `runs/tasks.py`, `understudy_site/celery.py` |
| a dialect of captures | `benchmarks/intake/dialects/` |
| whether a tool writes | `benchmarks/contract/mutating.py` |
| met or not met | `benchmarks/contract/score.py` |
| an answer to a tool call in a rollout | `benchmarks/environment/world.py` |
| a version bump, is a row stale | `benchmarks/versioning/bump.py`, `staleness.py` |
| an interval | `benchmarks/stats/` |
| which rows count | `reviews/rigor/evidence.py` |
| a floor | `reviews/rigor/floors.py` |
| may it be promoted | `reviews/promotion.py` |
| may it run, may it spend | `runs/requests/`, `runs/trust/` |
| what is still owed | `runs/executor/plan.py` |
| an error code, an HTTP status, an exit code | `benchmarks/errors.py` |
| a shell flag | `<app>/verbs/<noun>_<verb>.py` |
| an MCP argument | `benchmarks/doors/arguments.py` |
"""


def map_page() -> str:
    """The page: what stands where, then every module by its own first line."""
    lines = [INTRO]
    for app in APPS:
        lines.append(f"## {app}\n")
        for room, modules in _rooms(REPOSITORY / app):
            lines.append(f"**{room}**\n")
            lines += [f"- `{name}` {what}" for name, what in modules]
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _rooms(folder: Path) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for path in sorted(folder.rglob("*.py")):
        what = _first_line(path)
        inner = path.relative_to(folder).parent.as_posix()
        if what and "migrations" not in path.parts:
            found.setdefault(inner, []).append((path.name, what))
    for room in sorted(found):
        yield ("at the top" if room == "." else f"{room}/"), found[room]


def _first_line(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_bytes())) or ""
    return text.splitlines()[0].strip() if text else ""
