"""What costs seconds and is not written to is made once for all of pytest's processes."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder of this test session, filled by the first process that asks for `name`.

    Where making it fails, the next one that asks tries anew in a folder of its own.
    """
    base = factory.getbasetemp()
    root = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    done = root / f"once-{name}.done"
    with FileLock(root / f"once-{name}.lock"):
        if not done.exists():
            folder = factory.mktemp(f"once-{name}")
            make(folder)
            done.write_text(str(folder), encoding="utf-8")
    return Path(done.read_text(encoding="utf-8"))
