"""The routes of rollouts: watched while they run, read, compared, and replayed."""

from benchmarks.api.base import LabView
from benchmarks.api.calls import ApiCall
from benchmarks.api.operations import operation
from benchmarks.api.pages import page_of, scope_of_one
from benchmarks.doors.paging import Pager
from benchmarks.errors import (
    CursorInvalid,
    JournalAmbiguous,
    MissingBlob,
    NotMeasured,
    UnknownArm,
    UnknownRollout,
    UnknownRun,
    UnknownTask,
)
from benchmarks.mirror.syncing import entry_of
from benchmarks.models.keyset import Key, Window
from benchmarks.records.base import JsonObject
from reviews.services.dossier import Dossier
from reviews.services.holdout import notices_of
from reviews.services.writing import need_tasks
from runs.api.documents import (
    DiffDocument,
    LiveDocument,
    ReplayDocument,
    RolloutDocument,
    TaskRolloutsDocument,
)
from runs.api.finding import locate_run
from runs.api.kept import Kept
from runs.api.queries import DiffQuery, LiveQuery, ReplayQuery, RolloutQuery, TaskRolloutsQuery
from runs.models import RowEntry
from runs.selectors import RowQuestion, count_task_rows, list_rows
from runs.services.following import follow_run
from runs.services.replaying import replay_task
from runs.services.rollouts import diff_rollouts, read_rollout

CELL_REFUSALS = (UnknownRun, UnknownTask, UnknownArm, UnknownRollout, JournalAmbiguous, MissingBlob)


class LiveView(LabView):
    """`/api/runs/live`"""

    @operation(
        "follow_run",
        query=LiveQuery,
        gives=LiveDocument,
        refuses=(UnknownRun, UnknownTask, UnknownArm, JournalAmbiguous),
        names_benchmark=True,
    )
    def get(self, call: ApiCall) -> JsonObject:
        """The new lines of an arm's journal, and how far the contract is met.

        Ask again with `since` = `next`. At most 5,000 lines come at once; a line that is still
        being written comes with the next answer.
        """
        query: LiveQuery = call.query
        return follow_run(
            located=locate_run(call, query.run, query.slug),
            run_id=query.run,
            task_id=query.task,
            arm=query.arm,
            rollout=query.rollout,
            since=query.since,
        )


class TaskRolloutsView(LabView):
    """`/api/rollouts`"""

    @operation(
        "list_rollouts",
        query=TaskRolloutsQuery,
        gives=TaskRolloutsDocument,
        refuses=(UnknownTask,),
        names_benchmark=True,
    )
    def get(self, call: ApiCall) -> JsonObject:
        """The rollouts of a task, newest first, each with at most 400 of its turns."""
        query: TaskRolloutsQuery = call.query
        located = call.locate(query.slug)
        dossier = Dossier(located.directory, slug=located.slug)
        need_tasks(dossier, [query.task])
        scope = scope_of_one(call, located)
        question = RowQuestion(
            benchmarks=scope.ids,
            runs=query.run,
            tasks=[query.task],
            arms=query.arm,
            since=query.since,
            until=query.until,
        )

        def fetch(limit: int, after: Key | None) -> Window[RowEntry]:
            return list_rows(question, limit=limit, after=after)

        entries, document = page_of(call, scope, fetch, lambda entry: {})
        kept = Kept.of(located.directory, entries)
        notices = notices_of(located.directory, [dossier.tasks[query.task]])
        return {
            "notices": [notice.dump() for notice in notices],
            "slug": located.slug,
            "task_id": query.task,
            "rollouts": [kept.document(entry) for entry in entries],
            "total_rows": count_task_rows(entry_of(located.slug), query.task),
            "page": document["page"],
            "freshness": document["freshness"],
        }


class RolloutView(LabView):
    """`/api/rollouts/one`"""

    @operation(
        "read_rollout",
        query=RolloutQuery,
        gives=RolloutDocument,
        refuses=(*CELL_REFUSALS, CursorInvalid),
        names_benchmark=True,
    )
    def get(self, call: ApiCall) -> JsonObject:
        """One rollout: each call and answer, which obligations it met and when, the verdict."""
        query: RolloutQuery = call.query
        document = read_rollout(
            located=locate_run(call, query.run, query.slug),
            run_id=query.run,
            task_id=query.task,
            model=query.arm,
            rollout=query.rollout,
            include=query.include,
        )
        asked = [call.service, query.asked(), list(call.identity.patterns)]
        pager = Pager(call.home.secret(), query.limit, query.cursor, asked)
        document["events"], document["page"] = pager.page(document["events"])
        return document


class DiffView(LabView):
    """`/api/rollouts/diff`"""

    @operation(
        "diff_rollouts",
        query=DiffQuery,
        gives=DiffDocument,
        refuses=(*CELL_REFUSALS, NotMeasured),
        names_benchmark=True,
    )
    def get(self, call: ApiCall) -> JsonObject:
        """Two rollouts of one task: where their calls part, and what each met."""
        query: DiffQuery = call.query
        return diff_rollouts(
            located=locate_run(call, query.run_a, query.slug),
            task_id=query.task,
            run_a=query.run_a,
            run_b=query.run_b,
            model_a=query.arm_a,
            model_b=query.arm_b,
            rollout_a=query.rollout_a,
            rollout_b=query.rollout_b,
        )


class ReplayView(LabView):
    """`/api/replay`"""

    @operation(
        "replay_task",
        query=ReplayQuery,
        gives=ReplayDocument,
        refuses=(UnknownTask,),
        names_benchmark=True,
    )
    def get(self, call: ApiCall) -> JsonObject:
        """A task's contract, how the recorded run met it, and how each arm of each run did."""
        query: ReplayQuery = call.query
        return replay_task(located=call.locate(query.slug), task_id=query.task)
