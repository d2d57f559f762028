"""What a record has lost on its way, counted from what it was and what it is: independent of who wrote the report.

The result has the names of the loss report. Whatever differs and has no such name is told as ``unexplained``, so a
report is true if it is equal to the account.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tabiya.formats.cbh import KEEPS
from tabiya.game import Annotation, Game
from tabiya.game.annotations import NAGS, SYMBOLS, TEXT_AFTER, TEXT_BEFORE, decode_nags
from tabiya.game.tags import COLUMN_TAGS, fold_tags, tag_content
from tabiya.game.tree import fold_tree

NAMES = "cbh-names or cbh-spellings"
"""A name that was cut and one that is spelled otherwise look alike, so they are counted together."""
RESULTS = "results or cbh-results"

_TAG_LOSSES = {
    **dict.fromkeys(("White", "Black", "Event", "Site", "Annotator"), NAMES),
    **dict.fromkeys(("WhiteElo", "BlackElo"), "cbh-elos"),
    "Round": "cbh-rounds",
    "ECO": "cbh-ecos",
    "Date": "cbh-dates",
    "Result": RESULTS,
}
_JOINED = {"cbh-names": NAMES, "cbh-spellings": NAMES, "cbh-blanks": NAMES, "results": RESULTS, "cbh-results": RESULTS}


def told(counts: dict[str, int]) -> Counter[str]:
    """The counts of a report in the form of an account."""
    found: Counter[str] = Counter()
    for what, count in counts.items():
        found[_JOINED.get(what, what)] += count
    return found


def account(before: Game, after: Game) -> Counter[str]:
    """What of a game has not arrived, and what has that was not there."""
    return _of_record(before, after) + _of_tags(before, after) + _of_tree(before, after)


def _of_record(before: Game, after: Game) -> Counter[str]:
    same = (before.kind, before.deleted, before.texts) == (after.kind, after.deleted, after.texts)
    foreign = sum(extra.format != "cbh" for extra in before.extras)
    return +Counter({"unexplained kind, mark or texts": not same, "extras": foreign})


# Tags.


def _of_tags(before: Game, after: Game) -> Counter[str]:
    found: Counter[str] = Counter()
    odd = _odd_tags(before)
    old, new = _by_name(before), _by_name(after)
    for name in {**old, **new}:
        if old.get(name) == new.get(name):
            continue
        count = len(old.get(name, [""]))
        if name in odd:
            found["tags"] += count
            if name == "Result" and before.result is None and name in new:
                found[RESULTS] += 1  # what made no sense is gone, and what was no result has become a line
        elif name == "FEN":
            found.update(_of_start(old.get(name, [""])[0], new.get(name, [""])[0]))
        elif name in _TAG_LOSSES:
            found[_TAG_LOSSES[name]] += count
        elif name not in old or name == "Variant":
            found[f"unexplained tag {name}"] += 1
        else:
            found["cbh-tag-values"] += count
    arrived = {name for name in old if old[name] == new.get(name)}
    orders = [[name for name, _ in tag_content(game.tags)[1] if name in arrived] for game in (before, after)]
    found["cbh-tag-order"] += orders[0] != orders[1]
    return found


def _odd_tags(game: Game) -> set[str]:
    """The tags that a base has no place for, and those whose text is not that of their column."""
    listed = {name for name, _ in fold_tags(game.tags)["tags"]}
    kept = KEEPS.tags if isinstance(KEEPS.tags, frozenset) else game.tags
    return set(game.tags).difference(kept) | (listed & COLUMN_TAGS.keys())


def _by_name(game: Game) -> dict[str, list[str]]:
    texts, others = tag_content(game.tags)
    for name, text in others:
        texts.setdefault(name, []).append(text)
    return texts


def _of_start(old: str, new: str) -> Iterator[str]:
    was, now = old.split(), new.split()
    if len(was) != 6 or was[:4] != now[:4]:
        yield "cbh-start"
        return
    if was[4] != now[4]:
        yield "cbh-clock"
    if was[5] != now[5]:
        yield "cbh-number"


# Moves and annotations.


def _of_tree(before: Game, after: Game) -> Counter[str]:
    tape_before, old = fold_tree(before.root)
    tape_after, new = fold_tree(after.root)
    found: Counter[str] = Counter()
    if tape_before != tape_after:
        found["unexplained moves"] = 1
    notes_before, notes_after = _by_move(old), _by_move(new)
    for place in {**notes_before, **notes_after}:
        found.update(_of_annotations(notes_before.get(place, []), notes_after.get(place, [])))
    return found


def _by_move(notes: list[tuple[int, Annotation]]) -> dict[int, list[Annotation]]:
    found: dict[int, list[Annotation]] = {}
    for move, annotation in notes:
        found.setdefault(move, []).append(annotation)
    return found


def _of_annotations(old: list[Annotation], new: list[Annotation]) -> Counter[str]:
    """The annotations of one move; each takes from ``new`` the one that it has become."""
    found: Counter[str] = Counter()
    for each in old:
        arrived = _taken(new, each)
        if arrived is None:
            found.update(_of_lost(each, new))
            continue
        found["sides"] += each.side != arrived.side
        found["cbh-bytes"] += each.raw != arrived.raw
        found["cbh-language"] += each.lang != arrived.lang
    found["unexplained annotations"] += len(new)
    return +found


def _taken(new: list[Annotation], each: Annotation) -> Annotation | None:
    """The annotation of the same kind and value, as like as can be; it is taken out of the list."""
    alike = [other for other in new if (other.kind, other.data) == (each.kind, each.data)]
    if not alike:
        return None
    best = min(alike, key=lambda other: (other.lang != each.lang, other.side != each.side, other.raw != each.raw))
    new.remove(best)
    return best


def _of_lost(each: Annotation, new: list[Annotation]) -> Counter[str]:
    if each.kind == NAGS:
        slots = next((other for other in new if other.kind == SYMBOLS), None)
        if slots is not None and set(decode_nags(slots)) <= set(decode_nags(each)):
            new.remove(slots)
        return Counter({"symbols": max(1, len(each.data) // 2)})
    if each.kind > NAGS:
        return Counter({f"annotation-{each.kind:#04x}": 1})
    if each.kind in (TEXT_AFTER, TEXT_BEFORE):
        cut = next((other for other in new if other.kind == each.kind and each.data.startswith(other.data)), None)
        if cut is not None and len(each.data) > 65_000:
            new.remove(cut)
            return Counter({"cbh-length": 1})
    return Counter({f"unexplained loss of annotation {each.kind:#04x}": 1})
