from pathlib import Path

from benchmarks.services.making import sources_name, spoken_name
from benchmarks.services.targets import name_for


def test_a_benchmark_is_called_as_its_workload_its_source_or_the_folder_of_several(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "Refund Desk"
    folder.mkdir()
    first, second = folder / "a.jsonl", folder / "b.json"
    assert name_for("Night Desk", [first]) == "night-desk"
    assert name_for(None, [folder]) == "refund-desk"
    assert name_for(None, [first]) == "a"
    assert name_for(None, [first, second]) == "refund-desk"
    assert name_for(None, [first, tmp_path / "c.json"]) == "a-and-c"
    assert name_for(None, []) == "benchmark"


def test_several_sources_are_said_one_after_the_other() -> None:
    assert spoken_name("a.jsonl+b.json") == "a and b"
    assert spoken_name("captures") == "captures"


def test_a_source_that_tells_a_secret_names_nothing_with_it(tmp_path: Path) -> None:
    folder = tmp_path / "sk-AbCdEf0123456789xyz"
    folder.mkdir()
    assert name_for(None, [folder]) == "redacted-api_key"
    assert sources_name([folder, tmp_path / "a.json"]) == "[redacted:api_key]+a.json"
