"""The page behind a one-time sign-in link."""

import ipaddress

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from benchmarks.errors import Forbidden, UnderstudyError
from understudy_site.identity.links import take_sign_in_link

FORWARDED = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_")
BACKEND = "django.contrib.auth.backends.ModelBackend"


@never_cache
@require_GET
def sign_in(request: HttpRequest, secret: str) -> HttpResponse:
    """Sign in whom the link is for, from this machine only."""
    try:
        _need_loopback(request)
        user = take_sign_in_link(secret, now=timezone.now())
    except UnderstudyError as error:
        text = f"{error.message}\n{error.hint}\n"
        return HttpResponse(text, content_type="text/plain; charset=utf-8", status=error.status)
    login(request, user, backend=BACKEND)
    return HttpResponseRedirect(resolve_url("admin:index"))


def _need_loopback(request: HttpRequest) -> None:
    """Return when the other end is on this machine and nobody forwarded the request.

    Raises:
        Forbidden: it came from elsewhere, or through a proxy that says so.
    """
    forwarded = any(name.startswith(FORWARDED) for name in request.META)
    if forwarded or not _is_loopback(request.META.get("REMOTE_ADDR", "")):
        raise Forbidden(
            "a sign-in link works only in a browser on the hub's own machine",
            hint="sign in there, set a password, and use it from elsewhere",
        )


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
