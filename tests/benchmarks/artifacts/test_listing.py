from pathlib import Path

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from tests.reviews.factories import make_row


def test_files_are_listed_by_pattern_and_name_with_their_size(tmp_path: Path) -> None:
    for name, text in (("rows-b.jsonl", "12"), ("rows-a.jsonl", "1"), ("calibration.json", "{}")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / ".rows-x.jsonl").write_text("hidden", encoding="utf-8")
    found = BenchmarkDir(tmp_path).listing("calibration.json", "rows-*.jsonl", "missing.json")
    assert [(each.name, each.bytes) for each in found] == [
        ("calibration.json", 2),
        ("rows-a.jsonl", 1),
        ("rows-b.jsonl", 2),
    ]
    assert all(each.modified_at.tzinfo is not None for each in found)


def test_a_link_that_leads_out_is_not_listed(tmp_path: Path) -> None:
    inside, outside = tmp_path / "b", tmp_path / "secret.json"
    inside.mkdir()
    outside.write_text("{}", encoding="utf-8")
    (inside / "calibration.json").symlink_to(outside)
    assert BenchmarkDir(inside).listing("*.json") == []


def test_rows_for_figures_leave_out_what_only_shows_a_rollout(tmp_path: Path) -> None:
    directory = BenchmarkDir(tmp_path)
    row = make_row("t1", 1, writes=[{"tool": "x", "arguments": {}}], cost=0.25)
    directory.append(layout.rows("run-1", "m1"), row)
    whole, light = directory.rows().records[0], directory.rows(omit=layout.ROW_DETAILS).records[0]
    assert whole.writes == [{"tool": "x", "arguments": {}}]
    assert light.writes == []
    assert (light.score, light.cost) == (1, 0.25)
