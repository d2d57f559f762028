from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given

from tabiya.game import Game, GuidingText, RecordKind
from tests.strategies import records

EVIL = "<script>alert('&')</script>\""
VOID = {"br", "meta", "img", "hr", "input", "link"}


class Checker(HTMLParser):
    """Knows which elements are open and which were seen."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def check(html: str) -> Checker:
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert checker.open == []
    assert "script" not in checker.seen
    return checker


def test_a_game() -> None:
    game = Game({"White": "Tal", "Black": EVIL, "Result": "1-0", "Event": EVIL})
    e4 = game.root.add("e4")
    e4.nags = [1]
    e4.text = EVIL
    e4.add("e5").add_variation("c5")
    seen = check(game._repr_html_())
    assert "svg" in seen.seen
    assert seen.text.count(EVIL) == 4  # heading, two tags, text
    assert "1.e4! " in seen.text
    assert "1...e5 (1...c5) 1-0" in seen.text


def test_records_that_cannot_be_shown_on_a_board() -> None:
    game = Game({"FEN": EVIL, "White": "Tal"})
    assert "svg" not in check(game._repr_html_()).seen
    game.kind = RecordKind.OPAQUE
    assert "Tal" in check(game._repr_html_()).text
    game.kind = RecordKind.TEXT
    game.texts = [GuidingText(0, EVIL, 3, b"")]
    assert EVIL in check(game._repr_html_()).text


def test_long_games_are_cut() -> None:
    game = Game()
    game.root.add_line(["Nf3", "Nf6", "Ng1", "Ng8"] * 3000)
    html = game._repr_html_()
    assert len(html) < 1_000_000
    assert check(html).text.endswith(" …")


@given(records())
def test_any_record(game: Game) -> None:
    check(game._repr_html_())
