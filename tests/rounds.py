"""Tests that run several times over: `make chaos` asks for rounds of those that kill."""

import os

import pytest

ROUNDS = int(os.environ.get("UNDERSTUDY_TEST_ROUNDS", "1"))


def add_rounds(metafunc: pytest.Metafunc, rounds: int = ROUNDS) -> None:
    """Let a test run that many times, each time as a test of its own."""
    if rounds > 1:
        metafunc.fixturenames.append("round_of_test")
        metafunc.parametrize("round_of_test", range(1, rounds + 1))
