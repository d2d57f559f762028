"""The bodies of a base as ``Sharing`` limits them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.chessbase.shared_bodies import Sharing
from tabiya.formats.cbh.bodies.blobs import annotation_sizes, move_sizes
from tabiya.formats.cbh.reading.header_window import BaseTables, Window

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tabiya.formats.cbh.files.base_files import BaseFiles

BODIES: Final = {".cbg": move_sizes, ".cba": annotation_sizes}


def body_sizes(files: BaseFiles, window: Window, suffix: str) -> NDArray[np.int64]:
    """Return the sizes of the bodies of a window in one of the files."""
    return BODIES[suffix](files.data(suffix), window.offsets(f"{suffix[1:]}_offset"))


def sharing(files: BaseFiles, source: BaseTables, suffix: str) -> Sharing:
    """Return the limit for one of the files."""

    def places() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        window = Window(source, 0, len(source.games))
        return window.offsets(f"{suffix[1:]}_offset"), body_sizes(files, window, suffix)

    return Sharing(lambda: len(files.data(suffix)), places)
