"""Every failure of the REST door as a problem document (RFC 9457) with a code of the one list."""

import json
import logging
import uuid
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.core import exceptions as django
from django.http import Http404, HttpResponse
from rest_framework import exceptions as rest

from benchmarks.api.missing import UnknownMethod, UnknownRoute
from benchmarks.artifacts.disk import refused
from benchmarks.artifacts.home import Home
from benchmarks.doors.lost_database import lost_database
from benchmarks.errors import (
    BadOrigin,
    Busy,
    Complaint,
    DirectoryBusy,
    Forbidden,
    Internal,
    InvalidArguments,
    RateLimited,
    TooLarge,
    Unauthenticated,
    UnderstudyError,
    UnsupportedMediaType,
)
from benchmarks.records.base import plain

PROBLEM = "application/problem+json"
TYPE = "urn:understudy:error:"
CHALLENGE = 'Bearer realm="understudy"'
BUSY_RETRY_S = 2

FOREIGN: Mapping[type[Exception], type[UnderstudyError]] = {
    rest.ParseError: InvalidArguments,
    rest.ValidationError: InvalidArguments,
    rest.NotAuthenticated: Unauthenticated,
    rest.AuthenticationFailed: Unauthenticated,
    rest.PermissionDenied: Forbidden,
    rest.NotFound: UnknownRoute,
    rest.MethodNotAllowed: UnknownMethod,
    rest.NotAcceptable: InvalidArguments,
    rest.UnsupportedMediaType: UnsupportedMediaType,
    rest.Throttled: RateLimited,
    Http404: UnknownRoute,
    django.DisallowedHost: BadOrigin,
    django.RequestDataTooBig: TooLarge,
    django.PermissionDenied: Forbidden,
    django.BadRequest: InvalidArguments,
    django.SuspiciousOperation: InvalidArguments,
}
"""What the frameworks raise, in our words; the first that fits counts."""

logger = logging.getLogger(__name__)


def understood(error: Exception, *, home: Home, where: str) -> UnderstudyError:
    """The error as one of the closed list; what nobody foresaw is logged and told by its id."""
    if isinstance(error, UnderstudyError):
        return error
    lost = lost_database(error)
    if lost is not None:
        logger.error("database in %s", where, exc_info=error)
        return lost
    held = refused(error)
    if held is not None:
        logger.error("the disk in %s", where, exc_info=error)
        return held
    for kind, ours in FOREIGN.items():
        if isinstance(error, kind):
            return ours(_said(error), hint=HINTS.get(ours, "docs/api.md says what is taken"))
    error_id = uuid.uuid4().hex[:12]
    logger.error("error %s in %s", error_id, where, exc_info=error)
    home.log(f"error {error_id} in {where}", error)
    return Internal(
        f"something went wrong that should not have (error {error_id})",
        hint="the operator of the hub finds it in the logs of its home",
        details={"error_id": error_id},
    )


HINTS: Mapping[type[UnderstudyError], str] = {
    UnknownRoute: "GET /api/schema lists every route",
    Unauthenticated: "send `Authorization: Bearer <token>`, or sign in",
    TooLarge: "a body has at most 1 MiB",
}


def _said(error: Exception) -> str:
    if isinstance(error, rest.APIException):
        return str(error.detail)
    return str(error) or type(error).__name__


def problem(error: UnderstudyError, *, request_id: str) -> HttpResponse:
    """The problem document, with the headers that its status asks for."""
    response = HttpResponse(
        json.dumps(plain(problem_document(error, request_id), "problem"), ensure_ascii=False),
        content_type=PROBLEM,
        status=error.status,
    )
    response["X-Request-Id"] = request_id
    response["Cache-Control"] = "no-store"
    if isinstance(error, Unauthenticated):
        response["WWW-Authenticate"] = CHALLENGE
    if isinstance(error, RateLimited):
        response["Retry-After"] = str(error.details.get("retry_after_s", BUSY_RETRY_S))
    if isinstance(error, Busy | DirectoryBusy):
        response["Retry-After"] = str(BUSY_RETRY_S)
    if isinstance(error, UnknownMethod):
        response["Allow"] = ", ".join(error.details.get("allow", ()))
    return response


def problem_document(error: UnderstudyError, request_id: str) -> dict[str, Any]:
    """The keys of spec/surface.md 5.4; `error` repeats `detail` for clients of the reference."""
    document: dict[str, Any] = error.document()["error"]
    return {
        "type": TYPE + error.code,
        "title": title_of(error.status),
        "status": error.status,
        "detail": error.message,
        "instance": request_id,
        "code": error.code,
        "hint": error.hint,
        "details": document["details"],
        "errors": document["errors"],
        "next_actions": document["next_actions"],
        "error": error.message,
    }


def title_of(status: int) -> str:
    """The words that HTTP has for a status."""
    return HTTPStatus(status).phrase


def unknown_field(name: str, value: object, message: str) -> InvalidArguments:
    """The refusal of one value."""
    return InvalidArguments(
        f"{name} {value!r}: {message}",
        hint="GET /api/schema says what is taken",
        errors=[Complaint(name, value, message)],
    )
