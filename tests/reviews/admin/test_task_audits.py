"""What was audited of a task, on its page: the test of its verifier, a hand edit, a leak."""

from pathlib import Path
from urllib.parse import quote

import pytest
from django.test import Client

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.records.build import BuildManifest
from benchmarks.versioning.hashing import restamp
from tests.benchmarks.services.factories import build, task_lines
from tests.benchmarks.services.factories import desk as captures_of
from tests.reviews.admin.conftest import SLUG, SignIn
from tests.reviews.admin.pages import get, post

pytestmark = pytest.mark.django_db


def at(task_id: str, slug: str = SLUG) -> str:
    return f"/admin/tasks/{slug}/{quote(task_id)}/"


def test_verifier_is_tested_by_a_button_for_those_who_build(
    lab_home: Path, tmp_path: Path, sign_in: SignIn
) -> None:
    bench = lab_home / "benchmarks" / "desk"
    build(bench, captures_of(tmp_path / "source"))
    (bench / "verifier-report.json").unlink()
    task_id = task_lines(bench)[0]["task_id"]
    here = at(task_id, "local--desk")
    assert "Test the verifier" not in get(sign_in("mira"), here).text
    ada = sign_in("ada", "operator")
    assert "nobody tested it as it is today" in get(ada, here).text
    assert "The verifier is tested." in post(ada, here, action="verify").text
    page = get(ada, here)
    assert "right rollouts 2 of 2 pass" in page.text


def test_a_hand_edit_and_a_leak_stand_over_the_page(desk: Located, mira: Client) -> None:
    leak = {"task_id": "t1", "location": "title", "kind": "argument", "tier": "verbatim"}
    made = {"schema_version": "understudy.trace_foundry.v1", "leakage_audit": {"findings": [leak]}}
    desk.directory.replace(layout.MANIFEST, BuildManifest.read(made))
    lines = desk.directory.read(layout.TASKS).records
    stamped = [restamp(None, line.with_(boundary_rule="earliest")) for line in lines]
    edited = [one.with_(title="By hand") if one.task_id == "t1" else one for one in stamped]
    desk.directory.replace(layout.TASKS, edited)
    page = get(mira, at("t1"))
    assert "edited by hand since it was stamped" in page.text
    assert "leak (verbatim) at title: argument" in page.text
