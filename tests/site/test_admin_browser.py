"""The admin in a real browser: under its own policy, in both modes, with and without JavaScript."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from playwright.sync_api import expect

from benchmarks.artifacts import layout
from benchmarks.mirror.syncing import catch_up
from tests.browser import Visit, member
from tests.factories import Desk, make_desk, make_home, make_items, queue
from tests.reviews.desks import make_desk as make_refund_desk
from tests.reviews.factories import make_row
from tests.runs.admin.hostile import RUN, make_hostile_desk

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.any_database,
    pytest.mark.slow,
]
BENCH = "/admin/benchmarks/benchmarkentry/local--items/"
PAGES = {
    "dashboard": "/admin/",
    "benchmarks": "/admin/benchmarks/benchmarkentry/",
    "benchmark": f"{BENCH}?split=all",
    "hostile": "/admin/benchmarks/benchmarkentry/local--hostile/",
    "runs": "/admin/runs/",
    "run": "/admin/runs/run-1/",
    "hostile-run": f"/admin/runs/{RUN}/",
    "cancel": "/admin/runs/run-1/cancel/",
    "inbox": "/admin/inbox/",
    "users": "/admin/auth/user/",
}


NARROW = 420
CUT_OFF = """() => [...document.querySelectorAll("main table")].filter((table) => {
  const box = table.closest(".scroll, .results");
  return table.offsetWidth > document.documentElement.clientWidth && !box;
}).map((table) => table.caption && table.caption.textContent)"""
"""The captions of tables that are wider than the window and do not scroll."""
FAINT = """() => {
  const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }).reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const found = numbers(getComputedStyle(each).backgroundColor);
      if (found.length === 3 || found[3] > 0) return found;
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const element of document.querySelectorAll("body *")) {
    const words = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!words || !element.checkVisibility() || element.closest("option, :disabled")) continue;
    const pair = [light(numbers(getComputedStyle(element).color)), light(behind(element))].sort();
    const contrast = (pair[1] + 0.05) / (pair[0] + 0.05);
    if (contrast < 4.5) faint.push(`${element.textContent.trim()} ${contrast.toFixed(2)}`);
  }
  return faint;
}"""
"""Every text whose contrast with what is behind it is below 4.5."""


@pytest.fixture
def lab(lab_home: Path) -> Iterator[Desk]:
    """A benchmark with a run under way, and one whose every word is hostile."""
    cache.clear()
    make_home(lab_home, level="bounded_experiments")
    root = lab_home / "benchmarks"
    root.mkdir()
    make_hostile_desk(root)
    desk = make_desk(root / "items", make_items(4))
    progress = {"completed": 0, "total": 4}
    queue(desk, "run-1", status="running", models=["glm-5.2"], progress=progress)
    add_row(desk, 0)
    catch_up(None, budget_s=60)
    yield desk
    cache.clear()


def add_row(desk: Desk, place: int) -> None:
    row = make_row(desk.task_ids[place], 1.0, run_id="run-1", model="glm-5.2")
    desk.directory.append(layout.rows("run-1", "glm-5.2"), row)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_loads_without_a_complaint(
    lab: Desk, visit: Visit, tmp_path: Path, scheme: str
) -> None:
    visitor = visit("admin", scheme=scheme)
    for name, path in PAGES.items():
        page = visitor.open(path)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
        assert visitor.picture(tmp_path, f"{name}-{scheme}").stat().st_size > 10_000
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") != ""


def test_every_page_fits_a_telephone_and_nothing_is_out_of_reach(
    lab: Desk, visit: Visit, tmp_path: Path
) -> None:
    make_refund_desk(lab.path.parent)
    catch_up(None, budget_s=60)
    visitor = visit("admin", width=NARROW)
    for name, path in PAGES.items():
        page = visitor.open(path)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
        assert page.evaluate(CUT_OFF) == [], name
        visitor.picture(tmp_path, f"{name}-narrow")
    page = visitor.open(PAGES["inbox"])
    row = page.locator("tr[data-row]").first
    for word in ("Accept", "Reject", "Needs more", "Restrict"):
        box = row.get_by_role("button", name=word).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= NARROW
    expect(row).to_contain_text("accepted")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_on_the_page_of_a_user_stands_out(
    lab: Desk, visit: Visit, tmp_path: Path, scheme: str
) -> None:
    visitor = visit("admin", scheme=scheme)
    page = visitor.open(f"/admin/auth/user/{member('reviewer').pk}/change/")
    expect(page.locator(".selector-chosen-title").first).to_be_visible()
    visitor.picture(tmp_path, f"user-{scheme}")
    assert page.evaluate(FAINT) == []


def test_hostile_text_runs_nothing(lab: Desk, visit: Visit) -> None:
    visitor = visit("admin")
    asked: list[str] = []
    visitor.page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    for path in (PAGES["hostile"], PAGES["hostile-run"], PAGES["dashboard"]):
        page = visitor.open(path)
        assert page.locator("img[src='x']").count() == 0
    assert asked == []


def test_somebody_signs_in_and_out(lab: Desk, visit: Visit, django_user_model: type) -> None:
    django_user_model.objects.create_superuser("ada", password="correct horse")  # type: ignore[attr-defined]
    visitor = visit(None)
    page = visitor.open(BENCH)
    page.get_by_label("Name").fill("ada")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Item desk")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Signed out")


def test_run_page_moves_while_the_run_goes_on(lab: Desk, visit: Visit) -> None:
    page = visit("operator").open(PAGES["run"])
    expect(page.locator("#live")).to_contain_text("1 of 4")
    add_row(lab, 1)
    expect(page.locator("#live")).to_contain_text("2 of 4", timeout=15_000)
    assert page.locator("h1").count() == 1


def test_run_is_queued_by_hand_without_javascript(lab: Desk, visit: Visit) -> None:
    page = visit("operator", javascript=False).open(BENCH)
    page.get_by_label("Models").fill("scripted/oracle")
    page.get_by_label("Split", exact=True).select_option("all")
    page.get_by_role("button", name="Show the quote").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Queue this run?")
    page.get_by_role("button", name="Queue the run").click()
    expect(page.locator(".messages .success")).to_contain_text("is queued")
    queued = [each for each in lab.directory.requests().requests if each.status == "queued"]
    assert [request.models for request in queued] == [["scripted/oracle"]]


def test_theme_is_chosen_and_kept(lab: Desk, visit: Visit) -> None:
    visitor = visit("reviewer")
    page = visitor.open("/admin/")
    toggle = page.locator("[data-theme-toggle]")
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    toggle.click()
    toggle.click()
    expect(toggle).to_have_text("Theme: dark")
    visitor.open("/admin/runs/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before


def test_next_command_is_copied(lab: Desk, visit: Visit) -> None:
    page = visit("operator").open(BENCH)
    page.locator("#next [data-copy]").click()
    expect(page.locator("#next [data-copy]")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("understudy runs ")
    expect(page.locator("#next code")).to_have_text(copied)


def test_keyboard_reaches_the_content_first(lab: Desk, visit: Visit) -> None:
    page = visit("reviewer").open("/admin/")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    outline = skip.evaluate("link => getComputedStyle(link).outlineStyle")
    assert outline == "solid"
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()
