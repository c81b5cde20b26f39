"""Reviews, feedback and flags over REST."""

from typing import Any
from urllib.parse import urlencode

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.records.note import Feedback
from benchmarks.records.review import Review
from tests.factories import Desk
from tests.rest import Rest

pytestmark = pytest.mark.django_db
SLUG, ITEMS = "local--refund-desk", "local--items"
REVIEW: dict[str, Any] = {"slug": SLUG, "task_id": "t1", "decision": "reject"}
FEEDBACK: dict[str, Any] = {"slug": SLUG, "task_id": "t1", "feedback": "the order id is missing"}
FLAG: dict[str, Any] = {"slug": ITEMS, "task_id": None, "reason": "leakage"}


# Reviews


@pytest.mark.parametrize("path", ["/api/reviews", "/api/reviews/"])
def test_a_review_is_recorded_with_who_and_through_which_door(
    rest: Rest, desk: Located, path: str
) -> None:
    answered = rest.post(path, {**REVIEW, "note": "wrong refund"})
    assert answered.status == 200
    document = answered.document
    kept = [each.dump() for each in desk.directory.read(layout.REVIEWS).records]
    assert document["reviews"] == kept == [document["review"]]
    assert (document["ok"], document["replayed"]) == (True, False)
    assert (document["actor"], document["door"]) == ("token:ci", "rest")
    assert (kept[0]["decision"], kept[0]["note"]) == ("reject", "wrong refund")
    assert (kept[0]["actor"], kept[0]["door"], kept[0]["source"]) == ("token:ci", "rest", "human")


def test_a_list_of_tasks_is_decided_on_at_once_or_not_at_all(rest: Rest, desk: Located) -> None:
    refused = rest.post("/api/reviews", {**REVIEW, "task_id": ["t1", "nope", "t3"]})
    assert (refused.status, refused.code) == (404, "unknown_task")
    assert [each["value"] for each in refused.document["errors"]] == ["nope", "t3"]
    assert desk.directory.read(layout.REVIEWS).records == []
    allowed = rest.post("/api/reviews", {**REVIEW, "task_id": ["t1", "t2"]})
    assert [each["task_id"] for each in allowed.document["reviews"]] == ["t1", "t2"]
    assert "review" not in allowed.document


def test_a_note_of_2001_characters_is_413_and_of_2000_is_kept(rest: Rest, desk: Located) -> None:
    refused = rest.post("/api/reviews", {**REVIEW, "note": "x" * 2001})
    assert (refused.status, refused.code) == (413, "too_large")
    assert rest.post("/api/reviews", {**REVIEW, "note": "x" * 2000}).status == 200


def test_a_pilot_audit_is_taken_whole_and_needs_a_rollout(rest: Rest, desk: Located) -> None:
    body = {**REVIEW, "decision": "accept"}
    words = {"agent": "pass", "verifier": "pass", "findings": ["the world answered"]}
    early = rest.post("/api/reviews", {**body, "pilot_audit": words})
    assert (early.status, early.code) == (409, "not_measured")
    for wrong in ({"agent": "pass"}, {**words, "agent": "good"}, {**words, "by": "me"}):
        refused = rest.post("/api/reviews", {**body, "pilot_audit": wrong})
        assert (refused.status, refused.code) == (400, "invalid_arguments")
    assert desk.directory.read(layout.REVIEWS).records == []


def test_a_promoted_benchmark_takes_no_review(rest: Rest, promoted: Desk) -> None:
    body = {"slug": ITEMS, "task_id": promoted.task_ids[0], "decision": "reject"}
    for changed in (body, {**body, "decision": "maybe"}, {**body, "task_id": "nope"}):
        refused = rest.post("/api/reviews", changed)
        assert (refused.status, refused.code) == (400, "wrong_stage")
        assert refused.document["details"] == {"stage": "promoted", "needs": "proposed"}


