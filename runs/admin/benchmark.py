"""The benchmark page: how far along it is, what came of it, and every button of its owner."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from shlex import quote
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlencode

from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.urls import reverse

from benchmarks.admin.acting import Action
from benchmarks.admin.base import LabPage
from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.errors import NotMeasured, UnknownBenchmark
from benchmarks.models import BenchmarkEntry, VersionEntry
from benchmarks.records.base import JsonObject
from benchmarks.records.vocabulary import Effect, Mark, Split, Stage
from reviews.admin.addresses import inbox_path, task_path
from reviews.models import FeedbackEntry, FlagEntry, TaskStandingEntry
from reviews.services.assessing import read_rigor_report
from reviews.services.dossier import dossier_of
from reviews.services.noting import REASONS
from reviews.services.policing import WORDS
from runs.admin import benchmark_buttons as buttons
from runs.admin import directing
from runs.admin.authoring import AuthoringForm
from runs.admin.gate import run_gate
from runs.admin.kept import Kept, kept
from runs.admin.listing import present
from runs.admin.queueing import QueueForm
from runs.admin.regrading import standing_stale
from runs.admin.runs import run_lines
from runs.admin.verifiers import verifiers_shown
from runs.selectors import RequestQuestion, list_requests
from runs.services.leaderboards import read_leaderboard
from runs.status.strip import Ground, strip

ALL = "all"
SPLITS = (ALL, *(split.value for split in Split if split is not Split.NONE))
SHOWN_RUNS, SHOWN_VERSIONS, SHOWN_NOTES = 10, 20, 50
SHOWN_TASKS = 12
YES = "1"
PLACES = {Mark.FLAG.value: 1, Mark.UNKNOWN.value: 2, Mark.PASS.value: 3}
FIRST: Mapping[str, str] = {
    "calibrate": "understudy runs queue --benchmark {slug} --models INC --incumbent INC"
    " --trivial-arms null_agent,spam_agent",
    "run": "understudy runs queue --benchmark {slug} --models MODEL --split dev",
    "promote": "understudy traces promote --benchmark {slug}",
    "rigor": "understudy benchmarks rigor {slug}",
    "verify": "understudy benchmarks verify {slug}",
    "tool": "understudy traces regenerate-env --benchmark {slug} --tool NAME=write",
    "flag": "understudy reviews flag {slug} {task} --reason other",
    "feedback": "understudy reviews feedback {slug} {task} 'what is wrong'",
    "sync": "understudy benchmarks sync {slug}",
    "directions": "understudy traces directions {slug}",
}
"""What makes the first entry of each section that is still empty."""
EFFECTS = tuple(effect.value for effect in Effect)
N = TypeVar("N", FlagEntry, FeedbackEntry)


class OfBenchmark(LabPage):
    """Any page of one benchmark."""

    service = "read_benchmark"

    @cached_property
    def located(self) -> Located:
        """The benchmark that the path names."""
        return self.call.locate(str(self.kwargs["slug"]))

    @cached_property
    def entry(self) -> BenchmarkEntry:
        """Its entry, with how it stands."""
        entry = present().filter(slug=self.located.slug).first()
        if entry is None:
            raise UnknownBenchmark(f"{self.located.slug} was not read yet", hint="sync it")
        return entry


class BenchmarkPage(OfBenchmark):
    """Everything about one benchmark that is no single task and no single run."""

    path, name = "benchmarks/benchmarkentry/<str:slug>/", "benchmark"
    template = "runs/benchmark.html"
    actions: ClassVar = {
        "gate": Action("read_rigor_report", run_gate),
        "promote": Action("promote_benchmark", buttons.promote_it),
        "verify": Action("verify_tasks", buttons.verify),
        "policy": Action("set_policy", buttons.set_the_policy),
        "flag": Action("raise_flag", buttons.raise_a_flag),
        "resolve_flag": Action("resolve_flag", buttons.resolve),
        "resolve_feedback": Action("resolve_feedback", buttons.resolve),
        "effect": Action("regenerate_env", buttons.set_an_effect),
        "propose": Action("propose_directions", directing.propose),
        "pick": Action("answer_directions", directing.pick),
        "posture": Action("answer_directions", directing.set_posture),
    }

    def get(self, request: HttpRequest, slug: str) -> HttpResponseBase:
        """The page."""
        self.catch_up(self.located)
        entry = self.entry
        standing = getattr(entry, "standing", None)
        status = getattr(entry, "status_entry", None)
        document: JsonObject = status.document if status else {}
        figures = self._board(document)
        board = figures.answer if figures else None
        return self.render({
            "slug": self.located.slug,
            "commands": commands_for(self.located.slug, self._first_task()),
            "entry": entry,
            "standing": standing,
            "status": document,
            "notices": board.get("notices", ()) if board else (),
            "warnings": [
                *document.get("warnings", ()),
                *document.get("benchmark", {}).get("errors", ()),
            ],
            "strip": self._strip(document, board),
            "floors": self._floors(document),
            "suspects": self._suspects(document),
            "untested": self._tasks(document.get("calibration", {}).get("untested_task_ids", [])),
            "board": board,
            "board_at": figures.at if figures and figures.revision != entry.revision else None,
            "splits": self._split_links(board),
            "toggles": self._toggles(),
            "versions": self._versions(),
            "stale_rows": standing_stale(document),
            **self._rigor(),
            "verifiers": self._verifiers(document),
            "is_proposal": entry.stage == Stage.PROPOSED,
            "is_promoted": entry.stage == Stage.PROMOTED,
            "may_override": buttons.may_override(self),
            "task_counts": list(self._task_counts()),
            "inbox_path": inbox_path(urlencode({"slug": self.located.slug})),
            **self._runs(),
            "form": QueueForm(QueryDict()),
            "authoring": AuthoringForm(QueryDict()),
            "tools": self._tools(),
            "effects": EFFECTS,
            **self._policy(document),
            **self._notes(),
            **self._directions(entry),
        })

    # What came of it

    def _board(self, document: JsonObject) -> Kept[JsonObject] | None:
        if not document or self.entry.stage not in {Stage.PROPOSED, Stage.PROMOTED}:
            return None
        asked = self.request.GET
        split = asked.get("split") if asked.get("split") in SPLITS else None
        stale, flagged = asked.get("stale") == YES, asked.get("flagged") == YES
        return kept(
            self.entry,
            "leaderboard",
            split,
            stale,
            flagged,
            answer=lambda: read_leaderboard(
                located=self.located, split=split, include_stale=stale, include_flagged=flagged
            ),
        )

    def _split_links(self, board: JsonObject | None) -> list[dict[str, Any]]:
        return [
            {
                "word": split,
                "current": board is not None and board["split"] == split,
                "path": self.with_query(split=split) + "#leaderboard",
            }
            for split in SPLITS
        ]

    def _toggles(self) -> list[dict[str, Any]]:
        return [
            {
                "word": f"{name} rows",
                "on": self.request.GET.get(name) == YES,
                "path": self.with_query(**{
                    name: None if self.request.GET.get(name) == YES else YES
                })
                + "#leaderboard",
            }
            for name in ("stale", "flagged")
        ]

    def _warnings(self, document: JsonObject) -> list[str]:
        return [*document.get("benchmark", {}).get("errors", ()), *document.get("warnings", ())]

    def _strip(self, document: JsonObject, board: JsonObject | None) -> list[JsonObject]:
        if not document:
            return []
        kinds = frozenset(kind for arm in (board or {}).get("arms", ()) for kind in arm["kinds"])
        dossier = dossier_of(self.located)
        asked = dossier.build is not None and dossier.build.pilot is not None
        return strip(Ground(document, kinds, dossier.pilot if asked else None))

    def _floors(self, document: JsonObject) -> list[dict[str, Any]]:
        found = document.get("calibration", {}).get("floors", ())
        return [
            {
                **floor,
                "is_ceiling": floor["name"].endswith("ceiling"),
                "passed_tasks": self._tasks(floor["passed_task_ids"]),
                "passed_count": len(floor["passed_task_ids"]),
            }
            for floor in found
        ]

    def _suspects(self, document: JsonObject) -> list[dict[str, str]]:
        suspects: Mapping[str, list[str]] = document.get("calibration", {}).get("suspects", {})
        return [
            {"id": task_id, "path": task_path(self.located.slug, task_id), "why": "; ".join(why)}
            for task_id, why in list(suspects.items())[:SHOWN_NOTES]
        ]

    def _tasks(self, task_ids: list[str]) -> list[dict[str, str]]:
        shown = task_ids[:SHOWN_TASKS]
        return [{"id": each, "path": task_path(self.located.slug, each)} for each in shown]

    def _versions(self) -> list[VersionEntry]:
        lines = VersionEntry.objects.filter(benchmark=self.entry).defer("raw")
        return list(lines.order_by("-moment", "-id")[:SHOWN_VERSIONS])

    def _rigor(self) -> dict[str, Any]:
        try:
            report = read_rigor_report(located=self.located, refresh=False, now=self.now)
        except NotMeasured:
            return {"rigor": None}
        items = [{**item, **_marked(item)} for item in report["items"]]
        items.sort(key=lambda item: item["place"])
        return {
            "rigor": report,
            "rigor_open": [item for item in items if item["status"] != Mark.PASS],
            "rigor_passed": [item for item in items if item["status"] == Mark.PASS],
        }

    def _verifiers(self, document: JsonObject) -> JsonObject | None:
        """How far each verifier can be trusted; None where there is no task."""
        if not document or self.entry.stage not in {Stage.PROPOSED, Stage.PROMOTED}:
            return None
        return kept(self.entry, "verifiers", answer=lambda: verifiers_shown(self.located)).answer

    # What it is made of

    def _task_counts(self) -> Iterator[dict[str, Any]]:
        tasks = TaskStandingEntry.objects.filter(benchmark=self.entry).order_by()
        for word, field in (("split", "split"), ("category", "category_id")):
            counted = tasks.values(field).annotate(count=Count("pk")).order_by("-count", field)
            rows = [self._counted(word, row[field], row["count"]) for row in counted[:SHOWN_NOTES]]
            yield {"word": word, "rows": rows}

    def _counted(self, word: str, value: str, count: int) -> dict[str, Any]:
        query = urlencode({"slug": self.located.slug, word: value}, errors="replace")
        name = self._categories.get(value, value) if word == "category" else value
        return {"word": name or "none", "count": count, "path": inbox_path(query)}

    @cached_property
    def _categories(self) -> dict[str, str]:
        """The names of the categories, by id."""
        return kept(self.entry, "categories", answer=lambda: category_names(self.located)).answer

    def _runs(self) -> dict[str, Any]:
        window = list_requests(RequestQuestion(benchmarks=[self.entry.pk]), limit=SHOWN_RUNS)
        more = f"{reverse('admin:runs')}?{urlencode({'slug': self.located.slug})}"
        return {
            "runs": run_lines(window.entries),
            "runs_path": more,
            "more_runs": window.next is not None,
        }

    def _tools(self) -> list[dict[str, Any]]:
        policy = self.located.directory.load(layout.TOOL_POLICY)
        tools = policy.tools if policy else {}
        return [{"name": name, **entry.dump()} for name, entry in sorted(tools.items())]

    def _policy(self, document: JsonObject) -> dict[str, Any]:
        return {
            "policy": document.get("ledgers", {}).get("policy"),
            "policy_words": WORDS,
        }

    def _notes(self) -> dict[str, Any]:
        return {
            "flags": self._standing(FlagEntry.objects.all()),
            "feedback": self._standing(FeedbackEntry.objects.all()),
            "reasons": REASONS,
        }

    def _directions(self, entry: BenchmarkEntry) -> dict[str, Any]:
        """The cards: of an intake, and of whatever was built out of a pick."""
        is_asked = self.located.directory.exists(layout.DIRECTIONS)
        if entry.stage != Stage.INTAKE and not is_asked:
            return {"shows_directions": False}
        return {"shows_directions": True, **directing.cards_shown(self.located)}

    def _first_task(self) -> str | None:
        tasks = TaskStandingEntry.objects.filter(benchmark=self.entry)
        return tasks.order_by("pk").values_list("task_id", flat=True).first()

    def _standing(self, notes: "QuerySet[N]") -> list[dict[str, Any]]:
        """The line that stands for each note, open ones first."""
        found = notes.filter(benchmark=self.entry).exclude(standing="")
        return [
            {
                "note": note,
                "path": task_path(self.located.slug, note.task_id) if note.task_id else "",
            }
            for note in found.order_by("-standing", "-moment", "-id")[:SHOWN_NOTES]
        ]


def commands_for(slug: str, task_id: str | None) -> dict[str, str]:
    """The commands of `FIRST`, for one benchmark and one task of it, ready to paste."""
    known = {"slug": quote(slug), "task": quote(task_id or "")}
    return {
        name: command.format(**known)
        for name, command in FIRST.items()
        if task_id or "{task}" not in command
    }


def category_names(located: Located) -> dict[str, str]:
    """The categories of a benchmark by id, as its manifest names them."""
    manifest = located.directory.load(layout.BENCHMARK)
    return {each.category_id: each.name or "" for each in (manifest.taxonomy if manifest else ())}


def _marked(item: JsonObject) -> dict[str, Any]:
    """A check's word, its tone, and its place: what refuses a promotion comes first."""
    status = str(item["status"])
    if status == Mark.FLAG and item["hard"]:
        return {"word": "FAIL", "tone": "bad", "place": 0}
    return {"word": status, "tone": "", "place": PLACES.get(status, len(PLACES))}
