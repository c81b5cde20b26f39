"""Captures -> cards and dependencies, with what was picked and approved before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.contract.mutating import Policy
from benchmarks.environment.coverage import Coverage, coverage_by_tool
from benchmarks.foundry.dependencies import dependencies_of
from benchmarks.foundry.directions import Proposal, propose
from benchmarks.foundry.drafting import draft_all, policy_in_force
from benchmarks.foundry.tasks import Draft
from benchmarks.records.capture import Capture
from benchmarks.records.direction import Dependencies, Dependency, Directions
from benchmarks.services.asking import build_options_of
from benchmarks.services.standing import Standing

SCRIPT = "the user's own later turns, said again in order"


@dataclass(frozen=True)
class Cards:
    """What is proposed now, and what of the earlier answers still stands in it."""

    directions: Directions
    dependencies: Dependencies


def cards_of(
    captures: Sequence[Capture], standing: Standing, *, source: str | None, at: str
) -> Cards:
    """Cards and dependencies of these captures.

    A pick stays where a card of its id still has its tools; an approval stays by its
    dependency's name.
    """
    policy = policy_in_force(captures, standing.policy)
    options = build_options_of(standing.build, standing.benchmark)
    drafts = draft_all(captures, policy, options.contracts)
    made = [case.draft for case in drafts.cases if case.draft is not None]
    dependencies = _noted(dependencies_of(made, policy, seed=options.seed), made, policy)
    proposal = propose(made, dependencies, policy, seed=options.seed)
    directions = _directions(proposal, captures, standing.directions, source, at)
    return Cards(directions, Dependencies(dependencies=_kept(dependencies, standing.dependencies)))


def _directions(
    proposal: Proposal,
    captures: Sequence[Capture],
    before: Directions | None,
    source: str | None,
    at: str,
) -> Directions:
    found = Directions(
        generated_at=at,
        source_sha256s=sorted({capture.source.sha256 for capture in captures}),
        directions=list(proposal.cards),
        note=proposal.note,
        source=source,
        others=list(proposal.others) or None,
    )
    picked = before.picked if before is not None else None
    old = before.picked_card if before is not None else None
    new = found.card(picked.direction_id) if picked is not None else None
    stands = old is not None and new is not None and set(old.tools) <= set(new.tools)
    return found.with_(picked=picked) if stands else found


def _kept(found: Sequence[Dependency], before: Dependencies | None) -> list[Dependency]:
    """The dependencies of today in the postures that somebody gave them."""
    approved = {one.name: one for one in (before.dependencies if before else ()) if one.is_approved}
    return [
        one
        if one.name not in approved
        else approved[one.name].with_(kind=one.kind, tools=one.tools, note=one.note)
        for one in found
    ]


def _noted(
    dependencies: Sequence[Dependency], drafts: Sequence[Draft], policy: Policy
) -> list[Dependency]:
    """The dependencies, each with how far the recording answers for it."""
    conversations = [draft.conversation for draft in drafts]
    tools = {tool.name: tool for talk in conversations for tool in talk.tools}
    figures = coverage_by_tool(conversations, tools.values(), policy)
    return [one.with_(note=_note(one, figures)) for one in dependencies]


def _note(dependency: Dependency, figures: Mapping[str, Coverage]) -> str:
    if dependency.kind == "model":
        return SCRIPT
    own = (figures[tool] for tool in dependency.tools if tool in figures)
    return sum(own, Coverage()).words()
