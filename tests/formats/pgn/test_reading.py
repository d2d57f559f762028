"""Quirks of PGN, one small text each, with what a person reads in it."""

from __future__ import annotations

import pytest

from tabiya.errors import CorruptError
from tabiya.game import RecordKind
from tabiya.game.annotations import SYMBOLS, TEXT_AFTER, UNREADABLE, Reason
from tests.formats.pgn.reading import codes, line, notes, read, read_one


class TestComments:
    def test_each_stays_where_its_author_put_it(self) -> None:
        game = read_one(
            "{Pre} 1. e4 {after} {and more} e5 (1... c5 {sic} (1... c6) {late}) {before Nf3} 2. Nf3 * {end}"
        )
        e4, e5, nf3 = game.mainline()
        assert notes(e4.annotations) == [("before", "Pre"), ("after", "after"), ("after", "and more")]
        assert notes(e5.variations[0].annotations) == [("after", "sic"), ("late", "late")]
        assert notes(nf3.annotations) == [("before", "before Nf3")]
        assert notes(game.root.annotations) == [("late", "end")]
        assert game.problems == []

    def test_behind_the_parenthesis_of_a_variation_it_is_before_its_move(self) -> None:
        game = read_one("1. e4 ({the other way} 1. d4 {closed}) 1... e5 *")
        assert notes(next(iter(game.mainline())).variations[0].annotations) == [
            ("before", "the other way"),
            ("after", "closed"),
        ]

    def test_in_a_game_without_moves_it_is_about_the_game(self) -> None:
        assert notes(read_one('[Event "x"]\n\n{nothing was played} *').root.annotations) == [
            ("late", "nothing was played")
        ]

    def test_line_breaks_are_blanks_and_empty_lines_paragraphs(self) -> None:
        game = read_one("1. e4 {one\n  two\r\n\r\nthree  four} *")
        assert next(iter(game.mainline())).text == "one two\n\nthree  four"

    def test_to_the_end_of_the_line(self) -> None:
        game = read_one("1. e4 ; a } brace\n1... e5 *")
        assert next(iter(game.mainline())).text == "a } brace"

    def test_escape_lines_are_kept_and_not_read(self) -> None:
        game = read_one('[Event "x"]\n%eval secret\n\n1. e4\n% Nf9\ne5 *')
        assert [(extra.key, extra.value) for extra in game.extras] == [
            ("pgn.escape", b"eval secret"),
            ("pgn.escape", b" Nf9"),
        ]
        assert line(game) == "e4 e5"

    def test_one_that_is_not_closed_ends_where_the_next_game_begins(self) -> None:
        first, second = read('[Event "a"]\n\n1. e4 {open 1-0\n\n[Event "b"]\n\n1. d4 *')
        assert (line(first), next(iter(first.mainline())).text, codes(first)) == ("e4", "open 1-0", [17, 18])
        assert line(second) == "d4"

    def test_other_commands_stay_in_the_text(self) -> None:
        game = read_one("1. e4 { [%clk 0:01:00] fine [%unknown 0.3] [%wdl 1,444,555] [%eval much] } *")
        assert next(iter(game.mainline())).text == "fine [%unknown 0.3] [%wdl 1,444,555] [%eval much]"
        assert codes(game) == [22, 22]  # wdl means something to others, so it is no problem


class TestCommands:
    def test_texts(self) -> None:
        game = read_one(
            r"{ [%game:GER Über \u007Balles\u007D] } 1. e4 { [%post:GER nach] [%pre vor \] \n] rest } "
            r"e5 { [%late spät] } *"
        )
        e4, e5 = game.mainline()
        assert [
            (a.lang, *note) for a, note in zip(game.root.annotations, notes(game.root.annotations), strict=True)
        ] == [(53, "after", "Über {alles}")]
        assert notes(e4.annotations) == [("after", "nach"), ("after", "rest")]
        assert notes(e5.annotations) == [("before", "vor ] \n"), ("late", "spät")]

    @pytest.mark.parametrize("number", [0, 9, 10, 99, 100, 249, 255])
    def test_languages_may_be_numbers(self, number: int) -> None:
        (e4,) = read_one(f"1. e4 {{ [%post:{number} x] }} *").mainline()
        assert [(a.lang, a.data) for a in e4.annotations] == [(number, b"x")]

    @pytest.mark.parametrize(
        "text",
        [
            "[%pre no end",
            *(f"[%post:{language} unknown language]" for language in ("XYZ", "256", "259", "260", "1000", "1x", "-1")),
            "[%error nonsense]",
            "[%prefix x]",
        ],
    )
    def test_what_makes_no_sense_stays_in_the_text(self, text: str) -> None:
        game = read_one(f"1. e4 {{ {text} }} *")
        assert next(iter(game.mainline())).text == text


