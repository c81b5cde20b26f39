"""A benchmark's status for people: nine labelled lines (spec/surface.md 3)."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.records.base import JsonObject
from benchmarks.records.wording import dollars

FLOOR_BAR = "5 %"
NAMES = {"null_floor": "null", "spam_floor": "spam", "majority_floor": "majority"}


def status_lines(document: JsonObject) -> list[tuple[str, str]]:
    """The nine lines of a status document, label and text; eight where nothing is proposed."""
    proposed = [("next", next_words(document["next"]))] if "next" in document else []
    return [
        ("stage", _stage(document)),
        ("rows", _rows(document)),
        ("ledgers", _ledgers(document["ledgers"])),
        ("calibration", _calibration(document["calibration"])),
        ("runs", _runs(document["runs"])),
        ("results", _results(document["result_types"])),
        ("gate", _gate(document["gate"])),
        ("artifacts", _artifacts(document["artifacts"])),
        *proposed,
    ]


def _stage(document: JsonObject) -> str:
    benchmark, version = document["benchmark"], document["version"]
    parts = [benchmark["slug"], benchmark["stage"]]
    if version["source"] != "none":
        parts.append(f"version {version['current']}{_bumped(version['last_bump'])}")
    if benchmark["read_only"]:
        parts.append("read-only")
    parts.append(benchmark["dir"])
    line = ", ".join(parts)
    errors = benchmark["errors"]
    return f"{line}; {_some(errors)}" if errors else line


def _bumped(bump: JsonObject | None) -> str:
    if bump is None:
        return ""
    return f" ({bump['bump']}: {_count(len(bump['tasks']), 'task')}, {bump['at'][:10]})"


def _rows(document: JsonObject) -> str:
    rows, headline = document["rows"], document["stale_in_headline"]
    replaced = _superseded(rows)
    regrade = f"{rows['stale_regrade']} stale-regrade"
    rerun = f"{rows['stale_rerun']} stale-rerun"
    if rows["stale_rerun"]:
        rerun += replaced
    else:
        regrade += replaced
    kinds = f"{rows['current']} current, {regrade}, {rerun}, {rows['unversioned']} unversioned"
    odd = [f"{sum(rows['anomalous'].values())} anomalous", f"{rows['error']} error"]
    odd += [f"{rows[key]} {key}" for key in ("unscored", "fallback", "flagged") if rows[key]]
    stale = f"{headline['count']} stale" if headline["count"] else "none stale"
    return f"{kinds}; {', '.join(odd)}; {stale} in a headline"


def _superseded(rows: JsonObject) -> str:
    stale, replaced = rows["stale_regrade"] + rows["stale_rerun"], rows["superseded"]
    if not stale:
        return ""
    return " (all superseded)" if replaced == stale else f" ({replaced} of {stale} superseded)"


def _ledgers(ledgers: JsonObject) -> str:
    reviews = ledgers["reviews"]
    explicit = sum(reviews[key] for key in ("accept", "restrict", "needs_more", "reject"))
    apart = [
        f"{reviews['agent']} by an agent" if reviews["agent"] else "",
        f"{reviews['excluded']} on excluded tasks" if reviews["excluded"] else "",
    ]
    by_agent = f" ({said})" if (said := ", ".join(filter(None, apart))) else ""
    pending = f", {reviews['pending']} pending" if reviews["pending"] else ""
    lines = [
        f"reviews {explicit} explicit{by_agent}, {reviews['born_accepted']} born accepted, "
        f"{reviews['auto']} auto{pending}",
        f"feedback {ledgers['feedback']['open']} open",
        f"flags {ledgers['flags']['open']} open",
        _count(ledgers["holdout_looks"], "holdout look"),
    ]
    lost = sum(ledgers["malformed"].values())
    return "; ".join(lines + ([f"{lost} malformed"] if lost else []))


def _calibration(calibration: JsonObject) -> str:
    verdict = calibration["verdict"]
    if verdict == "not_run":
        return "not run"
    lines = [_incumbent(calibration)]
    floors = [
        f"{NAMES[floor['name']]} {floor['floor'] * 100:.1f} %"
        + (" overridden at promotion" if floor["overridden"] else "")
        for floor in calibration["floors"]
        if floor["name"] in NAMES and floor["floor"] is not None
    ]
    if floors:
        lines.append(f"{', '.join(floors)} (limit {FLOOR_BAR})")
    lines += [_suspects(calibration), *calibration["missing"]]
    if calibration["flagged"]:
        flagged = len(calibration["flagged"])
        lines.append(f"{_count(flagged, 'task')} under an open flag left out")
    if untested := len(calibration.get("untested_task_ids", ())):
        lines.append(f"{_count(untested, 'task')} judged by a verifier that nobody tested")
    return f"{verdict}: " + "; ".join(lines)


def _incumbent(calibration: JsonObject) -> str:
    incumbent = calibration["incumbent"]
    judged = incumbent["passed"] + incumbent["failed"]
    if not judged:
        return "incumbent not measured"
    rest = f" ({incumbent['unmeasured']} not measured)" if incumbent["unmeasured"] else ""
    return f"incumbent {incumbent['passed']}/{judged} at {float(calibration['threshold'])}{rest}"


def _suspects(calibration: JsonObject) -> str:
    """How many tasks are suspect, and of what, unless it is the incumbent's failures alone."""
    suspects = calibration["suspects"]
    counted = _count(len(suspects), "suspect")
    if list(suspects) == calibration["incumbent"]["suspects"]:
        return counted
    reasons = calibration["suspects_by_reason"]
    return f"{counted} ({', '.join(f'{why}: {count}' for why, count in reasons.items())})"


