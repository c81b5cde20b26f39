"""What was asked of a build, checked: every complaint at once, nothing decided later."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from benchmarks.contract.compiling import CompileOptions
from benchmarks.errors import Complaint, InvalidArguments
from benchmarks.foundry.compile import BuildOptions
from benchmarks.foundry.splits import DRAWN, Ratios
from benchmarks.intake.ingest import MAX_LOSS, IntakeOptions
from benchmarks.records.base import JsonObject
from benchmarks.records.build import BuildManifest
from benchmarks.records.caller import Caller
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.times import stamp
from benchmarks.records.tool_policy import ToolEntry, ToolPolicy
from benchmarks.records.vocabulary import Effect, known

CONTRACT_SOURCES = ("first", "all")
FIRST, ALL = CONTRACT_SOURCES
REFUSALS = ("plain", "consulted")
EXTRA_WRITES = ("forbid", "allow")
SUM_SLACK = 1e-6
REASON_CHARS = 1024
OPERATOR = "operator"


@dataclass(frozen=True)
class BuildRequest:
    """A build as it was asked for; what is None stays as the last build had it."""

    sources: Sequence[Path] = ()
    workload: str | None = None
    max_age_days: float | None = None
    max_loss: float = MAX_LOSS
    redact: bool = True
    seed: int | None = None
    splits: Mapping[str, float] | None = None
    refusals: str | None = None
    extra_writes: str | None = None
    contract_from: str | None = None
    tools: Mapping[str, ToolEntry | str] = field(default_factory=dict)
    pilot: bool = False
    waive_pilot: str | None = None
    rebuild: bool = False
    confirm: bool = False

    def check(self) -> None:
        """Every value that is wrong, in one error.

        Raises:
            InvalidArguments: some are.
        """
        found = [
            *_choice("refusals", self.refusals, REFUSALS),
            *_choice("extra_writes", self.extra_writes, EXTRA_WRITES),
            *_choice("contract_from", self.contract_from, CONTRACT_SOURCES),
            *_splits(self.splits),
            *effect_complaints(self.tools),
            *_reason(self.waive_pilot),
            *_one_way(pilot=self.pilot, waived=self.waive_pilot is not None),
            *self._filters(),
        ]
        if found:
            said = "; ".join(f"{one.path}: {one.message}" for one in found)
            raise InvalidArguments(said, errors=found)

    def _filters(self) -> list[Complaint]:
        """A filter reads sources: captures that are in the directory were read before."""
        if self.sources:
            return []
        asked = {"workload": self.workload, "max_age_days": self.max_age_days}
        return [
            Complaint(name, value, "filters what a source holds; name a source")
            for name, value in asked.items()
            if value is not None
        ]

    def document(self) -> JsonObject:
        """What was asked, for telling a repeated call from another one."""
        return {
            "sources": [str(path) for path in self.sources],
            "workload": self.workload,
            "max_age_days": self.max_age_days,
            "max_loss": self.max_loss,
            "redact": self.redact,
            "seed": self.seed,
            "splits": dict(self.splits) if self.splits is not None else None,
            "refusals": self.refusals,
            "extra_writes": self.extra_writes,
            "contract_from": self.contract_from,
            "tools": {
                name: word.dump() if isinstance(word, ToolEntry) else word
                for name, word in self.tools.items()
            },
            **({"pilot": True} if self.pilot else {}),
            "waive_pilot": self.waive_pilot,
            "rebuild": self.rebuild,
        }

    def intake_options(self, now: datetime) -> IntakeOptions:
        """How the sources are read."""
        return IntakeOptions(
            now=now,
            workload=self.workload,
            max_age_days=self.max_age_days,
            max_loss=self.max_loss,
            redact=self.redact,
        )

    def build_options(
        self, build: BuildManifest | None, benchmark: BenchmarkManifest | None
    ) -> BuildOptions:
        """The options of this build: what was asked, else the last build's, else the defaults."""
        last = build_options_of(build, benchmark)
        contracts = CompileOptions(
            refusals=self.refusals or last.contracts.refusals,  # type: ignore[arg-type]
            extra_writes=self.extra_writes or last.contracts.extra_writes,  # type: ignore[arg-type]
            contract_from=self.contract_from or last.contracts.contract_from,  # type: ignore[arg-type]
        )
        return BuildOptions(
            contracts=contracts,
            ratios=Ratios(**self.splits) if self.splits is not None else last.ratios,
            seed=last.seed if self.seed is None else self.seed,
        )


