"""The page of one task: what it asks, what was decided, and all that a decision rests on."""

from collections.abc import Mapping
from functools import cached_property
from shlex import quote
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponseBase

from benchmarks.admin.acting import Action, Done
from benchmarks.admin.base import LabPage, TextPage
from benchmarks.admin.working import job_done, run_job
from benchmarks.artifacts.roots import Located
from benchmarks.doors.audit import Deed
from benchmarks.doors.redacting import redacted
from benchmarks.errors import InvalidArguments, StalePrecondition
from benchmarks.records.pieces import at_pointer
from benchmarks.records.task import Task
from benchmarks.records.vocabulary import Decision, Split, Stage
from benchmarks.versioning.hashing import task_digest
from reviews.admin.addresses import encoded, inbox_path, named_task, page_path, task_path, text_path
from reviews.admin.conversation_view import conversation_view
from reviews.admin.inbox_filter import InboxFilter
from reviews.admin.inbox_question import question_of, standings_by_slug
from reviews.admin.layout import shown_value
from reviews.admin.scores_view import LEGEND, arm_rows
from reviews.admin.task_view import (
    GOLD,
    SHOWN_PARTS,
    contract_view,
    doubts_of,
    effects_of,
    feedback_of,
    fixtures_of,
    flags_of,
    gold_of,
    history_of,
    statement_of,
    worries_of,
)
from reviews.admin.verifier_view import verifier_view
from reviews.models import TaskStandingEntry
from reviews.selectors import beside
from reviews.services.holdout import notices_of
from reviews.services.noting import REASONS, raise_flag, resolve_note, submit_feedback
from reviews.services.reading_task import PARTS, read_task
from reviews.services.recording import Choice, submit_reviews

GOLD_ASKED = "gold"
OWN_TEXTS = frozenset({"prompt", "outcome_contract"})
"""What stands in every document of a task, whatever was asked for."""
OWN_SHOWN, SHARED_SHOWN = 50, 20
"""Recorded answers on the page; all of them stand in its plain text."""
TURN, STOOD = "turn", "stood"
RANK_DIGITS = 18
"""As many digits as every database holds in an integer."""


class OfTask(LabPage):
    """Any page of one task."""

    service = "read_task"

    @cached_property
    def task_id(self) -> str:
        """The task that the address names."""
        return named_task(self.kwargs, self.request.GET)

    @cached_property
    def located(self) -> Located:
        """Its benchmark."""
        return self.call.locate(str(self.kwargs["slug"]))

    def read(self, parts: frozenset[str]) -> dict[str, Any]:
        """The task's document with these parts, secrets out; a look at the gold is recorded."""
        document = read_task(located=self.located, task_id=self.task_id, include=parts)
        if GOLD in parts:
            asked = {"slug": self.located.slug, "task_id": self.task_id, "include": [GOLD]}
            look = Deed(self.call.caller, "read_task.gold", asked, self.now)
            look.record(self.home, ref=self.task_id)
        return redacted(document)

    def text_at(self, pointer: str) -> str:
        """The plain-text page of what stands at a pointer of the document."""
        return text_path(self.located.slug, self.task_id, pointer)


def review(page: "TaskPage") -> Done:
    """One decision on the task, when it is still what the person was shown.

    The page afterwards remembers where the task stood in the inbox, so that "next" goes on there
    and not behind all that was decided before.
    """
    form = page.request.POST
    stood = page.rank()
    document = submit_reviews(
        choices=[Choice(page.located, page.task_id, form.get("digest") or None)],
        decision=form.get("decision", ""),
        note=form.get("note", "").strip(),
        caller=page.call.caller,
        now=page.now,
    )
    if document["changed"]:
        raise StalePrecondition(
            "the task was changed after this page was drawn: nothing was recorded",
            hint="look at it again, then decide",
        )
    others = "".join(f" {before_words(line)}" for line in document["before"])
    return Done(
        document,
        say=f"Recorded: {form['decision'].replace('_', ' ')}.{others}",
        to=page.again(**{STOOD: stood}) if stood else page.here,
        slug=page.located.slug,
        ref=page.task_id,
    )


def before_words(line: Mapping[str, Any]) -> str:
    """Who else had decided on the task, and what."""
    who = line.get("actor") or "somebody"
    said = str(line["decision"]).replace("_", " ")
    return f"Before, {who} had decided {said}: both lines are kept, the newest counts."


def feedback(page: "TaskPage") -> Done:
    """What is wrong with the task; the hand-off stands on the page afterwards."""
    document = submit_feedback(
        located=page.located,
        task_id=page.task_id,
        feedback=page.request.POST.get("feedback", ""),
        caller=page.call.caller,
        now=page.now,
    )
    ref = document["feedback"]["feedback_id"]
    say = "Feedback recorded. The hand-off for a coding agent stands under Feedback."
    return Done(document, say=say, to=f"{page.here}#feedback", slug=page.located.slug, ref=ref)


