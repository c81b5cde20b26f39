"""Where a build reads from and writes to, as doors name it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from benchmarks.artifacts import document
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import JOINT, Located, Root, holds_benchmark, outside_slug
from benchmarks.errors import Complaint, InvalidArguments, SourceNotFound
from benchmarks.intake.redact import Redactor
from benchmarks.records.environment import Guidance
from benchmarks.records.tool_policy import ToolEntry
from benchmarks.records.vocabulary import Effect, known
from benchmarks.services.asking import effect_complaints

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
UNFIT = re.compile(r"[^a-z0-9._-]+")
NAME_CHARS = 64
DEFAULT_SOURCE = Path(".understudy") / "captures"


@dataclass(frozen=True)
class Target:
    """The directory that a build writes, and the name that means it."""

    directory: BenchmarkDir
    slug: str


def default_sources(
    cwd: Path, home_captures: Path, project_captures: Path | None = None
) -> list[Path]:
    """Where captures are looked for when no source is named; the project's word comes first.

    Raises:
        SourceNotFound: no such place exists; all are named.
    """
    told = [project_captures] if project_captures is not None else []
    places = [*told, cwd / DEFAULT_SOURCE, home_captures]
    found = next((place for place in places if place.exists()), None)
    if found is None:
        said = " nor ".join(str(place) for place in places)
        raise SourceNotFound(
            f"no source is named, and there is neither {said}",
            hint="name a file or a folder of captures",
            details={"looked_in": [str(place) for place in places]},
        )
    return [found]


def is_source(word: str, cwd: Path) -> bool:
    """Whether a word names captures rather than a benchmark: a path that holds none."""
    path = cwd / Path(word).expanduser()
    return path.exists() and not (path.is_dir() and holds_benchmark(path))


def new_target(path: Path, within: Sequence[Root]) -> Target:
    """The directory at a path, under the slug it will have."""
    real = path.resolve()
    root = next((root for root in within if real.parent == root.path.resolve()), None)
    if root is None:
        return Target(BenchmarkDir(real), outside_slug(real))
    return Target(
        BenchmarkDir(root.path / real.name, read_only=root.read_only),
        f"{root.prefix}{JOINT}{real.name}",
    )


def named_target(name: str, within: Sequence[Root]) -> Target:
    """The directory of a name under the first root.

    Raises:
        InvalidArguments: the name cannot be one.
    """
    if not NAME.fullmatch(name):
        raise InvalidArguments(
            f"{name!r} is not a name for a benchmark",
            hint=f"1 to {NAME_CHARS} characters of a-z 0-9 . _ - that begin with a letter or digit",
            errors=[Complaint("slug", name, "not a name")],
        )
    return new_target(within[0].path / name, within)


def name_for(workload: str | None, sources: Sequence[Path]) -> str:
    """What a benchmark is called when nobody says: the workload, else its sources.

    Several sources are called as the folder that holds them all, else by their names.
    """
    folders = {source.parent for source in sources}
    if len(sources) > 1 and len(folders) == 1:
        sources = list(folders)
    names = [path.name if path.is_dir() else path.name.split(".")[0] for path in sources]
    names = [Redactor().clean(name) for name in names]
    said = workload or "-and-".join(dict.fromkeys(names)) or "benchmark"
    name = UNFIT.sub("-", said.casefold()).strip("-._")[:NAME_CHARS]
    return name or "benchmark"


def of_located(located: Located) -> Target:
    """A benchmark that is there, as a target."""
    return Target(located.directory, located.slug)


def operator_words(path: Path) -> dict[str, ToolEntry | str]:
    """What a tool-policy file of the operator says, tool by tool.

    Raises:
        SourceNotFound: there is no such file.
        Unreadable: it is not a JSON object.
        InvalidArguments: an entry is wrong; all are listed.
    """
    value = _object_in(path)
    tools = value.get("tools", value)
    words: dict[str, ToolEntry | str] = {}
    wrong: list[Complaint] = []
    for name, said in tools.items() if isinstance(tools, Mapping) else ():
        if name == "schema_version":
            continue
        entry = {"effect": said} if isinstance(said, str) else said
        word = entry.get("effect") if isinstance(entry, Mapping) else None
        if known(Effect, word) is None:
            wrong += effect_complaints({name: str(word)})
            continue
        try:
            words[str(name)] = said if isinstance(said, str) else ToolEntry.read(entry)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            wrong.append(Complaint(f"tool_policy.{name}.{field}", first["input"], first["msg"]))
    if wrong or not words:
        wrong = wrong or [Complaint("tool_policy", path.name, "it names no tool")]
        said_all = "; ".join(f"{one.path}: {one.message}" for one in wrong)
        raise InvalidArguments(f"{path.name}: {said_all}", errors=wrong)
    return words


def operator_guidance(path: Path) -> Guidance:
    """The operator's wording of rejections: `{tools: {tool: {key: message}}}`, or that map alone.

    Raises:
        SourceNotFound: there is no such file.
        Unreadable: it is not a JSON object.
        InvalidArguments: it is not of that shape.
    """
    value = _object_in(path)
    tools = value.get("tools", value)
    try:
        return Guidance(tools=tools)
    except ValidationError as error:
        raise InvalidArguments(
            f"{path.name} is no wording of rejections",
            hint='it holds {"<tool>": {"missing_required:<field>": "<message>"}}',
            errors=[
                Complaint(".".join(map(str, one["loc"])), one["input"], one["msg"])
                for one in error.errors()
            ],
        ) from error


def _object_in(path: Path) -> dict[str, Any]:
    value = document.read(path)
    if value is None:
        raise SourceNotFound(f"{path} does not exist", details={"path": str(path)})
    return value


def need_one_directory(slug: str | None, name: str | None) -> None:
    """Refuse a call that names no directory to build in, or two.

    Raises:
        InvalidArguments: neither is named, or both are.
    """
    if (slug is None) == (name is None):
        raise InvalidArguments(
            "name one directory: `name` for a new one, or `slug` for one that is there",
            errors=[Complaint("name", name or "", "exactly one of name and slug")],
        )