class TestNags:
    def test_order_and_repeats(self) -> None:
        game = read_one("1. e4 $14 $1 $1 e5! $18 2. Nf3?! {x} $3 *")
        assert [list(node.nags) for node in game.mainline()] == [[14, 1, 1], [1, 18], [6, 3]]

    def test_behind_a_variation_they_belong_to_the_move_before(self) -> None:
        game = read_one("1. e4 $1 (1. d4 $2) $14 e5 *")
        assert list(next(iter(game.mainline())).nags) == [1, 14]

    @pytest.mark.parametrize("between", ["{ x }", "(1. d4 $2)"])
    def test_those_of_a_move_are_one_annotation(self, between: str) -> None:
        for node in read_one(f"1. e4 $1 {between} $14 e5 $5 {{ y }} $18 *").mainline():
            assert [(a.kind, len(a.data)) for a in node.annotations if a.kind != TEXT_AFTER] == [(SYMBOLS, 2)]

    @pytest.mark.parametrize(
        ("sign", "nag"),
        [("+-", 18), ("±", 16), ("∓", 17), ("=", 10), ("∞", 13), ("⩲", 14), ("N", 146), ("!?", 5), ("??", 4)],
    )
    def test_signs(self, sign: str, nag: int) -> None:
        assert list(next(iter(read_one(f"1. e4 {sign} e5 *").mainline())).nags) == [nag]
        glued = read_one(f"1. Nf3{sign} e5 *")
        if sign != "N":
            assert list(next(iter(glued.mainline())).nags) == [nag]


class TestVariations:
    @pytest.mark.parametrize(
        ("text", "variation"),
        [
            ("1.e4 e5 2.Nf3 ({ clearly before 2...Nc6 } 2...Nc6) d6 *", "Nc6"),
            ("1.e4 e5 2.Nf3 ({ an alternative } 2...c5 3.d4) 2...d6 (2...Nf6) *", "c5"),
        ],
    )
    def test_one_that_fits_only_after_the_move_before_waits_for_the_next(self, text: str, variation: str) -> None:
        game = read_one(text)
        *_, d6 = game.mainline()
        assert d6.san == "d6"
        assert d6.variations[0].san == variation
        assert notes(d6.variations[0].annotations)[0][0] == "before"
        assert codes(game) == [13]

    def test_without_a_next_move_it_goes_on_with_the_line(self) -> None:
        game = read_one("1.e4 e5 2.Nf3 ({ so } 2...Nc6 3.Bb5) (2...Nf6) *")
        assert line(game) == "e4 e5 Nf3 Nc6 Bb5"
        assert [node.san for node in list(game.mainline())[3].variations] == ["Nf6"]

    def test_empty_open_and_surplus(self) -> None:
        game = read_one("1. e4 ({only words}) e5 ) 2. Nf3 (2. d4 *")
        assert line(game) == "e4 e5 Nf3"
        assert next(iter(game.mainline())).text == "only words"
        assert codes(game) == [14, 16, 15]

    def test_any_depth(self) -> None:
        depth = 100_000
        game = read_one("1. e4 " + "(1. d4 " * depth + ")" * depth + " e5 *")
        assert line(game) == "e4 e5"
        assert len(next(iter(game.mainline())).variations) == depth

    def test_parentheses_without_moves(self) -> None:
        first, second = read("1. e4 " + "(" * 100_000 + ' *\n\n[Event "next"]\n\n1. d4 *')
        assert (line(first), codes(first)) == ("e4", [10])
        assert line(second) == "d4"


