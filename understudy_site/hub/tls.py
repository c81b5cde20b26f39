"""Behind a proxy that speaks TLS: what did not come through it that way is refused."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from benchmarks.errors import BadOrigin
from understudy_site.middleware import refusal

HEALTH = "/healthz"


class TlsMiddleware:
    """Refuses requests without TLS; a health check of this machine may come without."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._next = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.is_secure() or request.path.rstrip("/") == HEALTH:
            return self._next(request)
        error = BadOrigin(
            "the request did not come over TLS, and this hub runs behind a proxy that speaks it",
            hint="use https, and let the proxy send X-Forwarded-Proto: https",
        )
        return refusal(request, error)
