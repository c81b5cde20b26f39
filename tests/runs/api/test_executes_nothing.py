"""Queueing is never executing: no route can play a cell, whatever is asked of it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.executing import REPOSITORY, environment
from tests.factories import Desk, make_home
from tests.rest import Rest
from tests.stub_model import StubModel

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
EXECUTING = ("runs.executor.loop", "runs.executor.writer", "runs.execution", "runs.tasks", "celery")
LOOK = f"""
import sys
import django
django.setup()
import understudy_site.urls
print([name for name in sys.modules if name.startswith({EXECUTING!r})])
"""


def test_no_route_imports_what_plays_cells(lab_home: Path) -> None:
    environ = {**environment(lab_home), "DJANGO_SETTINGS_MODULE": "understudy_site.settings"}
    found = subprocess.run(
        [sys.executable, "-c", LOOK],
        env=environ,
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == "[]"


def test_a_queued_run_stays_queued_and_no_model_is_called(
    rest: Rest, desk: Desk, lab_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_home(lab_home, level="bounded_experiments")
    with StubModel() as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
        body: dict[str, Any] = {"slug": "local--items", "models": ["stub-model"]}
        run_id = rest.post("/api/runs", body).document["run_id"]
        for path in ("", "/cells", "/events", "/rows"):
            assert rest.get(f"/api/runs/{run_id}{path}").status == 200
        assert rest.get("/api/runs/live", run=run_id).status == 200
        assert rest.get("/api/replay", slug="local--items", task=desk.task_ids[0]).status == 200
        assert stub.calls == 0
    assert desk.request(run_id).status == "queued"
    assert (desk.rows(), desk.events()) == ([], [])
    assert desk.directory.holder() is None
    assert not [name for name in os.listdir(desk.path) if name.startswith("rows-")]
