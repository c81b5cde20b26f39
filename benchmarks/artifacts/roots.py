"""Where benchmarks lie, and which directory a name means (spec/surface.md 1.2)."""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.disk import unreadable
from benchmarks.artifacts.filesystem import leads_into, real_path
from benchmarks.artifacts.home import Home
from benchmarks.errors import Ambiguous, InvalidArguments, OutsideRoot, UnknownBenchmark
from benchmarks.records.digest import bytes_digest

LOCAL = "local"
DATA = "data"
OUTSIDE = "path"
JOINT = "--"
PATH_BYTES = 4095
MARKERS = ("benchmark.json", "manifest.json", "directions.json", "intake-report.json")


@dataclass(frozen=True, slots=True)
class Root:
    """A folder of benchmarks; its prefix begins their slugs."""

    prefix: str
    path: Path
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Located:
    """A benchmark directory and the name that means it at every door."""

    directory: BenchmarkDir
    slug: str
    read_only: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """The benchmarks under some roots, and what had to be left out."""

    found: list[Located] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def roots(home: Home, extra: Sequence[Path] = ()) -> list[Root]:
    """The default root, then those of the environment, then `extra`; each folder once."""
    frozen = [_place(path) for path in home.settings.readonly_roots]
    found: list[Root] = []
    seen: set[Path] = set()
    for path in (home.benchmarks, *home.settings.roots, *extra):
        real = _place(path)
        if real in seen:
            continue
        seen.add(real)
        read_only = any(real.is_relative_to(each) for each in frozen)
        found.append(Root(_prefix(len(found)), path.absolute(), read_only))
    return found


def _prefix(position: int) -> str:
    if position == 0:
        return LOCAL
    return DATA if position == 1 else f"{DATA}{position}"


def resolve(
    argument: str, within: Sequence[Root], *, cwd: Path, allow_outside: bool = False
) -> Located:
    """The benchmark that a directory, a slug or a bare name means.

    Raises:
        InvalidArguments: the name cannot be one.
        UnknownBenchmark: there is no such benchmark.
        Unreadable: the system refuses a look into its directory.
        Ambiguous: several roots hold the bare name; all are listed.
        OutsideRoot: it lies outside every root and this door may not go there.
    """
    if not argument.strip() or "\0" in argument or len(os.fsencode(argument)) > PATH_BYTES:
        raise InvalidArguments(f"benchmark {argument!r} is not a name")
    if _is_path(argument, cwd):
        return _by_path(argument, within, cwd, allow_outside=allow_outside)
    prefix, joint, name = argument.partition(JOINT)
    root = next((root for root in within if root.prefix == prefix), None)
    if joint and root is not None:
        return _in_root(root, _component(name), argument, within)
    return _by_name(_component(argument), within)


def list_directories(within: Sequence[Root]) -> Listing:
    """Every benchmark under the roots, by root and name; what was left out is named."""
    listing = Listing()
    for root in within:
        try:
            names = sorted(os.listdir(root.path))
        except FileNotFoundError:
            if root.prefix != LOCAL:
                listing.warnings.append(f"root {root.path} is not there")
            continue
        except OSError as error:
            listing.warnings.append(f"root {root.path} cannot be read: {error.strerror}")
            continue
        for name in names:
            if not name.startswith("."):
                _list_entry(root, name, listing)
    return listing


def _list_entry(root: Root, name: str, listing: Listing) -> None:
    path = root.path / name
    try:
        if path.is_symlink() and not path.exists():
            listing.warnings.append(f"{root.prefix}{JOINT}{name} is a link to nothing")
        elif not path.is_dir():
            return
        elif not _inside(path, root):
            listing.warnings.append(f"{root.prefix}{JOINT}{name} leads out of its root")
        elif holds_benchmark(path):
            listing.found.append(_located(root, name))
    except OSError as error:
        listing.warnings.append(f"{root.prefix}{JOINT}{name} cannot be read: {error.strerror}")


def holds_benchmark(path: Path) -> bool:
    """Whether a folder is a benchmark of any stage, also an invalid one."""
    return any((path / marker).exists() for marker in MARKERS)


def _holds(path: Path) -> bool:
    """`holds_benchmark`, where what cannot be read holds nothing."""
    with suppress(OSError):
        return holds_benchmark(path)
    return False


