"""Bulk replay of tapes: keys against python-chess, hostile tokens against a small oracle, buffers that do not fit."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import chess
import chess.polyglot
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.chess import Move, Position
from tabiya.game.tape import BEGIN, END, NULL
from tabiya.game.tape_kernel import replay

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
STARTS = [
    ("", False),
    (KIWIPETE, False),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", False),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", False),  # promotions that take, and that do not
    ("4k3/8/8/2pPp3/8/8/8/4K3 w - e6 0 1", False),
    ("8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3", False),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", True),
    ("1rk4r/1p6/8/8/8/8/8/RK5R b KQkq - 0 1", True),
    ("1r2k1r1/8/8/8/8/8/8/R4KR1 w KQkq - 0 1", True),  # king and rook change places
]

Tape = Sequence[int]
Start = tuple[str, bool]


def packed(tapes: Sequence[Tape], starts: Sequence[Start] | None = None) -> dict[str, Any]:
    """The buffers of a batch, as the kernel takes them."""
    starts = starts or [("", False)] * len(tapes)
    fens = [fen.encode() for fen, _ in starts]
    moves = np.array([token for tape in tapes for token in tape], np.uint16)
    return {
        "moves": moves,
        "offsets": np.cumsum([0, *map(len, tapes)], dtype=np.int32),
        "start_bytes": np.frombuffer(b"".join(fens), np.uint8),
        "start_offsets": np.cumsum([0, *map(len, fens)], dtype=np.int32),
        "variants": np.array([chess960 for _, chess960 in starts], np.uint8),
        "failures": np.full(len(tapes), -99, np.int32),
        "keys": np.zeros(len(moves), np.uint64),
    }


def replayed(
    tapes: Sequence[Tape], starts: Sequence[Start] | None = None, *, checked: bool = True
) -> tuple[list[int], list[list[int]]]:
    """Failures and keys per record; the keys are as many as the tape has moves."""
    buffers = packed(tapes, starts)
    replay(**buffers, checked=checked)
    keys = []
    for tape, begin in zip(tapes, buffers["offsets"], strict=False):
        count = sum(token < BEGIN for token in tape)
        keys.append(buffers["keys"][begin : begin + count].tolist())
    return buffers["failures"].tolist(), keys


def tokens(*texts: str) -> list[int]:
    """A tape written down: UCI moves and parentheses."""
    marks = {"(": BEGIN, ")": END, "--": NULL}
    return [marks[text] if text in marks else token_of(chess.Move.from_uci(text)) for text in texts]


def token_of(move: chess.Move) -> int:
    return Move.of(move.from_square, move.to_square, move.promotion) if move else NULL


def board_of(start: Start) -> chess.Board:
    fen, chess960 = start
    return chess.Board(fen or chess.STARTING_FEN, chess960=chess960)


class TapeMaker:
    """Random play on a python-chess board, with variations in variations; notes tokens and the keys they must give."""

    def __init__(self, rng: Random, start: Start) -> None:
        self.rng = rng
        self.board = board_of(start)
        self.tape: list[int] = []
        self.keys: list[int] = []

    def push(self, move: chess.Move) -> None:
        text = self.board.uci(move, chess960=True)  # castling as king takes rook
        self.tape.append(token_of(chess.Move.from_uci(text)))
        self.board.push(move)
        self.keys.append(chess.polyglot.zobrist_hash(self.board))

    def pop(self) -> chess.Move:
        return self.board.pop()

    def line(self, length: int, depth: int) -> None:
        """Appends a line of play and leaves the board as it was."""
        played = 0
        for _ in range(length):
            moves = list(self.board.legal_moves)
            if not moves:
                break
            passes = self.rng.random() < 0.03 and not self.board.is_check()
            self.push(chess.Move.null() if passes else self.rng.choice(moves))
            played += 1
            while depth and self.rng.random() < 0.3:
                self.variation(self.rng.randint(1, 6), depth - 1)
        for _ in range(played):
            self.pop()

    def variation(self, length: int, depth: int) -> None:
        """Appends an alternative to the last move."""
        last = self.pop()
        if any(self.board.legal_moves):
            self.tape.append(BEGIN)
            self.line(length, depth)
            self.tape.append(END)
        self.board.push(last)


# --- sound tapes -----------------------------------------------------------------------------------------------------


def test_no_records_and_no_moves() -> None:
    assert replayed([]) == ([], [])
    assert replayed([[], tokens("e2e4"), []]) == ([-1, -1, -1], [[], [0x823C9B50FD114196], []])


def test_random_trees_give_the_keys_of_python_chess() -> None:
    makers = [TapeMaker(Random(f"tape {seed}"), STARTS[seed % len(STARTS)]) for seed in range(180)]
    for maker in makers:
        maker.line(maker.rng.randint(1, 40), 4)
    assert sum(maker.tape.count(BEGIN) for maker in makers) > 1000
    starts = [STARTS[number % len(STARTS)] for number in range(len(makers))]
    for checked in (True, False):
        failures, keys = replayed([maker.tape for maker in makers], starts, checked=checked)
        assert failures == [-1] * len(makers)
        assert keys == [maker.keys for maker in makers]


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start[0][:12] or "start")
def test_every_move_is_taken_back_completely(start: Start) -> None:
    """Each legal move is played, then taken back for a variation with each other one and a reply to it."""
    makers = []
    for first in list(board_of(start).legal_moves):
        maker = TapeMaker(Random(f"{first}"), start)
        maker.push(first)
        maker.pop()
        for second in list(maker.board.legal_moves):
            maker.tape.append(BEGIN)
            maker.push(second)
            replies = list(maker.board.legal_moves)
            if replies:
                maker.push(maker.rng.choice(replies))
                maker.pop()
            maker.pop()
            maker.tape.append(END)
        maker.board.push(first)
        maker.line(3, 0)
        makers.append(maker)
    failures, keys = replayed([maker.tape for maker in makers], [start] * len(makers))
    assert failures == [-1] * len(makers)
    assert keys == [maker.keys for maker in makers]


def test_null_moves_are_taken_back_too() -> None:
    tape = tokens("e2e4", "--", "(", "d7d5", "--", "(", "e4d5", ")", "g8f6", ")", "d2d4")
    failures, [keys] = replayed([tape])
    assert failures == [-1]
    after = Position().play("e4")
    lines = [["--"], ["d5"], ["d5", "--"], ["d5", "exd5"], ["d5", "--", "Nf6"], ["--", "d4"]]
    expected = [after.key]
    for line in lines:
        position = after
        for move in line:
            position = position.play(move)
        expected.append(position.key)
    assert keys == expected


def test_keys_stand_at_the_front_of_each_record() -> None:
    tape = tokens("e2e4", "(", "d2d4", ")", "e7e5")
    buffers = packed([tape, tape])
    replay(**buffers, checked=True)
    keys = buffers["keys"].tolist()
    assert keys[:3] == keys[5:8]
    assert 0 not in keys[:3]
    assert keys[3:5] == keys[8:] == [0, 0]


def test_keys_may_be_left_out() -> None:
    buffers = packed([tokens("e2e4"), tokens("e2e5")])
    replay(**{**buffers, "keys": np.empty(0, np.uint64)}, checked=True)
    assert buffers["failures"].tolist() == [-1, 0]


def test_variations_nested_a_hundred_thousand_deep() -> None:
    depth = 100_000
    opened = [token for number in range(depth) for token in (*tokens(("e2e4", "d2d4")[number % 2]), BEGIN)]
    tape = [*opened, *tokens("g1f3"), *[END] * depth, *tokens("e7e5")]
    failures, [keys] = replayed([tape])
    assert failures == [-1]
    assert len(keys) == depth + 2
    assert keys[-2:] == [Position().play("Nf3").key, Position().play("e4").play("e5").key]
    assert replayed([tape[:-2], opened, tape])[0] == [len(tape) - 2, len(opened), -1]


# --- bad tapes -------------------------------------------------------------------------------------------------------


def first_bad(tape: Tape, start: Start) -> int:
    """The oracle: the index of the first bad token of a checked tape, -1 if all are good."""
    fen, chess960 = start
    position = Position.from_fen(fen, chess960=chess960) if fen else Position()
    before: Position | None = None
    outside: list[tuple[Position, Position]] = []
    for index, token in enumerate(tape):
        if token == BEGIN and before is not None:
            outside.append((position, before))
            position, before = before, None
        elif token == END and before is not None and outside:
            position, before = outside.pop()
        elif token == NULL or (token < BEGIN and position.is_legal(token)):
            position, before = position.play(Move(token)), position
        else:
            return index
    return len(tape) if outside else -1


@pytest.mark.parametrize(
    ("texts", "place"),
    [
        ("e2e5", 0),
        ("e2e4 e2e4", 1),
        ("e2e4 e7e5 e1e2 e8e7 e2e4", 4),
        ("( e2e4 )", 0),
        (")", 0),
        ("e2e4 )", 1),
        ("e2e4 ( )", 2),
        ("e2e4 ( ( d2d4 ) )", 2),
        ("e2e4 (", 2),
        ("e2e4 ( d2d4", 3),
        ("e2e4 ( d2d4 ) )", 4),
        ("e2e4 ( d2d4 ) ( c2c4 ) e7e5 ( ) d2d4", 9),
        ("e2e4 ( e7e5 )", 2),  # the variation is White's turn
        ("e2e4 ( d2d4 ) e2e3", 4),  # and after it Black's again
        ("-- --", -1),
        ("a1a2", 0),
        ("e7e8q", 0),
        ("e1g1", 0),
        ("g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1", 6),  # castling is king takes rook
        ("g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1h1 e8h8", -1),
    ],
)
def test_the_first_bad_token_is_named(texts: str, place: int) -> None:
    tape = tokens(*texts.split())
    assert replayed([tape])[0] == [place]
    assert first_bad(tape, ("", False)) == place


@pytest.mark.parametrize("token", [0x8002, 0x8003, 0x9000, 0xFFFF, 0x7FFF, 5 << 12, 6 << 12 | 12 | 28 << 6])
@pytest.mark.parametrize("checked", [True, False])
def test_tokens_that_mean_nothing(token: int, checked: bool) -> None:
    assert replayed([[*tokens("e2e4"), token, *tokens("e7e5")]], checked=checked)[0] == [1]


@pytest.mark.parametrize("texts", ["e3e4", "e7e5", "e2e4 e4e5"])
def test_unchecked_moves_must_at_least_move_an_own_piece(texts: str) -> None:
    tape = tokens(*texts.split())
    assert replayed([tape], checked=False)[0] == [len(tape) - 1]
    assert replayed([tokens("e2e6")], checked=False)[0] == [-1]


def test_one_bad_record_leaves_the_others_alone() -> None:
    good = tokens("e2e4", "(", "d2d4", ")", "e7e5")
    bad = tokens("e2e4", "(", "d2d4", "(", "c2c4")
    failures, keys = replayed([bad, good, [0xFFFF], good])
    assert failures == [5, -1, 0, -1]
    assert keys[1] == keys[3] == replayed([good])[1][0]


steps = st.one_of(
    st.integers(0, 255),  # that legal move, as far as there is one
    st.sampled_from([BEGIN, END]),
    st.integers(0, 0xFFFF).map(lambda token: -1 - token),  # that token, whatever it is
)


@settings(max_examples=400)
@given(st.sampled_from(STARTS), st.lists(steps, max_size=40))
def test_hostile_tapes_fail_where_the_oracle_says(start: Start, plan: list[int]) -> None:
    """Streams that are sound for a while: a stream of mere noise would always fail at its first token."""
    fen, chess960 = start
    position = Position.from_fen(fen, chess960=chess960) if fen else Position()
    line, outside, tape = [position], [], []
    for step in plan:
        token = -1 - step if step < 0 else step
        if 0 <= step < BEGIN:
            moves = line[-1].legal_moves()
            token = moves[step % len(moves)] if moves else NULL
            line.append(line[-1].play(token))
        elif step == BEGIN and len(line) > 1:
            outside.append(line)
            line = line[:-1][-1:]
        elif step == END and outside:
            line = outside.pop()
        tape.append(int(token))
    for candidate in (tape, [*tape, *[END] * len(outside)]):
        assert replayed([candidate], [start])[0] == [first_bad(candidate, start)]
        [failure], _ = replayed([candidate], [start], checked=False)
        assert -1 <= failure <= len(candidate)


@pytest.mark.parametrize("checked", [True, False])
def test_noise_does_no_harm(checked: bool) -> None:
    rng = np.random.default_rng(1)
    tapes = [rng.integers(0, 1 << 16, rng.integers(1, 200)).tolist() for _ in range(2000)]
    # Without the check, moves from own pieces to anywhere go on and on: kings are taken, rooks land on kings.
    own = [
        (rng.integers(0, 64, 300) | rng.integers(0, 64, 300) << 6 | rng.integers(0, 5, 300) << 12).tolist()
        for _ in tapes
    ]
    marks = [[token if number % 5 else BEGIN for number, token in enumerate(tape)] for tape in own]
    for group in (tapes, own, marks):
        failures, _ = replayed(group, checked=checked)
        assert all(-1 <= failure <= len(tape) for failure, tape in zip(failures, group, strict=True))


def test_senseless_moves_that_go_on_do_no_harm() -> None:
    """Unchecked tapes in which every token moves a piece of the side to move, as the kernel sees the board."""
    rng = Random("senseless")
    longest = 0
    for _ in range(12):
        tape: list[int] = []
        for _ in range(150):
            tokens = [rng.choice([rng.randrange(5 << 12), rng.randrange(1 << 12), BEGIN, END]) for _ in range(24)]
            failures, _ = replayed([[*tape, token] for token in tokens], checked=False)
            sound = [token for token, place in zip(tokens, failures, strict=True) if place in {-1, len(tape) + 1}]
            tape += sound[:1]
        longest = max(longest, len(tape))
    assert longest > 50


# --- buffers ---------------------------------------------------------------------------------------------------------


def buffers() -> dict[str, Any]:
    return packed([tokens("e2e4", "e7e5"), tokens("d2d4")], [("", False), (KIWIPETE, False)])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("offsets", np.empty(0, np.int32)),
        ("offsets", np.array([0], np.int32)),
        ("offsets", np.array([0, 2, 3, 3], np.int32)),
        ("start_offsets", np.array([0, 0], np.int32)),
        ("start_offsets", np.array([0, 0, 0, 0], np.int32)),
        ("variants", np.zeros(1, np.uint8)),
        ("variants", np.zeros(3, np.uint8)),
        ("failures", np.zeros(1, np.int32)),
        ("failures", np.zeros(3, np.int32)),
        ("keys", np.zeros(2, np.uint64)),
        ("keys", np.zeros(4, np.uint64)),
        ("moves", np.zeros(3, np.int32)),
        ("moves", np.zeros(6, np.uint16)[::2]),
        ("moves", np.zeros((3, 1), np.uint16)),
        ("offsets", np.zeros(3, np.int64)),
        ("keys", np.zeros(3, np.int64)),
    ],
)
def test_buffers_that_do_not_fit_are_refused(name: str, value: object) -> None:
    given = buffers()
    with pytest.raises(ValueError, match=r"fit|Buffer|buffer|ndarray"):
        replay(**{**given, name: value}, checked=True)
    assert given["failures"].tolist() == [-99, -99]


def test_read_only_results_are_refused() -> None:
    given = buffers()
    for name in ("failures", "keys"):
        frozen = given[name].copy()
        frozen.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            replay(**{**given, name: frozen}, checked=True)


def test_read_only_input_is_fine() -> None:
    given = buffers()
    for name in ("moves", "offsets", "start_bytes", "start_offsets", "variants"):
        given[name].flags.writeable = False
    replay(**given, checked=False)
    assert given["failures"].tolist() == [-1, -1]


@pytest.mark.parametrize(
    ("offsets", "failures"),
    [
        ([0, 2, 4], [-1, 0]),  # past the end
        ([0, 2, 2**31 - 1], [-1, 0]),
        ([-1, 2, 3], [0, -1]),
        ([0, -5, 3], [0, 0]),
        ([3, 2, 3], [0, -1]),  # backwards
        ([1000, 2000, 3000], [0, 0]),
        ([-(2**31), 2**31 - 1, 3], [0, 0]),
    ],
)
def test_offsets_outside_the_moves_fail_the_record(offsets: list[int], failures: list[int]) -> None:
    given = packed([tokens("e2e4", "e7e5"), tokens("d2d4")])
    replay(**{**given, "offsets": np.array(offsets, np.int32)}, checked=True)
    assert given["failures"].tolist() == failures


@pytest.mark.parametrize("offsets", [[0, 0, 10**9], [-1, 0, 0], [0, 70, 60], [0, 2**31 - 1, 0], [5, -(2**31), 0]])
def test_offsets_outside_the_start_positions_fail_the_record(offsets: list[int]) -> None:
    given = buffers()
    replay(**{**given, "start_offsets": np.array(offsets, np.int32)}, checked=True)
    assert -3 in given["failures"].tolist()


@pytest.mark.parametrize("fen", ["x", "8/8/8/8/8/8/8/8 w - - 0 1", KIWIPETE + " x", " ", "k" * 5000, "\0", "é"])
def test_bad_start_positions_fail_the_record(fen: str) -> None:
    tape = tokens("e2e4")
    assert replayed([tape, tape, tape], [("", False), (fen, False), ("", False)])[0] == [-1, -3, -1]


def test_the_variant_decides_how_rights_are_read() -> None:
    fen = "4k3/8/8/8/8/8/8/RK5R w KQ - 0 1"
    castling = tokens("b1h1")
    assert replayed([castling, castling], [(fen, True), (fen, False)])[0] == [-1, 0]
