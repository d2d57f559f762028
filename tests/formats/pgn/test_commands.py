"""Commands in comments: what kernels and Python make of them together must be what Python makes of them alone."""

from __future__ import annotations

import io

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tabiya.chess import Color, Square
from tabiya.errors import UsageError
from tabiya.game import Extra, Game, difference
from tabiya.game.annotations import (
    SYMBOLS,
    Annotation,
    Arrow,
    CriticalPosition,
    Evaluation,
    Medals,
    Side,
    TimeControl,
    WhiteClock,
    parse_comment,
)
from tests.formats.pgn.reading import codes, read, read_one, write

E2, E4 = Square.parse("e2"), Square.parse("e4")

ARGUMENTS = st.one_of(
    st.from_regex(r"\A[0-9]{1,4}(:[0-9]{1,3}){0,3}(\.[0-9]{0,3})?(\|[0-9]{1,3})?\Z"),
    st.from_regex(r"\A[#M]?[+-]?[0-9]{0,6}(\.[0-9]{0,4})?([,/][0-9]{0,6})?\Z"),
    st.lists(st.from_regex(r"\A[GYRBCO]([a-h][1-8]){1,2}\Z"), max_size=4).map(",".join),
    st.text('abcd 0123456789:.,/#|-+\\"é]', max_size=12),
    st.from_regex(r"\A#[0-9A-Fa-f]{5,7} ?M?L?\Z"),
    st.from_regex(r"\A(arrow,[a-h][1-8],[a-h][1-8]|full,[a-h][0-9]),(green|red|teal)\Z"),
    st.from_regex(
        r"\A\(?([0-9]{1,3}h)?([0-9]{1,2}m)?([0-9](\.[0-9]{1,3})?s)?(\+[0-9]s\))?(/[0-9]{1,5})?(\|[0-9])?\+?\Z"
    ),
    st.from_regex(r"\A[0-3],[0-4](,-?[0-9]{1,5}){0,4}\Z"),
    st.from_regex(r'\A"[a\\"u0é]{0,6}" ?("[a ]{0,3}")?\Z'),
    st.from_regex(r"\A[0-9A-F]{0,3} ?[A-D=/+]{0,9}\Z"),
    st.sampled_from(["opening", "tactics,best", "90m/40+30m", "e4 3", "AQID", "1A AQID", '"a" "b"', "0,1,25,30"]),
)
NAMES = st.sampled_from(
    [
        *("clk", "clkw", "clkb", "emt", "eval", "csl", "cal"),
        *("tc", "crit", "medal", "path", "pawnstruct", "vst", "weblink", "train", "cba", "raw", "evp", "mdl", "draw"),
        *("varcolor", "sound", "picture", "corr", "video", "quote", "tqu"),
        *("pre", "post", "late", "game", "post:GER", "pre:XXX", "eval:GER", "crit:GER"),
        *("wdl", "unknown", "Eval", "9"),
    ]
)
COMMANDS = st.builds("[%{} {}]".format, NAMES, ARGUMENTS)
COMMENTS = st.lists(st.one_of(COMMANDS, st.text('ab [%]\\"', max_size=6)), max_size=4).map(" ".join)


def values(annotations: list[Annotation], side: Side) -> list[tuple[object, ...]]:
    return [(a.kind, a.data, a.raw, a.lang) for a in annotations if a.side is side]


