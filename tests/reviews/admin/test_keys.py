"""In a real browser: keys, decisions without JavaScript, and a console without a complaint."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from tests.browser import Visit
from tests.reviews.admin.conftest import SLUG
from tests.reviews.admin.test_markup import poisoned

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.any_database,
    pytest.mark.slow,
]
INBOX = f"/admin/inbox/?slug={SLUG}"
TASK = f"/admin/tasks/{SLUG}/t1/"


def ledger(desk: Located) -> list[tuple[str, str, str]]:
    found = desk.directory.read(layout.REVIEWS).records
    return [(line.task_id, line.decision.value, line.note) for line in found]


def focused(page: Page) -> str | None:
    """The task whose row has the focus."""
    value: Any = page.evaluate(
        "document.activeElement.closest('tr')?.querySelector('input[name=task]')?.value"
    )
    return json.loads(value)[1] if value else None


def test_j_and_k_move_and_a_decides_on_the_row(desk: Located, visit: Visit) -> None:
    page = visit("reviewer").open(INBOX)
    page.keyboard.press("j")
    assert focused(page) == "t3"
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    assert focused(page) == "t1"
    with page.expect_navigation():
        page.keyboard.press("a")
    assert ledger(desk) == [("t1", "accept", "")]
    assert page.get_by_text("Recorded for 1 task: accept.").is_visible()


@pytest.mark.parametrize(("key", "word"), [("r", "reject"), ("n", "needs_more"), ("x", "restrict")])
def test_space_chooses_rows_and_a_letter_decides_on_all_of_them(
    desk: Located, visit: Visit, key: str, word: str
) -> None:
    page = visit("reviewer").open(INBOX)
    for step in ("j", " ", "j", " "):
        page.keyboard.press(step)
    assert page.locator("[data-checked]").inner_text() == "2 chosen"
    page.keyboard.press("c")
    page.keyboard.type("ar jx")
    assert ledger(desk) == []
    page.keyboard.press("Escape")
    with page.expect_navigation():
        page.keyboard.press(key)
    assert ledger(desk) == [("t3", word, "ar jx"), ("t1", word, "ar jx")]


def test_enter_and_o_open_and_j_goes_on_from_task_to_task(desk: Located, visit: Visit) -> None:
    page = visit("reviewer").open(INBOX)
    page.keyboard.press("j")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url.endswith(f"/admin/tasks/{SLUG}/t3/?slug={SLUG}")
    with page.expect_navigation():
        page.keyboard.press("j")
    assert page.url.endswith(f"/t1/?slug={SLUG}")
    with page.expect_navigation():
        page.keyboard.press("n")
    assert ledger(desk) == [("t1", "needs_more", "")]
    with page.expect_navigation():
        page.keyboard.press("j")
    assert page.url.endswith(f"/t2/?slug={SLUG}")


def test_enter_in_the_note_decides_nothing(desk: Located, visit: Visit) -> None:
    page = visit("reviewer").open(INBOX)
    page.keyboard.press("j")
    page.keyboard.press(" ")
    page.keyboard.press("c")
    page.keyboard.type("too easy")
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    assert ledger(desk) == []
    assert page.locator("#note").input_value() == "too easy"


def test_search_and_help_have_keys(desk: Located, visit: Visit) -> None:
    page = visit("reviewer").open(INBOX)
    page.keyboard.press("?")
    assert page.get_by_text("move between the tasks").is_visible()
    page.keyboard.press("/")
    page.keyboard.type("t4")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert "q=t4" in page.url
    assert page.locator("tr[data-row]").count() == 1


@pytest.mark.parametrize("held", ["Control", "Alt", "Meta"])
def test_no_key_acts_with_a_modifier_held(desk: Located, visit: Visit, held: str) -> None:
    page = visit("reviewer").open(INBOX)
    page.keyboard.press("j")
    for key in ("r", "n", "x", "j"):
        page.keyboard.press(f"{held}+{key}")
    page.wait_for_timeout(200)
    assert (ledger(desk), focused(page)) == ([], "t3")


def test_everything_works_without_javascript(desk: Located, visit: Visit) -> None:
    page = visit("reviewer", javascript=False).open(INBOX)
    for box in page.locator("input[type=checkbox][name=task]").all()[:2]:
        box.check()
    page.locator("#note").fill("by hand")
    page.locator(".bulk button[value=reject]").click()
    assert ledger(desk) == [("t3", "reject", "by hand"), ("t1", "reject", "by hand")]
    page.get_by_text("2 tasks decided just now").click()
    assert page.locator("tr[data-row]").count() == 2
    page.goto(page.url.partition("/admin")[0] + TASK)
    page.get_by_label("What is wrong with the task").fill("Only the item.")
    page.get_by_text("Send feedback").click()
    assert desk.directory.read(layout.FEEDBACK).records[0].feedback == "Only the item."
    assert "Change one task" in page.locator("textarea.handoff").input_value()


def test_hostile_text_does_nothing_in_a_browser(root: Path, visit: Visit) -> None:
    poisoned(root)
    visitor = visit("reviewer", scheme="dark")
    dialogs: list[str] = []
    visitor.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for path in (INBOX, f"{TASK}?gold=shown"):
        page = visitor.open(path)
        page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        page.mouse.move(400, 400)
        page.wait_for_timeout(100)
    assert dialogs == []
    assert page.locator("main img, main script, main iframe").count() == 0


def test_handoff_is_copied_whole(desk: Located, visit: Visit) -> None:
    page = visit("reviewer").open(TASK)
    page.get_by_label("What is wrong with the task").fill("Only the item.")
    page.get_by_text("Send feedback").click()
    page.get_by_text("Copy the hand-off").click()
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator("textarea.handoff").input_value()
