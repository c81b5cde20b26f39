"""The home folder: moved files, the secret, the audit ledger and the log."""

import errno
import json
import multiprocessing
import os
import stat
from pathlib import Path

import pytest

from benchmarks.artifacts import home as rooms
from benchmarks.artifacts.home import home
from benchmarks.errors import DiskFull, InvalidArguments
from benchmarks.records.home import AuditLine, Job

FORK = multiprocessing.get_context("fork")
LINE = AuditLine(
    at="2026-11-02T11:00:00.000Z",
    door="mcp",
    actor="mcp:claude-code@mira",
    service="submit_review",
    arguments_sha256="0" * 64,
    code="ok",
)


@pytest.fixture
def here(tmp_path):
    return home({"UNDERSTUDY_HOME": str(tmp_path / "home")})


def test_files_lie_in_the_home_until_they_are_moved(tmp_path):
    plain = home({"UNDERSTUDY_HOME": str(tmp_path)})
    assert plain.path == tmp_path
    assert plain.trust_file == tmp_path / "trust.json"
    assert plain.prices_file == tmp_path / "prices.json"
    assert plain.profile_file == tmp_path / "profile.json"
    assert plain.credentials_file == tmp_path / "credentials.json"
    assert plain.benchmarks == tmp_path / "benchmarks"
    assert plain.captures == tmp_path / "captures"
    assert plain.jobs == tmp_path / "jobs"
    assert plain.audit == tmp_path / "audit.jsonl"
    moved = home({"UNDERSTUDY_TRUST_FILE": "/t", "UNDERSTUDY_PRICES_FILE": "/p"})
    assert (str(moved.trust_file), str(moved.prices_file)) == ("/t", "/p")


def test_a_flag_beats_the_environment(tmp_path, monkeypatch):
    environ = {"UNDERSTUDY_HOME": "/elsewhere", "UNDERSTUDY_TRUST_FILE": "/t"}
    found = home(environ, override=str(tmp_path))
    assert (found.path, str(found.trust_file)) == (tmp_path, "/t")
    monkeypatch.setenv("UNDERSTUDY_HOME", str(tmp_path / "env"))
    assert home().path == tmp_path / "env"
    assert home(override=str(tmp_path)).path == tmp_path


def test_finding_the_home_makes_nothing(here):
    assert not here.path.exists()
    here.ensure()
    assert stat.S_IMODE(here.path.stat().st_mode) == 0o700


def test_bad_variables_are_refused_before_anything_is_done(tmp_path):
    with pytest.raises(InvalidArguments, match="UNDERSTUDY_CONCURRENCY"):
        home({"UNDERSTUDY_HOME": str(tmp_path / "x"), "UNDERSTUDY_CONCURRENCY": "0"})
    assert not (tmp_path / "x").exists()


def test_the_audit_ledger_grows_by_a_line(here):
    here.append_audit(LINE)
    here.append_audit(LINE.with_(code="posture_too_low"))
    read = here.read(rooms.AUDIT)
    assert [line.code for line in read.records] == ["ok", "posture_too_low"]
    assert stat.S_IMODE(here.audit.stat().st_mode) == 0o600
    assert (here.path / "guard.lock").exists()
    assert not (here.path / "runs").exists()


def test_a_job_is_a_document_of_the_home(here):
    job = Job(job_id="job-1", kind="build", status="running")
    here.create(rooms.job("job-1"), job)
    assert here.load(rooms.job("job-1")) == job
    assert json.loads((here.jobs / "job-1.json").read_text(encoding="utf-8"))["kind"] == "build"


def test_the_secret_is_made_once_and_for_its_owner_only(here):
    secret = here.secret()
    assert len(secret) == 64
    assert here.secret() == secret
    assert stat.S_IMODE((here.path / "secret_key").stat().st_mode) == 0o600
    assert home({"UNDERSTUDY_HOME": str(here.path)}).secret() == secret


def test_processes_that_need_the_secret_at_once_get_one(here):
    pipes = [FORK.Pipe() for _ in range(5)]
    processes = [
        FORK.Process(target=lambda there=there: there.send(here.secret())) for _, there in pipes
    ]
    for process in processes:
        process.start()
    assert len({mine.recv() for mine, _ in pipes}) == 1
    for process in processes:
        process.join()


def test_an_error_is_logged_with_its_trace(here):
    try:
        raise KeyError("oops \udc80")
    except KeyError as error:
        here.log("error 12ab in tool x", error)
        here.log("error 34cd in tool y", error)
    text = (here.path / "logs" / "understudy.log").read_text(encoding="utf-8")
    assert " error 12ab in tool x\nTraceback" in text
    assert "error 34cd in tool y" in text
    assert "KeyError" in text
    assert stat.S_IMODE((here.path / "logs" / "understudy.log").stat().st_mode) == 0o600


@pytest.mark.parametrize("stands", ["a file", "a pipe", "a full disk"])
def test_a_log_that_cannot_be_written_hides_no_error(here, stands):
    here.ensure()
    log = here.path / rooms.LOG
    if stands == "a file":
        log.parent.write_text("in the way")
    elif stands == "a pipe":
        log.parent.mkdir()
        os.mkfifo(log)
    else:
        log.parent.mkdir()
        log.symlink_to("/dev/full")
    here.log("it went wrong", RuntimeError("the cause"))
    assert (here.path / rooms.LOG).is_file() is False


def test_a_home_without_room_is_a_full_disk(here, monkeypatch):
    def no_room(self, *args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", no_room)
    with pytest.raises(DiskFull, match="No space left on device"):
        here.ensure()