class TestUnreadable:
    @pytest.mark.parametrize(
        ("move", "reason", "code"),
        [("Nf9", Reason.UNREADABLE, 10), ("Ke5", Reason.ILLEGAL, 11), ("Nd2", Reason.ILLEGAL, 11)],
    )
    def test_the_rest_of_the_line_is_kept(self, move: str, reason: Reason, code: int) -> None:
        game, after = read(f'[Event "a"]\n\n1. e4 {move} (x) {{y}} 2. d4 1-0\n\n[Event "b"]\n\n1. d4 *')
        (e4,) = game.mainline()
        (note,) = e4.annotations
        assert (note.kind, note.lang, note.data.decode()) == (UNREADABLE, reason, f"{move} (x) {{y}} 2. d4")
        assert (codes(game), game.tags["Result"]) == ([code], "1-0")
        assert line(after) == "d4"

    def test_ambiguous(self) -> None:
        game = read_one("1. Nf3 d5 2. d3 e5 3. Nd2 *")
        assert codes(game) == [12]

    def test_a_variation_is_kept_with_its_parentheses(self) -> None:
        game = read_one("1. e4 (1. Ke5 what) e5 *")
        e4, _ = game.mainline()
        assert notes(e4.annotations) == [("after", "(1. Ke5 what)")]
        assert line(game) == "e4 e5"

    def test_strict(self) -> None:
        with pytest.raises(CorruptError, match=r"game 2, offset 32: .*Ke5"):
            read('[Event "a"]\n\n*\n\n[Event "b"]\n\n1. Ke5 *', strict=True)


class TestMoves:
    @pytest.mark.parametrize(
        "text",
        [
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O",
            "e4 e5 Nf3 Nc6 Bb5 a6 O-O",
            "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1",
            "1.e2-e4 e7-e5 2.Ng1-f3 Nb8-c6 3.Bf1-b5 a7-a6 4.0-0",
            "1. Pe4 Pe5 2. Ng1f3+ Nbc6 3. Bfb5 a6, 4. o-o",
            "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 a6 4. O-O",
        ],
    )
    def test_spellings(self, text: str) -> None:
        assert line(read_one(text + " *")) == "e4 e5 Nf3 Nc6 Bb5 a6 O-O"

    def test_figurines(self) -> None:
        """Every piece in both colours."""
        game = read_one("1. ♙e4 ♟e5 2. ♗e2 ♝e7 3. ♔f1 ♚f8 4. ♕e1 ♛e8 5. h4 h5 6. ♖h2 ♜h7 7. ♘a3 ♞a6 *")
        assert line(game) == "e4 e5 Be2 Be7 Kf1 Kf8 Qe1 Qe8 h4 h5 Rh2 Rh7 Na3 Na6"
        assert codes(game) == []

    @pytest.mark.parametrize("null", ["--", "Z0", "@@@@", "0000"])
    def test_null_moves(self, null: str) -> None:
        assert line(read_one(f"1. e4 {null} 2. d4 *")) == "e4 -- d4"

    @pytest.mark.parametrize(
        ("language", "text"),
        [
            ("de", "1. e4 e5 2. Sf3 Sc6 3. Lb5 Df6"),
            ("fr", "1. e4 e5 2. Cf3 Cc6 3. Fb5 Df6"),
            ("ru", "1. e4 e5 2. Кf3 Кc6 3. Сb5 Фf6"),
        ],
    )
    def test_languages(self, language: str, text: str) -> None:
        assert line(read_one(text + " *", language=language)) == "e4 e5 Nf3 Nc6 Bb5 Qf6"

    def test_promotions(self) -> None:
        start = '[FEN "4k3/P6p/8/8/8/8/p6P/4K3 w - - 0 1"]\n\n'
        assert line(read_one(start + "1. a8Q+ Kf7 2. Qxa2+ *")) == "a8=Q+ Kf7 Qxa2+"


