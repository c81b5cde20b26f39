"""Queueing from the benchmark page: a quote first, one click more, and nothing executes."""

from pathlib import Path

import pytest
from django.test import Client

from benchmarks.artifacts.home import AUDIT, Home
from benchmarks.records.vocabulary import Split
from tests.factories import Desk, make_desk, make_home, make_items
from tests.redis_server import running_redis
from tests.reviews.admin.pages import Seen, post, seen
from tests.runs.admin.seeing import fresh

pytestmark = pytest.mark.django_db
BENCH = "/admin/benchmarks/benchmarkentry/local--items/"
QUEUE = f"{BENCH}queue/"
ASKED = {"models": "scripted/oracle, scripted/echo", "split": "dev", "rollouts_per_task": "2"}


@pytest.fixture
def dev(root: Path) -> Desk:
    """Three tasks on the dev split."""
    return make_desk(root / "items", make_items(3, (Split.DEV,)))


def confirmed(page: Seen) -> dict[str, str]:
    """What the form under the quote would send."""
    names = ("action", "idempotency_key", "models", "split", "rollouts_per_task")
    found = {name: page.values(name)[0] for name in names}
    assert found["action"] == "queue"
    return found


def test_quote_shows_cells_cost_and_arms_and_writes_nothing(dev: Desk, operator: Client) -> None:
    page = seen(operator.post(QUEUE, {"action": "quote", **ASKED}))
    assert (
        "Quote nothing is written yet Cells 12 12 owed, 0 on disk Expected cost $0.00" in page.text
    )
    assert "scripted/oracle candidate scripted/oracle 6 $0.00" in page.text
    assert "3 tasks: fewer than" in page.text
    assert dev.directory.requests().requests == []


def test_second_click_queues_what_was_quoted_and_executes_nothing(
    dev: Desk, operator: Client, lab_home: Path
) -> None:
    quoted = seen(operator.post(QUEUE, {"action": "quote", **ASKED}))
    page = post(operator, QUEUE, **confirmed(quoted))
    [request] = dev.directory.requests().requests
    assert f"Done {request.run_id} is queued. No executor is here: understudy runs execute" in (
        page.text
    )
    assert "Warning spend-adjacent" in page.text or "Warning" in page.text
    assert (request.status, request.actor, request.door) == ("queued", "user:operator", "admin")
    assert request.models == ["scripted/oracle", "scripted/echo"]
    assert (request.split, request.rollouts_per_task) == ("dev", 2)
    assert dev.rows() == []
    [line] = Home(lab_home).read(AUDIT).records
    assert (line.service, line.code, line.ref) == ("queue_run", "ok", request.run_id)


@pytest.mark.parametrize(
    ("worker", "said"),
    [
        ("lab@host", "is queued. It is handed to the broker: worker lab@host is there and will"),
        (None, "is queued. It is handed to the broker, where no worker answers now; without one:"),
    ],
)
def test_message_says_which_worker_takes_the_run_up(
    dev: Desk,
    operator: Client,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    worker: str | None,
    said: str,
) -> None:
    form = confirmed(seen(operator.post(QUEUE, {"action": "quote", **ASKED})))
    monkeypatch.setattr("runs.handoff._worker", lambda client: worker)
    with running_redis(tmp_path / "redis") as server:
        monkeypatch.setenv("REDIS_URL", server.url)
        page = post(operator, QUEUE, **form)
    assert said in page.text
    assert "No executor is here" not in page.text


def test_double_click_queues_once(dev: Desk, operator: Client) -> None:
    form = confirmed(seen(operator.post(QUEUE, {"action": "quote", **ASKED})))
    post(operator, QUEUE, **form)
    again = post(operator, QUEUE, **form)
    assert "It had been done before: nothing was written." in again.text
    assert len(dev.directory.requests().requests) == 1


def test_notice_is_a_warning_at_the_top_of_the_next_page(dev: Desk, operator: Client) -> None:
    form = confirmed(seen(operator.post(QUEUE, {"action": "quote", **ASKED})))
    page = post(operator, QUEUE, **form)
    before = page.text.partition(f"{form['action']}d.")[0]
    assert "Warning" in before
    assert "bounded_experiments" in before


def test_below_the_posture_it_is_refused_unless_the_person_agrees(
    dev: Desk, operator: Client, lab_home: Path
) -> None:
    make_home(lab_home, level="local_sandbox")
    quoted = seen(operator.post(QUEUE, {"action": "quote", **ASKED}))
    assert "I agree to this for this run, whatever the posture is" in quoted.text
    form = confirmed(quoted)
    refused = post(operator, QUEUE, **form)
    assert "Error" in refused.text
    assert dev.directory.requests().requests == []
    codes = [line.code for line in Home(lab_home).read(AUDIT).records]
    assert codes == ["posture_too_low"]
    post(operator, QUEUE, **form, confirm="yes")
    [request] = dev.directory.requests().requests
    assert request.confirmed is True


def test_wrong_form_comes_back_with_its_values_and_every_complaint(
    dev: Desk, operator: Client
) -> None:
    form = {"action": "quote", "models": "", "split": "dev", "rollouts_per_task": "99"}
    page = seen(operator.post(QUEUE, form), status=400)
    assert "This run cannot be queued" in page.text
    assert "rollouts_per_task" in page.text
    assert page.values("rollouts_per_task") == ["99"]


def test_words_in_number_fields_are_said(dev: Desk, operator: Client) -> None:
    page = seen(operator.post(QUEUE, {"action": "quote", **ASKED, "seed": "lucky"}), status=400)
    assert "seed 'lucky' is no number" in page.text


def test_boxes_and_lists_reach_the_request(dev: Desk, operator: Client) -> None:
    form = {
        "action": "quote",
        "models": "scripted/oracle",
        "incumbent_models": "scripted/oracle",
        "trivial_arms": ["null_agent", "spam_agent"],
        "reference_arms": ["oracle"],
        "tasks": " ".join(dev.task_ids[:2]),
        "split": "all",
    }
    page = seen(operator.post(QUEUE, form))
    assert page.values("trivial_arms")[:2] == ["null_agent", "spam_agent"]
    assert "Cells 8" in page.text


def test_address_without_a_form_leads_to_the_form(dev: Desk, operator: Client) -> None:
    assert operator.get(QUEUE)["Location"] == f"{BENCH}#queue"
    assert fresh(operator, BENCH).every("form", action=QUEUE)
