"""One question, three doors, one document: shell, MCP and REST over the demo's benchmark.

Only what a door adds by its nature may differ: how fresh an answer is, which page of a list it is,
the marks around text from outside, and the moment of reading.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import roots
from benchmarks.records.review import Review
from tests.driving import Shell
from tests.rest import Rest
from understudy_site.mcp.lab import LoadedLab
from understudy_site.mcp.session import Session

pytestmark = pytest.mark.django_db
DEMO = "local--demo"
DOORS_OWN = frozenset({"freshness", "page", "untrusted", "read_at"})
MARKS = re.compile(
    r"\[\[untrusted [0-9a-f]{4} begin source=\w+\]\]\n(.*)\n\[\[untrusted .* end\]\]", re.S
)
BIGGEST = 262_144


@pytest.fixture
def demo(demo_home: Path) -> BenchmarkDir:
    """The demo's benchmark in the test's own home."""
    return BenchmarkDir(demo_home / "benchmarks" / "demo")


@pytest.fixture
def tool(demo: BenchmarkDir) -> Callable[..., Any]:
    """`tool(name, **arguments)` gives the structured content of an MCP tool."""
    session = Session(roots=(), allowed=frozenset({"read"}))
    lab = LoadedLab(session, here=home(), within=roots(home()))

    def use(name: str, **arguments: Any) -> Any:
        asked = {"max_bytes": BIGGEST, **arguments}
        given = lab.call(name, asked, actor="mcp:test@mira", report=lambda progress: None)
        assert not given.is_error, given.texts
        assert not given.document.get("page", {}).get("cut")
        return given.document

    return use


@pytest.fixture
def rest(db: None) -> Rest:
    """A token of a reader."""
    return Rest("read")


@pytest.fixture
def run_id(demo: BenchmarkDir) -> str:
    """The demo's run of all tasks; another one was of its pilot alone."""
    [run_id] = [one.run_id for one in demo.requests().requests if len(one.tasks or []) != 1]
    return run_id


def bare(value: Any) -> Any:
    """A document without what its door adds, and without the marks around texts from outside."""
    if isinstance(value, dict):
        return {key: bare(item) for key, item in value.items() if key not in DOORS_OWN}
    if isinstance(value, list):
        return [bare(item) for item in value]
    if isinstance(value, str) and (marked := MARKS.fullmatch(value)):
        return marked[1]
    return value


def assert_same(**documents: Any) -> None:
    """Fail at the first key, by its path, on which two doors disagree."""
    (first, wanted), *others = documents.items()
    for door, document in others:
        for path, one, other in differences(bare(wanted), bare(document)):
            pytest.fail(f"{path}: {first} says {one!r}, {door} says {other!r}")


MISSING = object()


def differences(one: Any, other: Any, path: str = "") -> list[tuple[str, Any, Any]]:
    if isinstance(one, dict) and isinstance(other, dict):
        keys = dict.fromkeys([*one, *other])
        pairs = [(f"{path}/{key}", one.get(key, MISSING), other.get(key, MISSING)) for key in keys]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(f"{path}/{n}", *both) for n, both in enumerate(zip(one, other, strict=True))]
    else:
        return [] if one == other else [(path, one, other)]
    return [found for place, a, b in pairs for found in differences(a, b, place)]


def without(document: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key not in keys}


def test_status(shell: Shell, tool: Callable[..., Any], rest: Rest) -> None:
    assert_same(
        shell=shell("benchmarks", "status", DEMO).document,
        mcp=tool("benchmark_status", slug=DEMO),
        rest=rest.get(f"/api/benchmarks/{DEMO}/status").document,
    )


@pytest.mark.parametrize("split", [None, "all", "dev"])
def test_leaderboard(shell: Shell, tool: Callable[..., Any], rest: Rest, split: str | None) -> None:
    words = ["--split", split] if split else []
    asked = {"split": split} if split else {}
    assert_same(
        shell=shell("benchmarks", "leaderboard", DEMO, *words).document,
        mcp=tool("read_benchmark", slug=DEMO, include=["leaderboard"], **asked)["leaderboard"],
        rest=rest.get(f"/api/benchmarks/{DEMO}/leaderboard", **asked).document,
    )


def test_run_status(shell: Shell, tool: Callable[..., Any], rest: Rest, run_id: str) -> None:
    assert_same(
        shell=shell("runs", "status", DEMO, run_id).document,
        mcp=tool("run_status", run_id=run_id),
        rest=rest.get(f"/api/runs/{run_id}").document,
    )


def test_runs(shell: Shell, rest: Rest, demo: BenchmarkDir) -> None:
    assert_same(
        shell=shell("runs", "list", DEMO).document["runs"],
        rest=rest.get("/api/runs", slug=DEMO).document["results"],
    )


