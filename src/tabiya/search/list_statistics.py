"""Statistics of the games of a list: by year, result, rating, opening and length, from the catalogue."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.game.record import Result
from tabiya.openings import all_openings
from tabiya.positions.game_facts import NO_RATING, OTHER_ECO, Flag
from tabiya.search.catalogue import UNKNOWN_BODY

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tabiya.search.catalogue import Catalogue

RATING_STEP: Final = 100
"""Width of a class of ratings."""
LENGTH_STEP: Final = 10
"""Width of a class of numbers of moves."""
_PIECE: Final = 1 << 19
"""Number of records that are counted together."""
_COLUMNS: Final = ("flags", "date", "result", "white_elo", "black_elo", "eco", "plies")
_CODES: Final = 500
_KINDS: Final = 4
"""Number of outcomes: none, White wins, a draw, Black wins."""
_OUTCOMES: Final = np.zeros(256, np.int64)
for _results, _outcome in (
    ((Result.WHITE_WINS, Result.WHITE_WINS_FORFEIT), 1),
    ((Result.DRAW, Result.DRAW_FORFEIT), 2),
    ((Result.BLACK_WINS, Result.BLACK_WINS_FORFEIT), 3),
):
    for _result in _results:
        _OUTCOMES[_result] = _outcome


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Some games, and how they ended."""

    games: int
    white: int
    draws: int
    black: int

    @classmethod
    def of(cls, counts: NDArray[np.int64]) -> Outcomes:
        """Return the outcomes for counts of games without a result, won by White, drawn, won by Black."""
        _, white, draws, black = counts.tolist()
        return cls(int(counts.sum()), white, draws, black)


@dataclass(frozen=True, slots=True)
class ListStatistics:
    """Statistics of the games of a list; a key that no game has is left out."""

    total: Outcomes
    years: dict[int, Outcomes]
    ratings: dict[int, Outcomes]
    """By the lower bound of the mean of both ratings."""
    codes: dict[str, Outcomes]
    """By ECO code."""
    lengths: dict[int, Outcomes] | None
    """By the lower bound of the number of moves; None if it is not known for all games."""


def list_statistics(catalogue: Catalogue, places: NDArray[np.int64]) -> ListStatistics:
    """Return the statistics of the games at some places of a catalogue; texts and deleted records do not count."""
    columns = {name: catalogue.column(name) for name in _COLUMNS}
    known = min(map(len, columns.values()))
    total = np.zeros(_KINDS, np.int64)
    sums: dict[str, dict[int, NDArray[np.int64]]] = {name: {} for name in ("years", "ratings", "codes", "lengths")}
    lengths_known = True
    for begin in range(0, len(places), _PIECE):
        rows = places[begin : begin + _PIECE]
        rows = rows[rows < known]
        flags = columns["flags"][rows]
        rows = rows[(flags & Flag.GAME != 0) & (flags & Flag.DELETED == 0)]
        outcomes = _OUTCOMES[columns["result"][rows]]
        total += np.bincount(outcomes, minlength=_KINDS)
        _add(sums["years"], (columns["date"][rows] // 10_000).astype(np.int64), outcomes, lambda years: years > 0)
        means = _means(columns["white_elo"][rows], columns["black_elo"][rows])
        _add(sums["ratings"], np.where(means < 0, -1, means // RATING_STEP), outcomes, lambda each: each >= 0)
        codes = _codes(catalogue, columns["eco"][rows].astype(np.int64), rows)
        _add(sums["codes"], codes, outcomes, lambda each: each < _CODES)
        lengths_known &= not (columns["flags"][rows] & UNKNOWN_BODY).any()
        moves = (columns["plies"][rows].astype(np.int64) + 1) // 2
        _add(sums["lengths"], (moves + LENGTH_STEP - 1) // LENGTH_STEP, outcomes, lambda each: each >= 0)
    return ListStatistics(
        Outcomes.of(total),
        _by_key(sums["years"], int),
        _by_key(sums["ratings"], lambda key: key * RATING_STEP),
        _by_key(sums["codes"], lambda key: f"{'ABCDE'[key // 100]}{key % 100:02}"),
        _by_key(sums["lengths"], _first_length) if lengths_known else None,
    )


def _first_length(key: int) -> int:
    """Return the lowest number of moves of a class: 0 is a class of its own, then 1 to 10, 11 to 20 and so on."""
    return (key - 1) * LENGTH_STEP + 1 if key else 0


def _means(white: NDArray[Any], black: NDArray[Any]) -> NDArray[np.int64]:
    """Return the means of both ratings, rounded down as conditions do; -1 where one is unknown."""
    rated = (white != NO_RATING) & (black != NO_RATING)
    means: NDArray[np.int64] = np.where(rated, (white.astype(np.int64) + black) // 2, -1)
    return means


def _codes(catalogue: Catalogue, codes: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return ECO codes as numbers; ``B90a`` counts as B90."""
    other = np.flatnonzero(codes == OTHER_ECO)
    if len(other):
        texts, places = np.unique(catalogue.take(rows[other])["eco_text"], return_inverse=True)
        codes[other] = np.array([_code_of(catalogue.names.name_of(text)) for text in texts.tolist()])[places]
    return codes


def _code_of(text: str | None) -> int:
    code = (text or "")[:3].upper()
    is_code = len(code) == 3 and code[0] in "ABCDE" and code[1:].isascii() and code[1:].isdigit()
    return 100 * "ABCDE".index(code[0]) + int(code[1:]) if is_code else OTHER_ECO


def _add(
    sums: dict[int, NDArray[np.int64]],
    keys: NDArray[np.int64],
    outcomes: NDArray[np.int64],
    counts: Callable[[NDArray[np.int64]], NDArray[np.bool_]],
) -> None:
    """Add games to the sums of their keys; ``counts`` returns which keys do."""
    chosen = counts(keys)
    found, places = np.unique(keys[chosen], return_inverse=True)
    table = np.bincount(places * _KINDS + outcomes[chosen], minlength=len(found) * _KINDS).reshape(-1, _KINDS)
    for key, row in zip(found.tolist(), table, strict=True):
        sums[key] = sums[key] + row if key in sums else row


def _by_key(sums: dict[int, NDArray[np.int64]], name: Callable[[int], Any]) -> dict[Any, Outcomes]:
    return {name(key): Outcomes.of(sums[key]) for key in sorted(sums)}


@cache
def names_of_codes() -> dict[str, str]:
    """Return a name for each ECO code: the shortest of the names of its positions, which is the most general."""
    names: dict[str, str] = {}
    for eco, name in all_openings().values():
        before = names.get(eco)
        if before is None or (len(name), name) < (len(before), before):
            names[eco] = name
    return names
