"""Traces that the reference retained of a run: nodes of one conversation, first trace only.

`runs/work/<run>--<arm>/outputs/**/traces.jsonl`, one node a line: `{id, parents, task_id, role,
content}`. Whether a call failed is not in it, so that every call reads as accepted
(spec/files.md 12).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.jsonl import Tally, stream
from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.records.base import JsonObject
from runs.rollouts.journal import arguments_told


def retained_trace(
    directory: BenchmarkDir, run_id: str, model: str, task_id: str
) -> Observed | None:
    """The first retained trace of a task in an arm's work folder; None without one."""
    folder = f"{layout.checked_run_id(run_id)}--{layout.safe(model)}"
    for facts in directory.listing(f"{layout.WORK}/{folder}/outputs/**/traces.jsonl"):
        path = directory.path_of(facts.name)
        if path is None:
            continue
        nodes = [line.value for line in stream(path, Tally(), ledger=False)]
        own = first_trace([node for node in nodes if node.get("task_id") == task_id])
        if own:
            return observed_from_nodes(own)
    return None


def first_trace(nodes: Sequence[JsonObject]) -> list[JsonObject]:
    """The nodes up to the second one without a parent: where the next trace begins."""
    taken: list[JsonObject] = []
    for node in nodes:
        if taken and not node.get("parents") and node.get("id") is not None:
            break
        taken.append(node)
    return taken


def observed_from_nodes(nodes: Sequence[JsonObject]) -> Observed:
    """A conversation in nodes as the scorer sees a rollout."""
    results = {
        str(node.get("tool_call_id")): node.get("content")
        for node in nodes
        if node.get("role") == "tool" and node.get("tool_call_id") is not None
    }
    calls: list[ObservedCall] = []
    texts: list[tuple[int, str]] = []
    for turn, node in enumerate(nodes):
        if node.get("role") != "assistant":
            continue
        text = node.get("content")
        if isinstance(text, str) and text.strip():
            texts.append((turn, text))
        calls += _calls(node, turn, results)
    return Observed(
        calls=tuple(calls),
        texts=tuple(text for _, text in texts),
        final_response=texts[-1][1] if texts else None,
        text_turns=tuple(turn for turn, _ in texts),
    )


def _calls(node: JsonObject, turn: int, results: dict[str, Any]) -> Iterator[ObservedCall]:
    asked = node.get("tool_calls")
    for each in asked if isinstance(asked, list) else ():
        call = each if isinstance(each, dict) else {}
        named = call.get("function")
        function: JsonObject = named if isinstance(named, dict) else call
        arguments, raw = arguments_told(function.get("arguments"))
        call_id = str(call.get("id")) if call.get("id") is not None else None
        yield ObservedCall(
            tool=str(function.get("name") or ""),
            arguments=arguments,
            arguments_raw=raw,
            result=results.get(call_id) if call_id is not None else None,
            call_id=call_id,
            turn=turn,
        )
