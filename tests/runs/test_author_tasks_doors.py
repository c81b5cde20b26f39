"""Asking for authored definitions over MCP, REST and the admin: a request, and nothing sent."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import roots
from benchmarks.doors.call import Call
from benchmarks.doors.progress import Progress
from benchmarks.errors import ApprovalRequired, CredentialsMissing, PostureTooLow
from benchmarks.records.caller import Caller
from runs.mcp_tools import TOOLS
from tests.authors import author
from tests.benchmarks.services.factories import build, desk, files
from tests.browser import member
from tests.driving import Shell
from tests.factories import make_home
from tests.rest import Rest
from tests.reviews.admin.pages import post, seen
from tests.stub_model import Behaviour, StubModel

SLUG = "local--desk"
MODEL = "stub-model"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("authored")
    build(folder / "desk", desk(folder / "source"))
    return folder / "desk"


@pytest.fixture
def bench(built: Path, lab_home: Path) -> BenchmarkDir:
    make_home(lab_home)
    folder = home().benchmarks
    folder.mkdir(parents=True, exist_ok=True)
    return BenchmarkDir(Path(shutil.copytree(built, folder / "desk")))


@pytest.fixture
def gateway(monkeypatch: pytest.MonkeyPatch) -> StubModel:
    with StubModel(Behaviour(script=author())) as stub:
        monkeypatch.setenv("UNDERSTUDY_GATEWAY_URL", stub.url)
        monkeypatch.setenv("UNDERSTUDY_API_KEY", "sk-author-author")
        yield stub


@pytest.fixture
def call(bench: BenchmarkDir) -> Call:
    here = home()
    caller = Caller("mcp:claude@mira", "mcp")
    return Call(caller=caller, home=here, roots=roots(here), cwd=bench.path, progress=Progress())


def use(name: str, call: Call, **arguments: Any) -> Any:
    """Call a tool as the server does, once its arguments are checked."""
    entry = next(each for each in TOOLS if each.name == name)
    entry.model.model_validate(arguments)
    return entry.function(call, **arguments)


def test_an_agent_writes_a_request_once_somebody_has_allowed_it(
    call: Call, bench: BenchmarkDir, gateway: StubModel, lab_home: Path
) -> None:
    with pytest.raises(PostureTooLow) as low:
        use("author_tasks", call, slug=SLUG, model=MODEL)
    assert "confirm: true" in low.value.hint
    with pytest.raises(ApprovalRequired) as held:
        use("author_tasks", call, slug=SLUG, model=MODEL, tasks=[next(iter(bench.tasks()))])
    assert held.value.details["gate"] == "customer_data_upload"
    assert bench.requests().requests == []
    answer = use("author_tasks", call, slug=SLUG, model=MODEL, confirm=True)
    assert answer["quote"]["calls"] == 6
    assert answer["notices"][0]["level"] == "local_sandbox"
    assert answer["execute_hint"].startswith("understudy runs execute")
    (request,) = bench.requests().requests
    assert (request.kind, request.requires, request.confirmed) == ("authoring", ["authoring"], True)
    assert (request.actor, request.door, request.tasks) == ("mcp:claude@mira", "mcp", "all")
    assert gateway.calls == 0


def test_an_agent_is_told_that_no_key_is_there(call: Call, bench: BenchmarkDir) -> None:
    with pytest.raises(CredentialsMissing):
        use("author_tasks", call, slug=SLUG, model=MODEL, confirm=True)


def test_a_dry_run_over_mcp_needs_nobodys_word(
    call: Call, bench: BenchmarkDir, gateway: StubModel
) -> None:
    before = files(bench.path)
    answer = use("author_tasks", call, slug=SLUG, model=MODEL, dry_run=True, limit=3)
    assert (answer["quote"]["calls"], answer["dry_run"]) == (3, True)
    assert files(bench.path) == before


@pytest.mark.django_db
def test_over_rest_the_notice_is_first_and_nothing_is_sent(
    bench: BenchmarkDir, gateway: StubModel
) -> None:
    rest = Rest()
    path = f"/api/benchmarks/{SLUG}/authoring"
    refused = rest.post(path, {"models": [MODEL]})
    assert (refused.status, refused.code) == (403, "posture_too_low")
    one = next(iter(bench.tasks()))
    held = rest.post(path, {"models": [MODEL], "tasks": [one]})
    assert (held.status, held.code) == (403, "approval_required")
    done = rest.post(path, {"models": [MODEL], "confirm": True})
    assert done.status in {200, 201}
    assert next(iter(done.document)) == "notices"
    assert done.document["run"]["kind"] == "authoring"
    assert rest.post(path, {"tasks": [one], "wrong": 1}).code == "invalid_arguments"
    assert gateway.calls == 0


@pytest.mark.django_db
def test_on_a_page_the_quote_comes_first_and_the_click_queues(
    bench: BenchmarkDir, gateway: StubModel
) -> None:
    person = Client()
    person.force_login(member("operator"))
    path = f"/admin/benchmarks/benchmarkentry/{SLUG}/authoring/"
    page = seen(person.post(path, {"action": "quote", "models": MODEL, "limit": "2"}))
    assert "authoring 2 tasks with stub-model: cost unknown: stub-model" in page.text
    assert "Calls 2 at most 4" in page.text
    assert bench.requests().requests == []
    sent = {name: page.values(name)[0] for name in ("idempotency_key", "models", "limit")}
    refused = post(person, path, action="author", **sent)
    assert "needs bounded_experiments" in refused.text
    done = post(person, path, action="author", confirm="yes", **sent)
    (request,) = bench.requests().requests
    assert f"{request.run_id} is queued: authoring 2 tasks with stub-model" in done.text
    assert "local_sandbox: authoring 2 tasks with stub-model" in done.text
    assert gateway.calls == 0
    odd = seen(person.post(path, {"action": "quote", "limit": "many"}), status=400)
    assert "limit 'many' is no whole number over 0" in odd.text


@pytest.mark.django_db
def test_the_form_stands_on_the_page_of_the_benchmark(bench: BenchmarkDir) -> None:
    person = Client()
    person.force_login(member("operator"))
    person.get("/admin/benchmarks/benchmarkentry/")
    page = seen(person.get(f"/admin/benchmarks/benchmarkentry/{SLUG}/"))
    assert page.every("form", action=f"/admin/benchmarks/benchmarkentry/{SLUG}/authoring/")


@pytest.mark.django_db
def test_a_finished_pass_is_read_at_every_door(
    call: Call, bench: BenchmarkDir, gateway: StubModel, shell: Shell
) -> None:
    run_id = use("author_tasks", call, slug=SLUG, model=MODEL, confirm=True)["run_id"]
    assert shell("runs", "execute", "--benchmark", "desk").code == 0
    told = use("run_status", call, run_id=run_id, slug=SLUG)
    assert (told["kind"], told["status"]) == ("authoring", "done")
    assert told["arms"] == [{"label": MODEL, "kind": "candidate", "completed": 6, "total": 6}]
    assert use("benchmark_status", call, slug=SLUG)["runs"]["done"] == 1
    rest = Rest()
    assert rest.get(f"/api/runs/{run_id}").document["progress"] == {"completed": 6, "total": 6}
    assert rest.get(f"/api/runs/{run_id}/cells").status == 200
    events = rest.get(f"/api/runs/{run_id}/events").document["results"]
    assert sum(event["type"] == "authored" for event in events) == 6
    again = rest.post("/api/runs", {"slug": SLUG, "retry_of": run_id})
    assert (again.status, again.code) == (400, "invalid_arguments")
    person = Client()
    person.force_login(member("operator"))
    page = seen(person.get(f"/admin/runs/{run_id}/?slug={SLUG}"))
    assert run_id in page.text
    assert seen(person.get(f"/admin/benchmarks/benchmarkentry/{SLUG}/"))
