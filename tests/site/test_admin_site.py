"""The admin as a whole: who may come in, what they may press, and what no page ever does."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from benchmarks.admin.headers import GUARDS
from benchmarks.artifacts import layout
from benchmarks.artifacts.home import AUDIT, Home
from benchmarks.mirror.syncing import catch_up
from benchmarks.models import BenchmarkEntry
from tests.browser import member
from tests.factories import Desk, make_desk, make_home, make_items, queue
from tests.reviews.admin.pages import Seen, seen
from tests.reviews.desks import make_desk as make_refund_desk
from tests.reviews.factories import make_flag
from tests.runs.admin.hostile import RAW, RUN, make_hostile_desk

pytestmark = pytest.mark.django_db
ITEMS = "/admin/benchmarks/benchmarkentry/local--items/"
REFUNDS = "/admin/benchmarks/benchmarkentry/local--refund-desk/"
PAGES = (
    "/admin/",
    "/admin/benchmarks/benchmarkentry/",
    ITEMS,
    REFUNDS,
    "/admin/runs/",
    "/admin/runs/run-1/",
    "/admin/runs/run-1/?view=table",
    "/admin/runs/run-1/live/",
    "/admin/inbox/",
)
MIRRORED = ("benchmarks", "reviews", "runs")


@pytest.fixture
def lab(lab_home: Path) -> Desk:
    """A promoted benchmark with a run under way, and a proposal."""
    make_home(lab_home, level="bounded_experiments")
    root = lab_home / "benchmarks"
    root.mkdir()
    make_refund_desk(root)
    desk = make_desk(root / "items", make_items(3))
    queue(desk, "run-1", status="running", models=["glm-5.2"])
    catch_up(None, budget_s=60)
    return desk


def client_of(group: str | None) -> Client:
    client = Client()
    if group == "superuser":
        named = User.objects.filter(username="root").first()
        client.force_login(named or User.objects.create_superuser("root"))
    elif group == "nobody":
        client.force_login(User.objects.create_user("visitor"))
    elif group is not None:
        client.force_login(member(group))
    return client


# Who comes in

SECRET = "correct horse battery"
NEW_USER = {
    "username": "mira", "usable_password": "true", "password1": SECRET, "password2": SECRET,
}  # fmt: skip
SIGN_IN = {"username": "mira", "password": SECRET, "next": ITEMS}


@pytest.mark.any_database
@pytest.mark.parametrize("group", [None, "nobody"])
def test_whoever_is_not_staff_is_sent_to_sign_in(lab: Desk, group: str | None) -> None:
    client = client_of(group)
    for path in (*PAGES, "/admin/benchmarks/benchmarkentry.csv", "/admin/sync/"):
        answer = client.get(path)
        assert (path, answer.status_code) == (path, 302)
        assert answer["Location"].startswith("/admin/login/?next=")


def test_staff_without_a_group_may_read_nothing(lab: Desk, lab_home: Path) -> None:
    client = Client()
    client.force_login(User.objects.create_user("temp", is_staff=True))
    page = seen(client.get(ITEMS), status=403)
    assert "read_benchmark needs the permission 'read'" in page.text
    [line] = Home(lab_home).read(AUDIT).records
    assert (line.actor, line.service, line.code) == ("user:temp", "read_benchmark", "forbidden")


def test_password_signs_in_and_signing_out_ends_it(lab: Desk) -> None:
    User.objects.create_user("ada", password="correct horse", is_staff=True, is_superuser=True)
    client = Client()
    wrong = client.post("/admin/login/", {"username": "ada", "password": "battery"})
    assert "Please enter a correct username and password" in wrong.content.decode()
    form = {"username": "ada", "password": "correct horse", "next": ITEMS}
    assert client.post("/admin/login/", form)["Location"] == ITEMS
    assert client.get(ITEMS).status_code == 200
    out = client.post("/admin/logout/")
    assert "Signed out" in out.content.decode()
    assert client.get(ITEMS).status_code == 302


@pytest.mark.parametrize("group", ["reviewer", "operator", "admin"])
def test_user_made_in_the_admin_and_put_into_a_group_signs_in(lab: Desk, group: str) -> None:
    made = client_of("superuser").post(reverse("admin:auth_user_add"), NEW_USER)
    assert made.status_code == 302
    person = User.objects.get(username="mira")
    assert not person.is_staff
    refused = Client().post("/admin/login/", SIGN_IN)
    assert "You are in none of the lab&#x27;s groups" in refused.content.decode()
    page = seen(client_of("superuser").get(made["Location"]))
    form = {
        str(each["name"]): str(each.get("value") or "")
        for each in page.every("input")
        if "name" in each and each.get("type") != "checkbox"
    }
    chosen = {"is_active": "on", "groups": [Group.objects.get_or_create(name=group)[0].pk]}
    changed = client_of("superuser").post(made["Location"], {**form, **chosen})
    assert changed.status_code == 302, changed.content.decode()
    came = Client()
    assert came.post("/admin/login/", SIGN_IN)["Location"] == ITEMS
    assert came.get(ITEMS).status_code == 200


def test_member_who_is_made_inactive_is_out(lab: Desk) -> None:
    person = member("reviewer")
    client = client_of("reviewer")
    assert client.get(ITEMS).status_code == 200
    person.is_active = False
    person.save()
    assert client.get(ITEMS).status_code == 302


def test_sign_in_never_leads_to_another_host(lab: Desk) -> None:
    User.objects.create_user("ada", password="correct horse", is_staff=True, is_superuser=True)
    form = {"username": "ada", "password": "correct horse", "next": "https://evil.example/"}
    assert Client().post("/admin/login/", form)["Location"] == "/admin/"


# What they may press


@dataclass(frozen=True)
class Button:
    """A form: where it goes, what it says, and who may send it."""

    path: str
    form: dict[str, str]
    service: str
    groups: frozenset[str]
    seen_on: str = ""


REVIEWERS = frozenset({"reviewer", "operator", "admin", "superuser"})
OPERATORS = frozenset({"operator", "admin", "superuser"})
QUOTE = {"models": "scripted/oracle", "split": "all"}
BUTTONS = [
    Button(
        "/admin/sync/", {"action": "sync", "slug": ""}, "sync_benchmarks", OPERATORS,
        "/admin/benchmarks/benchmarkentry/",
    ),
    Button(ITEMS, {"action": "gate"}, "read_rigor_report", REVIEWERS, ITEMS),
    Button(
        ITEMS, {"action": "policy", "min_confidence": "low"}, "set_policy", REVIEWERS, ITEMS
    ),
    Button(ITEMS, {"action": "flag", "reason": "other"}, "raise_flag", REVIEWERS, ITEMS),
    Button(ITEMS, {"action": "resolve_flag", "ref": "f"}, "resolve_flag", REVIEWERS),
    Button(ITEMS, {"action": "resolve_feedback", "ref": "f"}, "resolve_feedback", REVIEWERS),
    Button(
        ITEMS, {"action": "effect", "tool": "get_item", "effect": "x"}, "regenerate_env",
        OPERATORS, ITEMS,
    ),
    Button(f"{ITEMS}queue/", {"action": "quote", **QUOTE}, "queue_run", OPERATORS, ITEMS),
    Button(f"{ITEMS}queue/", {"action": "queue", **QUOTE}, "queue_run", OPERATORS),
    Button(
        f"{ITEMS}authoring/", {"action": "quote", "models": "m", "tasks": "task-0000000000000001"},
        "author_tasks", OPERATORS,
    ),
    Button("/admin/runs/run-1/cancel/", {"action": "cancel"}, "cancel_run", OPERATORS),
]  # fmt: skip
GROUPS = ("reviewer", "operator", "admin", "superuser")


@pytest.fixture
def no_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long work answers at once: what it does is tested with its button."""
    monkeypatch.setattr(
        "runs.admin.benchmark_buttons.run_job", lambda page, kind, arguments: {"ok": True}
    )


