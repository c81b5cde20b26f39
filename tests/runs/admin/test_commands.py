"""Every command that a page offers to copy is one that the shell takes as it stands."""

import re
import shlex
from pathlib import Path

import pytest
from django.test import Client

from benchmarks.artifacts import layout
from tests.factories import make_desk, make_items, queue
from tests.reviews.admin.pages import Seen
from tests.reviews.factories import make_row
from tests.runs.admin.seeing import fresh
from tests.runs.services import benches
from understudy_site.cli import verbs_of
from understudy_site.shell import load, parser_of

pytestmark = pytest.mark.django_db
LISTS = (
    "/admin/",
    "/admin/benchmarks/benchmarkentry/",
    "/admin/inbox/",
    "/admin/inbox/?slug=local--refund-desk",
    "/admin/runs/",
    "/admin/runs/jobs/",
)
KNOWN_TO_THE_PAGE = re.compile(r"\b(BENCHMARK|SLUG|TASK|TEXT|RUN)\b")
STATES = {
    "proposal": benches.proposal,
    "promoted": benches.promoted,
    "flagged": benches.with_a_flagged_task,
    "feedback": benches.with_open_feedback,
}


def commands(page: Seen) -> list[str]:
    """What the copy buttons of a page copy, hand-offs to an agent left out."""
    found = [str(each["data-copy"]) for each in page.every("button") if "data-copy" in each]
    return [command for command in found if command.startswith("understudy ")]


def parsed(command: str) -> None:
    """Return when the parser of its verb takes the command."""
    _, noun, *rest = shlex.split(command)
    verbs = {entry.name: entry for entry in verbs_of(noun)}
    name = rest[0] if rest and rest[0] in verbs else ""
    parser_of(load(verbs[name])).parse(rest[1:] if name else rest)


def check(page: Seen) -> list[str]:
    """The commands of a page, each of which parses and leaves nothing out that is known."""
    found = commands(page)
    for command in found:
        parsed(command)
        assert not KNOWN_TO_THE_PAGE.search(command), command
    return found


def test_commands_of_a_fresh_install_parse(root: Path, operator: Client) -> None:
    found = [command for path in LISTS[:3] for command in check(fresh(operator, path))]
    found += [command for path in LISTS[4:] for command in check(fresh(operator, path))]
    build = "understudy traces build-benchmark --source CAPTURES --slug NAME"
    assert found == ["understudy demo", build, "understudy demo", build, "understudy demo"]


@pytest.mark.parametrize("state", STATES)
def test_commands_of_every_page_parse(root: Path, operator: Client, state: str) -> None:
    STATES[state](root)
    page = "/admin/benchmarks/benchmarkentry/local--refund-desk/"
    tasks = "/admin/tasks/local--refund-desk/t1/"
    found = {path: check(fresh(operator, path)) for path in (*LISTS, page, tasks)}
    assert "understudy runs execute --all" in found["/admin/"]
    assert len(found[page]) > 2
    assert all("refund-desk" in command for command in found[page])


def test_commands_of_a_run_parse(root: Path, operator: Client) -> None:
    desk = make_desk(root / "items", make_items(2))
    queue(desk, "run-1", status="running", models=["glm-5.2"])
    desk.directory.append(
        layout.rows("run-1", "glm-5.2"),
        make_row(desk.task_ids[0], 1.0, run_id="run-1", model="glm-5.2"),
    )
    assert check(fresh(operator, "/admin/runs/run-1/")) == [
        "understudy runs execute --benchmark local--items --run run-1"
    ]
