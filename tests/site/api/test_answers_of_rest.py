"""What goes back: ETags, freshness, notices, limits, and the line in the audit ledger."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, RequestFactory

from benchmarks.api.base import LabView
from benchmarks.api.calls import ApiCall
from benchmarks.api.operations import operation
from benchmarks.artifacts import layout
from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import Located
from benchmarks.doors.identity import ALL, Identity
from benchmarks.records.digest import json_digest
from benchmarks.records.review import Review
from benchmarks.records.vocabulary import Decision
from tests.rest import Answered, Rest
from tests.reviews.desks import make_desk
from understudy_site.identity.models import Allowance

pytestmark = pytest.mark.django_db
SLUG = "local--refund-desk"
TASKS, TASK = f"/api/benchmarks/{SLUG}/tasks", f"/api/benchmarks/{SLUG}/tasks/t1"
POLICY = f"/api/benchmarks/{SLUG}/policy"
REVIEW = {"slug": SLUG, "task_id": "t1", "decision": "reject"}


def audited() -> list[dict[str, Any]]:
    path = home().audit
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


# ETags


def test_a_document_has_the_digest_of_its_canonical_json_as_a_strong_tag(
    rest: Rest, desk: Located
) -> None:
    answered = rest.get(TASK)
    assert answered.headers["ETag"] == f'"{json_digest(answered.document)}"'
    again = rest.get(TASK, headers={"If-None-Match": answered.headers["ETag"]})
    assert (again.status, again.body) == (304, b"")
    assert again.headers["ETag"] == answered.headers["ETag"]


def test_a_changed_document_has_another_tag(rest: Rest, desk: Located) -> None:
    tag = rest.get(TASK).headers["ETag"]
    assert rest.post("/api/reviews", REVIEW).status == 200
    assert rest.get(TASK, headers={"If-None-Match": tag}).status == 200


def test_a_list_has_a_weak_tag_of_its_revision_and_query(rest: Rest, desk: Located) -> None:
    first = rest.get(TASKS)
    revision = first.document["freshness"]["revision"]
    tag = first.headers["ETag"]
    assert tag.startswith(f'W/"{revision}-')
    assert rest.get(TASKS, headers={"If-None-Match": tag}).status == 304
    assert rest.get(TASKS, split="dev", headers={"If-None-Match": tag}).status == 200
    assert rest.get(TASKS, headers={"If-None-Match": f'"x", {tag}'}).status == 304
    rest.post("/api/reviews", REVIEW)
    changed = rest.get(TASKS, headers={"If-None-Match": tag})
    assert changed.status == 200
    assert changed.document["freshness"]["revision"] > revision


def test_two_identities_with_other_patterns_have_other_tags(rest: Rest, desk: Located) -> None:
    limited = Rest("read", name="limited", benchmarks=("data--*",))
    tag = rest.get("/api/benchmarks").headers["ETag"]
    answered = limited.get("/api/benchmarks", headers={"If-None-Match": tag})
    assert (answered.status, answered.document["results"]) == (200, [])


def test_a_policy_is_set_only_while_it_is_the_one_that_was_read(rest: Rest, desk: Located) -> None:
    old = rest.get(POLICY).headers["ETag"]
    first = rest.put(POLICY, {"default_decision": "pending"}, headers={"If-Match": old})
    assert (first.status, first.document["default_decision"]) == (200, "pending")
    stale = rest.put(POLICY, {"default_decision": "accept"}, headers={"If-Match": old})
    assert (stale.status, stale.code) == (412, "stale_precondition")
    assert rest.get(POLICY).document["default_decision"] == "pending"
    weak = rest.get(POLICY).headers["ETag"]
    refused = rest.put(POLICY, {"min_fidelity": 0.5}, headers={"If-Match": f"W/{weak}"})
    assert refused.status == 412
    assert rest.put(POLICY, {"min_fidelity": 0.5}, headers={"If-Match": "*"}).status == 200
    assert rest.put(POLICY, {"min_fidelity": 0.6}).status == 200


# Freshness


def test_what_was_written_by_hand_is_read_and_freshness_says_so(rest: Rest, desk: Located) -> None:
    rest.get("/api/reviews", slug=SLUG)
    path = desk.directory.path / layout.REVIEWS.path
    line = Review(
        benchmark_id="refund-desk",
        task_id="t2",
        decision=Decision.REJECT,
        note="by hand",
        created_at="2026-11-02T09:00:00.000Z",
    ).dump()
    path.write_text(json.dumps(line) + "\n")
    answered = rest.get("/api/reviews", slug=SLUG)
    assert [each["note"] for each in answered.document["results"]] == ["by hand"]
    assert answered.document["freshness"]["complete"] is True
    assert answered.headers["Understudy-Freshness"] == "complete"


def test_a_rewritten_ledger_is_refused_by_name(rest: Rest, desk: Located) -> None:
    rest.post("/api/reviews", REVIEW)
    rest.get("/api/reviews", slug=SLUG)
    path = desk.directory.path / layout.REVIEWS.path
    path.write_text(path.read_text().replace("reject", "accept"))
    refused = rest.get("/api/reviews", slug=SLUG)
    assert (refused.status, refused.code) == (409, "ledger_rewritten")
    assert "--rebuild" in json.dumps(refused.document)


def test_a_rebuild_cures_a_rewritten_ledger(rest: Rest, desk: Located) -> None:
    rest.post("/api/reviews", REVIEW)
    path = desk.directory.path / layout.REVIEWS.path
    path.write_text(path.read_text().replace("reject", "accept"))
    assert rest.get("/api/reviews", slug=SLUG).code == "ledger_rewritten"
    cured = rest.post(f"/api/benchmarks/{SLUG}/sync", {"rebuild": True})
    assert (cured.status, cured.document["ok"], cured.document["failed"]) == (200, True, [])
    found = rest.get("/api/reviews", slug=SLUG).document["results"]
    assert [each["decision"] for each in found] == ["accept"]


def test_a_write_has_synced_its_lines_before_it_answers(rest: Rest, desk: Located) -> None:
    written = rest.post("/api/reviews", REVIEW)
    assert written.headers["Understudy-Freshness"] == "complete"
    listed = rest.get("/api/reviews", slug=SLUG, fresh=0).document
    assert [each["decision"] for each in listed["results"]] == ["reject"]


# Idempotency


def test_the_same_key_writes_once_and_other_arguments_are_a_conflict(
    rest: Rest, desk: Located
) -> None:
    key = {"Idempotency-Key": "k-1"}
    first = rest.post("/api/reviews", REVIEW, headers=key)
    second = rest.post("/api/reviews", REVIEW, headers=key)
    assert (first.document["replayed"], second.document["replayed"]) == (False, True)
    assert second.document["reviews"] == first.document["reviews"]
    assert len(desk.directory.read(layout.REVIEWS).records) == 1
    other = rest.post("/api/reviews", {**REVIEW, "decision": "accept"}, headers=key)
    assert (other.status, other.code) == (409, "idempotency_conflict")


@pytest.mark.parametrize("key", ["", "x" * 129, "t\tb", "é"])
def test_a_key_that_is_none_is_refused(rest: Rest, desk: Located, key: str) -> None:
    refused = rest.post("/api/reviews", REVIEW, headers={"Idempotency-Key": key})
    assert (refused.status, refused.code) == (400, "invalid_arguments")


# Audit


def test_a_write_and_a_refusal_leave_a_line_each_and_nothing_else_does(desk: Located) -> None:
    caller = Rest("read", "review", name="bot")
    caller.get(TASK)
    caller.post("/api/reviews", {**REVIEW, "decision": "maybe"})
    caller.post("/api/reviews", REVIEW)
    caller.post("/api/runs", {"slug": SLUG, "reference_arms": ["oracle"]})
    assert [
        (each["door"], each["actor"], each["service"], each["slug"], each["code"])
        for each in audited()
    ] == [
        ("rest", "token:bot", "submit_review", SLUG, "ok"),
        ("rest", "token:bot", "queue_run", SLUG, "forbidden"),
    ]


def test_reading_the_gold_leaves_a_line(rest: Rest, desk: Located) -> None:
    assert rest.get(TASK, include="gold").document["gold"]["task_id"] == "t1"
    assert [(each["service"], each["ref"]) for each in audited()] == [("read_task.gold", "t1")]


def test_a_token_is_in_no_log_no_ledger_and_no_answer_but_its_first(
    browser_of: Any, lab_home: Path, desk: Located, caplog: pytest.LogCaptureFixture
) -> None:
    admin: Client = browser_of("admin")
    body = {"name": "fresh", "permissions": ["read"]}
    made = admin.post("/api/tokens", body, content_type="application/json")
    assert made.status_code == 201
    secret = made.json()["token"]
    bearer = {"Authorization": f"Bearer {secret}"}
    assert Client().get("/api/me", headers=bearer).json()["actor"] == "token:fresh"
    assert Client().get(f"/api/benchmarks/nope-{secret[:8]}", headers=bearer).status_code == 404
    assert secret not in admin.get("/api/tokens").content.decode()
    assert secret not in caplog.text
    files = [path for path in lab_home.rglob("*") if path.is_file()]
    assert not any(secret.encode() in path.read_bytes() for path in files)


# Sources


@pytest.mark.parametrize(("agent", "source"), [(False, "human"), (True, "agent")])
def test_a_review_is_an_agents_when_its_token_is(
    db: None, desk: Located, agent: bool, source: str
) -> None:
    written = Rest("read", "review", name="bot", agent=agent).post("/api/reviews", REVIEW)
    assert written.document["review"]["source"] == source
    assert written.document["review"]["actor"] == "token:bot"
    assert written.document["review"]["door"] == "rest"


def test_a_signed_in_reviewer_is_a_person(browser_of: Any, desk: Located) -> None:
    reviewer: Client = browser_of("reviewer")
    written = reviewer.post("/api/reviews", REVIEW, content_type="application/json").json()
    review = written["review"]
    assert (review["source"], review["actor"]) == ("human", "user:reviewer")


# Patterns


def test_a_limited_token_sees_and_writes_only_its_benchmarks(
    rest: Rest, desk: Located, lab_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_desk(tmp_path / "more")
    monkeypatch.setenv("UNDERSTUDY_ROOTS", str(tmp_path / "more"))
    limited = Rest("read", "review", name="limited", benchmarks=("data--*",))
    seen = "data--refund-desk"

    def slugs(caller: Rest) -> list[str]:
        return sorted(each["slug"] for each in caller.get("/api/benchmarks").document["results"])

    assert (slugs(rest), slugs(limited)) == ([seen, SLUG], [seen])
    for path in (f"/api/benchmarks/{SLUG}", TASKS, TASK, POLICY, f"/api/benchmarks/{SLUG}/status"):
        refused = limited.get(path)
        assert (refused.status, refused.code) == (404, "unknown_benchmark")
        assert refused.document["hint"] == "token:limited sees only data--*"
    assert limited.post("/api/reviews", REVIEW).status == 404
    assert limited.get("/api/reviews", slug=SLUG).status == 404
    assert (rest.get(f"/api/benchmarks/{desk.directory.name}").code) == "ambiguous"
    written = limited.post("/api/reviews", {**REVIEW, "slug": "refund-desk"})
    assert written.status == 200
    assert len(other.directory.read(layout.REVIEWS).records) == 1
    assert len(desk.directory.read(layout.REVIEWS).records) == 0
    rest.post("/api/reviews", REVIEW)
    assert [each["slug"] for each in limited.get("/api/reviews").document["results"]] == [seen]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("..%2F..%2Fetc", "unknown_tool"),
        ("local--nope", "unknown_benchmark"),
        ("nope", "unknown_benchmark"),
        ("local--..", "invalid_arguments"),
    ],
)
def test_a_name_that_is_no_benchmark_leads_nowhere(
    rest: Rest, desk: Located, name: str, code: str
) -> None:
    assert rest.get(f"/api/benchmarks/{name}/policy").code == code


def test_a_directory_outside_every_root_is_refused(
    rest: Rest, lab_home: Path, tmp_path: Path
) -> None:
    outside = make_desk(tmp_path / "elsewhere")
    body = {**REVIEW, "slug": str(outside.directory.path)}
    refused = rest.post("/api/reviews", body)
    assert (refused.status, refused.code) == (403, "outside_root")


# Limits


def test_one_write_too_many_is_told_when_to_come_again(rest: Rest, desk: Located) -> None:
    def when_used_up() -> Answered:
        used = {"minute": int(time.time() // 60), "granted": 120}
        Allowance.objects.update_or_create(identity="token:ci", kind="write", defaults=used)
        return rest.post("/api/reviews", REVIEW)

    refused = when_used_up()
    if refused.status != 429:  # the minute turned between the two lines
        refused = when_used_up()
    assert (refused.status, refused.code) == (429, "rate_limited")
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert rest.get("/api/me").status == 200


# What nobody foresaw


class Broken(LabView):
    @operation("read_me")
    def get(self, call: ApiCall) -> dict[str, Any]:
        raise RuntimeError("a secret detail")


def test_an_unforeseen_error_is_told_by_its_id_and_logged(
    db: None, lab_home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    request = RequestFactory().get("/api/broken")
    view = Broken()
    view.authentication_classes = ()
    view.setup(request)
    view.perform_authentication = lambda request: setattr(  # type: ignore[method-assign]
        request, "auth", Identity("token:x", "rest", ALL)
    )
    answered = view.dispatch(request)
    document = json.loads(answered.content)  # type: ignore[attr-defined]
    assert (answered.status_code, document["code"]) == (500, "internal")
    assert "secret detail" not in answered.content.decode()  # type: ignore[attr-defined]
    error_id = document["details"]["error_id"]
    log = (lab_home / "logs" / "understudy.log").read_text()
    assert error_id in log
    assert "a secret detail" in log
