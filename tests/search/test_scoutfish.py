"""Queries of scoutfish: what they mean here, and the same answers from the program itself where it is at hand."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from bisect import bisect_left
from typing import TYPE_CHECKING, Any

import pytest

import tabiya
from tabiya.errors import UsageError
from tabiya.search import (
    Captured,
    ExactPosition,
    Material,
    MovePlayed,
    Never,
    PassedPawns,
    Pattern,
    ResultIs,
    Sequence,
    parse_query,
)
from tabiya.search.conditions import ANYTHING, AllOf, AnyOf, Not
from tabiya.search.explorer import line_to
from tabiya.search.keyword_conditions import FLAG_MEANINGS, MEANINGS
from tabiya.search.keywords import FLAGS, KEYWORDS
from tests.conftest import IN_CI

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SCOUTFISH = os.environ.get("TABIYA_SCOUTFISH") or shutil.which("scoutfish")


def test_every_word_has_a_meaning() -> None:
    assert list(MEANINGS) == list(KEYWORDS)
    assert list(FLAG_MEANINGS) == list(FLAGS)


@pytest.mark.parametrize(
    ("asked", "condition"),
    [
        ({"material": "KRPKR"}, Material("KRPKR")),
        ({"sub-fen": ["8/8/8/q7/8/8/8/8", "8/8/8/r7/8/8/8/8"]}, Pattern("qa5") | Pattern("ra5")),
        ({"material": "KRKR", "result": ["1-0", "0-1"]}, Material("KRKR") & (ResultIs("1-0") | ResultIs("0-1"))),
        ({"white-move": "e4", "black-move": "e5"}, MovePlayed("e4", "white") | MovePlayed("e5", "black")),
        ({"captured": ""}, Captured("")),
        ({"pass": ""}, ANYTHING),
        (
            {"sequence": [{"white-move": "e4"}, {"streak": [{"pass": ""}, {"captured": "Q"}]}]},
            Sequence((MovePlayed("e4", "white"), Sequence((ANYTHING, Captured("Q")), 1))),
        ),
        ({"sequence": [{"pass": ""}, {"captured": "Q"}], "within": 4}, Sequence((ANYTHING, Captured("Q")), 4)),
        ({"passed": "white:abc", "lasting": 6}, PassedPawns("white", "abc").lasting(6)),
        ({"not": {"captured": "Q"}}, Not(Captured("Q"))),
        ({"any": [{"captured": "Q"}, {"pass": ""}]}, AnyOf((Captured("Q"), ANYTHING))),
        ({"mate": False}, Not(FLAG_MEANINGS["mate"])),
    ],
)
def test_what_queries_mean(asked: dict[str, Any], condition: Any) -> None:
    def same(first: Any, second: Any) -> bool:
        if type(first) is not type(second):
            return False
        if isinstance(first, Pattern):
            return bool(first._squares == second._squares)
        if isinstance(first, (AllOf, AnyOf, Sequence, Not)):
            parts = list(zip(first._parts(), second._parts(), strict=True))
            return all(same(*pair) for pair in parts) and getattr(first, "within", 0) == getattr(second, "within", 0)
        return bool(first == second)

    found = parse_query(json.dumps(asked)).condition
    assert same(found, condition)
    assert parse_query(asked).condition == found


def test_skip_and_limit() -> None:
    query = parse_query('{"pass": "", "skip": 5, "limit": 0}')
    assert (query.skip, query.limit) == (5, None)
    assert parse_query('{"pass": "", "limit": 3}').limit == 3


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "the query is not JSON: Expecting property name"),
        ("[" * 100_000, "the query is not JSON: it is nested too deeply"),
        ("[]", "the query is not a JSON object"),
        ("{}", "the query has no condition"),
        ('{"limit": 5}', "the query has no condition"),
        ('{"limit": -5, "pass": ""}', "limit must be a number from 0 on, not -5"),
        ('{"skip": "x", "pass": ""}', "skip must be a number from 0 on, not 'x'"),
        ('{"colour": "red"}', "no condition is called 'colour'; known: any, black-move, board"),
        ('{"material": 5}', "material takes texts, not 5"),
        ('{"material": []}', "material is an empty list"),
        ('{"material": "RR"}', "the material 'RR' cannot be read"),
        ('{"sub-fen": "8/8/8/8/8/8/8/8"}', "names no piece and no empty square"),
        ('{"sub-fen": "8/8/8"}', "has 3 ranks instead of 8"),
        ('{"sub-fen": "9/8/8/8/8/8/8/8"}', "cannot be read at '9'"),
        ('{"sub-fen": "p8/8/8/8/8/8/8/8"}', "rank 8 of the pattern 'p8/8/8/8/8/8/8/8' has 9 squares instead of 8"),
        ('{"white-move": "Zz9"}', "'Zz9' is not a move"),
        ('{"stm": "red"}', "'red' is not a colour"),
        ('{"result": "2-0"}', "'2-0' is not a result"),
        ('{"result-type": "draw"}', "'draw' is not a type of result"),
        ('{"moved": ""}', "no piece to move"),
        ('{"moved": "X"}', "'X' is not a piece"),
        ('{"imbalance": "PP"}', "the imbalance 'PP' cannot be read"),
        ('{"sequence": []}', "sequence is a list of conditions, not []"),
        ('{"sequence": [5]}', "5 is not a condition of a query"),
        ('{"streak": [{"pass": ""}], "within": 2}', "within is a number of plies, and belongs to a sequence"),
        ('{"mate": "yes"}', 'mate is true or false, not "yes"'),
        ('{"pass": "", "lasting": "long"}', "lasting is a number of positions in a row"),
        ('{"pass": "", "lasting": 0}', "a condition can last for 1 position or more"),
        ('{"not": ' * 50 + '{"pass": ""}' + "}" * 50, "the query is nested too deeply"),
        ('{"fen": "8/8/8/8/8/8/8/8 w - -"}', "king"),
        ('{"moves": "1. e4 e9"}', "'e9' is not a move"),
        ('{"fen": "4k3/8/8/8/8/8/8/4RK2 w - - 0 1"}', "the side that is not to move is in check"),
        ('{"men": "P"}', "'P' is not a number of pieces"),
        ('{"plies": "x"}', "'x' is not a range of half-moves"),
        ('{"plies": "99999999999"}', "'99999999999' is not a range of half-moves"),
    ],
)
def test_queries_that_make_no_sense(text: str, sentence: str) -> None:
    with pytest.raises(tabiya.TabiyaError) as caught:
        parse_query(text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_never_is_said_by_the_library_only() -> None:
    with pytest.raises(UsageError, match="is not a condition on positions"):
        Never("e4")  # type: ignore[arg-type]


ASKED: list[dict[str, Any]] = [
    {"sub-fen": "8/8/p7/8/8/1B3N2/8/8"},
    {"sub-fen": ["8/8/8/q7/8/8/8/8", "8/8/8/r7/8/8/8/8"]},
    {"result": ["1-0", "0-1"]},
    {"result": "0-1", "result-type": "mate"},
    {"result-type": "stalemate"},
    {"material": ["KRPKR", "KRPPKRP"]},
    {"imbalance": ["PPPv", "PPv"]},
    {"imbalance": "PPvN"},
    {"imbalance": "BBvBN"},
    {"imbalance": "QvRR"},
    {"white-move": "e8"},
    {"black-move": ["O-O-O", "O-O"]},
    {"white-move": "Rac1"},
    {"black-move": "R8d7"},
    {"white-move": ["Nf3", "Nc3"], "black-move": "Nf6"},
    {"moved": "KP", "captured": "Q"},
    {"captured": ""},
    {"stm": "WHITE", "moved": "NBRQ", "captured": "N"},
    {"pass": ""},
    {"sequence": [{"sub-fen": "8/8/8/1B6/8/8/8/8"}, {"sub-fen": "8/8/8/8/2B5/8/8/8"}, {"captured": "Q"}]},
    {"streak": [{"imbalance": "vP"}, {"imbalance": "vP"}, {"imbalance": "vP"}]},
    {"streak": [{"white-move": "e5"}, {"pass": ""}, {"white-move": "f5"}]},
    {"skip": 50, "limit": 10, "white-move": "O-O-O"},
]
"""Its whole vocabulary. docs/search.md says where answers differ on purpose; none of these does."""


def scoutfish() -> str:
    """The program, or a loud word that it is missing."""
    if SCOUTFISH is None:
        if IN_CI:
            pytest.fail("scoutfish is missing; .ci/scoutfish builds it", pytrace=False)
        pytest.skip("SKIPPED: this test did not run; it did not pass: set TABIYA_SCOUTFISH to the program")
    return str(SCOUTFISH)


def indexed_by_scoutfish(path: Path, text: bytes) -> None:
    path.write_bytes(text + b"\n\n")  # without these it leaves out the last game
    subprocess.run([scoutfish(), "make", str(path)], check=True, capture_output=True)


def scouted(path: Path, asked: dict[str, Any]) -> dict[str, Any]:
    command = f"scout {path.with_suffix('.scout')} {json.dumps(asked)}\nquit\n"
    done = subprocess.run([scoutfish()], input=command, check=True, capture_output=True, text=True)
    answer: dict[str, Any] = json.loads(done.stdout[done.stdout.index("{") : done.stdout.rindex("}") + 1])
    return answer


def test_scoutfish_finds_the_same(samples: Callable[[str], Path], tmp_path: Path) -> None:
    scoutfish()
    text = samples("pgn/twic-small.pgn").read_bytes()
    path = tmp_path / "games.pgn"
    indexed_by_scoutfish(path, text)
    begins = [found.start() for found in re.finditer(rb"^\[Event ", text, re.MULTILINE)]
    with tabiya.open(path) as database:
        for requested in ASKED:
            theirs = [
                (bisect_left(begins, match["ofs"]) + 1, match["ply"][-1])
                for match in scouted(path, requested)["matches"]
            ]
            assert [(match.number, match.ply) for match in database.search(parse_query(requested))] == theirs, requested


OPENINGS = {
    "1. e4 c5": 36_040,
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6": 5_509,
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3": 1_137,
}


def test_scoutfish_counts_the_openings_of_the_corpus(samples: Callable[[str], Path], tmp_path: Path) -> None:
    """All pieces on their squares and no others are a board, and with the side to move all but the castling rights."""
    scoutfish()
    path = tmp_path / "games.pgn"
    with tabiya.open(samples("pgn/twic-186k-games.pgn.zst")) as corpus:
        tabiya.convert(corpus, path, threads=2, profile="plain")
        counted = {line: corpus.search(ExactPosition(line), threads=2).count() for line in OPENINGS}
    indexed_by_scoutfish(path, path.read_bytes())
    for line, games in OPENINGS.items():
        board, turn = line_to(line, None)[0].fen().split()[:2]
        pieces = ["".join(sorted(filter(test, board), key="KQRBNPkqrbnp".index)) for test in (str.isupper, str.islower)]
        requested = {"sub-fen": board, "material": "".join(pieces).upper(), "stm": {"w": "WHITE", "b": "BLACK"}[turn]}
        assert scouted(path, requested)["match count"] == games == counted[line]
