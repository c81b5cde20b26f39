"""`understudy hub serve` as its users start it: a real process on a free port."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from tests.driving import Shell
from tests.hubs import REPOSITORY, UNDERSTUDY, RunningHub, fetch
from tests.powers import without_root_powers
from tests.tables import give_tables

LINK = re.compile(r"http://\S+/sign-in/\S+")


def serve(
    *words: str, environ: Mapping[str, str] | None = None, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    """A hub that is not expected to come up."""
    return subprocess.run(
        [*UNDERSTUDY, "hub", "serve", *words],
        cwd=REPOSITORY,
        env={**os.environ, **(environ or {})},
        preexec_fn=before,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def error_of(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stderr.strip().splitlines()[-1])["error"]
    return found


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory, made_tables: Path) -> Iterator[RunningHub]:
    """A hub for the tests that only ask it."""
    home = tmp_path_factory.mktemp("hub") / "home"
    give_tables(home, made_tables)
    with RunningHub(home=home) as running:
        yield running


def test_it_starts_answers_health_and_ends_on_sigterm_with_143(used_home: Path) -> None:
    with RunningHub() as hub:
        assert hub.started == {
            "url": f"http://127.0.0.1:{hub.port}",
            "pid": hub.process.pid,
            "version": "0.1.0",
            "roots": [
                {"prefix": "local", "path": str(used_home / "benchmarks"), "read_only": False}
            ],
            "database": f"sqlite:///{used_home}/hub.sqlite3",
            "broker": None,
        }
        health = hub.get("/healthz")
        card = json.loads((used_home / "hubs" / f"{hub.port}.json").read_text("utf-8"))
        assert (health.status, health.document) == (
            200,
            {"ok": True, "version": "0.1.0", "instance_id": card["instance_id"]},
        )
        assert card["pid"] == hub.process.pid
        began = time.monotonic()
        err = hub.end()
        assert time.monotonic() - began < 5
    assert hub.process.returncode == 143
    assert err.splitlines()[-1] == "terminated; what was acknowledged is on disk"
    assert list((used_home / "hubs").iterdir()) == []


@pytest.mark.parametrize("handling", [signal.SIG_DFL, signal.SIG_IGN])
def test_ctrl_c_ends_it_with_130_also_where_a_script_began_it(
    used_home: Path, handling: signal.Handlers
) -> None:
    with RunningHub(before=lambda: signal.signal(signal.SIGINT, handling)) as hub:
        hub.end(signal.SIGINT)
    assert hub.process.returncode == 130


def test_the_first_start_makes_one_admin_and_a_link_that_works_once(lab_home: Path) -> None:
    with RunningHub() as hub:
        err = hub.end()
    (first,) = LINK.findall(err)
    assert "without a password" in err
    with RunningHub("--once-link") as hub:
        answers = [hub.get(re.sub(r"http://[^/]+", "", first)) for _ in range(2)]
        cookie = answers[0].headers["Set-Cookie"]
        assert [answer.status for answer in answers] == [302, 401]
        assert answers[0].headers["Location"] == "/admin/"
        err = hub.end()
    assert "without a password" not in err
    assert len(LINK.findall(err)) == 1
    assert first.rpartition("/")[2] not in err
    assert "HttpOnly" in cookie or "csrftoken" in cookie


def test_a_link_for_the_hub_that_runs_is_printed_without_a_second_hub(
    used_home: Path, shell: Shell
) -> None:
    with RunningHub() as hub:
        done = serve("--port", str(hub.port), "--once-link")
        url = json.loads(done.stdout)["url"]
        assert (done.returncode, url.startswith(f"{hub.url}/sign-in/")) == (0, True)
        signed_in = fetch(url)
        cookies = [
            value.partition(";")[0]
            for name, value in signed_in.headers.items()
            if name.lower() == "set-cookie"
        ]
        assert hub.get("/admin/").status == 302
        assert hub.get("/admin/", Cookie="; ".join(cookies)).status == 200


def test_a_link_that_was_forwarded_signs_nobody_in_and_stays_good(used_home: Path) -> None:
    with RunningHub() as hub:
        done = serve("--port", str(hub.port), "--once-link")
        assert done.returncode == 0, done.stderr
        url = json.loads(done.stdout)["url"]
        for header in ("X-Forwarded-For", "Forwarded", "X-Forwarded-Proto"):
            refused = fetch(url, headers={header: "for=10.0.0.9"})
            assert (header, refused.status) == (header, 403)
        assert fetch(url).status == 302
        assert url.rpartition("/")[2] not in hub.end()


def test_a_taken_port_names_the_port_and_our_process(hub: RunningHub) -> None:
    done = serve("--port", str(hub.port), environ={"UNDERSTUDY_HOME": hub.home})
    error = error_of(done)
    assert (done.returncode, done.stdout, error["code"]) == (1, "", "already_exists")
    assert error["message"] == (
        f"port {hub.port} is taken by the hub of this home (pid {hub.process.pid}): {hub.url}"
    )
    assert hub.get("/healthz").status == 200


def test_a_port_that_another_program_has_is_named_without_a_process(used_home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        (used_home / "hubs").mkdir(parents=True)
        card = {"pid": os.getpid(), "host": "127.0.0.1", "port": port, "instance_id": "1"}
        card |= {"url": f"http://127.0.0.1:{port}", "version": "0", "started_at": "then"}
        (used_home / "hubs" / f"{port}.json").write_text(json.dumps(card), "utf-8")
        error = error_of(serve("--port", str(port)))
    assert error["message"] == f"port {port} of 127.0.0.1 is taken by another program"
    assert "pid" not in error["details"]


def test_two_hubs_of_one_home_serve_side_by_side_and_both_leave(used_home: Path) -> None:
    with RunningHub() as one, RunningHub() as other:
        ids = {hub.get("/healthz").document["instance_id"] for hub in (one, other)}
        assert len(ids) == 2
        one.end()
        assert [path.stem for path in (used_home / "hubs").iterdir()] == [str(other.port)]
        assert other.get("/healthz").status == 200


def test_a_damaged_database_is_one_error_and_nothing_listens(lab_home: Path) -> None:
    lab_home.mkdir()
    (lab_home / "hub.sqlite3").write_bytes(b"no database at all\n" * 99)
    done = serve("--port", "0")
    assert (done.returncode, done.stdout) == (1, "")
    assert error_of(done)["code"] == "unreadable"


def test_a_home_that_may_not_be_written_is_one_error(lab_home: Path) -> None:
    lab_home.mkdir(mode=0o500)
    done = serve("--port", "0", before=without_root_powers)
    lab_home.chmod(0o700)
    assert (done.returncode, done.stdout, error_of(done)["code"]) == (1, "", "read_only")
    assert str(lab_home) in error_of(done)["message"]


def test_on_postgresql_it_waits_for_an_operator_and_then_serves(
    lab_home: Path, postgres_url: str
) -> None:
    environ = {"DATABASE_URL": postgres_url}
    refused = error_of(serve("--port", "0", environ=environ))
    assert (
        refused["hint"] == "an operator brings them up to date: "
        "python -m django migrate --settings understudy_site.settings"
    )
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(migrate, cwd=REPOSITORY, env={**os.environ, **environ}, check=True)
    with RunningHub(environ=environ) as hub:
        assert hub.started["database"] == postgres_url
        assert hub.get("/healthz").status == 200
        err = hub.end()
    assert len(LINK.findall(err)) == 1
    assert not (lab_home / "hub.sqlite3").exists()


def test_a_request_that_waits_keeps_the_hub_for_seconds_only(
    demo_home: Path, used_home: Path, shell: Shell
) -> None:
    queued = shell("runs", "queue", "--benchmark", "demo", "--trivial-arms", "null_agent")
    path = f"/api/runs/{queued.document['run_id']}?wait_s=20"
    with RunningHub() as hub, ThreadPoolExecutor(1) as pool:
        token = json.loads(serve("--new-token", "t", "--permissions", "read").stdout)["token"]
        bearer = {"Authorization": f"Bearer {token}"}
        assert fetch(f"{hub.url}/api/runs", headers=bearer).status == 200
        waiting = pool.submit(fetch, hub.url + path, headers=bearer)
        time.sleep(1)
        assert not waiting.done()
        began = time.monotonic()
        hub.end()
        assert time.monotonic() - began < 10
        assert isinstance(waiting.exception(), OSError | HTTPException | None)
    assert hub.process.returncode == 143
    assert list((demo_home / "hubs").iterdir()) == []


def test_another_host_is_refused_everywhere_and_as_a_problem_document_by_the_api(
    hub: RunningHub,
) -> None:
    for path in ("/healthz", "/admin/", "/static/admin/css/base.css", "/sign-in/x"):
        assert (path, hub.get(path, Host="evil.example").status) == (path, 403)
    answer = hub.get("/api/benchmarks", Host="evil.example")
    assert (answer.status, answer.document["code"]) == (403, "bad_origin")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert hub.get("/healthz", Host=f"localhost:{hub.port}").status == 200


def test_behind_a_proxy_cookies_are_secure_and_plain_http_is_refused(lab_home: Path) -> None:
    with RunningHub("--behind-proxy") as hub:
        page = hub.get("/admin/login/", X_Forwarded_Proto="https")
        assert page.status == 200
        assert "; Secure" in page.headers["Set-Cookie"]
        assert hub.get("/admin/login/").status == 403
        plain = hub.get("/api/benchmarks", X_Forwarded_Proto="http")
        assert (plain.status, plain.document["code"]) == (403, "bad_origin")
        assert hub.get("/healthz").status == 200
        link = error_of(serve("--port", str(hub.port), "--once-link"))
        assert link["code"] == "unsupported"
        err = hub.end()
    assert LINK.findall(err) == []
    assert "changepassword" in err


def test_the_front_page_leads_to_the_admin_and_static_files_come_from_the_package(
    used_home: Path,
) -> None:
    with RunningHub() as hub:
        front = hub.get("/")
        assert (front.status, front.headers["Location"]) == (302, "/admin/")
        style = hub.get("/static/admin/css/base.css")
        assert (style.status, style.headers["Content-Type"]) == (200, 'text/css; charset="utf-8"')
        assert style.headers["Access-Control-Allow-Origin"] is None
        assert "StreamingHttpResponse" not in hub.end()


def test_security_headers_stand_on_every_answer(hub: RunningHub) -> None:
    for path in ("/healthz", "/admin/login/", "/nowhere"):
        headers = hub.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Server"] is None


def test_without_a_proxy_nobody_can_claim_tls(hub: RunningHub) -> None:
    page = hub.get("/admin/login/", X_Forwarded_Proto="https")
    assert "; Secure" not in page.headers["Set-Cookie"]


def test_it_says_what_waits_and_that_nobody_executes(
    demo_home: Path, used_home: Path, shell: Shell
) -> None:
    queued = shell("runs", "queue", "--benchmark", "demo", "--trivial-arms", "null_agent")
    run_id = queued.document["run_id"]
    with RunningHub() as hub:
        err = hub.end()
    assert "executors  none at work\n" in err
    assert f"waiting    {run_id} of local--demo\n" in err
    assert "understudy runs execute --all --watch\n" in err


def test_a_token_is_printed_once_and_nothing_is_served(shell: Shell, used_home: Path) -> None:
    words = ("hub", "serve", "--new-token", "ci", "--permissions", "read,review", "--days", "30")
    done = subprocess.run(
        [*UNDERSTUDY, *words, "--agent"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    document = json.loads(done.stdout)
    assert (document["name"], document["permissions"]) == ("ci", ["read", "review"])
    assert document["agent"] is True
    assert document["token"].startswith("understudy_")
    with RunningHub() as hub:
        assert "without a password" not in hub.end()
        bearer = {"Authorization": f"Bearer {document['token']}"}
    assert document["token"] not in hub.err
    assert bearer["Authorization"].encode() not in (used_home / "hub.sqlite3").read_bytes()
    again = error_of(serve("--new-token", "ci"))
    assert again["code"] == "already_exists"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--permissions", "read"), "--permissions: no token is asked for"),
        (("--days", "3", "--agent"), "--days, --agent: no token is asked for"),
        (("--host", "0.0.0.0"), "--host 0.0.0.0 is reached by other machines"),
        (("--port", "65536"), "'65536' is not an integer from 0..65535"),
    ],
)
def test_what_cannot_be_served_is_refused_before_anything_is_made(
    shell: Shell, lab_home: Path, words: tuple[str, ...], said: str
) -> None:
    ran = shell("hub", "serve", *words)
    assert (ran.code, ran.out, ran.error["code"]) == (2, "", "invalid_arguments")
    assert said in ran.error["message"]
    assert not lab_home.exists()
