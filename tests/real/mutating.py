"""Real files, made wrong: seeded, so that an input which fails is made again by its number."""

import copy
import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.intake.sources.yaml_documents import yaml_document

MOST_BYTES = 8_000
"""Larger files are thinned out first: what counts is how many inputs there are, not how long."""
KEPT_ITEMS = (40, 12, 5, 3, 2, 1)
LONGEST_TEXT = 1_500
CODECS = ("utf-16", "utf-32", "utf-16-le", "utf-8-sig", "cp1252")
SUFFIXES = ("", ".json", ".jsonl", ".yaml", ".har", ".eval", ".pb", ".txt", ".json.gz")
BINARY = frozenset({".eval", ".pb", ".bin", ".gz"})
STRANGE_TEXTS = (
    "", " ", "\x00", "{", "[1]", '{"a": 1}', '"x"', "null", "NaN", "\ud800", "\ud83d", "\u2028",
    "2026-13-45T99:99:99Z", "-1", "1e999", "data:image/png;base64,", "data:;base64,%%%", "0" * 40,
    "data: {}\n\n", "event: x\ndata: [DONE]\n\n", "../../x", "error: no", "\ufeff", "\r\n",
)  # fmt: skip
STRANGE_NUMBERS = (
    0, -1, 1, 2**31, 2**63, -(2**63), 10**18, 10**30, 10**400, 0.1, -0.0, 1e308,
    float("nan"), float("inf"), float("-inf"), True, False, None,
)  # fmt: skip
DEPTHS = (20, 190, 199, 250, 3_000)
LONG = 20_000
ON_VALUES_SHARE = 0.75
SHALLOW = 0.1

Record = Any
Mutation = Callable[[Random, Any, "Pool"], Any]


@dataclass(frozen=True, slots=True)
class Sample:
    """One real file, or as much of it as is worth while."""

    name: str
    data: bytes

    @property
    def suffix(self) -> str:
        """The ending of its name."""
        return Path(self.name).suffix


@dataclass(frozen=True, slots=True)
class Pool:
    """Every sample; parts of one go into others."""

    samples: tuple[Sample, ...]

    def values(self, random: Random) -> list[Any]:
        """The records of some other file; at least one."""
        return values_of(random.choice(self.samples)) or [{}]


@dataclass(frozen=True, slots=True)
class Input:
    """One file that is wrong, and how it came to be."""

    name: str
    data: bytes
    made: str


def pool_of(folder: Path, names: list[str]) -> Pool:
    """The samples of these files."""
    samples = (Sample(name, (folder / name).read_bytes()) for name in sorted(names))
    return Pool(tuple(filter(None, map(_thinned, samples))))


def values_of(sample: Sample) -> list[Any]:
    """The JSON values of a sample, line by line where it is lines; empty where it is none."""
    try:
        text = sample.data.decode()
    except UnicodeDecodeError:
        return []
    try:
        return [json.loads(text)]
    except ValueError:
        pass
    try:
        if sample.suffix in {".yaml", ".yml"}:
            return [yaml_document(sample.data)]
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    except ValueError:
        return []


def mutated(pool: Pool, number: int) -> Input:
    """The input of this number: one sample with one to four things done to it."""
    random = Random(number)
    sample = random.choice(pool.samples)
    values = values_of(sample) if random.random() < ON_VALUES_SHARE else []
    done: list[str] = []
    if values:
        holder: list[Any] = copy.deepcopy(values)
        for _ in range(random.choice((1, 1, 2, 4))):
            name, change = random.choice(ON_VALUES)
            holder = change(random, holder, pool)
            done.append(name)
        data = _written(random, holder)
    else:
        data = sample.data
        for _ in range(random.choice((1, 1, 2, 3))):
            name, change = random.choice(ON_BYTES)
            data = change(random, data, pool)
            done.append(name)
    suffix = ".json" if values else sample.suffix
    if random.random() < 0.1:
        suffix = random.choice(SUFFIXES)
        done.append(f"named {suffix}")
    return Input(f"f{suffix}", data, f"{number}: {sample.name}: {', '.join(done)}")


def _thinned(sample: Sample) -> Sample | None:
    """The sample with fewer elements and shorter texts; None where that cannot be had."""
    if len(sample.data) <= MOST_BYTES:
        return sample
    if sample.suffix in BINARY:
        return None
    values = values_of(sample)
    for count in KEPT_ITEMS:
        kept = [_pruned(value, count) for value in values[:count]]
        data = "\n".join(map(json.dumps, kept)).encode()
        if kept and len(data) <= MOST_BYTES:
            return Sample(sample.name, data)
    return Sample(sample.name, sample.data[:MOST_BYTES])


