"""Pairs of games that are known to be twins, or known to be different games, by what was done to one of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tabiya
from tabiya.game.annotations import encode_text
from tabiya.maintenance import find_duplicates
from tabiya.maintenance.duplicates import DESPITE_FIELDS
from tests.maintenance.in_memory import InMemory

Texts = dict[str, str | None]

_FAMILIES = (
    "Anderssen",
    "Müller",
    "Petrosian",
    "Đorđević",
    "O'Hara",
    "Tal",
    "Vachier-Lagrave",
    "Łuczak",
    "Ivanov",
    "Xu",
)
_GIVEN = ("Adolf", "Jörg", "Tigran", "Milan", "Anna", "Mikhail", "Maxime", "Zofia", "Boris", "Yi")
_RESULTS = ("1-0", "0-1", "1/2-1/2")


@dataclass(frozen=True)
class Kind:
    """How the two games of a pair differ."""

    one: Texts = field(default_factory=dict)
    """Tags of the first game; {n} is a number of the pair, None removes a tag."""
    other: Texts = field(default_factory=dict)
    """Tags of the second game."""
    edit: tuple[Callable[[tabiya.Game], None], ...] = ()
    """What is done to the second game besides."""


def _renamed(rewrite: Callable[[str], str]) -> Kind:
    def edit(game: tabiya.Game) -> None:
        for side in ("White", "Black"):
            game.tags[side] = rewrite(game.tags[side])

    return Kind(edit=(edit,))


def _parts(name: str) -> tuple[str, str]:
    family, _, given = name.partition(",")
    return family, given.strip()


def _initials(name: str) -> str:
    family, given = _parts(name)
    return f"{family},{given[0]}" if given else name


def _given_first(name: str) -> str:
    family, given = _parts(name)
    return f"{given} {family}" if given else name


def _without_accents(name: str) -> str:
    return name.translate(str.maketrans("üöćđŁĐ", "uocdLD"))


def _cut(game: tabiya.Game) -> None:
    """Leave out the last third of the moves, but not the first twelve."""
    line = list(game.root.mainline())
    if len(line) > 13:
        line[max(12, len(line) * 2 // 3)].delete()


def _comment(game: tabiya.Game) -> None:
    game.root.annotations.append(encode_text("a comment"))


def _last_move(game: tabiya.Game) -> None:
    """Play another move in the last position that has one."""
    last = game.root.end()
    while last.parent is not None and len(last.parent.position.legal_moves()) < 2:
        last = last.parent
    assert last.parent is not None
    before, played = last.parent, last.move
    last.delete()
    before.add(next(move for move in before.position.legal_moves() if move != played))


def _short(game: tabiya.Game) -> None:
    list(game.root.mainline())[8].delete()


def _colours(game: tabiya.Game) -> None:
    game.tags["White"], game.tags["Black"] = game.tags["Black"], game.tags["White"]


def _given_name(game: tabiya.Game) -> None:
    family, given = _parts(game.tags["White"])
    other = "Zoltan" if given.startswith("W") else "Walter"
    game.tags["White"] = f"{family}, {other}" if given else "another player"


_NO_URL: Texts = {"Link": None, "Site": "?", "FICSGamesDBGameNo": None}
_OFFLINE: Texts = _NO_URL | {"UTCDate": None, "UTCTime": None}
_ONLINE: Texts = {"Link": "https://www.chess.com/game/live/10{n}", "UTCDate": "2024.03.05", "UTCTime": "12:00:00"}
_TIMED: Texts = _ONLINE | _NO_URL


def _sites(one: str, other: str, *edit: Callable[[tabiya.Game], None], **tags: str) -> Kind:
    return Kind(_OFFLINE | {"Site": one}, _OFFLINE | {"Site": other, **tags}, edit)


TWINS: dict[str, Kind] = {
    "no change": Kind(),
    "initials": _renamed(_initials),
    "given name first": _renamed(_given_first),
    "capitals": _renamed(str.upper),
    "no accents": _renamed(_without_accents),
    "another event and round": Kind(other={"Event": "Another name", "Round": "17"}),
    "another site": Kind(other={"Site": "Elsewhere"}),
    "day missing": Kind({"Date": "2024.03.05"}, {"Date": "2024.03.??"}),
    "date missing": Kind({"Date": "2024.03.05"}, {"Date": "????.??.??"}),
    "a day later": Kind({"Date": "2024.02.29"}, {"Date": "2024.03.01"}),
    "moves cut off": Kind(edit=(_cut,)),
    "a comment": Kind(edit=(_comment,)),
    "no result": Kind({"Result": "1-0"}, {"Result": "*"}),
    "won and drawn": Kind({"Result": "1-0"}, {"Result": "1/2-1/2"}),
    "tags of the server lost": Kind(_ONLINE, _OFFLINE, (_cut,)),
    "a URL in another spelling": _sites("https://lichess.org/aB{n}", "http://www.lichess.org/aB{n}/black#12"),
    "URLs of two collections": _sites(
        "https://chessgames.com/chessgame?gid=1{n}", "https://365chess.com/game.php?gid=2{n}"
    ),
    "begun 40 seconds apart": Kind(_ONLINE, _ONLINE | {"UTCTime": "12:00:40"}),
    "a chapter of a study": _sites("https://lichess.org/aB{n}", "https://lichess.org/study/xY{n}", UTCTime="13:00:00"),
}
DIFFERENT: dict[str, Kind] = {
    "another Link": Kind(_ONLINE, _ONLINE | {"Link": "https://www.chess.com/game/live/20{n}"}, (_cut,)),
    "another game of Lichess in Site": _sites("https://lichess.org/aB{n}", "https://lichess.org/xY{n}", _cut),
    "another number of FICS": Kind(
        _OFFLINE | {"FICSGamesDBGameNo": "1{n}"}, _OFFLINE | {"FICSGamesDBGameNo": "2{n}"}, (_cut,)
    ),
    "another server": _sites("https://lichess.org/aB{n}", "https://www.chess.com/live/game/10{n}", _cut),
    "another game of a collection": _sites(
        "https://chessgames.com/chessgame?gid=1{n}", "http://www.chessgames.com/perl/chessgame?gid=2{n}", _cut
    ),
    "begun two minutes later": Kind(_TIMED, _TIMED | {"UTCTime": "12:02:00"}, (_cut,)),
    "begun after midnight": Kind(
        _TIMED | {"UTCTime": "23:59:00"}, _TIMED | {"UTCDate": "2024.03.06", "UTCTime": "00:01:00"}, (_cut,)
    ),
    "begun later, date unknown": Kind(_TIMED | {"UTCDate": None}, _TIMED | {"UTCTime": "12:02:00"}, (_cut,)),
    "won by the other player": Kind(_OFFLINE | {"Result": "1-0"}, _OFFLINE | {"Result": "0-1"}, (_cut,)),
    "all of these": Kind(
        _ONLINE | {"Result": "0-1"},
        {"Link": "https://www.chess.com/game/live/20{n}", "UTCTime": "15:00:00", "Result": "1-0"},
        (_cut,),
    ),
    "three days later": Kind(_OFFLINE | {"Date": "2024.03.05"}, _OFFLINE | {"Date": "2024.03.08"}),
    "another given name": Kind(edit=(_given_name,)),
    "the other colours": Kind(edit=(_colours,)),
    "another last move": Kind(edit=(_last_move,)),
    "the first eight half-moves": Kind(edit=(_short,)),
}
KINDS = {**TWINS, **DIFFERENT}


@dataclass
class Figures:
    """What a search made of a labelled set."""

    twins: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    different: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    unrelated: int = 0
    """Games found to be twins although they come from different pairs."""

    @property
    def recall(self) -> float:
        return self.found.total() / self.twins.total()

    @property
    def precision(self) -> float:
        return self.found.total() / (self.found.total() + self.wrong.total() + self.unrelated)


def invented(count: int) -> Iterator[tabiya.Game]:
    """Yield games with random legal moves, the same ones each time."""
    choose = random.Random(25)
    for number in range(count):
        names = [f"{choose.choice(_FAMILIES)}, {choose.choice(_GIVEN)}" for _ in "wb"]
        game = tabiya.Game({"White": names[0], "Black": names[1], "Event": f"Open {number}", "Date": "2024.03.05"})
        node = game.root
        for _ in range(choose.randrange(24, 60)):
            moves = node.position.legal_moves()
            if not moves:
                break
            node = node.add(choose.choice(moves))
        game.tags["Result"] = choose.choice(_RESULTS)
        yield game


def collected(paths: Iterable[Path]) -> Iterator[tabiya.Game]:
    """Yield the games of files that are long enough to be changed, each game once."""
    seen = set()
    for path in paths:
        with tabiya.open(path) as database:
            for game in database:
                url = game.tags.get("Link") or game.tags.get("Site")
                identity = (game.tags.get("White"), game.tags.get("Black"), game.tags.get("Round"), url)
                if identity not in seen and None not in identity[:2] and sum(1 for _ in game.root.mainline()) > 14:
                    seen.add(identity)
                    yield game


def labelled(originals: Sequence[tabiya.Game]) -> list[tuple[tabiya.Game, tabiya.Game, str]]:
    """Make a pair of each game, of one kind after the other."""
    pairs = []
    for number, original in enumerate(originals):
        name = list(KINDS)[number % len(KINDS)]
        kind, games = KINDS[name], (original.copy(), original.copy())
        for game, texts in zip(games, (kind.one, kind.other), strict=True):
            for tag, text in texts.items():
                game.tags.discard(tag)
                if text is not None:
                    game.tags[tag] = text.format(n=f"{number:06}")
        for edit in kind.edit:
            edit(games[1])
        pairs.append((*games, name))
    return pairs


def figures(originals: Sequence[tabiya.Game], match: str = "near", **options: Any) -> Figures:
    """Search a labelled set made of these games, in a random order."""
    pairs = labelled(originals)
    games = [(game, pair) for pair, two in enumerate(pairs) for game in two[:2]]
    random.Random(1).shuffle(games)
    for number, (game, _) in enumerate(games, 1):
        game.number = number
    with InMemory([game for game, _ in games]) as database:
        duplicates = find_duplicates(database, match=match, **options)
    result = Figures()
    for _, _, kind in pairs:
        (result.twins if kind in TWINS else result.different)[kind] += 1
    for group in duplicates:
        pair = games[group.kept.number - 1][1]
        for twin in group.twins:
            if games[twin.number - 1][1] != pair:
                result.unrelated += 1
            else:
                kind = pairs[pair][2]
                (result.found if kind in TWINS else result.wrong)[kind] += 1
    return result


def before(originals: Sequence[tabiya.Game]) -> Figures:
    """Search as if URLs, times and results forbade nothing."""
    return figures(originals, despite=DESPITE_FIELDS)
