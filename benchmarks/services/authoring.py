"""An authoring pass: one question a task, each answer judged and kept before the next is asked.

Whoever runs it gives the models and takes the events; what was answered before in the same pass
is never asked again (spec/build.md 10.1).
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.authoring.context import CAP_CHARS, Context, context_of, prompt_digest
from benchmarks.authoring.judging import Verdict, judge_reply
from benchmarks.authoring.merge import Authorship
from benchmarks.authoring.prompt import SETTINGS, asked_again, messages_of
from benchmarks.gateway.base import ChatAnswer, ChatCall, ChatModel
from benchmarks.gateway.failures import CallFailed
from benchmarks.gateway.patience import Patience
from benchmarks.records.authoring import ERROR, FAILED, OK, VERIFIED, AuthoringEvent
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Usage
from benchmarks.records.times import stamp
from benchmarks.services.authoring_desk import AuthoringDesk

ATTEMPTS = 2
"""The question, and once more with what was wrong with the answer."""
ERROR_CHARS = 500
TIMEOUT_S = 600.0

Place = tuple[str, str]
"""A model by its label, and a task."""


@dataclass(frozen=True)
class Order:
    """What a pass is to do."""

    run_id: str
    task_ids: tuple[str, ...]
    cap: int = CAP_CHARS
    width: int = 8
    timeout_s: float = TIMEOUT_S
    settings: Mapping[str, Any] = field(default_factory=lambda: SETTINGS)
    """Sampling settings, sent as they are."""


@dataclass(frozen=True)
class Author:
    """One model, and what a call of it costs."""

    model: ChatModel
    cost: Callable[[Usage | None], float | None]


@dataclass(frozen=True)
class Heard:
    """One finished call: its line in the ledger, and the verdict on its reply."""

    event: AuthoringEvent
    verdict: Verdict | None
    """None where no answer came, or what came is merged already."""
    reused: bool = False
    """Whether the line stood in the ledger already: the call was not made again."""


@dataclass(frozen=True)
class Outcome:
    """What became of one task with one model."""

    model: str
    task_id: str
    truncated: tuple[str, ...]
    heard: tuple[Heard, ...]

    @property
    def last(self) -> AuthoringEvent:
        """The line that decided."""
        return self.heard[-1].event

    @property
    def verdict(self) -> Verdict | None:
        """The last word on the reply; None where no answer came, or it is merged already."""
        return self.heard[-1].verdict

    @property
    def by(self) -> Authorship:
        """Who wrote it, when, and on what."""
        return Authorship(self.model, self.last.at, self.truncated)

    @property
    def seconds(self) -> float:
        """How long its calls took."""
        return sum(one.event.ms for one in self.heard) / 1000


@dataclass(frozen=True)
class Hooks:
    """Who hears of a pass while it goes on."""

    record: Callable[[AuthoringEvent], None]
    """Writes one event; it is on the disk when this returns."""
    finished: Callable[[Outcome], None]
    failed: Callable[[str, CallFailed], None]
    """A call of a model failed for good."""
    halted: Callable[[], bool]
    """Whether nothing more may be asked."""
    clock: Callable[[], datetime]


@dataclass
class AuthoringPass:
    """One pass over some tasks with some models."""

    order: Order
    desk: AuthoringDesk
    authors: Mapping[str, Author]
    hooks: Hooks
    outcomes: dict[Place, Outcome] = field(default_factory=dict)
    known: dict[tuple[str, str, int], AuthoringEvent] = field(default_factory=dict)
    _tasks: dict[Place, asyncio.Task[None]] = field(default_factory=dict)
    _broken: bool = False

    async def run(self) -> list[Outcome]:
        """Ask what is still to be asked; the outcomes by model, in the order of the tasks.

        What was halted before its answer came is left out: it is asked by whoever goes on.
        """
        events = own_events(self.desk.directory, self.order.run_id)
        self.known = {(one.model, one.task_id, one.attempt): one for one in events}
        window = asyncio.Semaphore(self.order.width)
        for place in self.places():
            await window.acquire()
            if self.hooks.halted() or self._broken:
                break
            task = asyncio.create_task(self._author(*place))
            self._tasks[place] = task
            task.add_done_callback(partial(self._ended, window))
        results = await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result
        return [self.outcomes[place] for place in self.places() if place in self.outcomes]

    def _ended(self, window: asyncio.Semaphore, task: asyncio.Task[None]) -> None:
        """Room for the next; after a fault of ours nothing more is asked."""
        window.release()
        self._broken = self._broken or not (task.cancelled() or task.exception() is None)

    def places(self) -> list[Place]:
        """Every model with every task, models first."""
        return [(model, task_id) for model in self.authors for task_id in self.order.task_ids]

    def cut(self) -> None:
        """Break off what is being asked."""
        for task in self._tasks.values():
            task.cancel()

    async def _author(self, model: str, task_id: str) -> None:
        """Ask, and once more with what was wrong; a pass that is halted leaves it to the next."""
        merged = self._merged_before(model, task_id)
        if merged is not None:
            self._finish(Outcome(model, task_id, (), (Heard(merged, None, reused=True),)))
            return
        context = context_of(self.desk.evidence(task_id), self.order.cap)
        messages = messages_of(context)
        heard: list[Heard] = []
        for attempt in range(1, ATTEMPTS + 1):
            question = Question(model, task_id, attempt, tuple(messages), context)
            one = self._heard_before(question)
            if one is None and not (heard and self.hooks.halted()):
                one = await self._ask(question)
            if one is None:
                return
            heard.append(one)
            if one.verdict is None or one.verdict.is_verified:
                break
            messages = asked_again(messages, one.event.reply or "", one.verdict.violations)
        self._finish(Outcome(model, task_id, context.truncated, tuple(heard)))

    def _finish(self, outcome: Outcome) -> None:
        self.outcomes[outcome.model, outcome.task_id] = outcome
        self.hooks.finished(outcome)

    def _merged_before(self, model: str, task_id: str) -> AuthoringEvent | None:
        """The answer of this pass that stands in the task already: killed after its merge.

        The merge changed what a model would be shown, so the question is another one by now.
        """
        authored = self.desk.evidence(task_id).task.authored
        about = authored if isinstance(authored, dict) else {}
        said = [self.known.get((model, task_id, attempt)) for attempt in range(1, ATTEMPTS + 1)]
        return next(
            (
                event
                for event in reversed(said)
                if event is not None
                and event.status == OK
                and (about.get("model"), about.get("authored_at")) == (model, event.at)
            ),
            None,
        )

    def _heard_before(self, question: "Question") -> Heard | None:
        """The answer to this very question, where this pass has got it already."""
        event = self.known.get((question.model, question.task_id, question.attempt))
        if event is None or event.status != OK or event.prompt_sha256 != question.digest:
            return None
        return Heard(event, self._judged(question, event.at, event.reply or ""), reused=True)

    def _judged(self, question: "Question", at: str, reply: str) -> Verdict:
        by = Authorship(question.model, at, question.context.truncated)
        return judge_reply(reply, self.desk.evidence(question.task_id), by)

    async def _ask(self, question: "Question") -> Heard | None:
        """One call, written down before anything rests on it; None where it was never admitted."""
        author = self.authors[question.model]
        patience, began = Patience(self.order.timeout_s), time.monotonic()
        call = ChatCall(
            model=author.model.called_model,
            messages=list(question.messages),
            settings=self.order.settings,
            key=question.key(self.order.run_id),
        )
        answer: ChatAnswer | None = None
        error = f"Timeout: no answer within {self.order.timeout_s:g} s"
        try:
            async with asyncio.timeout(None) as deadline:
                patience.bind(deadline)
                answer = await author.model.complete(call, patience)
        except CallFailed as failure:
            self.hooks.failed(question.model, failure)
            if not patience.is_running:
                return None
            error = failure.message
        except TimeoutError:
            patience.unreported += 1
        heard = self._heard(question, answer, error, round((time.monotonic() - began) * 1000))
        if patience.unreported:
            event = heard.event.with_(unreported_calls=patience.unreported)
            heard = replace(heard, event=event)
        self.hooks.record(heard.event)
        return heard

    def _heard(self, question: "Question", answer: ChatAnswer | None, error: str, ms: int) -> Heard:
        """One finished call with its line, and the verdict on its reply."""
        at = stamp(self.hooks.clock())
        about: JsonObject = {
            "at": at,
            "task_id": question.task_id,
            "model": question.model,
            "ms": ms,
            "run_id": self.order.run_id,
            "attempt": question.attempt,
            "prompt_sha256": question.digest,
        }
        if answer is None:
            return Heard(AuthoringEvent(status=ERROR, error=error[:ERROR_CHARS], **about), None)
        reply = answer.text or answer.refusal or ""
        verdict = self._judged(question, at, reply)
        event = AuthoringEvent(
            status=OK,
            grounding=VERIFIED if verdict.is_verified else FAILED,
            violations=list(verdict.violations),
            tokens=tokens_of(answer.usage),
            cost_estimate_usd=self.authors[question.model].cost(answer.usage),
            reply=reply,
            **about,
        )
        return Heard(event, verdict)


@dataclass(frozen=True)
class Question:
    """One question to one model."""

    model: str
    task_id: str
    attempt: int
    messages: tuple[JsonObject, ...]
    context: Context

    @property
    def digest(self) -> str:
        """What is asked."""
        return prompt_digest(self.messages)

    def key(self, run_id: str) -> str:
        """The idempotency key: the same for every try of this question."""
        return f"{run_id}:{self.model}:{self.task_id}:{self.attempt}"


def own_events(directory: BenchmarkDir, run_id: str) -> list[AuthoringEvent]:
    """The events of one pass, in the order of the ledger."""
    events = directory.read(layout.AUTHORING_EVENTS).records
    return [event for event in events if event.run_id == run_id]


def newest_events(events: Iterable[AuthoringEvent]) -> dict[Place, AuthoringEvent]:
    """The last word of a pass on each task of each model."""
    return {(event.model, event.task_id): event for event in events}


def tokens_of(usage: Usage | None) -> JsonObject:
    """What a provider said of its tokens; nothing where it said nothing."""
    if usage is None:
        return {}
    return {"prompt": usage.input_tokens, "completion": usage.output_tokens}
