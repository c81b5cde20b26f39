"""What every page of the lab does alike: who may see it, what it sends, how a button works."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views import View

from benchmarks.admin.acting import Action, Done, arguments_of, exact, say_done, say_error, told
from benchmarks.admin.headers import guard
from benchmarks.artifacts.home import Home, home
from benchmarks.artifacts.roots import Located, roots
from benchmarks.doors.audit import Deed
from benchmarks.doors.call import Call
from benchmarks.doors.identity import Identity, of_user, require
from benchmarks.doors.keyset import Keyset
from benchmarks.doors.permissions import Permission
from benchmarks.doors.progress import Progress
from benchmarks.errors import Forbidden, InvalidArguments, UnderstudyError
from benchmarks.mirror.syncing import catch_up

DOOR = "admin"
PAGE_ROWS = 50
AFTER_WRITE_S = 2.0
"""How long a button waits for the mirror to have read what it wrote."""


class May:
    """What the signed-in person may do, by service: `{% if may.queue_run %}` shows a button."""

    def __init__(self, identity: Identity) -> None:
        """The services that `identity` may call."""
        self._identity = identity

    def __getitem__(self, service: str) -> bool:
        with suppress(Forbidden):
            require(self._identity, service)
            return True
        return False


class LabPage(View):
    """One page, for whoever has the permission of the service it reads with.

    `PAGES` of an app's admin package names its pages; the site wraps each in `admin_view`, so
    that whoever may not come in is sent to the sign-in page before anything is read.
    """

    path: ClassVar[str]
    name: ClassVar[str]
    """What `reverse("admin:<name>")` knows it by."""
    service: ClassVar[str]
    """The service that answers a GET: its permission is needed to see the page."""
    template: ClassVar[str] = ""
    nav: ClassVar[str] = ""
    """Its word in the navigation; empty: it is not there."""
    nav_place: ClassVar[int] = 30
    """Its place there: the smallest comes first."""
    actions: ClassVar[Mapping[str, Action]] = {}
    """The buttons, by the value of the form's `action`."""
    freshness: Mapping[str, Any] | None = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The answer, under the lab's headers; an error is a page with its hint."""
        try:
            self._demand(self.service)
            response = super().dispatch(request, *args, **kwargs)
        except UnderstudyError as error:
            response = self.refusal(error)
        return guard(response)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """One button: the service is called once, and the person sent on to see what came of it."""
        action = self._action(request.POST.get("action", ""))
        self._demand(action.service)
        try:
            done = action.act(self)
        except UnderstudyError as error:
            self._deed(action.service).refused(self.home, error)
            say_error(request, error)
            return HttpResponseRedirect(self.here)
        if isinstance(done, Done):
            self._deed(action.service, done.slug).record(self.home, ref=done.ref)
            self._follow(done)
            say_done(request, done)
            return HttpResponseRedirect(self.safe(done.to) or self.here)
        return done

    def render(
        self, context: Mapping[str, Any], *, template: str = "", status: int = 200
    ) -> TemplateResponse:
        """The page's template, with what every page shows beside its own context."""
        return TemplateResponse(
            self.request, template or self.template, {**self.common(), **context}, status=status
        )

    def common(self) -> dict[str, Any]:
        """What the base template shows: navigation, who, what they may do, how fresh it is."""
        return {
            "nav": list(self._navigation()),
            "identity": self.identity,
            "may": May(self.identity),
            "is_admin": self.identity.may(Permission.ADMIN),
            "freshness": self.freshness,
            "here": self.here,
            "now": self.now,
        }

    def refusal(self, error: UnderstudyError) -> TemplateResponse:
        """A page that says what is wrong and what to do, with the error's own status."""
        context = {"error": error, "told": told(error)}
        return self.render(context, template="lab/refusal.html", status=error.status)

    def catch_up(self, located: Located | None = None) -> None:
        """Read what is new on disk, within the budget of a page; the page says how far it got."""
        self.freshness = catch_up(located, within=self.call.roots)

    @cached_property
    def identity(self) -> Identity:
        """The signed-in person."""
        user = self.request.user
        if not user.is_authenticated:
            raise Forbidden("nobody is signed in", hint="sign in first")
        return of_user(user, DOOR)

    @cached_property
    def now(self) -> datetime:
        """The instant of the request."""
        return timezone.now()

    @cached_property
    def home(self) -> Home:
        """The home of this machine's user, as it is named now."""
        return home()

    @cached_property
    def call(self) -> Call:
        """The call that a service is told of: a person, through the admin."""
        key = self.request.POST.get("idempotency_key") or None
        return Call(
            caller=self.identity.caller(key),
            home=self.home,
            roots=roots(self.home),
            cwd=self.home.path,
            progress=Progress(),
            clock=lambda: self.now,
        )

    @property
    def here(self) -> str:
        """Where the person is: the page's own path and query."""
        return self.request.get_full_path()

    def keyset(self, *asked: object, limit: int = PAGE_ROWS) -> Keyset:
        """One page of a list that was asked for in this way; `?cursor=` says which."""
        cursor = self.request.GET.get("cursor") or None
        return Keyset(self.home.secret(), limit, cursor, [self.name, *asked])

    def with_query(self, **changes: object) -> str:
        """The page's own path with some of its query changed; None takes a key out."""
        query = self.request.GET.copy()
        for name, value in changes.items():
            query.pop(name, None)
            if value is not None:
                query[name] = str(value)
        return self.request.path + (f"?{query.urlencode()}" if query else "")

    def safe(self, target: str) -> str:
        """The target when it is a path of this site, else nothing."""
        is_ours = url_has_allowed_host_and_scheme(target, allowed_hosts=None)
        return target if target.startswith("/") and is_ours else ""

    def _action(self, name: str) -> Action:
        action = self.actions.get(name)
        if action is None:
            known = ", ".join(self.actions) or "none"
            raise InvalidArguments(f"there is no button {name!r} here", hint=f"buttons: {known}")
        return action

    def _follow(self, done: Done) -> None:
        """Read what was written, so that the next page shows it."""
        if done.slug:
            with suppress(UnderstudyError):
                catch_up(self.call.locate(done.slug), budget_s=AFTER_WRITE_S)

    def _demand(self, service: str) -> None:
        """Return when the person may call the service; a refusal is recorded."""
        try:
            require(self.identity, service)
        except Forbidden as error:
            self._deed(service).refused(self.home, error)
            raise

    def _deed(self, service: str, slug: str | None = None) -> Deed:
        named = self.kwargs.get("slug") or exact(self.request.POST, "slug") or None
        form = arguments_of(self.request.POST)
        return Deed(self.call.caller, service, form, self.now, slug or named)

    def _navigation(self) -> Iterator[dict[str, Any]]:
        may = May(self.identity)
        for page in sorted(getattr(admin.site, "pages", ()), key=lambda page: page.nav_place):
            if page.nav and may[page.service]:
                with suppress(NoReverseMatch):
                    path = reverse(f"admin:{page.name}")
                    yield {"word": page.nav, "path": path, "current": self._is_under(path)}

    def _is_under(self, path: str) -> bool:
        home_path = reverse("admin:index")
        return self.request.path == path or (
            path != home_path and self.request.path.startswith(path)
        )


class TextPage(LabPage, ABC):
    """The rest of a long text: plain text, as an attachment with `?download=1`."""

    file_name: ClassVar[str] = "text.txt"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The whole text, which a browser never reads as anything else."""
        body = self.text().encode("utf-8", "backslashreplace")
        response = HttpResponse(body, content_type="text/plain; charset=utf-8")
        if request.GET.get("download"):
            response["Content-Disposition"] = f'attachment; filename="{self.file_name}"'
        return response

    @abstractmethod
    def text(self) -> str:
        """The whole text."""
