"""Who may press which button of the task page, and where nobody may."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from tests.reviews.admin.conftest import SLUG, SignIn
from tests.reviews.admin.pages import Seen, get, post

pytestmark = pytest.mark.django_db
HERE = f"/admin/tasks/{SLUG}/t1/"


def written(desk: Located, file: Any) -> list[dict[str, Any]]:
    return [line.dump() for line in desk.directory.read(file).records]


def digest(page: Seen) -> str:
    return page.values("digest")[0]


def test_read_only_task_shows_no_form_and_refuses_the_post(
    desk: Located, mira: Client, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = get(mira, HERE)
    monkeypatch.setenv("UNDERSTUDY_READONLY_ROOTS", str(root))
    after = post(mira, HERE, action="review", decision="accept", digest=digest(page))
    assert "read-only" in after.text
    assert after.every("textarea") == []
    assert written(desk, layout.REVIEWS) == []
    refused = post(mira, HERE, action="feedback", feedback="x")
    assert "read-only" in refused.text
    assert written(desk, layout.FEEDBACK) == []


@pytest.mark.parametrize(
    "action", ["review", "feedback", "flag", "resolve_flag", "resolve_feedback"]
)
def test_every_button_asks_for_its_permission(
    desk: Located, action: str, lab_home: Path, db: None
) -> None:
    guest = Client()
    guest.force_login(User.objects.create(username="guest", is_staff=True))
    assert guest.get(HERE).status_code == 403
    form = {"action": action, "decision": "accept", "feedback": "x", "reason": "other", "ref": "x"}
    answer = guest.post(HERE, form)
    assert answer.status_code == 403
    assert "permission" in answer.content.decode()
    assert written(desk, layout.REVIEWS) == written(desk, layout.FEEDBACK) == []


def test_operator_and_admin_may_do_what_a_reviewer_may(desk: Located, sign_in: SignIn) -> None:
    for group in ("reviewer", "operator", "admin"):
        client = sign_in(group, group)
        page = get(client, HERE)
        assert len(page.every("button", name="decision")) == 4
        post(client, HERE, action="review", decision="accept", digest=digest(page))
    assert [line["actor"] for line in written(desk, layout.REVIEWS)] == [
        "user:reviewer", "user:operator", "user:admin",
    ]  # fmt: skip


def test_unknown_button_and_no_sign_in_are_refused(desk: Located, mira: Client) -> None:
    assert "there is no button 'drop'" in seen_text(mira.post(HERE, {"action": "drop"}))
    assert Client().get(HERE).status_code == 302
    assert Client(enforce_csrf_checks=True).post(HERE, {"action": "review"}).status_code in {
        302,
        403,
    }


def seen_text(response: Any) -> str:
    return Seen(response.content.decode()).text
