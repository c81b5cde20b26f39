"""Driving the doors as their users do: the shell in this process, and MCP tools by name."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from understudy_site.cli import main


@dataclass(frozen=True)
class Ran:
    """What a command line left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The JSON on stdout."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """The error document: the last line on stderr."""
        found: dict[str, Any] = json.loads(self.err.strip().splitlines()[-1])["error"]
        return found


class Shell:
    """Runs verbs in this process and captures both streams."""

    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        """Capture through pytest's file-descriptor fixture."""
        self._capfd = capfd

    def __call__(self, *words: object) -> Ran:
        """Run one command line."""
        self._capfd.readouterr()
        code = main([str(word) for word in words])
        out, err = self._capfd.readouterr()
        return Ran(code, out, err)
