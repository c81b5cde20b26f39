"""The hub about itself: who one is, tokens, the posture, its own description."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from benchmarks.artifacts.roots import Located
from benchmarks.doors.permissions import SERVICES
from tests.rest import Rest
from understudy_site.api_page import api_page, openapi_text
from understudy_site.docs import DOCS, GENERATED

pytestmark = pytest.mark.django_db
JSON = "application/json"


def test_who_one_is_as_a_token_and_as_a_person(db: None, browser_of: Any) -> None:
    token = Rest("review", "read", name="bot", benchmarks=("local--*",), agent=True)
    assert token.get("/api/me").document == {
        "actor": "token:bot",
        "door": "rest",
        "name": "bot",
        "kind": "token",
        "agent": True,
        "permissions": ["read", "review"],
        "benchmarks": ["local--*"],
    }
    person: Client = browser_of("reviewer")
    assert person.get("/api/me").json() == {
        "actor": "user:reviewer",
        "door": "rest",
        "name": "reviewer",
        "kind": "session",
        "agent": False,
        "permissions": ["read", "review"],
        "benchmarks": [],
    }


# Tokens


def test_a_token_is_made_used_listed_and_revoked(browser_of: Any) -> None:
    admin: Client = browser_of("admin")
    body = {"name": "ci", "permissions": ["read"], "benchmarks": ["local--*"], "days": 30}
    made = admin.post("/api/tokens", body, content_type=JSON)
    assert made.status_code == 201
    document = made.json()
    token = {key: value for key, value in document.items() if key != "token"}
    assert made["Location"] == f"/api/tokens/{token['token_id']}"
    assert (token["name"], token["owner"], token["permissions"]) == ("ci", "admin", ["read"])
    assert (token["last_used_at"], token["revoked_at"]) == (None, None)
    bearer = {"Authorization": f"Bearer {document['token']}"}
    assert Client().get("/api/me", headers=bearer).status_code == 200
    listed = admin.get("/api/tokens").json()["results"]
    assert [(each["name"], each["last_used_at"] is None) for each in listed] == [("ci", False)]
    revoked = admin.delete(made["Location"])
    assert (revoked.status_code, revoked.json()["token"]["revoked_at"] is None) == (200, False)
    refused = Client().get("/api/me", headers=bearer)
    assert (refused.status_code, refused.json()["code"]) == (401, "unauthenticated")
    assert admin.delete("/api/tokens/9999").status_code == 404


def test_a_token_makes_no_token_that_may_more(db: None) -> None:
    admin = Rest("read", "admin", name="admin")
    wider = admin.post("/api/tokens", {"name": "x", "permissions": ["queue"]})
    assert (wider.status, wider.code) == (403, "forbidden")
    assert wider.document["details"] == {"permission": "queue"}
    taken = admin.post("/api/tokens", {"name": "admin", "permissions": ["read"]})
    assert (taken.status, taken.code) == (409, "already_exists")
    wrong = admin.post("/api/tokens", {"name": "a b", "permissions": ["fly"]})
    assert [each["path"] for each in wrong.document["errors"]] == ["permissions", "name"]


# Posture


def test_the_posture_is_a_signed_in_persons_to_set(db: None, browser_of: Any) -> None:
    token = Rest("read", "operate", "admin", name="robot")
    assert token.get("/api/trust").document["resolved"]["level"] == "local_sandbox"
    refused = token.put("/api/trust", {"level": "local_sandbox"})
    assert (refused.status, refused.code) == (403, "forbidden")
    assert refused.document["details"] == {"needs": "session"}
    admin: Client = browser_of("admin")
    raised = admin.put("/api/trust", {"level": "bounded_experiments"}, content_type=JSON)
    assert raised.status_code == 200
    assert raised.json()["resolved"]["level"] == "bounded_experiments"
    assert raised.json()["actor"] == "user:admin"


@pytest.mark.parametrize(
    "change",
    [
        {"level": "hosted_ops"},
        {"level": "bounded_experiments", "spend_stop_loss": 20.5},
        {"level": "bounded_experiments", "clear_spend_stop_loss": True},
        {"level": "local_sandbox", "traffic_changes": True},
        {"level": "bounded_experiments", "provider_upload": True},
    ],
)
def test_an_operator_lowers_the_posture_and_raises_nothing_of_it(
    browser_of: Any, change: dict[str, Any]
) -> None:
    admin, operator = browser_of("admin"), browser_of("operator")
    start = {"level": "bounded_experiments", "spend_stop_loss": 20}
    admin.put("/api/trust", start, content_type=JSON)
    refused = operator.put("/api/trust", change, content_type=JSON)
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert refused.json()["details"] == {"permission": "admin"}
    lowered = {"level": "local_sandbox", "spend_stop_loss": 19}
    assert operator.put("/api/trust", lowered, content_type=JSON).status_code == 200


def test_a_posture_that_has_changed_since_is_not_overwritten(browser_of: Any) -> None:
    admin: Client = browser_of("admin")
    old = admin.get("/api/trust")["ETag"]
    first = {"level": "bounded_experiments"}
    assert (
        admin.put("/api/trust", first, content_type=JSON, headers={"If-Match": old}).status_code
        == 200
    )
    second = {"level": "hosted_ops"}
    stale = admin.put("/api/trust", second, content_type=JSON, headers={"If-Match": old})
    assert (stale.status_code, stale.json()["code"]) == (412, "stale_precondition")
    assert admin.get("/api/trust").json()["resolved"]["level"] == "bounded_experiments"


# Its own description


def test_the_committed_openapi_document_is_what_the_code_says() -> None:
    assert (DOCS / "openapi.json").read_text(encoding="utf-8") == openapi_text()
    assert (DOCS / "api.md").read_text(encoding="utf-8") == GENERATED + api_page()


def test_the_schema_route_gives_the_same_document(rest: Rest) -> None:
    assert rest.get("/api/schema").document == json.loads(openapi_text())


def problem_codes(document: Any, reference: str) -> list[str]:
    response = document["components"]["responses"][reference.rpartition("/")[2]]
    parts = response["content"]["application/problem+json"]["schema"]["allOf"]
    return list(parts[1]["properties"]["code"]["enum"])


def test_every_operation_is_a_service_and_says_every_code_it_may_answer_with() -> None:
    document = json.loads(openapi_text())
    operations = [each for path in document["paths"].values() for each in path.values()]
    ids = [each["operationId"] for each in operations]
    assert len(ids) == len(set(ids))
    assert {name for name, entry in SERVICES.items() if "rest" in entry.doors} == set(ids)
    for each in operations:
        codes = {
            code
            for answer in each["responses"].values()
            if "$ref" in answer
            for code in problem_codes(document, answer["$ref"])
        }
        assert {"invalid_arguments", "unauthenticated", "bad_origin", "internal"} <= codes
        if "requestBody" in each:
            assert {"too_large", "unsupported_media_type", "idempotency_conflict"} <= codes


def test_every_reference_of_the_schema_leads_somewhere() -> None:
    text = openapi_text()
    components = json.loads(text)["components"]["schemas"]
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', text))
    assert named - set(components) == set()


def test_the_page_of_the_api_loads_nothing_from_elsewhere(browser: Client) -> None:
    page = browser.get("/api/docs")
    text = page.content.decode()
    assert page["Content-Type"] == "text/html; charset=utf-8"
    assert page["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self'")
    assert re.findall(r'(?:src|href)="([^"]*)"', text) == ["/static/lab/lab.css", "/api/schema"]
    assert "<script" not in text
    assert "GET /api/benchmarks/{slug}/tasks/{task_id}" in text


def test_healthz_is_the_one_route_for_everybody(client: Client, desk: Located) -> None:
    assert client.get("/healthz").status_code == 200
    assert client.get("/api/me").status_code == 401
