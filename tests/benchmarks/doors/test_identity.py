from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.doors.identity import Identity, of_user, require
from benchmarks.doors.permissions import GROUPS, Permission
from benchmarks.errors import Forbidden


def user(*groups: str, superuser: bool = False, active: bool = True) -> Any:
    return SimpleNamespace(
        is_active=active,
        is_superuser=superuser,
        get_username=lambda: "ada",
        groups=SimpleNamespace(values_list=lambda *_, flat: list(groups)),
    )


@pytest.mark.parametrize(
    ("groups", "permissions"),
    [
        ((), set()),
        (("reviewer",), {"read", "review"}),
        (("operator",), {"read", "review", "build", "queue", "promote", "operate"}),
        (("admin",), {"read", "review", "build", "queue", "promote", "operate", "admin"}),
        (("reviewer", "painters"), {"read", "review"}),
    ],
)
def test_a_user_may_what_their_groups_may(groups: tuple[str, ...], permissions: set[str]) -> None:
    identity = of_user(user(*groups), "rest")
    assert (identity.actor, identity.permissions) == ("user:ada", permissions)


def test_a_superuser_may_what_an_admin_may() -> None:
    assert of_user(user(superuser=True), "admin").permissions == GROUPS["admin"]


def test_a_user_who_is_not_active_may_nothing() -> None:
    assert of_user(user("admin", superuser=True, active=False), "rest").permissions == set()


def test_a_missing_permission_is_named() -> None:
    reviewer = of_user(user("reviewer"), "rest")
    require(reviewer, "submit_review")
    with pytest.raises(Forbidden) as caught:
        require(reviewer, "queue_run")
    assert caught.value.message == "queue_run needs the permission 'queue'"
    assert caught.value.hint == "user:ada has read, review: ask an admin"
    assert caught.value.details == {"permission": "queue"}


@pytest.mark.parametrize(
    ("patterns", "slug", "seen"),
    [
        ((), "local--orders", True),
        (("local--*",), "local--orders", True),
        (("local--*",), "data--orders", False),
        (("LOCAL--*",), "local--orders", False),
        (("data--orders", "local--re*"), "local--refunds", True),
        (("local--order",), "local--orders", False),
    ],
)
def test_patterns_limit_what_is_seen(patterns: tuple[str, ...], slug: str, *, seen: bool) -> None:
    assert Identity("token:ci", "rest", frozenset(), patterns=patterns).sees(slug) is seen


def test_the_caller_keeps_that_an_agent_holds_the_token() -> None:
    held = frozenset({Permission.REVIEW})
    agent = Identity("token:bot", "rest", held, agent=True).caller("k")
    assert (agent.is_agent, agent.is_person, agent.idempotency_key) == (True, False, "k")
    assert Identity("token:ci", "rest", held).caller().is_agent is False