class TestGlued:
    """A result or a move number directly behind a move: common in old collections."""

    START = '[FEN "r3k2r/P6p/3n2R1/8/8/3Q2R1/p5P1/R3K2R {} KQkq - 0 30"]\n\n'

    @pytest.mark.parametrize(
        ("turn", "text", "moves"),
        [
            ("w", "Qxd6", "Qxd6"),
            ("w", "R6xd6", "Rxd6"),
            ("w", "Qe4+", "Qe4+"),
            ("w", "Rd1", "Rd1"),
            ("w", "O-O", "O-O"),
            ("w", "0-0-0", "O-O-O"),
            ("b", "O-O-O", "O-O-O"),
            ("b", "h7h5", "h5"),
            ("b", "Kd7", "Kd7"),
            ("b", "--", "--"),
        ],
    )
    @pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2"])
    def test_results(self, turn: str, text: str, moves: str, result: str) -> None:
        game = read_one(self.START.format(turn) + f"30. {text}{result}\n")
        assert (line(game), game.tags["Result"], codes(game)) == (moves, result, [24])
        assert game.problems[0].text == text + result

    @pytest.mark.parametrize(
        ("move", "san"), [("e8=Q", "e8=Q+"), ("e8Q", "e8=Q+"), ("e8/N", "e8=N"), ("e8Q+", "e8=Q+")]
    )
    def test_promotions(self, move: str, san: str) -> None:
        game = read_one(f'[FEN "1k6/4P3/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. {move}0-1')
        assert (line(game), game.tags["Result"], codes(game)) == (san, "0-1", [24])

    def test_the_spellings_of_the_other_results(self) -> None:
        games = [read_one(f"1. e4 e5{result}") for result in ("*", "1/2")]
        assert [line(game) for game in games] == ["e4 e5", "e4 e5"]
        assert [game.tags.get("Result") for game in games] == [None, "1/2-1/2"]
        assert [codes(game) for game in games] == [[], [24]]  # nobody takes a star for a part of the move

    @pytest.mark.parametrize(
        ("text", "moves"),
        [
            ("1. e4 d62. Nf3 Nf63.Nc3 g6 *", "e4 d6 Nf3 Nf6 Nc3 g6"),
            ("1. Nf3 Nf612. Rg111. Rg8 *", "Nf3 Nf6 Rg1 Rg8"),
            ("1. e2e4 e7e52. Ng1-f3 *", "e4 e5 Nf3"),
            ("1. e4 e5 2. Qh5 Ke73. Qxe5#4. *", "e4 e5 Qh5 Ke7 Qxe5#"),
            ("1. e4 e5 2. Bc4 a63. Nf3 b64. 0-05... b5 *", "e4 e5 Bc4 a6 Nf3 b6 O-O b5"),
            ("1. e4 (1. d4 d52. c4) e52. Nf3 *", "e4 e5 Nf3"),
            ("1. ♘f3 ♞f62. g3 *", "Nf3 Nf6 g3"),
            ("1. e4 e5+-2. Nf3 *", "e4 e5 Nf3"),
        ],
    )
    def test_numbers(self, text: str, moves: str) -> None:
        game = read_one(text)
        assert line(game) == moves
        assert set(codes(game)) == {24}

    def test_in_another_language(self) -> None:
        game = read_one("1. Sf3 Sf62. g3 Tg81-0", language="de")
        assert (line(game), game.tags["Result"], codes(game)) == ("Nf3 Nf6 g3 Rg8", "1-0", [24, 24])

    def test_a_number_needs_its_dot(self) -> None:
        game = read_one("1. e4 d62 Nf3 *")
        assert (line(game), codes(game)) == ("e4", [10])

    def test_the_next_game_begins_behind_it(self) -> None:
        first, second = read("1. e4 e51-0\n1. d4 d5 0-1")
        assert (line(first), line(second)) == ("e4 e5", "d4 d5")

    @pytest.mark.parametrize("end", ["Ke31-0", "Ke3 Kd8+1-0", "Ke3*", "Ke3 what*"])
    def test_behind_a_line_that_cannot_be_read(self, end: str) -> None:
        first, second = read(f"1. e4 e5 2. {end}\n1. d4 d5 0-1")
        result = end[-3:] if end.endswith("0") else "*"
        assert notes(list(first.mainline())[-1].annotations) == [("late", end.removesuffix(result))]
        assert first.tags.get("Result", "*") == result
        assert codes(first) == [10 if end == "Ke31-0" else 11]
        assert line(second) == "d4 d5"

    @pytest.mark.parametrize("word", ["21-0", "B21-0x", "x1-0", "A01-0", "i91-0"])
    def test_words_that_only_look_like_it(self, word: str) -> None:
        game = read_one(f"1. e4 e5 2. Ke3 {word} *")
        assert notes(list(game.mainline())[-1].annotations) == [("late", f"Ke3 {word}")]