class TestAgainstPython:
    @given(COMMENTS)
    def test_after_a_move(self, comment: str) -> None:
        game = read_one(f"1. e4 {{ {comment} }} 1... e5 *")
        expected = parse_comment(f" {comment} ")
        e4, e5 = game.mainline()
        annotations = list(expected.annotations)
        for side in (Side.AFTER, Side.LATE):
            assert values(e4.annotations, side) == values(annotations, side)
        assert values(e5.annotations, Side.BEFORE) == values(annotations, Side.BEFORE)
        assert values(game.root.annotations, Side.AFTER) == values(list(expected.game), Side.AFTER)
        assert len(game.problems) == len(expected.problems) + len(expected.partly)

    @given(COMMENTS)
    def test_at_the_start_of_a_variation(self, comment: str) -> None:
        assume("[%late" not in comment)  # nothing stands before it there that it could be late for
        game = read_one(f"1. e4 e5 ( {{ {comment} }} 1... c5 ) *")
        expected = parse_comment(comment, mover=Color.BLACK, side=Side.BEFORE)
        node = game.root.children[0].children[1]
        assert values(node.annotations, Side.BEFORE) == values(list(expected.annotations), Side.BEFORE)

    @given(COMMENTS)
    def test_what_was_read_is_written_and_read_again(self, comment: str) -> None:
        first = read(f"1. e4 {{ {comment} }} 1... e5 ( {{ {comment} }} 1... c5 ) *")
        text, losses = write(first)
        assert not losses
        assert [difference(a, b) for a, b in zip(first, read(text), strict=True)] == [[]] * len(first)
        assert write(read(text))[0] == text


def placed(game: Game) -> list[list[tuple[object, ...]]]:
    """The annotations of all moves but for medals."""
    nodes = [game.root, *game.root.walk()]
    return [[(a.kind, a.data, a.lang, a.side) for a in node.annotations if a.kind != Medals.kind] for node in nodes]


class TestPlaces:
    """A comment that is left to Python stands where kernels would have put it."""

    @pytest.mark.parametrize(
        "game",
        [
            "{{ {} }} 1. e4 e5 *",
            "1. e4 {{ {} }} e5 *",
            "1. e4 {{ {} }} *",
            "1. e4 ( {{ {} }} 1. d4 ) e5 *",
            "1. e4 ( 1. d4 {{ {} }} ) e5 *",
            "1. e4 ( 1. d4 ) {{ {} }} e5 *",
            "1. e4 ( 1. d4 ) {{ {} }} *",
            "1. e4 ( 1. d4 ( 1. c4 ) {{ {} }} ) *",
            "1. e4 ( {{ {} }} ) e5 *",
            "1. e4 ( 1. d4 ) ( {{ {} }} ) e5 *",
            "1. e4 ( {{ {} }} *",
            "1. e4 e5 2. Nf3 ( {{ {} }} 2... Nc6 ) d6 *",
            "1. e4 e5 2. Nf3 ( {{ {} }} 2... Nc6 ) *",
            "1. e4 * {{ {} }}",
            "{{ {} }} *",
        ],
    )
    @pytest.mark.parametrize(
        "words",
        [
            *("text", "[%pre b] text", "[%post a] text", "[%late l] text", "[%game g] text", "[%clk 0:01:00]"),
            *('[%error illegal "Ke5"]', '[%error illegal "(Ke5)"]', "[%unknown x]"),
        ],
    )
    def test_with_and_without_a_rare_command(self, game: str, words: str) -> None:
        common, rare = (read_one(game.format(comment)) for comment in (words, f"[%cba 0022 AAAAAQ==] {words}"))
        assert placed(rare) == placed(common)
        assert len(codes(rare)) == len(codes(common))
        for found in (common, rare):
            text, losses = write([found])
            assert losses or difference(found, read_one(text)) == []

    def test_a_variation_that_is_read_twice_has_its_problems_once(self) -> None:
        assert codes(read_one("1. e4 e5 2. Nf3 ( { [%foo] } 2... Nc6 ) d6 *")) == [13, 22]
        assert codes(read_one(b"1. e4 e5 2. Nf3 ( { caf\xe9 } 2... Nc6 ) d6 *")) == [13, 1]

    def test_problems_of_a_record_are_limited(self) -> None:
        problems = codes(read_one("1. e4 { " + "[%medal none] " * 3000 + "} *"))
        assert problems == [22] * 1000 + [21]

    def test_late_values_of_a_record_without_moves_stand_behind_its_result(self) -> None:
        game = Game()
        game.root.annotations = [Annotation(WhiteClock.kind, bytes(4), side=Side.LATE)]
        text, losses = write([game])
        assert (text, bool(losses)) == (b"* { [%clk 0:00:00] }\n\n", False)
        assert difference(game, read_one(text)) == []

    def test_the_payload_of_nags_stands_directly_behind_them(self) -> None:
        game = Game()
        node = game.root.add("e4")
        node.annotations = [Annotation(0x22, b"\0\0\0\1"), Annotation(SYMBOLS, b"\x01", raw=b"\x01\0")]
        text, losses = write([game])
        assert (text, bool(losses)) == (b"1. e4 $1 { [%raw AQA=] [%medal best] } *\n\n", False)
        assert difference(game, read_one(text)) == []

    @pytest.mark.parametrize("nags", [Annotation(SYMBOLS, b"\x01", 53), Annotation(SYMBOLS, b"\x01", side=Side.LATE)])
    def test_nags_as_nobody_stores_them_are_a_loss(self, nags: Annotation) -> None:
        game = read_one("1. e4 ( 1. d4 ) *")
        game.root.children[0].annotations = [nags]
        assert write([game])[1]


