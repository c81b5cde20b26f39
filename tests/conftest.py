"""What every test may ask for."""

import os
from pathlib import Path

import pytest

from tests.driving import Shell

REPOSITORY = Path(__file__).resolve().parent.parent
KEPT = {"UNDERSTUDY_TEST_DATA"}
FOREIGN = ("UNDERSTUDY_", "OPENAI_", "ANTHROPIC_", "BENCHMARK_HUB_", "OLLAMA_")


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


@pytest.fixture(autouse=True)
def lab_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own: no test reads or writes the user's."""
    for name in list(os.environ):
        if name.startswith(FOREIGN) and name not in KEPT:
            monkeypatch.delenv(name)
    # A process that the test starts has the product's settings; this one has its own already.
    monkeypatch.delenv("DJANGO_SETTINGS_MODULE", raising=False)
    home = tmp_path / "home"
    monkeypatch.setenv("UNDERSTUDY_HOME", str(home))
    return home


@pytest.fixture
def shell(capfd: pytest.CaptureFixture[str]) -> Shell:
    """`shell("traces", "doctor", path)` runs a verb in this process."""
    return Shell(capfd)