class TestGames:
    def test_without_tags_and_without_moves(self) -> None:
        games = read('1. e4 1-0 1. d4 0-1\n\n[Event "only tags"]\n\n[Event "more"]\n\n*')
        assert [line(game) for game in games] == ["e4", "d4", "", ""]
        assert [game.tags.get("Event") for game in games] == [None, None, "only tags", "more"]

    def test_a_game_right_behind_the_result(self) -> None:
        assert [
            game.tags["Event"] for game in read('[Event "a"]\n\n1. e4 1-0\n[Event "b"]\n1. d4 *[Event "c"]\n*')
        ] == list("abc")

    def test_an_empty_line_among_the_tags(self) -> None:
        game = read_one('[Event "a"]\n\n[White "w"]\n[Black "b"]\n\n1. e4 *')
        assert game.tags.items()[:3] == [("Event", "a"), ("White", "w"), ("Black", "b")]

    def test_results(self) -> None:
        missing, differing, draw = read(
            '[Result "1-0"]\n\n1. e4\n\n[Event "x"]\n[Result "1-0"]\n\n1. e4 *\n\n[Event "y"]\n\n1. e4 1/2'
        )
        assert (missing.tags["Result"], codes(missing)) == ("1-0", [18])
        assert (differing.tags["Result"], codes(differing), differing.extras[0].value) == ("1-0", [19], b"*")
        assert draw.tags["Result"] == "1/2-1/2"

    def test_nags_behind_the_result(self) -> None:
        assert read_one("1. e4 1-0 $1").root.annotations[0].data == b"\x01"

    @pytest.mark.parametrize("variant", ["Chess960", "fischerandom", "Fischerrandom"])
    @pytest.mark.parametrize("rights", ["KQkq", "GDgd"])
    def test_chess960(self, variant: str, rights: str) -> None:
        start = f"nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w {rights} - 0 1"
        game = read_one(f'[Variant "{variant}"]\n[FEN "{start}"]\n\n1. Ne3 Ne6 2. O-O O-O *')
        assert line(game) == "Ne3 Ne6 O-O O-O"

    @pytest.mark.parametrize("tag", ['[Variant "Atomic"]', '[FEN "no position at all"]'])
    def test_what_cannot_be_played_is_opaque(self, tag: str) -> None:
        body = "1. e4 { a comment } Nf6 (1... P@e5) 1-0"
        game, after = read(f'{tag}\n\n{body}\n\n[Event "b"]\n\n1. d4 *')
        assert game.kind is RecordKind.OPAQUE
        assert [(extra.key, extra.value) for extra in game.extras] == [("pgn.movetext", body.encode())]
        assert line(after) == "d4"


class TestTags:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            (r'[White "A \"q\" b\\c"]', 'A "q" b\\c'),
            ('[White "The "Big" One"]', 'The "Big" One'),
            ('[White "C:\\games\\x"]', "C:\\games\\x"),
            ('[White "no quote]', "no quote"),
            ("[White bare words ]", "bare words"),
            ('[ White   "blanks"  ]', "blanks"),
            ('[white "small"]', "small"),
            ('[Event "x"][White "same line"]', "same line"),
            ('[White ""]', ""),
        ],
    )
    def test_spellings(self, text: str, value: str) -> None:
        assert read_one(text + "\n\n1. e4 *").tags["White"] == value

    def test_given_twice(self) -> None:
        assert read_one('[White "a"]\n[White "b"]\n\n*').tags.get_all("White") == ["a", "b"]


class TestEncodings:
    TEXT = '[White "Żółć, Ä"]\n\n1. e4 {Größe – “x”} *'

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
    def test_unicode(self, encoding: str) -> None:
        game = read_one(self.TEXT.encode(encoding))
        assert (game.tags["White"], next(iter(game.mainline())).text) == ("Żółć, Ä", "Größe – “x”")
        assert game.problems == []

    def test_each_text_that_is_not_utf8_is_read_by_the_code_page(self) -> None:
        game = read_one('[White "Müller"]\n[Black "'.encode("cp1252") + 'Müller"]\n\n1. e4 *'.encode())
        assert (game.tags["White"], game.tags["Black"], codes(game)) == ("Müller", "Müller", [1])

    @pytest.mark.parametrize(
        ("encoding", "name"),
        [("cp1251", "Карпов"), ("gbk", "丁立人"), ("hz", "丁立人"), ("iso2022_jp", "羽生"), ("shift_jis", "羽生")],
    )
    def test_named(self, encoding: str, name: str) -> None:
        assert read_one(f'[White "{name}"]\n\n*'.encode(encoding), encoding=encoding).tags["White"] == name

    def test_no_byte_is_lost(self) -> None:
        name = read_one(b'[White "' + bytes(range(0x80, 0x100)) + b'"]\n\n*').tags["White"]
        assert len(set(name)) == 128

    @pytest.mark.parametrize("newline", ["\n", "\r", "\r\n"])
    def test_newlines(self, newline: str) -> None:
        text = '[Event "a"]\n[White "w"]\n\n1. e4\ne5 {a\nb} *\n\n[Event "b"]\n\n1. d4 *\n'
        games = read(text.replace("\n", newline))
        assert [line(game) for game in games] == ["e4 e5", "d4"]
        assert list(games[0].mainline())[1].text == "a b"

    def test_a_mark_in_the_middle(self) -> None:
        part = '[Event "a"]\n\n1. e4 *\n\n'.encode("utf-8-sig")
        assert [game.tags.get("Event") for game in read(part + part)] == ["a", "a"]
