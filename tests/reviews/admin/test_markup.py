"""Nothing of a record is ever markup: not in a page's text, an attribute, a script or a link."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.records.caller import Caller
from benchmarks.records.environment import EnvironmentTask, FixtureRow, Gold, GoldTask, ScriptedUser
from reviews.services.noting import submit_feedback
from reviews.services.recording import submit_review
from tests.factories import NOW
from tests.reviews.admin.conftest import SLUG
from tests.reviews.admin.pages import Seen, get
from tests.reviews.captures import SESSION_KEY, make_session
from tests.reviews.desks import add_rows, make_desk
from tests.reviews.factories import make_contract, make_row, make_task

pytestmark = pytest.mark.django_db
EVIL = (
    '</textarea></title></script><script>alert(1)</script>"><img src=x onerror=alert(2)>'
    "<a href=\"javascript:alert(3)\">x</a>' onmouseover=alert(4) x='[l](javascript:alert(5))"
    "{{ 7|add:7 }}{% now 'Y' %}\x1b[31m\u202ekcab\u2066 &amp;lt;b&gt;"
)
ADA = Caller(f"user:{EVIL}", "admin")


def poisoned(root: Path) -> Located:
    """One task in which every text that comes from outside is hostile."""
    call = {"tool": EVIL, "arguments": {EVIL: EVIL}}
    effect = {
        "id": EVIL,
        "type": "state_effect",
        "tool": EVIL,
        "arguments": {EVIL: {"match": "exact", "value": EVIL}},
    }
    task = make_task(
        "t1",
        title=EVIL,
        machine_confidence=EVIL,
        category_id=EVIL,
        version=EVIL,
        tool_surface=[EVIL],
        tool_definitions=[{"name": EVIL, "description": EVIL}],
        outcome_contract=make_contract(
            effect,
            forbidden=[{"tool": EVIL, "reason": EVIL}],
            preserved=[{"entity": {"type": EVIL, "id": EVIL}, "reason": EVIL}],
        ),
        authored={
            "intent_summary": EVIL,
            "statement": EVIL,
            "grounding": "failed",
            "grounding_violations": [EVIL],
            "success_criteria": [EVIL],
            "ambiguities": [EVIL],
        },
        grouping_label=EVIL,
        self_check={"ok": False, "failures": [{"check": EVIL, "detail": EVIL}]},
        source={
            "node_ids": [SESSION_KEY, EVIL],
            "captures": [{"capture_key": SESSION_KEY, "pointer": EVIL}],
            "edges": [{"type": EVIL, "from": EVIL, "to": EVIL, "confidence": EVIL}],
        },
        helpers=[EVIL],
        cluster_id="cl-1",
    )
    desk = make_desk(root, task, make_task("t2", title=EVIL, cluster_id="cl-1", split="train"))
    words = ("system", "first", "tool", "argument", "result", "then", "last")
    desk.directory.append(layout.CAPTURES, make_session(**dict.fromkeys(words, EVIL)))
    shown = EnvironmentTask.read({
        "task_id": "t1",
        "prompt": EVIL,
        "candidate_prompt": [{"role": "user", "content": EVIL}],
        "system_prompt": EVIL,
        "tools": [{"name": EVIL, "description": EVIL}],
        "user": ScriptedUser(mode="scripted", turns=[EVIL]).dump(),
    })
    desk.directory.replace(layout.ENV_TASKS, [shown])
    entity = {"type": EVIL, "id": EVIL}
    own = FixtureRow.read({**call, "task_id": "t1", "content": {EVIL: EVIL}, "entity": entity})
    desk.directory.replace(layout.FIXTURES, [own, FixtureRow.read({**call, "content": EVIL})])
    recorded = {**call, "call_id": "c1", "status": "ok", "content": EVIL, "confirmed": False}
    gold = {"task_id": "t1", "final_response": EVIL, "calls": [recorded]}
    desk.directory.replace(layout.GOLD, Gold(tasks=[GoldTask.read(gold)]))
    submit_feedback(located=desk, task_id="t1", feedback=EVIL, caller=ADA, now=NOW)
    submit_review(located=desk, task_ids=["t1"], decision="reject", note=EVIL, caller=ADA, now=NOW)
    add_rows(desk, make_row("t1", 1.0, model="m1", arm_kind=EVIL))
    return desk


def harmless(page: Seen, body: str) -> None:
    """No element and no attribute of the hostile text came to life."""
    sources = [found.get("src") for found in page.every("script")]
    assert all(str(source).startswith("/static/") for source in sources), sources
    assert all(str(found["src"]).startswith("/static/") for found in page.every("img"))
    handlers = [name for _, found in page.elements for name in found if name.startswith("on")]
    assert handlers == []
    links = [str(found.get("href")) for found in page.every("a")]
    assert [link for link in links if not link.startswith(("/", "#"))] == []
    assert "alert(1)</script>" not in body
    assert not set("\x1b\u202e\u2066") & set(body)


@pytest.mark.parametrize(
    "path",
    [
        f"/admin/inbox/?slug={SLUG}",
        f"/admin/inbox/?slug={SLUG}&all=yes",
        f"/admin/tasks/{SLUG}/t1/?gold=shown",
        f"/admin/tasks/{SLUG}/t2/",
    ],
)
def test_hostile_text_is_only_ever_text(root: Path, mira: Client, path: str) -> None:
    poisoned(root)
    answer = mira.get(path)
    body = answer.content.decode()
    page = Seen(body)
    harmless(page, body)
    assert "<script>alert(1)</script>" in page.text
    if "/tasks/" in path:
        assert "{{ 7|add:7 }}{% now 'Y' %}" in page.text


def test_search_words_and_addresses_are_only_ever_text(root: Path, mira: Client) -> None:
    poisoned(root)
    answer = mira.get("/admin/inbox/", {"q": EVIL, "category": EVIL, "by": EVIL, "at": EVIL})
    body = answer.content.decode()
    harmless(Seen(body), body)
    for name in ("field", "task"):
        refused = mira.get(f"/admin/task-text/{SLUG}/t1/", {name: EVIL})
        assert refused.status_code == 400
        harmless(Seen(refused.content.decode()), refused.content.decode())


def test_error_messages_are_only_ever_text(root: Path, mira: Client) -> None:
    poisoned(root)
    pick = json.dumps([SLUG, EVIL, ""])
    answer = mira.post(
        f"/admin/inbox/?slug={SLUG}",
        {"action": "review", "decision": EVIL, "task": pick},
        follow=True,
    )
    body = answer.content.decode()
    harmless(Seen(body), body)
    assert "has no task" in Seen(body).text


@pytest.mark.parametrize("path", ["/admin/inbox/", f"/admin/tasks/{SLUG}/t1/", "/admin/tasks/x/y/"])
def test_pages_are_sent_under_the_strict_policy(root: Path, mira: Client, path: str) -> None:
    poisoned(root)
    answer: Any = mira.get(path)
    assert answer["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"


def test_no_template_or_view_of_this_app_trusts_a_value() -> None:
    folder = Path(__file__).resolve().parents[3] / "reviews"
    files = [*folder.glob("admin/*.py"), *folder.glob("templates/**/*.html")]
    words = ("mark_safe", "|safe", "autoescape", "format_html", "innerHTML", "safeseq")
    found = [
        (file.name, word)
        for file in files
        for word in words
        if word in file.read_text(encoding="utf-8")
    ]
    assert (len(files) > 20, found) == (True, [])


def test_plain_text_is_the_text_itself_and_nothing_a_browser_would_run(
    root: Path, mira: Client
) -> None:
    poisoned(root)
    for field in ("/prompt", "/recording/turns/1/parts/0", "/gold/final_response"):
        answer = mira.get(f"/admin/task-text/{SLUG}/t1/", {"field": field})
        assert answer.content.decode() == EVIL
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        assert get(mira, "/admin/inbox/").every("h1")


def test_secrets_are_taken_out_on_the_way_and_counted(root: Path, mira: Client) -> None:
    key = "sk-" + "a1B2c3D4e5F6g7H8i9J0" * 2
    desk = make_desk(root, make_task("t1", title=f"Use {key} please"))
    row = desk.directory.load_list(layout.ENV_TASKS)[0]
    desk.directory.replace(layout.ENV_TASKS, [row.with_(prompt=f"Use {key} please")])
    for path in (f"/admin/inbox/?slug={SLUG}", f"/admin/tasks/{SLUG}/t1/"):
        page = get(mira, path)
        assert key not in page.text
        assert "Use [redacted:api_key] please" in page.text
    assert "secrets were taken out of this answer" in page.text
    rest = mira.get(f"/admin/task-text/{SLUG}/t1/", {"field": "/prompt"})
    assert rest.content == b"Use [redacted:api_key] please"
