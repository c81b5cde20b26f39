"""What Django itself refuses has a page of the lab: a heading, and never a record's words."""

from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.test import Client

from tests.browser import member
from tests.reviews.admin.pages import Seen, seen

pytestmark = pytest.mark.django_db
STYLE = [{"rel": "stylesheet", "href": "/static/lab/lab.css"}]


@pytest.fixture
def admin(lab_home: Path) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(member("admin"))
    return client


@pytest.mark.parametrize("path", ["/admin/nope/", "/nope", "/admin/runs/x/evil%3Cb%3E/"])
def test_address_without_a_page_says_so(admin: Client, path: str) -> None:
    answer = admin.get(path)
    page = seen(answer, status=404)
    assert "Not found There is no page at this address. Back to the dashboard" in page.text
    assert len(page.every("h1")) == 1
    assert page.every("link", rel="stylesheet") == STYLE
    assert "evil" not in answer.content.decode()


def test_page_that_breaks_keeps_its_reason_to_the_log(
    admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise RuntimeError("a record's own words")

    monkeypatch.setattr("benchmarks.admin.base.catch_up", breaks)
    answer = admin.get("/admin/")
    page = seen(answer, status=500)
    assert "Something broke The page could not be made." in page.text
    assert page.every("link", rel="stylesheet") == STYLE
    assert "own words" not in answer.content.decode()


def test_what_djangos_own_pages_refuse_is_a_page_too(lab_home: Path) -> None:
    client = Client()
    client.force_login(member("reviewer"))
    page = seen(client.get("/admin/auth/user/"), status=403)
    assert "Not allowed You may not do this, or may not see this page." in page.text
    assert page.every("link", rel="stylesheet") == STYLE


def test_form_that_is_too_old_says_what_to_do(lab_home: Path) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(member("admin"))
    page = seen(client.post("/admin/sync/", {"action": "sync"}), status=403)
    assert "Not sent The form was too old, or not from a page of this hub" in page.text


def test_request_that_cannot_be_read_has_its_words_too() -> None:
    assert "Not understood The request was not one" in Seen(render_to_string("400.html")).text
