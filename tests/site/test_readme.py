"""Every command of the README runs, in its order, in a folder that holds captures."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.driving import Shell
from tests.pages import blocks, run_blocks

REPOSITORY = Path(__file__).resolve().parents[2]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
BLOCKS = blocks(README)
HUB = [block for block in BLOCKS if "hub serve" in block]
COMMANDS = [line for block in BLOCKS if block not in HUB for line in block.splitlines()]


def test_the_first_two_commands_are_the_set_up() -> None:
    assert [line.split("#")[0].strip() for line in COMMANDS[:2]] == ["make demo", "make test"]


def test_the_readme_is_at_most_150_lines() -> None:
    assert len(README.splitlines()) <= 150


def test_every_other_command_runs(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(REPOSITORY / "understudy_site" / "demo_data", tmp_path / "captures")
    monkeypatch.chdir(tmp_path)
    for line in COMMANDS[2:]:
        words = shlex.split(line)
        assert words[0] == "understudy"
        ran = shell(*words[1:])
        assert (line, ran.code) == (line, 0), ran.err


def test_the_hub_serves_and_a_token_reads_it(tmp_path: Path, lab_home: Path) -> None:
    assert len(HUB) == 2
    ran = run_blocks(HUB, tmp_path, lab_home)
    assert ran.returncode == 0, ran.stderr
    started, answer = ran.stdout.splitlines()
    assert json.loads(started)["url"].startswith("http://127.0.0.1:")
    assert json.loads(answer)["results"] == []


def test_what_the_demo_prints_stands_in_the_readme_but_for_times(
    shell: Shell, lab_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    def untimed(text: str) -> list[str]:
        plain = re.sub(r"[0-9.]+ (ms|s)\b", "T", re.sub("─+", "─", text))
        lines = (" ".join(line.split()) for line in plain.splitlines())
        return [line for line in lines if line]

    (shown,) = re.findall(r"prints first.*?```\n(.*?)```", README, flags=re.S)
    block = untimed(shown)
    assert untimed(shell("demo", "--format", "text").out)[: len(block)] == block


def test_every_inline_command_names_a_verb(shell: Shell) -> None:
    for words in re.findall(r"`understudy ([a-z]+ [a-z-]+)", README):
        ran = shell(*words.split(), "--help")
        assert (words, ran.code) == (words, 0)


def test_the_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (REPOSITORY / target).exists(), target


@pytest.mark.skipif(not os.environ.get("CI"), reason="sets up a second environment: only in CI")
def test_make_demo_sets_up_a_clean_copy_and_ends_with_the_next_command(tmp_path: Path) -> None:
    """`.ci/run` plays it beside its own setting up, and names the file of what it printed."""
    made = os.environ.get("UNDERSTUDY_TEST_MADE_DEMO")
    printed = Path(made).read_text("utf-8") if made else made_demo(tmp_path)
    assert printed.splitlines()[-1] == "understudy traces doctor <your captures>"
    assert "setting up .venv (once) ..." in printed


def made_demo(folder: Path) -> str:
    """What `make demo` prints in a clone of this repository."""
    clone = folder / "clone"
    subprocess.run(["git", "clone", "-q", str(REPOSITORY), str(clone)], check=True)
    done = subprocess.run(
        ["make", "--no-print-directory", "demo", f"PYTHON={sys.executable}"],
        cwd=clone,
        env={**os.environ, "UNDERSTUDY_HOME": str(folder / "home"), "VIRTUAL_ENV": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