class TestValues:
    def test_what_people_ask_for(self) -> None:
        game = read_one(
            "1. e4 { [%clk 1:59:52] [%eval +0.25/22] [%csl Ge4,Rd5] [%cal Ge2e4] [%emt 0:00:08] Fine. } "
            "e5 { [%clk 1:58:30] [%medal tactics] } *"
        )
        e4, e5 = game.mainline()
        assert (e4.clock, e4.time_spent, e4.text) == (7192.0, 8, "Fine.")
        assert e4.eval == Evaluation(25, 0, 22)
        assert ([str(s) for s in e4.squares], [str(a) for a in e4.arrows]) == (["Ge4", "Rd5"], ["Ge2e4"])
        assert (e5.clock, e5.eval, e5.squares, e5.time_spent) == (7110.0, None, (), None)
        assert [value.format() for value in e5.values_of(Medals)] == ["tactics"]

    def test_they_can_be_set(self) -> None:
        game = Game()
        node = game.root.add("e4")
        node.clock, node.time_spent, node.eval = 59.5, 3725, Evaluation(-300, 1)
        node.squares, node.arrows = ["Ge4"], [Arrow(2, E2, E4)]
        node.set_values(CriticalPosition, [CriticalPosition.parse("opening")])
        text, losses = write([game])
        assert not losses
        assert b"{ [%clk 0:00:59.5] [%emt 1:02:05] [%eval #-300] [%csl Ge4] [%cal Ge2e4]\n[%crit opening] }" in text
        node.clock = node.time_spent = node.eval = None
        node.squares = node.arrows = ()
        assert [value.kind for value in node.values] == [CriticalPosition.kind]

    @pytest.mark.parametrize("seconds", [-1, 256 * 3600])
    def test_times_that_nothing_can_show(self, seconds: int) -> None:
        node = Game().root.add("e4")
        with pytest.raises(UsageError):
            node.time_spent = seconds
        with pytest.raises(UsageError):
            node.clock = seconds * 2**20

    def test_values_before_the_first_move_are_about_the_game(self) -> None:
        game = read_one("{ [%tc 90m/40+30m] [%clkw 1:00:00] Words. } 1. e4 *")
        assert [type(value) for value in game.root.values] == [TimeControl, WhiteClock]
        assert next(iter(game.mainline())).text_before == "Words."

    def test_line_breaks_inside_commands(self) -> None:
        e4, e5 = read_one("1. e4 { [%clk\n1:59:52] [%emt 0:\n00:08] } e5 { [%csl Ge4,\r\nRd5] } *").mainline()
        assert (e4.clock, e4.time_spent, len(e5.squares)) == (7192.0, 8, 2)

    def test_parts_of_a_time_may_have_three_digits(self) -> None:
        (e4,) = read_one("1. e4 { [%emt 52:100:233] } *").mainline()
        assert e4.annotations == list(parse_comment("[%emt 52:100:233]").annotations)
        assert (e4.annotations[0].data, e4.annotations[0].raw) == (bytes([52, 100, 233, 0]), None)

    def test_spellings_are_kept(self) -> None:
        source = "1. e4 { [%clk 01:59:52] [%eval -0.5,3] [%emt 0:0:12] } 1... e5 { [%eval M5] [%clk 3.03] } *"
        assert source.encode() in write(read(source), layout="lines")[0]

    def test_a_payload_beside_edited_text_no_longer_counts(self) -> None:
        text = b"1. e4 { [%post caf\xc3\xa9] [%raw AABjYWbp] } *"
        (e4,) = read_one(text).mainline()
        assert (e4.text, e4.annotations[0].raw) == ("café", b"\0\0caf\xe9")
        game = read_one(text.replace(b"caf\xc3\xa9", b"tea"))
        assert (next(iter(game.mainline())).annotations[0].raw, codes(game)) == (None, [23])


