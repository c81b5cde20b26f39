"""What may be done on this machine without asking."""

from typing import Annotated, Any

from pydantic import Field

from benchmarks.api.base import LabView
from benchmarks.api.calls import ApiCall
from benchmarks.api.documents import Document, Written
from benchmarks.api.operations import operation
from benchmarks.doors.tool import Arguments
from benchmarks.errors import Forbidden
from runs.services.trusting import set_trust, show_trust

RAISE = "raise_trust"


class TrustDocument(Document):
    """The file, what stands in it, and what that resolves to."""

    file: str
    posture: dict[str, Any] | None
    resolved: dict[str, Any]


class TrustSet(Written, TrustDocument):
    """The posture after it was set."""


class SetTrust(Arguments):
    """The posture that is wanted; what is left out stays."""

    level: Annotated[str, Field(description="local_sandbox, bounded_experiments or hosted_ops.")]
    spend_stop_loss: Annotated[
        float | None, Field(strict=False, description="US dollars a run may spend.")
    ] = None
    clear_spend_stop_loss: Annotated[bool, Field(description="Take the stop-loss away.")] = False
    provider_upload: Annotated[
        bool | None, Field(description="Whether captures may go to a provider for authoring.")
    ] = None
    traffic_changes: Annotated[
        bool | None, Field(description="Whether live traffic may be changed.")
    ] = None


class TrustView(LabView):
    """`/api/trust`."""

    @operation("show_trust", gives=TrustDocument)
    def get(self, call: ApiCall) -> dict[str, Any]:
        """Say what may be done on this machine without asking."""
        return show_trust(home=call.home)

    @operation("set_trust", body=SetTrust, gives=TrustSet, writes=True, matches=True)
    def put(self, call: ApiCall) -> dict[str, Any]:
        """Set the posture: a signed-in person only, and an admin where it is raised."""
        _need_session(call)
        return set_trust(
            home=call.home,
            **dict(call.body),
            may_raise=call.may(RAISE),
            if_digests=call.if_digests,
            caller=call.caller,
            now=call.now,
        )


def _need_session(call: ApiCall) -> None:
    if not call.identity.is_session:
        raise Forbidden(
            "set_trust needs a signed-in person, not a token",
            hint="set it in the shell: understudy trust set LEVEL",
            details={"needs": "session"},
        )
