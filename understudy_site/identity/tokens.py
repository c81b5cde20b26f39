"""API tokens: made, shown, revoked, and recognised."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q

from benchmarks.api.missing import UnknownRoute
from benchmarks.doors.identity import REST, Identity, permissions_of
from benchmarks.doors.permissions import Permission, in_order
from benchmarks.errors import (
    AlreadyExists,
    Complaint,
    Forbidden,
    InvalidArguments,
    Unauthenticated,
)
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import known
from understudy_site.identity.models import Token
from understudy_site.identity.secrets import MOST_CHARS, fingerprint, is_same, new_secret

PREFIX = "understudy_"
NAME_CHARS = 64
MOST_DAYS = 3650
USE_WRITTEN_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Asked:
    """The token that somebody asks for."""

    name: str
    permissions: Sequence[str]
    benchmarks: Sequence[str] = ()
    agent: bool = False
    days: int | None = None
    """None: it does not expire."""


@dataclass(frozen=True, slots=True)
class Issued:
    """A new token; `secret` is shown once and kept nowhere."""

    token: Token
    secret: str


def issue_token(
    *, owner: User, asked: Asked, within: Identity | None = None, now: datetime
) -> Issued:
    """Make a token for a user, with permissions that the user has.

    One that a token asks for (`within`) has no more than that token: not its other permissions,
    not another agent mark, not other benchmarks, not a day longer; it is revoked with that token.

    Raises:
        InvalidArguments: name, permissions, patterns or days are wrong; all are listed.
        Forbidden: the owner lacks one of the permissions.
        AlreadyExists: there is or was a token of that name.
        Unauthenticated: the token that asks was revoked meanwhile.
    """
    wanted = _checked(asked)
    held = permissions_of(owner) if within is None else within.permissions
    lacking = wanted - held
    if lacking:
        raise Forbidden(
            f"{within.actor if within else owner.get_username()} has not "
            + ", ".join(in_order(lacking)),
            hint="a token has a subset of its owner's permissions",
            details={"permission": in_order(lacking)[0].value},
        )
    secret = new_secret(PREFIX)
    token = Token(
        name=asked.name,
        sha256=fingerprint(secret),
        owner=owner,
        permissions=[each.value for each in in_order(wanted)],
        benchmarks=_benchmarks(asked, within),
        agent=asked.agent or (within is not None and within.agent),
        created_at=now,
    )
    try:
        with transaction.atomic():
            token.parent = _parent(within)
            token.expires_at = _end(asked, token.parent, now)
            token.save(force_insert=True)
    except IntegrityError:
        raise AlreadyExists(
            f"there is or was a token {asked.name!r}",
            hint="a name is used once: it stands in ledgers for good",
        ) from None
    return Issued(token, secret)


def _parent(within: Identity | None) -> Token | None:
    """The token that asks, locked, so that none is made of one that is being revoked.

    Raises:
        Unauthenticated: it is revoked.
    """
    if within is None or within.is_session:
        return None
    asking = Token.objects.select_for_update().filter(name=within.name, revoked_at=None).first()
    if asking is None:
        raise Unauthenticated(f"{within.actor} is revoked", hint="use a token that stands")
    return asking


def _end(asked: Asked, parent: Token | None, now: datetime) -> datetime | None:
    """When a new token ends: as it was asked for, and no later than the one that asks."""
    ends = [now + timedelta(days=asked.days)] if asked.days is not None else []
    if parent is not None and parent.expires_at is not None:
        ends.append(parent.expires_at)
    return min(ends, default=None)


def revoke_token(*, token_id: int, within: Identity | None = None, now: datetime) -> Token:
    """End a token and all that came of it at once; one that is revoked already stays as it is.

    Raises:
        UnknownRoute: there is none of that id, or none that `within` sees.
    """
    _read(token_id, within)
    with transaction.atomic():
        family = {token_id}
        newest = family
        while newest:
            Token.objects.filter(pk__in=newest, revoked_at=None).update(revoked_at=now)
            born = Token.objects.filter(parent__in=newest).values_list("pk", flat=True)
            newest = set(born) - family
            family |= newest
    return _read(token_id, within)


def list_tokens(within: Identity | None = None) -> list[Token]:
    """Every token that `within` sees, newest first, the revoked ones too.

    One that is limited to some benchmarks sees those that are limited to some of the same.
    """
    mine = set(within.patterns) if within is not None else set()
    every = Token.objects.select_related("owner")
    return [each for each in every if not mine or (each.benchmarks and mine >= {*each.benchmarks})]


def _read(token_id: int, within: Identity | None) -> Token:
    seen = list_tokens(within)
    found = next((each for each in seen if each.pk == token_id), None)
    if found is None:
        raise UnknownRoute(f"there is no token {token_id}", hint=f"{len(seen)} are there")
    return found


def token_document(token: Token) -> dict[str, Any]:
    """A token as doors show it: everything but its secret."""

    def shown(at: datetime | None) -> str | None:
        return stamp(at) if at is not None else None

    return {
        "token_id": token.pk,
        "name": token.name,
        "owner": token.owner.get_username(),
        "parent_id": token.parent_id,
        "permissions": token.permissions,
        "benchmarks": token.benchmarks,
        "agent": token.agent,
        "created_at": shown(token.created_at),
        "expires_at": shown(token.expires_at),
        "last_used_at": shown(token.last_used_at),
        "revoked_at": shown(token.revoked_at),
    }


def recognised(secret: str, now: datetime) -> Token | None:
    """The token that a secret is of, while it is good; its use is noted once a minute."""
    if not 0 < len(secret) <= MOST_CHARS:
        return None
    sought = fingerprint(secret)
    token = Token.objects.select_related("owner").filter(sha256=sought).first()
    if token is None or not is_same(token.sha256, sought):
        return None
    is_over = token.expires_at is not None and token.expires_at <= now
    if token.revoked_at is not None or is_over or not token.owner.is_active:
        return None
    _note_use(token, now)
    return token


def _note_use(token: Token, now: datetime) -> None:
    """One write a minute: a read that is answered from the mirror must not cost a transaction."""
    before = now - USE_WRITTEN_EVERY
    if token.last_used_at is None or token.last_used_at <= before:
        unused = Q(last_used_at=None) | Q(last_used_at__lte=before)
        Token.objects.filter(unused, pk=token.pk).update(last_used_at=now)


def identity_of(token: Token) -> Identity:
    """The identity of a token: what it was given, as far as its owner still may."""
    given = _permissions(token.permissions)
    return Identity(
        actor=f"token:{token.name}",
        door=REST,
        permissions=given & permissions_of(token.owner),
        agent=token.agent,
        name=token.name,
        patterns=tuple(token.benchmarks),
    )


def _permissions(words: Iterable[object]) -> frozenset[Permission]:
    return frozenset(found for word in words if (found := known(Permission, word)) is not None)


def _checked(asked: Asked) -> frozenset[Permission]:
    found = [
        Complaint("permissions", word, f"one of {', '.join(Permission)}")
        for word in asked.permissions
        if known(Permission, word) is None
    ]
    if not asked.permissions:
        found.append(Complaint("permissions", "", f"one or more of {', '.join(Permission)}"))
    if not _is_name(asked.name):
        found.append(Complaint("name", asked.name, "1 to 64 of a-z, A-Z, 0-9, '.', '_' and '-'"))
    if asked.days is not None and not 1 <= asked.days <= MOST_DAYS:
        found.append(Complaint("days", asked.days, f"1..{MOST_DAYS} days"))
    found += [
        Complaint("benchmarks", each, "a pattern over slugs, such as local--*")
        for each in asked.benchmarks
        if not each.strip() or not each.isprintable()
    ]
    if found:
        said = "; ".join(f"{each.path} {each.value!r}: {each.message}" for each in found)
        raise InvalidArguments(said, hint="name and permissions are wanted", errors=found)
    return _permissions(asked.permissions)


def _benchmarks(asked: Asked, within: Identity | None) -> list[str]:
    """The patterns of a new token: of one that a limited token asks for, patterns that it has.

    Raises:
        Forbidden: it asks for others.
    """
    mine = within.patterns if within is not None else ()
    wanted = list(asked.benchmarks) or list(mine)
    others = [each for each in wanted if mine and each not in mine]
    if others:
        raise Forbidden(
            f"{', '.join(others)} is not among the patterns of {within.actor if within else ''}",
            hint=f"it is limited to {', '.join(mine)}",
            details={"patterns": list(mine)},
        )
    return wanted


def _is_name(name: str) -> bool:
    plain = name.replace(".", "").replace("_", "").replace("-", "")
    return len(name) <= NAME_CHARS and plain.isascii() and plain.isalnum()
