"""Random games through the writer of the tests: by itself, and read back."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.game import Game, Node
from tests.formats.cbh2.reading import differences, needs_reader
from tests.formats.cbh2.storable import storable_games
from tests.formats.cbh2.writing import words, write_2cbh
from tests.formats.cbh2.writing.stream import chessbase_square, game_words, pgn_order, to_bytes

few = settings(max_examples=60)


class Stored:
    """A move of a stream with those that follow it."""

    def __init__(self, word: int) -> None:
        self.word = word
        self.children: list[Stored] = []


def tree_of(stream: list[int]) -> Stored:
    """The tree of a stream, by the rules of the facts page read backwards."""
    root = line = before = Stored(0)
    open_branches: list[Stored] = []
    for word in stream[stream.index(words.MOVE_SECTION) + 1 :]:
        if word == words.SIBLING:
            open_branches.append(before)
        elif word == words.END_OF_LINE:
            if not open_branches:
                return root
            line = open_branches.pop()
        else:
            before, line = line, Stored(word)
            before.children.append(line)
    raise AssertionError("the stream has no end")


@few
@given(storable_games())
def test_streams_have_the_shape_of_the_game(game: Game) -> None:
    _, stream = game_words(game.root, game.start, chess960=game.variant.name == "CHESS960")
    assert max(stream) < 1 << 16
    assert len(to_bytes(stream)) == 2 * len(stream)
    pairs: list[tuple[Node, Stored]] = [(game.root, tree_of(stream))]
    while pairs:
        node, stored = pairs.pop()
        assert len(node.children) == len(stored.children)
        pairs += zip(node.children, stored.children, strict=True)
        if node.move is not None:
            check_word(node, stored.word)


def check_word(node: Node, word: int) -> None:
    """A word means the move, as far as its squares and promotion go."""
    move = node.move
    assert move is not None
    if move.is_null:
        assert word == words.NULL_MOVE
    elif word >= words.FIRST_CASTLING:
        assert node.san.startswith("O-O")
    else:
        meant = words.MOVE_WORDS[word - 1]
        assert (meant.source, meant.target) == (chessbase_square(move.from_square), chessbase_square(move.to_square))
        assert meant.promotion == ("" if move.promotion is None else "PNBRQK"[move.promotion - 1])
        assert (meant.captured != "-") == ("x" in node.san)


@few
@given(storable_games())
def test_positions_are_in_the_order_of_pgn(game: Game) -> None:
    assert list(pgn_order(game.root)) == list(game.walk())


@needs_reader
@few
@given(st.lists(storable_games(), min_size=1, max_size=4), st.sampled_from([3, 5]), st.integers(0, 40))
def test_random_games_are_read_back(games: list[Game], version: int, gap: int) -> None:
    with TemporaryDirectory() as folder:
        written = write_2cbh(
            games, Path(folder) / "base 1.0", version=version, spare=lambda number: (None, gap)[number % 2]
        )
        assert written.left_out == []
        assert differences(written, games) == []
