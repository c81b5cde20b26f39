"""What frameworks raise, in the words of the one list."""

import errno
from pathlib import Path

import pytest
from django.core import exceptions as django
from django.db import IntegrityError, InterfaceError, OperationalError, ProgrammingError
from django.http import Http404
from rest_framework import exceptions as rest

from benchmarks.api.errors import problem, understood
from benchmarks.artifacts.home import home
from benchmarks.errors import Busy, DirectoryBusy, RateLimited, UnderstudyError


@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        (rest.ParseError(), "invalid_arguments", 400),
        (rest.ValidationError(["x"]), "invalid_arguments", 400),
        (rest.NotAuthenticated(), "unauthenticated", 401),
        (rest.AuthenticationFailed(), "unauthenticated", 401),
        (rest.PermissionDenied(), "forbidden", 403),
        (rest.NotFound(), "unknown_tool", 404),
        (rest.MethodNotAllowed("PUT"), "unknown_tool", 405),
        (rest.NotAcceptable(), "invalid_arguments", 400),
        (rest.UnsupportedMediaType("x"), "unsupported_media_type", 415),
        (rest.Throttled(), "rate_limited", 429),
        (Http404(), "unknown_tool", 404),
        (django.DisallowedHost("x"), "bad_origin", 403),
        (django.RequestDataTooBig("x"), "too_large", 413),
        (django.SuspiciousOperation("x"), "invalid_arguments", 400),
        (django.PermissionDenied(), "forbidden", 403),
        (OperationalError("database is locked"), "busy", 503),
        (OperationalError("no such table: a secret detail"), "busy", 503),
        (OperationalError("connection refused by a secret detail"), "busy", 503),
        (InterfaceError("connection already closed"), "busy", 503),
        (ProgrammingError('relation "x" does not exist'), "busy", 503),
        (ProgrammingError("syntax error at a secret detail"), "internal", 500),
        (OperationalError("database or disk is full"), "disk_full", 507),
        (OSError(errno.ENOSPC, "No space left on device"), "disk_full", 507),
        (PermissionError(errno.EACCES, "Permission denied", "tasks.jsonl"), "read_only", 403),
        (IntegrityError("a secret detail"), "internal", 500),
        (ValueError("a secret detail"), "internal", 500),
    ],
)
def test_every_failure_has_a_code_of_the_list(
    lab_home: Path, error: Exception, code: str, status: int
) -> None:
    found = understood(error, home=home(), where="GET /api/x")
    assert (found.code, found.status) == (code, status)
    answered = problem(found, request_id="r1")
    assert (answered.status_code, answered["X-Request-Id"]) == (status, "r1")
    assert "secret detail" not in answered.content.decode()


@pytest.mark.parametrize(
    ("error", "retry"),
    [
        (Busy("x"), "2"),
        (DirectoryBusy("x"), "2"),
        (RateLimited("x", details={"retry_after_s": 17}), "17"),
    ],
)
def test_what_passes_says_when_to_come_again(error: UnderstudyError, retry: str) -> None:
    assert problem(error, request_id="r")["Retry-After"] == retry
