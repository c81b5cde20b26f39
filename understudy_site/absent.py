"""Names of the manual that this release has not, and what older systems called things.

A name that is known is never answered with a guess at another one.
"""

from benchmarks.errors import UnderstudyError, UnknownTool, Unsupported

LEFT_OUT = "docs/decisions/0007-what-this-release-leaves-out.md says what is left out"
EXPERIMENTS = "queue its runs by themselves: understudy runs queue --prompt-override ARM=MODEL=FILE"

ABSENT = {
    "benchmarks profile": "for captured traces: understudy traces doctor SOURCE",
    "benchmarks from-dataset": "from captured traces: understudy traces build-benchmark SOURCE",
    "benchmarks upgrade": "stale rows are counted by: understudy benchmarks status B",
    "benchmarks report": "the result: understudy benchmarks leaderboard B --csv FILE",
    "benchmarks export": "the directory holds plain files: understudy benchmarks show B",
    "benchmarks experiment": EXPERIMENTS,
    "runs compare": "intervals and ties side by side: understudy benchmarks leaderboard B",
    "instrument": "name captures by their path: understudy traces doctor SOURCE",
    "doctor": "captures are looked at by: understudy traces doctor SOURCE",
    "daemon": "execute what is queued, and go on: understudy runs execute --all --watch",
    "desktop": "any OpenAI-compatible server is a gateway: UNDERSTUDY_GATEWAY_URL",
}
"""`noun verb`, or a noun alone, that a later release has; and what can be done in this one."""

OLD = {
    "benchmarks review": "reviews accept-clean",
    "benchmarks evolve": "benchmarks experiment",
    "traces build-viewer": "hub serve",
    "traces serve": "hub serve",
    "traces plan-replays": "runs queue",
    "traces run-replays": "runs queue",
    "capture-import": "benchmarks profile",
    "next": "benchmarks status",
}
"""What the older system called it, and what it is called here."""
PRIME, PRIME_NOW = "-prime", "benchmarks export"


def refuse_known(words: list[str]) -> None:
    """Return when the words are neither an older name nor one that this release has not.

    Raises:
        Unsupported: the manual has it, this release has not.
        UnknownTool: it is an older name; the hint has today's.
    """
    noun, both = words[0], " ".join(words[:2])
    said = next((name for name in (both, noun) if name in ABSENT), None)
    if said is not None:
        raise Unsupported(
            f"{said} is not in this release",
            hint=f"{ABSENT[said]}; {LEFT_OUT}",
            details={"missing": said},
        )
    old = next((name for name in (both, noun) if name in OLD), None)
    if old is not None:
        raise _renamed(old, OLD[old])
    if any(word.endswith(PRIME) for word in words[:2]):
        raise _renamed(both, PRIME_NOW)


def _renamed(old: str, now: str) -> UnderstudyError:
    is_absent = now in ABSENT or now.split()[0] in ABSENT
    later = ", which is not in this release" if is_absent else ""
    instead = ABSENT.get(now) or ABSENT.get(now.split()[0])
    also = f"; {instead}" if instead else ""
    return UnknownTool(f"{old!r} is an older name", hint=f"understudy {now}{later}{also}")
