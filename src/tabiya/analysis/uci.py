"""The lines that an engine prints while it searches, as values. No process, and no rules of chess."""

from __future__ import annotations

from typing import Final, NamedTuple

_LONGEST_NUMBER: Final = 18
_NUMBERS: Final = {
    b"depth": "depth",
    b"seldepth": "selective_depth",
    b"multipv": "rank",
    b"nodes": "nodes",
    b"time": "milliseconds",
    b"nps": "nodes_per_second",
    b"hashfull": "hash_full",
    b"tbhits": "table_hits",
}
_WORDS: Final = frozenset({*_NUMBERS, b"score", b"pv", b"wdl", b"string", b"currmove", b"currmovenumber", b"cpuload"})
_LONGEST_LINE: Final = 256
"""Maximum number of moves of a line that are kept."""


class Info(NamedTuple):
    """A report of a search: the words of ``info``. Scores are from the point of view of the side to move."""

    depth: int = 0
    selective_depth: int = 0
    rank: int = 1
    """1 for the best line."""
    nodes: int = 0
    milliseconds: int = 0
    nodes_per_second: int = 0
    hash_full: int = 0
    table_hits: int = 0
    centipawns: int | None = None
    mate: int | None = None
    """Number of moves to mate, negative if the side to move is mated."""
    bound: str = ""
    """Empty for an exact score, else ``lower`` or ``upper``."""
    wdl: tuple[int, int, int] | None = None
    """Wins, draws and losses per thousand games."""
    moves: tuple[bytes, ...] = ()

    @property
    def has_score(self) -> bool:
        """Whether the report evaluates a position with legal moves: in such a position there is no mate in 0."""
        return self.centipawns is not None or bool(self.mate)


def parse_info(line: bytes) -> Info | None:
    """Return the report in a line; None if the line is something else. Words that are unknown or invalid are ignored.

    Linear in the length of the line.
    """
    words = line.split()
    if not words or words[0] != b"info":
        return None
    fields: dict[str, object] = {}
    place, end = 1, len(words)
    while place < end:
        word = words[place]
        place += 1
        if word in _NUMBERS:
            number = _number(words, place)
            if number is not None and number >= 0:
                fields[_NUMBERS[word]] = number
                place += 1
        elif word == b"score":
            place = _read_score(words, place, fields)
        elif word == b"wdl":
            shares = [_number(words, at) for at in range(place, place + 3)]
            if all(share is not None and 0 <= share <= 1000 for share in shares):
                fields["wdl"] = tuple(shares)
                place += 3
        elif word == b"pv":
            first = place
            while place < end and words[place] not in _WORDS:
                place += 1
            fields["moves"] = tuple(words[first : min(place, first + _LONGEST_LINE)])
        elif word == b"string":
            break
    return Info(**fields)  # type: ignore[arg-type]  # the names are those of the fields


def parse_best_move(line: bytes) -> tuple[bytes, bytes] | None:
    """Return the move that ends a search, and the expected answer, empty if there is none; None for another line."""
    words = line.split()
    if not words or words[0] != b"bestmove":
        return None
    answer = words[3] if len(words) > 3 and words[2] == b"ponder" else b""
    return (words[1] if len(words) > 1 else b""), answer


def _number(words: list[bytes], place: int) -> int | None:
    """Return the number at a place; None if there is none."""
    if place >= len(words) or len(words[place]) > _LONGEST_NUMBER:
        return None
    digits = words[place].removeprefix(b"-")
    return int(words[place]) if digits.isdigit() else None


def _read_score(words: list[bytes], place: int, fields: dict[str, object]) -> int:
    """Read the words after ``score``; return the place behind them."""
    while place < len(words):
        word = words[place]
        if word in (b"cp", b"mate") and (number := _number(words, place + 1)) is not None:
            fields.pop("mate" if word == b"cp" else "centipawns", None)
            fields["centipawns" if word == b"cp" else "mate"] = number
            place += 2
        elif word in (b"lowerbound", b"upperbound"):
            fields["bound"] = word[:5].decode("ascii")
            place += 1
        else:
            break
    return place
