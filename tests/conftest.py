"""What every test may ask for."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.admin import base
from benchmarks.api import calls
from benchmarks.artifacts.home import Home
from benchmarks.doors.jobs import Jobs
from benchmarks.mirror import syncing
from reviews.admin import inbox_page
from tests.demo import PlayedDemo, play_demo, read_demo
from tests.distributing import FileByFile, put_long_first
from tests.driving import Shell
from tests.forking import start_job
from tests.postgres import fresh_database
from tests.rounds import add_rounds
from tests.sharing import made_once
from tests.tables import DATABASE, give_tables, make_tables

pytest_plugins = ("tests.browser",)

PATIENCE_S = 60.0
REPOSITORY = Path(__file__).resolve().parent.parent
KEPT = "UNDERSTUDY_TEST_"
DATABASE_URL = "UNDERSTUDY_TEST_DATABASE_URL"
QUIET_ROOMS = (
    "records", "artifacts", "stats", "contract", "versioning", "gateway", "intake", "foundry",
    "environment", "audit", "authoring",
)  # fmt: skip
QUIET_TESTS = frozenset(REPOSITORY / "tests" / "benchmarks" / room for room in QUIET_ROOMS)
DATABASE_FIXTURES = {"db", "transactional_db", "django_db_reset_sequences", "live_server"}
FOREIGN = ("UNDERSTUDY_", "OPENAI_", "ANTHROPIC_", "BENCHMARK_HUB_", "OLLAMA_")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """With a database named, the tests of rooms that see no Django are not even read."""
    if os.environ.get(DATABASE_URL) and collection_path in QUIET_TESTS:
        return True
    return None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """UNDERSTUDY_TEST_ROUNDS repeats every test that is run."""
    add_rounds(metafunc)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FileByFile:
    """How the tests are shared out among pytest's processes."""
    return FileByFile(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes long runs first; with a database named, only what may differ on it runs.

    That is every test which uses a database, but for those that are marked `any_database`: what is
    in the browser, who may see which button, and routes whose answer comes from files.
    """
    put_long_first(items)
    if not os.environ.get(DATABASE_URL):
        return
    uses: list[pytest.Item] = []
    rest: list[pytest.Item] = []
    for item in items:
        (uses if _depends_on_database(item) else rest).append(item)
    config.hook.pytest_deselected(items=rest)
    items[:] = uses


def _depends_on_database(item: pytest.Item) -> bool:
    if item.get_closest_marker("any_database") is not None:
        return False
    fixtures = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(fixtures & DATABASE_FIXTURES)


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real inputs; outside CI a missing one skips, in CI it fails."""
    folder = Path(os.environ.get("UNDERSTUDY_TEST_DATA") or REPOSITORY.parent / "shared" / "data")
    if not folder.is_dir():
        reason = f"no real inputs at {folder}: set UNDERSTUDY_TEST_DATA"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """A PostgreSQL database of the test alone; without a server it skips, in CI it fails."""
    server = os.environ.get("UNDERSTUDY_TEST_POSTGRES_URL")
    if not server:
        reason = "no PostgreSQL server: set UNDERSTUDY_TEST_POSTGRES_URL"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with fresh_database(server) as url:
        yield url


@pytest.fixture(autouse=True)
def lab_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own: no test reads or writes the user's."""
    for name in list(os.environ):
        if name.startswith(FOREIGN) and not name.startswith(KEPT):
            monkeypatch.delenv(name)
    # A process that the test starts has the product's settings; this one has its own already.
    monkeypatch.delenv("DJANGO_SETTINGS_MODULE", raising=False)
    home = tmp_path / "home"
    monkeypatch.setenv("UNDERSTUDY_HOME", str(home))
    return home


@pytest.fixture(autouse=True)
def patient_mirror(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages and routes wait for the mirror as long as a busy machine needs: no test is timed."""
    monkeypatch.setitem(syncing.catch_up.__kwdefaults__, "budget_s", PATIENCE_S)
    monkeypatch.setattr(calls, "CATCH_UP_S", PATIENCE_S)
    for module in (base, inbox_page):
        monkeypatch.setattr(module, "AFTER_WRITE_S", PATIENCE_S)


@pytest.fixture(autouse=True)
def forked_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes of jobs are forked from a warm one; `test_jobs.py` starts them as doors do."""
    monkeypatch.setattr(Jobs, "_spawn", start_job)


@pytest.fixture(scope="session")
def played_demo(tmp_path_factory: pytest.TempPathFactory) -> PlayedDemo:
    """The demo as it was played once, not to be written to."""
    folder = made_once(tmp_path_factory, "demo", lambda folder: play_demo(folder / "home"))
    return read_demo(folder / "home")


@pytest.fixture(scope="session")
def made_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a home in which a hub was started before; not written to."""
    return made_once(tmp_path_factory, "tables", make_tables) / DATABASE


@pytest.fixture
def used_home(lab_home: Path, made_tables: Path) -> Path:
    """The test's home, no longer new: it has tables, an admin and a token."""
    give_tables(lab_home, made_tables)
    return lab_home


@pytest.fixture
def demo_home(lab_home: Path, played_demo: PlayedDemo) -> Path:
    """The test's home, in which the demo has run: `benchmarks/demo`, promoted."""
    Home(lab_home).ensure()
    shutil.copytree(played_demo.benchmarks, lab_home / "benchmarks")
    return lab_home


@pytest.fixture
def shell(capfd: pytest.CaptureFixture[str]) -> Shell:
    """`shell("traces", "doctor", path)` runs a verb in this process."""
    return Shell(capfd)
