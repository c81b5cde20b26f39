"""The admin: where people review."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path

from benchmarks.admin.base import LabPage
from benchmarks.admin.headers import guard
from benchmarks.admin.pages import PAGES as BENCHMARK_PAGES
from benchmarks.doors.identity import permissions_of
from reviews.admin.pages import PAGES as REVIEW_PAGES
from runs.admin.pages import PAGES as RUN_PAGES


def may_come_in(user: User | AnonymousUser) -> bool:
    """Whether somebody may sign in here: a group of the lab is enough, and so is staff status."""
    return user.is_active and (user.is_staff or bool(permissions_of(user)))


class SignInForm(AuthenticationForm):
    """Name and password of somebody who may come in."""

    def confirm_login_allowed(self, user: User) -> None:
        """Return when they may.

        Raises:
            ValidationError: they may not, and who can change that is said.
        """
        super().confirm_login_allowed(user)
        if not may_come_in(user):
            raise ValidationError(
                "You are in none of the lab's groups: ask an admin to put you in reviewer,"
                " operator or admin.",
                code="no_group",
            )


class LabAdminSite(AdminSite):
    """Django's admin for users and groups, and the lab's own pages before it."""

    site_header = site_title = "Understudy"
    index_title = "Dashboard"
    login_form = SignInForm
    login_template = "lab/sign_in.html"
    logout_template = "lab/signed_out.html"
    pages: tuple[type[LabPage], ...] = (*BENCHMARK_PAGES, *REVIEW_PAGES, *RUN_PAGES)
    """Whoever has a word for the navigation says its place there too."""

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether the person may see any page of the site."""
        return may_come_in(request.user)

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The sign-in page, under the headers of every page of the lab."""
        return guard(super().login(request, extra_context))

    def get_urls(self) -> list[Any]:
        """The lab's pages, each for those who may come in, then what Django's admin has."""
        ours: list[URLPattern | URLResolver] = [
            path(page.path, self.admin_view(page.as_view()), name=page.name) for page in self.pages
        ]
        return ours + super().get_urls()
