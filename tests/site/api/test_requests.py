"""What a request may look like: its body, its query, where it comes from."""

import json
from io import BytesIO
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIRequest
from django.test import Client

from benchmarks.api.bodies import read_body
from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.errors import TooLarge
from tests.rest import Rest

pytestmark = pytest.mark.django_db
SLUG = "local--refund-desk"
REVIEW = {"slug": SLUG, "task_id": "t1", "decision": "reject"}


def lines(desk: Located) -> int:
    return len(desk.directory.read(layout.REVIEWS).records)


# Problem documents


def test_a_problem_has_the_keys_of_rfc_9457_and_ours(rest: Rest, desk: Located) -> None:
    refused = rest.post("/api/reviews", {**REVIEW, "decison": "reject"})
    assert refused.headers["Content-Type"] == "application/problem+json"
    document = refused.document
    assert len(document["instance"]) == 32
    assert refused.headers["X-Request-Id"] == document["instance"]
    assert document == {
        "type": "urn:understudy:error:invalid_arguments",
        "title": "Bad Request",
        "status": 400,
        "detail": "submit_review: decison: unknown argument 'decison', nearest 'decision'",
        "instance": document["instance"],
        "code": "invalid_arguments",
        "hint": "its arguments: slug, task_id, decision, note, pilot_audit",
        "details": {},
        "errors": [
            {
                "path": "decison",
                "value": "reject",
                "message": "unknown argument 'decison', nearest 'decision'",
            }
        ],
        "next_actions": [],
        "error": document["detail"],
    }
    assert lines(desk) == 0


def test_a_request_id_of_the_client_is_not_taken(rest: Rest) -> None:
    answered = rest.get("/api/me", headers={"X-Request-Id": "mine"})
    assert answered.headers["X-Request-Id"] != "mine"


# Bodies


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "the body is not JSON at line 1, column 2: Expecting property name"),
        (b'{\n "a": 1,\n "b" 2}', "the body is not JSON at line 3, column 6: Expecting ':'"),
        (b"[1]", "the body is an array, not an object"),
        (b"null", "the body is null, not an object"),
        (b'"x"', "the body is a string, not an object"),
        (b"1", "the body is a number, not an object"),
        (b'{"a": 1, "a": 1}', "the body cannot be read: the key 'a' is there twice"),
        (b'{"x": {"a": 1, "a": 2}}', "the body cannot be read: the key 'a' is there twice"),
        (b'{"a": NaN}', "the body cannot be read: NaN is no number"),
        (b'{"a": -Infinity}', "the body cannot be read: -Infinity is no number"),
        (b'{"a": 1e999}', "the body cannot be read: 1e999 is beyond a double"),
        (b'{"a": "\xff"}', "the body is not UTF-8 at byte 7"),
        (b'{"a": "\\ud800"}', "the body holds half a character (a lone surrogate)"),
        (b'{"a": ' + b"[" * 300 + b"]" * 300 + b"}", "the body is nested over 200 levels deep"),
    ],
)
def test_a_body_that_is_no_plain_object_is_refused_with_the_place(
    rest: Rest, data: bytes, said: str
) -> None:
    refused = rest.send("POST", "/api/reviews", data)
    assert (refused.status, refused.code) == (400, "invalid_arguments")
    assert refused.document["detail"].startswith(said)


def test_a_body_of_one_mebibyte_is_read_and_one_byte_more_is_not(rest: Rest, desk: Located) -> None:
    def padded(size: int) -> bytes:
        head = json.dumps(REVIEW).encode()
        return head + b" " * (size - len(head))

    assert rest.send("POST", "/api/reviews", padded(1024 * 1024)).status == 200
    refused = rest.send("POST", "/api/reviews", padded(1024 * 1024 + 1))
    assert (refused.status, refused.code) == (413, "too_large")
    assert lines(desk) == 1


