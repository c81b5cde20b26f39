"""Every verb and every MCP tool is driven by some test."""

import ast
from functools import cache
from pathlib import Path

from understudy_site.cli import VERBS
from understudy_site.tools import TOOLS

TESTS = Path(__file__).resolve().parents[1]


@cache
def words_in_calls() -> set[tuple[str, ...]]:
    """The first two constant strings of every call in the tests, and each alone."""
    found: set[tuple[str, ...]] = set()
    for path in TESTS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call):
                items: list[ast.expr] = list(node.args)
                for argument in node.args:
                    if isinstance(argument, ast.List | ast.Tuple):
                        items = argument.elts
                said = [
                    item.value
                    for item in items
                    if isinstance(item, ast.Constant) and isinstance(item.value, str)
                ]
                found.add(tuple(said[:1]))
                found |= set(zip(said, said[1:], strict=False))
    return found


def test_every_verb_has_a_test() -> None:
    said = words_in_calls()
    untested = [
        f"{entry.noun} {entry.name}"
        for entry in VERBS
        if ((entry.noun, entry.name) if entry.name else (entry.noun,)) not in said
    ]
    assert untested == []


def test_every_tool_has_a_test() -> None:
    said = words_in_calls()
    assert [entry.name for entry in TOOLS if (entry.name,) not in said] == []
