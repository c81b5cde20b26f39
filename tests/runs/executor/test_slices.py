"""A worker's turn: when it ends, when it cuts, and what its processes tell each other."""

import math
import multiprocessing
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection

import pytest

from runs.executor.board import Board
from runs.executor.slices import Slice

FORK = multiprocessing.get_context("fork")


@dataclass
class Clock:
    """A clock that a test moves."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def board() -> Iterator[Board]:
    board = Board()
    board.open()
    yield board
    board.close()


def state(turn: Slice) -> tuple[bool, bool, float]:
    return turn.requested, turn.at_once, turn.grace_s


def test_a_turn_ends_after_its_slice_and_lets_running_cells_end(clock: Clock) -> None:
    turn = Slice(seconds=3600, limit_s=7200, board=Board(), clock=clock)
    assert state(turn) == (False, False, math.inf)
    clock.now = 3599.9
    assert turn.requested is False
    clock.now = 3600
    assert state(turn) == (True, False, math.inf)


def test_before_the_limit_what_is_running_is_given_back(clock: Clock) -> None:
    turn = Slice(seconds=3600, limit_s=7200, board=Board(), clock=clock)
    clock.now = 7139.9
    assert turn.at_once is False
    clock.now = 7140
    assert turn.at_once is True


def test_a_worker_that_is_to_end_gives_running_cells_seconds(board: Board, clock: Clock) -> None:
    turn = Slice(board=board, clock=clock)
    board.ask_to_end()
    assert state(turn) == (True, False, 25.0)


def test_a_signal_to_the_process_does_the_same_and_a_second_cuts(clock: Clock) -> None:
    turn = Slice(board=Board(), clock=clock)
    turn.ask(signal.SIGTERM)
    assert state(turn) == (True, False, 25.0)
    turn.ask(signal.SIGTERM)
    assert turn.at_once is True


def test_a_board_that_was_never_made_says_nothing() -> None:
    board = Board()
    board.ask_to_end()
    with board.at_work():
        assert (board.asked_at, board.is_idle()) == (None, True)


def test_the_first_moment_stands(board: Board) -> None:
    before = time.monotonic()
    board.ask_to_end()
    first = board.asked_at
    assert first is not None
    assert before <= first <= time.monotonic()
    board.ask_to_end()
    assert board.asked_at == first


def work(board: Board, tell: Connection) -> None:
    with board.at_work():
        tell.send(board.asked_at)
        while board.asked_at is None:
            time.sleep(0.01)
        tell.send(True)
        tell.poll(60)


def start(board: Board) -> tuple[Connection, multiprocessing.process.BaseProcess]:
    here, there = FORK.Pipe()
    process = FORK.Process(target=work, args=(board, there))
    process.start()
    return here, process


def test_a_forked_process_is_told_and_is_seen_at_work_until_it_has_ended(board: Board) -> None:
    here, process = start(board)
    assert here.recv() is None
    assert board.is_idle() is False
    board.ask_to_end()
    assert here.recv() is True
    assert board.is_idle() is False
    here.send("end")
    process.join(30)
    assert board.is_idle() is True


def test_a_process_that_is_killed_is_at_work_no_more(board: Board) -> None:
    here, process = start(board)
    here.recv()
    assert board.is_idle() is False
    process.kill()
    process.join(30)
    assert board.is_idle() is True
