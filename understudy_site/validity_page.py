"""docs/validity.md: what verifiers are worth, by figures that were measured and written down."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

EXPECTED = Path(__file__).resolve().parent.parent / "tests" / "real" / "validity_expected.json"
INTRODUCTION = """# Validity

A verifier is made from recorded work: what one or several good runs of a task did becomes a
contract, and every other run of the task is judged by it. This page says how far that can be
trusted, by measurement only. Every figure stands in `tests/real/validity_expected.json`;
`python -m tests.real.validity` measures all of them anew, CI those marked so on every change.

## How it is measured

- The traces carry an outcome that others gave: the reward of the benchmark, or its own check of
  the final state. The outcome of a trace chooses which traces contracts are made from, and is
  compared with the verdicts. It enters no contract and no verdict.
- `from K`: a contract is made from K good runs of a task and judges every other run of that task
  as it was recorded. From one, every good run is taken in turn; from more, 20 draws a task by seed,
  all combinations where there are fewer. Tasks with fewer than K + 1 good runs are not used.
- Rows of one task are not independent. The interval of kappa resamples tasks, not pairs (2,000
  draws by seed); that of accuracy is Wilson's with the number of tasks as its size. Where nothing
  disagrees, resampling gives kappa no width: read accuracy's lower bound instead.
- *False pass*: the contract passes a run that failed. *False fail*: it fails a run that succeeded.
- Anybody can measure this on traces of their own: `understudy traces agreement SOURCE --from K`.
"""
COLUMNS = (
    "| from | tasks | pairs | true pass | false pass | false fail | true fail "
    "| accuracy (low) | kappa (95 %) | in CI |"
)
RULE = "|---:|---:|---:|---:|---:|---:|---:|---|---|---|"


def validity_page() -> str:
    """The page: agreement set by set, faults, floors, and what none of it shows."""
    found: dict[str, Any] = json.loads(EXPECTED.read_text(encoding="utf-8"))
    return "\n".join([
        INTRODUCTION,
        *agreements(found["agreement"], found["words"]),
        *faults(found["verifiers"], found["words"]),
        *floors(found["verifiers"]["floors"]),
        *limits(found["words"]),
    ]) + "\n"  # fmt: skip


def agreements(sets: Mapping[str, Any], words: Mapping[str, Any]) -> Iterator[str]:
    """Each set: what it is, its figures, what it cannot see, what is still wrong."""
    yield "## Agreement with outcomes"
    for name, rows in sets.items():
        said = words["sets"].get(name, {})
        yield f"\n### {name}\n"
        if about := said.get("about"):
            yield f"{about}\n"
        yield COLUMNS
        yield RULE
        for successes, figures in rows.items():
            yield row(successes, figures, in_ci=int(successes) in said.get("in_ci", []))
        for title, key in (("Cannot be seen here", "unseen"), ("Still apart from 1", "apart")):
            if text := said.get(key):
                yield f"\n**{title}.** {text}"


def row(successes: str, figures: Mapping[str, Any], *, in_ci: bool) -> str:
    """One line of figures."""
    cells = " | ".join(map(str, figures["confusion"]))
    kappa = "not defined"
    if figures["kappa"] is not None:
        low, high = figures["kappa_low"], figures["kappa_high"]
        spread = f" ({low:.3f} to {high:.3f})" if low is not None else ""
        kappa = f"{figures['kappa']:.3f}{spread}"
    accuracy = f"{figures['accuracy']:.3f} ({figures['accuracy_low']:.3f})"
    judged = figures["judgeable"]
    pairs = str(judged) if judged == figures["pairs"] else f"{judged} of {figures['pairs']}"
    return (
        f"| {successes} | {figures['groups_used']} of {figures['groups']} | {pairs} | {cells} "
        f"| {accuracy} | {kappa} | {'yes' if in_ci else ''} |"
    )


def faults(found: Mapping[str, Any], words: Mapping[str, Any]) -> Iterator[str]:
    """What the verifiers reject and accept when work is made wrong, or harmlessly other."""
    made, harmless = found["faults"], found["harmless"]
    counted = made["made"] - made["equivalent"] - made["broken"]
    yield f"\n## Faults and harmless variants\n\n{words['faults']}\n"
    yield (
        f"{found['tasks']} tasks: {made['rejected']} of {counted} faults rejected "
        f"(mutation score {made['rejected'] / counted:.3f}; {made['equivalent']} more were "
        f"equivalent to the original, {made['broken']} could not have happened), "
        f"{harmless['accepted']} of {harmless['made']} harmless variants accepted. Verdicts: "
        + ", ".join(f"{count} {verdict}" for verdict, count in found["verdicts"].items())
        + ".\n"
    )
    yield "| fault | made | rejected |\n|---|---:|---:|"
    for name, (tried, rejected) in found["by_operator"].items():
        yield f"| `{name}` | {tried} | {rejected} |"
    for title, key in (("Faults that pass", "survivors"), ("Variants refused", "refused")):
        said = found[key]
        yield f"\n{title}: {'none.' if not said else ''}"
        yield from (f"- {one}" for one in said)


def floors(found: Mapping[str, Any]) -> Iterator[str]:
    """What arms without a model get on the same tasks."""
    names = {
        "null_agent": "null: no call, one refusal",
        "spam_agent": "spam: every tool once, then the refusal",
        "oracle": "oracle: the recorded work again, in the benchmark's own world",
    }
    yield (
        "\n## Floors and ceiling\n\nArms that call no model, on the same tasks. A floor above 0 "
        "names tasks that a\nrefusal solves: their source refused too, and no reader of one run "
        "can tell a right refusal from a\nlazy one. Promotion names these tasks and asks for a "
        "reason.\n"
    )
    yield (
        f"| arm | passes, of {found['tasks']} tasks | of the {found['changing_state']} that change "
        "state |\n|---|---:|---:|"
    )
    for arm, passed in found["passed"].items():
        yield f"| {names[arm]} | {passed['all']} | {passed['changing_state']} |"


def limits(words: Mapping[str, Any]) -> Iterator[str]:
    """What none of the figures shows."""
    yield "\n## What none of this shows\n"
    yield from (f"- {one}" for one in words["limits"])
