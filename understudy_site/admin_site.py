"""The admin: where people review."""

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path

from benchmarks.admin.base import LabPage
from benchmarks.admin.headers import guard
from benchmarks.admin.pages import PAGES as BENCHMARK_PAGES
from reviews.admin.pages import PAGES as REVIEW_PAGES
from runs.admin.pages import PAGES as RUN_PAGES


class LabAdminSite(AdminSite):
    """Django's admin for users and groups, and the lab's own pages before it."""

    site_header = site_title = "Understudy"
    index_title = "Dashboard"
    login_template = "lab/sign_in.html"
    logout_template = "lab/signed_out.html"
    pages: tuple[type[LabPage], ...] = (*BENCHMARK_PAGES, *REVIEW_PAGES, *RUN_PAGES)
    """Whoever has a word for the navigation says its place there too."""

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The sign-in page, under the headers of every page of the lab."""
        return guard(super().login(request, extra_context))

    def get_urls(self) -> list[Any]:
        """The lab's pages, each for staff only, then what Django's admin has."""
        ours: list[URLPattern | URLResolver] = [
            path(page.path, self.admin_view(page.as_view()), name=page.name) for page in self.pages
        ]
        return ours + super().get_urls()
