"""The inbox: what waits for a decision, decided one by one or many at a time."""

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponseBase

from benchmarks.admin.acting import Action, Done
from benchmarks.admin.base import AFTER_WRITE_S, LabPage, May
from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.doors.cursors import Cursors
from benchmarks.errors import InvalidArguments
from benchmarks.mirror.syncing import catch_up
from benchmarks.models.keyset import Key
from benchmarks.records.vocabulary import Stage
from benchmarks.records.wording import many
from reviews.admin.addresses import inbox_path, page_path, task_path
from reviews.admin.inbox_filter import PENDING, YES, InboxFilter
from reviews.admin.inbox_question import (
    category_names,
    flag_counts,
    offered,
    question_of,
    standings_by_slug,
)
from reviews.admin.inbox_view import (
    Named,
    Picked,
    chips_of,
    picked_from,
    rows_of,
    told_apart,
)
from reviews.models import BenchmarkStandingEntry
from reviews.selectors import InboxQuestion, inbox, inbox_count, inbox_matches
from reviews.services.accepting import apply_auto_accepts
from reviews.services.recording import MOST_TASKS, Choice, submit_reviews

ROWS_A_PAGE = 50
SESSION = "inbox_result"
MOST_BEFORE = 20
FIRST_GROUPS = 2
BUILD = "understudy traces build-benchmark --source CAPTURES --slug NAME"
"""Flags and decisions are always in sight; what else narrows the list opens on request."""
ALL, CURSOR = "all", "cursor"


def review(page: "InboxPage") -> Done:
    """One decision, on one row or on all that were chosen: one call."""
    decision, picks = page.chosen()
    located = {pick.slug: page.call.locate(pick.slug) for pick in picks}
    document = submit_reviews(
        choices=[Choice(located[each.slug], each.task_id, each.digest or None) for each in picks],
        decision=decision,
        note=page.request.POST.get("note", "").strip(),
        caller=page.call.caller,
        now=page.now,
    )
    page.request.session[SESSION] = {
        "decision": decision,
        "at": document["reviews"][0]["created_at"] if document["reviews"] else "",
        "by": document["actor"],
        "count": len(document["reviews"]),
        "changed": [[each["slug"], each["task_id"]] for each in document["changed"]],
        "before": [
            {key: line.get(key) for key in ("slug", "task_id", "actor", "decision", "created_at")}
            for line in document["before"]
        ],
    }
    if len(located) > 1:
        for each in located.values():
            catch_up(each, budget_s=AFTER_WRITE_S)
    return Done(
        document,
        say=_said(decision, len(document["reviews"]), len(document["changed"])),
        slug=picks[0].slug if len(located) == 1 else None,
        ref=picks[0].task_id if len(picks) == 1 else None,
    )


def _said(decision: str, decided: int, changed: int) -> str:
    words = decision.replace("_", " ")
    say = f"Recorded for {many(decided, 'task')}: {words}." if decided else "Nothing was recorded."
    left = f" {many(changed, 'task')} changed meanwhile and left out." if changed else ""
    return say + left


def accept_clean(page: "InboxPage") -> Done:
    """Accept each undecided task without a doubt."""
    located = page.call.locate(page.request.POST.get("slug", ""))
    document = apply_auto_accepts(located=located, caller=page.call.caller, now=page.now)
    flags = ", ".join(f"{count} {flag}" for flag, count in document["exceptions_by_flag"].items())
    left = f" Left for a person: {document['exceptions']}" + (f" ({flags})." if flags else ".")
    say = f"Accepted {many(document['applied_count'], 'clean task')}.{left}"
    return Done(document, say=document.get("why") or say, slug=located.slug)


