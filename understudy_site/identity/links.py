"""One-time sign-in links: how the first admin of a hub comes in, without a password."""

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from benchmarks.errors import Unauthenticated
from understudy_site.identity.models import SignInLink
from understudy_site.identity.secrets import MOST_CHARS, fingerprint, new_secret

PREFIX = "link_"
GOOD_FOR = timedelta(minutes=10)


def make_sign_in_link(user: User, *, now: datetime | None = None) -> str:
    """The secret of a link that signs `user` in once within ten minutes: shown, never kept."""
    made = now or timezone.now()
    SignInLink.objects.filter(expires_at__lte=made).delete()
    secret = new_secret(PREFIX)
    SignInLink.objects.create(
        sha256=fingerprint(secret), user=user, created_at=made, expires_at=made + GOOD_FOR
    )
    return secret


def take_sign_in_link(secret: str, *, now: datetime) -> User:
    """Who the link signs in; it is used up from here on, also when two take it at once.

    Raises:
        Unauthenticated: there is none, it is over ten minutes old, or it was used.
    """
    found = None
    if 0 < len(secret) <= MOST_CHARS:
        good = SignInLink.objects.filter(
            sha256=fingerprint(secret), used_at=None, expires_at__gt=now, user__is_active=True
        )
        found = good.select_related("user").first()
        if found is not None and not good.update(used_at=now):
            found = None
    if found is None:
        raise Unauthenticated(
            "this sign-in link is used up or too old",
            hint="another one: understudy hub serve --once-link",
        )
    return found.user