def flag(page: "TaskPage") -> Done:
    """A published doubt about the task."""
    document = raise_flag(
        located=page.located,
        task_id=page.task_id,
        reason=page.request.POST.get("reason", ""),
        note=page.request.POST.get("note", "").strip() or None,
        caller=page.call.caller,
        now=page.now,
    )
    say = "Flag raised: the task's rows are out of the headlines until it is resolved."
    return Done(document, say=say, slug=page.located.slug, ref=document["flag"]["flag_id"])


def resolve(page: "TaskPage") -> Done:
    """Close a flag or a piece of feedback."""
    ref = page.request.POST.get("ref", "")
    document = resolve_note(
        located=page.located,
        ref=ref,
        note=page.request.POST.get("note", "").strip() or None,
        caller=page.call.caller,
        now=page.now,
    )
    return Done(document, say=f"Closed: {ref}.", slug=page.located.slug, ref=ref)


def verify(page: "TaskPage") -> Done:
    """Put the verifier of the task to the test."""
    document = run_job(page, "verify_tasks", {"slug": page.located.slug, "tasks": [page.task_id]})
    return job_done(
        document,
        say=lambda: f"The verifier is {document['tasks'][0]['verdict']}.",
        to=f"{page.here}#verifier",
        slug=page.located.slug,
        ref=page.task_id,
    )


class TaskPage(OfTask):
    """One task, in the order in which a reviewer judges it."""

    path, name = "tasks/<str:slug>/<path:task_id>/", "task"
    template = "reviews/task.html"
    actions: ClassVar[Mapping[str, Action]] = {
        "review": Action("submit_review", review),
        "verify": Action("verify_tasks", verify),
        "feedback": Action("submit_feedback", feedback),
        "flag": Action("raise_flag", flag),
        "resolve_flag": Action("resolve_flag", resolve),
        "resolve_feedback": Action("resolve_feedback", resolve),
    }

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The page; the gold is on it only when it was asked for."""
        self.catch_up(self.located)
        asked = request.GET.get(GOLD_ASKED) == "shown"
        document = self.read(SHOWN_PARTS | {GOLD} if asked else SHOWN_PARTS)
        return self.render({
            "task": document,
            "category": (document["category"] or {}).get("name") or document["category_id"],
            "commands": self._commands(),
            "inbox_path": inbox_path(self.asked.query()),
            "benchmark_path": page_path("benchmark", slug=self.located.slug),
            "located": self.located,
            "is_proposed": document["stage"] == Stage.PROPOSED.value,
            "is_promoted": document["stage"] == Stage.PROMOTED.value,
            "decisions": [each.value for each in Decision],
            "digest": self._digest(),
            "notices": self._notices(document),
            **self._neighbours(),
            **self._judged(document),
            **self._conversation(document),
            **self._world(document, asked=asked),
            **self._noted(document),
        })

    @cached_property
    def asked(self) -> InboxFilter:
        """The inbox from which the person came."""
        return InboxFilter.of(self.request.GET)

    @cached_property
    def standing(self) -> TaskStandingEntry | None:
        """The task as the inbox has it; None before it is mirrored."""
        found = TaskStandingEntry.objects.filter(benchmark__slug=self.located.slug)
        return found.filter(task_id=self.task_id).first()

    def rank(self) -> str:
        """Where the task stands in the inbox: where it stood before it was decided on here."""
        stood = self.request.GET.get(STOOD, "")
        if stood.isdecimal():
            return stood[:RANK_DIGITS]
        return str(self.standing.inbox_rank) if self.standing is not None else ""

    def _neighbours(self) -> dict[str, str]:
        """The tasks before and behind this one in the inbox that the person came from."""
        if self.standing is None:
            return {}
        self.standing.inbox_rank = int(self.rank())
        found = beside(self.standing, question_of(self.asked, standings_by_slug()))
        names = ("previous_path", "next_path")
        return {
            name: task_path(entry.benchmark.slug, entry.task_id, self.asked.query())
            for name, entry in zip(names, found, strict=True)
            if entry is not None
        }

    def _digest(self) -> str:
        """The digest of what is shown here; a listed task without a line has none."""
        task: Task | None = self.located.directory.tasks().get(self.task_id)
        return task_digest(task) if task is not None else ""

    def _judged(self, document: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "statement": statement_of(document, self.text_at),
            "doubts": doubts_of(document),
            "history": history_of(document),
            "contract": contract_view(document),
            "contract_json": shown_value(document["outcome_contract"]),
            "contract_rest": self.text_at("/outcome_contract"),
            "verifier": verifier_view(document),
            "arms": arm_rows(document["arms"], self._rollout),
            "score_legend": LEGEND,
        }

    def _conversation(self, document: Mapping[str, Any]) -> dict[str, Any]:
        recording = document["recording"]
        start = self.request.GET.get(TURN, "0")
        place = int(start) if start.isdecimal() else 0
        effects = effects_of(document)
        view = conversation_view(recording, effects, self.text_at, place) if recording else None
        shown = document["conversation"] or {}
        return {
            "recording": view,
            "earlier_path": self._turned(view.earlier) if view and view.earlier >= 0 else "",
            "later_path": self._turned(view.later) if view and view.later else "",
            "seen": shown,
            "system_rest": self.text_at("/conversation/system_prompt"),
            "effects": effects,
        }

    def _world(self, document: Mapping[str, Any], *, asked: bool) -> dict[str, Any]:
        gold = document.get(GOLD) or {}
        fixtures = fixtures_of(document, self.text_at)
        own = [row for row in fixtures if not row.shared]
        shared = fixtures[len(own) :]
        cluster = document["lineage"]["cluster"] or {}
        return {
            "world": document["surroundings"],
            "lineage": document["lineage"],
            "kin": [
                {**kin, "path": task_path(self.located.slug, kin["task_id"])}
                for kin in cluster.get("tasks", ())
            ],
            "own_fixtures": own[:OWN_SHOWN],
            "own_total": len(own),
            "shared_fixtures": shared[:SHARED_SHOWN],
            "shared_total": len(shared),
            "fixtures_rest": self.text_at("/fixtures"),
            "gold_asked": asked,
            "gold_calls": gold_of(document, self.text_at)[:OWN_SHOWN] if asked else (),
            "gold_all": self.text_at("/gold"),
            "gold_answer": gold.get("final_response"),
            "gold_rest": self.text_at("/gold/final_response"),
            "gold_path": f"{self.again(**{GOLD_ASKED: 'shown'})}#gold",
        }

    def _noted(self, document: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "feedback": feedback_of(document),
            "flags": flags_of(document),
            "reasons": REASONS,
            "handoff": document["handoff"],
        }

    def _notices(self, document: Mapping[str, Any]) -> list[str]:
        """What was taken out, and the holdout's looks where figures of a holdout task are shown."""
        said = [str(warning) for warning in document.get("warnings") or ()]
        said += worries_of(document)
        if document["arms"] and document["split"] == Split.HOLDOUT.value:
            task = self.located.directory.tasks().get(self.task_id)
            said += [notice.text for notice in notices_of(self.located.directory, [task])]
        return said

    def _commands(self) -> dict[str, str]:
        """What does the same in a shell, ready to paste."""
        slug, task = quote(self.located.slug), quote(self.task_id)
        return {
            "review": f"understudy reviews submit {slug} {task} accept",
            "flag": f"understudy reviews flag {slug} {task} --reason ambiguous",
            "feedback": f"understudy reviews feedback {slug} {task} 'what is wrong'",
            "verify": f"understudy benchmarks verify {slug} --task {task}",
            "regenerate": f"understudy traces regenerate-env --benchmark {slug}",
            "queue": f"understudy runs queue {slug} --tasks {task} --trivial-arms null_agent",
        }

    def _rollout(self, where: Mapping[str, str]) -> str:
        path = page_path("rollout")
        return (
            f"{path}?{encoded(task=self.task_id, slug=self.located.slug, **where)}" if path else ""
        )

    def _turned(self, start: int) -> str:
        return f"{self.again(**{TURN: str(start)})}#conversation"

    def again(self, **changes: str) -> str:
        """This page, asked for with one thing changed."""
        query = self.request.GET.copy()
        query.pop("task", None)
        for name, value in changes.items():
            query[name] = value
        return task_path(self.located.slug, self.task_id, query.urlencode())