@pytest.mark.any_database
@pytest.mark.parametrize("group", GROUPS)
def test_button_is_refused_where_it_is_not_allowed(
    lab: Desk, no_job: None, lab_home: Path, group: str
) -> None:
    client = client_of(group)
    refused = [button for button in BUTTONS if group not in button.groups]
    for number, button in enumerate(refused, start=1):
        answer = client.post(button.path, button.form)
        assert f"{button.service} needs the permission" in seen(answer, 403).text
        lines = Home(lab_home).read(AUDIT).records
        assert len(lines) == number
        said = (lines[-1].service, lines[-1].code, lines[-1].door)
        assert said == (button.service, "forbidden", "admin")
    for button in BUTTONS:
        if group in button.groups:
            answer = client.post(button.path, button.form)
            assert (button, answer.status_code in {200, 302}) == (button, True)


@pytest.mark.any_database
@pytest.mark.parametrize("group", GROUPS)
def test_button_is_absent_where_it_is_not_allowed(lab: Desk, group: str) -> None:
    client = client_of(group)
    for button in (each for each in BUTTONS if each.seen_on):
        page = seen(client.get(button.seen_on))
        actions = {str(found["value"]) for found in page.every("input", name="action")}
        assert (button, button.form["action"] in actions) == (button, group in button.groups)


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("group", "shown"), [("reviewer", False), ("operator", True), ("admin", True)]
)
def test_promote_form_is_an_operators(lab: Desk, group: str, shown: bool) -> None:
    page = seen(client_of(group).get(REFUNDS))
    actions = {str(found["value"]) for found in page.every("input", name="action")}
    assert ("promote" in actions) is shown


