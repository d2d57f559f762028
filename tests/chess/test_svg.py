from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chess import Move, Position, Square
from tabiya.errors import UsageError

SVG = "{http://www.w3.org/2000/svg}"


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)


def pieces(root: ET.Element) -> list[ET.Element]:
    return [group for group in root.iter(f"{SVG}g") if "transform" in group.attrib]


def place_of(piece: ET.Element) -> str:
    return piece.attrib["transform"]


def test_the_start_position_is_a_well_formed_picture() -> None:
    root = parsed(Position().svg())
    assert root.tag == f"{SVG}svg"
    assert len(pieces(root)) == 32
    assert len(list(root.iter(f"{SVG}rect"))) == 64
    assert "".join(text.text or "" for text in root.iter(f"{SVG}text")) == "a8b7c6d5e4f3g2h1"


def test_every_kind_of_piece_has_its_own_outline() -> None:
    root = parsed(Position().svg())
    outlines = {path.attrib["d"] for piece in pieces(root) for path in list(piece)[:1]}
    assert len(outlines) == 6
    paints = {(path.attrib["fill"], path.attrib["stroke"]) for piece in pieces(root) for path in list(piece)[:1]}
    assert len(paints) == 2


def test_pieces_stand_on_their_squares() -> None:
    position = Position.from_fen("7k/8/8/8/8/8/8/K7 w")
    assert [place_of(piece) for piece in pieces(parsed(position.svg()))] == ["translate(0 280)", "translate(280 0)"]
    assert [place_of(piece) for piece in pieces(parsed(position.svg(flipped=True)))] == [
        "translate(280 0)",
        "translate(0 280)",
    ]


def test_size_and_last_move() -> None:
    root = parsed(Position().svg(size=123, last_move=Move.of(Square.E2, Square.E4)))
    assert (root.attrib["width"], root.attrib["height"]) == ("123", "123")
    fills = [rect.attrib["fill"] for rect in root.iter(f"{SVG}rect")]
    rare = [square for square, fill in enumerate(fills) if fills.count(fill) == 2]
    assert rare == [Square.E2, Square.E4]
    assert Position().svg(last_move=Move.NULL) == Position().svg()


def test_marked_squares_and_arrows() -> None:
    root = parsed(Position().svg(squares={Square.E4: "red"}, arrows={(Square.G1, Square.F3): "green"}))
    assert [rect.attrib["x"] for rect in root.iter(f"{SVG}rect") if rect.attrib["fill"] == "red"] == ["160"]
    assert [line.attrib["stroke"] for line in root.iter(f"{SVG}line")] == ["green"]
    assert len(list(root.iter(f"{SVG}polygon"))) == 1


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?[0-9.]+", text)]


