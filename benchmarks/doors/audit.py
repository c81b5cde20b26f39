"""The audit ledger: each write through MCP, REST or the admin, and each refusal of one."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from benchmarks.artifacts.home import Home
from benchmarks.errors import ApprovalRequired, Forbidden, PostureTooLow, UnderstudyError
from benchmarks.records.caller import Caller
from benchmarks.records.digest import json_digest
from benchmarks.records.home import AuditLine
from benchmarks.records.times import stamp

REFUSALS = (Forbidden, PostureTooLow, ApprovalRequired)


@dataclass(frozen=True, slots=True)
class Deed:
    """One call of a service through a door, as the ledger keeps it."""

    caller: Caller
    service: str
    arguments: Mapping[str, Any]
    """Of these only the digest is kept."""
    now: datetime
    slug: str | None = None
    """None: the argument `slug`, where it is a text."""

    def record(self, home: Home, *, code: str = "ok", ref: str | None = None) -> None:
        """Append the line of the call."""
        said = self.arguments.get("slug")
        home.append_audit(
            AuditLine(
                at=stamp(self.now),
                door=self.caller.door,
                actor=self.caller.actor,
                service=self.service,
                slug=self.slug or (said if isinstance(said, str) else None),
                arguments_sha256=json_digest(dict(self.arguments)),
                code=code,
                ref=ref,
            )
        )

    def refused(self, home: Home, error: UnderstudyError) -> None:
        """Append the line of a refusal by permission, approval or posture; others have none."""
        if isinstance(error, REFUSALS):
            self.record(home, code=error.code)
