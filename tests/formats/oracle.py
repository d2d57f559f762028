"""What a format keeps and loses of a row, in plain Python: slow, obvious, and the measure for the fast one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tabiya.formats import Keeps, SymbolSupport
from tabiya.formats.registry import kept_extras
from tests.formats.corpus import Row

TEXTS = {0x02, 0x82}
SYMBOLS = {0x03, 256}
COLUMNS = {
    "Event": ("event",),
    "Site": ("site",),
    "Date": ("year", "month", "day"),
    "Round": ("round",),
    "White": ("white",),
    "Black": ("black",),
    "WhiteElo": ("white_elo",),
    "BlackElo": ("black_elo",),
    "ECO": ("eco",),
    "Annotator": ("annotator",),
}
OTHER_COLUMN_TAGS = {"Result", "Variant", "FEN"}


def left_out(row: Row, keeps: Keeps) -> str | None:
    """Why a record cannot be stored at all."""
    reasons = {
        "opaque-records": row["kind"] == 2 and not keeps.opaque,
        "guiding-texts": row["kind"] == 1 and not keeps.guiding_texts,
        "chess960-games": row["variant"] == 1 and not keeps.chess960,
        "setup-games": row["start"] is not None and not keeps.setups,
    }
    return next((what for what, applies in reasons.items() if applies), None)


def keeps_note(note: Row, keeps: Keeps, depths: list[int]) -> bool:
    kind = note["kind"]
    if not keeps.variations and 0 <= note["move"] < len(depths) and depths[note["move"]]:
        return False
    if kind == 0x02:
        return keeps.text_after
    if kind == 0x82:
        return keeps.text_before
    if kind in SYMBOLS:
        return keeps.symbols == SymbolSupport.ALL or (keeps.symbols == SymbolSupport.SLOTS and kind == 0x03)
    return keeps.annotations == "all" or kind in keeps.annotations


def keeps_tag(name: str, keeps: Keeps) -> bool:
    return keeps.tags == "all" or (name in keeps.tags and name not in COLUMNS and name not in OTHER_COLUMN_TAGS)


def keeps_extra(key: str, keeps: Keeps) -> bool:
    kept = kept_extras(keeps.extras)
    return kept == "all" or any(key.startswith(beginning) for beginning in kept)


def depths_of(row: Row) -> list[int]:
    """For every move how deep in variations it stands."""
    depth, depths = 0, []
    for token in row["moves"]:
        depth += {0x8000: 1, 0x8001: -1}.get(token, 0)
        depths += [] if token >= 0x8000 else [depth]
    return depths


def events(row: Row, keeps: Keeps) -> Iterator[str]:
    """Every single loss in a row, by its name in the report."""
    whole = left_out(row, keeps)
    if whole:
        yield whole
        return
    depths = depths_of(row)
    if row["deleted"] and not keeps.deleted:
        yield "deleted-marks"
    if not keeps.guiding_texts:
        yield from ("guiding-texts" for _ in row["texts"])
    if row["result"] is not None and keeps.results != "all" and row["result"] not in keeps.results:
        yield "results"
    if not keeps.variations:
        yield from ("variations" for token in row["moves"] if token == 0x8000)
    if not keeps.null_moves:
        moves = [token for token in row["moves"] if token < 0x8000]
        pairs = zip(moves, depths, strict=True)
        yield from ("null-moves" for move, depth in pairs if move == 0 and (keeps.variations or depth == 0))
    for note in row["annotations"]:
        yield from _note_events(note, keeps, depths)
    listed = {tag["name"] for tag in row["tags"]}
    for name, columns in COLUMNS.items():
        given = name not in listed and any(row[column] is not None for column in columns)
        if given and keeps.tags != "all" and name not in keeps.tags:
            yield "tags"
    yield from ("tags" for tag in row["tags"] if not keeps_tag(tag["name"], keeps))
    yield from ("extras" for extra in row["extras"] if not keeps_extra(extra["key"], keeps))


def _note_events(note: Row, keeps: Keeps, depths: list[int]) -> Iterator[str]:
    kind = note["kind"]
    if not keeps_note(note, keeps, depths):
        if kind in TEXTS:
            yield "texts-after" if kind == 0x02 else "texts-before"
        elif kind in SYMBOLS:
            count = sum(map(bool, note["data"])) if kind == 0x03 else len(note["data"]) // 2
            yield from ("symbols" for _ in range(max(count, 1)))
        else:
            yield f"annotation-0x{kind:02x}"
        return
    if kind in TEXTS and note["lang"] and not keeps.languages:
        yield "languages"
    if (note["side"] == 2 or (note["side"] == 1 and kind != 0x82)) and not keeps.sides:
        yield "sides"
    if note["raw"] is not None and not keeps.original_bytes:
        yield "original-bytes"


def losses(rows: Iterable[Row], keeps: Keeps) -> dict[str, tuple[int, int]]:
    """The report: count and first game of every loss."""
    found: dict[str, tuple[int, int]] = {}
    for row in rows:
        for what in events(row, keeps):
            count, first = found.get(what, (0, row["number"]))
            found[what] = count + 1, min(first, row["number"])
    return found


def kept(row: Row, keeps: Keeps) -> Row | None:
    """What a format gives back of a row that it was given."""
    if left_out(row, keeps):
        return None
    depths = depths_of(row)
    tokens, places = _kept_moves(row["moves"], keeps)
    notes = [
        {
            **note,
            "move": places[note["move"]] if note["move"] >= 0 else -1,
            "lang": 0 if note["kind"] in TEXTS and not keeps.languages else note["lang"],
            "side": note["side"] if keeps.sides else int(note["kind"] == 0x82),
            "raw": note["raw"] if keeps.original_bytes else None,
        }
        for note in row["annotations"]
        if keeps_note(note, keeps, depths) and (note["move"] < 0 or note["move"] in places)
    ]
    names = {} if keeps.tags == "all" else {c: None for n, cs in COLUMNS.items() if n not in keeps.tags for c in cs}
    result = row["result"]
    return {
        **row,
        **names,
        "deleted": row["deleted"] and keeps.deleted,
        "result": result if result is None or keeps.results == "all" or result in keeps.results else 0,
        "moves": tokens,
        "annotations": notes,
        "tags": [tag for tag in row["tags"] if keeps_tag(tag["name"], keeps)],
        "extras": [extra for extra in row["extras"] if keeps_extra(extra["key"], keeps)],
        "texts": row["texts"] if keeps.guiding_texts else [],
    }


def _kept_moves(tokens: list[int], keeps: Keeps) -> tuple[list[int], dict[int, int]]:
    """The tape without what is lost, and where each move that stays has gone."""
    kept_tokens: list[int] = []
    places: dict[int, int] = {}
    cut = [False]  # per open line: whether it has ended before a null move
    move = -1
    for token in tokens:
        gone = cut[-1] or (len(cut) > 1 and not keeps.variations)
        if token == 0x8000:
            cut.append(gone)
            kept_tokens += [token] if keeps.variations and not gone else []
        elif token == 0x8001:
            cut.pop()
            if keeps.variations and not cut[-1]:  # the end belongs to the line outside, as the begin did
                if kept_tokens[-1] == 0x8000:
                    kept_tokens.pop()  # nothing is left of the variation
                else:
                    kept_tokens.append(token)
        else:
            move += 1
            if token == 0 and not keeps.null_moves:
                cut[-1] = gone = True
            if not gone:
                places[move] = sum(kept_token < 0x8000 for kept_token in kept_tokens)
                kept_tokens.append(token)
    return kept_tokens, places
