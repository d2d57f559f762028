"""What the PGN writer puts on paper, and that it is read back as it was."""

from __future__ import annotations

import bz2
import gzip
import io
import itertools
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess.pgn
import pyarrow as pa
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import CorruptError
from tabiya.game import Game, GameBatch, difference
from tabiya.game.annotations import NAGS, SYMBOLS, TEXT_AFTER, Annotation, Side
from tests import strategies
from tests.formats import corpus
from tests.formats.pgn.reading import batch_of, line, read, read_one, write

ANNOTATED = (
    '[White "A \\"q\\" \\\\"]\n[Event "E"]\n[Result "1-0"]\n[Opening "x"]\n\n'
    "{ Before it all. } 1. e4 $1 $14 { after } e5 (1... c5 { a } 2. Nf3 (2. Nc3) 2... d6) ({ b } 1... e6) "
    "2. Nf3 Nc6 3. Bb5 -- 4. O-O { a rather long comment that has to be broken somewhere because it does not fit "
    "into one line of eighty letters } 1-0\n"
)


def test_export_format() -> None:
    text, losses = write([read_one(ANNOTATED)])
    assert not losses
    assert text.decode() == (
        '[Event "E"]\n[White "A \\"q\\" \\\\"]\n[Result "1-0"]\n[Opening "x"]\n\n'
        "{ Before it all. } 1. e4 $1 $14 { after } 1... e5 (1... c5 { a } 2. Nf3 (2.\n"
        "Nc3) 2... d6) ({ b } 1... e6) 2. Nf3 Nc6 3. Bb5 -- 4. O-O { a rather long\n"
        "comment that has to be broken somewhere because it does not fit into one line\n"
        "of eighty letters } 1-0\n\n"
    )


VALUES = ("[%clk 1:02:03]", "[%clkb 0:10:00]", "[%emt 0:00:07]", "[%eval +0.25/20]", "[%eval #-3]")


def busy_line(seed: int) -> str:
    """A game with something to say at every second move."""
    choose = random.Random(seed)
    words = []
    for ply in range(80):
        number = f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"
        words += [number, ("Nf3", "Nf6", "Ng1", "Ng8")[ply % 4]]
        if choose.random() < 0.3:
            words.append(f"${choose.randrange(1, 140)}")
        if choose.random() < 0.5:
            arguments = ["w" * choose.randrange(1, 12) for _ in range(choose.randrange(9))]
            words += ["{", *choose.sample(VALUES, choose.randrange(1, 3)), *arguments, "}"]
        if choose.random() < 0.2:
            words.append(f"({number} {('e4', 'e5', 'h3', 'h6')[ply % 4]})")
    return " ".join(words) + " *"


@pytest.mark.parametrize("profile", ["lossless", "plain"])
def test_lines_are_full_and_below_eighty_columns(profile: str) -> None:
    """No word would have fitted into the line before; a column is kept for a parenthesis, two are at times wasted."""
    for seed in range(20):
        text, _ = write([read_one(busy_line(seed))], profile=profile)
        lines = text.decode().strip().split("\n\n")[-1].split("\n")
        assert len(lines) > 8
        for here, following in itertools.pairwise(lines):
            assert len(here) < 80
            word = re.match(r"(?:\{ )?(?:\[%[^]]*\]|\S+)", following)
            assert word is not None
            assert len(here) + 1 + len(word[0]) >= 77, (here, following)


def test_one_line_per_game() -> None:
    text, _ = write([read_one(ANNOTATED)], layout="lines")
    _, moves = text.decode().strip().split("\n\n")
    assert "\n" not in moves
    assert difference(read_one(ANNOTATED), read_one(text)) == []


@pytest.mark.parametrize("before", ["", "{ c } ", "$1 "])
def test_games_without_tags_stay_apart(before: str) -> None:
    games = [read_one(f"{before}1. e4 *"), read_one(f"{before}1. d4 1-0"), read_one("{ nothing } *"), read_one("*")]
    text, _ = write(games)
    assert len(read(text)) == len(games)


