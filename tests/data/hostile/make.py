"""Makes ``names.pgn``: games and a guiding text whose names, comments and pages try to run something in a browser.

Every attack that would work sets ``window.attacked``, or loads something from another machine; tests of the page look
for both. Run it with ``python -m tests.data.hostile.make`` and commit the file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tabiya.game import Game, GuidingText, RecordKind
from tabiya.game.annotations import WebLink

FILE: Final = Path(__file__).parent / "names.pgn"
SCRIPTS: Final = (
    "<script>window.attacked=1</script>",
    "<img src=x onerror=window.attacked=1>",
    "<svg/onload=window.attacked=1>",
    '"><script>window.attacked=1</script>',
    "'-(window.attacked=1)-'",
    "javascript:window.attacked=1",
    "</textarea></title></style></script><script>window.attacked=1</script>",
    "<iframe srcdoc='<script>parent.attacked=1</script>'></iframe>",
    "{{constructor.constructor('window.attacked=1')()}}",
    "${window.attacked=1}",
    "<a href=javascript:window.attacked=1>click</a>",
    "<style>@import 'http://attacker.invalid/x.css';</style>",
    "<link rel=stylesheet href=http://attacker.invalid/x.css>",
    "<base href=http://attacker.invalid/>",
    "<meta http-equiv=refresh content='0;url=http://attacker.invalid/'>",
    "\u202egnp.exe\u202c\u2066\u2028\u2029\ufeff\x07\x1b[31m\x9b",
    "__proto__",
    "constructor",
    "%3Cscript%3Ewindow.attacked=1%3C/script%3E",
    "&lt;script&gt;window.attacked=1&lt;/script&gt;",
    "../../../../etc/passwd",
    "A" * 3000,
)
PAGE: Final = """<html><head><title>x</title><script>window.attacked=1</script></head>
<body onload="window.attacked=1"><h1>A text</h1>
<p onclick="window.attacked=1" style="background:url(http://attacker.invalid/a.png)">Words <b>in bold</b></p>
<img src="http://attacker.invalid/b.png" onerror="window.attacked=1"><img src=x onerror=window.attacked=1>
<a href="javascript:window.attacked=1">a link</a> <a href="https://example.org/">a good link</a>
<iframe src="http://attacker.invalid/"></iframe><object data="http://attacker.invalid/"></object>
<form action="http://attacker.invalid/"><input autofocus onfocus=window.attacked=1></form>
<svg><script>window.attacked=1</script></svg><math><mtext><script>window.attacked=1</script></mtext></math>
<img alt="fen:rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;" src="d.png">
</body></html>"""


def attacks() -> list[Game]:
    """The records."""
    games = []
    for place, script in enumerate(SCRIPTS):
        tags = {"Event": script, "Site": script, "Date": "2024.01.01", "Round": script[:200], "White": script}
        game = Game({**tags, "Black": SCRIPTS[place - 1], "Result": "*", "Annotator": script, "Opening": script})
        node = game.root.add("e4")
        node.text, node.text_before = script, script
        node.set_values(
            WebLink, [WebLink(script[:200], script[:200]), WebLink("javascript:window.attacked=1", "click")]
        )
        node.add("e5").text = script
        node.add("c5").text = script
        games.append(game)
    text = Game({"Event": SCRIPTS[0]})
    text.kind = RecordKind.TEXT
    text.texts.append(GuidingText(0, SCRIPTS[1], 3, PAGE.encode()))
    return [*games, text]


if __name__ == "__main__":
    FILE.write_bytes(b"\n".join(game.to_pgn().encode() for game in attacks()))
