"""docs/settings.md and docs/files.md, from the tables and records that the code itself reads by."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from benchmarks.artifacts.folder import AnyFile
from benchmarks.artifacts.layout import DocumentFile
from benchmarks.artifacts.variables import SECTIONS, Variable
from benchmarks.records.base import AS_GIVEN, OPTIONAL, Record
from understudy_site.sidecars import (
    DIRECTORY,
    DIRECTORY_PLAIN,
    HOME,
    HOME_PLAIN,
    Plain,
    Sidecar,
)

SETTINGS_INTRO = """\
# Settings

A flag beats the environment, which beats `.understudy/config.json` of the nearest project, which
beats the files of the home, which beat the default. A project file names `captures`, `benchmarks`
and `workload` and nothing else: a cloned repository must not redirect anything. `.env` files are
not read. A value that does not parse is one error that names variable, value and form, before
anything is done.
"""


def settings_page() -> str:
    """Every environment variable: its default and what it means."""
    lines = [SETTINGS_INTRO]
    for title, variables in SECTIONS:
        lines += [f"## {title}", "", "| variable | default | meaning |", "|---|---|---|"]
        lines += [_variable_row(variable) for variable in variables]
        lines.append("")
    return "\n".join(lines)


def _variable_row(variable: Variable) -> str:
    names = ", ".join(f"`{name}`" for name in variable.names)
    return f"| {names} | {variable.default} | {variable.meaning} |"


FILES_INTRO = """\
# Files

A benchmark is a directory, and the directory is the truth: the hub's tables are a mirror of it
that can be dropped and read again. Copying the directory copies the benchmark.

- A **ledger** is JSON lines that are only ever appended: one line in one write, synced before it is
  acknowledged. A last line without its newline was never acknowledged: readers skip it, the next
  writer cuts it off.
- A **document** (an object, an array or a map of records) and a **table** (JSON lines that people
  may edit) are replaced whole: a reader sees the old file or the new one.
- Readers take what people have: CRLF, blank lines, a byte order mark, unknown keys, which are kept
  and written back. A malformed line is counted and named, and costs nothing but itself.
- What is absent is not null. A key that is written *when known* is left out where it has no value,
  one that is always written is null there, one written *when said* is null where somebody said so.
- Recorded paths are relative to the directory. Names made from ids are made safe first:
  `RUN`, `ARM` and `JOB` below stand for them.
- Files are 0600, folders 0700. An edit is made under `runs/guard.lock`, reading again inside it.
"""
KINDS = {
    "LedgerFile": "ledger",
    "TableFile": "table",
    "DocumentFile": "document",
    "ListFile": "array",
    "MapFile": "map",
}
WRITTEN = {OPTIONAL: "when known", AS_GIVEN: "when said"}


def files_page() -> str:
    """Every file: who writes it, who reads it, and its keys as the records have them."""
    parts = _Parts()
    lines = [FILES_INTRO]
    for title, sidecars in DIRECTORY:
        lines += _section(title, sidecars, parts)
    lines += _plain_section("Files without records", DIRECTORY_PLAIN)
    lines += _section("The home", HOME, parts)
    lines += _plain_section("Further in the home", HOME_PLAIN)
    lines += ["## Parts of records", ""]
    lines += parts.lines()
    return "\n".join(lines)


def _section(title: str, sidecars: Sequence[Sidecar], parts: "_Parts") -> Iterator[str]:
    yield from (f"## {title}", "")
    for sidecar in sidecars:
        yield from _sidecar(sidecar, parts)


def _sidecar(sidecar: Sidecar, parts: "_Parts") -> Iterator[str]:
    file = sidecar.file
    yield from (f"### `{file.path}`", "")
    schemas = schemas_of(file)
    named = f", {' or '.join(f'`{each}`' for each in schemas)}" if schemas else ""
    yield f"{KINDS[type(file).__name__].capitalize()}{named}."
    yield f"Written by: {sidecar.writer}. Read by: {sidecar.readers}."
    yield from ("", *_keys(file.record, parts), "")


def _plain_section(title: str, files: Sequence[Plain]) -> Iterator[str]:
    yield from (f"## {title}", "", "| name | what it is |", "|---|---|")
    yield from (f"| `{each.name}` | {each.what} |" for each in files)
    yield ""


def schemas_of(file: AnyFile[Any]) -> tuple[str, ...]:
    """The schema ids of a file: those it may have, or the one that its record writes of itself."""
    if isinstance(file, DocumentFile) and file.accepts:
        return file.accepts
    field = file.record.model_fields.get("schema_version")
    found = field.default if field is not None else None
    return (found,) if isinstance(found, str) else ()


def _keys(record: type[Record], parts: "_Parts") -> list[str]:
    """The table of a record's keys, in the order in which they are written."""
    fields = [each for each in record.written_fields if each[0] != "schema_version"]
    if not fields:
        return ["Any JSON object."]
    said = _field_docs(record)
    lines = ["| key | value | written | meaning |", "|---|---|---|---|"]
    for name, key, presence in fields:
        info = record.model_fields[name]
        shown = parts.name_of(info.annotation).replace("|", "\\|")
        written = WRITTEN.get(presence, "always")
        if presence == OPTIONAL:
            shown = shown.removesuffix(" or null")
        lines.append(f"| `{key}` | {shown} | {written} | {said.get(name, '')} |")
    return lines


