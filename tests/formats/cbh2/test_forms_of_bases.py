"""The forms in which a 2CBH occurs: by any of its files, in an archive, edited, with other headers and encodings."""

from __future__ import annotations

from pathlib import Path

import pytest

import tabiya
from tabiya.errors import TabiyaError
from tabiya.game import Game
from tabiya.game.annotations import encode_text
from tests.formats.cbh.archives import Entry, archive
from tests.formats.cbh2 import handmade
from tests.formats.cbh2.reading import differences, differences_of, needs_reader
from tests.formats.cbh2.writing import SUFFIXES, Written, write_2cbh
from tests.formats.cbh2.writing.entities import PLAYER
from tests.formats.cbh2.writing.stream import game_words, to_bytes

pytestmark = needs_reader

STEM = "ChessBase 17.2"


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return write_2cbh(handmade.records(), tmp_path / STEM, is_analysis=handmade.is_analysis)


@pytest.mark.parametrize("suffix", ["", *SUFFIXES, ".cko", ".cpo"])
def test_any_file_or_the_stem_opens_a_base(suffix: str, written: Written, tmp_path: Path) -> None:
    if suffix not in SUFFIXES and suffix:
        (tmp_path / f"{STEM}{suffix}").write_bytes(b"opening key")
    with tabiya.open(tmp_path / f"{STEM}{suffix}") as database:
        assert differences_of(database, written, handmade.records()) == []


def test_a_folder_with_one_base(written: Written, tmp_path: Path) -> None:
    with tabiya.open(tmp_path) as database:
        assert differences_of(database, written, handmade.records()) == []


def test_settings_of_another_base_are_no_database(written: Written, tmp_path: Path) -> None:
    for suffix in (".ini", ".cko", ".cpo"):
        (tmp_path / f"other{suffix}").write_bytes(b"[Descr]\n")
        with pytest.raises(TabiyaError, match=f"other{suffix}"):
            tabiya.open(tmp_path / f"other{suffix}")


def test_a_folder_with_the_same_base_in_both_formats(written: Written, tmp_path: Path) -> None:
    """ChessBase converts a base beside the old one; neither is passed over in silence."""
    tabiya.convert(written.path, tmp_path / f"{STEM}.cbh")
    with tabiya.open(tmp_path) as both:
        assert (both.format.name, len(both)) == ("collection", 2 * len(written.numbers))
    for suffix, name in (("", "cbh"), (".ini", "cbh"), (".cbg", "cbh"), (".2cbg", "2cbh"), (".2cbh", "2cbh")):
        with tabiya.open(tmp_path / f"{STEM}{suffix}") as database:
            assert database.format.name == name


def test_an_archive(written: Written, tmp_path: Path) -> None:
    entries = [
        Entry(f"{STEM}{suffix}".encode(), (written.path.with_name(f"{STEM}{suffix}").read_bytes(),))
        for suffix in SUFFIXES
        if suffix != ".2lcd"
    ]
    path = tmp_path / "packed.cbv"
    path.write_bytes(archive(*entries))
    with tabiya.open(path) as database:
        assert differences_of(database, written, handmade.records()) == []


def test_a_conversion(written: Written, tmp_path: Path) -> None:
    for suffix in (".cbh", ".pgn"):
        target = tmp_path / f"target{suffix}"
        report = tabiya.convert(written.path, target)
        assert report.written == len(written.numbers)
        with tabiya.open(written.path) as source, tabiya.open(target) as database:
            for read, game in zip(database, source, strict=True):
                assert [node.move for node in read.walk()] == [node.move for node in game.walk()]


def test_nothing_is_written(written: Written, tmp_path: Path) -> None:
    before = written.path.read_bytes()
    with pytest.raises(TabiyaError, match=r"(?i)2cbh"):
        tabiya.create(tmp_path / "new.2cbh")
    assert written.path.read_bytes() == before
    assert not (tmp_path / "new.2cbh").exists()


@pytest.mark.parametrize("header_size", [184, 216, 228, 236])
@pytest.mark.parametrize("unused_container", [1024, 0])
def test_headers_of_entities(header_size: int, unused_container: int, tmp_path: Path) -> None:
    games = handmade.records()
    written = write_2cbh(
        games,
        tmp_path / STEM,
        header_size=header_size,
        unused_container=unused_container,
        is_analysis=handmade.is_analysis,
    )
    assert differences(written, games) == []


def test_an_edited_base(tmp_path: Path) -> None:
    """Bodies that grew took spare bytes of the next ones, whose offsets changed."""
    games = [Game.from_pgn(f"1. {move} *") for move in ("e4", "d4", "c4", "b4")]
    written = write_2cbh(games, tmp_path / STEM)
    long = Game.from_pgn("1. Nf3 " + "Nf6 2. Ng1 Ng8 3. Nf3 " * 25 + "*")
    shorter = Game.from_pgn("*")
    for place, game in ((0, long), (2, shorter)):
        _, words = game_words(game.root, None)
        written.base.moves.replace(place, to_bytes(words))
        games[place] = game
    assert written.base.moves.bodies[1].spare < 96
    written.base.write(tmp_path / STEM)
    assert differences(written, games) == []


def test_deleted_entities(tmp_path: Path) -> None:
    games = [Game({"White": f"Player {number}", "Black": "Doe, John"}) for number in range(4)]
    written = write_2cbh(games, tmp_path / STEM)
    entities = written.base.entities
    for name in ("Gone", "Lost"):
        entities.delete(PLAYER, entities.add(PLAYER, name.encode()))
    written.base.write(tmp_path / STEM)
    assert differences(written, games) == []


RUSSIAN = ("Белые получили перевес", "Интересно, но не лучше всего", "Черные сдались", "Теперь у белых выиграно")
LATIN = ("Schwarz überschritt die Zeit", "Très intéressant, à étudier", "¡Qué jugada más bonita!", "Weiß gewinnt")


@pytest.mark.parametrize(
    ("texts", "encoding"), [(RUSSIAN, "cp1251"), (LATIN, "cp1252"), (RUSSIAN, "utf-8"), (LATIN, "utf-8")]
)
def test_encodings(texts: tuple[str, ...], encoding: str, tmp_path: Path) -> None:
    games = []
    for text in texts:
        game = Game.from_pgn("1. e4 e5 *")
        game.white, game.event, game.annotator = text, text.upper(), text.split()[-1]
        for node in game.walk():
            node.annotations.append(encode_text(text))
        games.append(game)
    written = write_2cbh(games, tmp_path / STEM, encoding=encoding)
    assert differences(written, games) == []


def test_texts_of_several_encodings_in_one_base(tmp_path: Path) -> None:
    """Each text is read by itself: UTF-8 first, the code page of the base else."""
    games = []
    for text in (*LATIN, *RUSSIAN):  # Cyrillic letters are not in cp1252, so the writer stores them as UTF-8
        game = Game.from_pgn("1. e4 *")
        game.end().annotations.append(encode_text(text))
        games.append(game)
    written = write_2cbh(games, tmp_path / STEM, encoding="cp1252")
    with tabiya.open(written.path) as database:
        assert [game.end().text for game in database] == [*LATIN, *RUSSIAN]
