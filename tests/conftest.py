"""What every test may ask for."""

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


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
