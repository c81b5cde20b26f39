"""What holds for every route, found by walking all of them."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern

from benchmarks.api.operations import Operation, operations_of
from benchmarks.artifacts.roots import Located
from benchmarks.doors.permissions import SERVICES, Permission
from tests.rest import Answered, Rest
from understudy_site.urls import API

pytestmark = pytest.mark.django_db
PARTS = {
    "<str:slug>": "local--refund-desk",
    "<path:task_id>": "t1",
    "<str:ref>": "note-1",
    "<str:run_id>": "run-1",
    "<str:job_id>": "job-0123456789abcdef",
    "<int:token_id>": "7",
}


def walked() -> Iterator[tuple[str, str, Operation]]:
    for pattern in API:
        view = getattr(pattern.callback, "cls", None) if isinstance(pattern, URLPattern) else None
        if view is None:
            continue
        path = "/api/" + str(pattern.pattern)
        for part, value in PARTS.items():
            path = path.replace(part, value)
        for method, operation in operations_of(view).items():
            yield method.upper(), path, operation


ROUTES = sorted(
    ((method, path, operation) for method, path, operation in walked()), key=lambda each: each[:2]
)
NEEDS = {
    f"{method} {path}": SERVICES[operation.service].permission
    for method, path, operation in ROUTES
    if SERVICES[operation.service].permission is not None
}
READS = sorted(
    path.removesuffix("/")
    for method, path, operation in ROUTES
    if method == "GET" and not path.endswith("/")
    # Its artifacts say when they were written, and its age moves on.
    if operation.service not in {"read_docs", "benchmark_status"}
)


def test_there_is_no_part_of_a_path_that_the_walk_does_not_know() -> None:
    assert [path for _, path, _ in ROUTES if "<" in path] == []


def test_without_identity_every_route_is_401(client: Client) -> None:
    answered = {
        f"{method} {path}": client.generic(method, path, b"{}", content_type="application/json")
        for method, path, _ in ROUTES
    }
    found = {
        (each.status_code, each.json()["code"], each["WWW-Authenticate"])
        for each in answered.values()
    }
    assert len(answered) > 80
    assert found == {(401, "unauthenticated", 'Bearer realm="understudy"')}


@pytest.mark.parametrize("needed", Permission)
def test_without_its_permission_every_route_is_403_and_names_it(
    db: None, desk: Located, needed: Permission
) -> None:
    caller = Rest(*(each.value for each in Permission if each is not needed))
    for method, path, operation in ROUTES:
        if SERVICES[operation.service].permission is needed:
            refused = caller.send(method, path, b"{}")
            assert (refused.status, refused.code) == (403, "forbidden"), path
            assert refused.document["details"] == {"permission": needed.value}
            assert refused.document["detail"] == (
                f"{operation.service} needs the permission {needed.value!r}"
            )


def test_a_reviewer_is_refused_wherever_more_is_needed(browser_of: Any, desk: Located) -> None:
    reviewer = browser_of("reviewer")
    refused = {
        f"{method} {path}"
        for method, path, _ in ROUTES
        if reviewer.generic(method, path, b"{}", content_type="application/json").status_code == 403
    }
    may = {Permission.READ, Permission.REVIEW}
    wanted = {route for route, needed in NEEDS.items() if needed not in may}
    assert wanted - refused == set()
    assert {NEEDS.get(route) for route in refused - wanted} <= may | {None}


def same(answered: Answered) -> Any:
    """An answer without what differs from one call to the next."""
    document = dict(answered.document) if answered.body.startswith(b"{") else {}
    moving = {"freshness", "instance", "seconds"}
    return answered.status, {key: document[key] for key in document if key not in moving}


def test_a_path_means_the_same_with_its_final_slash_and_head_what_get_means(
    rest: Rest, desk: Located
) -> None:
    rest.get("/api/benchmarks")
    for path in READS:
        plain, slashed = rest.get(path), rest.get(path + "/")
        assert plain.status in {200, 400, 403, 404, 409}, (path, plain.body)
        if plain.status == 200:
            assert same(plain) == same(slashed), path
        else:
            assert (plain.status, plain.code) == (slashed.status, slashed.code), path
        head = rest.send("HEAD", path + "?fresh=1")
        assert (head.status, head.body) == (plain.status, b""), path


def test_options_says_the_methods_and_another_method_is_405(rest: Rest) -> None:
    for path in sorted({path for _, path, _ in ROUTES}):
        methods = {method for method, other, _ in ROUTES if other == path}
        said = rest.send("OPTIONS", path)
        assert said.status == 204
        extra = {"OPTIONS", *(["HEAD"] if "GET" in methods else [])}
        assert {each.strip() for each in said.headers["Allow"].split(",")} == {*methods, *extra}
        other = next(each for each in ("PATCH", "PUT", "DELETE") if each not in methods)
        refused = rest.send(other, path, b"{}")
        assert (refused.status, refused.code) == (405, "unknown_tool"), path
        assert refused.headers["Allow"] == said.headers["Allow"]


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("/api/reviewz", "nearest: /api/reviews"),
        ("/api/zzzzz", "GET /api/schema lists every route"),
        ("/api/", "GET /api/schema lists every route"),
        ("/api", "GET /api/schema lists every route"),
        ("/api/benchmarks/a/b/c/d", "nearest: /api/benchmarks"),
        ("/api/trace-viewer", "traces are shown by GET /api/rollouts?slug=&task="),
        ("/api/trace-viewer/x", "traces are shown by GET /api/rollouts?slug=&task="),
    ],
)
def test_a_route_that_does_not_exist_is_404_with_the_nearest(
    rest: Rest, path: str, hint: str
) -> None:
    refused = rest.get(path)
    assert (refused.status, refused.code, refused.document["hint"]) == (404, "unknown_tool", hint)
    assert refused.headers["Content-Type"] == "application/problem+json"
