"""The 960 start positions by their numbers (Scharnagl's scheme; 518 is the usual start position)."""

from __future__ import annotations

from itertools import combinations

from tabiya.errors import FormatError

_KNIGHT_PLACES = tuple(combinations(range(5), 2))


def _free_files(rank: list[str]) -> list[int]:
    return [file for file, piece in enumerate(rank) if not piece]


def back_rank(number: int) -> str:
    """Return the pieces of the first rank from a to h, for example ``RNBQKBNR`` for 518."""
    if not 0 <= number < 960:
        raise FormatError(f"Chess960 start positions are numbered 0 to 959, not {number}")
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    rank = [""] * 8
    rank[2 * light + 1] = "B"
    rank[2 * dark] = "B"
    rank[_free_files(rank)[queen]] = "Q"
    free = _free_files(rank)
    for place in _KNIGHT_PLACES[knights]:
        rank[free[place]] = "N"
    for file, piece in zip(_free_files(rank), "RKR", strict=True):
        rank[file] = piece
    return "".join(rank)


def back_rank_number(rank: str) -> int:
    """Return the number of a back rank; the inverse of :func:`back_rank`."""
    if sorted(rank) != sorted("RNBQKBNR"):
        raise FormatError(f"{rank!r} is not a Chess960 back rank")
    bishops = [file for file, piece in enumerate(rank) if piece == "B"]
    light = [file for file in bishops if file % 2]
    dark = [file for file in bishops if file % 2 == 0]
    if len(light) != 1 or not rank.index("R") < rank.index("K") < rank.rindex("R"):
        raise FormatError(f"{rank!r} is not a Chess960 back rank")
    without_bishops = rank.replace("B", "")
    without_queen = without_bishops.replace("Q", "")
    first, second = (place for place, piece in enumerate(without_queen) if piece == "N")
    knights = _KNIGHT_PLACES.index((first, second))
    return ((knights * 6 + without_bishops.index("Q")) * 4 + dark[0] // 2) * 4 + light[0] // 2


def start_fen(number: int) -> str:
    """Return the FEN of a Chess960 start position, castling rights as files (Shredder-FEN)."""
    rank = back_rank(number)
    files = "".join("ABCDEFGH"[file] for file in (rank.rindex("R"), rank.index("R")))
    return f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w {files}{files.lower()} - 0 1"
