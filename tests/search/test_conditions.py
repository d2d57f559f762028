"""Every condition, alone and put together, against a naive loop over positions with python-chess."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.game import Game, GameBatch
from tabiya.search import (
    Captured,
    Castled,
    Check,
    Condition,
    Count,
    DoubledPawns,
    ExactPosition,
    GivesCheck,
    Imbalance,
    IsolatedPawns,
    IsolatedQueenPawn,
    Lasting,
    LastPosition,
    Match,
    Mate,
    Material,
    Moved,
    MovePlayed,
    Never,
    OppositeBishops,
    PassedPawns,
    Pattern,
    PawnFiles,
    Plies,
    Promotion,
    ResultIs,
    Sacrifice,
    Sequence,
    SoFar,
    Stalemate,
    ToMove,
)
from tabiya.search.conditions import ANYTHING, AllOf, AnyOf, Not, Turned
from tabiya.search.program import compiled
from tabiya.search.scan import COUNT, FIRST, LAST, PLACE, Scanner
from tests.search.oracle import LEAVES, holds
from tests.search.seen import Seen, seen_in
from tests.strategies import grow

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tabiya.game import Node

STARTS = (
    None,
    None,
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    "4k3/P1P4p/8/8/8/8/p1p4P/4K3 b - - 12 34",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/8/8/8/8/5k2/5p2/5K2 w - - 0 99",
    "k7/8/8/3pP3/8/8/8/K2B1b2 w - d6 0 50",
    "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 30",
)
COLORS = st.sampled_from(["white", "black"])
SQUARES = [f"{file}{rank}" for file in "abcdefgh" for rank in "12345678"]

moves = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 95)), max_size=40)


@st.composite
def games(draw: st.DrawFn, *, variations: bool) -> Game:
    """Games by legal moves at random, some from set-up positions."""
    game = Game({"Result": draw(st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]))})
    start = draw(st.sampled_from(STARTS))
    if start is not None:
        game.start = start
    steps = draw(moves)
    grow(game, steps if variations else [(0, which) for _, which in steps], null_moves=False)
    return game


@st.composite
def leaves(draw: st.DrawFn, line: list[Seen], fens: list[str], sans: list[str]) -> Condition:
    """A condition that may well hold somewhere in this line."""
    seen = draw(st.sampled_from(line))
    color = draw(COLORS)
    files = draw(st.sampled_from(["", "d", "abc", "f-h"]))
    least = draw(st.integers(0, 2))
    fen = draw(st.sampled_from(fens)).split()
    pieces = draw(st.sampled_from(["P", "NB", "QRK", "PNBRQK"]))
    kinds: list[Callable[[], Condition]] = [
        lambda: ExactPosition(" ".join(fen[: draw(st.sampled_from([1, 2, 3, 4, 6]))]), castling=draw(st.booleans())),
        lambda: Pattern(_some_men(draw, seen)),
        lambda: Count(
            draw(st.sampled_from(["P", "Nn", "A", "a", "?", "rq"])),
            least,
            least + 2,
            on=draw(st.sampled_from(["", "d", "7,2", "e4 d"])),
        ),
        lambda: Material(_material(draw, seen)),
        lambda: Imbalance(draw(st.sampled_from(["v", "Pv", "vP", "PPv", "BvN", "NvP", "Qv", "vR"]))),
        lambda: OppositeBishops(only=draw(st.booleans())),
        lambda: draw(st.sampled_from([PassedPawns, IsolatedPawns, DoubledPawns]))(color, files, least, least + 3),
        lambda: IsolatedQueenPawn(color),
        lambda: PawnFiles(color, draw(st.sampled_from(["abcdefgh", "acefgh", "h", "f"]))),
        lambda: Castled(color, draw(st.sampled_from(["", "O-O", "O-O-O"]))),
        lambda: MovePlayed(draw(st.sampled_from(sans)), draw(st.sampled_from([None, color]))),
        lambda: Moved(pieces, draw(st.sampled_from([None, color]))),
        lambda: Captured(draw(st.sampled_from(["", pieces])), draw(st.sampled_from([None, color]))),
        lambda: Promotion(draw(st.sampled_from(["", "Q", "NB"])), draw(st.sampled_from([None, color]))),
        lambda: Sacrifice(draw(st.integers(1, 4))),
        lambda: GivesCheck(mate=draw(st.booleans())),
        lambda: draw(st.sampled_from([Check(), Mate(), Stalemate(), LastPosition(), ANYTHING])),
        lambda: ToMove(color),
        lambda: ResultIs(*draw(st.sampled_from([("1-0",), ("0-1", "1/2-1/2"), ("*",)]))),
        lambda: Plies(least * 3, least * 3 + 9),
    ]
    return draw(st.sampled_from(kinds))()


def _some_men(draw: Callable[..., Any], seen: Seen) -> str:
    """A pattern of some squares as they are, some of them said more loosely."""
    words = []
    for square in draw(st.lists(st.sampled_from(SQUARES), min_size=1, max_size=4, unique=True)):
        piece = seen.pieces.get(square, "_")
        wild = {"_": "_"}.get(piece) or ("A" if piece.isupper() else "a")
        words.append(draw(st.sampled_from([piece, wild, f"[{piece}Q_]", "[^Pp]", "?"])) + square)
    if draw(st.booleans()):
        return " ".join(words)
    by_square = {word[-2:]: word[:-2] for word in words}
    return "/".join("".join(by_square.get(f"{file}{rank}", "1") for file in "abcdefgh") for rank in "87654321")


def _material(draw: Callable[..., Any], seen: Seen) -> str:
    pieces = sorted(seen.pieces.values(), key=lambda piece: "KQRBNP".index(piece.upper()))
    sides = (
        "".join(piece for piece in pieces if piece.isupper()),
        "".join(piece for piece in pieces if piece.islower()).upper(),
    )
    if draw(st.booleans()):
        return "v".join(sides)
    return "".join(f"{'K'}Q*R*B*N*P{draw(st.sampled_from(['*', '+', '?', '{0,7}', '{8}', '{2,}']))}" for _ in sides)


@st.composite
def conditions(draw: st.DrawFn, line: list[Seen], fens: list[str], sans: list[str], depth: int = 2) -> Condition:
    """Conditions on a line, some made of others."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(leaves(line, fens, sans))
    inner = conditions(line, fens, sans, depth - 1)
    parts = tuple(draw(st.lists(inner, min_size=1, max_size=3)))
    within = draw(st.sampled_from([None, 1, 2, 5]))
    made: list[Callable[[], Condition]] = [
        lambda: AllOf(parts),
        lambda: AnyOf(parts),
        lambda: Not(parts[0]),
        lambda: Sequence(parts, within),
        lambda: parts[0].then(parts[-1], within=within),
        lambda: Lasting(parts[0], draw(st.integers(1, 4))),
        lambda: SoFar(parts[0]),
        lambda: Never(parts[0]),
        lambda: Turned(parts[0], colors=draw(st.booleans()), files=draw(st.booleans())),
        lambda: parts[0].for_either_side(),
    ]
    return draw(st.sampled_from(made))()