def build_options_of(
    build: BuildManifest | None, benchmark: BenchmarkManifest | None
) -> BuildOptions:
    """The options that a directory was built with."""
    options = (build.options if build else None) or {}
    drawn = (benchmark.splits if benchmark else None) or {}
    shares = drawn.get("ratios")
    refusals, extra = options.get("refusals"), options.get("extra_writes")
    successes = options.get("contract_from", ALL if build is None else FIRST)
    return BuildOptions(
        contracts=CompileOptions(
            refusals=refusals if refusals in REFUSALS else "plain",
            extra_writes=extra if extra in EXTRA_WRITES else None,
            contract_from=ALL if successes == ALL else FIRST,  # type: ignore[arg-type]
        ),
        ratios=Ratios(**shares) if isinstance(shares, dict) and not _splits(shares) else Ratios(),
        seed=(build.seed if build else None) or 0,
    )


def options_document(options: BuildOptions) -> JsonObject:
    """The options that change contracts, as manifest.json keeps them."""
    document: JsonObject = {
        "refusals": options.contracts.refusals,
        "contract_from": options.contracts.contract_from,
    }
    if options.contracts.extra_writes is not None:
        document["extra_writes"] = options.contracts.extra_writes
    return document


def signed(caller: Caller) -> dict[str, str]:
    """Who and through which door, inside a record that others wrote too."""
    return {"actor": caller.actor, "door": caller.door}


def with_operator_words(
    policy: ToolPolicy | None, words: Mapping[str, ToolEntry | str], caller: Caller, now: datetime
) -> ToolPolicy | None:
    """The policy with what the operator says of some tools; the same word twice changes nothing."""
    if not words:
        return policy
    tools = dict(policy.tools) if policy is not None else {}
    for name, word in words.items():
        old = tools.get(name)
        said = word if isinstance(word, ToolEntry) else _entry(old, word)
        new = said.with_(source=OPERATOR)
        if old is not None and _without_author(old) == _without_author(new):
            continue
        tools[name] = new.with_(**signed(caller), at=stamp(now))
    return policy.with_(tools=tools) if policy is not None else ToolPolicy(tools=tools)


def effect_complaints(words: Mapping[str, ToolEntry | str]) -> list[Complaint]:
    """What is wrong with the effects that an operator gave."""
    return [
        Complaint(f"tool_policy.{name}", word, f"one of {', '.join(Effect)} is wanted")
        for name, word in words.items()
        if isinstance(word, str) and known(Effect, word) is None
    ]


def _entry(old: ToolEntry | None, word: str) -> ToolEntry:
    """The entry of a tool under another effect: what else was known of it stays."""
    effect = Effect(word)
    if old is None:
        return ToolEntry(effect=effect)
    if old.effect is effect:
        return old
    return old.with_(effect=effect, role=None, per_call=None, idempotent=None, evidence=None)


def _without_author(entry: ToolEntry) -> JsonObject:
    written = entry.dump()
    about = {"actor", "door", "at", "idempotency_key", "arguments_sha256"}
    return {key: value for key, value in written.items() if key not in about}


def _choice(name: str, value: str | None, words: Sequence[str]) -> list[Complaint]:
    if value is None or value in words:
        return []
    return [Complaint(name, value, f"one of {', '.join(words)} is wanted")]


def _splits(shares: Mapping[str, float] | None) -> list[Complaint]:
    if shares is None:
        return []
    names = [split.value for split in DRAWN]
    if sorted(shares) != sorted(names):
        return [Complaint("splits", dict(shares), f"{', '.join(names)} are wanted")]
    found = [
        Complaint(f"splits.{name}", share, "a share from 0 to 1 is wanted")
        for name, share in shares.items()
        if not 0 <= share <= 1
    ]
    total = sum(shares.values())
    if not found and abs(total - 1) > SUM_SLACK:
        found.append(Complaint("splits", dict(shares), f"they sum to {total:g}, not to 1"))
    return found


def _reason(reason: str | None) -> list[Complaint]:
    if reason is None:
        return []
    if not reason.strip():
        return [Complaint("waive_pilot", reason, "a reason is wanted")]
    if len(reason) > REASON_CHARS:
        return [Complaint("waive_pilot", reason, f"at most {REASON_CHARS} characters")]
    return []


def _one_way(*, pilot: bool, waived: bool) -> list[Complaint]:
    if not pilot or not waived:
        return []
    return [Complaint("pilot", True, "a pilot is built, or it is waived; not both")]
