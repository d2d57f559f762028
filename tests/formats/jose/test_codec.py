from __future__ import annotations

import io
import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import CorruptError, TabiyaError, UnsupportedError, UsageError
from tabiya.formats.jose import GameText, decode_game_text, encode_game_text
from tabiya.formats.jose.codec import decode_games, encode_games
from tabiya.game import Annotation, Game, GameBatch, Result, Side, Tags
from tabiya.game.annotations import NAGS, SYMBOLS, TEXT_AFTER, TEXT_BEFORE, UNREADABLE, encode_nags
from tabiya.game.annotations.evaluations import Evaluation
from tabiya.game.tree import fold_tree
from tests.formats.jose.vectors import EXPOSED, FORGETFUL, SURPLUS, UNCLOSED, events_of, jose_events, real_rows, vectors
from tests.strategies import games

RUY_LOPEZ = bytes.fromhex("13132e224c00432b98466c074a0c08981c260f21d2ff")


def content(game: Game) -> object:
    tape, annotations = fold_tree(game.root)
    return tape, sorted(annotations, key=lambda pair: (pair[0], pair[1].kind)), game.start, game.result


def through(game: Game, **options: str) -> Game:
    """A game written and read again."""
    text = encode_game_text(game, **options)
    return decode_game_text(text.codes, text.comments, start=text.start, **options)  # type: ignore[arg-type]


def game_of(codes: str, comments: bytes = b"", start: str | None = None, **options: str) -> Game:
    return decode_game_text(bytes.fromhex(codes), comments or None, start=start, **options)  # type: ignore[arg-type]


def batch_of(known: list[dict[str, Any]]) -> GameBatch:
    return decode_games(
        [bytes.fromhex(vector["hex"]) for vector in known],
        [bytes.fromhex(vector["comments_hex"]) or None for vector in known],
        [vector["fen"] for vector in known],
    )


class TestVectors:
    def test_games_are_what_jose_reads(self) -> None:
        readable = [vector for vector in vectors() if not vector["jose_cannot_replay"]]
        batch = batch_of(readable)
        results = {None: None, -1: Result.UNKNOWN, 0: Result.BLACK_WINS, 1: Result.DRAW, 2: Result.WHITE_WINS}
        for row, vector in enumerate(readable):
            assert events_of(batch, row) == jose_events(vector), vector["name"]
            assert batch.record_batch["result"][row].as_py() == results[vector["result"]], vector["name"]
        assert len(readable) == 202

    def test_bytes_are_what_jose_writes(self) -> None:
        known = vectors()
        encoded = encode_games(batch_of(known))
        assert not encoded.refused
        different = []
        for row, vector in enumerate(known):
            found = encoded[row]
            same = (found.codes.hex(), (found.comments or b"").hex()) == (vector["hex"], vector["comments_hex"])
            if not same:
                different.append(vector["name"])
                continue
            assert (found.plies, found.attributes) == (vector["plyCount"], vector["attributes"]), vector["name"]
        assert sorted(different) == sorted((*SURPLUS, *FORGETFUL, UNCLOSED))

    @pytest.mark.parametrize("name", FORGETFUL)
    def test_a_piece_that_was_promoted_keeps_the_code_of_its_pawn(self, name: str) -> None:
        (vector,) = (vector for vector in vectors() if vector["name"] == name)
        game = game_of(vector["hex"], bytes.fromhex(vector["comments_hex"]), vector["fen"])
        text = encode_game_text(game)
        assert text.codes.hex() != vector["hex"]
        assert decode_game_text(text.codes, text.comments, start=text.start) == game

    def test_a_king_left_in_check_is_a_problem_and_not_an_error(self) -> None:
        (vector,) = (vector for vector in vectors() if vector["name"] == EXPOSED)
        game = game_of(vector["hex"], start=vector["fen"])
        assert [problem.code for problem in game.problems] == [155]
        assert encode_game_text(game).codes.hex() == vector["hex"]

    @pytest.mark.parametrize("name", SURPLUS)
    def test_what_jose_cannot_read_is_an_error(self, name: str) -> None:
        (vector,) = (vector for vector in vectors() if vector["name"] == name)
        with pytest.raises(CorruptError, match="this game text is invalid"):
            game_of(vector["hex"], bytes.fromhex(vector["comments_hex"]), vector["fen"])
        codes, comments = bytes.fromhex(vector["hex"]), bytes.fromhex(vector["comments_hex"]) or None
        game = decode_game_text(codes, comments, start=vector["fen"], strict=False)
        assert game.problems
        assert game.extras[0].value == codes

    def test_real_rows(self) -> None:
        rows = real_rows()
        codes = [bytes.fromhex(row["Bin"]) for row in rows]
        comments = [row["Comments"].encode() if row["Comments"] else None for row in rows]
        batch = decode_games(codes, comments, [row["FEN"] for row in rows])
        assert batch.record_batch["problems"].flatten().to_pylist() == []
        encoded = encode_games(batch)
        for i, row in enumerate(rows):
            assert encoded[i] == GameText(codes[i], comments[i], row["FEN"], row["PlyCount"], row["Attributes"])