def test_tasks(shell: Shell, tool: Callable[..., Any], rest: Rest) -> None:
    told = tool("read_benchmark", slug=DEMO, limit=500)["tasks"]
    assert len(told) > 1
    assert_same(
        shell=shell("benchmarks", "tasks", DEMO, "--limit", 500).document["tasks"],
        mcp=told,
        rest=rest.get(f"/api/benchmarks/{DEMO}/tasks", limit=500).document["results"],
    )


def test_a_task(shell: Shell, tool: Callable[..., Any], rest: Rest, demo: BenchmarkDir) -> None:
    for task_id in demo.tasks():
        assert_same(
            shell=shell("benchmarks", "tasks", DEMO, task_id).document,
            mcp=tool("read_task", slug=DEMO, task_id=task_id),
            rest=rest.get(f"/api/benchmarks/{DEMO}/tasks/{task_id}").document,
        )


def test_reviews(shell: Shell, tool: Callable[..., Any], rest: Rest, demo: BenchmarkDir) -> None:
    task_id = next(iter(demo.tasks()))
    for minute, decision in enumerate(("reject", "accept")):
        at = f"2099-11-05T09:0{minute}:00.000Z"
        said = {
            "benchmark_id": "demo",
            "task_id": task_id,
            "decision": decision,
            "created_at": at,
            "source": "human",
        }
        demo.append(layout.REVIEWS, Review.read({**said, "note": "twice\nread", "door": "shell"}))
    listed = rest.get("/api/reviews", slug=DEMO, task=task_id).document["results"]
    [shown] = shell("reviews", "list", DEMO, "--history", "--task", task_id).document["tasks"]
    assert [line["decision"] for line in shown["history"]][-2:] == ["reject", "accept"]
    assert_same(
        shell=shown["history"],
        mcp=tool("read_task", slug=DEMO, task_id=task_id)["review_history"],
        rest=[without(line, "slug") for line in reversed(listed)],
    )
    assert_same(
        shell=shell("reviews", "list", DEMO).document["summary"],
        mcp=tool("read_benchmark", slug=DEMO)["review_summary"],
        rest=rest.get(f"/api/benchmarks/{DEMO}").document["review_summary"],
    )


def test_rollouts(
    shell: Shell, tool: Callable[..., Any], rest: Rest, demo: BenchmarkDir, run_id: str
) -> None:
    rows = demo.rows().records
    assert {row.model for row in rows} >= {"scripted/incumbent", "null_agent"}
    for row in rows[::5]:
        assert_same(
            shell=shell(
                "runs", "rollout", DEMO, run_id, row.task_id, "--arm", row.model, "--limit", 500
            ).document,
            mcp=tool(
                "read_rollout", slug=DEMO, run_id=run_id, task_id=row.task_id, model=row.model
            ),
            rest=rest.get(
                "/api/rollouts/one", run=run_id, task=row.task_id, arm=row.model
            ).document,
        )


def test_two_rollouts(
    shell: Shell, tool: Callable[..., Any], rest: Rest, demo: BenchmarkDir, run_id: str
) -> None:
    task_id = demo.rows().records[0].task_id
    a, b = "scripted/incumbent", "null_agent"
    assert_same(
        shell=shell(
            "runs", "diff", DEMO, task_id, run_id, run_id, "--arm-a", a, "--arm-b", b
        ).document,
        mcp=tool(
            "diff_rollouts",
            slug=DEMO,
            task_id=task_id,
            run_a=run_id,
            run_b=run_id,
            model_a=a,
            model_b=b,
        ),  # fmt: skip
        rest=rest.get(
            "/api/rollouts/diff", task=task_id, run_a=run_id, run_b=run_id, arm_a=a, arm_b=b
        ).document,
    )


def test_rows_are_those_of_the_files(rest: Rest, demo: BenchmarkDir) -> None:
    listed = [each for page in rest.pages("/api/rows", slug=DEMO, limit=7) for each in page]
    rows = demo.rows().records
    assert len(listed) == len(rows)
    by_cell = {
        (each["run_id"], each["model"], each["task_id"], each["rollout"]): each for each in listed
    }
    for row in rows:
        shown = by_cell[row.run_id, row.model, row.task_id, row.rollout or 0]
        said = json.loads(json.dumps(row.dump()))
        same = ("run_id", "benchmark_id", "split", "status", "score", "arm_kind", "created_at")
        for key in (*same, "subscores", "latency_ms", "cost", "turns", "termination"):
            assert shown[key] == said.get(key), (key, row.task_id, row.model)
