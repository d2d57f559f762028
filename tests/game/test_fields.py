"""The table of columns, and what kernels must repeat of it: names and order of structures, and numbers of tags."""

from __future__ import annotations

import re
from pathlib import Path

from tabiya.game import fields
from tabiya.game.fields import FIELDS, HEADER, NAMES, STORED, TAGS

GAME = Path(fields.__file__).parent
POINTERS = {1: "const uint8_t*", 2: "const uint16_t*", 4: "const int32_t*", 8: "const int64_t*"}


def members_of(file: str, structure: str) -> list[tuple[str, str]]:
    """Types and names of the members of a C structure, in order."""
    body = re.split(rf"ctypedef struct {structure}:\n", (GAME / file).read_text("utf-8"))[1].split("\n\n")[0]
    return re.findall(r"^    (.+?) (\w+(?:\[\d+\])?)(?: +#.*)?$", body, re.MULTILINE)


def numbers_of(file: str, pattern: str) -> dict[str, int]:
    """The constants of an enumeration whose names look like this."""
    text = (GAME / file).read_text("utf-8")
    return {name: int(number) for name, number in re.findall(rf"^    ({pattern}) = (-?\d+)", text, re.MULTILINE)}


def header_names() -> list[str]:
    """The members for single values: those for names are one array, in the place of the first."""
    names = [field.name for field in HEADER]
    first = HEADER.index(NAMES[0])
    assert list(HEADER[first : first + len(NAMES)]) == list(NAMES)
    names[first : first + len(NAMES)] = [f"names[{len(NAMES)}]"]
    return names


def grouped(text: str) -> list[tuple[str, str]]:
    """``STORED`` as members of a structure: ``text`` is the type that holds bytes and ends of strings."""
    found: list[tuple[str, str]] = []
    for name, size in STORED:
        if found and name == f"{found[-1][1]}_ends":
            found[-1] = text, found[-1][1]
        else:
            found.append((POINTERS[size], name))
    return found


def test_headers_hold_the_single_values() -> None:
    assert members_of("columns.pxd", "Header") == [("int32_t", name) for name in header_names()]


def test_growing_columns_are_those_of_the_table() -> None:
    members = members_of("columns.pxd", "Columns")
    place = members.index(("Bytes", "headers")) + 1
    expected = [("Strings" if kind == "Strings" else "Bytes", name) for kind, name in grouped("Strings")]
    assert members[place:] == expected
    assert members[:place] == [
        ("Py_ssize_t", "records"),
        ("bint", "out_of_memory"),
        ("Interned", f"interned[{len(NAMES)}]"),
        ("Bytes", "headers"),
    ]


def test_views_are_those_of_the_table() -> None:
    singles = [("const int32_t*", name) for name in header_names()]
    interned = ("Texts", f"interned[{len(NAMES)}]")
    assert members_of("batch_view.pxd", "View") == [
        ("Py_ssize_t", "records"),
        interned,
        *singles,
        *grouped("Texts"),
    ]
    assert [kind for kind, _ in members_of("batch_view.pxd", "Texts")] == ["const uint8_t*", "const int32_t*"]


def test_names_have_the_numbers_of_their_columns() -> None:
    numbers = numbers_of("columns.pxd", r"[A-Z]+_NAME")
    assert numbers.pop("NO_NAME") == -1
    assert numbers == {f"{field.name.upper()}_NAME": number for number, field in enumerate(NAMES)}
    assert numbers_of("columns.pxd", "NAME_COUNT") == {"NAME_COUNT": len(NAMES)}


def test_what_kernels_call_missing_is_what_the_table_says() -> None:
    missing = {field.name: field.missing for field in FIELDS}
    assert numbers_of("columns.pxd", "NO_(?:RESULT|ELO)") == {
        "NO_RESULT": missing["result"],
        "NO_ELO": missing["white_elo"],
    }
    assert missing["white_elo"] == missing["black_elo"]
    assert {field.missing for field in NAMES} == {-1}


def test_tags_have_the_numbers_of_their_order() -> None:
    numbers = numbers_of("tag_names_kernel.pxd", r"TAG_(?!SIZE)\w+")
    spelled = ["OTHER", *(re.sub(r"(?<=[a-z])E(?=lo)", "_E", tag).upper() for tag in TAGS), "COUNT"]
    assert numbers == {f"TAG_{name}": number for number, name in enumerate(spelled)}
    size = numbers_of("tag_names_kernel.pxd", "TAG_SIZE")["TAG_SIZE"]
    assert max(map(len, TAGS)) < size
    assert ("char", f"text[{len(TAGS) + 1}][{size}]") in re.findall(
        r"^    (\w+) (text\S+)", (GAME / "tag_names_kernel.pxd").read_text("utf-8"), re.MULTILINE
    )


def test_every_tag_of_a_column_is_shown() -> None:
    assert sorted(TAGS) == sorted({field.tag for field in FIELDS if field.tag} | {"SetUp"})
