"""Messages of EPD files."""

from __future__ import annotations

from typing import Final

from tabiya.formats.losses import LossKinds

SENTENCES: Final[dict[int, str]] = {
    180: "the line is not a position; it is kept unchanged",
    181: "a text in quotation marks is not closed; it was read up to the end of the line",
    182: "the moves of pv cannot be played; their text is kept",
}

LOSSES: Final = LossKinds(
    {
        "epd-starts": "spellings of start positions",
        "epd-texts": "texts that are not before the first move, or beyond the tenth there",
        "epd-evaluations": "evaluations other than one of the start position",
        "epd-operations": "operations that EPD cannot spell",
        "epd-variants": "marks of Chess960 on positions without castling",
    },
    rank=900,
)
"""In the order of the kernel's numbers."""

REFUSALS: Final = LossKinds(
    {
        "epd-positions": "games from an invalid position, left out",
        "epd-moves": "games with moves that are not legal, left out",
        "epd-opaque": "undecoded records of other formats, left out",
    },
    rank=900,
)
"""Why records are left out, in the order of the kernel's numbers from 1."""
