"""Texts parted by what they say: hashed TF-IDF, spherical k-means, and whether a parting is real.

Everything is seeded and does not depend on the order of the texts as long as the caller sorts them.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

DIMENSIONS = 1024
"""Buckets that words are hashed into."""
FEWEST, MOST = 2, 4
"""How many parts are tried."""
STARTS, ROUNDS = 8, 100
MIN_SILHOUETTE = 0.15


@dataclass(frozen=True, slots=True)
class Parting:
    """The part that each text belongs to, parts numbered from the largest."""

    labels: tuple[int, ...]
    silhouette: float | None
    """The mean over all texts; None where there is one part."""


def part_texts(texts: Sequence[Sequence[str]], *, seed: int) -> Parting:
    """Texts, as their words, parted in two to four where that is real; else all in one part.

    The number of parts is the one with the highest mean silhouette; under 0.15 nothing is parted.
    """
    vectors = tfidf(texts)
    best: Parting | None = None
    for k in range(FEWEST, min(MOST, len(texts) - 1) + 1):
        labels = spherical_kmeans(vectors, k, seed=seed)
        score = silhouette(vectors, labels)
        if score >= MIN_SILHOUETTE and (best is None or score > (best.silhouette or 0.0)):
            best = Parting(_by_size(labels), score)
    return best or Parting((0,) * len(texts), None)


def central(texts: Sequence[Sequence[str]], members: Sequence[int]) -> int:
    """Of some texts the one nearest their centre, by its place among all; the first of equals."""
    near = closeness(tfidf(texts), members)
    return members[near.index(max(near))]


def closeness(vectors: FloatArray, members: Sequence[int]) -> list[float]:
    """How near each of some unit vectors is to their centre, by cosine."""
    own = vectors[list(members)]
    near = own @ _unit(own.sum(axis=0, keepdims=True))[0]
    found: list[float] = np.round(near, 12).tolist()
    return found


def telling_words(texts: Sequence[Sequence[str]], members: Sequence[int], count: int) -> list[str]:
    """The words that most members hold and fewest other texts do, best first."""
    inside = set(members)
    own, other = _shares(texts, inside), _shares(texts, set(range(len(texts))) - inside)
    ranked = sorted(own, key=lambda word: (other.get(word, 0.0) - own[word], word))
    return [word for word in ranked if own[word] > other.get(word, 0.0)][:count]


def tfidf(texts: Sequence[Sequence[str]]) -> FloatArray:
    """One unit row per text: word counts damped, weighed by rarity, hashed into buckets.

    A text without any word is the zero vector.
    """
    counts = np.zeros((len(texts), DIMENSIONS), dtype=np.float64)
    for row, words in enumerate(texts):
        for word in words:
            counts[row, zlib.crc32(word.encode("utf-8", "surrogatepass")) % DIMENSIONS] += 1
    held = (counts > 0).sum(axis=0)
    rarity = np.log((1 + len(texts)) / (1 + held)) + 1
    return _unit(np.log1p(counts) * rarity)


def spherical_kmeans(vectors: FloatArray, k: int, *, seed: int) -> IntArray:
    """The part of each unit vector, by cosine; the best of several seeded starts."""
    rng = np.random.Generator(np.random.PCG64(seed))
    best, most = np.zeros(len(vectors), dtype=np.int64), -np.inf
    for _ in range(STARTS):
        labels, fit = _settled(vectors, _starts(vectors, k, rng))
        if fit > most + 1e-9:
            best, most = labels, fit
    return best


def silhouette(vectors: FloatArray, labels: IntArray) -> float:
    """The mean silhouette by cosine distance, exact; 0 for whoever is alone in a part.

    The mean distance to a part is one minus the mean cosine, which the part's sum gives at once.
    """
    parts = sorted(set(labels.tolist()))
    if len(parts) < FEWEST:
        return 0.0
    sizes = np.array([(labels == part).sum() for part in parts], dtype=np.float64)
    sums = np.stack([vectors[labels == part].sum(axis=0) for part in parts])
    cosines = vectors @ sums.T
    place = np.array([parts.index(label) for label in labels.tolist()])
    rows = np.arange(len(vectors))
    own_size = sizes[place]
    squares = (vectors * vectors).sum(axis=1)
    own = 1 - (cosines[rows, place] - squares) / np.maximum(own_size - 1, 1)
    others = 1 - cosines / sizes
    others[rows, place] = np.inf
    nearest = others.min(axis=1)
    width = np.maximum(np.maximum(own, nearest), 1e-12)
    scores = np.where(own_size > 1, (nearest - own) / width, 0.0)
    return float(scores.mean())


def _starts(vectors: FloatArray, k: int, rng: np.random.Generator) -> FloatArray:
    """The first centres: each far from those before it, drawn by how far."""
    chosen = [int(rng.integers(len(vectors)))]
    while len(chosen) < k:
        distance = np.clip(1 - (vectors @ vectors[chosen].T).max(axis=1), 0, None)
        total = distance.sum()
        if total <= 0:
            chosen.append(int(rng.integers(len(vectors))))
        else:
            drawn = np.searchsorted(np.cumsum(distance), rng.random() * total, side="right")
            chosen.append(min(int(drawn), len(vectors) - 1))
    return vectors[chosen]


def _settled(vectors: FloatArray, centres: FloatArray) -> tuple[IntArray, float]:
    """The parts once no vector changes its own, and how well they fit."""
    labels = np.full(len(vectors), -1, dtype=np.int64)
    for _ in range(ROUNDS):
        near = vectors @ centres.T
        moved = near.argmax(axis=1)
        if np.array_equal(moved, labels):
            break
        labels = moved
        sums = np.stack([vectors[labels == part].sum(axis=0) for part in range(len(centres))])
        empty = np.linalg.norm(sums, axis=1) == 0
        centres = np.where(empty[:, None], centres, _unit(sums))
    near = vectors @ centres.T
    return labels, float(near[np.arange(len(vectors)), labels].sum())


def _unit(rows: FloatArray) -> FloatArray:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: FloatArray = rows / np.where(norms == 0, 1, norms)
    return unit


def _by_size(labels: IntArray) -> tuple[int, ...]:
    """Labels renamed: the largest part is 0; of equals, the one that comes first."""
    found = labels.tolist()
    parts = sorted(set(found), key=lambda part: (-found.count(part), found.index(part)))
    names = {part: name for name, part in enumerate(parts)}
    return tuple(names[label] for label in found)


def _shares(texts: Sequence[Sequence[str]], members: set[int]) -> dict[str, float]:
    """How many of some texts hold each word."""
    held: dict[str, int] = {}
    for at in members:
        for word in set(texts[at]):
            held[word] = held.get(word, 0) + 1
    return {word: count / len(members) for word, count in held.items()}