def _refuse_unreadable(path: Path) -> None:
    """Return unless the system refuses a look into the folder: whether it holds one is unknown.

    Raises:
        Unreadable: it does.
    """
    try:
        holds_benchmark(path)
    except PermissionError as error:
        raise unreadable(path, error) from error
    except OSError:
        return


def _real(argument: str, cwd: Path) -> Path:
    try:
        return (cwd / Path(argument).expanduser()).resolve()
    except (OSError, RuntimeError) as error:
        raise InvalidArguments(f"{argument!r} is not a path: {error}") from error


def _is_path(argument: str, cwd: Path) -> bool:
    if os.sep in argument or argument.startswith((".", "~")):
        return True
    return _holds(cwd / argument)


def _by_path(argument: str, within: Sequence[Root], cwd: Path, *, allow_outside: bool) -> Located:
    real = _real(argument, cwd)
    if not _holds(real):
        _refuse_unreadable(real)
        what = "holds no benchmark" if os.path.isdir(real) else "is not a directory"
        raise UnknownBenchmark(f"{argument!r} {what}", hint=_listing_hint(within))
    root = next((root for root in within if real.parent == _place(root.path)), None)
    if root is not None:
        return _located(root, real.name, _shadowed(argument, root, real, within))
    if not allow_outside:
        raise OutsideRoot(
            f"{argument!r} lies outside every root",
            hint=f"start with --root {real.parent}, or set UNDERSTUDY_ROOTS",
            details={"roots": [str(root.path) for root in within]},
        )
    directory = BenchmarkDir(real)
    notes = _shadowed(argument, None, real, within)
    return Located(directory, outside_slug(real), not directory.writable, notes)


def outside_slug(real: Path) -> str:
    """The slug of a directory outside every root, by its real path."""
    return f"{OUTSIDE}{JOINT}{real.name}-{bytes_digest(os.fsencode(real))[:8]}"


def _shadowed(
    argument: str, chosen: Root | None, real: Path, within: Sequence[Root]
) -> tuple[str, ...]:
    """A word when a bare name was taken as a directory here and a root holds the name too."""
    if os.sep in argument or argument.startswith((".", "~")):
        return ()
    others = [root for root in _holding(argument, within) if root is not chosen]
    return tuple(
        f"{argument} was taken as {real}; {root.prefix}{JOINT}{argument} is another benchmark"
        for root in others
    )


def _component(name: str) -> str:
    if not name or name.startswith(".") or "/" in name or "\\" in name:
        raise InvalidArguments(
            f"benchmark name {name!r} is not one path component",
            hint="give a slug such as local--refund-desk, or a path",
        )
    return name


def _in_root(root: Root, name: str, argument: str, within: Sequence[Root]) -> Located:
    path = root.path / name
    if not _holds(path):
        _refuse_unreadable(path)
        raise _unknown(argument, within)
    if not _inside(path, root):
        raise OutsideRoot(f"{argument} leads out of its root", hint="remove the link")
    return _located(root, name)


def _by_name(name: str, within: Sequence[Root]) -> Located:
    holding = _holding(name, within)
    if not holding:
        for root in within:
            _refuse_unreadable(root.path / name)
        raise _unknown(name, within)
    if len(holding) > 1:
        slugs = [f"{root.prefix}{JOINT}{name}" for root in holding]
        raise Ambiguous(
            f"{name!r} is in {len(holding)} roots: {', '.join(slugs)}",
            hint="use one of these slugs",
            details={"candidates": slugs},
        )
    return _located(holding[0], name)


def _holding(name: str, within: Sequence[Root]) -> list[Root]:
    return [root for root in within if _holds(root.path / name) and _inside(root.path / name, root)]


def _located(root: Root, name: str, notes: tuple[str, ...] = ()) -> Located:
    directory = BenchmarkDir(root.path / name, read_only=root.read_only)
    return Located(directory, f"{root.prefix}{JOINT}{name}", not directory.writable, notes)


def _inside(path: Path, root: Root) -> bool:
    return leads_into(_place(root.path), path)


def _place(path: Path) -> Path:
    """Where a folder lies; one whose links lead round is as it was named."""
    return real_path(path) or path.absolute()


def _unknown(argument: str, within: Sequence[Root]) -> UnknownBenchmark:
    return UnknownBenchmark(f"no benchmark {argument!r}", hint=_listing_hint(within))


def _listing_hint(within: Sequence[Root]) -> str:
    count = len(list_directories(within).found)
    said = "1 benchmark is there" if count == 1 else f"{count} benchmarks are there"
    return f"{said}: understudy benchmarks list"
