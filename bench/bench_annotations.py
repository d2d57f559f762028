"""Comments with one command each: what every kind of annotation costs, so that a cliff is seen.

µs of CPU time per comment, without what the moves cost, reading and writing PGN and jose's game texts. The peer is our
own Python classes with the same comment: a kind that costs more than they do goes through them.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from typing import Final

from measure import Figure, rate_of

import tabiya
from tabiya.formats.jose.codec import decode_games, encode_games
from tabiya.game import GameBatch
from tabiya.game.annotations import format_comment, parse_comment

COMMENTS: Final = {
    "text": "A typical idea.",
    "post": "[%post:GER Eine Idee.]",
    "wdl": "[%wdl 512 401 87]",
    "unknown": "[%what is this]",
    "clk": "[%clk 1:29:45]",
    "emt": "[%emt 0:00:45]",
    "eval": "[%eval 0.31,20]",
    "csl": "[%csl Ge4,Re5]",
    "cal": "[%cal Ge2e4]",
    "draw": "[%draw arrow,e2,e4,green]",
    "crit": "[%crit middlegame]",
    "medal": "[%medal tactics,sacrifice]",
    "varcolor": "[%varcolor #FF00A0 ML]",
    "path": "[%path e4 3]",
    "pawnstruct": "[%pawnstruct 3]",
    "vst": "[%vst 4294967295]",
    "tc": "[%tc 90m/40+30m+(15m+10s)]",
    "evp": "[%evp 1,5,20,30,-40,32767,29999]",
    "weblink": '[%weblink "https://example.org/" "a link"]',
    "train": "[%train AQID]",
    "cba": "[%cba 61 AQID]",
    "error": '[%error illegal "Nf9"]',
    "quote": '[%quote "Kasparov" "Karpov" "World Ch" "Moscow" 1985.09.03 1-0 2700 2720 E12 "1.e4 e5 2.Nf3"]',
    "emt-odd": "[%emt 0:00:07|abc]",
    "payload": "[%eval 0.31] [%raw HwAAAAAA]",
}
LEFT_TO_PYTHON: Final = ("draw", "varcolor", "path", "tc", "quote", "emt-odd", "payload")
"""The classes convert these, each different one once."""
GAMES: Final = 100
MOVES: Final = 40
SHUFFLE: Final = ("Nf3", "Nf6", "Ng1", "Ng8")
TIMES: Final = 200


def pgn(comment: str, games: int) -> bytes:
    """Games with a comment after every move."""
    words = [f"{SHUFFLE[ply % 4]} {{ {comment} }}" if comment else SHUFFLE[ply % 4] for ply in range(MOVES)]
    return ("".join(f'[White "{number}"]\n\n{" ".join(words)} *\n\n' for number in range(games))).encode()


def batch_of(text: bytes) -> GameBatch:
    with tabiya.open(io.BytesIO(text), format="pgn") as database:
        return GameBatch.concat(database.batches())


def read_pgn(comment: str, games: int) -> Callable[[], object]:
    return partial(batch_of, pgn(comment, games))


def write_pgn(comment: str, games: int) -> Callable[[], object]:
    batch = batch_of(pgn(comment, games))

    def work() -> None:
        with tabiya.create(io.BytesIO(), format="pgn") as writer:
            writer.write(batch)

    return work


def read_jose(comment: str, games: int) -> Callable[[], object]:
    texts = encode_games(batch_of(pgn("x" if comment else "", games)))
    codes = [texts[row].codes for row in range(games)]
    comments = [(comment.encode() + b"\0") * MOVES if comment else None] * games
    return lambda: decode_games(codes, comments, [None] * games)


def write_jose(comment: str, games: int) -> Callable[[], object]:
    return partial(encode_games, batch_of(pgn(comment, games)))


def by_classes(comment: str, *, reading: bool) -> Callable[[], object]:
    if reading:
        return lambda: [parse_comment(comment) for _ in range(TIMES)]
    annotations = parse_comment(comment).annotations
    return lambda: [format_comment(annotations) for _ in range(TIMES)]


def microseconds(work: Callable[[], object], comments: int) -> float:
    def counted() -> int:
        work()
        return comments

    return 1e6 / rate_of(counted)


def figures(what: str, prepare: Callable[[str, int], Callable[[], object]], *, reading: bool) -> list[Figure]:
    found = []
    for name, comment in COMMENTS.items():
        whole, moves = (microseconds(prepare(text, GAMES), GAMES * MOVES) for text in (comment, ""))
        peer = microseconds(by_classes(comment, reading=reading), TIMES)
        goal = "below 5 µs" if name in LEFT_TO_PYTHON else "below 2 µs"
        found.append(Figure(f"{what}, %{name}", "µs", max(whole - moves, 0.0), "our classes", peer, goal, amount=True))
    return found


BENCHMARKS: Final = {
    "comments-pgn-read": partial(figures, "a comment of PGN read", read_pgn, reading=True),
    "comments-pgn-write": partial(figures, "a comment of PGN written", write_pgn, reading=False),
    "comments-jose-read": partial(figures, "a comment of jose read", read_jose, reading=True),
    "comments-jose-write": partial(figures, "a comment of jose written", write_jose, reading=False),
}
