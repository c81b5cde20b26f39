"""How the cells of a run are drawn."""

import pytest

from runs.admin.cells import cell_lines, whole_or_cut

ASKED = "Hello.\nPlease move my hire  to Friday and add a helmet.\nThank you."


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Please move my hire to Friday", "Please move my hire to Friday…"),
        (
            "Please move my hire to Friday and add a helmet.",
            "Please move my hire to Friday and add a helmet.",
        ),
        ("Hello. Please move my hire", "Hello. Please move my hire…"),
        ("Thank you.", "Thank you."),
        ("A summary that a model wrote", "A summary that a model wrote"),
        ("Please move my hire H-17", "Please move my hire H-17"),
    ],
)
def test_name_that_was_cut_short_says_so(name: str, said: str) -> None:
    assert whole_or_cut(name, ASKED) == said


def test_task_without_a_name_or_a_prompt_is_its_id() -> None:
    cells = {"arms": [], "tasks": [{"task_id": "t1", "name": None, "cells": {}}]}
    assert cell_lines(cells, {}) == [{"task_id": "t1", "name": "t1", "arms": []}]
