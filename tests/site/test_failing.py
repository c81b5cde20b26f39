"""Failures that no view answers: a problem document for programs, a page for people."""

from http import HTTPStatus
from typing import Any

import pytest
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest
from django.test import Client, RequestFactory

from benchmarks.api.errors import PROBLEM
from tests.rest import Rest
from understudy_site import failing

pytestmark = pytest.mark.django_db
PAGE = {"HTTP_ACCEPT": "text/html,application/json;q=0.5"}


@pytest.mark.parametrize("path", ["//api/me", "http://evil.example/api/me", "///api", "/api/nope"])
def test_a_path_of_the_api_is_a_problem_however_it_is_written(path: str) -> None:
    request = RequestFactory().get("/")
    request.path = path
    answered: Any = failing.page_not_found(request, BadRequest())
    assert (answered.status_code, answered["Content-Type"]) == (404, PROBLEM)


def test_two_slashes_before_the_api_are_a_problem_document(client: Client) -> None:
    answered = client.get("http://testserver//api/me")
    assert (answered.status_code, answered["Content-Type"]) == (404, PROBLEM)
    assert answered.json()["code"] == "unknown_tool"


def test_a_program_that_asks_for_json_gets_a_problem_on_every_path(client: Client) -> None:
    answered = client.get("/nope", HTTP_ACCEPT="application/json")
    assert (answered.status_code, answered["Content-Type"]) == (404, PROBLEM)


@pytest.mark.parametrize("headers", [{}, PAGE])
def test_a_person_gets_a_page(client: Client, headers: dict[str, Any]) -> None:
    answered = client.get("/nope", **headers)
    assert answered.status_code == 404
    assert answered["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(
    ("path", "is_page"), [("/api/me", False), ("/admin/", True), ("/apis/", True)]
)
def test_every_failure_has_both_forms(path: str, is_page: bool) -> None:
    request: HttpRequest = RequestFactory().get(path)
    found: list[Any] = [
        failing.bad_request(request, BadRequest()),
        failing.permission_denied(request, PermissionDenied()),
        failing.server_error(request),
    ]
    assert [each.status_code for each in found] == [
        HTTPStatus.BAD_REQUEST,
        HTTPStatus.FORBIDDEN,
        HTTPStatus.INTERNAL_SERVER_ERROR,
    ]
    assert [each["Content-Type"] == PROBLEM for each in found] == [not is_page] * 3


def test_over_a_thousand_query_values_are_a_problem_document() -> None:
    refused = Rest().get("/api/rows", task=[f"t{each}" for each in range(1001)])
    assert (refused.status, refused.code) == (400, "invalid_arguments")
    assert refused.document["detail"] == "the query has too many values"


@pytest.mark.parametrize("name", ["task", "arm", "nope"])
def test_nul_in_a_query_is_refused_with_the_name(name: str) -> None:
    query: dict[str, Any] = {name: ["a", "b\0c"]}
    refused = Rest().get("/api/rows", slug="local--items", **query)
    assert (refused.status, refused.code) == (400, "invalid_arguments")
    assert [each["path"] for each in refused.document["errors"]] == [name]


def test_nul_in_a_path_is_refused_with_the_part() -> None:
    refused = Rest().get("/api/benchmarks/local--items/tasks/a%00b")
    assert (refused.status, refused.code) == (400, "invalid_arguments")
    assert [each["path"] for each in refused.document["errors"]] == ["task_id"]
