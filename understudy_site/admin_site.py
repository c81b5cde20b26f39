"""The admin: where people review."""

from typing import Any

from django.contrib.admin import AdminSite
from django.urls import URLPattern, URLResolver, path

from benchmarks.admin.base import LabPage
from benchmarks.admin.pages import PAGES as BENCHMARK_PAGES


class LabAdminSite(AdminSite):
    """Django's admin for users and groups, and the lab's own pages before it."""

    site_header = site_title = "Understudy"
    index_title = "Dashboard"
    pages: tuple[type[LabPage], ...] = (*BENCHMARK_PAGES,)
    """In the order of the navigation."""

    def get_urls(self) -> list[Any]:
        """The lab's pages, each for staff only, then what Django's admin has."""
        ours: list[URLPattern | URLResolver] = [
            path(page.path, self.admin_view(page.as_view()), name=page.name) for page in self.pages
        ]
        return ours + super().get_urls()
