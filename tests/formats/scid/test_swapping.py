"""A change of a base that is cut off at any step leaves the old base or the new one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import TabiyaError, UsageError
from tabiya.files.undoing import Undoing
from tabiya.game import Game
from tests.systems import needs_links


class Cut(BaseException):
    """What a kill is to a process."""


def write(path: Path, white: str, count: int, *, overwrite: bool = False) -> None:
    with tabiya.create(path, overwrite=overwrite) as writer:
        writer.write([Game({"White": white}) for _ in range(count)])


def content(path: Path) -> list[str | None]:
    with tabiya.open(path) as base:
        return [game.tags.get("White") for game in base]


@pytest.mark.parametrize("suffix", [".si4", ".si5"])
@pytest.mark.parametrize("step", range(1, 6))
def test_cut_off_at_any_rename(suffix: str, step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"x{suffix}"
    write(path, "Old", 2)
    done, usual = 0, Path.replace

    def replace(self: Path, target: Path) -> Path:
        nonlocal done
        done += 1
        if done == step:
            raise Cut
        return usual(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replace)
        patch.setattr(Undoing, "undo", lambda _: None)
        try:
            write(path, "New", 3, overwrite=True)
        except Cut:
            pass
        else:
            assert step > 4  # the journal, and three files
    assert content(path) in (["Old"] * 2, ["New"] * 3)
    assert sorted(each.suffix for each in tmp_path.iterdir()) == sorted(
        path.with_suffix(f".s{kind}{suffix[-1]}").suffix for kind in "ign"
    )


def test_a_journal_of_others_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.si4"
    write(path, "Old", 1)
    own = f".tabiya-x.si4-01234567-{'0' * 16}.si4.tmp"
    others = f".tabiya-y.si4-01234567-{'0' * 16}.si4.tmp"
    renames = ([["a.tmp", "../y.si4"]], [[own, "y.si4"]], [[own, "x.si5"]], [[others, "x.si4"]], 1, [1])
    journals: list[object] = [{"new": each, "gone": []} for each in renames]
    journals.append({"new": [], "gone": ["x.sg4", "x.sn4", "x.si4"]})  # a base only ever gets other files
    for text in (*(json.dumps(each).encode() for each in journals), b"[" * 200_000):
        for journal in (text, text[:-1]):
            (tmp_path / ".x.si4.tabiya-journal").write_bytes(journal)
            with pytest.raises(TabiyaError, match="journal"):
                tabiya.open(path)
    (tmp_path / ".x.si4.tabiya-journal").unlink()
    assert content(path) == ["Old"]


@pytest.mark.parametrize(
    ("name", "first"),
    [
        *((name, False) for name in ("x.si4", "x.sg4", "x", "X.SI4", ".", "../link/x.si4")),
        *((name, True) for name in ("x.si4", "x.sg4", "x")),
    ],
)
def test_an_interrupted_change_is_finished_however_the_base_is_named(
    name: str, first: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "real"
    folder.mkdir()
    if not first:
        write(folder / "x.si4", "Old", 2)
    (tmp_path / "link").mkdir()
    usual = Path.replace

    def replace(self: Path, target: Path) -> Path:
        if target.name == "x.si4":
            raise Cut
        return usual(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replace)
        patch.setattr(Undoing, "undo", lambda _: None)  # a killed process takes nothing back
        with pytest.raises(Cut):
            write(folder / "x.si4", "New", 3, overwrite=True)
    assert (folder / ".x.si4.tabiya-journal").exists()
    for kind in "ign" if not first else "":
        (tmp_path / "link" / f"x.s{kind}4").symlink_to(folder / f"x.s{kind}4")
    assert content(folder / name) == ["New"] * 3
    assert sorted(each.name for each in folder.iterdir()) == ["x.sg4", "x.si4", "x.sn4"]


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "x.si5"
    with tabiya.create(path), pytest.raises(UsageError, match="being written"):
        tabiya.create(path)


@needs_links
def test_files_in_several_folders_cannot_change_together(tmp_path: Path) -> None:
    """Renames of one journal are within one folder; links to a base that is whole elsewhere are fine."""
    (tmp_path / "real").mkdir()
    (tmp_path / "links").mkdir()
    write(tmp_path / "real" / "x.si4", "Old", 1)
    for kind in "ign":
        (tmp_path / "links" / f"y.s{kind}4").symlink_to(tmp_path / "real" / f"x.s{kind}4")
    with tabiya.create(tmp_path / "links" / "y.si4", append=True) as writer:
        writer.write([Game({"White": "New"})])
    assert content(tmp_path / "real" / "x.si4") == content(tmp_path / "links" / "y.si4") == ["Old", "New"]
    (tmp_path / "links" / "y.sg4").unlink()
    (tmp_path / "links" / "y.sg4").write_bytes((tmp_path / "real" / "x.sg4").read_bytes())
    with pytest.raises(UsageError, match="different folders"):
        tabiya.edit(tmp_path / "links" / "y.si4")
    assert content(tmp_path / "links" / "y.si4") == ["Old", "New"]


@needs_links
def test_files_of_several_names_cannot_change_together(tmp_path: Path) -> None:
    write(tmp_path / "x.si4", "Old", 1)
    (tmp_path / "x.sg4").rename(tmp_path / "other.sg4")
    (tmp_path / "x.sg4").symlink_to(tmp_path / "other.sg4")
    with pytest.raises(UsageError, match="under other names"):
        tabiya.edit(tmp_path / "x.si4")
    assert content(tmp_path / "x.si4") == ["Old"]