UNDECODED = '[Variant "Crazyhouse"]\n\n1. e4 N@e5 1-0'


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("texts", [*itertools.product([UNDECODED, "1. e4 *", '[White "A"]\n\n1. d4 *'], repeat=3)])
def test_batches_do_not_show(texts: tuple[str, ...], threads: int) -> None:
    """Only tags end a record whose moves are not known, be it the last one of a batch."""
    games = [read_one(text) for text in texts]
    batch = GameBatch.from_games(games, first_number=1)
    whole, losses = write(batch)
    assert [game.kind for game in read(whole)] == [game.kind for game in games]
    in_one_call: list[list[Any]] = [[[batch[:1], batch[1:]]], [[batch[:2], batch[2:]]]]
    in_many_calls: list[list[Any]] = [[batch[:1], batch[1:2], batch[2:]], list(games)]
    for calls in (*in_one_call, *in_many_calls):
        stream = io.BytesIO()
        with tabiya.create(stream, format="pgn") as writer:
            for records in calls:
                writer.write(records, threads=threads)
        assert stream.getvalue() == whole
        assert list(writer.losses) == list(losses)


@pytest.mark.parametrize("tags", ["", '[White "A"]\n\n', '[White "A"]\n[Variant "Crazyhouse"]\n\n'])
def test_no_tag_is_invented(tags: str) -> None:
    text, _ = write([read_one(f"{tags}1. e4 *")])
    assert text.decode() == f"{tags}1. e4 *\n\n"


def test_plain_is_read_by_python_chess_without_errors() -> None:
    game = read_one("1. e4 { [%pre:GER vor] ok } e5 2. Ke5 what (( 1-0")
    text, losses = write([game], profile="plain")
    assert {loss.what for loss in losses} >= {"pgn-place"}
    theirs = chess.pgn.read_game(io.StringIO(text.decode()))
    assert theirs is not None
    assert theirs.errors == []
    assert theirs.end().board().fen().startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/")


