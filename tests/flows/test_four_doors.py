"""The airline benchmark through every door, as real processes: shell, REST, worker, admin, MCP."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from playwright.sync_api import Browser, Page, expect

from tests.browser import browser as browser
from tests.browser import chromium as chromium
from tests.executing import REPOSITORY, environment
from tests.stub_model import StubModel
from tests.tables import give_tables
from tests.working import PATIENCE_S, make_lab, running_worker

SLUG = "local--airline"
ROLLOUTS = 8
SAID_BACK = "The passenger names no cabin, and the contract asks for one."
UNDERSTUDY = (sys.executable, "-m", "understudy_site.cli")


@dataclass(frozen=True)
class Hub:
    """`understudy hub serve`, and a token for it."""

    url: str
    token: str

    def ask(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """What a route answers."""
        request = urllib.request.Request(
            self.url + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            found: dict[str, Any] = json.loads(answer.read())
        return found


def understudy(environ: dict[str, str], *words: str) -> dict[str, Any]:
    """The document that a verb prints."""
    done = subprocess.run(
        [*UNDERSTUDY, *words, "--json"],
        env=environ, cwd=REPOSITORY, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@contextmanager
def serving(environ: dict[str, str], log: Path) -> Iterator[Hub]:
    """A hub on a free port, gone afterwards."""
    words = ("hub", "serve", "--port", "0")
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            [*UNDERSTUDY, *words], env=environ, cwd=REPOSITORY, stdout=subprocess.PIPE,
            stderr=stderr, text=True,
        )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, log.read_text("utf-8")
        allowed = "read,review,queue"
        made = understudy(environ, "hub", "serve", "--new-token", "ci", "--permissions", allowed)
        yield Hub(json.loads(line)["url"], made["token"])
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_S)
        if process.stdout is not None:
            process.stdout.close()


def signed_in(environ: dict[str, str], browser: Browser, hub: Hub) -> Page:
    """A page of somebody who came in by a one-time link."""
    link = understudy(environ, "hub", "serve", "--once-link")
    page = browser.new_page()
    page.goto(link["url"])
    button = page.get_by_role("button", name="Sign in")
    if button.count():
        button.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Dashboard")
    return page


def ask_over_mcp(home: Path, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """What a tool answers a coding agent."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "understudy_site.cli", "benchmarks", "mcp"],
        env={"UNDERSTUDY_HOME": str(home), "PATH": os.environ["PATH"]},
        cwd=str(REPOSITORY),
    )

    async def ask() -> dict[str, Any]:
        async with Client(server) as client:
            found: dict[str, Any] = (await client.call_tool(tool, arguments)).structured_content
            return found

    # The browser's driver keeps an event loop in this thread.
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(anyio.run, ask).result()


@pytest.mark.xdist_group("workers")
def test_a_benchmark_goes_through_every_door(
    tmp_path: Path, data_dir: Path, browser: Browser, made_tables: Path
) -> None:
    home = make_lab(tmp_path)
    give_tables(home.path, made_tables)
    with StubModel() as stub:
        stub.behaviour.latency_s = 0.4
        environ = environment(home.path, stub.url)
        source = data_dir / "tau-bench" / "gpt-4o-airline.trials01.json"
        built = understudy(
            environ, "traces", "build-benchmark", "--source", str(source),
            "--slug", "airline", "--waive-pilot", "a test of the doors",
        )  # fmt: skip
        assert built["splits"] == "train 22 / dev 6 / holdout 3"
        with running_worker(home, stub.url), serving(environ, tmp_path / "hub.log") as hub:
            tasks = hub.ask(f"/api/benchmarks/{SLUG}/tasks?fresh=1&limit=500")
            assert (tasks["page"]["total"], len(tasks["results"])) == (31, 31)
            task_id = tasks["results"][0]["task_id"]

            page = signed_in(environ, browser, hub)
            asked = {"slug": SLUG, "models": ["stub-model"], "tasks": [task_id]}
            answer = hub.ask("/api/runs", {**asked, "rollouts_per_task": ROLLOUTS, "confirm": True})
            run_id = answer["run"]["run_id"]
            page.goto(f"{hub.url}/admin/runs/{run_id}/")
            figure = page.locator("#live .tile", has_text="Progress").locator(".figure")
            expect(figure).to_have_text(f"{ROLLOUTS} of {ROLLOUTS}", timeout=PATIENCE_S * 1000)
            expect(page.locator("#live [role=status]")).to_contain_text("done")

            rows = hub.ask(f"/api/rows?fresh=1&slug={SLUG}&run={run_id}")["results"]
            assert sorted(row["rollout"] for row in rows) == list(range(ROLLOUTS))
            assert {row["model"] for row in rows} == {"stub-model"}

            page.goto(f"{hub.url}/admin/tasks/{SLUG}/{quote(task_id)}/")
            page.get_by_label("Note").fill("see the feedback")
            page.get_by_role("button", name="Needs more").click()
            expect(page.locator(".messages")).to_contain_text("Recorded: needs more.")
            page.get_by_label("What is wrong with the task").fill(SAID_BACK)
            page.get_by_role("button", name="Send feedback").click()
            expect(page.locator("#feedback")).to_contain_text(SAID_BACK)

            read = ask_over_mcp(home.path, "read_task", {"slug": SLUG, "task_id": task_id})
            assert read["effective_decision"] == {"decision": "needs_more", "explicit": True}
            (feedback,) = read["feedback"]
            assert SAID_BACK in feedback["feedback"]
            assert (feedback["door"], feedback["status"]) == ("admin", "open")
            refused = ask_over_mcp(home.path, "queue_run", asked)
            assert refused["error"]["code"] == "task_not_accepted"
        assert understudy(environ, "benchmarks", "sync", SLUG, "--check")["ok"] is True
