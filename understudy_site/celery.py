"""The Celery app: `celery -A understudy_site worker`, `celery -A understudy_site beat`.

`understudy_site/__init__.py` stays empty, so that verbs do not pay for Celery; `-A` finds this
module by itself. What a worker is beside Celery's own is in `understudy_site/worker.py`.
"""

import os
from functools import cached_property

from celery import Celery, signals
from kombu import Exchange, Queue

from runs.broker.choosing import broker_of
from runs.handoff import CONTROL, EXECUTE
from understudy_site.worker import (
    LabBeat,
    LabWorker,
    begin_worker,
    home_or_exit,
    leave,
    sweep_at_once,
)

SYNC = "lab.sync"
SYNC_TASK = "benchmarks.sync_directory"
SWEEP_TASK = "runs.sweep_requests"
SWEEP_S, SYNC_S = 60, 300
SLICE_AND_DRAIN_S = 7_200
HARD_S = 120

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "understudy_site.settings")
# A worker serves no page: Django's checks would load every route of the hub for nothing.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
HOME = home_or_exit()


class Lab(Celery):
    """Celery with the lab's own worker and beat."""

    @cached_property
    def Worker(self) -> type[LabWorker]:
        return self.subclass_with_self(LabWorker)

    @cached_property
    def Beat(self) -> type[LabBeat]:
        return self.subclass_with_self(LabBeat)


def queue(name: str) -> Queue:
    """A queue with an exchange of its own name, as a door that only sends declares it."""
    return Queue(name, Exchange(name, type="direct"), routing_key=name)


app = Lab("understudy", broker=broker_of(HOME).url)
app.conf.update(
    imports=("benchmarks.tasks", "runs.tasks"),
    task_queues=(queue(CONTROL), queue(SYNC)),
    task_default_queue=CONTROL,
    task_routes={
        EXECUTE: {"queue": CONTROL},
        SWEEP_TASK: {"queue": CONTROL},
        SYNC_TASK: {"queue": SYNC},
    },
    # Limits, kill and soft shutdown work only with prefork; one task runs its models with asyncio.
    worker_pool="prefork",
    # At least once: a message is acknowledged when its task has ended, and given to another worker
    # when its process died. The claim of the directory and the plan make it one row.
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    # Tasks are long: a worker takes one, and does not hoard the next.
    worker_prefetch_multiplier=1,
    broker_transport_options={
        # Above every time limit, or a message comes back while its task is running (runs.E001).
        "visibility_timeout": 14_400,
        # By default a message whose time is up comes back after 100 s more: 10 s times 10.
        "unacked_restore_interval": 10,
        "unacked_restore_throttle": 1,
    },
    # A slice of 3,600 s, and the longest rollout that may still be running at its end (runs.E002).
    task_soft_time_limit=SLICE_AND_DRAIN_S,
    task_time_limit=SLICE_AND_DRAIN_S + HARD_S,
    # A deploy does not wait for ever; also when Celery believes that nothing is running.
    worker_soft_shutdown_timeout=30.0,
    worker_enable_soft_shutdown_on_idle=True,
    # Without its broker a worker's message is given to another: the twin must not run beside it.
    worker_cancel_long_running_tasks_on_connection_loss=True,
    # A broker that is down when the worker starts is waited for.
    broker_connection_retry_on_startup=True,
    # No pickles: a message can never run code.
    task_serializer="json",
    result_serializer="json",
    accept_content=["json"],
    # The truth is in the files: nobody reads a result, and beat has none to clean up.
    task_ignore_result=True,
    result_expires=None,
    # Bounded memory, whatever a library leaks.
    worker_max_tasks_per_child=50,
    # What is printed is meant for the terminal, and no line of a log.
    worker_redirect_stdouts=False,
    beat_schedule={
        "sweep": {"task": SWEEP_TASK, "schedule": SWEEP_S, "options": {"expires": SWEEP_S}},
        "sync": {"task": SYNC_TASK, "schedule": SYNC_S, "options": {"expires": SYNC_S}},
    },
    # Beside the broker's own files; Celery would put it into the working directory.
    beat_schedule_filename=str(HOME.path / "broker" / "beat-schedule"),
)

signals.celeryd_init.connect(begin_worker)
signals.worker_ready.connect(sweep_at_once)
signals.worker_shutting_down.connect(leave)
