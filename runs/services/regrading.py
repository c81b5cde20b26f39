"""Kept rollouts judged by today's contract: new rows beside the old, nothing run, nothing spent.

The order survives a crash: look at the holdout, line of versions.jsonl, rows, calibration. What was
not written is found again by the next regrade, which also ends what was left open.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from benchmarks.artifacts.claim import ClaimOwner, Locking
from benchmarks.artifacts.kept import signatures
from benchmarks.artifacts.roots import Located
from benchmarks.audit.verdicts import need_tested
from benchmarks.errors import (
    Action,
    ApprovalRequired,
    InvalidArguments,
    NotMeasured,
    TaskEdited,
    UnknownRun,
    UnknownTask,
)
from benchmarks.records import cures
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Notice
from benchmarks.records.caller import Caller
from benchmarks.records.wording import many
from benchmarks.release import VERSION
from reviews.services.benchmark_files import FILES
from reviews.services.dossier import Dossier
from reviews.services.holdout import notices_of
from reviews.services.writing import written
from runs.regrade.candidates import Skip
from runs.regrade.regrading import Regrading, Terms, Written
from runs.regrade.replaying import first_answer, kept_answer
from runs.regrade.survey import Survey, Wanted
from runs.status.step import named, shell

LOST = "lost"
NAMED_ROWS = 5


@dataclass(frozen=True)
class Hooks:
    """How a regrade tells what must be seen at once."""

    notify: Callable[[Notice], None] = lambda notice: None
    """Takes each notice before anything is written."""
    warn: Callable[[str], None] = lambda text: None


@dataclass(frozen=True)
class Order:
    """What a caller asks for."""

    run_id: str | None = None
    """A run, its regrades too; None is every run."""
    task_ids: Sequence[str] | None = None
    allow_untested: str | None = None
    """Why rows are judged by verifiers that nobody tested as they are today; recorded."""
    confirm: bool = False
    """A person's word for that reason, where an agent calls."""
    dry_run: bool = False

    @property
    def wanted(self) -> Wanted:
        """The rows that are asked for."""
        names = None if self.task_ids is None else frozenset(self.task_ids)
        return Wanted(self.run_id, names)

    def document(self) -> JsonObject:
        """What is asked for, as its digest is kept beside a key."""
        return {
            "run_id": self.run_id,
            "task_ids": None if self.task_ids is None else sorted(set(self.task_ids)),
            "allow_untested": self.allow_untested,
        }


def regrade_run(
    *,
    located: Located,
    order: Order,
    locking: Locking | None = None,
    hooks: Hooks | None = None,
    caller: Caller,
    clock: Callable[[], datetime],
) -> JsonObject:
    """Judge the kept rollouts of rows whose verifier changed since, or say what that would give.

    The rows are written beside the old ones, which are never touched, under a run of their own.
    Rows that stay stale are named first, by arm, task and reason.

    Raises:
        NotMeasured: nothing can be regraded; the reasons are counted.
        VerifierUntested: a verifier has no report of today, and no reason was given.
        ApprovalRequired: an agent gave a reason without a person's word.
        TaskEdited: a task was edited by hand, and its stamps are old.
        UnknownRun, UnknownTask: there is nothing of that name.
        Claimed: an executor holds the directory.
        DirectoryBusy: somebody wrote to the directory meanwhile.
        ReadOnly: this process may not write here.
        IdempotencyConflict: the key was used for another regrade.
    """
    _need_reason(order, caller)
    told = hooks or Hooks()
    directory = located.directory
    if (before := _replayed(located, order, caller)) is not None:
        return before
    look = _Look(located, order)
    if order.dry_run:
        look.check()
        regrading = look.regrading(clock(), caller)
        return look.answer(regrading, None, caller)
    look.check(or_unfinished=True)
    for notice in look.notices():
        told.notify(notice)
    with directory.claim(ClaimOwner(VERSION, clock(), order.run_id), locking) as claim:
        if look.has_moved():
            if (before := _replayed(located, order, caller)) is not None:
                return before
            look = _Look(located, order)
            look.check(or_unfinished=True)
        regrading = look.regrading(clock(), caller, fence=claim.fence)
        done = regrading.write(claim, clock, told.warn, partial(look.kept, regrading, caller))
        return look.answer(regrading, done, caller)