class TestLayouts:
    def test_texts_behind_their_codes(self) -> None:
        game = game_of("13e0d3ff", "größer\0".encode())
        text = encode_game_text(game, layout="inline")
        assert text == GameText(b"\x13\xe0gr\xc3\xb6\xc3\x9fer\0\xd3\xff", None, None, 1, 2)
        assert decode_game_text(text.codes, layout="inline") == game

    def test_the_document_draws_knights_and_kings_otherwise(self) -> None:
        game = game_of("13132e22ff")
        text = encode_game_text(game, dialect="document")
        # Nf3 is (+2, -1) ranks and files. jose has (-1, +2) under 1, which is what the mirrored picture shows there.
        assert text.codes.hex() == "13132925ff"
        assert decode_game_text(text.codes, dialect="document") == game
        with pytest.raises(CorruptError):
            decode_game_text(RUY_LOPEZ, dialect="document")

    def test_unknown_ones_are_refused(self) -> None:
        for options in ({"layout": "loose"}, {"dialect": "welsh"}):
            with pytest.raises(UsageError, match="known: "):
                decode_game_text(RUY_LOPEZ, **options)  # type: ignore[arg-type]
            with pytest.raises(UsageError, match="known: "):
                encode_game_text(Game(), **options)


class TestTexts:
    def test_characters_beyond_the_first_plane(self) -> None:
        game = game_of("13e0d3ff", "😀 ok\0".encode("utf-16", "surrogatepass").decode("utf-16").encode())
        assert game.root.children[0].text == "😀 ok"
        text = encode_game_text(game)
        assert text.comments == b"\xed\xa0\xbd\xed\xb8\x80 ok\0"
        assert decode_game_text(text.codes, text.comments) == game

    def test_half_a_character(self) -> None:
        game = decode_game_text(b"\x13\xe0\xff", b"a\xed\xa0\xbdb\0", strict=False)
        assert game.root.children[0].text == "a\ufffdb"
        assert [problem.code for problem in game.problems] == [162]

    def test_bytes_that_are_not_utf8(self) -> None:
        game = decode_game_text(b"\x13\xe0\xff", b"K\xf6nig\0", strict=False)
        assert game.root.children[0].text == "König"
        assert [problem.code for problem in game.problems] == [1]

    def test_errors_keep_their_kind(self) -> None:
        game = game_of("13e1e2e3e4e513d3ff", b"a\0b\0c\0d\0e\0")
        found = game.root.children[0].annotations
        assert [(a.kind, a.lang, a.side) for a in found] == [(UNREADABLE, i, Side.AFTER) for i in range(5)]
        assert encode_game_text(game).codes.hex() == "13e1e2e3e4e513d3ff"

    def test_the_rest_of_a_line_stands_late(self) -> None:
        game = game_of("13f00fe2f113e2d3ff", b"Ke9\0O-O\0")
        first = game.root.children[0]
        (rest,) = game.root.children[1].annotations
        assert (rest.side, rest.lang) == (Side.LATE, 1)
        (rest,) = first.children[0].annotations
        assert rest.side is Side.LATE
        assert encode_game_text(game).codes.hex() == "13f00fe2f113e2d3ff"