def texts_of(game: Game) -> tuple[list[str], list[str]]:
    """FENs and moves that occur in a game, and some that may not."""
    nodes = [node for node in game.walk() if node.move is not None]
    fens = [node.position.fen() for node in (game.root, *nodes)]
    sans = ["e4", "O-O", "O-O-O", "Nf3", "exd5", "a8=Q", "e2e4", "Qh5#", "a1b1", *(node.san for node in nodes)]
    sans += [node.uci for node in nodes]
    return fens, sans


def scan(games: list[Game], condition: Condition, **how: Any) -> list[list[int]]:
    found: list[list[int]] = Scanner(condition, **how).scan(GameBatch.from_games(games).record_batch).tolist()
    return found


@settings(max_examples=200)
@given(st.data())
def test_conditions_hold_where_a_naive_loop_says(data: st.DataObject) -> None:
    game = data.draw(games(variations=False))
    line = seen_in(game)
    condition = data.draw(conditions(line, *texts_of(game)))
    plies = [ply for ply, value in enumerate(holds(condition, line)) if value]
    first = plies[0] if plies else -1
    assert scan([game], condition, everything=True) == [
        [first, plies[-1] if plies else -1, len(plies), first - 1 if plies else -1]
    ]
    assert scan([game], condition)[0][FIRST] == first
    assert scan([game], condition, variations=True)[0][FIRST] == first


@settings(max_examples=150)
@given(st.data())
def test_alternatives_hold_where_a_naive_loop_says(data: st.DataObject) -> None:
    """What a scan looks at at every move is what all alternatives have in common, and no more."""
    game = data.draw(games(variations=False))
    line = seen_in(game)
    fens, sans = texts_of(game)
    seen = st.sampled_from(line)
    parts: list[Condition] = [
        Material(_material(data.draw, data.draw(seen))),
        Material(_material(data.draw, data.draw(seen))).for_either_side(),
        Pattern(_some_men(data.draw, data.draw(seen))).for_either_side(),
        MovePlayed(data.draw(st.sampled_from(sans))).for_either_side(),
        ExactPosition(data.draw(st.sampled_from(fens)).split()[0]),
    ]
    chosen = tuple(data.draw(st.lists(st.sampled_from(parts), min_size=1, max_size=3)))
    condition = data.draw(st.sampled_from([AnyOf(chosen), chosen[0].mirrored(), AllOf((AnyOf(chosen), ANYTHING))]))
    result = holds(condition, line)
    found = scan([game], condition, everything=True)[0]
    assert (found[FIRST], found[COUNT]) == (result.index(True) if any(result) else -1, sum(result))


