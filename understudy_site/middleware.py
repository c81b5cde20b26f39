"""What is checked of every request before anything else: its host, and where it comes from.

A page elsewhere must not be able to read or write here, neither by a name that it lets point at
this machine (Host) nor by a form or a script (Origin, Sec-Fetch-Site). No CORS header is ever sent.
"""

import logging
import uuid
from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from benchmarks.api.errors import problem
from benchmarks.doors.lost_database import lost_database
from benchmarks.errors import BadOrigin, UnderstudyError
from understudy_site.failing import wants_problem

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
OWN_SITE = frozenset({"same-origin", "none"})
logger = logging.getLogger(__name__)
Next = Callable[[HttpRequest], HttpResponseBase]


class RequestIdMiddleware:
    """Gives each request an id, and says it in the answer; what a client sends is not taken."""

    def __init__(self, get_response: Next) -> None:
        self._next = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.request_id = uuid.uuid4().hex  # type: ignore[attr-defined]
        response = self._next(request)
        response["X-Request-Id"] = request.request_id  # type: ignore[attr-defined]
        return response


class OriginMiddleware:
    """Refuses hosts that are not this hub's, and writes that another site's page sends."""

    def __init__(self, get_response: Next) -> None:
        self._next = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        try:
            check_origin(request)
        except BadOrigin as error:
            return refusal(request, error)
        return self._next(request)


class DatabaseMiddleware:
    """Says in plain words, with 503, that the hub's database is gone; the API says it itself."""

    def __init__(self, get_response: Next) -> None:
        self._next = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._next(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The refusal of a page that could not reach the database; None for any other failure."""
        lost = lost_database(error)
        if lost is None:
            return None
        logger.error("database in %s", request.path, exc_info=error)
        return refusal(request, lost)


def check_origin(request: HttpRequest) -> None:
    """Return when the request may come from where it comes.

    Raises:
        BadOrigin: its host, origin or fetch site is another's.
    """
    try:
        host = request.get_host()
    except DisallowedHost:
        raise BadOrigin(
            f"the host {request.META.get('HTTP_HOST', '')[:80]!r} is not one of this hub",
            hint="use loopback, or name it in UNDERSTUDY_ALLOWED_HOSTS",
        ) from None
    if request.method in SAFE:
        return
    origin = request.META.get("HTTP_ORIGIN")
    if origin is not None and not _is_own(origin, f"{request.scheme}://{host}"):
        raise BadOrigin(
            f"the origin {origin[:80]!r} is not this hub's",
            hint="send no Origin, or name it in UNDERSTUDY_TRUSTED_ORIGINS",
        )
    site = request.META.get("HTTP_SEC_FETCH_SITE")
    if site is not None and site not in OWN_SITE:
        raise BadOrigin(
            f"the request comes from another site (Sec-Fetch-Site: {site[:40]})",
            hint="writes are taken from this hub's own pages and from programs",
        )


def _is_own(origin: str, own: str) -> bool:
    return origin == own or any(
        _matches(origin, trusted) for trusted in settings.CSRF_TRUSTED_ORIGINS
    )


def _matches(origin: str, trusted: str) -> bool:
    """Whether a trusted origin is this one; `https://*.lab.example` is each below it."""
    if "*" not in trusted:
        return origin == trusted
    said, wanted = urlsplit(origin), urlsplit(trusted)
    suffix = wanted.netloc.removeprefix("*")
    return said.scheme == wanted.scheme and said.netloc.endswith(suffix)


def refusal(request: HttpRequest, error: UnderstudyError) -> HttpResponse:
    """The refusal: a problem document for the API, a line of text for a page."""
    if wants_problem(request):
        return problem(error, request_id=getattr(request, "request_id", ""))
    text = f"{error.message}\n{error.hint}\n"
    return HttpResponse(text, content_type="text/plain; charset=utf-8", status=error.status)
