"""An authoring pass killed with SIGKILL in the middle: whoever goes on repeats no finished call."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from tests.authors import author, order_in
from tests.benchmarks.services.factories import build, desk, task_lines
from tests.executing import REPOSITORY, environment
from tests.stub_model import Behaviour, StubModel

PATIENCE_S = 60.0


def test_a_killed_pass_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "desk"
    build(path, desk(tmp_path / "source"))
    bench = BenchmarkDir(path)
    with StubModel(Behaviour(script=author(), latency_s=0.3)) as stub:
        environ = environment(tmp_path / "home", stub.url)
        words = [sys.executable, "-m", "understudy_site.cli", "traces", "author-tasks"]
        words += ["--benchmark", str(path), "--model", "stub-model", "--confirm"]
        words += ["--concurrency", "1", "--json"]
        process = subprocess.Popen(
            words, env=environ, cwd=REPOSITORY, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        finished = wait_for_events(bench, 2, process)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        before = Counter(order_in(seen.body) for seen in stub.seen)
        stub.behaviour.latency_s = 0.0
        done = subprocess.run(
            words, env=environ, cwd=REPOSITORY, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        asked = Counter(order_in(seen.body) for seen in stub.seen)
    document = json.loads(done.stdout)
    assert len(document["verified"]) == 6
    assert len(bench.requests().requests) == 1
    tasks = bench.tasks()
    kept = {order_of(tasks[name].title) for name in finished}
    assert {order: asked[order] for order in kept} == dict.fromkeys(kept, 1)
    assert sum(asked.values()) - 6 <= sum(before.values()) - len(kept)
    assert {line["authored"]["grounding"] for line in task_lines(path)} == {"verified"}
    kinds = [event.type for event in bench.read(layout.EVENTS).records]
    assert kinds.count("run_resumed") == 1
    assert kinds[-1] == "run_finished"


def wait_for_events(
    bench: BenchmarkDir, count: int, process: "subprocess.Popen[bytes]"
) -> list[str]:
    """The tasks whose call is on the disk, once there are so many."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        found = [event.task_id for event in bench.read(layout.AUTHORING_EVENTS).records]
        if len(found) >= count:
            return found
        assert process.poll() is None, (process.communicate()[1] or b"").decode()
        time.sleep(0.02)
    raise AssertionError("no call was finished in time")


def order_of(title: str) -> str:
    """The order that a task of the desk is about."""
    return order_in({"messages": [{}, {"content": title}]})