class TaskOfPage(TaskPage):
    """The page of a task whose id no path can hold: `?task=` names it."""

    path, name = "tasks/<str:slug>/", "task-of"


class TaskTextPage(OfTask, TextPage):
    """One text of a task whole: `?field=` is its JSON pointer in the document of `read_task`."""

    path, name = "task-text/<str:slug>/<path:task_id>/", "task-text"

    def text(self) -> str:
        """The text, or the laid-out JSON, at the pointer."""
        field = self.request.GET.get("field", "")
        part = field.split("/")[1] if field.startswith("/") else ""
        if part not in PARTS and part not in OWN_TEXTS:
            raise InvalidArguments(
                f"field {field!r} names no text of a task",
                hint=f"it begins with one of {', '.join(f'/{name}' for name in PARTS)}",
            )
        document = self.read(frozenset({part} & set(PARTS)))
        return _whole(at_pointer(document, field))


class TaskTextOfPage(TaskTextPage):
    """The same for an id that no path can hold."""

    path, name = "task-text/<str:slug>/", "task-text-of"


def _whole(value: Any) -> str:
    """What a person reads of a part: its own words, not how they are kept."""
    if isinstance(value, dict):
        for name in ("text", "arguments_raw"):
            if isinstance(value.get(name), str):
                return str(value[name])
        if isinstance(value.get("parts"), list):
            return "\n".join(_whole(piece) for piece in value["parts"])
        if "arguments" in value and "name" in value:
            return shown_value(value["arguments"])
    return value if isinstance(value, str) else shown_value(value)