def _pruned(value: Any, count: int) -> Any:
    if isinstance(value, str):
        return value[:LONGEST_TEXT]
    if isinstance(value, list):
        return [_pruned(item, count) for item in value[:count]]
    if isinstance(value, dict):
        return {key: _pruned(item, count) for key, item in value.items()}
    return value


# What is done to bytes


def _flipped(random: Random, data: bytes, _pool: Pool) -> bytes:
    changed = bytearray(data)
    for _ in range(random.randint(1, 8) if changed else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _overwritten(random: Random, data: bytes, _pool: Pool) -> bytes:
    changed = bytearray(data)
    for _ in range(random.randint(1, 5) if changed else 0):
        changed[random.randrange(len(changed))] = random.choice(b'{}[],:"\\\n\r \x00\xff0-e')
    return bytes(changed)


def _cut(random: Random, data: bytes, _pool: Pool) -> bytes:
    place = random.randint(0, len(data))
    return data[:place] if random.random() < 0.8 else data[place:]


def _without(random: Random, data: bytes, _pool: Pool) -> bytes:
    start, end = _stretch(random, data)
    return data[:start] + data[end:]


def _doubled(random: Random, data: bytes, _pool: Pool) -> bytes:
    start, end = _stretch(random, data)
    return data[:end] + data[start:end] * random.choice((1, 1, 3)) + data[end:]


def _noisy(random: Random, data: bytes, _pool: Pool) -> bytes:
    place = random.randint(0, len(data))
    return data[:place] + random.randbytes(random.randint(1, 40)) + data[place:]


def _spliced(random: Random, data: bytes, pool: Pool) -> bytes:
    other = random.choice(pool.samples).data
    return data[: random.randint(0, len(data))] + other[random.randint(0, len(other)) :]


def _joined(random: Random, data: bytes, pool: Pool) -> bytes:
    return data + random.choice((b"", b"\n")) + random.choice(pool.samples).data


def _shuffled(random: Random, data: bytes, _pool: Pool) -> bytes:
    lines = data.split(b"\n")
    if random.random() < 0.5:
        lines += random.choices(lines, k=random.randint(1, 5))
    random.shuffle(lines)
    return b"\n".join(lines)


def _other_ends(random: Random, data: bytes, _pool: Pool) -> bytes:
    return data.replace(b"\n", random.choice((b"\r\n", b"\r", b"\n\n", b"\xe2\x80\xa8")))


def _recoded(random: Random, data: bytes, _pool: Pool) -> bytes:
    return data.decode("utf-8", "replace").encode(random.choice(CODECS), "replace")


def _packed(random: Random, data: bytes, _pool: Pool) -> bytes:
    packed = gzip.compress(data, 1, mtime=0)
    return packed if random.random() < 0.5 else packed[: random.randint(0, len(packed))]


def _stretch(random: Random, data: bytes) -> tuple[int, int]:
    start = random.randint(0, len(data))
    return start, min(len(data), start + random.choice((1, 10, 200, 3_000)))


ON_BYTES: tuple[tuple[str, Mutation], ...] = (
    ("flipped", _flipped),
    ("overwritten", _overwritten),
    ("cut", _cut),
    ("without", _without),
    ("doubled", _doubled),
    ("noisy", _noisy),
    ("spliced", _spliced),
    ("joined", _joined),
    ("shuffled", _shuffled),
    ("other ends", _other_ends),
    ("recoded", _recoded),
    ("packed", _packed),
)


# What is done to values


def _replaced(random: Random, holder: Any, _pool: Pool) -> Any:
    above, last = _place(random, holder)
    above[last] = _strange(random, above[last])
    return holder


def _taken(random: Random, holder: Any, _pool: Pool) -> Any:
    above, last = _place(random, holder)
    del above[last]
    return holder or [{}]


def _renamed(random: Random, holder: Any, pool: Pool) -> Any:
    above, last = _place(random, holder)
    if isinstance(above, dict):
        names = _names(holder) + _names(pool.values(random))
        above[random.choice(names or ["x"])] = above.pop(last)
    return holder


def _swapped(random: Random, holder: Any, _pool: Pool) -> Any:
    first, here = _place(random, holder)
    second, there = _place(random, holder)
    one, two = copy.deepcopy(first[here]), copy.deepcopy(second[there])
    first[here] = two
    second[there] = one
    return holder


def _borrowed(random: Random, holder: Any, pool: Pool) -> Any:
    """A field of a record of another file in place of one of this."""
    above, last = _place(random, holder)
    other, there = _place(random, pool.values(random))
    above[last] = copy.deepcopy(other[there])
    return holder


def _mixed(random: Random, holder: Any, pool: Pool) -> Any:
    """A record with the fields of a record of another file, too."""
    above, last = _place(random, holder)
    other, there = _place(random, pool.values(random))
    if isinstance(above[last], dict) and isinstance(other[there], dict):
        above[last] = {**above[last], **copy.deepcopy(other[there])}
    return holder


def _repeated(random: Random, holder: Any, _pool: Pool) -> Any:
    above, last = _place(random, holder)
    if isinstance(above, list):
        above[last:last] = [above[last]] * random.choice((1, 2, 30))
    return holder


def _disordered(random: Random, holder: Any, _pool: Pool) -> Any:
    above, _ = _place(random, holder)
    if isinstance(above, list):
        random.shuffle(above)
    else:
        items = list(above.items())
        random.shuffle(items)
        above.clear()
        above.update(items)
    return holder


def _wrapped(random: Random, holder: Any, _pool: Pool) -> Any:
    above, last = _place(random, holder)
    value = above[last]
    ways = ([value], {"value": value}, [[value]], {"text": value, "type": "text"}, {"0": value})
    above[last] = random.choice(ways)
    return holder


def _as_text(random: Random, holder: Any, _pool: Pool) -> Any:
    above, last = _place(random, holder)
    text = json.dumps(above[last])
    above[last] = random.choice((text, json.dumps(text), repr(above[last]), text[: len(text) // 2]))
    return holder


def _deepened(random: Random, holder: Any, _pool: Pool) -> Any:
    above, last = _place(random, holder)
    for _ in range(random.choice(DEPTHS[:2])):
        above[last] = [above[last]] if random.random() < 0.5 else {"a": above[last]}
    return holder


ON_VALUES: tuple[tuple[str, Mutation], ...] = (
    ("replaced", _replaced),
    ("replaced", _replaced),
    ("taken", _taken),
    ("renamed", _renamed),
    ("swapped", _swapped),
    ("borrowed", _borrowed),
    ("mixed", _mixed),
    ("repeated", _repeated),
    ("disordered", _disordered),
    ("wrapped", _wrapped),
    ("as text", _as_text),
    ("deepened", _deepened),
)


def _place(random: Random, holder: Any) -> tuple[Any, Any]:
    """Some object or list inside, and one of its keys: deep places as well as shallow ones."""
    above: Any = holder
    while True:
        last = random.choice(list(above) if isinstance(above, dict) else range(len(above)))
        inner = above[last]
        if not isinstance(inner, dict | list) or not inner or random.random() < SHALLOW:
            return above, last
        above = inner


def _names(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(name for item in value.values() for name in _names(item))]
    if isinstance(value, list):
        return [name for item in value[:5] for name in _names(item)]
    return []


def _strange(random: Random, value: Any) -> Any:
    """Something of the same type that is odd, or something of another type."""
    ways: tuple[Callable[[], Any], ...] = (
        lambda: random.choice(STRANGE_TEXTS),
        lambda: random.choice(STRANGE_NUMBERS),
        lambda: random.choice(([], {}, [[]], [{}], [None], {"": None}, [[], {}])),
        lambda: random.choice('ab{[\\"') * LONG,
        lambda: value * 2 if isinstance(value, str | list) else {"type": value},
        lambda: list(value.values()) if isinstance(value, dict) else [value],
        lambda: {str(at): item for at, item in enumerate(value)} if isinstance(value, list) else 7,
    )
    return random.choice(ways)()


def _written(random: Random, values: list[Any]) -> bytes:
    """The values as a file: lines, a list, one document, or with everything twice."""
    plain = random.random() < 0.5
    texts = [json.dumps(value, ensure_ascii=plain) for value in values]
    if random.random() < 0.05:
        depth = random.choice(DEPTHS)
        texts.insert(random.randint(0, len(texts)), "[" * depth + "]" * depth)
    way = random.random()
    if way < 0.1:
        text = f"[{', '.join(texts)}]"
    elif way < 0.2:
        text = "\n".join(json.dumps(value, indent=1) for value in values)
    elif way < 0.3:
        text = "\n".join(texts + texts)
    else:
        text = "\n".join(texts)
    return text.encode("utf-8", "surrogatepass")
