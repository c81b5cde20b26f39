"""The server over real stdio, in both protocol eras, with the SDK's own client."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters

from tests.driving import Shell

REPOSITORY = Path(__file__).resolve().parents[2]
TOOLS = {
    "list_benchmarks", "read_benchmark", "read_task", "read_rollout", "diff_rollouts",
    "submit_review", "apply_auto_accepts", "submit_feedback", "queue_run", "run_status",
    "build_benchmark", "regenerate_env", "promote_benchmark", "cancel_run", "benchmark_status",
    "read_rigor_report", "propose_directions", "trace_doctor", "verify_tasks", "author_tasks",
    "regrade_run",
}  # fmt: skip
Mode = Literal["legacy", "auto"]
MODES: tuple[Mode, ...] = ("legacy", "auto")


def parameters(home: Path, *extra: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "understudy_site.cli", "benchmarks", "mcp", *extra],
        env={"UNDERSTUDY_HOME": str(home), "PATH": os.environ["PATH"]},
        cwd=str(REPOSITORY),
    )


@asynccontextmanager
async def connected(home: Path, mode: Mode, *extra: str) -> AsyncIterator[Client]:
    async with Client(parameters(home, *extra), mode=mode) as client:
        yield client


@pytest.fixture
def demo(demo_home: Path) -> Path:
    return demo_home


def text_of(result: Any) -> list[str]:
    return [item.text for item in result.content]


@pytest.mark.parametrize("mode", MODES)
def test_every_tool_is_published_closed_with_all_four_hints(lab_home: Path, mode: Mode) -> None:
    async def look() -> Any:
        async with connected(lab_home, mode) as client:
            return await client.list_tools()

    tools = {tool.name: tool for tool in anyio.run(look).tools}
    assert set(tools) == TOOLS
    for tool in tools.values():
        assert tool.input_schema["additionalProperties"] is False
        assert all(
            field.get("description") or "$ref" in json.dumps(field)
            for field in tool.input_schema["properties"].values()
        ), tool.name
        assert tool.output_schema["type"] == "object"
        hints = tool.annotations
        assert None not in (
            hints.read_only_hint,
            hints.destructive_hint,
            hints.idempotent_hint,
            hints.open_world_hint,
        )
    assert tools["list_benchmarks"].annotations.read_only_hint is True
    assert tools["cancel_run"].annotations.destructive_hint is True


@pytest.mark.parametrize("mode", MODES)
def test_an_agent_reads_reviews_queues_and_cancels(demo: Path, mode: Mode) -> None:
    async def work() -> dict[str, Any]:
        async with connected(demo, mode) as client:
            listed = await client.call_tool("list_benchmarks", {})
            status = await client.call_tool("benchmark_status", {"slug": "local--demo"})
            page = await client.call_tool("read_benchmark", {"slug": "demo", "limit": 3})
            tasks = page.structured_content["tasks"]
            task = tasks[0]["task_id"]
            run = status.structured_content["runs"]["newest"]["run_id"]
            found = {
                "listed": listed,
                "status": status,
                "page": page,
                "task": await client.call_tool("read_task", {"slug": "demo", "task_id": task}),
                "rollout": await client.call_tool(
                    "read_rollout",
                    {"slug": "demo", "run_id": run, "task_id": task, "model": "oracle"},
                ),
                "diff": await client.call_tool(
                    "diff_rollouts",
                    {
                        "slug": "demo",
                        "task_id": task,
                        "run_a": run,
                        "run_b": run,
                        "model_a": "oracle",
                        "model_b": "null_agent",
                    },
                ),
                "queued": await client.call_tool(
                    "queue_run",
                    {"slug": "demo", "trivial_arms": ["null_agent"], "idempotency_key": "k1"},
                ),
                "again": await client.call_tool(
                    "queue_run",
                    {"slug": "demo", "trivial_arms": ["null_agent"], "idempotency_key": "k1"},
                ),
            }
            queued = found["queued"].structured_content["run_id"]
            found["waiting"] = await client.call_tool("run_status", {"run_id": queued})
            found["cancelled"] = await client.call_tool("cancel_run", {"run_id": queued})
            found["twice"] = await client.call_tool("cancel_run", {"run_id": queued})
            found["ended"] = await client.call_tool("cancel_run", {"run_id": run})
            return found

    found = anyio.run(work)
    assert [item["slug"] for item in found["listed"].structured_content["benchmarks"]] == [
        "local--demo"
    ]
    assert found["status"].structured_content["benchmark"]["stage"] == "promoted"
    page = found["page"].structured_content
    assert (len(page["tasks"]), page["page"]["total"]) == (3, 10)
    task = found["task"].structured_content
    assert task["prompt"].startswith("[[untrusted ")
    assert "/prompt" in task["untrusted"]["paths"]
    assert found["rollout"].structured_content["verdict"]["strict"] == 1
    assert found["diff"].structured_content["tool_sequence"]["diverges_at"] == 0
    assert found["queued"].structured_content["executor"]["live"] is False
    assert found["again"].structured_content["replayed"] is True
    assert found["waiting"].structured_content["status"] == "queued"
    assert found["cancelled"].structured_content["run"]["status"] == "cancelled"
    assert found["twice"].structured_content["replayed"] is True
    assert found["ended"].structured_content["error"]["code"] == "finished"


def test_an_agent_looks_traces_over_before_it_builds(lab_home: Path) -> None:
    captures = REPOSITORY / "understudy_site" / "demo_data"

    async def work() -> Any:
        async with connected(lab_home, "auto") as client:
            return await client.call_tool("trace_doctor", {"source": str(captures), "wait_s": 20})

    report = anyio.run(work).structured_content
    assert report["would_build"]["tasks"] > 0
    assert (
        report["captures"] + sum(report["dropped"].values()) + report["duplicates"]
        == (report["records"])
    )


def test_an_agent_proposes_directions_and_records_what_the_user_said(lab_home: Path) -> None:
    captures = REPOSITORY / "understudy_site" / "demo_data"

    async def work() -> list[Any]:
        async with connected(lab_home, "auto") as client:
            asked = {"source": str(captures), "name": "asked", "wait_s": 20}
            first = await client.call_tool("propose_directions", asked)
            cards = first.structured_content["directions"]
            answer = {"slug": "asked", "pick": cards[0]["direction_id"], "wait_s": 20}
            return [first, await client.call_tool("propose_directions", answer)]

    proposed, picked = anyio.run(work)
    cards = proposed.structured_content["directions"]
    assert 1 <= len(cards) <= 3
    assert cards[0]["example"]["text"].startswith("[[untrusted ")
    said = picked.structured_content["picked"]
    assert (said["direction_id"], said["door"]) == (cards[0]["direction_id"], "mcp")
    assert said["actor"].startswith("mcp:")


def test_a_build_is_a_job_and_its_refusals_come_back_as_they_were(
    lab_home: Path, shell: Shell
) -> None:
    captures = REPOSITORY / "understudy_site" / "demo_data"

    async def work() -> list[Any]:
        async with connected(lab_home, "auto") as client:
            asked = {"source": str(captures), "name": "desk", "wait_s": 20}
            return [
                await client.call_tool("build_benchmark", asked),
                await client.call_tool("build_benchmark", {**asked, "waive_pilot": "test"}),
                await client.call_tool(
                    "build_benchmark", {**asked, "waive_pilot": "test", "confirm": True}
                ),
                await client.call_tool("regenerate_env", {"slug": "desk", "wait_s": 20}),
                await client.call_tool("promote_benchmark", {"slug": "desk", "wait_s": 20}),
                await client.call_tool(
                    "promote_benchmark",
                    {"slug": "desk", "waive_dag": "on purpose", "confirm": True, "wait_s": 20},
                ),
            ]

    pilot, confirm, built, regenerated, refused, promoted = anyio.run(work)
    assert pilot.structured_content["counts"]["tasks"] == 1
    assert pilot.structured_content["pilot"]["pending"] == 9
    assert confirm.structured_content["error"]["code"] == "approval_required"
    assert (built.is_error, built.structured_content["counts"]["tasks"]) == (False, 10)
    assert regenerated.structured_content["oracle_pass"] is True
    assert regenerated.structured_content["changed_tasks"] == []
    assert refused.structured_content["error"]["code"] == "gate_failed"
    assert promoted.structured_content["version"] == "1.0.0"
    audited = [json.loads(line) for line in (lab_home / "audit.jsonl").read_text().splitlines()]
    assert [(line["service"], line["code"]) for line in audited][-1] == ("promote_benchmark", "ok")


def test_feedback_gives_the_hand_off_and_reviews_are_an_agents(
    lab_home: Path, shell: Shell
) -> None:
    captures = REPOSITORY / "understudy_site" / "demo_data"
    built = shell("traces", "build-benchmark", captures, "--slug", "desk", "--waive-pilot", "test")
    assert built.code == 0

    async def work() -> list[Any]:
        async with connected(lab_home, "legacy") as client:
            tasks = await client.call_tool("read_benchmark", {"slug": "desk"})
            task = tasks.structured_content["tasks"][0]["task_id"]
            named = {"slug": "desk", "task_id": task}
            return [
                await client.call_tool("submit_feedback", {**named, "feedback": "too easy"}),
                await client.call_tool("submit_review", {**named, "decision": "needs_more"}),
                await client.call_tool("submit_review", {**named, "decision": "maybe"}),
                await client.call_tool("apply_auto_accepts", {"slug": "desk"}),
            ]

    feedback, review, wrong, accepted = anyio.run(work)
    assert "too easy" in feedback.structured_content["handoff"]
    assert review.structured_content["review"]["source"] == "agent"
    assert review.structured_content["review"]["door"] == "mcp"
    assert wrong.structured_content["error"]["code"] == "invalid_arguments"
    assert accepted.structured_content["applied_count"] == 0


def test_an_unknown_tool_and_argument_name_the_nearest_and_write_nothing(demo: Path) -> None:
    async def work() -> list[Any]:
        async with connected(demo, "auto") as client:
            return [
                await client.call_tool("queue_runs", {}),
                await client.call_tool("queue_run", {"slug": "demo", "model": ["a"]}),
            ]

    before = sorted((demo / "benchmarks" / "demo" / "runs" / "queue").iterdir())
    tool, argument = anyio.run(work)
    assert text_of(tool)[0].startswith("unknown_tool: there is no tool 'queue_runs'")
    assert "nearest 'models'" in text_of(argument)[0]
    assert sorted((demo / "benchmarks" / "demo" / "runs" / "queue").iterdir()) == before


def test_a_read_only_session_hides_and_refuses_the_rest(demo: Path) -> None:
    async def work() -> tuple[Any, Any]:
        async with connected(demo, "auto", "--read-only") as client:
            listed = await client.list_tools()
            refused = await client.call_tool(
                "queue_run", {"slug": "demo", "trivial_arms": ["null_agent"]}
            )
            return listed, refused

    listed, refused = anyio.run(work)
    assert {tool.name for tool in listed.tools} == {
        "list_benchmarks", "read_benchmark", "read_task", "read_rollout", "diff_rollouts",
        "run_status", "benchmark_status", "read_rigor_report",
    }  # fmt: skip
    assert refused.structured_content["error"]["code"] == "forbidden"


def test_the_posture_guard_holds_over_mcp_and_a_notice_comes_first(
    demo: Path, shell: Shell
) -> None:
    async def ask(**more: Any) -> Any:
        async with connected(demo, "auto") as client:
            return await client.call_tool(
                "queue_run", {"slug": "demo", "models": ["scripted/careful"], **more}
            )

    refused = anyio.run(ask)
    error = refused.structured_content["error"]
    assert error["code"] == "posture_too_low"
    assert error["details"]["rule_id"] == "benchmark.queue-run-below-posture"
    assert [action["command"] for action in error["next_actions"]] == [
        "understudy trust set bounded_experiments"
    ]
    assert shell("trust", "set", "bounded_experiments").code == 0
    allowed = anyio.run(ask)
    texts = text_of(allowed)
    assert texts[0].startswith("bounded_experiments")
    assert json.loads(texts[-1])["notices"][0]["kind"] == "posture"


def test_stdout_is_the_wire_and_nothing_else(lab_home: Path) -> None:
    ask = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "understudy_site.cli", "benchmarks", "mcp"],
        input=json.dumps(ask) + "\n",
        cwd=REPOSITORY,
        env={**os.environ, "UNDERSTUDY_HOME": str(lab_home)},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["id"] for line in lines] == [1]
    assert lines[0]["result"]["serverInfo"] == {
        "name": "understudy-benchmarks", "title": "Understudy", "version": "0.1.0",
    }  # fmt: skip
    assert done.returncode == 0


@pytest.mark.parametrize("is_on_path", [True, False])
def test_the_registration_works_when_pasted(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, is_on_path: bool
) -> None:
    command = tmp_path / "understudy"
    command.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path) if is_on_path else "/nowhere")
    monkeypatch.setenv("UNDERSTUDY_HOME", str(tmp_path / "home"))
    server = shell("benchmarks", "mcp", "--print-config").document["mcpServers"][
        "understudy-benchmarks"
    ]
    expected = "understudy" if is_on_path else sys.executable
    module = [] if is_on_path else ["-m", "understudy_site.cli"]
    assert server == {
        "type": "stdio",
        "command": expected,
        "args": [*module, "benchmarks", "mcp"],
        "env": {"UNDERSTUDY_HOME": str(tmp_path / "home")},
    }
    monkeypatch.delenv("UNDERSTUDY_HOME")
    plain = shell("benchmarks", "mcp", "--print-config").document
    assert "env" not in plain["mcpServers"]["understudy-benchmarks"]


def test_an_unknown_permission_is_named(shell: Shell) -> None:
    ran = shell("benchmarks", "mcp", "--allow", "read,fly")
    assert (ran.code, ran.out) == (2, "")
    assert (ran.error["code"], "fly" in ran.error["message"]) == ("invalid_arguments", True)
