"""A benchmark built over REST, from captures that this hub may read; a job."""

from typing import Annotated, Any, Literal

from pydantic import Field

from benchmarks.api.calls import Answer, ApiCall, is_seen
from benchmarks.api.documents import Document
from benchmarks.api.jobs import started
from benchmarks.api.sources import sources_of
from benchmarks.doors.arguments import (
    Confirm,
    DryRun,
    MaxAgeDays,
    Name,
    Reason,
    Seed,
    Share,
    Slug,
    Source,
    Splits,
    ToolEffects,
    WaitSeconds,
)
from benchmarks.doors.tool import Arguments
from benchmarks.errors import Forbidden
from benchmarks.services.targets import need_one_directory

BUILD = "build_benchmark"
OWN = frozenset({"from_", "source", "wait_s"})
"""What the body says beside the arguments of the service."""


class Build(Arguments):
    """What is built, from what, and how."""

    from_: Annotated[
        Literal["traces"], Field(alias="from", description="What the sources hold.")
    ] = "traces"
    source: Source | None = None
    name: Name | None = None
    slug: Slug | None = None
    workload: str | None = None
    max_age_days: MaxAgeDays | None = None
    tool_policy: ToolEffects | None = None
    splits: Splits | None = None
    seed: Seed | None = None
    extra_writes: Literal["forbid", "allow"] | None = None
    contract_from: Literal["first", "all"] | None = None
    refusals: Literal["plain", "consulted"] | None = None
    max_loss: Share | None = None
    pilot: bool = False
    waive_pilot: Reason | None = None
    rebuild: bool = False
    confirm: Confirm = False
    dry_run: DryRun = False
    wait_s: WaitSeconds = 10.0


class Built(Document):
    """The build manifest, with where it lies and what comes next."""

    slug: str
    dir: str
    counts: dict[str, Any]
    dropped: dict[str, int]
    next_actions: list[dict[str, Any]]


def build(call: ApiCall) -> Answer:
    """Start the build that the body asks for; its manifest when it ends in time.

    Raises:
        InvalidArguments: not exactly one of `name` and `slug`, or sources without end.
        Forbidden: the new benchmark would be one that the caller does not see, or a waiver is
            asked for by somebody who may give none.
        OutsideRoot, SourceNotFound: a source is not one that this hub may read.
    """
    asked: Build = call.body
    need_one_directory(asked.slug, asked.name)
    arguments = asked.model_dump(exclude=set(OWN), exclude_none=True)
    if asked.slug is not None:
        arguments["slug"] = call.locate_writable(asked.slug).slug
    else:
        _need_seen(call, f"{call.roots[0].prefix}--{asked.name}")
    if asked.waive_pilot is not None:
        call.need("waive_pilot")
    if asked.source is not None:
        arguments["source"] = sources_of(call, asked.source)
    return started(call, BUILD, arguments, wait_s=asked.wait_s)


def _need_seen(call: ApiCall, slug: str) -> None:
    if not is_seen(call.identity, slug):
        raise Forbidden(
            f"{slug} is not among the benchmarks of this token",
            hint=f"it sees {', '.join(call.identity.patterns)}: choose a name of those",
        )
