"""Fills the table of the tags with their own columns, once on import. Reads only :mod:`tabiya.game.fields`.

The lookup is inline in the ``.pxd`` and costs no more than the length of the name.
"""

from libc.string cimport memset

from tabiya.game.fields import HEADER, NAMES, TAGS


cdef void fill():
    cdef int slot
    columns = [field.tag for field in HEADER]
    names = [field.tag for field in NAMES]
    memset(&TAG_NAMES, 0, sizeof(TAG_NAMES))
    TAG_NAMES.column[0] = TAG_NAMES.name[0] = NO_COLUMN
    for tag, text in enumerate(TAGS, start=1):
        slot = 32 * len(text) + (ord(text[0]) & 31)
        for place, letter in enumerate(text.encode()):
            TAG_NAMES.text[tag][place] = letter
        TAG_NAMES.length[tag] = len(text)
        TAG_NAMES.column[tag] = columns.index(text) if text in columns else NO_COLUMN
        TAG_NAMES.name[tag] = names.index(text) if text in names else NO_COLUMN
        TAG_NAMES.next[tag] = TAG_NAMES.first[slot]
        TAG_NAMES.first[slot] = tag
    for place, text in enumerate(names):
        TAG_NAMES.of_name[place] = 1 + TAGS.index(text)


fill()
