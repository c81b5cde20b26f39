"""Many writers at once, and writers that die."""

import contextlib
import multiprocessing
import time

from benchmarks.artifacts import document, layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.records.review import ReviewPolicy
from tests.benchmarks.artifacts.makers import review

FORK = multiprocessing.get_context("fork")


def append_reviews(path, worker):
    directory = BenchmarkDir(path)
    for number in range(100):
        note = f"{worker}-{number} " + "x" * 200
        directory.append(layout.REVIEWS, review(f"t{worker}", note=note))


def test_f41_twenty_processes_append_and_no_line_is_torn(directory):
    processes = [FORK.Process(target=append_reviews, args=(directory.path, n)) for n in range(20)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    read = directory.read(layout.REVIEWS)
    assert read.counts.as_document() == {"lines": 2000}
    notes = [found.note.split()[0] for found in read.records]
    assert len(set(notes)) == 2000
    for worker in range(20):
        own = [note for note in notes if note.startswith(f"{worker}-")]
        assert own == [f"{worker}-{number}" for number in range(100)]


def test_a_document_is_never_seen_half_written(directory):
    directory.replace(layout.REVIEW_POLICY, ReviewPolicy())
    path = directory.path / "review-policy.json"

    def write():
        for number in range(100):
            document.replace(path, {"number": number, "text": "x" * number * 50})

    process = FORK.Process(target=write)
    process.start()
    seen = 0
    while process.is_alive():
        assert document.read(path) is not None
        seen += 1
    process.join()
    assert seen > 0
    assert document.read(path)["number"] == 99


def append_until_killed(path, line):
    with BenchmarkDir(path).appender(layout.live("run-1", "m")) as appender:
        for seq in range(10_000):
            appender.append({"at": 1, "seq": seq, "kind": "call", "text": "x" * 500})
            appender.sync()
            line.send(seq)


def test_what_was_acknowledged_survives_a_kill_at_any_instant(directory):
    file = layout.live("run-1", "m")
    for pause in range(15):
        directory.path.mkdir(exist_ok=True)
        (directory.path / file.path).unlink(missing_ok=True)
        here, there = FORK.Pipe(duplex=False)
        process = FORK.Process(target=append_until_killed, args=(directory.path, there))
        process.start()
        there.close()
        acknowledged = here.recv()
        time.sleep(pause / 1000)
        process.kill()
        process.join()
        with contextlib.suppress(EOFError):
            while here.poll():
                acknowledged = here.recv()
        read = directory.read(file)
        assert [line.seq for line in read.records] == list(range(len(read.records)))
        assert len(read.records) > acknowledged
        assert read.counts.malformed == 0
