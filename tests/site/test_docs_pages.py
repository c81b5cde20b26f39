"""The pages of docs/: their commands run, their links lead somewhere, and made ones are current."""

import re
from pathlib import Path

import pytest

from tests.pages import blocks, run_blocks
from understudy_site.docs import DOCS

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
WRITTEN = sorted(path.name for path in DOCS.glob("*.md"))


def test_every_command_of_the_tour_runs(tmp_path: Path, lab_home: Path) -> None:
    page = (DOCS / "index.md").read_text("utf-8")
    ran = run_blocks(blocks(page), tmp_path / "tour", lab_home)
    assert ran.returncode == 0, ran.stderr
    assert '"task_id": "task-93371eb9262dd567"' in ran.stdout
    assert '"stage": "promoted"' in ran.stdout
    assert '"door": "rest"' in ran.stdout
    assert "sign in (10 minutes, once, from this machine): http" in ran.stderr


@pytest.mark.parametrize("name", WRITTEN)
def test_the_links_of_a_page_lead_somewhere(name: str) -> None:
    text = (DOCS / name).read_text("utf-8")
    for target in LINK.findall(text):
        if not target.startswith(("http:", "https:")):
            assert (DOCS / target).exists(), (name, target)
