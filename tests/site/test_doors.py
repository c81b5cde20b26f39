"""Every verb, tool, route and admin page has its service in the one table, and none is stray."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.urls import URLPattern, URLResolver, get_resolver

from benchmarks.doors.permissions import (
    MCP,
    NOBODY_ASKED,
    PAGE,
    REST,
    SERVICES,
    Permission,
    entry_of,
)
from benchmarks.errors import UnknownTool
from understudy_site.cli import VERBS
from understudy_site.tools import TOOLS


def at(door: str) -> set[str]:
    return {name for name, entry in SERVICES.items() if door in entry.doors}


def test_every_verb_calls_a_service_of_the_table_and_every_listed_verb_exists() -> None:
    verbs = {f"{verb.noun} {verb.name}".strip() for verb in VERBS}
    listed = {verb for entry in SERVICES.values() for verb in entry.verbs}
    assert verbs - listed - set(NOBODY_ASKED) == set()
    assert listed - verbs == set()


def test_every_tool_is_in_the_table_and_every_listed_tool_exists() -> None:
    assert {tool.name for tool in TOOLS} == at(MCP)


def test_a_tool_asks_the_permission_of_its_service() -> None:
    assert {tool.name: tool.permission for tool in TOOLS} == {
        tool.name: SERVICES[tool.name].permission for tool in TOOLS
    }


def operations(patterns: list[Any], prefix: str = "") -> Iterator[tuple[str, str, str]]:
    """Path, method and service of every operation under `/api/`."""
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from operations(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern) and path.startswith("api/"):
            view = getattr(pattern.callback, "cls", None)
            for method in ("get", "post", "put", "patch", "delete"):
                handler = getattr(view, method, None)
                if handler is not None:
                    yield path, method, getattr(handler, "operation", None)


def test_every_route_is_in_the_table_and_every_listed_route_exists() -> None:
    found = [(path, method, each) for path, method, each in operations(get_resolver().url_patterns)]
    assert [(path, method) for path, method, operation in found if operation is None] == []
    assert {operation.service for _, _, operation in found} == at(REST)


def admin_services() -> set[str]:
    found: set[str] = set()
    for page in admin.site.pages:
        found |= {page.service, *(action.service for action in page.actions.values())}
    return found


def test_every_admin_page_and_button_is_in_the_table_and_every_listed_one_exists() -> None:
    assert admin_services() == at(PAGE)


@pytest.mark.parametrize("name", ["reviews submit", "no_such_service", ""])
def test_a_name_that_is_no_service_is_refused(name: str) -> None:
    with pytest.raises(UnknownTool):
        entry_of(name)


def test_permissions_are_the_seven_of_the_manual() -> None:
    assert [each.value for each in Permission] == [
        "read", "review", "build", "queue", "promote", "operate", "admin",
    ]  # fmt: skip
