"""What every write of this app checks first, and how its answer begins."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from benchmarks.artifacts.idempotency import is_keyed
from benchmarks.artifacts.roots import Located
from benchmarks.errors import (
    Complaint,
    InvalidArguments,
    TooLarge,
    UnderstudyError,
    UnknownTask,
    WrongStage,
)
from benchmarks.records import cures
from benchmarks.records.caller import Caller
from benchmarks.records.vocabulary import Stage
from benchmarks.records.wording import many
from reviews.services.dossier import Dossier

NOTE_CHARS = 2000
FEEDBACK_CHARS = 4000
OTHER_VERB = {
    Stage.PROPOSED: "understudy reviews submit {slug} TASK DECISION, or reviews feedback",
    Stage.PROMOTED: "understudy reviews flag {slug} TASK --reason REASON",
}
"""What to use instead, by the stage that the directory is in."""


def open_dossier(located: Located) -> Dossier:
    """The dossier of a benchmark, named as its doors name it."""
    return Dossier(located.directory, slug=located.slug)


def check_stage(needed: Stage, what: str, located: Located) -> None:
    """Return when the benchmark is at the stage; see `need_stage`."""
    need_stage(open_dossier(located), needed, what)


@contextmanager
def writing(located: Located, needed: Stage, what: str) -> Iterator[Dossier]:
    """The dossier of a write, read under the guard; its stage is refused before anything else.

    Raises:
        WrongStage: the benchmark is at another stage.
        ReadOnly: it may not be written.
    """
    check_stage(needed, what, located)
    with located.directory.guard():
        dossier = open_dossier(located)
        need_stage(dossier, needed, what)
        yield dossier


def need_stage(dossier: Dossier, needed: Stage, what: str) -> None:
    """Return when the directory is at the stage.

    Raises:
        WrongStage: it is not; the hint names the verb of its stage.
    """
    if dossier.stage is needed:
        return
    other = OTHER_VERB.get(dossier.stage, "understudy benchmarks show {slug}")
    raise WrongStage(
        f"{what} needs a {needed.value} benchmark; {dossier.slug} is {dossier.stage.value}",
        hint=other.format(slug=dossier.slug),
        details={"stage": dossier.stage.value, "needs": needed.value},
        next_actions=(cures.read_status(dossier.slug),),
    )


def need_tasks(dossier: Dossier, task_ids: Iterable[str]) -> None:
    """Return when every task is there.

    Raises:
        UnknownTask: some are not; all of them are named.
    """
    unknown = [task_id for task_id in task_ids if task_id not in dossier.tasks]
    if not unknown:
        return
    raise UnknownTask(
        f"{dossier.slug} has no task {', '.join(map(repr, unknown[:5]))}"
        + (f" and {len(unknown) - 5} more" if len(unknown) > 5 else ""),
        hint=(
            f"it holds {many(len(dossier.tasks), 'task')}:"
            f" understudy benchmarks tasks {dossier.slug}"
        ),
        errors=[Complaint("task_id", task_id, _why_gone(dossier, task_id)) for task_id in unknown],
    )


def _why_gone(dossier: Dossier, task_id: str) -> str:
    """A task that was there and is not promoted is told apart from one that never was."""
    left_out = task_id in dossier.lines
    return "left out of what was promoted" if left_out else "no such task"


def need_short(text: str, limit: int, what: str) -> None:
    """Return when the text is within its limit.

    Raises:
        TooLarge: it is not.
    """
    if len(text) > limit:
        raise TooLarge(
            f"{what} has {len(text):,} characters, at most {limit:,} are kept",
            hint="shorten it",
            details={"characters": len(text), "limit": limit},
        )


def together(errors: Sequence[UnderstudyError]) -> UnderstudyError:
    """Several refusals of one call as one, with every complaint; a single one stays itself."""
    if len(errors) == 1:
        return errors[0]
    return InvalidArguments(
        "; ".join(error.message for error in errors),
        hint="; ".join(dict.fromkeys(error.hint for error in errors if error.hint)),
        errors=[
            complaint
            for error in errors
            for complaint in error.errors or (Complaint(error.code, "", error.message),)
        ],
    )


def source_of(caller: Caller) -> str:
    """Who a review is by: a person, or an agent."""
    return "agent" if caller.is_agent else "human"


def written(caller: Caller, *, replayed: bool = False) -> dict[str, Any]:
    """How the answer of a write begins."""
    return {"ok": True, "replayed": replayed, "actor": caller.actor, "door": caller.door}


def same_key(records: Sequence[Any], caller: Caller) -> list[Any]:
    """Every record that one call of this actor wrote under this key."""
    return [record for record in records if is_keyed(record, caller)]
