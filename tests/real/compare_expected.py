"""Where intake and dialects_expected.json differ.

python -m tests.real.compare_expected [START ...]    only files whose path starts so
"""

import json
import sys
from pathlib import Path

from tests.real.reading_alone import NUMBERS, read_alone

TABLE = Path(__file__).parent / "dialects_expected.json"
DATA = Path(__file__).parents[2].parent / "shared" / "data"
OBJECTS = frozenset({"dialects", "dropped"})


def compare(data: Path, starts: tuple[str, ...]) -> int:
    """Print every file whose reading is not what the table says; how many there are."""
    differing = 0
    for name, row in json.loads(TABLE.read_text(encoding="utf-8")).items():
        if starts and not name.startswith(starts):
            continue
        found = read_alone(data / name)
        wrong = {
            key: f"{wanted} expected, {found[key]} read"
            for key in NUMBERS
            if (wanted := row.get(key, {} if key in OBJECTS else 0)) != found[key]
            and not (row.get("holds") == "none" and key in {"records", "dialects"})
        }
        if wrong:
            differing += 1
            sys.stdout.write(f"{name}\n")
            sys.stdout.writelines(f"    {key}: {words}\n" for key, words in wrong.items())
    return differing


if __name__ == "__main__":
    count = compare(DATA, tuple(sys.argv[1:]))
    sys.stdout.write(f"{count} files differ\n")
    sys.exit(count > 0)
