"""Who one is, and the tokens of this hub."""

from typing import Annotated, Any

from django.contrib.auth.models import User
from django.urls import URLPattern
from pydantic import Field

from benchmarks.api.base import LabView, route
from benchmarks.api.calls import Answer, ApiCall
from benchmarks.api.documents import Document, Written
from benchmarks.api.missing import UnknownRoute
from benchmarks.api.operations import operation
from benchmarks.doors.permissions import Permission, in_order
from benchmarks.doors.tool import Arguments
from benchmarks.errors import AlreadyExists
from understudy_site.identity.tokens import (
    Asked,
    issue_token,
    list_tokens,
    revoke_token,
    token_document,
)


class Me(Document):
    """Who the caller is, and what they may do."""

    actor: str
    door: str
    name: str
    kind: str = Field(description="`session` or `token`.")
    agent: bool
    permissions: list[Permission]
    benchmarks: list[str] = Field(description="Patterns over slugs; empty: every benchmark.")


class TokenDocument(Document):
    """A token, without its secret."""

    token_id: int
    name: str
    owner: str
    parent_id: int | None = Field(description="The token that asked for it, if one did.")
    permissions: list[Permission]
    benchmarks: list[str]
    agent: bool
    created_at: str
    expires_at: str | None
    last_used_at: str | None = Field(description="Written at most once a minute.")
    revoked_at: str | None


class TokenList(Document):
    """Every token, newest first."""

    results: list[TokenDocument]


class NewToken(Written, TokenDocument):
    """A token that was just made, with the facts about it."""

    token: str = Field(description="The secret: shown once, here.")


class RevokedToken(Written):
    """A token that is of no use any more."""

    token: TokenDocument


class AskForToken(Arguments):
    """The token that is wanted."""

    name: Annotated[str, Field(description="Stands in ledgers as token:<name>; used once.")]
    permissions: Annotated[list[str], Field(description="A subset of the caller's own.")]
    benchmarks: Annotated[
        list[str], Field(max_length=64, description="Patterns over slugs; none: every benchmark.")
    ] = Field(default_factory=list)
    agent: Annotated[
        bool, Field(description="An agent holds it: its reviews are not a person's.")
    ] = False
    days: Annotated[
        int | None, Field(description="Until it expires, 1..3650; never after the token that asks.")
    ] = None


class MeView(LabView):
    """`/api/me`."""

    @operation("read_me", gives=Me)
    def get(self, call: ApiCall) -> dict[str, Any]:
        """Say who the caller is and what they may do."""
        who = call.identity
        return {
            "actor": who.actor,
            "door": who.door,
            "name": who.name,
            "kind": "session" if who.is_session else "token",
            "agent": who.agent,
            "permissions": in_order(who.permissions),
            "benchmarks": list(who.patterns),
        }


class TokensView(LabView):
    """`/api/tokens`."""

    @operation("list_tokens", gives=TokenList)
    def get(self, call: ApiCall) -> dict[str, Any]:
        """List every token of the hub, newest first; no secret is kept to be shown.

        A token that is limited to some benchmarks sees those with none but the same limits.
        """
        return {"results": [token_document(token) for token in list_tokens(call.identity)]}

    @operation(
        "issue_token",
        body=AskForToken,
        gives=NewToken,
        status=201,
        writes=True,
        refuses=(AlreadyExists,),
    )
    def post(self, call: ApiCall) -> Answer:
        """Make a token of the caller's own, with some of the caller's permissions.

        The secret is in the answer and nowhere else.
        """
        asked = Asked(**dict(call.body))
        limits = call.identity
        issued = issue_token(owner=_owner(self), asked=asked, within=limits, now=call.now)
        document = {
            **call.written(),
            "token": issued.secret,
            **token_document(issued.token),
        }
        location = {"Location": f"/api/tokens/{issued.token.pk}"}
        return Answer(document, status=201, headers=location)


class TokenView(LabView):
    """`/api/tokens/{token_id}`."""

    @operation("revoke_token", gives=RevokedToken, writes=True, refuses=(UnknownRoute,))
    def delete(self, call: ApiCall, token_id: int) -> dict[str, Any]:
        """Revoke a token, and all that it asked for, at once; doing it twice changes nothing."""
        token = revoke_token(token_id=token_id, within=call.identity, now=call.now)
        return {**call.written(), "token": token_document(token)}


def _owner(view: LabView) -> User:
    owner: User = view.request.user  # type: ignore[assignment]
    return owner


ROUTES: list[URLPattern] = [
    *route("me", MeView),
    *route("tokens", TokensView),
    *route("tokens/<int:token_id>", TokenView),
]
