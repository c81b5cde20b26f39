"""Who calls through a door that knows its callers, and whether they may."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, Protocol

from benchmarks.doors.permissions import GROUPS, Permission, in_order, permission_of
from benchmarks.errors import Forbidden, UnderstudyError
from benchmarks.records.caller import Caller

REST = "rest"
ALL = frozenset(Permission)


class Groups(Protocol):
    """The groups of a user, as Django gives them."""

    def values_list(self, *fields: str, flat: bool) -> Iterable[Any]:
        """The groups' own fields."""


class User(Protocol):
    """What of a Django user an identity is made of."""

    is_active: bool
    is_superuser: bool
    groups: Any

    def get_username(self) -> str:
        """The name they sign in with."""


@dataclass(frozen=True, slots=True)
class Identity:
    """One caller: what they are called in ledgers, and what they may do and see."""

    actor: str
    """`user:<name>` or `token:<name>`."""
    door: str
    permissions: frozenset[Permission]
    agent: bool = False
    """Whether an agent holds it: its reviews do not count as a person's."""
    name: str = ""
    patterns: tuple[str, ...] = ()
    """Which benchmarks it sees and writes, as shell patterns over slugs; none: all of them."""

    @property
    def is_session(self) -> bool:
        """Whether a person is signed in, as against a token."""
        return self.actor.startswith("user:")

    def may(self, permission: Permission | None) -> bool:
        """Whether it has the permission."""
        return permission is None or permission in self.permissions

    def sees(self, slug: str) -> bool:
        """Whether the benchmark is one of those it is limited to."""
        return not self.patterns or any(fnmatchcase(slug, each) for each in self.patterns)

    def caller(self, idempotency_key: str | None = None) -> Caller:
        """The caller that a service records."""
        return Caller(self.actor, self.door, idempotency_key, agent=self.agent)

    def narrowed(self, permissions: Iterable[Permission]) -> "Identity":
        """The same identity with no more than these permissions."""
        return replace(self, permissions=self.permissions & frozenset(permissions))


def of_user(user: User, door: str) -> Identity:
    """The identity of a signed-in user: what their groups may do, a superuser everything."""
    name = user.get_username()
    return Identity(f"user:{name}", door, permissions_of(user), name=name)


def permissions_of(user: User) -> frozenset[Permission]:
    """What a user may do; one who is not active may do nothing."""
    if not user.is_active:
        return frozenset()
    if user.is_superuser:
        return ALL
    groups = user.groups.values_list("name", flat=True)
    return frozenset().union(*(GROUPS.get(name, frozenset()) for name in groups))


def require(identity: Identity, service: str) -> None:
    """Return when the identity may call the service.

    Raises:
        Forbidden: it lacks the permission, which is named.
    """
    needed = permission_of(service)
    if not identity.may(needed):
        raise lacking(identity, needed, service)


def lacking(identity: Identity, needed: Permission | None, what: str) -> UnderstudyError:
    """The refusal of an identity that lacks a permission."""
    held = ", ".join(in_order(identity.permissions)) or "none"
    return Forbidden(
        f"{what} needs the permission {str(needed)!r}",
        hint=f"{identity.actor} has {held}: ask an admin",
        details={"permission": str(needed)},
    )
