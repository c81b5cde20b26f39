"""How fast verifiers are tested: 1,000 generated tasks, 20 mutants each and more, two processes.

The tasks are drawn from a seed: 7 in 10 change something (4 to 12 look-ups with results of about
1 KB, 1 to 4 writes of 3 to 6 arguments, one of them a list of objects), 2 in 10 only look up and
say a number, 1 in 10 answers in JSON. Each has one right trial, half of them a wrong one; 3 to 8
texts of about 200 characters. Prints one JSON object: the median of the runs, the target, what the
processors worked for it, how many mutants were made, and a floor of the same run: the sources
judged as often as mutants were.

    python tests/perf/verify.py [--tasks 1000] [--runs 5] [--seed 7]
"""

import argparse
import json
import resource
import statistics
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from benchmarks.contract.declared import Declared  # noqa: E402
from benchmarks.contract.entries import demands_of  # noqa: E402
from benchmarks.contract.inferring import infer_arguments  # noqa: E402
from benchmarks.contract.json_answers import json_answer  # noqa: E402
from benchmarks.contract.mutants.pool import Pool  # noqa: E402
from benchmarks.contract.mutants.subject import Example, Subject  # noqa: E402
from benchmarks.contract.mutants.verifying import verify_task  # noqa: E402
from benchmarks.contract.mutating import effective_policy  # noqa: E402
from benchmarks.contract.observed import Observed, ObservedCall  # noqa: E402
from benchmarks.contract.score import judge  # noqa: E402
from benchmarks.records.contract import Contract, Entry  # noqa: E402
from benchmarks.records.conversation import Tool  # noqa: E402
from benchmarks.records.verifier import TaskVerification  # noqa: E402
from benchmarks.records.vocabulary import Termination  # noqa: E402

TARGET_S = 30.0
LEAST_MUTANTS = 20
PROCESSES = 2
SHARE = 32
TEXT = {"type": "string"}
NUMBER = {"type": "number"}
PEOPLE = {
    "type": "array",
    "items": {"type": "object", "properties": {"first": TEXT, "last": TEXT, "born": TEXT}},
}


def tool(name: str, **properties: Any) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return Tool(name=name, description=name.replace("_", " "), parameters=schema)


TOOLS = (
    tool("get_booking", booking_id=TEXT),
    tool("get_user", user_id=TEXT),
    tool("find_flights", origin=TEXT, destination=TEXT, day=TEXT),
    tool("book_flight", user_id=TEXT, cabin={"enum": ["basic", "economy", "business"]},
         people=PEOPLE, day=TEXT, bags=NUMBER, card_id=TEXT),
    tool("update_booking", booking_id=TEXT, cabin={"enum": ["basic", "economy", "business"]},
         note=TEXT),
    tool("cancel_booking", booking_id=TEXT, reason=TEXT, refund={"type": "boolean"}),
    tool("send_voucher", user_id=TEXT, amount=NUMBER, currency=TEXT),
)  # fmt: skip
READS, WRITES = TOOLS[:3], TOOLS[3:]
POLICY = effective_policy(None, TOOLS)
WORDS = ["the", "trip", "was", "moved", "to", "another", "day", "since", "weather", "did", "not"]


def value_for(name: str, rng: Random) -> Any:
    """A value as such an argument holds it."""
    makers = {
        "cabin": lambda: rng.choice(["basic", "economy", "business"]),
        "people": lambda: [
            {"first": rng.choice(WORDS), "last": rng.choice(WORDS), "born": value_for("day", rng)}
            for _ in range(rng.randint(1, 3))
        ],
        "day": lambda: f"2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
        "bags": lambda: rng.randint(0, 5),
        "amount": lambda: rng.randint(10, 5000) / rng.choice([1, 4]),
        "refund": lambda: rng.random() < 0.5,
        "currency": lambda: rng.choice(["EUR", "USD"]),
        "note": lambda: sentence(rng, 14),
        "reason": lambda: sentence(rng, 4),
        "origin": lambda: rng.choice(["BER", "OSL", "LIS"]),
        "destination": lambda: rng.choice(["NRT", "JFK", "SYD"]),
    }
    made = makers.get(name)
    return made() if made else f"{name[0].upper()}{rng.randint(10_000, 99_999)}"


def sentence(rng: Random, words: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(words))


def made_call(kind: Tool, rng: Random) -> ObservedCall:
    names = kind.parameters["properties"]
    arguments = {name: value_for(name, rng) for name in names}
    entries = [{"id": value_for("booking_id", rng), "text": sentence(rng, 12)} for _ in range(10)]
    result = json.dumps({**arguments, "entries": entries})
    return ObservedCall(kind.name, arguments, result=result)


