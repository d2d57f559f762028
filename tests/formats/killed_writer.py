"""A process for test_contract: begins to overwrite a database, says so, and waits to be killed."""

from __future__ import annotations

import sys
import time

import tabiya
from tests.formats.corpus import cut, long_corpus
from tests.formats.suite import ALL_FORMATS

if __name__ == "__main__":
    _, name, path = sys.argv
    with tabiya.create(path, format=name, formats=ALL_FORMATS, overwrite=True) as writer:
        writer.write(cut(long_corpus(), 100))
        print("writing", flush=True)
        time.sleep(600)
