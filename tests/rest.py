"""Driving the REST door as a program does: with a token, over Django's test client."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import resolve

from benchmarks.api.errors import PROBLEM
from benchmarks.api.operations import operation_of
from benchmarks.api.refusals import refusals_of
from benchmarks.doors.permissions import GROUPS
from understudy_site.identity.tokens import Asked, issue_token

JSON = "application/json"
SECOND_HAND = frozenset({"read_job_result"})
"""Operations that pass on the refusal of another service, whatever it is."""


@dataclass(frozen=True)
class Answered:
    """What came back."""

    status: int
    headers: Any
    body: bytes

    @property
    def document(self) -> Any:
        """The JSON of the body."""
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of a problem."""
        return str(self.document["code"])


class Rest:
    """One caller of the API."""

    def __init__(
        self,
        *permissions: str,
        name: str = "ci",
        benchmarks: tuple[str, ...] = (),
        agent: bool = False,
        holds: bool = True,
    ) -> None:
        """A token of these permissions, of an owner who has them all.

        `holds` says whether every answer is held to what its route says of itself.
        """
        self._holds = holds
        owner, made = User.objects.get_or_create(username="mira")
        if made:
            owner.groups.add(Group.objects.get_or_create(name="admin")[0])
        asked = Asked(name, permissions or sorted(GROUPS["operator"]), benchmarks, agent)
        secret = issue_token(owner=owner, asked=asked, now=datetime.now(UTC)).secret
        self._headers = {"Authorization": f"Bearer {secret}"}
        self._client = Client()

    def get(
        self, path: str, *, headers: dict[str, str] | None = None, fresh: int = 1, **query: Any
    ) -> Answered:
        """GET with a query; a list stands once for each of its values.

        The mirror gets its 5 seconds, however busy the machine is.
        """
        asked = urlencode({"fresh": fresh, **query}, doseq=True)
        return self._send("GET", f"{path}?{asked}", None, headers)

    def post(
        self, path: str, body: Any = None, *, headers: dict[str, str] | None = None
    ) -> Answered:
        """POST of a JSON body."""
        return self._send("POST", path, body if body is not None else {}, headers)

    def put(
        self, path: str, body: Any = None, *, headers: dict[str, str] | None = None
    ) -> Answered:
        """PUT of a JSON body."""
        return self._send("PUT", path, body if body is not None else {}, headers)

    def patch(
        self, path: str, body: Any = None, *, headers: dict[str, str] | None = None
    ) -> Answered:
        """PATCH of a JSON body."""
        return self._send("PATCH", path, body if body is not None else {}, headers)

    def send(
        self,
        method: str,
        path: str,
        data: bytes = b"",
        *,
        content_type: str = "application/json",
        headers: dict[str, str] | None = None,
        **environ: Any,
    ) -> Answered:
        """Anything, byte by byte."""
        response = self._client.generic(
            method,
            path,
            data,
            content_type=content_type,
            headers={**self._headers, **(headers or {})},
            **environ,
        )
        return self._checked(method, path, response)

    def pages(self, path: str, **query: Any) -> list[list[Any]]:
        """The results of every page of a list."""
        found: list[list[Any]] = []
        cursor: str | None = None
        while not found or cursor:
            answered = self.get(path, **query, **({"cursor": cursor} if cursor else {}))
            assert answered.status == 200, answered.body
            found.append(answered.document["results"])
            cursor = answered.document["page"]["next_cursor"]
        return found

    def _send(self, method: str, path: str, body: Any, headers: dict[str, str] | None) -> Answered:
        response = self._client.generic(
            method,
            path,
            b"" if body is None else json.dumps(body).encode(),
            content_type="application/json",
            headers={**self._headers, **(headers or {})},
        )
        return self._checked(method, path, response)

    def _checked(self, method: str, path: str, response: Any) -> Answered:
        """The answer, held against what its route says of itself."""
        answered = Answered(response.status_code, response.headers, response.content)
        if self._holds:
            hold_to_its_word(method, path, answered)
        return answered


def hold_to_its_word(method: str, path: str, answered: Answered) -> None:
    """Fail where a route refuses with a code, or gives a document, that it does not describe."""
    name, _, query = path.partition("?")
    match = resolve(name)
    view = getattr(match.func, "view_class", None)
    described = operation_of(view, method) if view is not None else None
    if described is None:
        return
    kind = answered.headers.get("Content-Type")
    if kind == PROBLEM and answered.body and described.service not in SECOND_HAND:
        codes = {each.code for each in refusals_of(described, has_slug="slug" in match.kwargs)}
        assert answered.code in codes, f"{described.service} says nothing of {answered.code}"
    is_part = not answered.body or "fields=" in query or "field=" in query
    gives = described.gives
    if gives is None or is_part or (answered.status, kind) != (described.status, JSON):
        return
    document = answered.document
    is_page = described.is_list and "page" not in gives.model_fields
    for each in document["results"] if is_page else [document]:
        gives.model_validate(each)
