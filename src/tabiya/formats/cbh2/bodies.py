"""The bodies of records: moves (``.2cbg``) and annotations (``.2cba``), in bulk from their files to columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.chessbase.body_columns import Bodies
from tabiya.chessbase.code_page import code_page
from tabiya.files.file_bytes import gathered
from tabiya.formats.cbh2.read_kernel import read_records
from tabiya.game.annotations import UTF8, TextEncoding
from tabiya.game.annotations.quoted_moves import ENCODE
from tabiya.game.assemble import new_builder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.files.file_bytes import FileBytes
    from tabiya.formats.cbh2.container import Places

_QUOTED: Final = np.frombuffer(ENCODE, np.uint8)


def read_bodies(
    moves: FileBytes | bytes,
    annotations: FileBytes | bytes,
    move_places: Places,
    annotation_places: Places,
    is_game: NDArray[np.uint8],
    encoding: TextEncoding = UTF8,
) -> Bodies:
    """Decode the bodies of consecutive records; never fails on the content of the files.

    Args:
        moves: The ``.2cbg`` file.
        annotations: The ``.2cba`` file.
        move_places: Where the record of each game is in ``moves``. An offset outside is a problem; REFUSED_BODY
            marks one that is not to be read.
        annotation_places: The same in ``annotations``; offsets below 1 mean that there are none.
        is_game: 1 for games, 0 for guiding texts, whose bodies are ignored.
        encoding: The encoding of texts that are not UTF-8.
    """
    builder = new_builder()
    games = is_game != 0
    bodies, pieces = _pieces(moves, move_places, games)
    comments, comment_pieces = _pieces(annotations, annotation_places, games)
    read_records(builder, bodies, comments, pieces, comment_pieces, is_game, *code_page(encoding), _QUOTED)
    return Bodies.of(builder)


def _pieces(
    data: FileBytes | bytes, stored: Places, games: NDArray[np.bool_]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the records of games in one buffer, and for each where it begins there, its length and its file offset."""
    offsets, sizes = np.where(games, stored.offsets, -1), np.where(games, stored.sizes, 0)
    buffer, places = gathered(data, offsets, sizes)
    return buffer, np.stack([places, sizes, offsets], axis=1)