class InboxPage(LabPage):
    """Tasks of one benchmark, or of every proposed one."""

    path, name, nav = "inbox/", "inbox", "Inbox"
    service, template = "list_tasks", "reviews/inbox.html"
    actions: ClassVar[Mapping[str, Action]] = {
        "review": Action("submit_review", review),
        "accept_clean": Action("apply_auto_accepts", accept_clean),
    }

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """50 tasks, those that need somebody first."""
        self.catch_up(self.located)
        window = inbox(self.question, limit=ROWS_A_PAGE, after=self._after())
        total = inbox_count(self.question, most=MOST_TASKS)
        picks = self._picks(total)
        result = request.session.pop(SESSION, None)
        changed = frozenset(map(tuple, result["changed"])) if result else frozenset()
        open_to = offered(self.asked, self.benchmarks)
        names = category_names([self.asked.slug] if self.asked.slug else open_to)
        rows = rows_of(window.entries, self.asked, categories=names, just_changed=changed)
        drawn = {row.pick for row in rows}
        return self.render({
            "asked": self.asked,
            "rows": rows,
            **self._chips(names, open_to),
            "result": self._result(result),
            "total": total,
            "too_many": total > MOST_TASKS,
            "matching": many(total, "task") if total <= MOST_TASKS else f"more than {MOST_TASKS}",
            "any_open": any(row.can_decide for row in rows),
            "beyond": [pick for pick in picks if pick not in drawn],
            "all_chosen": len(picks),
            "empty": self._empty(),
            "accept_clean": self._accepts_clean(),
            **self._paths(window.next, total, len(rows)),
        })

    @cached_property
    def asked(self) -> InboxFilter:
        """What the address asks for."""
        return InboxFilter.of(self.request.GET)

    @cached_property
    def located(self) -> Located | None:
        """The benchmark that is asked about; None asks about all."""
        return self.call.locate(self.asked.slug) if self.asked.slug else None

    @cached_property
    def benchmarks(self) -> dict[str, BenchmarkStandingEntry]:
        """How every benchmark stands, by slug."""
        return standings_by_slug()

    @cached_property
    def question(self) -> InboxQuestion:
        """What the address asks, as the selector takes it."""
        return question_of(self.asked, self.benchmarks)

    def chosen(self) -> tuple[str, list[Picked]]:
        """The decision of the button that was pressed, and the tasks it is about.

        A row's own button is about that row alone, whatever else is chosen.
        """
        form = self.request.POST
        if one := form.get("one"):
            decision, _, value = one.partition(" ")
            return decision, [picked_from(value)]
        picks = [picked_from(value) for value in dict.fromkeys(form.getlist("task"))]
        if not picks:
            raise InvalidArguments("no task is chosen", hint="check some, or use a row's buttons")
        return form.get("decision", ""), picks

    def _after(self) -> Key | None:
        cursor = self.request.GET.get(CURSOR)
        return tuple(json.loads(self._cursors.read(cursor))) if cursor else None

    @cached_property
    def _cursors(self) -> Cursors:
        return Cursors(self.home.secret(), [self.name, self.asked.query()])

    def _picks(self, total: int) -> list[Picked]:
        """All that match, when the address chooses them all and they are not too many."""
        if not self.request.GET.get(ALL) or total > MOST_TASKS:
            return []
        found = inbox_matches(self.question, most=MOST_TASKS)
        return [Picked(each.benchmark.slug, each.task_id, each.digest) for each in found]

    def _chips(
        self,
        names: Mapping[tuple[str, str], str],
        open_to: Mapping[str, BenchmarkStandingEntry],
    ) -> dict[str, Any]:
        groups = chips_of(
            self.asked,
            flag_counts=flag_counts(self.asked, self.benchmarks),
            categories=told_apart({key: name for (_, key), name in names.items()}),
            benchmarks=[Named(slug, each.benchmark.name) for slug, each in open_to.items()],
        )
        more = groups[FIRST_GROUPS:]
        is_asked = any(chip.current for group in more[:-1] for chip in group.chips)
        return {"first_groups": groups[:FIRST_GROUPS], "more_groups": more, "more_open": is_asked}

    def _accepts_clean(self) -> bool:
        """Whether the benchmark has tasks that its policy would accept when asked."""
        if self.located is None or self.located.read_only:
            return False
        standing = self.benchmarks.get(self.asked.slug)
        is_open = standing is not None and standing.stage == Stage.PROPOSED.value
        if not is_open or not May(self.identity)["apply_auto_accepts"]:
            return False
        policy = self.located.directory.load(layout.REVIEW_POLICY)
        return policy is not None and policy.default_decision == PENDING

    def _result(self, result: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """What the call before this page did, with links to what it was about."""
        if result is None:
            return None
        just = InboxFilter(slug=self.asked.slug, at=result["at"], by=result["by"])
        return {
            **result,
            "path": inbox_path(just.query()),
            "changed": [
                {"task_id": task_id, "path": task_path(slug, task_id)}
                for slug, task_id in result["changed"]
            ],
            "before": [
                {**line, "path": task_path(line["slug"], line["task_id"])}
                for line in result["before"][:MOST_BEFORE]
            ],
            "more_before": max(0, len(result["before"]) - MOST_BEFORE),
        }

    def _empty(self) -> dict[str, str]:
        """Why nothing is here, and what would make something appear."""
        if self.asked.asks:
            return {
                "say": "No task matches this filter.",
                "path": inbox_path(self.asked.cleared().query()),
                "word": "Show all tasks",
            }
        slug = self.asked.slug
        if slug:
            return {
                "say": "The tasks of the benchmark would be here; it has none yet.",
                "command": BUILD,
            }
        return {
            "say": "Tasks of proposed benchmarks would be here; there is none yet.",
            "command": BUILD,
        }

    def _paths(self, following: Key | None, total: int, drawn: int) -> dict[str, Any]:
        """Where to go from here."""
        cursor = self._cursors.write(json.dumps(following).encode()) if following else ""
        is_all = bool(self.request.GET.get(ALL))
        more = drawn < total <= MOST_TASKS and not is_all
        return {
            "inbox": inbox_path(),
            "kept": [(name, value) for name, value in self.asked.said() if name != "q"],
            "clear_path": inbox_path(self.asked.cleared().query()),
            "next_path": inbox_path(self.asked.query(cursor=cursor)) if cursor else "",
            "first_path": inbox_path(self.asked.query()) if self.request.GET.get(CURSOR) else "",
            "choose_all_path": inbox_path(self.asked.query(all=YES)) if more else "",
            "one_page_path": inbox_path(self.asked.query()),
            "benchmark_path": page_path("benchmark", slug=self.asked.slug),
        }
