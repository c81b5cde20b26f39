"""A refund desk, and people at its doors."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.artifacts.roots import Located
from benchmarks.records.caller import Caller
from tests.reviews.desks import make_desk


@pytest.fixture
def desk(tmp_path: Path) -> Located:
    return make_desk(tmp_path)


@pytest.fixture
def now() -> datetime:
    return datetime(2026, 11, 4, 9, 0, tzinfo=UTC)


@pytest.fixture
def mira() -> Caller:
    return Caller(actor="os:mira", door="shell")


@pytest.fixture
def agent() -> Caller:
    return Caller(actor="mcp:claude-code@mira", door="mcp")
