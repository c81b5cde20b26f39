"""What is installed is the whole product: every file of the packages is in the wheel."""

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.hubs import RunningHub

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGES = ("understudy_site", "benchmarks", "reviews", "runs")


@pytest.mark.skipif(not os.environ.get("CI"), reason="builds a wheel: only in CI")
def test_a_hub_from_the_wheel_has_its_pages_styles_and_scripts(
    tmp_path: Path, lab_home: Path
) -> None:
    wheel = built(tmp_path)
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if name.startswith(PACKAGES)}
        archive.extractall(tmp_path / "site")
    assert inside == kept()
    environ = {"PYTHONPATH": str(tmp_path / "site"), "PYTHONSAFEPATH": "1"}
    with RunningHub(environ=environ) as hub:
        page = hub.get("/admin/login/")
        assert page.status == 200
        assert b"Understudy" in page.body
        for path in ("lab/lab.css", "lab/lab.js", "reviews/keys.js", "reviews/reviews.css"):
            assert (path, hub.get(f"/static/{path}").status) == (path, 200)


def built(folder: Path) -> Path:
    """The wheel of this checkout, made by whichever installer made the environment."""
    if importlib.util.find_spec("pip") is not None:
        command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder)]
    else:
        command = ["uv", "build", "-q", "--wheel", "-o", str(folder)]
    subprocess.run([*command, str(REPOSITORY)], check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def kept() -> set[str]:
    """The files of the packages under version control."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *PACKAGES],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(listed.stdout.split("\0")) - {""}
