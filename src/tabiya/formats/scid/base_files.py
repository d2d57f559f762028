"""The three files of a base: index, names and game data, all in one folder and with one stem."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tabiya.errors import FormatError, MissingFileError, UsageError
from tabiya.files.companion_files import companions, only_main_file
from tabiya.formats.scid.index_file import SI3, SI4, SI5, Generation

GENERATIONS: Final = (SI5, SI4, SI3)
_INDEXES: Final = frozenset(each.index for each in GENERATIONS)
_BY_SUFFIX: Final = {suffix: each for each in GENERATIONS for suffix in each.suffixes}


def generation_of(path: Path) -> Generation | None:
    """Return the generation of a file, by its suffix."""
    return _BY_SUFFIX.get(path.suffix.lower())


def base_at(place: Path) -> tuple[Generation, dict[str, Path]]:
    """Return the base at a path (one of its files, its stem or its folder), and its files by suffix.

    Raises:
        FormatError: There is none, or one of the files is missing.
        UsageError: The folder contains several bases.
    """
    if place.is_dir():
        place = only_main_file(place, _INDEXES) or place / "base.si4"
    generation = generation_of(place)
    meant = [(each, place.name) for each in GENERATIONS] if generation is None else [(generation, place.stem)]
    for each, stem in meant:
        files = _files_of(place.parent, stem, each)
        missing = [suffix for suffix in each.suffixes if suffix not in files]
        if not missing:
            return each, files
        if len(missing) < len(each.suffixes):
            names = " and ".join(stem + suffix for suffix in missing)
            verb = "is" if len(missing) == 1 else "are"
            raise FormatError(f"a Scid database has three files, and {names} {verb} missing", path=place)
    if not place.exists():
        raise MissingFileError("no such file or folder", path=place)
    raise FormatError("there is no Scid database here: .si4 or .si5 with its sisters", path=place)


def index_at(place: Path) -> Path:
    """Return the index of the base at a path."""
    generation, files = base_at(place)
    return files[generation.index]


def _files_of(folder: Path, stem: str, generation: Generation) -> dict[str, Path]:
    """Return the files of a base by suffix in lower case."""
    return companions(folder, stem, generation.suffixes) if folder.is_dir() else {}


def target_of(place: Path, usual: Generation) -> tuple[Generation, dict[str, Path]]:
    """Return the base that writing to a path creates, and its files by suffix; the index has the suffix of the path."""
    if place.is_dir():
        raise UsageError("is a folder", path=place)
    generation = generation_of(place)
    stem = place.name if generation is None else place.stem
    generation = generation or usual
    found = _files_of(place.parent, stem, generation)
    upper = place.suffix.isupper()
    return generation, {
        suffix: found.get(suffix, place.with_name(stem + (suffix.upper() if upper else suffix)))
        for suffix in generation.suffixes
    }
