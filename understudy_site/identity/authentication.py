"""How a request to the API says who makes it: a bearer token, or a session with CSRF.

Each puts an `Identity` where DRF keeps `request.auth`; the API knows nothing of tokens.
"""

from datetime import UTC, datetime

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from benchmarks.doors.identity import REST, Identity, of_user
from benchmarks.errors import BadOrigin, Unauthenticated
from understudy_site.identity.tokens import identity_of, recognised

SCHEME = "bearer"
CHALLENGE = 'Bearer realm="understudy"'


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`."""

    def authenticate(self, request: Request) -> tuple[User, Identity] | None:
        """The token's owner and identity; None when no token was sent.

        Raises:
            Unauthenticated: the header is none of ours, or its token is not good.
        """
        said = str(request.META.get("HTTP_AUTHORIZATION", ""))
        if not said:
            return None
        scheme, _, secret = said.partition(" ")
        token = None
        if scheme.lower() == SCHEME:
            token = recognised(secret.strip(), datetime.now(UTC))
        if token is None:
            raise Unauthenticated(
                "the token is unknown, revoked or expired",
                hint="send `Authorization: Bearer <token>` with a token that stands",
            )
        return token.owner, identity_of(token)

    def authenticate_header(self, request: Request) -> str:
        """The challenge of a 401."""
        return CHALLENGE


class SessionAuthentication(BaseAuthentication):
    """A signed-in user; an unsafe method needs the CSRF token too."""

    def authenticate(self, request: Request) -> tuple[User, Identity] | None:
        """The user and their identity; None when nobody is signed in.

        Raises:
            BadOrigin: the CSRF token is missing or another's.
        """
        user = getattr(request._request, "user", None)
        if not isinstance(user, User) or not user.is_active:
            return None
        _need_csrf(request)
        return user, of_user(user, REST)


class _Csrf(CsrfViewMiddleware):
    """Django's check, which answers with its reason."""

    def _reject(self, request: HttpRequest, reason: str) -> HttpResponse:
        return HttpResponse(reason, content_type="text/plain")


def _need_csrf(request: Request) -> None:
    check = _Csrf(HttpResponse)
    plain = request._request
    check.process_request(plain)
    refused = check.process_view(plain, HttpResponse, (), {})
    if isinstance(refused, HttpResponse):
        raise BadOrigin(
            f"the CSRF check failed: {refused.content.decode()}",
            hint="send the cookie's value in the header X-CSRFToken",
        )
