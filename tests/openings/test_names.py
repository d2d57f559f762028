"""Names of openings: against python-chess and the tables that they were made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import chess
import chess.polyglot
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.opening_names import TARGET, named_lines, table_of
from tabiya.openings import Opening, codes_of, find, opening_at
from tabiya.openings.names import plain

OPENINGS = "../data/openings"
NAJDORF = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"


def key_after(moves: str) -> int:
    """Polyglot's key as python-chess knows it."""
    board = chess.Board()
    for san in re.sub(r"\d+\.", "", moves).split():
        board.push_san(san)
    return chess.polyglot.zobrist_hash(board)


@pytest.mark.parametrize(
    ("moves", "named"),
    [
        ("e4 c5", "B20 Sicilian Defense"),
        (NAJDORF, "B90 Sicilian Defense: Najdorf Variation"),
        ("Nf3 c5 e4 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "B90 Sicilian Defense: Najdorf Variation"),
        ("e4 e5 Nf3 Nc6 Bb5 a6", "C70 Ruy Lopez: Morphy Defense"),
        ("d4 d5 c4 e6", "D30 Queen's Gambit Declined"),
        ("", "None"),
        ("e4 a5 a4", "None"),
    ],
)
def test_a_position_has_a_name_by_any_order_of_moves(moves: str, named: str) -> None:
    assert str(opening_at(key_after(moves))) == named


def test_keys_may_be_signed() -> None:
    keys = [key_after(moves) for moves in (NAJDORF, "e4", "d4", "c4", "Nf3")]
    assert any(key >> 63 for key in keys)
    for key in keys:
        assert opening_at(key - (key >> 63 << 64)) == opening_at(key) is not None


def test_every_line_of_the_tables_has_its_name(samples: Callable[[str], Path]) -> None:
    lines = list(named_lines(samples(OPENINGS)))
    assert len(lines) > 3_500
    assert len({key_after(pgn) for _, _, pgn in lines}) == len(lines), "a position with two names: which one counts?"
    for eco, name, pgn in lines:
        assert opening_at(key_after(pgn)) == Opening(eco, name), pgn


def test_the_table_is_what_the_script_makes(samples: Callable[[str], Path]) -> None:
    assert table_of(samples(OPENINGS)) == TARGET.read_text("utf-8")


def test_codes_of_a_name() -> None:
    assert codes_of("najdorf") == {f"B{number}" for number in range(90, 100)}
    assert codes_of("Catalan") >= {f"E0{number}" for number in range(1, 10)}
    assert "A00" not in codes_of("Catalan")  # one of its hundred names is that of a Reversed Catalan
    assert codes_of("saragossa opening") == {"A00"}  # which is the only code it has
    assert codes_of("Sicilian NAJDORF") == codes_of("najdorf")
    assert codes_of("najdorf sicilian") == frozenset()
    assert codes_of("slav") & codes_of("yugoslav") == frozenset()
    assert codes_of("Evans Gambit") == {"C51", "C52"}
    assert codes_of("") == codes_of(" - ") == codes_of("Tabiya Gambit") == frozenset()


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("grünfeld", "Gruenfeld"),
        ("GRUNFELD", "Grünfeld"),
        ("kings indian", "King’s Indian"),
        ("nimzo indian", "Nimzo-Indian"),
        ("french defence", "French Defense"),
        ("reti", "Réti"),
        ("sorensen", "Sørensen"),
    ],
)
def test_case_accents_and_punctuation_do_not_matter(text: str, same: str) -> None:
    assert find(text) == find(same) != []


def test_found_openings_are_in_order_and_there_once() -> None:
    found = find("gambit")
    assert found == sorted(set(found))
    assert all("gambit" in opening.name.casefold() for opening in found)


@given(st.text())
def test_any_text_can_be_looked_for(text: str) -> None:
    assert plain(plain(text)).split() == plain(plain(text)).split(" ") or not plain(text)
    assert all(word in plain(opening.name) for opening in find(text) for word in plain(text).split())


@given(st.integers(-(2**63), 2**64 - 1))
def test_any_key_can_be_asked_for(key: int) -> None:
    opening = opening_at(key)
    assert opening is None or opening in find(opening.name)