def test_a_scan_passes_over_positions_with_too_many_men_for_either_side() -> None:
    """KRPKR or KRKRP: both have two pieces, and at most one more."""
    program = compiled(Material("KRPKR").for_either_side())
    least, most = program.needs[2:4].tolist(), program.needs[6:8].tolist()
    assert (least, most) == ([2, 2], [1, 1])
    assert compiled(Material("KRPKR") | Check()).needs[6:8].tolist() == [64, 64]
    assert compiled(MovePlayed("e4") | MovePlayed("d4")).needs[8] == 1 << 27 | 1 << 28


def lines_of(game: Game) -> list[list[Node]]:
    """Every line from the root to an end."""
    found = []
    for node in (game.root, *(each for each in game.walk() if each.move is not None)):
        if not node.children:
            line: list[Node] = []
            while node.parent is not None:
                line.append(node)
                node = node.parent
            found.append(line[::-1])
    return found


@settings(max_examples=80)
@given(st.data())
def test_variations_are_lines_like_any_other(data: st.DataObject) -> None:
    game = data.draw(games(variations=True))
    lines = [(nodes, seen_in(game, nodes)) for nodes in lines_of(game)]
    longest = max((line for _, line in lines), key=len)
    condition = data.draw(conditions(longest, *texts_of(game)))
    places = {
        (ply, nodes[ply - 1] if ply else game.root)
        for nodes, line in lines
        for ply, value in enumerate(holds(condition, line))
        if value
    }
    ((first, last, count, place),) = scan([game], condition, variations=True, everything=True)
    assert (first >= 0) == bool(places)
    assert (count > 0) == bool(places)
    if places:
        (match,) = tabiya_matches(game, condition)
        nodes = {id(node): node for _, node in places}
        assert match.ply == first
        assert place == match._place
        assert last in {ply for ply, _ in places}
        assert match.position in [node.position for node in nodes.values()]
    main = holds(condition, seen_in(game))
    assert scan([game], condition)[0][FIRST] == (main.index(True) if True in main else -1)


def tabiya_matches(game: Game, condition: Condition) -> list[Match]:
    batch = GameBatch.from_games([game])
    found = Scanner(condition, variations=True).scan(batch.record_batch).tolist()
    return [Match(1, each[FIRST], each[LAST], each[COUNT], batch, 0, each[PLACE]) for each in found if each[FIRST] >= 0]


CONDITIONS = [
    ExactPosition("1. e4 c5 2. Nf3"),
    ExactPosition("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR"),
    Pattern("8/8/p7/8/8/1B3N2/8/8"),
    Pattern("Kg1 _f1 [QR]e1 ad5"),
    Material("KRP+KRP*"),
    Material("KRPKR").for_either_side(),
    Imbalance("BvN"),
    OppositeBishops(only=True),
    PassedPawns("white", "ah") & PassedPawns("black", least=2),
    DoubledPawns("black", "c", least=2),
    IsolatedQueenPawn("white").lasting(6),
    IsolatedPawns("black", "a-c", 2),
    PawnFiles("white", "abfgh"),
    Castled("white", "O-O-O") & Castled("black", "O-O"),
    MovePlayed("Bxh7+"),
    MovePlayed("exf6", "white"),
    MovePlayed("e7e8q"),
    Captured("Q").then(Captured("Q"), within=1),
    Promotion("NRB"),
    Sacrifice(4),
    Check() & Plies(60),
    GivesCheck(mate=True),
    Mate(),
    Stalemate(),
    Never(Castled("white") | Castled("black")) & ResultIs("1/2-1/2"),
    Sequence((Pattern("Bb5"), Pattern("Bc4"), Captured("Q")), 30),
    Pattern("Pe5 pf5").mirrored() & ToMove("white"),
    Count("Q", 2) | Count("q", 2),
    Moved("K") & Captured("Q"),
    LastPosition() & Count("?", 0, 4),
]


def test_every_condition_is_compared() -> None:
    """With real games below; with games at random above."""

    def kinds(condition: Condition) -> set[type[Condition]]:
        return {type(condition)}.union(*(kinds(part) for part in condition._parts()))

    compared = set[type[Condition]]().union(*map(kinds, CONDITIONS))
    assert compared >= {*LEAVES}


def test_real_games(samples: Callable[[str], Path]) -> None:
    """Of the 1,611 games, every 18th: python-chess is slow."""
    with tabiya.open(samples("pgn/twic-small.pgn")) as database:
        chosen = list(database[::18])
    lines = [seen_in(game) for game in chosen]
    for condition in CONDITIONS:
        arguments = [holds(condition, line) for line in lines]
        found = scan(chosen, condition)
        assert [each[FIRST] for each in found] == [value.index(True) if any(value) else -1 for value in arguments], (
            condition
        )
