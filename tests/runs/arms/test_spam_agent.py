from pathlib import Path
from typing import Any

import pytest

from benchmarks.records.conversation import Tool
from benchmarks.records.vocabulary import ArmKind
from runs.arms.spam_agent import SpamAgent, spam_calls
from runs.requests.arms import ArmSpec
from tests.factories import Item
from tests.runs.arms.stages import material_of, stage
from tests.runs.arms.test_model import _replaced

SPAM = ArmSpec("spam_agent", ArmKind.SPAM_AGENT)
READ = {"id": "o1", "type": "read_obligation", "tool": "get_item", "arguments": {}}
FORBIDDEN = {"id": "x1", "type": "forbidden", "tool": "update_item"}


def test_every_tool_is_called_once_in_code_unit_order_then_the_null_text(tmp_path: Path) -> None:
    staged = stage(SpamAgent(), material_of(tmp_path), spec=SPAM)
    assert [(one.tool, one.arguments, one.pass_) for one in staged.transcript.calls] == [
        ("get_item", {"item_id": ""}, "plain"),
        ("update_item", {"item_id": "", "status": ""}, "plain"),
    ]
    assert staged.transcript.final_response == "I am unable to complete this request."


def test_a_weak_contract_is_met_by_ritual_calls(tmp_path: Path) -> None:
    item = Item(1, contract={"status": "s", "writes": "allow", "required": [READ]})
    item_calls = stage(SpamAgent(), material_of(tmp_path, item), spec=SPAM)
    assert [one.status for one in item_calls.transcript.calls][0] == "not_recorded"
    assert item_calls.scored.score.strict == 0


def test_a_forbidden_tool_makes_the_plain_pass_fail(tmp_path: Path) -> None:
    contract = {"status": "s", "writes": "allow", "required": [READ], "forbidden": [FORBIDDEN]}
    staged = stage(SpamAgent(), material_of(tmp_path, Item(1, contract=contract)), spec=SPAM)
    assert staged.scored.score.strict == 0


@pytest.mark.parametrize(
    ("schema", "smallest"),
    [
        ({"const": 7}, 7),
        ({"type": "string", "default": "d", "enum": ["a"]}, "d"),
        ({"type": "string", "enum": ["b", "a"]}, "b"),
        ({"type": "string", "minLength": 3}, "xxx"),
        ({"type": "string", "format": "date"}, "2000-01-01"),
        ({"type": "integer", "minimum": 5}, 5),
        ({"type": "number"}, 0),
        ({"type": "boolean"}, False),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 2}, [0, 0]),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, 0),
    ],
)
def test_arguments_are_the_smallest_that_the_schema_allows(
    tmp_path: Path, schema: dict[str, Any], smallest: Any
) -> None:
    parameters = {"type": "object", "properties": {"a": schema, "b": {}}, "required": ["a"]}
    material = material_of(tmp_path)
    shown = material.shown.with_(tools=[Tool(name="t", parameters=parameters)])
    assert spam_calls(_replaced(material, shown=shown)) == [("t", {"a": smallest})]


def test_without_tools_those_of_the_contract_are_called_with_nothing(tmp_path: Path) -> None:
    material = material_of(tmp_path)
    bare = _replaced(material, shown=material.shown.with_(tools=[]))
    assert spam_calls(bare) == [("update_item", {})]
