"""The buttons of the benchmark page: each reads its form and calls one service."""

from django.http import QueryDict
from django.urls import reverse

from benchmarks.admin.acting import Done, exact
from benchmarks.admin.base import LabPage
from benchmarks.admin.working import job_done, run_job
from benchmarks.artifacts.roots import Located
from benchmarks.doors.identity import lacking
from benchmarks.doors.permissions import Permission
from benchmarks.errors import InvalidArguments
from benchmarks.records.base import JsonObject
from reviews.services.noting import raise_flag, resolve_note
from reviews.services.policing import set_policy


def promote_it(page: LabPage) -> Done:
    """Promote the accepted tasks; an override needs an admin and a reason."""
    located, form = located_of(page), page.request.POST
    arguments: JsonObject = {"slug": located.slug}
    for name in ("override_rigor", "waive_dag"):
        if reason := form.get(name, "").strip():
            if not may_override(page):
                raise lacking(page.identity, Permission.ADMIN, name)
            arguments[name] = reason
    document = run_job(page, "promote_benchmark", arguments)
    said = f"{located.slug} is promoted as version {document.get('version')}."
    return done(page, document, said, "rigor")


def may_override(page: LabPage) -> bool:
    """Whether the person may promote over a failing gate."""
    return page.identity.may(Permission.ADMIN)


def set_an_effect(page: LabPage) -> Done:
    """Say whether a tool reads or writes; the environment is made again with that word."""
    located, form = located_of(page), page.request.POST
    tool, effect = exact(form, "tool"), form.get("effect", "")
    document = run_job(
        page, "regenerate_env", {"slug": located.slug, "tool_policy": {tool: effect}}
    )
    return done(page, document, f"{tool} is {effect}; the environment was made again.", "tools")


def verify(page: LabPage) -> Done:
    """Put every verifier to the test."""
    document = run_job(page, "verify_tasks", {"slug": located_of(page).slug})
    found: JsonObject = document.get("totals", {})
    said = ", ".join(f"{count} {word}" for word, count in found.items())
    return done(page, document, f"The verifiers are tested: {said}.", "verifiers")


def set_the_policy(page: LabPage) -> Done:
    """Set the bars of review."""
    form = page.request.POST
    document = set_policy(
        located=located_of(page),
        default_decision=form.get("default_decision") or None,
        min_confidence=form.get("min_confidence") or None,
        require_incumbent_pass=_yes_or_no(form, "require_incumbent_pass"),
        min_fidelity=_number(form, "min_fidelity"),
        min_mutation_score=_number(form, "min_mutation_score"),
        caller=page.call.caller,
        now=page.now,
    )
    return done(page, document, "The review policy is set.", "policy")


def raise_a_flag(page: LabPage) -> Done:
    """Publish a doubt about one task, or about the whole benchmark."""
    form = page.request.POST
    document = raise_flag(
        located=located_of(page),
        task_id=form.get("task_id", "").strip() or None,
        reason=form.get("reason", ""),
        note=form.get("note", "").strip() or None,
        caller=page.call.caller,
        now=page.now,
    )
    return done(page, document, "The flag is up: its rows leave the headlines.", "notes")


def resolve(page: LabPage) -> Done:
    """Close a flag or a piece of feedback."""
    form = page.request.POST
    ref = exact(form, "ref")
    document = resolve_note(
        located=located_of(page),
        ref=ref,
        note=form.get("note", "").strip() or None,
        caller=page.call.caller,
        now=page.now,
    )
    return done(page, document, f"{ref} is closed.", "notes", ref=ref)


def done(
    page: LabPage, document: JsonObject, said: str, section: str, *, ref: str | None = None
) -> Done:
    """What the person is told, and the section that they are sent back to."""
    located = located_of(page)
    to = f"{reverse('admin:benchmark', args=[located.slug])}#{section}"
    return job_done(document, say=lambda: said, to=to, slug=located.slug, ref=ref)


def located_of(page: LabPage) -> Located:
    """The benchmark that the page is about."""
    return page.call.locate(str(page.kwargs["slug"]))


def _yes_or_no(form: QueryDict, name: str) -> bool | None:
    said = form.get(name, "")
    return {"yes": True, "no": False}.get(said)


def _number(form: QueryDict, name: str) -> float | None:
    said = form.get(name, "").strip()
    if not said:
        return None
    try:
        return float(said)
    except ValueError:
        raise InvalidArguments(f"{name} {said!r} is no number") from None