@pytest.mark.any_database
def test_form_without_its_token_is_refused(lab: Desk) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(member("admin"))
    for path in (ITEMS, "/admin/runs/run-1/cancel/", "/admin/sync/"):
        assert (path, client.post(path, {"action": "gate"}).status_code) == (path, 403)


# What no page ever does


@pytest.mark.any_database
def test_every_page_is_under_the_policy(lab: Desk) -> None:
    client = client_of("superuser")
    for path in (*PAGES, "/admin/login/", "/admin/runs/run-9/", f"{ITEMS}queue/"):
        answer = client.get(path)
        assert (path, {name: answer[name] for name in GUARDS}) == (path, GUARDS)
        assert (path, answer["X-Frame-Options"]) == (path, "DENY")
        assert "no-cache" in answer["Cache-Control"], path


@pytest.mark.any_database
def test_every_page_has_one_heading_a_skip_link_and_captions(lab: Desk) -> None:
    client = client_of("admin")
    for path in PAGES:
        if "live" not in path:
            assert_whole(seen(client.get(path)))


def assert_whole(page: Seen) -> None:
    assert len(page.every("h1")) == 1
    assert page.every("a", **{"class": "skip"}) == [{"class": "skip", "href": "#content"}]
    assert len(page.every("main", id="content")) == 1
    assert len(page.every("table")) == len(page.every("caption"))
    assert [cell for cell in page.every("th") if "scope" not in cell] == []
    labels = {str(found["for"]) for found in page.every("label") if "for" in found}
    fields = [*page.every("select"), *page.every("textarea"), *page.every("input", type="text")]
    assert [
        each for each in fields if "aria-label" not in each and each.get("id") not in labels
    ] == []


HOSTILE = (
    "/admin/",
    "/admin/benchmarks/benchmarkentry/",
    "/admin/benchmarks/benchmarkentry/?q=%3Cscript%3Ealert(1)%3C/script%3E",
    "/admin/benchmarks/benchmarkentry/local--hostile/",
    "/admin/benchmarks/benchmarkentry/local--hostile/?split=all",
    "/admin/runs/",
    f"/admin/runs/{RUN}/",
    f"/admin/runs/{RUN}/?view=table",
    f"/admin/runs/{RUN}/live/",
    f"/admin/runs/{RUN}/cancel/",
    "/admin/runs/?q=%22+onmouseover%3D%22alert(4)",
    "/admin/runs/%3Cscript%3Ealert(1)%3C%2Fscript%3E/",
    "/admin/benchmarks/benchmarkentry/%3Cscript%3Ealert(1)%3C/script%3E/",
)


