"""The formulas again in plain Python, one number at a time."""

from __future__ import annotations

import math
from itertools import pairwise


def chances(centipawns: float) -> float:
    limited = max(-1000, min(1000, centipawns))
    return 50 + 50 * (2 / (1 + math.exp(-0.00368208 * limited)) - 1)


def accuracy(lost: float) -> float:
    if lost <= 0:
        return 100
    raw = 103.1668100711649 * math.exp(-0.04354415386753951 * lost) - 3.166924740191411
    return max(0, min(100, raw + 1))


def deviation(numbers: list[float]) -> float:
    mean = sum(numbers) / len(numbers)
    return math.sqrt(sum((number - mean) ** 2 for number in numbers) / len(numbers))


def game_accuracy(positions: list[float], *, black_begins: bool) -> tuple[float, float]:
    """Of a game whose positions all have win chances: the accuracy of White and of Black."""
    moves = len(positions) - 1
    size = max(2, min(8, moves // 10))
    windows = [positions[:size]] * (size - 2) + [positions[i : i + size] for i in range(len(positions) - size + 1)]
    found: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    for number, ((before, after), window) in enumerate(zip(pairwise(positions), windows, strict=True)):
        black = (number % 2 == 1) != black_begins
        lost = after - before if black else before - after
        found[black].append((accuracy(lost), max(0.5, min(12, deviation(window)))))
    white, black_ = (mean_of_means(found[side]) for side in (False, True))
    return white, black_


def mean_of_means(moves: list[tuple[float, float]]) -> float:
    if not moves:
        return math.nan
    weighted = sum(number * weight for number, weight in moves) / sum(weight for _, weight in moves)
    harmonic = len(moves) / sum(1 / max(1, number) for number, _ in moves)
    return (weighted + harmonic) / 2