@pytest.mark.parametrize(
    ("suffix", "unpack"),
    [
        (".gz", gzip.decompress),
        (".bz2", bz2.decompress),
        (".zst", zstandard.ZstdDecompressor().decompress),
        ("", bytes),
    ],
)
def test_packed(tmp_path: Path, suffix: str, unpack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / f"x.pgn{suffix}"
    with tabiya.create(path) as writer:
        writer.write(read(ANNOTATED * 5))
    assert unpack(path.read_bytes()) == write(read(ANNOTATED * 5))[0]
    assert [difference(game, read_one(ANNOTATED)) for game in tabiya.open(path)] == [[]] * 5


def test_text_to_batch_to_text_to_batch_is_the_identity() -> None:
    first = batch_of((ANNOTATED * 7).encode())
    again = batch_of(write(first)[0])
    assert again.record_batch.equals(first.record_batch)


@given(st.lists(strategies.games(), min_size=1, max_size=3))
def test_what_is_not_reported_lost_comes_back(games: list[Game]) -> None:
    text, losses = write(games)
    found = read(text)
    if not losses:
        assert [difference(a, b) for a, b in zip(games, found, strict=True)] == [[]] * len(games)
    else:
        assert len(found) == len(games)


@given(st.lists(strategies.texts, min_size=1, max_size=4), st.sampled_from(["export", "lines"]))
def test_any_text_comes_back(texts: list[str], layout: str) -> None:
    game = Game()
    node = game.root
    for san, text in zip(["e4", "e5", "Nf3", "Nc6"], texts, strict=False):
        node = node.add(san)
        node.text_before = text
        node.text = text[::-1]
    game.root.children[0].add_variation("d4").text = texts[0]
    written, losses = write([game], layout=layout)
    assert not losses
    assert difference(game, read_one(written)) == []


@pytest.mark.parametrize("tag", ["Variant", "FEN"])
@pytest.mark.parametrize("profile", ["lossless", "plain"])
def test_a_game_does_not_become_opaque_by_a_tag(tag: str, profile: str) -> None:
    game = Game()
    game.root.add("e4")
    batch = GameBatch.from_games([game, game])
    tags = [[{"name": tag, "value": "Crazyhouse"}], []]
    records = batch.record_batch
    place = records.schema.get_field_index("tags")
    odd = records.set_column(place, records.schema.field(place), pa.array(tags, records.schema.field(place).type))
    text, losses = write(GameBatch(odd), profile=profile)
    assert {loss.what: loss.count for loss in losses} == {"pgn-rules": 1}
    assert [(found.kind.name, line(found)) for found in read(text)] == [("GAME", "e4")] * 2


@pytest.mark.parametrize(("move", "side"), [(-2, 0), (1, 0), (0, 3)])
def test_annotations_on_places_that_are_not_there_are_refused(move: int, side: int) -> None:
    records = corpus.batch_of([{"moves": corpus.tape("e2e4"), "annotations": [corpus.note(move, 2, b"a", side=side)]}])
    with (
        pytest.raises(CorruptError, match="refers to a move, or a side of a move, that does not exist") as caught,
        tabiya.create(io.BytesIO(), format="pgn") as writer,
    ):
        writer.write(records)
    assert caught.value.game == 1


@pytest.mark.parametrize(
    ("note", "lossless", "plain"),
    [
        (corpus.note(0, 257, b"Zz9", side=2, raw=b"\1"), {"pgn-exact": 1}, {"annotation-0x101": 1}),
        (corpus.note(0, 257, b"Zz9", side=2), {}, {"annotation-0x101": 1}),
        (corpus.note(0, 3, b"\x01", raw=b"\x01\x00"), {}, {"pgn-exact": 1}),
        (corpus.note(0, 2, b"text", raw=b"\0\0other"), {"pgn-exact": 1}, {"pgn-exact": 1}),
        (corpus.note(0, 0x21, b"\x32\0\0\0\0\0", raw=b"0.5"), {}, {}),
    ],
)
def test_original_bytes_that_have_no_place_are_named(
    note: dict[str, object], lossless: dict[str, int], plain: dict[str, int]
) -> None:
    records = corpus.batch_of([{}, {"moves": corpus.tape("e2e4"), "annotations": [note]}])
    for profile, dialect, expected in (
        ("lossless", None, lossless),
        ("plain", "lichess", plain),
        ("plain", "chessbase", plain),
    ):
        with tabiya.create(io.BytesIO(), format="pgn", profile=profile, dialect=dialect) as writer:
            writer.write(records.slice(1))
        found = {loss.what: loss.count for loss in writer.losses}
        assert {what: found.get(what, 0) for what in expected} == expected
        assert ("pgn-exact" in found) == ("pgn-exact" in expected)
        assert all(loss.first_game == 2 for loss in writer.losses)


class TestLossesOfNags:
    """NAGs that are not read back as they were are counted, each list once; the others are not."""

    @staticmethod
    def game(move: str, *lists: tuple[int, bytes, Side]) -> Game:
        game = Game({"Event": "E"})
        node = game.root
        for san in ("e4", "e5", "Nf3"):
            node = node.add(san)
            if san == move:
                node.annotations = [Annotation(kind, data, side=side) for kind, data, side in lists]
        return game

    @pytest.mark.parametrize("profile", ["lossless", "plain"])
    @pytest.mark.parametrize(
        ("move", "lists", "lost"),
        [
            ("e4", [(SYMBOLS, b"\1", Side.BEFORE)], 0),
            ("e5", [(SYMBOLS, b"\1", Side.AFTER)], 0),
            ("e5", [(SYMBOLS, b"\1\x0e", Side.AFTER)], 0),
            ("e5", [(NAGS, b"\x0e\0\1\0", Side.AFTER)], 0),
            ("e5", [(SYMBOLS, b"\1", Side.BEFORE)], 1),  # between two moves it belongs to the one before it
            ("Nf3", [(SYMBOLS, b"\1", Side.LATE)], 1),
            ("e5", [(SYMBOLS, b"\1", Side.LATE)], 1),
            ("e5", [(SYMBOLS, b"\1", Side.AFTER), (NAGS, b"\x0e\0\1\0", Side.AFTER)], 1),
            ("e5", [(SYMBOLS, b"\1", Side.AFTER)] * 3, 2),
        ],
    )
    def test_places(self, profile: str, move: str, lists: list[tuple[int, bytes, Side]], lost: int) -> None:
        game = self.game(move, *lists)
        text, losses = write([game, game], profile=profile)
        assert {loss.what: (loss.count, loss.first_game) for loss in losses} == (
            {"pgn-place": (2 * lost, 1)} if lost else {}
        )
        again = next(node for node in read(text)[0].walk() if node.san == move)
        before = next(node for node in game.walk() if node.san == move)
        assert (again.annotations == before.annotations) == (not lost)

    @pytest.mark.parametrize("profile", ["lossless", "plain"])
    @pytest.mark.parametrize(("side", "lost"), [(Side.AFTER, 1), (Side.LATE, 0)])
    def test_of_the_whole_game(self, profile: str, side: Side, lost: int) -> None:
        """Before the first move they belong to it; behind the result they belong to the game."""
        game = self.game("")
        game.annotations.append(Annotation(SYMBOLS, b"\1", side=side))
        text, losses = write([game], profile=profile)
        assert [(loss.what, loss.count) for loss in losses] == [("pgn-place", 1)] * lost
        assert (read_one(text).annotations == game.annotations) == (not lost)

    @pytest.mark.parametrize("profile", ["lossless", "plain"])
    @pytest.mark.parametrize(("move", "side"), [("e5", Side.BEFORE), ("Nf3", Side.LATE)])
    def test_behind_a_variation_they_are_read_as_those_of_the_move_before_it(
        self, profile: str, move: str, side: Side
    ) -> None:
        """Texts stand there as what they are; that is no place for NAGs."""
        game = self.game(move, (SYMBOLS, b"\1", side))
        first, _, last = game.mainline()
        first.add_variation("d4")
        last.add_variation("Nc3")
        text, losses = write([game], profile=profile)
        assert [(loss.what, loss.count) for loss in losses] == [("pgn-place", 1)]
        read_as = "e4" if side is Side.BEFORE else "Nf3"
        assert [node.san for node in read_one(text).mainline() if node.nags] == [read_as]

    @pytest.mark.parametrize(
        ("kind", "data", "what"),
        [
            (NAGS, b"\1\0", "pgn-exact"),  # would fit the slots
            (SYMBOLS, b"\1\0", "pgn-exact"),  # a zero at the end
            (SYMBOLS, b"\x0e", None),  # an evaluation in the slot of moves: some files have it, and %raw keeps it
            (SYMBOLS, b"", None),
            (NAGS, b"\x0e\0\1\0\2", None),  # half a number
        ],
    )
    def test_forms(self, kind: int, data: bytes, what: str | None) -> None:
        game = self.game("e5", (kind, data, Side.AFTER))
        text, losses = write([game])
        assert [loss.what for loss in losses] == ([what] if what else [])
        assert (difference(game, read_one(text)) == []) == (what is None)
        _, losses = write([game], profile="plain")
        assert [(loss.what, loss.count) for loss in losses] == [("pgn-place", 1)]


ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]


