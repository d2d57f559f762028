"""Tie-breaks between players, or teams, with equal points; the names are those of FIDE's handbook (C.07).

Games that were not played at the board count like any other: files of games do not contain byes, so their value is
unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from tabiya.search.score import performance_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabiya.tables.standings import Entry


class TieBreak(NamedTuple):
    """A tie-break value: higher is better."""

    title: str
    """Column heading."""
    meaning: str
    value: Callable[[Sequence[Entry], int, Sequence[int]], float | None]
    """From all entries, the index of one among them, and the indexes of those it is still equal with."""


def _opponents(entries: Sequence[Entry], place: int) -> list[float]:
    """Return the points of all opponents in games with a result, ascending."""
    met = (each.opponent for each in entries[place].encounters if each.points is not None)
    return sorted(entries[opponent].points for opponent in met)


def _best(entry: Entry) -> float:
    """Return the most points an encounter can give: a game 1, a match of teams 2."""
    return 2.0 if entry.board_points is not None else 1.0


def _direct(entries: Sequence[Entry], place: int, tied: Sequence[int]) -> float | None:
    """Return the points against those it is equal with, if each of them has met each other."""
    if len(tied) < 2:
        return None
    for one in tied:
        if not {*tied} - {one} <= {each.opponent for each in entries[one].encounters if each.points is not None}:
            return None
    return sum(each.points or 0.0 for each in entries[place].encounters if each.opponent in tied)


def _wins(entries: Sequence[Entry], place: int, _: Sequence[int]) -> float:
    return float(sum(each.points == _best(entries[place]) for each in entries[place].encounters))


def _black_wins(entries: Sequence[Entry], place: int, _: Sequence[int]) -> float:
    return float(sum(each.points == 1.0 and each.color == "b" for each in entries[place].encounters))


def _black_games(entries: Sequence[Entry], place: int, _: Sequence[int]) -> float:
    return float(sum(each.points is not None and each.color == "b" for each in entries[place].encounters))


def _buchholz(entries: Sequence[Entry], place: int, _: Sequence[int]) -> float:
    return sum(_opponents(entries, place))


def _buchholz_cut1(entries: Sequence[Entry], place: int, _: Sequence[int]) -> float:
    return sum(_opponents(entries, place)[1:])


def _median_buchholz(entries: Sequence[Entry], place: int, _: Sequence[int]) -> float:
    return sum(_opponents(entries, place)[1:-1])


def _sonneborn_berger(entries: Sequence[Entry], place: int, _: Sequence[int]) -> float:
    best = _best(entries[place])
    return sum((each.points or 0.0) / best * entries[each.opponent].points for each in entries[place].encounters)


def _koya(entries: Sequence[Entry], place: int, _: Sequence[int]) -> float:
    strong = [entry.points >= entry.games * _best(entry) / 2 for entry in entries]
    return sum(each.points or 0.0 for each in entries[place].encounters if strong[each.opponent])


def _progressive(entries: Sequence[Entry], place: int, _: Sequence[int]) -> float:
    total = score = 0.0
    for points in (each.points for each in entries[place].encounters if each.points is not None):
        score += points
        total += score
    return total


def _average_rating(entries: Sequence[Entry], place: int, _: Sequence[int]) -> float | None:
    met = [entries[each.opponent].rating for each in entries[place].encounters if each.points is not None]
    known = [rating for rating in met if rating is not None]
    return float(round(sum(known) / len(known))) if known else None


def _performance(entries: Sequence[Entry], place: int, _: Sequence[int]) -> float | None:
    met = [
        (entries[each.opponent].rating, each.points) for each in entries[place].encounters if each.points is not None
    ]
    known = [(rating, points) for rating, points in met if rating is not None]
    if not known:
        return None
    share = sum(points for _, points in known) / len(known)
    return float(performance_of(sum(rating for rating, _ in known) / len(known), share))


def _board_points(entries: Sequence[Entry], place: int, _: Sequence[int]) -> float | None:
    return entries[place].board_points


TIE_BREAKS: Final = {
    "direct": TieBreak("Direct", "points against those with the same points, if all of them have met", _direct),
    "wins": TieBreak("Wins", "games won", _wins),
    "black_wins": TieBreak("BWins", "games won with Black", _black_wins),
    "black_games": TieBreak("Black", "games with Black", _black_games),
    "sonneborn_berger": TieBreak(
        "SB", "points of opponents beaten, and half of those of opponents drawn", _sonneborn_berger
    ),
    "koya": TieBreak("Koya", "points against those who scored half or more", _koya),
    "buchholz": TieBreak("Buchh", "points of all opponents", _buchholz),
    "buchholz_cut1": TieBreak("Bu-1", "the same without the opponent with the fewest", _buchholz_cut1),
    "median_buchholz": TieBreak("MedBu", "the same without the one with the most, too", _median_buchholz),
    "progressive": TieBreak("Progr", "points after each round, added up", _progressive),
    "average_rating": TieBreak("ARO", "mean rating of the opponents", _average_rating),
    "performance": TieBreak("Perf", "the rating that the score against these opponents is worth", _performance),
    "board_points": TieBreak("Boards", "points of a team on all boards", _board_points),
}
"""By name."""

USUAL_TIE_BREAKS: Final = {
    "match": ("wins",),
    "round-robin": ("direct", "wins", "sonneborn_berger", "koya"),
    "swiss": ("buchholz_cut1", "buchholz", "sonneborn_berger", "progressive"),
    "team": ("board_points", "direct", "sonneborn_berger"),
}
"""By kind of event: the tie-breaks used by default, the most important first."""
