"""Strategies of hypothesis for games and their parts. Small examples shrink to short, plain games."""

from __future__ import annotations

from hypothesis import strategies as st

from tabiya.chess import Move, Position
from tabiya.game import Annotation, Extra, Game, GuidingText, Node, Problem, RecordKind, Side, Tags
from tabiya.game.annotations import NAGS, SYMBOLS, TEXT_AFTER, TEXT_BEFORE, encode_nags, encode_text
from tabiya.game.tags import COLUMN_TAGS

STARTS = (
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    "4k3/P6p/8/8/8/8/p6P/4K3 b - - 12 34",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/8/8/8/8/5k2/5p2/5K2 w - - 0 99",
)

_HOSTILE_TEXTS = (
    "",
    " ",
    "}",
    "{[%csl Ge4]}",
    "\x00",
    '\r\n\r\n[Event "x"]',
    "</script><b>&amp;\"'",
    "½ – Ж 王 \U0001f600",
    '\\"',
    "; % ( ) $1 *",
    "\u202e\u2028\ufeff",
)

texts = st.one_of(st.sampled_from(_HOSTILE_TEXTS), st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
"""Any text that has a UTF-8 form."""

nag_lists = st.lists(
    st.one_of(st.sampled_from([1, 2, 6, 14, 18, 22, 32, 140, 142, 146]), st.integers(0, 255), st.integers(0, 0xFFFF)),
    min_size=1,
    max_size=6,
)

_OWN_KINDS = (TEXT_AFTER, TEXT_BEFORE, SYMBOLS, NAGS)

_other_annotations = st.builds(
    Annotation,
    kind=st.one_of(st.integers(0, 255), st.integers(256, 300)).filter(lambda kind: kind not in _OWN_KINDS),
    data=st.binary(max_size=8),
    lang=st.integers(0, 255),
    raw=st.none() | st.binary(max_size=8),
    side=st.sampled_from(Side),
)

notes = st.one_of(
    st.builds(encode_text, texts, st.sampled_from(Side), st.sampled_from([0, 0, 42, 53])),
    nag_lists.map(encode_nags),
    _other_annotations,
)
"""Annotations."""

_TAG_TEXTS = {
    "Date": ["2023.05.01", "2023.??.??", "????.??.??", "2023.1.5", "1999", "0000.00.00", "2023.13.40", "x"],
    "WhiteElo": ["2700", "-", "0", "0900", "?", "70000", " 2500", "²"],
    "BlackElo": ["2699", "", "+1", "1_000"],
    "Result": ["*", "1-0", "0-1", "1/2-1/2", "1/2", "+:-", "line", "0-0", "won"],
    "Variant": ["Standard", "From Position", "Crazyhouse"],
    "SetUp": ["0", "1"],
}

_TAG_NAMES = [*(name for name in COLUMN_TAGS if name not in ("FEN", "Variant")), "PlyCount", "UTCDate", "white"]

_tag_pairs = st.one_of(
    st.sampled_from([(name, text) for name, found in _TAG_TEXTS.items() for text in found]),
    st.tuples(
        st.sampled_from([*(set(COLUMN_TAGS) - {"FEN", "Variant"}), "PlyCount", "UTCDate", "white", "Event"]), texts
    ),
    st.tuples(texts, texts).filter(lambda pair: pair[0] not in ("FEN", "Variant")),
)

tags = st.lists(_tag_pairs, max_size=8).map(Tags)
"""Tags with repeats and odd texts; no FEN, and no variant other than standard chess."""

starts = st.one_of(
    st.none(),
    st.sampled_from(STARTS).map(Position.from_fen),
    st.integers(0, 959).map(Position.chess960_start),
)

_steps = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=30)


def grow(game: Game, steps: list[tuple[int, int]], *, null_moves: bool = True) -> list[Node]:
    """Adds a legal move per step; gives the new nodes.

    The first number of a step says where: mostly at the last node, often at one before it, seldom at any. The second
    says which move.
    """
    nodes = [game.root]
    for where, which in steps:
        back = 0 if where < 60 else where % 5 if where < 90 else where
        parent = nodes[-1 - back % len(nodes)]
        position = parent.position
        moves = position.legal_moves()
        if null_moves and which > 95 and not position.is_check():
            moves = [Move.NULL]
        if moves:
            nodes.append(parent.add(moves[which % len(moves)]))
    return nodes[1:]


@st.composite
def games(draw: st.DrawFn, *, tags: st.SearchStrategy[Tags] = tags, null_moves: bool = True) -> Game:
    """Games with variations, null moves, annotations, odd tags, set-up and Chess960 starts."""
    game = Game(draw(tags))
    start = draw(starts)
    if start is not None:
        game.tags.add("FEN", start.fen())
        if start.chess960:
            game.tags["Variant"] = "Chess960"
    nodes = [game.root, *grow(game, draw(_steps), null_moves=null_moves)]
    for where, annotation in draw(st.lists(st.tuples(st.integers(0, 99), notes), max_size=8)):
        nodes[where % len(nodes)].annotations.append(annotation)
    return game


@st.composite
def records(draw: st.DrawFn) -> Game:
    """Games, and the records that are not quite games: texts, opaque ones, with extras and problems."""
    game = draw(games())
    game.kind = draw(st.sampled_from(RecordKind))
    game.number = draw(st.none() | st.integers(1, 1 << 40))
    game.deleted = draw(st.booleans())
    game.texts = draw(
        st.lists(
            st.builds(
                GuidingText,
                st.integers(0, 7),
                texts,
                st.integers(1, 3),
                st.binary(max_size=8),
                st.none() | st.binary(max_size=8),
            ),
            max_size=2,
        )
    )
    keys = st.sampled_from(["pgn.a", "pgn.b", "cbh.a"])
    game.extras = draw(st.lists(st.builds(Extra, keys, st.binary(max_size=8)), max_size=3))
    offsets = st.none() | st.integers(0, 1 << 40)
    game.problems = draw(st.lists(st.builds(Problem, st.integers(0, 0xFFFF), offsets, texts), max_size=2))
    return game
