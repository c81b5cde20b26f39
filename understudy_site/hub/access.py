"""How people and programs get in: the first admin, links to sign in, and tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse

from benchmarks.records.base import JsonObject
from understudy_site.identity.links import make_sign_in_link
from understudy_site.identity.tokens import Asked, issue_token, token_document


@dataclass(frozen=True, slots=True)
class Admin:
    """Who acts when this machine's user asks for a link or a token."""

    user: User
    made: bool
    """Whether there was no admin before."""


def ensure_admin(name: str) -> Admin:
    """The active admin of that name, else the first one; where there is none, one is made.

    It has no password: a link signs it in.
    """
    with transaction.atomic():
        admins = User.objects.filter(is_superuser=True, is_active=True).order_by("pk")
        found = admins.filter(username=name).first() or admins.first()
        if found is not None:
            return Admin(found, made=False)
        user, _ = User.objects.get_or_create(username=name)
        user.is_active = user.is_staff = user.is_superuser = True
        user.set_unusable_password()
        user.save()
        return Admin(user, made=True)


def sign_in_url(user: User, base: str, *, now: datetime) -> str:
    """A link that signs the user in once, on the hub at `base`."""
    return base + reverse("sign-in", args=[make_sign_in_link(user, now=now)])


def new_token(
    user: User,
    *,
    name: str,
    permissions: Sequence[str],
    agent: bool,
    days: int | None,
    now: datetime,
) -> JsonObject:
    """A token of the user: its document, and `token`, which is shown here and never again."""
    asked = Asked(name=name, permissions=permissions, agent=agent, days=days)
    issued = issue_token(owner=user, asked=asked, now=now)
    return {"token": issued.secret, **token_document(issued.token)}