@pytest.mark.parametrize("promoted", [True, False], ids=["promoted", "proposed"])
def test_text_from_outside_is_never_markup(lab_home: Path, promoted: bool) -> None:
    root = lab_home / "benchmarks"
    root.mkdir(parents=True)
    make_hostile_desk(root, promoted=promoted)
    catch_up(None, budget_s=60)
    client = client_of("admin")
    for path in HOSTILE:
        assert_no_markup(client.get(path))


def assert_no_markup(answer: Any) -> None:
    text = answer.content.decode()
    assert answer.status_code in {200, 404}
    assert [raw for raw in RAW if raw in text] == []
    page = seen(answer, answer.status_code)
    assert [link for link in page.every("a") if "javascript:" in str(link.get("href"))] == []
    assert [
        name for name, found in page.elements if any(key.startswith("on") for key in found)
    ] == []
    assert {str(each.get("src")) for each in page.every("script")} <= {
        "/static/lab/lab.js",
        "/static/django_htmx/htmx-2.min.js",
    }


def test_hostile_words_in_a_form_come_back_as_text(lab: Desk) -> None:
    form = {"action": "quote", "models": RAW[0], "split": "all", "rollouts_per_task": RAW[3]}
    answer = client_of("operator").post(f"{ITEMS}queue/", form)
    assert answer.status_code == 400
    assert [raw for raw in RAW if raw in answer.content.decode()] == []


# Mirrored rows


def test_no_mirrored_table_is_registered() -> None:
    tables = [model for app in MIRRORED for model in apps.get_app_config(app).get_models()]
    assert len(tables) > 15
    assert [model for model in tables if admin.site.is_registered(model)] == []


def test_no_address_adds_edits_or_deletes_a_mirrored_row(lab: Desk) -> None:
    client = client_of("superuser")
    before = list(BenchmarkEntry.objects.order_by("pk").values())
    tables = [model for app in MIRRORED for model in apps.get_app_config(app).get_models()]
    for model in tables:
        base = f"/admin/{model._meta.app_label}/{model._meta.model_name}"
        for path in (f"{base}/add/", f"{base}/1/change/", f"{base}/1/delete/", f"{base}/1/"):
            for answer in (client.get(path), client.post(path, {"post": "yes", "slug": "x"})):
                assert answer.status_code in {400, 404}, path
    assert list(BenchmarkEntry.objects.order_by("pk").values()) == before


# Users


@pytest.mark.parametrize(
    ("group", "status"), [("reviewer", 403), ("operator", 403), ("admin", 200), ("superuser", 200)]
)
def test_users_are_managed_by_admins_only(lab: Desk, group: str, status: int) -> None:
    client = client_of(group)
    for name in ("auth_user_changelist", "auth_user_add", "auth_group_changelist"):
        assert client.get(reverse(f"admin:{name}")).status_code == status


def test_link_to_users_is_an_admins(lab: Desk) -> None:
    link = "/admin/auth/"
    assert seen(client_of("admin").get("/admin/")).every("a", href=link)
    assert seen(client_of("operator").get("/admin/")).every("a", href=link) == []


# How much a page asks of the database

Counter = Callable[..., Any]


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("/admin/", 26),
        ("/admin/benchmarks/benchmarkentry/", 16),
        (ITEMS, 17),
        ("/admin/runs/", 15),
        ("/admin/runs/run-1/", 4),
        ("/admin/runs/run-1/live/", 4),
    ],
)
def test_page_asks_a_fixed_number_of_queries(
    lab: Desk, lab_home: Path, django_assert_max_num_queries: Counter, path: str, most: int
) -> None:
    client = client_of("operator")
    client.get(path)
    with django_assert_max_num_queries(most):
        client.get(path)
    for number in range(5):
        queue(lab, f"run-more-{number}", status="done")
        lab.directory.append(layout.FLAGS, make_flag(lab.task_ids[0]))
    catch_up(None, budget_s=60)
    client.get(path)
    with django_assert_max_num_queries(most):
        client.get(path)
