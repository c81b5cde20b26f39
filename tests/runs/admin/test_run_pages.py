"""The list of runs, the run page, its live part, and the page that asks before it cancels."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import AUDIT, Home
from benchmarks.records.event import RunEvent
from tests.factories import Desk, make_desk, make_items, queue
from tests.reviews.admin.pages import Seen, get, post, seen
from tests.reviews.factories import make_row
from tests.runs.admin.conftest import SignIn
from tests.runs.admin.seeing import fresh, section

pytestmark = pytest.mark.django_db
RUNS = "/admin/runs/"
RUN = "/admin/runs/run-1/"
MODELS = ["glm-5.2", "qwen-3"]


@pytest.fixture
def running(items: Desk) -> Desk:
    """Two arms, two rollouts, four tasks: five of sixteen cells have a row."""
    part = {"completed": 0, "total": 8}
    queue(
        items,
        "run-1",
        status="running",
        models=MODELS,
        rollouts_per_task=2,
        progress={"completed": 0, "total": 16, "arms": dict.fromkeys(MODELS, part)},
        spend={"stop_loss_usd": 5},
        claimed_by={"host": "lab-7", "pid": 42, "executor_version": "0.1.0"},
        actor="token:ci",
        door="rest",
    )
    add(items, 0, 1.0, cost=0.25, pricing={"basis": "reported"})
    add(items, 1, 0.5, cost=0.5, pricing={"basis": "table", "price_table_sha256": "ab" * 32})
    add(items, 2, 0.0, cost=None, retries={"provider": 0, "rate_limited": 3})
    add(items, 3, None, error_boundary="gateway")
    add(items, 0, 1.0, rollout=1, anomaly={"kind": "rollout_timeout", "detail": ""})
    return items


def add(desk: Desk, place: int, score: float | None, **changes: Any) -> None:
    """A row of the first model on the task at a place."""
    row = make_row(desk.task_ids[place], score, run_id="run-1", model=MODELS[0], **changes)
    desk.directory.append(layout.rows("run-1", MODELS[0]), row)


def marks(page: Seen) -> list[str]:
    """What the marks of the grid say, in order."""
    return [str(found["title"]) for found in page.every("span", role="img")]


def test_head_says_how_far_the_run_has_come(running: Desk, operator: Client) -> None:
    text = get(operator, RUN).text
    assert "! interrupted nobody works on it: it can be resumed Cancel this run… Progress" in text
    assert "Progress 5 of 16 Time left – no pace yet" in text
    assert "Spend at least $0.75 stop-loss $5.00 · 3 cells of unknown cost" in text
    assert "Executor 0.1.0 lab-7 , process 42, claimed –" in text
    assert "understudy runs execute --benchmark local--items --run run-1" in text


def test_arms_are_so_far_and_not_final(running: Desk, operator: Client) -> None:
    words = section(operator, RUN, "arms")
    assert "so far, not final" in words
    assert (
        "glm-5.2 candidate 5 0.500 1 gateway 1 3 $0.25 $0.50 3 abababab"
        " qwen-3 candidate 0 – 0 none 0 $0.00 $0.00 0 none" in words
    )


def test_every_cell_has_a_mark_with_a_word(running: Desk, operator: Client) -> None:
    assert marks(get(operator, RUN)) == [
        "glm-5.2, rollout 0: pass, score 1",
        "glm-5.2, rollout 1: anomaly, in no mean, score 1, anomaly rollout_timeout",
        "qwen-3, rollout 0: owed",
        "qwen-3, rollout 1: owed",
        "glm-5.2, rollout 0: part, score 0.5",
        "glm-5.2, rollout 1: owed",
        "qwen-3, rollout 0: owed",
        "qwen-3, rollout 1: owed",
        "glm-5.2, rollout 0: fail, score 0",
        "glm-5.2, rollout 1: owed",
        "qwen-3, rollout 0: owed",
        "qwen-3, rollout 1: owed",
        "glm-5.2, rollout 0: error, no score, boundary gateway",
        "glm-5.2, rollout 1: owed",
        "qwen-3, rollout 0: owed",
        "qwen-3, rollout 1: owed",
    ]


def test_legend_counts_the_whole_run_and_shapes_differ(running: Desk, operator: Client) -> None:
    page = get(operator, RUN)
    assert (
        "✓ pass 1 ◐ part 1 ✕ fail 1 ▲ error, no score 1 ! anomaly, in no mean 1 ○ owed 11"
        in page.text
    )


def test_table_shows_the_same_cells_in_words(running: Desk, operator: Client) -> None:
    words = section(operator, f"{RUN}?view=table", "cells")
    assert words.count(" owed ") == 11 + 1
    assert "glm-5.2 0 ✕ fail 0.000" in words
    assert "glm-5.2 1 ! anomaly, in no mean 1.000 rollout_timeout" in words


def test_a_hundred_tasks_a_page(root: Path, operator: Client) -> None:
    desk = make_desk(root / "items", make_items(130))
    queue(desk, "run-1", models=["glm-5.2"])
    first = get(operator, RUN)
    assert len(marks(first)) == 100
    assert "tasks 1 to 100 of 130" in first.text
    [link] = [str(found["href"]) for found in first.every("a") if "start=" in str(found["href"])][
        -1:
    ]
    assert link == "/admin/runs/run-1/?slug=local--items&start=100&view=grid#cells"
    second = get(operator, link)
    assert len(marks(second)) == 30
    assert "tasks 101 to 130 of 130" in second.text


@pytest.mark.parametrize("start", ["-1", "x", "1.5", "٣"])
def test_start_that_is_no_number_is_refused(running: Desk, operator: Client, start: str) -> None:
    assert "is no whole number" in get(operator, f"{RUN}?start={start}", status=400).text


def test_events_are_newest_first(running: Desk, operator: Client) -> None:
    for seq, kind in enumerate(("run_started", "arm_started"), start=1):
        said = {"ts": "2026-11-04T08:00:00.000Z", "run_id": "run-1", "seq": seq, "type": kind}
        running.directory.append(layout.EVENTS, RunEvent.read(said))
    words = section(operator, RUN, "events")
    assert words.index("arm started") < words.index("run started")


def test_request_is_shown_as_json_and_given_as_plain_text(running: Desk, operator: Client) -> None:
    assert '"actor": "token:ci"' in section(operator, RUN, "request")
    answer = operator.get("/admin/runs/run-1/request.json?slug=local--items&download=1")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Disposition"] == 'attachment; filename="request.json"'
    assert b'"run_id": "run-1"' in answer.content


def test_active_run_refreshes_itself_and_says_so(running: Desk, operator: Client) -> None:
    page = get(operator, RUN)
    assert page.every("meta", content="10") == [{"http-equiv": "refresh", "content": "10"}]
    assert "This page refreshes itself every 10 seconds while the run is active." in page.text
    [live] = page.every("div", id="live")
    assert live["hx-trigger"] == "every 2s"


def test_ended_run_neither_refreshes_nor_polls(items: Desk, operator: Client) -> None:
    queue(items, "run-1", status="done", models=["glm-5.2"])
    page = get(operator, RUN)
    assert page.every("meta", content="10") == []
    assert page.every("div", id="live") == [{"id": "live"}]
    assert "Cancel" not in page.text


def test_cancel_button_goes_when_the_run_has_ended(running: Desk, operator: Client) -> None:
    [live] = get(operator, RUN).every("div", id="live")
    path = str(live["hx-get"])
    assert "/admin/runs/run-1/cancel/?slug=local--items" in links(get(operator, RUN))
    add(running, 1, 1.0, rollout=1)
    assert "/admin/runs/run-1/cancel/?slug=local--items" in links(seen(operator.get(path)))
    done = running.request("run-1").with_(status="done")
    running.directory.replace(layout.request("run-1"), done)
    ended = seen(operator.get(path))
    assert ended.every("div", id="live") == [{"id": "live"}]
    assert "/admin/runs/run-1/cancel/?slug=local--items" not in links(ended)


def links(page: Seen) -> list[str]:
    return [str(each["href"]) for each in page.every("a")]


@pytest.mark.parametrize(
    ("costs", "page_says", "list_says"),
    [
        ([None, None], "Spend unknown no stop-loss · 2 cells of unknown cost", " unknown "),
        ([0.25, None], "Spend at least $0.25 no stop-loss · 1 cell of unk", " at least $0.25 "),
        ([0.25, 0.5], "Spend $0.75 no stop-loss Executor", " $0.75 "),
    ],
)
def test_spend_that_is_not_known_is_never_zero(
    items: Desk, operator: Client, costs: list[float | None], page_says: str, list_says: str
) -> None:
    spend = {
        "recorded_usd": sum(cost or 0 for cost in costs),
        "unpriced_rows": costs.count(None),
    }
    queue(items, "run-1", status="done", models=MODELS[:1], spend=spend)
    for place, cost in enumerate(costs):
        add(items, place, 1.0, cost=cost)
    text = get(operator, RUN).text
    assert page_says in text
    row = fresh(operator, RUNS).text.partition("2 of")[2] or fresh(operator, RUNS).text
    assert list_says in row


def test_poll_is_empty_until_something_changes(running: Desk, operator: Client) -> None:
    [live] = get(operator, RUN).every("div", id="live")
    path = str(live["hx-get"])
    assert operator.get(path).status_code == 204
    add(running, 1, 1.0, rollout=1)
    changed = seen(operator.get(path))
    assert "Progress 6 of 16" in changed.text
    assert changed.every("h1") == []


def test_cancel_asks_first_and_says_what_is_kept(
    running: Desk, operator: Client, lab_home: Path
) -> None:
    asked = get(operator, "/admin/runs/run-1/cancel/")
    assert "5 cells of 16 have a row. Their rows, trajectories and costs are kept" in asked.text
    assert running.request("run-1").status == "running"
    form = {"action": "cancel", "reason": "wrong model"}
    page = post(operator, "/admin/runs/run-1/cancel/?slug=local--items", **form)
    assert "Done run-1 is cancelled. Its rows are kept." in page.text
    request = running.request("run-1")
    assert request.status == "cancelled"
    assert request.cancel is not None
    assert (request.cancel["actor"], request.cancel["door"], request.cancel["reason"]) == (
        "user:operator",
        "admin",
        "wrong model",
    )
    assert len(running.rows()) == 5
    [line] = Home(lab_home).read(AUDIT).records
    assert (line.service, line.ref, line.slug) == ("cancel_run", "run-1", "local--items")


def test_ended_run_cannot_be_cancelled(items: Desk, operator: Client) -> None:
    queue(items, "run-1", status="done")
    assert "there is nothing to cancel" in get(operator, "/admin/runs/run-1/cancel/").text
    page = post(operator, "/admin/runs/run-1/cancel/", action="cancel")
    assert "Error" in page.text
    assert items.request("run-1").status == "done"


def test_run_id_in_two_benchmarks_asks_for_the_benchmark(root: Path, operator: Client) -> None:
    for name in ("a", "b"):
        queue(make_desk(root / name, 1), "run-1")
    text = get(operator, RUN, status=409).text
    assert "run 'run-1' is in 2 benchmarks: local--a, local--b" in text
    assert "run-1" in get(operator, f"{RUN}?slug=local--b").text


def test_unknown_run_is_a_page_with_a_hint(root: Path, operator: Client) -> None:
    text = get(operator, RUN, status=404).text
    assert "no benchmark has a run 'run-1' understudy runs list" in text


def test_list_shows_each_run_with_who_asked(running: Desk, operator: Client) -> None:
    text = fresh(operator, RUNS).text
    assert "run-1 local--items ● running glm-5.2 , qwen-3 5 of 16" in text
    assert "token:ci , rest" in text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["run-3", "run-2", "run-1"]),
        ("status=running", ["run-1"]),
        ("status=under_way", ["run-2", "run-1"]),
        ("status=ended_badly", ["run-3"]),
        ("status=nonsense", []),
        ("slug=local--items", ["run-3", "run-2", "run-1"]),
        ("slug=local--others", []),
        ("q=run-2", ["run-2"]),
    ],
)
def test_list_keeps_what_passes_its_filters(
    items: Desk, operator: Client, query: str, found: list[str]
) -> None:
    for number, status in enumerate(("running", "queued", "failed"), start=1):
        created = f"2026-11-04T08:0{number}:00.000Z"
        queue(items, f"run-{number}", status=status, created_at=created)
    links = [str(each["href"]) for each in fresh(operator, f"{RUNS}?{query}").every("a")]
    shown = [
        link.removeprefix(RUNS).partition("/")[0]
        for link in links
        if link.startswith("/admin/runs/run")
    ]
    assert shown == found


def test_empty_list_says_what_makes_the_first_run(root: Path, operator: Client) -> None:
    text = fresh(operator, RUNS).text
    assert "Every run that was ever asked for will be listed here" in text


def test_reviewer_sees_the_run_and_may_not_cancel_it(running: Desk, sign_in: SignIn) -> None:
    reviewer = sign_in("reviewer")
    assert "Cancel" not in get(reviewer, RUN).text
    page = seen(reviewer.post("/admin/runs/run-1/cancel/", {"action": "cancel"}), status=403)
    assert "cancel_run needs the permission 'queue'" in page.text
    assert running.request("run-1").status == "running"
