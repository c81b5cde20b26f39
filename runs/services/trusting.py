"""The trust posture of this machine: what it is, and changing it in the shell."""

import math
from collections.abc import Collection
from datetime import datetime

from benchmarks.artifacts import document
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.precondition import need_unchanged
from benchmarks.errors import Complaint, Forbidden, InvalidArguments, Unreadable
from benchmarks.records.base import JsonObject
from benchmarks.records.caller import Caller
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import TrustLevel, known
from runs.trust.posture import LEVELS, Change, Posture, changed, read_posture


def posture_of(home: Home) -> Posture:
    """The posture in force; a file that is damaged or missing is the local sandbox."""
    return read_posture(_value(home))


def show_trust(*, home: Home) -> JsonObject:
    """The file, what stands in it, and what that resolves to."""
    value = _value(home)
    return {
        "file": str(home.trust_file),
        "posture": value if isinstance(value, dict) else None,
        "resolved": read_posture(value).document(),
    }


def set_trust(
    *,
    home: Home,
    level: str,
    spend_stop_loss: float | None = None,
    clear_spend_stop_loss: bool = False,
    provider_upload: bool | None = None,
    traffic_changes: bool | None = None,
    may_raise: bool = True,
    if_digests: Collection[str] | None = None,
    caller: Caller,
    now: datetime,
) -> JsonObject:
    """Set the level and some overrides; the rest of the file stays.

    Without `may_raise` it may only allow less than before.

    Raises:
        Forbidden: it would allow more, and the caller may not raise it.
        StalePrecondition: the posture is not any more the one that was read.
        InvalidArguments: the level is not one, or the stop-loss is no sum of money.
    """
    word = known(TrustLevel, level)
    found = []
    if word is None:
        found.append(Complaint("level", level, f"one of {', '.join(LEVELS)}"))
    if spend_stop_loss is not None and not (math.isfinite(spend_stop_loss) and spend_stop_loss > 0):
        found.append(Complaint("spend_stop_loss", spend_stop_loss, "US dollars over 0"))
    if found or word is None:
        text = "; ".join(f"{each.path} {each.value!r}: {each.message}" for each in found)
        raise InvalidArguments(text, hint="understudy trust set LEVEL", errors=found)
    change = Change(
        word,
        stop_loss_usd=spend_stop_loss,
        clear_stop_loss=clear_spend_stop_loss,
        provider_upload=provider_upload,
        traffic_changes=traffic_changes,
    )
    home.ensure()
    with home.guard():
        need_unchanged(show_trust(home=home), if_digests)
        after = changed(_value(home), change, set_at=stamp(now), actor=caller.block())
        if not may_raise:
            _need_no_more(read_posture(after.dump()), posture_of(home))
        document.replace(home.trust_file, after.dump())
    return {"ok": True, "actor": caller.actor, "door": caller.door, **show_trust(home=home)}


def _need_no_more(after: Posture, before: Posture) -> None:
    if after.allows_more_than(before):
        raise Forbidden(
            "allowing more than before needs the permission 'admin'",
            hint="ask an admin, or raise it in the shell: understudy trust set LEVEL",
            details={"permission": "admin"},
        )


def _value(home: Home) -> object:
    try:
        return document.read_value(home.trust_file)
    except Unreadable:
        return None
