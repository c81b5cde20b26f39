"""Joins `tests/real/expected/*.json` into the one table that CI checks and docs are made from.

python -m tests.real.merge_expected            write dialects_expected.json
python -m tests.real.merge_expected --compare  print where intake and table differ
"""

import json
import sys
from pathlib import Path

from tests.real.reading_alone import NUMBERS, read_alone

HERE = Path(__file__).parent
TABLE = HERE / "dialects_expected.json"
DATA = Path(__file__).parents[2].parent / "shared" / "data"


def merged() -> dict[str, dict]:
    """Every file's row, by path."""
    rows: dict[str, dict] = {}
    for path in sorted((HERE / "expected").glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        twice = rows.keys() & found.keys()
        if twice:
            raise SystemExit(f"{path.name}: already in another table: {sorted(twice)}")
        rows |= found
    return dict(sorted(rows.items()))


def compare(data: Path, starts: tuple[str, ...]) -> int:
    """Print every file whose reading is not what the table says; how many there are."""
    differing = 0
    for name, row in merged().items():
        if starts and not name.startswith(starts):
            continue
        found = read_alone(data / name)
        wanted = {key: row.get(key, 0 if key != "dropped" else {}) for key in NUMBERS}
        wanted["dialects"] = row.get("dialects", {})
        wrong = {
            key: f"{wanted[key]} expected, {found[key]} read"
            for key in wanted
            if wanted[key] != found[key] and not (row.get("holds") == "none" and key == "records")
        }
        if wrong:
            differing += 1
            sys.stdout.write(f"{name}\n")
            for key, words in wrong.items():
                sys.stdout.write(f"    {key}: {words}\n")
    return differing


if __name__ == "__main__":
    if "--compare" in sys.argv:
        starts = tuple(arg for arg in sys.argv[1:] if not arg.startswith("--"))
        count = compare(DATA, starts)
        sys.stdout.write(f"{count} files differ\n")
        sys.exit(count > 0)
    TABLE.write_text(
        json.dumps(merged(), indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8"
    )
