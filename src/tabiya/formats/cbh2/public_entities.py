"""Entities as values: players, tournaments, sources, teams and game tags of a database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabiya.chessbase.codes import date_of
from tabiya.chessbase.field_codecs import NATION, QUALITY
from tabiya.chessbase.player_names import join_name
from tabiya.chessbase.tournament_types import TournamentFlag, type_text
from tabiya.formats.cbh2.entities import LANGUAGES, EntityTable

if TYPE_CHECKING:
    from tabiya.game.tag_values import Date


@dataclass(frozen=True, slots=True)
class Player:
    """A player, or an annotator, as stored in a database."""

    id: int
    last: str
    first: str
    fide_id: int
    """0 if there is none."""
    deleted: bool = False

    @property
    def name(self) -> str:
        """The name as in PGN."""
        return join_name(self.last, self.first)


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament as stored in a database."""

    id: int
    name: str
    place: str
    date: Date
    end_date: Date
    type: str
    """As in the tag EventType: ``swiss (rapid)``."""
    team: bool
    nation: str
    """Three-letter code, empty if none."""
    category: int
    rounds: int
    flags: TournamentFlag
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class Publication:
    """A source of games."""

    id: int
    name: str
    publisher: str
    publication: Date
    date: Date
    """Date of this version."""
    version: int
    quality: str
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class Team:
    """A team as stored in a database."""

    id: int
    name: str
    number: int
    season: bool
    """Whether ``year`` is the season that begins in it."""
    year: int
    nation: str
    """Three-letter code, empty if none."""
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class GameTag:
    """A title in several languages."""

    id: int
    titles: dict[str, str]
    """Titles by language, without empty ones."""
    deleted: bool = False

    @property
    def name(self) -> str:
        """The first title."""
        return next(iter(self.titles.values()), "")


def player(number: int, table: EntityTable, row: int) -> Player:
    """Return a player."""
    fide_id = max(0, _number(table, "fide_id", row))
    return Player(number, _text(table, "last", row), _text(table, "first", row), fide_id, _unused(table, row))


def tournament(number: int, table: EntityTable, row: int) -> Tournament:
    """Return a tournament."""
    return Tournament(
        number,
        _text(table, "title", row),
        _text(table, "place", row),
        date_of(_number(table, "date", row)),
        date_of(_number(table, "end_date", row)),
        type_text(_number(table, "type", row)) or "",
        bool(_number(table, "team", row) & 1),
        NATION.display(_number(table, "nation", row)),
        _number(table, "category", row),
        _number(table, "rounds", row),
        TournamentFlag(_number(table, "flags", row)),
        _unused(table, row),
    )


def publication(number: int, table: EntityTable, row: int) -> Publication:
    """Return a source."""
    return Publication(
        number,
        _text(table, "title", row),
        _text(table, "publisher", row),
        date_of(_number(table, "publication", row)),
        date_of(_number(table, "date", row)),
        _number(table, "version", row),
        QUALITY.display(_number(table, "quality", row)),
        _unused(table, row),
    )


def team(number: int, table: EntityTable, row: int) -> Team:
    """Return a team."""
    return Team(
        number,
        _text(table, "title", row),
        _number(table, "number", row),
        bool(_number(table, "season", row) & 1),
        _number(table, "year", row),
        NATION.display(_number(table, "nation", row)),
        _unused(table, row),
    )


def game_tag(number: int, table: EntityTable, row: int) -> GameTag:
    """Return a game tag."""
    titles = {name: text for name in LANGUAGES.values() if (text := _text(table, name, row))}
    return GameTag(number, titles, _unused(table, row))


def _text(table: EntityTable, name: str, row: int) -> str:
    found: str | None = table.strings[name][row].as_py()
    return found or ""


def _number(table: EntityTable, name: str, row: int) -> int:
    value: Any = table[name][row]
    return int(value)


def _unused(table: EntityTable, row: int) -> bool:
    return bool(table.unused[row])
