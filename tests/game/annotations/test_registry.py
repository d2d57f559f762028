from __future__ import annotations

from tabiya.game.annotations import TEXT_AFTER, VALUES, name_of_kind


def test_every_kind_has_a_name_of_its_own() -> None:
    names = [name_of_kind(value.kind) for value in VALUES]
    assert all(names)
    assert len(set(names)) == len(VALUES)


def test_names() -> None:
    assert name_of_kind(TEXT_AFTER) == "texts after moves"
    assert name_of_kind(0x22) == "medals"
    assert name_of_kind(0x99) is None