@pytest.mark.parametrize("flipped", [False, True])
def test_squares_are_dark_and_light_in_turn(flipped: bool) -> None:
    """And a1 is dark, whichever way the board is turned."""
    rects = list(parsed(Position().svg(flipped=flipped)).iter(f"{SVG}rect"))
    assert {rect.attrib["width"] for rect in rects} == {rect.attrib["height"] for rect in rects} == {"40"}
    paints = {(int(rect.attrib["x"]) // 40, int(rect.attrib["y"]) // 40): rect.attrib["fill"] for rect in rects}
    assert set(paints) == {(x, y) for x in range(8) for y in range(8)}
    light, dark = paints[0, 0], paints[0, 7]
    assert int(dark[1:], 16) < int(light[1:], 16)
    assert paints == {(x, y): dark if (x + y) % 2 else light for x, y in paints}


@pytest.mark.parametrize(
    ("flipped", "files", "ranks"), [(False, "abcdefgh", "87654321"), (True, "hgfedcba", "12345678")]
)
def test_coordinates_stand_at_the_edge_of_their_squares(flipped: bool, files: str, ranks: str) -> None:
    """Files in the lower right corners of the last row, ranks in the upper left corners of the first column."""
    texts = list(parsed(Position().svg(flipped=flipped)).iter(f"{SVG}text"))
    places = {str(text.text): (float(text.attrib["x"]), float(text.attrib["y"])) for text in texts}
    assert [places[file] for file in files] == [(40 * index + 37, 317) for index in range(8)]
    assert [places[rank] for rank in ranks] == [(2, 40 * index + 9) for index in range(8)]
    assert {str(text.text) for text in texts if text.get("text-anchor") == "end"} == set(files)


@given(st.integers(0, 63), st.integers(0, 63), st.booleans())
def test_an_arrow_points_at_its_target(source: int, target: int, flipped: bool) -> None:
    """A line from middle towards middle, and a head as broad on one side as on the other that ends in the middle."""
    if source == target:
        return
    root = parsed(Position().svg(arrows={(source, target): "red"}, flipped=flipped))
    (line,), (head,) = root.iter(f"{SVG}line"), root.iter(f"{SVG}polygon")
    begin, neck = (complex(*(float(line.attrib[f"{axis}{end}"]) for axis in "xy")) for end in (1, 2))
    corners = numbers(head.attrib["points"])
    tip, left, right = (complex(x, y) for x, y in zip(corners[::2], corners[1::2], strict=True))

    def middle(square: int) -> complex:
        x, y = (7 - (square & 7), square >> 3) if flipped else (square & 7, 7 - (square >> 3))
        return complex(40 * x + 20, 40 * y + 20)

    assert (begin, tip) == (middle(source), middle(target))
    along = (tip - begin) / abs(tip - begin)
    for found, expected in ((neck, tip - 14 * along), (left, neck - 8j * along), (right, neck + 8j * along)):
        assert abs(found - expected) < 0.2  # numbers have one decimal


def test_an_arrow_to_its_own_square_does_no_harm() -> None:
    parsed(Position().svg(arrows={(Square.E4, Square.E4): "red"}))


@pytest.mark.parametrize("colour", ['"/><script>alert(1)</script>', "'\"<>&", "a\nb\tc", "é♔"])
def test_colours_are_escaped(colour: str) -> None:
    root = parsed(Position().svg(squares={0: colour}, arrows={(0, 63): colour}))
    assert list(root.iter(f"{SVG}script")) == []
    assert colour in {rect.attrib["fill"] for rect in root.iter(f"{SVG}rect")}
    assert colour in {line.attrib["stroke"] for line in root.iter(f"{SVG}line")}


@pytest.mark.parametrize("square", [-1, 64])
def test_squares_outside_the_board_are_refused(square: int) -> None:
    with pytest.raises(ValueError, match="is not a valid Square"):
        Position().svg(squares={square: "red"})
    with pytest.raises(ValueError, match="is not a valid Square"):
        Position().svg(arrows={(0, square): "red"})


@given(st.integers(0, 63), st.integers(0, 63), st.booleans())
def test_every_picture_is_well_formed(source: int, target: int, flipped: bool) -> None:
    picture = Position().svg(
        flipped=flipped,
        last_move=Move.of(source, target),
        squares={source: "#ff000080"},
        arrows={(source, target): "blue"},
    )
    assert len(pieces(parsed(picture))) == 32


def test_notebooks_show_the_board() -> None:
    assert Position()._repr_svg_() == Position().svg()


@pytest.mark.parametrize(
    "size", ['1" onload="alert(1)', "360", 0, -1, float("nan"), float("inf"), None, True, "<script>", [1]]
)
def test_a_size_is_a_positive_number(size: Any) -> None:
    with pytest.raises(UsageError, match="positive number of pixels"):
        Position().svg(size=size)


def test_sizes_may_be_broken() -> None:
    for size in (0.5, 1, 99.5, 10**6):
        root = parsed(Position().svg(size=size))
        assert (root.get("width"), root.get("height")) == (str(size), str(size))
        assert root.get("viewBox") == "0 0 320 320"
    assert parsed(Position().svg()).get("width") == "360"


@pytest.mark.parametrize("colour", [None, 5, b"red"])
def test_a_colour_is_a_text(colour: Any) -> None:
    for marks in ({"squares": {0: colour}}, {"arrows": {(0, 1): colour}}):
        with pytest.raises(UsageError, match="a colour must be CSS text"):
            Position().svg(**marks)