class TestHostile:
    """Time must be linear in the length of a comment: what is not takes far too long here."""

    MANY = 20_000

    @pytest.mark.parametrize(
        "comment",
        [
            "[%a " * MANY + "]",
            "[%a " * MANY + "] [%medal best]",
            "[%medal " * MANY,
            "[%tc " + "90m+" * MANY + "30m]",
            "[%medal best] a" + " " * MANY + "b\n\nc",
            "[%tqu " + "(," * MANY + "x]",
            '[%weblink "' + "\\" * MANY + "x]",
        ],
    )
    @pytest.mark.parametrize("profile", ["lossless", "plain"])
    def test_long_comments(self, comment: str, profile: str) -> None:
        game = read_one(f"1. e4 {{ {comment} }} *")
        text, _ = write([game], profile=profile)
        if profile == "lossless":
            assert difference(game, read_one(text)) == []


class TestPlain:
    SOURCE = (
        "1. e4 { [%clk 1:59:52] [%eval +0.25/22] [%csl Ge4] Fine. } e5 { [%clkw 1:00:00] [%emt 0:00:08|30] "
        "[%medal best] [%evp 0,1,25,30] } *"
    )

    def test_what_others_read(self) -> None:
        text, losses = write(read(self.SOURCE), profile="plain")
        assert b"1. e4 { [%clk 1:59:52] [%eval 0.25,22] [%csl Ge4] Fine. } 1... e5 { [%emt 0:00:08] }" in text.replace(
            b"\n", b" "
        )
        assert {loss.what: loss.count for loss in losses} == {
            "annotation-0x22": 1,
            "annotation-0x26": 1,
            "pgn-value": 2,
        }

    def test_dialects(self) -> None:
        games = read(self.SOURCE)
        chessbase, losses = write(games, profile="plain", dialect="chessbase")
        for command in (b"[%eval 25,22]", b"[%mdl 1]", b"[%evp 0,1,25,30]"):
            assert command in chessbase
        assert {loss.what for loss in losses} == {"pgn-value"}
        assert b"[%draw full,e4,green]" in write(games, profile="plain", dialect="scid")[0]
        assert write(games, profile="plain", dialect="lichess") == write(games, profile="plain")
        assert read_one(chessbase).root.children[0].eval == Evaluation(25, 0, 22)

    def test_lines_break_between_commands_only(self) -> None:
        arrows = ",".join(f"G{file}2{file}4" for file in "abcdefgh")
        games = read(f"1. e4 {{ Words of some length, so that lines end here and there. [%cal {arrows}] }} *")
        text, _ = write(games, profile="plain", dialect="scid")
        assert all(line.count(b"[") == line.count(b"]") for line in text.split(b"\n"))
        assert max(map(len, text.split(b"\n"))) < 80
        (node,) = read_one(text).mainline()
        assert ",".join(map(str, node.arrows)) == arrows

    def test_a_dialect_is_one_of_the_plain_profile(self) -> None:
        with pytest.raises(UsageError, match="plain"):
            write(read("*"), dialect="scid")
        with pytest.raises(UsageError, match="lichess, chessbase, scid"):
            write(read("*"), profile="plain", dialect="klingon")

    def test_python_chess_reads_the_same(self) -> None:
        chess_pgn = pytest.importorskip("chess.pgn")
        source = (
            "1. e4 { [%clk 1:59:52.5] [%eval 0.25,22] [%csl Ge4,Rd5] [%cal Be2e4] [%emt 0:00:08] Fine. } "
            "e5 { [%eval #-3] } 2. Nf3 { [%eval #2,30] [%eval -1.05] } *"
        )
        theirs = chess_pgn.read_game(io.StringIO(write(read(source), profile="plain")[0].decode()))
        for ours, node in zip(read_one(source).mainline(), theirs.mainline(), strict=True):
            assert node.clock() == ours.clock
            assert (node.eval() is None) == (ours.eval is None)
            if ours.eval is not None:
                white = node.eval().white()
                assert (white.mate() if ours.eval.is_mate else white.score()) == ours.eval.value
                assert (node.eval_depth() or 0) == ours.eval.depth
            assert len(node.arrows()) == len(ours.arrows) + len(ours.squares)


