"""docs/settings.md and docs/files.md say what the code reads and writes, all of it."""

import ast
from pathlib import Path

import pytest

from benchmarks.artifacts import home, layout
from benchmarks.artifacts.layout import DocumentFile, LedgerFile, ListFile, MapFile, TableFile
from benchmarks.artifacts.settings import CONCURRENCY, HUB_PORT, read_settings
from benchmarks.artifacts.variables import SECTIONS
from benchmarks.records.row import Row
from understudy_site.reference_pages import files_page, settings_page
from understudy_site.sidecars import DIRECTORY, DIRECTORY_PLAIN, HOME

REPOSITORY = Path(__file__).resolve().parents[2]
FILES = (LedgerFile, TableFile, DocumentFile, ListFile, MapFile)
PREFIXES = ("UNDERSTUDY_", "OPENAI_", "ANTHROPIC_", "OLLAMA_", "BENCHMARK_HUB_", "NO_COLOR")
OWN = {"UNDERSTUDY_MIRRORS"}
"""A name of Django's settings, no variable."""
FUNCTIONS = {"request", "overrides", "rows", "trajectories", "live"}


def named_in_code() -> set[str]:
    """Every constant of the code that is the name of an environment variable."""
    found: set[str] = set()
    for app in ("benchmarks", "reviews", "runs", "understudy_site"):
        for path in (REPOSITORY / app).rglob("*.py"):
            if path.name == "variables.py":
                continue
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.add(node.value)
    whole = {name for name in found if name.replace("_", "").isupper() and name.isidentifier()}
    return {
        name
        for name in whole
        if name in {"DATABASE_URL", "REDIS_URL"} or (name.startswith(PREFIXES) and name[-1] != "_")
    } - OWN


def test_every_variable_that_the_code_names_is_on_the_page_and_no_other() -> None:
    listed = [name for _, variables in SECTIONS for each in variables for name in each.names]
    assert len(listed) == len(set(listed))
    assert set(listed) == named_in_code()


def test_the_defaults_on_the_page_are_those_of_the_reader() -> None:
    settings = read_settings({})
    assert (settings.concurrency, settings.hub_port) == (CONCURRENCY, HUB_PORT) == (8, 1421)
    page = settings_page()
    assert "| `UNDERSTUDY_HUB_PORT` | 1421 |" in page
    assert "| `UNDERSTUDY_CONCURRENCY` | 8 |" in page


def test_every_file_of_the_layout_is_on_the_page() -> None:
    listed = {each.file.path for _, sidecars in DIRECTORY for each in sidecars}
    constants = {value.path for value in vars(layout).values() if isinstance(value, FILES)}
    families = {
        layout.request("RUN").path,
        layout.overrides("RUN").path,
        layout.rows("RUN", "ARM").path,
        layout.trajectories("RUN", "ARM").path,
        layout.live("RUN", "ARM").path,
    }
    assert listed == constants | families
    locks = {layout.CLAIM_LOCK, layout.WATCH_LOCK, layout.GUARD_LOCK, layout.RIGOR_TEXT}
    assert locks < {each.name for each in DIRECTORY_PLAIN}


def test_no_family_of_files_is_forgotten() -> None:
    tree = ast.parse(Path(layout.__file__).read_bytes())
    makers = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and node.returns is not None
        and ast.unparse(node.returns).startswith(("LedgerFile", "DocumentFile", "TableFile"))
    }
    assert makers == FUNCTIONS


def test_the_homes_records_are_on_the_page() -> None:
    listed = {each.file.path for each in HOME}
    assert {home.AUDIT.path, home.job("JOB").path, home.hub_card(1421).path} < listed


@pytest.fixture(scope="module")
def page_of_files() -> str:
    return files_page()


@pytest.mark.parametrize(
    "key", [key for _, key, _ in Row.written_fields if key != "schema_version"]
)
def test_every_key_of_a_row_is_on_the_page(page_of_files: str, key: str) -> None:
    section = page_of_files.partition("### `rows-RUN-ARM.jsonl`")[2].partition("\n### ")[0]
    assert f"| `{key}` |" in section


def test_links_to_parts_lead_to_a_heading(page_of_files: str) -> None:
    headings = {line[4:].lower() for line in page_of_files.splitlines() if line.startswith("### ")}
    links = {part.partition(")")[0] for part in page_of_files.split("](#")[1:]}
    assert links
    assert links <= headings
