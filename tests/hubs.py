"""A real hub in a process of its own, on a free port."""

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.executing import REPOSITORY, environment

UNDERSTUDY = [sys.executable, "-m", "understudy_site.cli"]
START_S = 60
NO_PROXY = urllib.request.ProxyHandler({})


class Stay(urllib.request.HTTPRedirectHandler):
    """Redirects are answers here."""

    def redirect_request(self, *args: object, **words: object) -> None:
        """Go nowhere."""


class Answer:
    """What came back."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Keep it."""
        self.status, self.headers, self.body = status, headers, body

    @property
    def document(self) -> Any:
        """The JSON of the body."""
        return json.loads(self.body)


def fetch(
    url: str, *, headers: Mapping[str, str] | None = None, body: bytes | None = None
) -> Answer:
    """One request; a refusal is an answer as well."""
    opener = urllib.request.build_opener(NO_PROXY, Stay())
    request = urllib.request.Request(url, data=body, headers=dict(headers or {}))
    try:
        with opener.open(request, timeout=30) as answer:
            return Answer(answer.status, answer.headers, answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, error.headers, error.read())


class RunningHub:
    """`with RunningHub() as hub:` serves until the block ends."""

    def __init__(
        self,
        *words: str,
        home: Path | None = None,
        environ: Mapping[str, str] | None = None,
        before: Callable[[], object] | None = None,
    ) -> None:
        """`words` follow `hub serve --port 0`; `before` runs in the child before it.

        With `home` it serves that one, and sees nothing of the environment of this process.
        """
        inherited = dict(os.environ) if home is None else environment(home)
        self.home = inherited["UNDERSTUDY_HOME"]
        self.process = subprocess.Popen(
            [*UNDERSTUDY, "hub", "serve", "--port", "0", *words],
            cwd=REPOSITORY,
            env={**inherited, **(environ or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=before,
            text=True,
        )
        self.err = ""
        self.started: dict[str, Any] = {}

    def __enter__(self) -> Self:
        """Wait until it answers."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.end()
        self.started = json.loads(line)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it."""
        self.end()

    @property
    def url(self) -> str:
        """Where it answers."""
        return str(self.started["url"])

    @property
    def port(self) -> int:
        """The real port."""
        return int(self.url.rpartition(":")[2])

    def get(self, path: str, **headers: str) -> Answer:
        """GET; `Accept_Language` is the header `Accept-Language`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return fetch(self.url + path, headers=named)

    def end(self, number: int = signal.SIGTERM) -> str:
        """Send a signal, wait for the end, and return what it said on stderr."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        _, err = self.process.communicate(timeout=START_S)
        self.err += err
        return self.err
