"""Quantiles of Student's t, so that nothing heavier than numpy is needed at run time."""

import math
from functools import lru_cache
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)
SERIES_FROM = 1000.0
"""From this many degrees on, the expansion in 1/degrees is exact to 1e-12."""


@lru_cache(maxsize=1024)
def t_quantile(probability: float, degrees: float) -> float:
    """The point below which Student's t falls with this probability.

    Raises:
        ValueError: the probability is not inside (0, 1), or the degrees are not above 0.
    """
    if not 0 < probability < 1 or degrees <= 0:
        raise ValueError(f"no t quantile for probability {probability}, {degrees} degrees")
    if probability < 0.5:
        return -t_quantile(1 - probability, degrees)
    if probability == 0.5:
        return 0.0
    if degrees >= SERIES_FROM:
        return _series(NormalDist().inv_cdf(probability), degrees)
    return _solved(probability, degrees)


def t_tail(t: float, degrees: float) -> float:
    """The probability that Student's t exceeds `t`, for t >= 0."""
    square = t * t
    if square <= degrees:
        return 0.5 - 0.5 * _incomplete_beta(0.5, degrees / 2, square / (degrees + square))
    return 0.5 * _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + square))


def _solved(probability: float, degrees: float) -> float:
    """Newton's steps on the tail, kept inside a bracket that always holds the root."""
    tail = 1 - probability
    low, high = 0.0, 1.0
    while t_tail(high, degrees) > tail:
        low, high = high, high * 2
    point = (low + high) / 2
    for _ in range(200):
        excess = t_tail(point, degrees) - tail
        if excess > 0:
            low = point
        else:
            high = point
        step = point + excess / _density(point, degrees)
        moved = step if low < step < high else (low + high) / 2
        if abs(moved - point) <= 1e-14 * max(1.0, point):
            return moved
        point = moved
    return point


def _density(t: float, degrees: float) -> float:
    scale = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)
    body = -(degrees + 1) / 2 * math.log1p(t * t / degrees)
    return math.exp(scale + body) / math.sqrt(degrees * math.pi)


def _series(z: float, degrees: float) -> float:
    """The quantile as a series in 1/degrees around the normal one."""
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / degrees**power for power, term in enumerate(terms, start=1))


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by the continued fraction that converges."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    """Lentz's evaluation of the continued fraction of the incomplete beta function."""
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    value = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 + term * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + term / c
            c = c if abs(c) > tiny else tiny
            value *= d * c
        if abs(d * c - 1) <= 4e-16:
            break
    return value