def test_a_body_that_hides_its_length_is_measured_as_it_is_read() -> None:
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/reviews",
        "headers": [(b"content-type", b"application/json"), (b"transfer-encoding", b"chunked")],
        "query_string": b"",
    }
    with pytest.raises(TooLarge):
        read_body(ASGIRequest(scope, BytesIO(b" " * (1024 * 1024 + 1))))
    assert read_body(ASGIRequest(scope, BytesIO(b'{"a": 1}'))) == {"a": 1}


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_another_media_type_is_415(rest: Rest, desk: Located, kind: str) -> None:
    refused = rest.send("POST", "/api/reviews", json.dumps(REVIEW).encode(), content_type=kind)
    assert (refused.status, refused.code) == (415, "unsupported_media_type")
    assert lines(desk) == 0


def test_json_with_a_charset_is_json(rest: Rest, desk: Located) -> None:
    data = json.dumps(REVIEW).encode()
    kind = "application/json; charset=utf-8"
    assert rest.send("POST", "/api/reviews", data, content_type=kind).status == 200


def test_the_body_is_looked_at_before_who_sends_it(client: Client) -> None:
    answered = client.post("/api/reviews", b"{", content_type="application/json")
    assert (answered.status_code, answered.json()["code"]) == (400, "invalid_arguments")


# The order of checks


def test_the_benchmark_comes_before_the_arguments(rest: Rest, desk: Located) -> None:
    refused = rest.post("/api/reviews", {**REVIEW, "slug": "local--nope", "decision": "maybe"})
    assert (refused.status, refused.code) == (404, "unknown_benchmark")


def test_the_arguments_come_before_the_task(rest: Rest, desk: Located) -> None:
    refused = rest.post("/api/reviews", {**REVIEW, "task_id": "nope", "decision": "maybe"})
    assert (refused.status, refused.code) == (400, "invalid_arguments")
    assert refused.document["errors"][0]["path"] == "decision"


def test_who_sends_it_comes_before_the_benchmark(client: Client, desk: Located) -> None:
    body = {**REVIEW, "slug": "local--nope"}
    assert client.post("/api/reviews", body, content_type="application/json").status_code == 401


# Queries


@pytest.mark.parametrize(
    ("path", "query", "said"),
    [
        ("/api/reviews", {"desision": "accept"}, "unknown argument 'desision', nearest 'decision'"),
        ("/api/reviews", {"decision": "maybe"}, "Input should be 'accept', 'restrict'"),
        ("/api/reviews", {"limit": "0"}, "greater than or equal to 1"),
        ("/api/reviews", {"limit": "501"}, "less than or equal to 500"),
        ("/api/reviews", {"limit": ["1", "2"]}, "limit stands 2 times, once is taken"),
        ("/api/reviews", {"since": "yesterday"}, "an ISO 8601 time such as 2026-11-01T08:00:00Z"),
        (f"/api/benchmarks/{SLUG}/tasks", {"since": "2026-11-01"}, "unknown argument 'since'"),
        (f"/api/benchmarks/{SLUG}/tasks", {"attention": "flakey"}, "nearest 'flaky'"),
        (f"/api/benchmarks/{SLUG}/tasks", {"fields": "nmae"}, "unknown key 'nmae', nearest 'name'"),
        (f"/api/benchmarks/{SLUG}/tasks/t1", {"include": "golds"}, "nearest 'gold'"),
    ],
)
def test_a_query_that_is_not_known_is_refused_with_the_nearest(
    rest: Rest, desk: Located, path: str, query: dict[str, Any], said: str
) -> None:
    refused = rest.get(path, **query)
    assert (refused.status, refused.code) == (400, "invalid_arguments")
    assert said in refused.document["detail"]


def test_fields_limit_the_keys_of_a_document_and_of_items(rest: Rest, desk: Located) -> None:
    item = rest.get(f"/api/benchmarks/{SLUG}/tasks", fields="task_id,split").document
    assert item["results"] == [
        {"task_id": "t1", "split": "dev"},
        {"task_id": "t2", "split": "dev"},
    ]
    assert {"page", "freshness"} <= set(item)
    task = rest.get(f"/api/benchmarks/{SLUG}/tasks/t1", fields=["task_id", "split"]).document
    assert task == {"task_id": "t1", "split": "dev"}


# Where it comes from


