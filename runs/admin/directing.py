"""The cards of a benchmark page: propose them, pick one, say how dependencies are played."""

from typing import Any

from benchmarks.admin.acting import Done, exact
from benchmarks.admin.base import LabPage
from benchmarks.admin.working import run_job
from benchmarks.artifacts.roots import Located
from benchmarks.doors.identity import lacking
from benchmarks.doors.permissions import Permission
from benchmarks.records.base import JsonObject
from benchmarks.services.answering import LIVE, POSTURES, Answer
from benchmarks.services.directing import propose_directions, read_directions
from runs.admin.benchmark_buttons import done, located_of

SECTION = "directions"


def cards_shown(located: Located) -> dict[str, Any]:
    """What the section shows: cards, the pick, and how each dependency is played."""
    found = read_directions(located=located)
    picked = found["picked"] or {}
    return {
        "cards": [
            {**card, "is_picked": card["direction_id"] == picked.get("direction_id")}
            for card in found["directions"]
        ],
        "picked": found["picked"],
        "dependencies": found["dependencies"],
        "cards_note": found["note"],
        "postures": POSTURES,
    }


def propose(page: LabPage) -> Done:
    """Propose the cards again, from the captures that are there."""
    document = run_job(page, "propose_directions", {"slug": located_of(page).slug})
    count = len(document.get("directions", ()))
    return done(page, document, f"Proposed: {count} to pick from.", SECTION)


def pick(page: LabPage) -> Done:
    """Pick a card."""
    form = page.request.POST
    chosen, note = exact(form, "direction_id"), form.get("note", "").strip() or None
    document = _answered(page, Answer(pick=chosen, note=note))
    return done(page, document, f"Picked: {chosen}.", SECTION)


def set_posture(page: LabPage) -> Done:
    """Say how one dependency is played; a live one needs an admin and a ticked box."""
    form = page.request.POST
    name, posture = exact(form, "dependency"), form.get("posture", "")
    if posture == LIVE and not page.identity.may(Permission.ADMIN):
        raise lacking(page.identity, Permission.ADMIN, "approve_live_posture")
    endpoint = form.get("endpoint", "").strip()
    answer = Answer(
        postures={name: posture},
        endpoints={name: endpoint} if endpoint and posture == LIVE else {},
        note=form.get("note", "").strip() or None,
        confirm=form.get("confirm") == "yes",
    )
    document = _answered(page, answer)
    return done(page, document, f"{name} is played {posture}.", SECTION)


def _answered(page: LabPage, answer: Answer) -> JsonObject:
    located = located_of(page)
    return propose_directions(
        directory=located.directory,
        slug=located.slug,
        answer=answer,
        home=page.call.home,
        caller=page.call.caller,
        now=page.now,
    )
