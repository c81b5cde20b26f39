"""A benchmark is built over REST: a job that calls the one service of every door."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from tests.benchmarks.services.factories import desk
from tests.rest import Rest

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
URL = "/api/benchmarks"
WAIVED = {"waive_pilot": "a test of the door", "confirm": True}
BODY = {"from": "traces", "source": "desk", "name": "made", **WAIVED, "wait_s": 20}


@pytest.fixture
def captures(lab_home: Path) -> Path:
    """The folder that the hub may read, with four refunds and two look-ups."""
    desk(lab_home / "captures" / "desk")
    return lab_home / "captures"


def chief() -> Rest:
    """A caller who may also give waivers."""
    return Rest("read", "build", "admin", name="chief")


def made(lab_home: Path) -> BenchmarkDir:
    """The directory that the tests build."""
    return BenchmarkDir(lab_home / "benchmarks" / "made")


def test_captures_become_a_proposed_benchmark(captures: Path, lab_home: Path) -> None:
    answered = chief().post(URL, BODY)
    assert answered.status == 200
    built = answered.document
    assert (built["slug"], built["counts"]["captures"]) == ("local--made", 16)
    assert len(made(lab_home).read(layout.TASKS).records) == built["counts"]["tasks"] > 0


def test_without_waiting_it_is_a_job_with_an_address(captures: Path) -> None:
    rest = chief()
    begun = rest.post(URL, {**BODY, "wait_s": 0})
    assert (begun.status, begun.document["pending"]) == (202, True)
    assert begun.document["job"]["kind"] == "build_benchmark"
    ended = rest.get(begun.headers["Location"] + "/result", wait_s=20)
    assert (ended.status, ended.document["slug"]) == (200, "local--made")


def test_a_dry_run_writes_nothing(captures: Path, lab_home: Path) -> None:
    answered = chief().post(URL, {**BODY, "dry_run": True})
    assert (answered.status, answered.document["counts"]["captures"]) == (200, 16)
    assert not made(lab_home).path.exists()


def test_a_benchmark_that_is_there_is_built_again_by_its_slug(captures: Path) -> None:
    rest = chief()
    first = rest.post(URL, BODY).document
    again = rest.post(URL, {"slug": "local--made", "rebuild": True, **WAIVED, "wait_s": 20})
    assert (again.status, again.document["counts"]["tasks"]) == (200, first["counts"]["tasks"])


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"source": "desk"}, 400, "invalid_arguments"),
        ({"source": "desk", "name": "made", "slug": "local--made"}, 400, "invalid_arguments"),
        ({"source": "desk", "name": "../made"}, 400, "invalid_arguments"),
        ({"source": "../secret_key", "name": "made"}, 403, "outside_root"),
        ({"source": "nowhere", "name": "made"}, 404, "source_not_found"),
        ({"source": ["desk"] * 65, "name": "made"}, 400, "invalid_arguments"),
        ({"slug": "local--nothing"}, 404, "unknown_benchmark"),
        ({"from": "dataset", "source": "desk", "name": "made"}, 400, "invalid_arguments"),
    ],
)
def test_what_is_wrong_starts_no_job(
    captures: Path, lab_home: Path, body: dict[str, Any], status: int, code: str
) -> None:
    answered = Rest().post(URL, body)
    assert (answered.status, answered.code) == (status, code)
    assert not (lab_home / "jobs").exists()


def test_it_needs_build_and_a_waiver_an_admin(captures: Path, lab_home: Path) -> None:
    assert Rest("read", "review", name="reader").post(URL, BODY).code == "forbidden"
    builder = Rest("read", "build", name="builder")
    assert builder.post(URL, BODY).code == "forbidden"
    built = builder.post(URL, {key: BODY[key] for key in BODY if key not in WAIVED})
    assert (built.status, built.document["counts"]["tasks"]) == (200, 1)
