"""The floors that import-linter does not hold: sizes, circles, quiet rooms without frameworks."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGES = ("understudy_site", "benchmarks", "reviews", "runs")
LINES, FUNCTION_LINES = 400, 60
FRAMEWORKS = ("django", "mcp", "mcp_types", "celery", "rest_framework", "redis", "rich")
LOUD = (
    "doors",
    "verbs",
    "mcp_tools",
    "mcp_regrading",
    "apps",
    "models",
    "migrations",
    "mirror",
    "selectors",
    "api",
    "admin",
    "tasks",
    "lease",
    "mcp_server",
    "templatetags",
)


def sources() -> list[Path]:
    found = [path for name in PACKAGES for path in sorted((REPOSITORY / name).rglob("*.py"))]
    return [path for path in found if "migrations" not in path.parts]


def module_of(path: Path) -> str:
    parts = path.relative_to(REPOSITORY).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_no_file_is_longer_than_400_lines() -> None:
    every = [*sources(), *sorted((REPOSITORY / "tests").rglob("*.py"))]
    lengths = {
        str(path.relative_to(REPOSITORY)): len(path.read_bytes().splitlines()) for path in every
    }
    assert {name: lines for name, lines in lengths.items() if lines > LINES} == {}


def test_no_function_is_longer_than_60_lines() -> None:
    long = {}
    for path in sources():
        for node in functions(ast.parse(path.read_bytes())):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                long[f"{path.relative_to(REPOSITORY)}:{node.name}"] = lines
    assert long == {}


def imports_of(path: Path, known: set[str]) -> set[str]:
    """The project's modules that a file imports, at the top or inside a function."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found & known


def circles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Each group of modules that reach one another (Tarjan's strongly connected components)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in edges[name]:
            if other not in order:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            group = [stack.pop()]
            while group[-1] != name:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(sorted(group))

    for name in edges:
        if name not in order:
            visit(name)
    return found


def test_no_import_circle_even_counting_lazy_imports() -> None:
    paths = {module_of(path): path for path in sources()}
    known = set(paths)
    edges = {name: imports_of(path, known) - {name} for name, path in paths.items()}
    assert circles(edges) == []


def test_the_circle_finder_finds_a_circle() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]


def test_the_apps_own_init_files_are_empty() -> None:
    assert [
        name for name in PACKAGES if (REPOSITORY / name / "__init__.py").read_text("utf-8")
    ] == []


def quiet_modules() -> list[str]:
    names = [module_of(path) for path in sources()]
    return [
        name
        for name in names
        if not name.startswith("understudy_site") and not set(name.split(".")) & set(LOUD)
    ]


def test_quiet_rooms_import_with_every_framework_masked() -> None:
    code = (
        "import sys, importlib\n"
        f"for name in {FRAMEWORKS!r}: sys.modules[name] = None\n"
        f"for name in {quiet_modules()!r}: importlib.import_module(name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_import_floors_hold() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())",
        ],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("word", ["utils", "helpers", "common", "misc", "manager"])
def test_no_room_has_a_name_that_says_nothing(word: str) -> None:
    assert [path for path in sources() if path.stem == word or word in path.parts] == []