class TestPlaces:
    """Where comments belong: as in PGN."""

    def test_places(self) -> None:
        codes = "e013e0f0e00fe0f1e013e0d2e0ff"
        game = game_of(codes, b"".join(b"%d\0" % i for i in range(7)))
        e4, d4 = game.root.children
        assert [(a.kind, a.side, a.data) for a in e4.annotations] == [
            (TEXT_BEFORE, Side.BEFORE, b"0"),
            (TEXT_AFTER, Side.AFTER, b"1"),
        ]
        assert [a.data for a in d4.annotations] == [b"2", b"3"]
        assert [(a.side, a.data) for a in e4.children[0].annotations] == [(Side.BEFORE, b"4"), (Side.AFTER, b"5")]
        assert [(a.side, a.data) for a in game.root.annotations] == [(Side.LATE, b"6")]
        assert encode_game_text(game).codes.hex() == codes

    def test_late(self) -> None:
        game = game_of("13f00ff1e0d3ff", b"late\0")
        assert [(a.side, a.data) for a in game.root.children[0].annotations] == [(Side.LATE, b"late")]
        assert encode_game_text(game).codes.hex() == "13f00ff1e0d3ff"

    def test_runs_of_nags_and_comments_keep_their_order(self) -> None:
        codes = "13b1bee0b2b000e0d3ff"
        game = game_of(codes, b"a\0b\0")
        assert [a.kind for a in game.root.children[0].annotations] == [SYMBOLS, TEXT_AFTER, NAGS, TEXT_AFTER]
        assert encode_game_text(game).codes.hex() == codes

    def test_a_variation_without_moves_leaves_its_comments(self) -> None:
        game = game_of("13f0e0f113d3ff", b"why\0")
        assert [problem.code for problem in game.problems] == [14]
        assert encode_game_text(game).codes.hex() == "13e013d3ff"

    def test_rich_annotations_travel_in_comments(self) -> None:
        game = game_of("1313f00bf12ed2ff")
        e4 = game.root.children[0]
        e4.annotations = [Evaluation(25, depth=20).annotation(), Annotation(TEXT_AFTER, b"good", lang=53)]
        e4.children[0].annotations = [Annotation(TEXT_BEFORE, b"mid-line", side=Side.BEFORE)]
        game.root.annotations = [Annotation(TEXT_AFTER, b"about the game")]
        text = encode_game_text(game)
        assert text.comments == (b"[%game about the game]\0[%eval +0.25/20] [%post:GER good] [%pre mid-line]\0")
        assert decode_game_text(text.codes, text.comments) == game

    def test_a_text_that_looks_like_a_command(self) -> None:
        game = game_of("13d3ff")
        game.root.children[0].annotations = [Annotation(TEXT_AFTER, b"[%clk 0:01:00] \n [%what]")]
        assert through(game) == game

    def test_what_has_no_place_is_told(self) -> None:
        game = game_of("13d3ff")
        game.root.children[0].annotations = [Annotation(NAGS, b"\x2c\x01")]
        with pytest.raises(UnsupportedError, match="jose cannot store an annotation"):
            encode_game_text(game)
        assert encode_games(GameBatch.from_games([game])).changed == [0]

    @pytest.mark.parametrize("result", ["d0", "d1", "d2", "d3"])
    def test_a_result_inside_a_variation_ends_nothing(self, result: str) -> None:
        """1. e4 e5 (1... c5 {a} 2. Nf3 {b}) {c} 2. Nf3 {d}, with a result somewhere in the variation."""
        texts = b"a\0b\0c\0d\0"
        plain = game_of("13 13 f0 0b e0 2e e0 f1 e0 2e e0 ff", texts)
        for codes in (
            f"13 13 f0 0b {result} e0 2e e0 f1 e0 2e e0 ff",
            f"13 13 f0 0b e0 {result} 2e e0 f1 e0 2e e0 ff",
            f"13 13 f0 0b e0 2e {result} e0 f1 e0 2e e0 ff",
            f"13 13 f0 0b e0 2e e0 {result} f1 e0 2e e0 ff",
        ):
            found = game_of(codes, texts)
            assert content(found)[:3] == content(plain)[:3], codes  # type: ignore[index]
        behind = game_of(f"13 13 f0 0b {result} 2e f1 2e d0 e0 ff", b"the end\0")
        assert behind.result is Result.BLACK_WINS
        assert [(a.data, a.side) for a in behind.annotations] == [(b"the end", Side.LATE)]


