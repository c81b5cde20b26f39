from pathlib import Path

from benchmarks.artifacts.directory import BenchmarkDir


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
