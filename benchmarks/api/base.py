"""The base of every route: body, identity, permission, benchmark, arguments, one service, answer.

A view is a subclass of `LabView`; each of its methods is an `operation` of one service. It gets an
`ApiCall` and the parts of the path, and returns a document or an `Answer`.
"""

import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import URLPattern, path
from rest_framework.request import Request
from rest_framework.views import APIView

from benchmarks.api.answers import respond
from benchmarks.api.bodies import read_body
from benchmarks.api.calls import Answer, ApiCall, need_writable
from benchmarks.api.errors import problem, understood
from benchmarks.api.missing import UnknownMethod
from benchmarks.api.operations import Operation, operation_of, operations_of
from benchmarks.api.queries import need_text, read_query, sent_query
from benchmarks.artifacts.home import Home, home
from benchmarks.doors.audit import Deed
from benchmarks.doors.checking import checked
from benchmarks.doors.identity import Identity, require
from benchmarks.errors import InvalidArguments, Unauthenticated

UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
SLUG = "slug"
KEY_CHARS = 128
Method = Callable[..., Answer | Mapping[str, Any]]


class LabView(APIView):
    """One path of the API."""

    call: ApiCall
    slug_from: ClassVar[str] = SLUG
    """The part of the path, or the key of the body, that names the benchmark."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Body, identity and permission, in this order, before any method."""
        said = self._operation(request)
        sent = read_body(request._request) if request.method in UNSAFE else {}
        query = sent_query(request._request)
        path = {key: str(value) for key, value in kwargs.items()}
        identity = self._identity(request)
        self.call = ApiCall(
            identity=identity,
            home=self.home,
            now=datetime.now(UTC),
            service=said.service if said else "options",
            sent=sent,
            sent_path=path,
            sent_query=query,
            url=request.get_full_path(),
            headers=request.headers,
            idempotency_key=_key(request),
        )
        self.check_throttles(request)
        if said is not None:
            require(identity, said.service)
        need_text({key: [value] for key, value in path.items()}, what=self.call.service)

    def answer(self, said: Operation, method: Method, path: Mapping[str, Any]) -> HttpResponseBase:
        """Check the arguments, call the method, and send what it gives."""
        call = self.call
        try:
            call.query = read_query(said.query, self.request.GET, what=said.service)
            if said.body is not None and not said.checks_itself:
                call.body = checked(said.body, call.sent, what=said.service)
        except InvalidArguments:
            self._check_benchmark(said, path)
            raise
        given = method(call, **path)
        if said.writes and call.sent.get("dry_run") is not True:
            self._deed().record(self.home)
        return respond(call, said, given)

    def _check_benchmark(self, said: Operation, path: Mapping[str, Any]) -> None:
        """What is wrong with the benchmark is told before what is wrong with the arguments."""
        name = path.get(self.slug_from) or self.call.sent.get(self.slug_from)
        if not isinstance(name, str) or not name:
            return
        located = self.call.locate(name)
        if said.before is not None:
            said.before(located)
        if said.writes:
            need_writable(located)

    def handle_exception(self, exc: Exception) -> HttpResponse:  # type: ignore[override]
        """The failure as a problem document; a refusal leaves its line in the audit ledger."""
        error = understood(exc, home=self.home, where=self.request.path)
        if hasattr(self, "call"):
            self._deed().refused(self.home, error)
        return problem(error, request_id=self.request_id)

    def options(  # type: ignore[override]
        self, request: HttpRequest, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """What the path takes."""
        return HttpResponse(status=204, headers={"Allow": ", ".join(self.methods)})

    def http_method_not_allowed(  # type: ignore[override]
        self, request: HttpRequest, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """A method that the path does not take."""
        raise UnknownMethod(
            f"{request.method} is not taken by {self.request.path}",
            hint=f"it takes {', '.join(self.methods)}",
            details={"allow": self.methods},
        )

    @property
    def methods(self) -> list[str]:
        """The methods of the path, in capitals."""
        named = [each.upper() for each in operations_of(self)]
        return [*named, *(["HEAD"] if "GET" in named else []), "OPTIONS"]

    @property
    def allowed_methods(self) -> list[str]:
        """What DRF says in `Allow`."""
        return self.methods

    @cached_property
    def home(self) -> Home:
        """The home of this hub, as it is named now."""
        return home()

    @cached_property
    def request_id(self) -> str:
        """The id of the request, in every answer and log line."""
        return str(getattr(self.request, "request_id", "")) or uuid.uuid4().hex

    def _operation(self, request: Request) -> Operation | None:
        method = str(request.method)
        found = operation_of(self, method)
        if found is None and method != "OPTIONS":
            self.http_method_not_allowed(request)
        return found

    def _identity(self, request: Request) -> Identity:
        self.perform_authentication(request)
        if not isinstance(request.auth, Identity):
            raise Unauthenticated(
                "nobody is signed in",
                hint="send `Authorization: Bearer <token>`, or sign in",
            )
        return request.auth

    def _deed(self) -> Deed:
        call = self.call
        return Deed(
            call.caller,
            call.service,
            {**call.sent_query, **call.sent, **call.sent_path},
            call.now,
            slug=call.located.slug if call.located else None,
        )


def _key(request: Request) -> str | None:
    """The idempotency key of the request.

    Raises:
        InvalidArguments: it is not 1 to 128 printable ASCII characters.
    """
    key: str | None = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not (1 <= len(key) <= KEY_CHARS and key.isascii() and key.isprintable()):
        raise InvalidArguments(
            f"Idempotency-Key {key!r} is not 1..{KEY_CHARS} printable ASCII characters",
            hint="a new UUID for each write will do",
        )
    return key


def route(text: str, view: type[LabView]) -> list[URLPattern]:
    """A path of the API, with and without its final slash; the schema shows it once."""
    return [path(text, view.as_view()), path(f"{text}/", view.as_view(schema=None))]
