"""What is answered where no view answers: a problem document for programs, a page for people."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views import defaults

from benchmarks.api.errors import problem
from benchmarks.api.unknown import unknown_route
from benchmarks.errors import Forbidden, Internal, InvalidArguments, UnderstudyError

API = "api"
HTML = "text/html"
HINT = "GET /api/schema says what is taken"


def wants_problem(request: HttpRequest) -> bool:
    """Whether it is for the API, however its path is written, or asks for JSON and no page."""
    path = urlsplit(request.path).path if "://" in request.path else request.path
    accept = request.headers.get("Accept", "").lower()
    return path.strip("/").split("/")[0] == API or ("json" in accept and HTML not in accept)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """400: the request is none that can be read."""
    if not wants_problem(request):
        return defaults.bad_request(request, exception)
    return _problem(request, InvalidArguments("the request cannot be read", hint=HINT))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """403: whoever asks may not."""
    if not wants_problem(request):
        return defaults.permission_denied(request, exception)
    return _problem(request, Forbidden("that is not for you", hint="GET /api/me says what is"))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """404: there is nothing at that path."""
    if not wants_problem(request):
        return defaults.page_not_found(request, exception)
    return unknown_route(request)


def server_error(request: HttpRequest) -> HttpResponseBase:
    """500: a failure that nobody foresaw; Django has logged it."""
    if not wants_problem(request):
        return defaults.server_error(request)
    error = Internal(
        "something went wrong that should not have",
        hint="the operator of the hub finds it in its log, by the id of the request",
    )
    return _problem(request, error)


def _problem(request: HttpRequest, error: UnderstudyError) -> HttpResponse:
    return problem(error, request_id=getattr(request, "request_id", ""))