def test_a_foreign_host_is_refused_for_reads_too(rest: Rest) -> None:
    refused = rest.send("GET", "/api/me", HTTP_HOST="evil.example")
    assert (refused.status, refused.code) == (403, "bad_origin")
    page = rest.send("GET", "/admin/", HTTP_HOST="evil.example")
    assert (page.status, page.headers["Content-Type"]) == (403, "text/plain; charset=utf-8")


@pytest.mark.parametrize("host", ["localhost:1421", "127.0.0.1", "[::1]:9", "testserver"])
def test_loopback_is_this_hub_on_any_port(rest: Rest, host: str) -> None:
    assert rest.send("GET", "/api/me", HTTP_HOST=host).status == 200


ORIGINS: list[tuple[dict[str, str], int]] = [
    ({}, 200),
    ({"HTTP_ORIGIN": "http://testserver"}, 200),
    ({"HTTP_ORIGIN": "https://testserver"}, 403),
    ({"HTTP_ORIGIN": "http://testserver:81"}, 403),
    ({"HTTP_ORIGIN": "http://testserver.evil.example"}, 403),
    ({"HTTP_ORIGIN": "https://evil.example"}, 403),
    ({"HTTP_ORIGIN": "null"}, 403),
    ({"HTTP_ORIGIN": ""}, 403),
    ({"HTTP_SEC_FETCH_SITE": "same-origin"}, 200),
    ({"HTTP_SEC_FETCH_SITE": "none"}, 200),
    ({"HTTP_SEC_FETCH_SITE": "same-site"}, 403),
    ({"HTTP_SEC_FETCH_SITE": "cross-site"}, 403),
    ({"HTTP_ORIGIN": "http://testserver", "HTTP_SEC_FETCH_SITE": "cross-site"}, 403),
]


@pytest.mark.parametrize(("said", "status"), ORIGINS)
def test_a_write_comes_from_here_or_from_a_program(
    rest: Rest, desk: Located, said: dict[str, str], status: int
) -> None:
    answered = rest.send("POST", "/api/reviews", json.dumps(REVIEW).encode(), **said)
    assert answered.status == status
    assert lines(desk) == (1 if status == 200 else 0)
    if status == 403:
        assert answered.code == "bad_origin"
    assert not any(name.lower().startswith("access-control") for name in answered.headers)


def test_a_read_may_come_from_anywhere_and_gets_no_cors_header(rest: Rest) -> None:
    answered = rest.send("GET", "/api/me", HTTP_ORIGIN="https://evil.example")
    assert answered.status == 200
    assert not any(name.lower().startswith("access-control") for name in answered.headers)


def test_a_trusted_origin_is_taken(rest: Rest, desk: Located, settings: Any) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://lab.example", "https://*.team.example"]
    for origin, status in (
        ("https://lab.example", 200),
        ("https://a.team.example", 200),
        ("http://lab.example", 403),
        ("https://team.example", 403),
    ):
        data = json.dumps(REVIEW).encode()
        assert rest.send("POST", "/api/reviews", data, HTTP_ORIGIN=origin).status == status


def test_a_session_writes_with_the_csrf_token_only(browser_of: Any, desk: Located) -> None:
    browser: Client = browser_of("reviewer", csrf=True)
    refused = browser.post("/api/reviews", REVIEW, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "bad_origin")
    assert lines(desk) == 0
    browser.get("/admin/login/")
    token = "a" * 32
    browser.cookies["csrftoken"] = token
    allowed = browser.post(
        "/api/reviews", REVIEW, content_type="application/json", headers={"X-CSRFToken": token}
    )
    assert allowed.status_code == 200
    assert allowed.json()["actor"] == "user:reviewer"
    assert browser.get("/api/me").status_code == 200


def test_a_bad_token_is_refused_also_beside_a_good_session(browser: Client) -> None:
    answered = browser.get("/api/me", headers={"Authorization": "Bearer understudy_no"})
    assert (answered.status_code, answered.json()["code"]) == (401, "unauthenticated")
    basic = browser.get("/api/me", headers={"Authorization": "Basic YTpi"})
    assert basic.status_code == 401
