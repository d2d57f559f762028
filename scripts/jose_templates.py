"""Makes the templates of jose's archives anew: the empty tables of ``templates/tables.sql`` as a MariaDB stores them.

    . .ci/mariadb; start_mariadb DIRECTORY; python scripts/jose_templates.py; stop_mariadb

The server is that of ``TABIYA_MYSQL``; it must run on this machine, because its files are copied.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pymysql

from tabiya.formats.jose.container import TABLES
from tabiya.formats.url import url_of

TEMPLATES = Path(__file__).parent.parent / "src" / "tabiya" / "formats" / "jose" / "templates"
BASE = "tabiya_templates"


def make_templates(folder: Path) -> None:
    """Writes the description and the index of every table into a folder."""
    url = url_of(os.environ.get("TABIYA_MYSQL", ""))
    if url is None:
        sys.exit("this needs a server: set TABIYA_MYSQL")
    text = (TEMPLATES / "tables.sql").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("--")]
    with (
        pymysql.connect(user=url.user, unix_socket=url.options["unix_socket"], autocommit=True) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT @@datadir")
        data = Path(cursor.fetchone()[0]) / BASE
        cursor.execute(f"CREATE DATABASE {BASE}")
        try:
            cursor.execute(f"USE {BASE}")
            for statement in filter(str.strip, "\n".join(lines).split(";")):
                cursor.execute(statement)
            cursor.execute("FLUSH TABLES")
            for name in (f"{table}{suffix}" for table in TABLES for suffix in (".frm", ".MYI")):
                (folder / name).write_bytes((data / name).read_bytes())
        finally:
            cursor.execute(f"DROP DATABASE {BASE}")


if __name__ == "__main__":
    make_templates(TEMPLATES)
