"""The inbox: its rows, its filter, and decisions on one row or on many."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import AUDIT, Home
from benchmarks.artifacts.roots import Located
from benchmarks.mirror.engine import sync_directory
from benchmarks.records.caller import Caller
from benchmarks.records.review import ReviewPolicy
from reviews.services.recording import submit_review
from tests.factories import NOW
from tests.reviews.admin.conftest import SLUG, SignIn, moved
from tests.reviews.admin.pages import Seen, get, picks, post
from tests.reviews.desks import add_rows, make_desk, make_promoted_desk
from tests.reviews.factories import make_row, make_task

pytestmark = pytest.mark.django_db
INBOX = "/admin/inbox/"
HERE = f"{INBOX}?slug={SLUG}"


def order(page: Seen) -> list[str]:
    return list(picks(page))


def ledger(desk: Located) -> list[dict[str, Any]]:
    return [line.dump() for line in desk.directory.read(layout.REVIEWS).records]


def edit(desk: Located, task_id: str, **changes: Any) -> None:
    lines = desk.directory.read(layout.TASKS).records
    edited = [line.with_(**changes) if line.task_id == task_id else line for line in lines]
    desk.directory.replace(layout.TASKS, edited)


def test_doubted_undecided_task_stands_first_then_manifest_order(
    desk: Located, mira: Client
) -> None:
    assert order(get(mira, HERE)) == ["t3", "t1", "t2", "t4"]


def test_row_says_what_is_known_of_its_task(desk: Located, mira: Client) -> None:
    add_rows(
        desk,
        make_row("t3", 1.0, arm_kind="incumbent", model="gpt-5.5"),
        make_row("t3", 0.5, model="glm-5.2"),
    )
    page = get(mira, HERE)
    row = page.text[page.text.index("Refund t3") :][:260]
    assert row.startswith(
        "Refund t3 dev · refunds · confidence low · verifier tested ! low confidence"
        " 100.0 % 50.0 % glm-5.2 accepted Accept Reject Needs more Restrict Open"
    )
    assert page.every("span", title="machine confidence low, the bar is high")


def test_decided_rows_name_source_and_actor_and_go_behind_what_is_undecided(
    root: Any, mira: Client
) -> None:
    doubted = [make_task(name, machine_confidence="low") for name in ("t1", "t2")]
    desk = make_desk(root, make_task("t0"), *doubted)
    assert order(get(mira, HERE)) == ["t1", "t2", "t0"]
    agent = Caller("mcp:claude-code@ada", "mcp")
    submit_review(located=desk, task_ids=["t1"], decision="needs_more", caller=agent, now=NOW)
    sync_directory(desk)
    page = get(mira, HERE)
    assert order(page) == ["t2", "t1", "t0"]
    assert "! needs more agent , mcp:claude-code@ada" in page.text


FILTERED = [
    ("flag=any", ["t3"]),
    ("flag=low_confidence", ["t3"]),
    ("flag=anomaly", []),
    ("decision=reject", ["t2"]),
    ("decision=pending", []),
    ("source=human", ["t2"]),
    ("source=nobody", ["t3", "t1", "t4"]),
    ("split=dev", ["t3", "t1", "t2", "t4"]),
    ("split=holdout", []),
    ("category=cap-1", ["t3", "t1", "t2", "t4"]),
    ("verifier=tested", ["t3", "t1", "t2", "t4"]),
    ("verifier=weak", []),
    ("changed=yes", []),
    ("q=REFUND%20T4", ["t4"]),
    ("q=t1", ["t1"]),
    ("flag=nonsense", ["t3", "t1", "t2", "t4"]),
]


def test_filter(desk: Located, mira: Client) -> None:
    person = Caller("user:ada", "admin")
    submit_review(located=desk, task_ids=["t2"], decision="reject", caller=person, now=NOW)
    for query, left in FILTERED:
        assert (query, order(get(mira, f"{HERE}&{query}"))) == (query, left)


def test_chips_toggle_and_keep_the_rest_of_the_filter(desk: Located, mira: Client) -> None:
    page = get(mira, f"{HERE}&flag=any&split=dev")
    current = page.every("a", **{"aria-current": "true"})
    assert [chip["href"] for chip in current] == [
        f"{HERE}&split=dev",
        f"{HERE}&flag=any",
        f"{INBOX}?flag=any&split=dev",
    ]


def test_without_a_benchmark_only_proposed_ones_are_listed(
    desk: Located, mira: Client, root: Any, lab_home: Any
) -> None:
    moved(make_promoted_desk(lab_home / "x", make_task("p1")), root / "published")
    page = get(mira, INBOX)
    assert set(picks(page)) == {"t1", "t2", "t3", "t4"}
    published = get(mira, f"{INBOX}?slug=local--published")
    assert "Refund p1" in published.text
    assert picks(published) == {}


def test_one_decision_on_two_rows_is_two_lines_of_one_call(
    desk: Located, mira: Client, lab_home: Any
) -> None:
    values = picks(get(mira, HERE))
    page = post(
        mira, HERE, action="review", decision="reject", note=" too easy ",
        task=[values["t3"], values["t1"]],
    )  # fmt: skip
    lines = ledger(desk)
    kept = {key: lines[0][key] for key in ("decision", "note", "source", "actor", "door")}
    assert [line["task_id"] for line in lines] == ["t3", "t1"]
    assert kept == {
        "decision": "reject",
        "note": "too easy",
        "source": "human",
        "actor": "user:mira",
        "door": "admin",
    }
    assert lines[0]["created_at"] == lines[1]["created_at"]
    assert "Recorded for 2 tasks: reject." in page.text
    audit = Home(lab_home).read(AUDIT).records
    assert [(line.service, line.slug, line.actor, line.code) for line in audit] == [
        ("submit_review", SLUG, "user:mira", "ok")
    ]


def test_message_links_to_the_list_of_what_was_just_decided(desk: Located, mira: Client) -> None:
    values = picks(get(mira, HERE))
    page = post(mira, HERE, action="review", decision="accept", task=[values["t1"], values["t2"]])
    link = next(a for a in page.every("a") if "at=" in str(a.get("href")))
    assert "2 tasks decided just now" in page.text
    assert sorted(picks(get(mira, str(link["href"])))) == ["t1", "t2"]
    assert "decided just now" not in get(mira, HERE).text


def test_task_edited_meanwhile_is_left_out_and_marked(desk: Located, mira: Client) -> None:
    values = picks(get(mira, HERE))
    edit(desk, "t2", title="Refund t2, twice")
    page = post(
        mira, HERE, action="review", decision="reject",
        task=[values["t1"], values["t2"], values["t4"]],
    )  # fmt: skip
    assert [line["task_id"] for line in ledger(desk)] == ["t1", "t4"]
    assert "Recorded for 2 tasks: reject. 1 task changed meanwhile and left out." in page.text
    assert "1 task changed after the page was drawn and was left out: t2" in page.text
    assert len(page.every("tr", **{"class": "just-changed"})) == 1
    assert json.loads(picks(page)["t2"])[2] != json.loads(values["t2"])[2]


def test_second_reviewer_learns_who_was_before(
    desk: Located, mira: Client, sign_in: SignIn
) -> None:
    values = picks(get(mira, HERE))
    post(sign_in("ada"), HERE, action="review", decision="accept", task=[values["t1"]])
    page = post(mira, HERE, action="review", decision="reject", task=[values["t1"]])
    assert [(line["actor"], line["decision"]) for line in ledger(desk)] == [
        ("user:ada", "accept"),
        ("user:mira", "reject"),
    ]
    assert "t1 : before, user:ada had decided ✓ accept" in page.text


def test_one_call_decides_in_two_benchmarks_and_the_list_shows_both(
    desk: Located, mira: Client, root: Any, lab_home: Any
) -> None:
    other = moved(make_desk(lab_home / "x", make_task("t9")), root / "other")
    values = picks(get(mira, INBOX))
    chosen = [values["t9"], values["t2"]]
    page = post(mira, INBOX, action="review", decision="reject", task=chosen)
    assert [line["task_id"] for line in ledger(desk) + ledger(other)] == ["t2", "t9"]
    link = next(a for a in page.every("a") if "at=" in str(a.get("href")))
    assert sorted(picks(get(mira, str(link["href"])))) == ["t2", "t9"]


def test_row_button_decides_on_its_row_alone(desk: Located, mira: Client) -> None:
    page = get(mira, HERE)
    values = picks(page)
    button = page.every("button", **{"data-row-key": "n"})[0]
    assert button["value"] == f"needs_more {values['t3']}"
    post(mira, HERE, action="review", one=button["value"], task=[values["t1"]], note="which one?")
    assert [(line["task_id"], line["decision"], line["note"]) for line in ledger(desk)] == [
        ("t3", "needs_more", "which one?")
    ]


def test_all_that_match_are_chosen_as_they_were_drawn(root: Any, mira: Client) -> None:
    desk = make_desk(root, *(make_task(f"t{number:03}") for number in range(120)))
    first = get(mira, HERE)
    assert len(picks(first)) == 50
    link = next(a for a in first.every("a") if "all=yes" in str(a.get("href")))
    everything = get(mira, str(link["href"]))
    chosen = picks(everything)
    assert len(chosen) == 120
    assert len(everything.every("input", type="hidden", name="task")) == 70
    edit(desk, "t100", title="Another task")
    page = post(mira, HERE, action="review", decision="restrict", task=list(chosen.values()))
    assert len(ledger(desk)) == 119
    assert "Recorded for 119 tasks: restrict. 1 task changed meanwhile and left out." in page.text


def test_more_than_500_that_match_cannot_be_chosen_at_once(root: Any, mira: Client) -> None:
    make_desk(root, *(make_task(f"t{number:03}") for number in range(501)))
    page = get(mira, HERE)
    assert "more than 500 match: narrow the filter to choose them all" in page.text
    assert picks(get(mira, f"{HERE}&all=yes")).keys() == picks(page).keys()


def test_pages_of_50_by_key_hold_every_task_once(root: Any, mira: Client) -> None:
    make_desk(root, *(make_task(f"t{number:03}") for number in range(120)))
    path, found = HERE, []
    while path:
        page = get(mira, path)
        found += order(page)
        following = page.every("a", rel="next")
        path = str(following[0]["href"]) if following else ""
    assert found == [f"t{number:03}" for number in range(120)]
    assert get(mira, f"{HERE}&cursor=AAAA", 400).every("h1")


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"decision": "reject"}, "no task is chosen"),
        ({"decision": "maybe", "task": ["t1"]}, "decision 'maybe'"),
        ({"decision": "reject", "task": ["t1"], "note": "x" * 2001}, "the note has 2,001"),
        ({"decision": "reject", "raw": ['["a"]']}, "names no task"),
        ({"decision": "reject", "raw": [f'["{SLUG}", "nope", ""]']}, "has no task 'nope'"),
        ({"decision": "reject", "raw": ['["local--gone", "t1", ""]']}, "local--gone"),
    ],
)
def test_wrong_form_is_a_message_and_writes_nothing(
    desk: Located, mira: Client, form: dict[str, Any], said: str
) -> None:
    values = picks(get(mira, HERE))
    tasks = [*(values[name] for name in form.pop("task", ())), *form.pop("raw", ())]
    page = post(mira, HERE, action="review", task=tasks, **form)
    assert said in page.text
    assert ledger(desk) == []


def test_one_unknown_task_among_others_stops_the_whole_call(desk: Located, mira: Client) -> None:
    values = picks(get(mira, HERE))
    wrong = f'["{SLUG}", "nope", ""]'
    post(mira, HERE, action="review", decision="reject", task=[values["t1"], wrong])
    assert ledger(desk) == []


def test_read_only_directory_has_no_buttons_and_refuses_the_post(
    desk: Located, mira: Client, root: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = picks(get(mira, HERE))
    monkeypatch.setenv("UNDERSTUDY_READONLY_ROOTS", str(root))
    page = post(mira, HERE, action="review", decision="reject", task=[values["t1"]])
    assert "read-only" in page.text
    assert page.every("button", name="decision") == []
    assert ledger(desk) == []


def test_full_disk_is_a_message(desk: Located, mira: Client) -> None:
    values = picks(get(mira, HERE))
    ledger_file = desk.directory.path / "reviews.jsonl"
    ledger_file.symlink_to("/dev/full")
    page = post(mira, HERE, action="review", decision="reject", task=[values["t1"]])
    assert "Error" in page.text
    ledger_file.unlink()
    assert ledger(desk) == []


def test_clean_tasks_are_accepted_only_where_the_policy_leaves_them_pending(
    desk: Located, mira: Client, root: Any, lab_home: Any
) -> None:
    assert "Accept the clean ones" not in get(mira, HERE).text
    desk.directory.replace(layout.REVIEW_POLICY, ReviewPolicy(default_decision="pending"))
    page = get(mira, HERE)
    assert "Accept the clean ones" in page.text
    assert "Accept the clean ones" not in get(mira, INBOX).text
    published = moved(make_promoted_desk(lab_home / "x", make_task("p1")), root / "published")
    published.directory.replace(layout.REVIEW_POLICY, ReviewPolicy(default_decision="pending"))
    assert "Accept the clean" not in get(mira, f"{INBOX}?slug=local--published").text
    page = post(mira, HERE, action="accept_clean", slug=SLUG)
    assert "Accepted 3 clean tasks. Left for a person: 1 (1 low_confidence)." in page.text
    assert [(line["task_id"], line["source"], line["actor"]) for line in ledger(desk)] == [
        (task_id, "auto", "user:mira") for task_id in ("t1", "t2", "t4")
    ]


def test_empty_inbox_says_what_would_be_here_and_how(root: Any, mira: Client) -> None:
    text = get(mira, INBOX).text
    assert (
        "Tasks of proposed benchmarks would be here; there is none yet."
        " understudy traces build-benchmark --source CAPTURES --slug NAME"
    ) in text


def test_filter_that_matches_nothing_leads_back(desk: Located, mira: Client) -> None:
    page = get(mira, f"{HERE}&split=holdout")
    assert "No task matches this filter." in page.text
    assert page.every("a", href=HERE)


def test_reader_without_the_permission_sees_no_button_and_is_refused(
    desk: Located, mira: Client, sign_in: SignIn, lab_home: Any
) -> None:
    values = picks(get(mira, HERE))
    User.objects.create(username="guest", is_staff=True)
    guest = Client()
    guest.force_login(User.objects.get(username="guest"))
    assert "permission 'read'" in get(guest, HERE, 403).text
    form = {"action": "review", "decision": "reject", "task": [values["t1"]]}
    assert guest.post(HERE, form).status_code == 403
    assert Client().get(HERE).status_code == 302
    assert ledger(desk) == []


def test_first_page_of_1000_tasks_takes_at_most_12_queries(
    root: Any, mira: Client, django_assert_max_num_queries: Any
) -> None:
    desk = make_desk(root, *(make_task(f"t{number:04}") for number in range(1000)))
    sync_directory(desk)
    get(mira, HERE)
    with django_assert_max_num_queries(12):
        get(mira, HERE)