def _field_docs(record: type[Record]) -> dict[str, str]:
    """What stands below each field, in its class or in one that it inherits from."""
    found: dict[str, str] = {}
    for kind in reversed(record.__mro__):
        if kind is Record or not issubclass(kind, Record):
            continue
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
        assert isinstance(tree, ast.ClassDef)
        for field, below in pairwise(tree.body):
            text = _docstring(below)
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and text:
                found[field.target.id] = text
    return found


def _docstring(node: ast.stmt) -> str | None:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        value = node.value.value
        return " ".join(value.split()).replace("|", "\\|") if isinstance(value, str) else None
    return None


class _Parts:
    """Records inside records: each is described once, in the order in which they are met."""

    def __init__(self) -> None:
        self._met: dict[type[Record], None] = {}

    def name_of(self, annotation: Any) -> str:
        """A type in words; a record in it is remembered and linked."""
        if annotation is None or annotation is type(None):
            return "null"
        if annotation is Any:
            return "anything"
        if isinstance(annotation, type):
            return self._plain_name(annotation)
        origin, inside = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            return self.name_of(inside[0])
        if origin is Literal:
            return ", ".join(f"`{value}`" for value in inside)
        if origin in {Union, UnionType}:
            return " or ".join(self.name_of(each) for each in inside)
        if origin in {list, tuple, Sequence, frozenset, set}:
            each = self.name_of(inside[0]) if inside else "anything"
            return f"list of {each}"
        if origin in {dict, Mapping}:
            is_open = len(inside) != 2 or inside[1] is Any
            return "object" if is_open else f"object of {self.name_of(inside[1])}"
        return "anything"

    def _plain_name(self, kind: type) -> str:
        if issubclass(kind, Record) and kind is not Record:
            self._met.setdefault(kind)
            return f"[{kind.__name__}](#{kind.__name__.lower()})"
        if issubclass(kind, Enum):
            return ", ".join(f"`{member.value}`" for member in kind)
        return NAMES.get(kind, "object")

    def lines(self) -> Iterator[str]:
        """The section of every part; parts of parts come after those that hold them."""
        done: set[type[Record]] = set()
        while waiting := [kind for kind in self._met if kind not in done]:
            for kind in waiting:
                done.add(kind)
                first = (kind.__doc__ or "").strip().splitlines()[0]
                yield from (f"### {kind.__name__}", "", first, "", *_keys(kind, self), "")


NAMES = {str: "text", int: "integer", float: "number", bool: "true or false", dict: "object"}
