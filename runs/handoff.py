"""Handing a queued request to a broker, where there is one: names only, and never for long.

The request's file is the truth: a message that is lost costs nothing but the time until the next
sweep. So a broker that is down costs its caller at most about a second and one line in the log.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.artifacts.home import Home, home
from benchmarks.artifacts.roots import JOINT, OUTSIDE
from benchmarks.errors import UnderstudyError
from benchmarks.records.base import JsonObject
from benchmarks.records.vocabulary import RunStatus
from runs.broker.choosing import Broker, reachable_broker

EXECUTE = "runs.execute_request"
CONTROL = "lab.control"
BOUND_S = 1.0
"""How long a caller waits for the broker, whatever that does."""
SOCKET_S = 0.8
PING_S = 0.4
"""How long a worker may take to say that it is there."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Message:
    """What a worker is told: names only."""

    slug: str
    run_id: str
    expires_s: float | None = None


@dataclass(frozen=True, slots=True)
class Handed:
    """What became of a message."""

    given: bool = False
    """Whether the broker has it."""
    worker: str | None = None
    """A worker that answered; None when none did."""


NOT_HANDED = Handed()


def hand_over(
    slug: str, run_id: str, *, here: Home | None = None, expires_s: float | None = None
) -> bool:
    """Tell the workers of this home's broker that a request waits; whether the broker took it.

    Nothing is raised. Without a broker, or for a directory that no worker can find, nothing is
    done. `here` is the home, where it is not that of the environment.
    """
    return _within_bounds(Message(slug, run_id, expires_s), here, ask=False).given


def handed_over(answer: JsonObject, *, here: Home | None = None) -> JsonObject:
    """The answer of `queue_run` with its request handed over, and who will take it up.

    A request that was not written, or has ended, is handed to nobody.
    """
    slug, run_id = answer["slug"], answer.get("run_id")
    if run_id is None or answer["run"].get("status") != RunStatus.QUEUED:
        return answer
    handed = _within_bounds(Message(slug, run_id), here, ask=True)
    if not handed.given:
        return answer
    executor = {**answer["executor"], "broker": True, "worker": handed.worker}
    hint = answer["execute_hint"]
    if not executor["live"]:
        hint = (
            f"handed to the broker: worker {handed.worker} is there and will pick it up"
            if handed.worker is not None
            else f"handed to the broker, where no worker answers now; without one: {hint}"
        )
    return {**answer, "executor": executor, "execute_hint": hint}


def _within_bounds(message: Message, here: Home | None, *, ask: bool) -> Handed:
    """Hand over in a thread that is left behind when the broker keeps it waiting."""
    if message.slug.startswith(f"{OUTSIDE}{JOINT}"):
        return NOT_HANDED
    try:
        broker = reachable_broker(here or home())
    except UnderstudyError as error:
        logger.warning("run %s is not handed to a broker: %s", message.run_id, error.message)
        return NOT_HANDED
    if broker is None:
        return NOT_HANDED
    client = _client(broker)
    found: list[Handed] = []
    failed: list[str] = []

    def give() -> None:
        try:
            _send(client, message)
            found.append(Handed(given=True))
            if ask:
                found.append(Handed(given=True, worker=_worker(client)))
        except Exception as error:  # noqa: BLE001 - whatever a broker does, the file is there
            failed.append(str(error))
        finally:
            client.close()

    _bounded(give)
    if not found:
        why = failed[0] if failed else f"no answer within {BOUND_S:g} s"
        logger.warning(
            "run %s is not handed to the broker %s: %s", message.run_id, broker.shown, why
        )
        return NOT_HANDED
    return found[-1]


def _bounded(work: Callable[[], None]) -> None:
    thread = threading.Thread(target=work, name="handoff", daemon=True)
    thread.start()
    thread.join(BOUND_S)


def _client(broker: Broker) -> Any:
    """A Celery app that only sends: no task module is imported for it."""
    from celery import Celery  # noqa: PLC0415 - 150 ms, and only where there is a broker

    client = Celery("understudy-handoff", broker=broker.url, set_as_current=False, fixups=[])
    client.conf.update(CLIENT)
    return client


CLIENT: Mapping[str, Any] = {
    "task_serializer": "json",
    "broker_connection_timeout": SOCKET_S,
    "broker_connection_max_retries": 0,
    "broker_transport_options": {
        "socket_connect_timeout": SOCKET_S,
        "socket_timeout": SOCKET_S,
        "max_retries": 0,
    },
}


def _send(client: Any, message: Message) -> None:
    client.send_task(
        EXECUTE,
        args=[message.slug, message.run_id],
        queue=CONTROL,
        expires=message.expires_s,
        ignore_result=True,
        retry=False,
    )


def _worker(client: Any) -> str | None:
    """The name of a worker that answers."""
    for answer in client.control.ping(timeout=PING_S, limit=1):
        return str(next(iter(answer)))
    return None
