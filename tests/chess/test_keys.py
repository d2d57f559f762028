"""Polyglot keys: the published examples, and what a key must and must not depend on."""

from __future__ import annotations

import pytest

from tabiya.chess import Position
from tabiya.chess.polyglot_random import RANDOM64

# http://hgm.nubati.net/book_format.html
PUBLISHED = [
    ("", 0x463B96181691FC9C),
    ("e4", 0x823C9B50FD114196),
    ("e4 d5", 0x0756B94461C50FB0),
    ("e4 d5 e5", 0x662FAFB965DB29D4),
    ("e4 d5 e5 f5", 0x22A48B5A8E47FF78),
    ("e4 d5 e5 f5 Ke2", 0x652A607CA3F242C1),
    ("e4 d5 e5 f5 Ke2 Kf7", 0x00FDD303C946BDD9),
    ("a4 b5 h4 b4 c4", 0x3C8123EA7B067637),
    ("a4 b5 h4 b4 c4 bxc3 Ra3", 0x5C3F9B829B279560),
]


def after(moves: str, start: Position | None = None) -> Position:
    position = start or Position()
    for move in moves.split():
        position = position.play(move)
    return position


def key_of(fen: str) -> int:
    return Position.from_fen(fen, chess960=True).key


@pytest.mark.parametrize(("moves", "key"), PUBLISHED)
def test_published_keys_by_playing(moves: str, key: int) -> None:
    assert after(moves).key == key


@pytest.mark.parametrize(("moves", "key"), PUBLISHED)
def test_published_keys_from_fen(moves: str, key: int) -> None:
    assert Position.from_fen(after(moves).fen()).key == key


def test_the_numbers_are_the_published_ones() -> None:
    assert len(RANDOM64) == len(set(RANDOM64)) == 781
    assert (RANDOM64[0], RANDOM64[780]) == (0x9D39247E33776D41, 0xF8D626AAAF278509)


def test_one_number_for_each_part_of_a_position() -> None:
    empty = RANDOM64[64 * 11 + 4] ^ RANDOM64[64 * 10 + 60]  # white king e1, black king e8
    rooks = RANDOM64[64 * 7 + 0] ^ RANDOM64[64 * 7 + 7]
    assert key_of("4k3/8/8/8/8/8/8/4K3 b") == empty
    assert key_of("4k3/8/8/8/8/8/8/4K3 w") == empty ^ RANDOM64[780]
    assert key_of("4k3/8/8/8/8/8/8/R3K2R b - -") == empty ^ rooks
    assert key_of("4k3/8/8/8/8/8/8/R3K2R b K -") == empty ^ rooks ^ RANDOM64[768]
    assert key_of("4k3/8/8/8/8/8/8/R3K2R b Q -") == empty ^ rooks ^ RANDOM64[769]
    black = RANDOM64[64 * 6 + 56] ^ RANDOM64[64 * 6 + 63]
    assert key_of("r3k2r/8/8/8/8/8/8/4K3 b k -") == empty ^ black ^ RANDOM64[770]
    assert key_of("r3k2r/8/8/8/8/8/8/4K3 b q -") == empty ^ black ^ RANDOM64[771]


def test_en_passant_counts_only_with_a_pawn_beside() -> None:
    beside = "4k3/8/8/3pP3/8/8/8/4K3 w -"
    assert key_of(f"{beside} d6") == key_of(f"{beside} -") ^ RANDOM64[772 + 3]
    alone = "4k3/8/8/3p1P2/8/8/8/4K3 w -"
    assert key_of(f"{alone} d6") == key_of(f"{alone} -")


def test_a_pin_does_not_matter_for_the_key() -> None:
    pinned = "4k3/8/8/K2pP2r/8/8/8/8 w -"
    assert Position.from_fen(f"{pinned} d6").legal_ep_square is None
    assert key_of(f"{pinned} d6") == key_of(f"{pinned} -") ^ RANDOM64[772 + 3]


def test_counters_do_not_matter() -> None:
    assert key_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1") == key_of("4k3/8/8/8/8/8/8/4K3 w - - 99 200")


def test_the_way_to_a_position_does_not_matter() -> None:
    one, other = after("Nf3 Nf6 c4 g6"), after("Nf3 g6 c4 Nf6")
    assert one.key == other.key
    assert hash(one) == hash(other)
    assert one != other  # the clocks differ


def test_a_null_move_passes_the_turn() -> None:
    assert after("--").key == Position().key ^ RANDOM64[780]
    assert after("-- --").key == Position().key
    assert after("e4 d5 e5 f5 --").key == Position.from_fen(after("e4 d5 e5 f5 --").fen()).key


def test_rights_leave_the_key_with_king_and_rook() -> None:
    start = Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    for moves, rights in [
        ("Kd1", "kq"),
        ("Ra2", "Kkq"),
        ("Rh2", "Qkq"),
        ("Rxa8+", "Kk"),
        ("Rxh8+", "Qq"),
        ("O-O", "kq"),
        ("O-O-O", "kq"),
        ("O-O O-O-O", "-"),
        ("Ra2 Rh7 Ra1 Rh8", "Kq"),
    ]:
        position = after(moves, start)
        assert position.fen().split()[2] == rights
        assert position.key == key_of(position.fen())
