"""The kernel fills the typed columns as ``fold_tags`` does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tabiya.game import Tags
from tabiya.game.tags import COLUMN_TAGS, fold_tags
from tests.formats.pgn.reading import batch_of

NAMES = st.sampled_from([*COLUMN_TAGS, "SetUp", "Opening", "PlyCount"])
DATES = st.from_regex(r"\A[0-9?]{0,5}[-./ ]?[0-9?]{0,3}[-./]?[0-9?]{0,3}\Z")
ELOS = st.from_regex(r"\A[ 0]?[0-9-]{0,7}[ ]?\Z")
RESULTS = st.sampled_from(
    ["1-0", "0-1", "1/2-1/2", "*", "1/2", "½-½", " 1 - 0 ", "+:-", "0-0", "line", "LINE", "x", "1:0", ""]
)
VARIANTS = st.sampled_from(["Chess960", "chess960", " Chess 960", "Standard", "From Position", "", "fischerandom"])
VALUES = st.one_of(
    DATES,
    ELOS,
    RESULTS,
    VARIANTS,
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=12),
)


def quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


@given(st.lists(st.tuples(NAMES, VALUES), max_size=8))
def test_columns(pairs: list[tuple[str, str]]) -> None:
    text = "".join(f'[{name} "{quoted(value)}"]\n' for name, value in pairs)
    row = batch_of(f'[Anchor "x"]\n{text}'.encode()).record_batch.to_pylist()[0]
    expected = fold_tags(Tags([("Anchor", "x"), *pairs]))
    listed = sorted((tag["name"], tag["value"]) for tag in row["tags"])
    assert listed == sorted(expected.pop("tags"))
    assert {name: row[name] for name in expected} == {
        name: value if value is None or isinstance(value, str) else int(value) for name, value in expected.items()
    }
