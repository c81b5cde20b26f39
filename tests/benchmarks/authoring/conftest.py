"""The evidence of the refund desk: order A-1001 refunded, order B-2005 looked up."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.authoring.context import context_of
from benchmarks.authoring.evidence import Evidence
from benchmarks.authoring.prompt import messages_of
from benchmarks.services.authoring_desk import AuthoringDesk, read_desk
from tests.authors import good_reply
from tests.benchmarks.services.factories import build, desk

Reply = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def authoring_desk(tmp_path_factory: pytest.TempPathFactory) -> AuthoringDesk:
    folder = tmp_path_factory.mktemp("authoring")
    build(folder / "desk", desk(folder / "source"))
    return read_desk(BenchmarkDir(Path(folder / "desk")))


def about(authoring_desk: AuthoringDesk, order: str) -> Evidence:
    """The task about an order, its verifier fixtures left out."""
    found = map(authoring_desk.evidence, authoring_desk.tasks)
    return replace(next(each for each in found if order in each.boundary_text), known=())


@pytest.fixture
def refund(authoring_desk: AuthoringDesk) -> Evidence:
    """My toaster of order A-1001 arrived in 3 pieces!"""
    return about(authoring_desk, "A-1001")


@pytest.fixture
def look_up(authoring_desk: AuthoringDesk) -> Evidence:
    """Did you send the whisk I bought, B-2005, yet or not?"""
    return about(authoring_desk, "B-2005")


@pytest.fixture
def good() -> Reply:
    """The reply of a careful author, with some of it replaced."""

    def reply(evidence: Evidence, **changes: Any) -> dict[str, Any]:
        said = good_reply({"messages": messages_of(context_of(evidence))})
        contract = {**said["contract"], **changes.pop("contract", {})}
        return {**said, "contract": contract, **changes}

    return reply