class TestMoves:
    def test_surplus_pieces_may_stand_but_not_move(self) -> None:
        start = "4k3/8/8/8/8/8/8/RRR1K3 w - - 0 1"
        game = Game(Tags({"FEN": start}))
        game.root.add("Rb8").add("Kd7").add("Ra7")
        assert encode_game_text(game).codes.hex() == "6792" + "56ff"
        game = Game(Tags({"FEN": start}))
        game.root.add("Rc8")
        with pytest.raises(UnsupportedError, match="third knight, bishop or rook"):
            encode_game_text(game)

    def test_reserved_codes_are_refused(self) -> None:
        for code in (*range(0x9B, 0xA0), *range(0xD4, 0xE0), *range(0xE6, 0xF0), *range(0xF2, 0xFF)):
            with pytest.raises(CorruptError, match=r"offset 1: .*an unknown code"):
                decode_game_text(bytes((0x13, code, 0xFF)), b"x\0" * 9)

    @pytest.mark.parametrize(
        ("codes", "code"),
        [
            ("13f1ff", 154),
            ("f013ff", 153),
            ("1370ff", 152),
            ("13a8", 163),
            ("a823ff", 151),
            ("13b0", 163),
            ("13e0ff", 158),
            ("13ff13", 157),
            ("98ff", 152),
        ],
    )
    def test_damage(self, codes: str, code: int) -> None:
        with pytest.raises(CorruptError):
            game_of(codes)
        game = decode_game_text(bytes.fromhex(codes), strict=False)
        assert game.problems[0].code == code
        assert game.extras[0].value.hex() == codes

    def test_small_damage(self) -> None:
        assert [problem.code for problem in game_of("1313").problems] == [156]
        assert [problem.code for problem in decode_game_text(b"\xff", b"x\0", strict=False).problems] == [159]
        assert [problem.code for problem in decode_game_text(b"\xff", start="x", strict=False).problems] == [160]

    def test_hostile_depth_ends_somewhere(self) -> None:
        game = decode_game_text(b"\x13\xf0" * 5000 + b"\xff", strict=False)
        assert 161 in [problem.code for problem in game.problems]


class TestProperties:
    @given(games())
    def test_what_is_written_is_read(self, game: Game) -> None:
        game.result = Result.DRAW
        encoded = encode_games(GameBatch.from_games([game]))
        if encoded.refused or encoded.changed:
            return
        text = encoded[0]
        found = decode_game_text(text.codes, text.comments, start=text.start)
        assert content(found) == content(game)

    @given(games(), st.sampled_from(["split", "inline"]), st.sampled_from(["jose", "document"]))
    def test_plain_games_lose_nothing(self, game: Game, layout: str, dialect: str) -> None:
        for node in (game.root, *game.walk()):
            node.annotations = [encode_nags([1, 14])] if node.children and node.parent else []
        game.result = Result.WHITE_WINS
        found = through(game, layout=layout, dialect=dialect)
        assert content(found) == content(game)

    @given(st.binary(max_size=60), st.binary(max_size=30), st.booleans())
    def test_any_bytes(self, codes: bytes, comments: bytes, inline: bool) -> None:
        batch = decode_games([codes], [comments], [None], layout="inline" if inline else "split")
        batch.record_batch.validate(full=True)
        with suppress(TabiyaError):
            text = encode_game_text(batch[0])
            assert decode_game_text(text.codes, text.comments) is not None

    def test_damaged_vectors(self) -> None:
        choose = random.Random(7)
        for vector in vectors():
            codes = bytearray.fromhex(vector["hex"])
            for _ in range(choose.randrange(1, 4)):
                codes[choose.randrange(len(codes))] = choose.randrange(256)
            batch = decode_games([bytes(codes)], [bytes.fromhex(vector["comments_hex"])], [vector["fen"]])
            batch.record_batch.validate(full=True)
            encoded = encode_games(batch)
            assert not encoded.refused


@pytest.mark.parametrize("code", ["e1", "e2", "e3", "e4", "e5"])
def test_errors_survive_in_pgn(code: str) -> None:
    game = game_of(f"1313{code}d2ff", b"Kxe9\0")
    stream = io.BytesIO()
    with tabiya.create(stream, format="pgn") as writer:
        writer.write(game)
    assert not writer.losses
    with tabiya.open(io.BytesIO(stream.getvalue())) as database:
        assert content(database[0]) == content(game)


def test_pgn_survives() -> None:
    pgn = (
        '[Event "x"]\n[Result "1-0"]\n\n{ before } 1. e4 $1 { a } (1. d4 $14 d5 { b } (1... Nf6) { late }) 1... e5 '
        "2. Ke2 Ke7 $2 $18 3. Ke3 { [%clk 0:01:02] } ( { front } 3. d4) 3... Nc6 "
        '{ [%error illegal "Kxe9"] } 1-0 { after }'
    )
    with tabiya.open(io.BytesIO(pgn.encode()), format="pgn") as database:
        game = database[0]
    found = through(game)
    assert content(found) == content(game)