def _runs(runs: JsonObject) -> str:
    statuses = ("running", "stopped", "failed", "cancelled")
    counted = [f"{runs['done']} done", f"{runs['queued']} queued"]
    counted += [f"{runs[status]} {status}" for status in statuses if runs[status]]
    lines = [", ".join(counted)]
    if runs["by_executor"]:
        versions = ", ".join(f"{name} ({count})" for name, count in runs["by_executor"].items())
        lines.append(f"executor {versions}")
    lines.append(_claim(runs["claim"], runs["watcher"]))
    unknown = _count(runs["unknown_cost_cells"], "cell")
    part = f" ({dollars(runs['authoring_usd'])} on authoring)" if runs["authoring_usd"] else ""
    lines.append(f"{dollars(runs['spent_usd'])} spent{part}, {unknown} of unknown cost")
    lines += [
        f"{each['run_id']} lacks {', '.join(each['missing'])}" for each in runs["unsupported"]
    ]
    return "; ".join(lines)


def _claim(claim: Mapping[str, Any], watcher: Mapping[str, Any]) -> str:
    if not claim["live"]:
        if not watcher["live"]:
            return "no live executor"
        since = watcher["since"]
        return f"watched by executor pid {watcher['pid']} on {watcher['host']} since {since}"
    return f"live executor pid {claim['pid']} on {claim['host']} since {claim['since']}"


def _results(result_types: JsonObject) -> str:
    types = ", ".join(result_types["types"]) or "none"
    newest = result_types["newest"]
    return f"{types}; newest run {newest}" if newest else types


def _gate(gate: JsonObject) -> str:
    if gate["status"] == "not_run":
        return "not run"
    parts = [gate["verdict"]]
    if gate["failures"]:
        parts.append(", ".join(gate["failures"]))
    if gate["unknowns"]:
        parts.append(f"{len(gate['unknowns'])} unknown")
    line = ", ".join(parts)
    if gate.get("source") == "promotion":
        return f"{line}, at the promotion"
    return f"{line}; older than what it is about" if gate["status"] == "stale" else line


def _artifacts(artifacts: Sequence[JsonObject]) -> str:
    rows = [each for each in artifacts if each["kind"] == "rows"]
    others = [each for each in artifacts if each["kind"] != "rows"]
    named = [each["path"] for each in others if each["current"]]
    if rows:
        named.append(_count(len(rows), "rows file"))
    line = ", ".join(named) or "none"
    old = [each["path"] for each in others if not each["current"]]
    return f"{line}; {', '.join(old)} {'is' if len(old) == 1 else 'are'} old" if old else line


def next_words(step: JsonObject | None) -> str:
    """Why the next step is next, what has to be filled in, and whose it is."""
    if step is None:
        return "nothing"
    needs = f" (fill in {', '.join(step['needs'])})" if step["needs"] else ""
    person = "; for a person to decide" if step["who"] == "person" else ""
    return f"{step['why']}{needs}{person}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _some(errors: Sequence[str]) -> str:
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"{errors[0]}{more}"
