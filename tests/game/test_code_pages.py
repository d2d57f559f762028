"""Code pages as kernels take them; numbers of nations, which number languages too; sentences of problems."""

from __future__ import annotations

from encodings.aliases import aliases
from importlib import import_module

import pytest

from tabiya.errors import UsageError
from tabiya.game.code_pages import code_page, encoding_called
from tabiya.game.nations import nation_code, nation_name, nation_number, nations


@pytest.mark.parametrize("name", ["cp1250", "cp1251", "cp1252", "cp1253", "cp437", "latin-1", "koi8-r", "iso8859-2"])
def test_a_character_for_each_byte_beyond_ascii(name: str) -> None:
    page = code_page(name)
    assert page is not None
    assert page.shape == (128,)
    for byte, character in enumerate(page, start=0x80):
        assert chr(character) == (bytes([byte]).decode(name, "ignore") or chr(byte))


MULTIBYTE = ["big5", "cp932", "euc-jp", "euc-kr", "gb18030", "gbk", "hz", "iso2022_jp", "iso2022_jp_ext", "iso2022_kr"]


@pytest.mark.parametrize("name", [*MULTIBYTE, "johab", "shift_jis", "utf-16", "utf-32", "utf-7", "utf-8", "utf-8-sig"])
def test_encodings_without_one_byte_per_character_are_no_code_pages(name: str) -> None:
    assert code_page(name) is None


@pytest.mark.parametrize("name", sorted(set(aliases.values()) - {"mbcs", "oem"}))
def test_of_all_encodings_those_of_one_byte_are_code_pages(name: str) -> None:
    """Those that Python makes of a table; all others have longer characters, or are none of texts."""
    try:
        page = code_page(name)
    except UsageError:
        return
    tables = (*(f"{kind}_table" for kind in ("decoding", "encoding")), "decoding_map")
    by_table = any(hasattr(import_module(f"encodings.{name}"), table) for table in tables)
    assert (page is not None) == (by_table or name in {"ascii", "latin_1"})


@pytest.mark.parametrize("name", ["", "hex", "rot13", "no such thing", "cp1252\0", "base64"])
def test_names_of_no_encoding(name: str) -> None:
    with pytest.raises(UsageError, match="no encoding is called"):
        encoding_called(name)


def test_nations_and_languages() -> None:
    assert (nation_code(42), nation_name(42), nation_number("ENG")) == ("ENG", "England", 42)
    assert (nation_code(53), nation_number("ger"), nation_number("GER")) == ("GER", 53, 53)
    assert (nation_code(0), nation_name(0), nation_number("XYZ"), nation_number("")) == ("0", "", None, None)
    assert [nation_number(text) for text in ("0", "42", "255", "256", "٤", "-1")] == [0, 42, 255, None, None, None]
    assert 0 not in nations()
    assert min(nations()) == 1
    assert list(nations()) == sorted(nations())


def test_every_number_has_a_word_that_leads_back_to_it() -> None:
    """A code that stands twice, or for no nation, is said as a number."""
    assert all(nation_number(nation_code(number)) == number for number in range(256))
    codes = [code for code, _ in nations().values()]
    assert {number for number, (code, _) in nations().items() if nation_code(number) != code} == {
        number for place, (number, (code, _)) in enumerate(nations().items()) if code in codes[:place]
    }
