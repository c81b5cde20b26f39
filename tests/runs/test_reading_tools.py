"""The MCP tools that read runs and status, as the server calls them."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import roots
from benchmarks.doors.call import Call
from benchmarks.doors.progress import Progress
from benchmarks.errors import Ambiguous, InvalidArguments
from benchmarks.records.caller import Caller
from runs.mcp_tools import TOOLS
from tests.reviews.desks import make_desk
from tests.runs.services.requests import make_request, queue
from tests.runs.services.test_rollouts import keep, refund

SLUG = "local--refund-desk"
ENTRIES = {entry.name: entry for entry in TOOLS}


@pytest.fixture
def call(lab_home: Path) -> Call:
    desk = make_desk(lab_home / "benchmarks")
    queue(desk, make_request("run-1", "done", models=["m1", "m2"]))
    keep(desk, refund(), refund("A-9", model="m2"))
    here = home()
    return Call(
        caller=Caller("mcp:claude-code@mira", "mcp"),
        home=here,
        roots=roots(here),
        cwd=lab_home,
        progress=Progress(),
    )


def use(name: str, call: Call, **arguments: Any) -> Any:
    """Call a tool as the server does, once its arguments are checked."""
    ENTRIES[name].model.model_validate(arguments)
    return ENTRIES[name].function(call, **arguments)


def keys_are_published(name: str, document: Any, *optional: str) -> bool:
    return set(ENTRIES[name].keys) - {"page", *optional} <= set(document)


def test_the_status_of_a_benchmark(call: Call) -> None:
    document = use("benchmark_status", call, slug=SLUG)
    assert keys_are_published("benchmark_status", document)
    assert document["next"]["arguments"] is None or document["next"]["arguments"]["slug"] == SLUG


def test_a_run_is_found_without_its_benchmark(call: Call) -> None:
    document = use("run_status", call, run_id="run-1")
    assert keys_are_published("run_status", document, "result")
    assert document["slug"] == SLUG
    assert use("run_status", call, run_id="run-1", slug=SLUG, wait_s=1)["status"] == "done"


def test_a_rollout_and_one_text_of_it(call: Call) -> None:
    where = {"slug": SLUG, "run_id": "run-1", "task_id": "t1"}
    document = use("read_rollout", call, **where, model="m1")
    assert keys_are_published("read_rollout", document)
    piece = use("read_rollout", call, **where, model="m1", field="/final_response")["piece"]
    assert piece["text"] == "Done."
    with pytest.raises(Ambiguous):
        use("read_rollout", call, **where)
    with pytest.raises(InvalidArguments):
        use("read_rollout", call, **where, model="m1", field="/nothing")


def test_two_rollouts_side_by_side(call: Call) -> None:
    document = use(
        "diff_rollouts",
        call,
        slug=SLUG,
        task_id="t1",
        run_a="run-1",
        run_b="run-1",
        model_a="m1",
        model_b="m2",
    )
    assert keys_are_published("diff_rollouts", document)
    assert document["tool_sequence"]["arguments_diverge_at"] == 0
