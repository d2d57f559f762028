"""Replace one game by another: what ``tabiya edit`` does when the editor is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tabiya.errors import UsageError
from tabiya.formats.open_and_create import opened
from tabiya.game import Game, GameBatch
from tabiya.maintenance.rewriting import Changed, ChangeReport, rewrite

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import NDArray

    from tabiya.formats import Database
    from tabiya.formats.open_and_create import Location, Locations
    from tabiya.maintenance.rewriting import WriteOptions


def replace_game(
    source: Locations | Database,
    number: int,
    game: Game,
    target: Location | None = None,
    **how: Unpack[WriteOptions],
) -> ChangeReport:
    """Replace the record with this number by a game, in a new database or in place.

    If the game equals the record, nothing is written.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        number: the number of the record, from 1.
        game: the new game.
        target: a new database with all records.
        how: ``in_place`` (replace the record where it is, if the format supports it), ``dry_run`` (write nothing),
            ``overwrite``, ``strict``, ``threads``, ``progress``, and ``options`` for ``tabiya.convert``.

    Raises:
        UsageError: The record does not exist, or the format cannot replace records.
    """
    with opened(source) as database:
        count = database.count_up_to(number) if number > 0 else 0
        if count < number or number < 1:
            raise UsageError(f"there is no record {number}; there are {len(database):,}", path=database.path)
        if database[number - 1] == game:
            return ChangeReport(records=1, changed=0, what={})
        own = GameBatch.from_games([game], first_number=number).numbered(number)

        def change(batch: GameBatch, chosen: NDArray[np.bool_]) -> Changed:
            if not chosen.any():
                return Changed(batch, chosen)
            place = int(np.flatnonzero(chosen)[0])
            return Changed(GameBatch.concat([batch[:place], own, batch[place + 1 :]]), chosen, {"game": 1})

        return rewrite(database, change, target, numbers=np.array([number]), **how)
