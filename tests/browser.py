"""A signed-in browser for tests: headless chromium on a live server, watched all the while.

Whatever a page does, its console holds no error and no request leaves the host.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ARGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
WIDE = {"width": 1360, "height": 900}


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where the browser is; outside CI a missing one skips, in CI it fails."""
    path = os.environ.get("UNDERSTUDY_TEST_CHROMIUM") or shutil.which("chromium")
    if path is None:
        reason = "no chromium on PATH: set UNDERSTUDY_TEST_CHROMIUM"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser for the tests of a module.

    Its driver keeps an event loop in this thread, in which Django would refuse to ask a database.
    """
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    try:
        with sync_playwright() as driver:
            opened = driver.chromium.launch(executable_path=chromium, args=list(ARGS))
            yield opened
            opened.close()
    finally:
        if before is None:
            del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
        else:
            os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = before


@dataclass
class Visitor:
    """One person at a browser of their own."""

    context: BrowserContext
    page: Page
    base: str
    complaints: list[str] = field(default_factory=list)
    """Errors of the console, and requests that left the host."""

    def open(self, path: str) -> Page:
        """The page at a path, once it has loaded."""
        self.page.goto(self.base + path, wait_until="load")
        return self.page

    def picture(self, folder: Path, name: str) -> Path:
        """A screenshot of the whole page."""
        path = folder / f"{name}.png"
        self.page.screenshot(path=path, full_page=True)
        return path


Visit = Callable[..., Visitor]


@pytest.fixture
def visit(browser: Browser, live_server: object) -> Iterator[Visit]:
    """`visit("operator")` signs somebody of that group in.

    `scheme`, `javascript` and the `width` of the window are as asked.
    """
    base = str(live_server)
    host = urlsplit(base).netloc
    visitors: list[Visitor] = []

    def arrive(
        group: str | None,
        *,
        scheme: str = "light",
        javascript: bool = True,
        width: int = WIDE["width"],
    ) -> Visitor:
        context = browser.new_context(
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=javascript,
            viewport={"width": width, "height": WIDE["height"]},
        )
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=base)
        if group is not None:
            context.add_cookies([
                {"name": name, "value": value, "url": base} for name, value in session_of(group)
            ])
        visitor = Visitor(context, context.new_page(), base)
        watch(visitor, host)
        visitors.append(visitor)
        return visitor

    yield arrive
    for visitor in visitors:
        visitor.context.close()
    assert [complaint for visitor in visitors for complaint in visitor.complaints] == []


def member(group: str) -> User:
    """A user of one of the lab's groups, named as the group."""
    user, _ = User.objects.get_or_create(username=group)
    user.groups.add(Group.objects.get_or_create(name=group)[0])
    return user


def session_of(group: str) -> list[tuple[str, str]]:
    """The cookies of somebody of the group who has signed in."""
    client = Client()
    client.force_login(member(group))
    return [(settings.SESSION_COOKIE_NAME, client.cookies[settings.SESSION_COOKIE_NAME].value)]


def watch(visitor: Visitor, host: str) -> None:
    """Note every error of the console, and every request to another host."""
    page = visitor.page
    page.on(
        "console",
        lambda message: (
            visitor.complaints.append(f"console: {message.text}")
            if message.type == "error"
            else None
        ),
    )
    page.on("pageerror", lambda error: visitor.complaints.append(f"script: {error}"))
    page.on(
        "request",
        lambda request: (
            visitor.complaints.append(f"left the host: {request.url}")
            if urlsplit(request.url).netloc not in {host, ""}
            else None
        ),
    )