class TestPlain:
    """The plain profile: what other programs expect, and nothing that they would stumble over."""

    @staticmethod
    def tags(games: list[Game], **options: Any) -> list[list[tuple[str, str]]]:
        """The tags of each game as they were written."""
        text, losses = write(games, profile="plain", **options)
        assert not losses
        parts = text.decode().split("\n\n")[: 2 * len(games) : 2]
        return [re.findall(r'^\[(\w+) "(.*)"\]$', part, re.MULTILINE) for part in parts]

    @pytest.mark.parametrize("dialect", [None, "lichess", "scid"])
    def test_the_seven_tags_are_always_there(self, dialect: str | None) -> None:
        games = [Game(), Game({"White": "A", "Date": "2001.02.??", "Result": "1-0", "ECO": "A00"})]
        first, second = self.tags(games, dialect=dialect)
        assert first == list(zip(ROSTER, ["?", "?", "????.??.??", "?", "?", "?", "*"], strict=True))
        values = ["?", "?", "2001.02.??", "?", "A", "?", "1-0", "A00"]
        assert second == list(zip([*ROSTER, "ECO"], values, strict=True))

    def test_the_moves_of_the_main_line_are_counted_for_chessbase(self) -> None:
        games = read(
            "1. e4 (1. d4 d5 (1... Nf6) 2. c4) e5 2. -- *\n\n"
            '[PlyCount "9"]\n\n*\n\n[EventDate "2001.01.01"]\n\n*\n\n[Variant "Crazyhouse"]\n\n1. e4 *'
        )
        first, given, none, opaque = self.tags(games, dialect="chessbase")
        assert first[7:] == [("PlyCount", "3")]
        assert given[7:] == [("PlyCount", "9")]
        assert none[7:] == [("PlyCount", "0"), ("EventDate", "2001.01.01")]
        assert opaque[7:] == [("Variant", "Crazyhouse")]
        assert self.tags(games[:1])[0][7:] == []

    @pytest.mark.parametrize(
        ("text", "what", "left"),
        [
            (" a b", "pgn-blanks", "a b"),
            ("a\r\n", "pgn-blanks", "a"),
            ("a\n\nb", "pgn-blanks", "a b"),
            ("  ", "pgn-blanks", None),
            (" a}", "pgn-text", "a)"),
            ("a\4b", "pgn-text", "a b"),
            ("a\n\4b", "pgn-text", "a b"),
            ("[%clk 0:01:00]", "pgn-text", None),
            ("", "pgn-text", None),
            ("a  b", None, "a  b"),
        ],
    )
    def test_blanks_are_told_from_words(self, text: str, what: str | None, left: str | None) -> None:
        game = Game()
        game.root.add("e4").text = "x"
        game.root.children[0].annotations = [Annotation(TEXT_AFTER, text.encode())]
        written, losses = write([game], profile="plain")
        assert [(loss.what, loss.count) for loss in losses] == ([(what, 1)] if what else [])
        found = read_one(written).root.children[0]
        assert [note.data.decode() for note in found.annotations if note.kind == TEXT_AFTER] == ([left] if left else [])