def test_a_wrong_stage_is_told_before_read_only_and_read_only_before_arguments(
    rest: Rest, desk: Located, promoted: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = str(desk.directory.path.parent)
    monkeypatch.setenv("UNDERSTUDY_READONLY_ROOTS", root)
    staged = {"slug": ITEMS, "task_id": "nope", "decision": "reject"}
    assert rest.post("/api/reviews", staged).code == "wrong_stage"
    for body in (REVIEW, {**REVIEW, "decision": "maybe"}, {**REVIEW, "task_id": "nope"}):
        refused = rest.post("/api/reviews", body)
        assert (refused.status, refused.code) == (403, "read_only")
    assert rest.get("/api/reviews", slug=SLUG).status == 200


def put_reviews(desk: Located, *times: str) -> None:
    lines = [
        Review.read({
            "benchmark_id": "b",
            "task_id": f"t{1 + place % 2}",
            "decision": "reject" if place % 2 else "accept",
            "note": f"n{place}",
            "created_at": at,
            "source": "human" if place % 3 else "auto",
            "actor": f"user:{'ada' if place < 3 else 'bo'}",
            "door": "admin",
        })
        for place, at in enumerate(times)
    ]
    desk.directory.append(layout.REVIEWS, *lines)


def test_reviews_come_newest_first_and_a_tie_costs_or_doubles_none(
    rest: Rest, desk: Located
) -> None:
    same = "2026-11-02T09:00:00.000Z"
    put_reviews(desk, same, same, same, "2026-11-03T09:00:00.000Z", same, same, same)
    whole = rest.pages("/api/reviews", slug=SLUG, limit=500)
    notes = [each["note"] for each in whole[0]]
    assert notes == ["n3", "n6", "n5", "n4", "n2", "n1", "n0"]
    for limit in (1, 2, 3, 6, 7):
        pages = rest.pages("/api/reviews", slug=SLUG, limit=limit)
        assert [each["note"] for page in pages for each in page] == notes
        assert [len(page) for page in pages[:-1]] == [limit] * (len(pages) - 1)


def test_the_next_page_has_an_address(rest: Rest, desk: Located) -> None:
    put_reviews(desk, *[f"2026-11-02T09:00:0{second}.000Z" for second in range(3)])
    first = rest.get("/api/reviews/", slug=SLUG, task=["t1", "t2"], limit=2)
    cursor = first.document["page"]["next_cursor"]
    link = first.headers["Link"]
    asked = urlencode({"fresh": 1, "slug": SLUG, "task": ["t1", "t2"], "limit": 2}, doseq=True)
    assert link == f'</api/reviews/?{asked}&{urlencode({"cursor": cursor})}>; rel="next"'
    second = rest.send("GET", link[1 : link.index(">")])
    assert [each["note"] for each in second.document["results"]] == ["n0"]
    assert "Link" not in second.headers


def test_a_page_says_its_total_only_where_a_counter_knows_it(rest: Rest, desk: Located) -> None:
    put_reviews(desk, *["2026-11-02T09:00:00.000Z"] * 5)
    page = rest.get("/api/reviews", slug=SLUG, limit=2).document["page"]
    assert (page["limit"], page["returned"], page["total"], page["cut"]) == (2, 2, 5, [])
    assert rest.get("/api/reviews", slug=SLUG, task="t1").document["page"]["total"] is None
    assert rest.get("/api/reviews").document["page"]["total"] is None


FILTERED: list[tuple[dict[str, Any], list[str]]] = [
    ({"task": "t2"}, ["n5", "n3", "n1"]),
    ({"task": ["t1", "t2"], "decision": "accept"}, ["n4", "n2", "n0"]),
    ({"decision": ["accept", "reject"]}, ["n5", "n4", "n3", "n2", "n1", "n0"]),
    ({"source": "auto"}, ["n3", "n0"]),
    ({"actor": "user:ada", "decision": "reject"}, ["n1"]),
    ({"since": "2026-11-02T09:00:03Z"}, ["n5", "n4", "n3"]),
    ({"until": "2026-11-02T09:00:02Z"}, ["n1", "n0"]),
    ({"since": "2026-11-02T10:00:01+01:00", "until": "2026-11-02T09:00:02Z"}, ["n1"]),
    ({"decision": "restrict"}, []),
]


def test_filters_are_or_within_one_name_and_and_across(rest: Rest, desk: Located) -> None:
    put_reviews(desk, *[f"2026-11-02T09:00:0{second}.000Z" for second in range(6)])
    for query, notes in FILTERED:
        found = rest.get("/api/reviews", slug=SLUG, **query).document["results"]
        assert (query, [each["note"] for each in found]) == (query, notes)


def test_a_cursor_dies_with_another_filter_caller_list_or_secret(rest: Rest, desk: Located) -> None:
    put_reviews(desk, *["2026-11-02T09:00:00.000Z"] * 3)
    cursor = rest.get("/api/reviews", slug=SLUG, limit=1).document["page"]["next_cursor"]
    assert rest.get("/api/reviews", slug=SLUG, limit=2, cursor=cursor).status == 200
    flipped = ("A" if cursor[0] != "A" else "B") + cursor[1:]
    for query in (
        {"slug": SLUG, "cursor": flipped},
        {"slug": SLUG, "cursor": cursor[:-4]},
        {"slug": SLUG, "cursor": "not base64!"},
        {"slug": SLUG, "cursor": "é"},
        {"slug": SLUG, "cursor": cursor, "task": "t1"},
        {"cursor": cursor},
    ):
        refused = rest.get("/api/reviews", **query)
        assert (refused.status, refused.code) == (400, "cursor_invalid"), query
    assert rest.get("/api/feedback", slug=SLUG, cursor=cursor).code == "cursor_invalid"
    limited = Rest("read", name="limited", benchmarks=("local--*",))
    assert limited.get("/api/reviews", slug=SLUG, cursor=cursor).code == "cursor_invalid"
    secret = desk.directory.path.parents[1] / "secret_key"
    secret.write_text("x" * 48)
    assert rest.get("/api/reviews", slug=SLUG, cursor=cursor).code == "cursor_invalid"


def test_accepting_clean_tasks_is_for_pending_policies(rest: Rest, desk: Located) -> None:
    born = rest.post("/api/reviews/auto", {"slug": SLUG}).document
    assert (born["applied"], born["applied_count"], "why" in born) == ([], 0, True)
    rest.put(f"/api/benchmarks/{SLUG}/policy", {"default_decision": "pending"})
    applied = rest.post("/api/reviews/auto", {"slug": SLUG}).document
    kept = desk.directory.read(layout.REVIEWS).records
    assert applied["applied"] == [each.task_id for each in kept]
    assert {each.source for each in kept} <= {"auto"}
    assert applied["applied_count"] + applied["exceptions"] == 2


# Feedback


def test_feedback_is_recorded_listed_and_closed(rest: Rest, desk: Located) -> None:
    answered = rest.post("/api/feedback", FEEDBACK)
    assert answered.status == 200
    line = answered.document["feedback"]
    assert (line["feedback"], line["actor"]) == ("the order id is missing", "token:ci")
    assert "the order id is missing" in answered.document["handoff"]
    ref = line["feedback_id"]
    listed = rest.get("/api/feedback", slug=SLUG, status="open").document["results"]
    assert [(each["feedback_id"], each["standing"]) for each in listed] == [(ref, "open")]
    closed = rest.post(f"/api/feedback/{ref}/resolve", {"slug": SLUG, "note": "mended"})
    assert (closed.status, closed.document["feedback"]["status"]) == (200, "addressed")
    assert closed.document["feedback"]["note"] == "mended"
    assert rest.get("/api/feedback", slug=SLUG, status="open").document["results"] == []
    again = rest.post(f"/api/feedback/{ref}/resolve", {"slug": SLUG})
    assert (again.status, again.code) == (409, "finished")


def test_feedback_has_1_to_4000_characters(rest: Rest, desk: Located) -> None:
    assert rest.post("/api/feedback", {**FEEDBACK, "feedback": "  "}).code == "invalid_arguments"
    refused = rest.post("/api/feedback", {**FEEDBACK, "feedback": "x" * 4001})
    assert (refused.status, refused.code) == (413, "too_large")


def test_a_flags_route_closes_no_feedback(rest: Rest, desk: Located) -> None:
    ref = rest.post("/api/feedback", FEEDBACK).document["feedback"]["feedback_id"]
    refused = rest.post(f"/api/flags/{ref}/resolve", {"slug": SLUG})
    assert (refused.status, refused.code) == (404, "unknown_note")


# Flags


def test_a_flag_is_for_what_is_published(rest: Rest, desk: Located, promoted: Desk) -> None:
    assert rest.post("/api/flags", {**FLAG, "slug": SLUG}).code == "wrong_stage"
    raised = rest.post("/api/flags", FLAG)
    assert raised.status == 200
    flag = raised.document["flag"]
    assert (flag["task_id"], flag["reason"], flag["status"]) == (None, "leakage", "open")
    listed = rest.get("/api/flags", slug=ITEMS, reason="leakage", status="open").document
    assert [each["flag_id"] for each in listed["results"]] == [flag["flag_id"]]
    closed = rest.post(f"/api/flags/{flag['flag_id']}/resolve", {"slug": ITEMS, "note": "checked"})
    assert closed.document["flag"]["status"] == "resolved"
    assert rest.get("/api/flags", slug=ITEMS, status="open").document["results"] == []


def test_a_reason_that_is_none_names_those_that_are(rest: Rest, promoted: Desk) -> None:
    refused = rest.post("/api/flags", {**FLAG, "reason": "meh"})
    assert (refused.status, refused.code) == (400, "invalid_arguments")
    assert "bad-gold" in refused.document["detail"]


def test_secrets_in_old_lines_do_not_leave(rest: Rest, desk: Located) -> None:
    secret = "sk-" + "proj-" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6"
    line = Feedback.read({
        "benchmark_id": "b",
        "task_id": "t1",
        "feedback": f"it used {secret} here",
        "created_at": "2026-11-02T09:00:00.000Z",
    })
    desk.directory.append(layout.FEEDBACK, line)
    answered = rest.get("/api/feedback", slug=SLUG)
    assert secret.encode() not in answered.body
    assert answered.document["warnings"] == ["secrets were taken out of this answer: 1 api_key"]
