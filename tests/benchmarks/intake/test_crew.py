"""The messages between the processes of a crew: whole, or none."""

import pickle
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from benchmarks.intake import crew
from benchmarks.intake.sources.found import SourceFile
from benchmarks.intake.sources.units import Kind, Unit

MIB = 2**20


def test_messages_come_back_as_they_were_sent() -> None:
    pipe = BytesIO()
    crew._send([], pipe)
    crew._send(Counter({"bom": 2}), pipe)
    pipe.seek(0)
    received = [crew._received(pipe) for _ in range(3)]
    assert [data and pickle.loads(data) for data in received] == [[], Counter({"bom": 2}), None]


@pytest.mark.parametrize("kept", range(len(pickle.dumps([], crew.PROTOCOL)) + crew.LENGTH_BYTES))
def test_a_message_cut_anywhere_is_none(kept: int) -> None:
    pipe = BytesIO()
    crew._send([], pipe)
    assert crew._received(BytesIO(pipe.getvalue()[:kept])) is None


class Mate:
    """A process that does every work as soon as it is asked for what came of it."""

    def __init__(self, **_: object) -> None:
        self.waiting_bytes = 0
        self.given: list[str] = []

    def give(self, work: Unit) -> None:
        self.waiting_bytes += crew.bytes_of(work)
        self.given.append(work.file.local_path)

    def messages(self) -> Iterator[Counter[str]]:
        yield Counter()

    def close(self) -> None:
        pass


def unit(name: str, size: int) -> Unit:
    return Unit(Path(name), SourceFile(name, "", size), Kind.JSON)


def two(monkeypatch: pytest.MonkeyPatch) -> crew.Crew:
    monkeypatch.setattr(crew, "_Mate", Mate)
    return crew.Crew(redact=True, processes=2)


def test_a_process_with_much_to_read_is_given_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = two(monkeypatch)
    sizes = [4 * MIB, *[MIB] * 3]
    assert list(ours.items(unit(str(at), size) for at, size in enumerate(sizes))) == []
    assert [mate.given for mate in ours._mates] == [["0"], ["1", "2", "3"]]
    assert [mate.waiting_bytes for mate in ours._mates] == [0, 0]


@pytest.mark.parametrize(("size", "ahead"), [(1, 49), (MIB, 8), (3 * MIB, 4), (600 * MIB, 4)])
def test_works_wait_up_to_their_bytes_and_two_for_each_process(
    monkeypatch: pytest.MonkeyPatch, size: int, ahead: int
) -> None:
    ours = two(monkeypatch)
    done: list[int] = []
    monkeypatch.setattr(ours, "_done", lambda *_: done.append(1) or iter(()))
    waiting = []

    def works() -> Iterator[Unit]:
        for at in range(50):
            waiting.append(at - len(done))
            yield unit(str(at), size)

    assert list(ours.items(works())) == []
    assert max(waiting) == ahead
