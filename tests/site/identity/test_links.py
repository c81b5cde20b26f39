"""Sign-in links: once, for ten minutes, on this machine."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchmarks.errors import Unauthenticated
from understudy_site.identity.links import make_sign_in_link, take_sign_in_link
from understudy_site.identity.models import SignInLink

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def admin(db: None) -> User:
    return User.objects.create(username="ada", is_staff=True, is_superuser=True)


def test_a_link_works_once(admin: User) -> None:
    secret = make_sign_in_link(admin, now=NOW)
    assert take_sign_in_link(secret, now=NOW) == admin
    with pytest.raises(Unauthenticated):
        take_sign_in_link(secret, now=NOW)


def test_a_link_works_for_ten_minutes(admin: User) -> None:
    early, late = make_sign_in_link(admin, now=NOW), make_sign_in_link(admin, now=NOW)
    assert take_sign_in_link(early, now=NOW + timedelta(minutes=9, seconds=59)) == admin
    with pytest.raises(Unauthenticated):
        take_sign_in_link(late, now=NOW + timedelta(minutes=10))


@pytest.mark.parametrize("secret", ["", "link_", "x" * 400])
def test_what_is_no_link_signs_nobody_in(admin: User, secret: str) -> None:
    with pytest.raises(Unauthenticated):
        take_sign_in_link(secret, now=NOW)


def test_links_that_are_over_are_forgotten(admin: User) -> None:
    make_sign_in_link(admin, now=NOW)
    make_sign_in_link(admin, now=NOW + timedelta(minutes=11))
    assert SignInLink.objects.count() == 1


def test_the_page_of_a_link_signs_in_and_goes_on_to_the_admin(admin: User, client: Client) -> None:
    answered = client.get(f"/sign-in/{make_sign_in_link(admin)}")
    assert (answered.status_code, answered["Location"]) == (302, "/admin/")
    assert client.session["_auth_user_id"] == str(admin.pk)


@pytest.mark.parametrize(
    "from_elsewhere",
    [
        {"REMOTE_ADDR": "192.0.2.7"},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
    ],
)
def test_a_link_is_refused_from_elsewhere_and_stays_good(
    admin: User, client: Client, from_elsewhere: dict[str, str]
) -> None:
    secret = make_sign_in_link(admin)
    assert client.get(f"/sign-in/{secret}", **from_elsewhere).status_code == 403  # type: ignore[arg-type]
    assert client.get(f"/sign-in/{secret}").status_code == 302