def _replayed(located: Located, order: Order, caller: Caller) -> JsonObject | None:
    """What the same call was answered with before; None where it writes nothing or is the first."""
    if order.dry_run:
        return None
    before = first_answer(located.directory, caller, order.document())
    return None if before is None else {**before, **written(caller, replayed=True)}


def _need_reason(order: Order, caller: Caller) -> None:
    """A reason is words, and an agent has it from a person."""
    reason = order.allow_untested
    if reason is None:
        return
    if not reason.strip():
        raise InvalidArguments(
            "allow_untested: a reason is wanted: it stands beside every figure",
            hint="say why, in a few words",
        )
    if not caller.is_person and not order.confirm and not order.dry_run:
        raise ApprovalRequired(
            "allow_untested must be a person's decision",
            hint="ask the user; with their explicit consent repeat the call with confirm: true",
            details={"needs": ["allow_untested"]},
        )


@dataclass
class _Look:
    """One look at the benchmark: what would be judged again, and whether it may be."""

    located: Located
    order: Order
    survey: Survey = field(init=False)

    def __post_init__(self) -> None:
        directory = self.located.directory
        self._stood = signatures(directory, self._files())
        dossier = Dossier(directory, slug=self.located.slug)
        self.survey = Survey(dossier, self.order.wanted)

    def has_moved(self) -> bool:
        """Whether a file that the look rests on is another since."""
        return signatures(self.located.directory, self._files()) != self._stood

    def check(self, *, or_unfinished: bool = False) -> None:
        """Return when something is to be judged again, and may be.

        With `or_unfinished` also when a regrade that stopped is to be ended.
        """
        self._need_known()
        self._need_stamped()
        task_ids = self.task_ids
        if not task_ids and not (or_unfinished and self.survey.unfinished):
            raise self._nothing()
        need_tested(
            self.located.slug,
            task_ids,
            self.survey.dossier.verifiers,
            allow_untested=self.order.allow_untested,
        )

    @property
    def task_ids(self) -> list[str]:
        """The tasks with rows to judge again, in the order of the benchmark."""
        taken = {each.row.task_id for each in self.survey.sorted.taken}
        return [task for task in self.survey.dossier.tasks if task in taken]

    def regrading(self, now: datetime, caller: Caller, *, fence: int = 0) -> Regrading:
        """The rows as they are written."""
        order = self.order
        terms = Terms(now, VERSION, fence, caller, order.allow_untested, order.document())
        return Regrading(self.survey, terms)

    def notices(self) -> list[Notice]:
        """What must be seen before anything is written: the rows that are lost."""
        lost = self.survey.lost
        if not lost:
            return []
        shown = [
            f"{each['model']} on {each['task_id']} ({each['reason']})" for each in lost[:NAMED_ROWS]
        ]
        more = len(lost) - len(shown)
        rest = f" and {many(more, 'other')}" if more else ""
        text = f"{many(len(lost), 'row')} will be stale and cannot be judged again: "
        return [Notice(kind=LOST, text=text + ", ".join(shown) + rest)]

    def kept(self, regrading: Regrading, caller: Caller, done: Written) -> JsonObject | None:
        """What the same call with the same key is answered with later on; None without a key."""
        if caller.idempotency_key is None:
            return None
        return kept_answer(self.answer(regrading, done, caller))

    def answer(self, regrading: Regrading, done: Written | None, caller: Caller) -> JsonObject:
        """The document of a regrade, or of one that was only looked at."""
        works = regrading.works
        dossier, directory = self.survey.dossier, self.located.directory
        entry = regrading.line
        version_entry = entry.with_(tasks=None).dump() if entry is not None else None
        covering = self.survey.told.covered_by if works else None
        covered_by = (
            {"version": covering.version, "created_at": covering.created_at}
            if covering is not None
            else None
        )
        about: JsonObject = {
            "dry_run": done is None,
            "version_entry": version_entry,
            "covered_by": covered_by,
        }
        lost = self.survey.lost
        summaries = [
            {
                **work.document(),
                **about,
                "lost": [each for each in lost if each["run_id"] == work.source_run_id],
                "parents": [
                    parent.document()
                    for parent in (done.parents if done else ())
                    if parent.file in work.files
                ],
            }
            for work in works
        ]
        shown = [dossier.tasks[name] for name in self.task_ids]
        return {
            **written(caller),
            **about,
            "slug": self.located.slug,
            "summaries": summaries,
            "deltas": [each.document() for work in works for each in work.regraded],
            "lost": lost,
            "untested_task_ids": list(regrading.untested),
            "allow_untested": self.order.allow_untested if regrading.untested else None,
            "parents": [each.document() for each in done.parents] if done else [],
            "finished": [each.run_id for each in done.finished] if done else [],
            "stopped_by": {each.run_id: each.reason for each in done.finished} if done else {},
            "notices": [
                notice.dump() for notice in (*self.notices(), *notices_of(directory, shown))
            ],
            "next_actions": [self._next(done).document()],
        }

    def _next(self, done: Written | None) -> Action:
        if done is not None:
            return cures.read_status(self.located.slug)
        return write_it(self.located.slug, self.order)

    def _files(self) -> list[str]:
        directory = self.located.directory
        return [*FILES, *(file.path for file in directory.row_files())]

    def _need_known(self) -> None:
        run_id, rows = self.order.run_id, [each.row for each in self.survey.filed]
        if run_id is not None and not any(Wanted(run_id).takes(row) for row in rows):
            raise UnknownRun(
                f"{self.located.slug} has no rows of a run {run_id!r}",
                hint=f"understudy runs list {self.located.slug}",
            )
        known = {*self.survey.dossier.tasks, *(row.task_id for row in rows)}
        unknown = sorted(set(self.order.task_ids or ()) - known)
        if unknown:
            raise UnknownTask(
                f"no task {', '.join(unknown)} in {self.located.slug}",
                hint=f"it holds {len(self.survey.dossier.tasks)} tasks:"
                f" understudy benchmarks tasks {self.located.slug}",
                details={"unknown": unknown},
            )

    def _need_stamped(self) -> None:
        """A row says by which verifier it was judged: of an edited task nobody knows."""
        edited = self.survey.dossier.edited
        names = list(
            dict.fromkeys(
                each.row.task_id for each in self.survey.counted if each.row.task_id in edited
            )
        )
        if names:
            slug = self.located.slug
            raise TaskEdited(
                f"{named(names)} of {slug}: edited by hand, and the stamps are old",
                hint=cures.regenerate(slug).command,
                details={"task_ids": names},
                next_actions=(cures.regenerate(slug),),
            )

    def _nothing(self) -> NotMeasured:
        counts: dict[str, int] = {}
        for _, skip in self.survey.sorted.skipped:
            counts[skip.value] = counts.get(skip.value, 0) + 1
        left = sum(number for reason, number in counts.items() if reason != Skip.TASK_GONE)
        reasons = ", ".join(f"{number} {reason}" for reason, number in counts.items())
        said = f": {reasons}" if reasons else ""
        return NotMeasured(
            f"nothing to regrade in {self.located.slug}{said}",
            hint=_hint(counts, self.located.slug),
            details={
                "rows_considered": sum(counts.values()),
                "skipped": counts,
                "current": len(self.survey.counted) - left,
                "lost": self.survey.lost,
            },
            next_actions=(cures.read_status(self.located.slug),),
        )


def _hint(counts: dict[str, int], slug: str) -> str:
    if any(Skip(reason).loses for reason in counts):
        return f"what cannot be judged again can be run again: understudy benchmarks status {slug}"
    return "every row is judged by today's verifier"


def write_it(slug: str, order: Order) -> Action:
    """The regrade that was only looked at, for good."""
    words = ["runs", "regrade", "--benchmark", slug]
    arguments: JsonObject = {"slug": slug, "dry_run": False}
    if order.run_id is not None:
        words += ["--run", order.run_id]
        arguments["run_id"] = order.run_id
    if order.task_ids is not None:
        words += ["--task", ",".join(order.task_ids)]
        arguments["task_ids"] = list(order.task_ids)
    if order.allow_untested is not None:
        words += ["--allow-untested", order.allow_untested]
        arguments |= {"allow_untested": order.allow_untested, "confirm": True}
    return Action(
        say="write the rows that were shown",
        command=shell(*words),
        tool="regrade_run",
        arguments=arguments,
        who="person" if order.allow_untested is not None else "agent",
    )