class TestTextTags:
    """Texts stay plain comments where a tag can say what is odd about all of them."""

    @staticmethod
    def game(*texts: tuple[str, int]) -> Game:
        game = Game()
        node = game.root
        for san, (text, lang) in zip(("e4", "e5", "Nf3", "Nc6"), texts, strict=False):
            node = node.add(san)
            node.annotations = [Annotation(TEXT_AFTER, text.encode(), lang)]
        return game

    @pytest.mark.parametrize("layout", ["export", "lines"])
    @pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
    @pytest.mark.parametrize(
        ("texts", "tags"),
        [
            ([("eins", 53), ("zwei", 53)], {"TextLanguage": "GER"}),
            ([("one", 42), ("two ", 42)], {"TextLanguage": "ENG", "TextBlanks": "exact"}),
            ([(" one", 0), ("two  ", 0), ("  " + "word " * 40, 0), ("x " * 80 + "end", 0)], {"TextBlanks": "exact"}),
            ([("n" * n + " ", 0) for n in (64, 65, 66, 67)], {"TextBlanks": "exact"}),
            ([(" " + "n" * n, 0) for n in (68, 69, 70, 71)], {"TextBlanks": "exact"}),
            ([("a", 0), ("b", 0)], {}),
        ],
    )
    def test_plain_comments(
        self, texts: list[tuple[str, int]], tags: dict[str, str], layout: str, line_end: bytes
    ) -> None:
        game = self.game(*texts)
        text, losses = write([game], layout=layout)
        assert not losses
        assert b"[%" not in text
        assert dict(re.findall(r'\[(\w+) "(.*?)"\]', text.decode())) == tags
        assert layout == "lines" or max(map(len, text.decode().splitlines())) < 80
        assert difference(game, read_one(text.replace(b"\n", line_end))) == []

    @pytest.mark.parametrize("texts", [[("one", 42), ("zwei", 53)], [("one", 42), ("all", 0)]])
    def test_several_languages_stand_in_their_commands(self, texts: list[tuple[str, int]]) -> None:
        game = self.game(*texts)
        text, _ = write([game])
        assert b"TextLanguage" not in text
        assert b"[%post:ENG one]" in text
        assert difference(game, read_one(text)) == []

    def test_texts_that_cannot_be_plain_have_the_language_of_the_tag(self) -> None:
        game = self.game(("a}", 53), ("  ", 53), ("b\r\n", 53))
        game.annotations.append(Annotation(TEXT_AFTER, b"whole", 53))
        game.root.children[0].annotations += [Annotation(0x22, b"\0\0\0\1"), Annotation(TEXT_AFTER, b" behind", 53)]
        text, losses = write([game])
        assert not losses
        assert b"GER" in text
        assert b":GER" not in text
        assert difference(game, read_one(text)) == []

    def test_blanks_around_comments_say_nothing_without_the_tag(self) -> None:
        assert read_one("1. e4 {  a  } *").root.children[0].text == "a"
        exact = read_one('[TextBlanks "exact"]\n\n1. e4 {  a  } e5 {b  } 2. d4 {   } d5 { c\n} *')
        assert [node.text for node in exact.mainline()] == [" a ", "b", "", "c"]
        assert list(exact.tags) == []

    def test_a_language_that_nobody_knows_is_a_tag(self) -> None:
        game = read_one('[TextLanguage "Klingon"]\n\n1. e4 { a } *')
        assert game.tags["TextLanguage"] == "Klingon"
        assert game.root.children[0].annotations[0].lang == 0
        assert difference(game, read_one(write([game])[0])) == []