def effect(call: ObservedCall, place: int) -> Entry:
    kind = next(one for one in TOOLS if one.name == call.tool)
    matchers = infer_arguments(call.arguments or {}, Declared.of(kind.parameters))
    return Entry(id=f"o{place}", type="state_effect", tool=call.tool, arguments=matchers)


def answered(place: int) -> Entry:
    return Entry(id=f"o{place}", type="response_obligation", kind="answered")


def rollout(calls: Sequence[ObservedCall], texts: Sequence[str]) -> Observed:
    return Observed(tuple(calls), tuple(texts), texts[-1], Termination.FINISHED)


def make_task(number: int, seed: int) -> tuple[Contract, Observed]:
    """One task: its contract and its source."""
    rng = Random(f"{seed} {number}")
    reads = [made_call(rng.choice(READS), rng) for _ in range(rng.randint(4, 12))]
    texts = [sentence(rng, 40) for _ in range(rng.randint(3, 8))]
    required: list[Entry]
    if number % 10 < 7:
        kinds = rng.sample(WRITES, rng.randint(1, 4))
        writes = [made_call(kind, rng) for kind in kinds]
        required = [effect(call, place) for place, call in enumerate(writes, 1)]
        reads += writes
    else:
        required = [Entry(id="o1", type="no_state_change")]
    required.append(answered(len(required) + 1))
    if number % 10 in {7, 8}:
        total = rng.randint(100, 9000)
        texts[-1] = f"{sentence(rng, 20)}: {total} in all."
        required.append(Entry(id="o9", type="value_propagation", value=total,
                              must_reach={"kind": "response"}))  # fmt: skip
    if number % 10 == 9:
        texts[-1] = json.dumps({
            "category": rng.choice(WORDS), "count": rng.randint(1, 99),
            "day": value_for("day", rng), "parties": [rng.choice(WORDS) for _ in range(3)],
        })  # fmt: skip
        required += [
            one.with_(id=f"j{at}") for at, one in enumerate(json_answer(texts[-1]).entries)
        ]
    contract = Contract(status="machine_proposed", writes="forbid", required=required)
    return contract, rollout(reads, texts)


def subjects(count: int, seed: int) -> list[Subject]:
    """What each task is tested with."""
    made = [make_task(number, seed) for number in range(count)]
    pool = Pool.of(source for _, source in made)
    return [
        Subject(
            task_id=f"task-{number:04}",
            contract=contract,
            verifier_sha256="46",
            policy=POLICY,
            tools=TOOLS,
            passes=(Example("fx-1", source), Example("fx-2", source, "oracle")),
            fails=(Example("fx-3", rollout(source.calls[:1], ["No."])),) if number % 2 else (),
            pool=pool,
        )
        for number, (contract, source) in enumerate(made)
    ]


def rows_of(share: Sequence[Subject], seed: int) -> list[TaskVerification]:
    return [verify_task(subject, seed).row for subject in share]


def verified(found: Sequence[Subject], seed: int) -> list[TaskVerification]:
    """Every verifier tested, by two processes that are started for it."""
    shares = [found[at : at + SHARE] for at in range(0, len(found), SHARE)]
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        asked = [pool.submit(rows_of, share, seed) for share in shares]
        return [row for future in asked for row in future.result()]


def children_s() -> float:
    """What the processors worked for processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def judged_alone(found: Sequence[Subject], times: int) -> None:
    """The sources judged as often as mutants were made, in one process."""
    for subject in found:
        demands = demands_of(subject.contract, subject.policy)
        for _ in range(times // len(found)):
            judge(demands, subject.passes[0].observed, subject.policy)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    found = subjects(args.tasks, args.seed)
    seconds, worked = [], []
    for _ in range(args.runs):
        began, before = time.perf_counter(), children_s()
        rows = verified(found, args.seed)
        seconds.append(time.perf_counter() - began)
        worked.append(children_s() - before)
    made = sum(row.mutants.made + row.harmless.made for row in rows)
    began = time.perf_counter()
    judged_alone(found, made)
    floor = time.perf_counter() - began
    value = statistics.median(seconds)
    report = {
        "figure": f"verify, {args.tasks} tasks, two processes",
        "median_s": round(value, 2),
        "target_s": TARGET_S,
        "cpu_s": round(statistics.median(worked), 2),
        "met": value <= TARGET_S and made >= LEAST_MUTANTS * args.tasks,
        "mutants": made,
        "rejected": sum(row.mutants.rejected for row in rows),
        "faults": sum(
            row.mutants.made - row.mutants.equivalent - row.mutants.broken for row in rows
        ),
        "harmless": sum(row.harmless.made for row in rows),
        "accepted": sum(row.harmless.accepted for row in rows),
        "floor_s": round(floor, 2),
        "runs": args.runs,
    }
    sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main()