class TestForeign:
    def test_records_that_are_no_games(self) -> None:
        source = '[Event "x"]\n[RecordKind "text"]\n[Deleted "1"]\n\n{ [%text GER "Titel" PGI+] } *\n'
        game = read_one(source)
        assert (game.kind.name, game.deleted, game.texts[0].title, game.texts[0].body) == (
            "TEXT",
            True,
            "Titel",
            b"<b>",
        )
        assert game.tags.get("RecordKind") is None
        written, losses = write([game])
        assert not losses
        assert difference(game, read_one(written)) == []

    def test_extras_of_other_formats(self) -> None:
        source = '[Event "x"]\n[CbhTournamentCategory "20"]\n[CbhBlob "base64:AAEC"]\n[CbhOdd "base64:?"]\n\n1. e4 *'
        game = read_one(source)
        assert {extra.key: extra.value for extra in game.extras} == {
            "cbh.tournament_category": b"20",
            "cbh.blob": b"\0\1\2",
        }
        assert game.tags.get("CbhOdd") == "base64:?"
        text, losses = write([game])
        assert not losses
        assert difference(game, read_one(text)) == []
        plain, losses = write([game], profile="plain")
        assert b"CbhBlob" not in plain
        assert {loss.what for loss in losses} == {"extras"}

    @pytest.mark.parametrize(
        "key", ["cbh.unknown_74", "cbh.unknown74", "jose.b2c", "cbh.event_unknown_7_8x", "jose.a_1b"]
    )
    def test_numbers_in_keys(self, key: str) -> None:
        game = read_one('[Event "x"]\n\n1. e4 *')
        game.extras = [Extra(key, b"7")]
        text, losses = write([game])
        assert not losses
        assert read_one(text).extras == game.extras

    @pytest.mark.parametrize("key", ["cbh.", "cbh.Loud", "cbh.a__b", "cbh._x", "cbh.naïve", "cbh.a b"])
    def test_keys_that_no_tag_can_stand_for(self, key: str) -> None:
        game = read_one('[Event "x"]\n\n1. e4 *')
        game.extras = [Extra(key, b"7")]
        _, losses = write([game])
        assert [(loss.what, loss.count) for loss in losses] == [("pgn-extras", 1)]

    def test_an_undecoded_game(self) -> None:
        game = read_one('[Event "x"]\n[RecordKind "opaque"]\n[CbhBlob "base64:AAEC"]\n\n*\n')
        assert game.kind.name == "OPAQUE"
        text, losses = write([game])
        assert not losses
        assert difference(game, read_one(text)) == []

    @pytest.mark.parametrize("tag", ['[RecordKind "tree"]', '[Deleted "yes"]', '[Cbh "x"]', '[Cbhx "1"]'])
    def test_other_values_are_ordinary_tags(self, tag: str) -> None:
        text, losses = write(read(f"{tag}\n\n1. e4 *"))
        assert tag.encode() in text
        assert not losses
