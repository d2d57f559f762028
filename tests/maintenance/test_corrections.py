"""Tables of right names, and spelling files of Scid."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.errors import FormatError, TabiyaError
from tabiya.maintenance import Corrections, read_corrections

SPELLING = """\
# A spelling file
@PLAYER ", .-"
Korchnoi, Viktor   #gm RUS/SUI [2695] 1931.03.23
= Kortschnoj, V
= Korchnoy
%Bio He never became world champion.
%Elo 1971:2640
Smith, John
= Smith, J
Smith, Jane
= Smith, J

@SITE
%Prefix "II " "2. "
%Infix "3rd " "3. "
%Suffix "(Italy)" "ITA"
%Suffix "NED" "Netherlands"
Wijk aan Zee
= Wijk a/Z
@EVENT
Olympiad
"""


@pytest.fixture
def spelling(tmp_path: Path) -> Corrections:
    path = tmp_path / "spelling.ssp"
    path.write_text(SPELLING)
    return read_corrections(path)


@pytest.mark.parametrize(
    ("kind", "name", "right"),
    [
        ("player", "Kortschnoj,V.", "Korchnoi, Viktor"),
        ("player", "Korchnoy", "Korchnoi, Viktor"),
        ("player", "Viktor Korchnoi", "Korchnoi, Viktor"),
        ("player", "Korchnoi Viktor", "Korchnoi, Viktor"),
        ("player", "korchnoy", "korchnoy"),
        ("player", "Smith, J", "Smith, J"),
        ("player", "Smith,John", "Smith, John"),
        ("player", "Nobody", "Nobody"),
        ("site", "Wijk a/Z", "Wijk aan Zee"),
        ("site", "II champ 3rd II 3rd (Italy) (Italy)", "2. champ 3. II 3. (Italy) ITA"),  # the example in Scid
        ("event", "Korchnoy", "Korchnoy"),
    ],
)
def test_a_spelling_file(spelling: Corrections, kind: str, name: str, right: str) -> None:
    assert spelling.correct(kind, name) == right


def test_a_table(tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text(
        'kind,from,to,reasons\nplayer,"Polgar,J","Polgár, Judit",writing\nsite,Wien,Vienna,\n,A,B,\n', "utf-8-sig"
    )
    found = read_corrections(path)
    assert (found.correct("player", "Polgar,J"), found.correct("player", "A")) == ("Polgár, Judit", "B")
    assert (found.correct("site", "Wien"), found.correct("player", "Wien")) == ("Vienna", "Wien")
    assert len(found) == 3


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_tables_as_spreadsheets_write_them(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "names.csv"
    path.write_text(f'from{delimiter}to\r\n"Tal, ""M"""{delimiter}"Tal, \u2028; M"\r\n', "utf-8", newline="")
    assert read_corrections(path).correct("player", 'Tal, "M"') == "Tal, \u2028; M"


def test_old_spelling_files(tmp_path: Path) -> None:
    path = tmp_path / "old.SSP"
    path.write_bytes("@PLAYER\nHübner, Robert\n= Huebner\n".encode("latin-1"))
    assert read_corrections(path).correct("player", "Huebner") == "Hübner, Robert"


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.ssp", "Tal\n", "line 1 comes before the first section"),
        ("a.ssp", "@PLAYER\n= Tal\n", "line 2 is another spelling"),
        ("a.ssp", "@TEAM\n", "line 1 names no section"),
        ("a.ssp", '@SITE\n%Suffix "a"\n', "line 2 makes no sense"),
        ("a.csv", "a,b\n", "no columns from and to"),
        ("a.csv", "from,to\nA,B\nA,B\nA,C\n", "line 4 has C for A, and a line before B"),
        ("a.csv", "", "no columns from and to"),
        ("a.csv", "from,to\nA,\n", "line 2 needs from, to"),
        ("a.csv", "from,to,kind\nA,B,team\n", "line 2 needs from, to"),
    ],
)
def test_what_makes_no_sense(tmp_path: Path, name: str, text: str, words: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(FormatError, match=words):
        read_corrections(path)


@given(st.binary(max_size=60) | st.text(st.sampled_from('@PLAYERSIT=%#" \nab,'), max_size=60).map(str.encode))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    for suffix in (".ssp", ".csv"):
        path = tmp_path_factory.getbasetemp() / f"any{suffix}"
        path.write_bytes(data)
        try:
            read_corrections(path).correct("player", "a b")
        except TabiyaError as error:
            assert error.path is not None
