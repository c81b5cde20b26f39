"""`understudy traces author-tasks` through the shell, against a gateway that follows a script."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.home import home
from tests.authors import author, is_retry
from tests.benchmarks.services.factories import build, desk, files, task_lines
from tests.driving import Shell
from tests.stub_model import Behaviour, StubModel

MODEL = "stub-model"
AUTHOR = ("traces", "author-tasks", "--benchmark", "desk")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("authored")
    build(folder / "desk", desk(folder / "source"))
    return folder / "desk"


@pytest.fixture
def bench(built: Path, lab_home: Path) -> BenchmarkDir:
    folder = home().benchmarks
    folder.mkdir(parents=True)
    return BenchmarkDir(Path(shutil.copytree(built, folder / "desk")))


@pytest.fixture
def gateway(monkeypatch: pytest.MonkeyPatch) -> Any:
    with StubModel(Behaviour(script=author())) as stub:
        monkeypatch.setenv("UNDERSTUDY_GATEWAY_URL", stub.url)
        monkeypatch.setenv("UNDERSTUDY_API_KEY", "sk-author-author")
        yield stub


def test_what_the_recording_bears_out_is_merged(
    bench: BenchmarkDir, gateway: StubModel, shell: Shell
) -> None:
    before = {line["task_id"]: line for line in task_lines(bench.path)}
    ran = shell(*AUTHOR, "--model", MODEL, "--confirm")
    assert ran.code == 0, ran.err
    assert gateway.calls == 6
    assert len(ran.document["verified"]) == 6
    assert ran.document["written_back"] is True
    for line in task_lines(bench.path):
        old = before[line["task_id"]]
        assert line["authored"]["grounding"] == "verified"
        assert line["status"] == old["status"]
        *kept, added = line["outcome_contract"]["required"]
        assert kept == old["outcome_contract"]["required"]
        assert added["type"] == "read_obligation"
        assert added["provenance"]["proposed_by"] == MODEL
        assert added["provenance"]["grounded"] is True
