"""`runs sweep` in a shell: named where there is no broker, watched a document a line."""

import json
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.artifacts.claim import ClaimOwner
from benchmarks.artifacts.home import Home
from benchmarks.records.times import stamp
from tests.driving import Shell
from tests.executing import REPOSITORY, environment
from tests.factories import NOW, make_desk, queue


def test_an_idle_lab_says_so(shell: Shell) -> None:
    ran = shell("runs", "sweep", "--format", "text")
    assert (ran.code, ran.out) == (0, "nothing waits for an executor\n")


def test_what_waits_is_shown_with_what_became_of_it(shell: Shell, lab_home: Path) -> None:
    waits = make_desk(Home(lab_home).benchmarks / "waits", 1)
    held = make_desk(Home(lab_home).benchmarks / "held", 1)
    queue(waits, "run-1", reference_arms=["oracle"])
    queue(held, "run-2", reference_arms=["oracle"])
    queue(waits, "run-3", trivial_arms=["majority_class"], requires=None)
    with held.directory.claim(ClaimOwner("1.0.0", NOW, pid=4711, host="lab-7")):
        ran = shell("runs", "sweep", "--format", "text")
    words = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert "resumable local--waits run-1 queued" in words
    assert "respected local--held run-2 held by pid 4711 on lab-7" in words
    assert "unsupported local--waits run-3 lacks majority_class" in words
    assert words[-1] == "no broker took these: understudy runs execute --all"


def test_what_was_queued_just_now_and_what_was_interrupted_are_said_in_words(
    shell: Shell, lab_home: Path
) -> None:
    young = make_desk(Home(lab_home).benchmarks / "young", 1)
    broken = make_desk(Home(lab_home).benchmarks / "broken", 1)
    queue(young, "run-1", reference_arms=["oracle"], created_at=stamp(datetime.now(UTC)))
    queue(broken, "run-2", reference_arms=["oracle"], status="running")
    ran = shell("runs", "sweep", "--format", "text")
    words = " ".join(ran.out.split())
    assert "resumable local--broken run-2 interrupted" in words
    said = "young local--young run-1 younger than 10 s: left to the message that queued it"
    assert said in words


def test_only_the_benchmarks_named_are_swept(shell: Shell, lab_home: Path) -> None:
    for name in ("one", "two"):
        desk = make_desk(Home(lab_home).benchmarks / name, 1)
        queue(desk, f"run-{name}", reference_arms=["oracle"])
    named = shell("runs", "sweep", "local--two").document
    assert [item["run_id"] for item in named["resumable"]] == ["run-two"]
    refused = shell("runs", "sweep", "local--two", "--all")
    assert (refused.code, refused.error["code"]) == (2, "invalid_arguments")


def test_a_watch_writes_a_document_a_line_until_it_is_asked_to_end(lab_home: Path) -> None:
    desk = make_desk(Home(lab_home).benchmarks / "desk", 1)
    queue(desk, reference_arms=["oracle"])
    words = ["runs", "sweep", "--watch", "--interval", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "understudy_site.cli", *words],
        env=environment(lab_home),
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        lines = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 143
    assert [line["resumable"][0]["run_id"] for line in lines] == ["run-1", "run-1"]
    assert desk.request("run-1").status == "queued"
