"""Looks positions up in the files of a book. Its pages are read as they are needed, and kept for a while.

A probe is one call: it normalises, hashes, finds the page, decodes the moves and looks their positions up. Linear in
the records of a page and in the moves of the position. Nothing is trusted: moves that are not legal are left out.
"""

import cython
from cython.cimports.libc.stdint import int64_t, uint8_t, uint64_t
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.tabiya.books.ctg.frame_kernel import (
    SIGNATURE_ROOM,
    Frame,
    frame_of_board,
    hash_of,
    move_of_code,
    pack,
    take_signature,
)
from cython.cimports.tabiya.books.ctg.pages import (
    AT_DRAWS,
    AT_GAMES,
    AT_LOSSES,
    AT_MARKS,
    AT_OPPONENTS_RATED,
    AT_OPPONENTS_SUM,
    AT_RATED,
    AT_RATING_SUM,
    AT_SCORE,
    AT_WINS,
    PAGE_SIZE,
    Page,
    Record,
    Store,
    find_record,
    leaf_of,
    next_record,
    open_page,
    page_count,
    page_of_node,
    read_24,
    read_32,
)
from cython.cimports.tabiya.chess.board import (
    KNIGHT,
    NO_FILE,
    QUEEN,
    Board,
    is_legal,
    make_move,
    move_of,
    promotion_of,
    source_of,
    target_of,
)
from cython.cimports.tabiya.chess.position_kernel import PositionCore
from cython.cimports.tabiya.positions.frame import real_move


def find_board(store, board, mask, record):
    """Look a position up; ``mask`` then leads from its squares to those of the record.

    Programs disagree about a capture en passant that a pin forbids: first it does not count, then it does.
    """
    frame: Frame
    signature: uint8_t[SIGNATURE_ROOM]
    frame_of_board(board, False, cython.address(frame))
    mask[0] = frame.mask
    if pack(cython.address(frame), signature) and find_record(store, signature, record):
        return True
    if board.state.ep_file == NO_FILE or frame.ep_file != NO_FILE:
        return False
    frame_of_board(board, True, cython.address(frame))
    return pack(cython.address(frame), signature) != 0 and find_record(store, signature, record)


def reached_by(store, board, move):
    """Return the statistics of the position after a legal move, or NULL."""
    after: Board = board[0]
    record: Record
    mask: cython.int
    make_move(cython.address(after), move)
    if find_board(store, cython.address(after), cython.address(mask), cython.address(record)):
        return record.statistics
    return cython.NULL


def is_listed(found, count, move):
    for number in range(count):
        if found[number].move == move:
            return True
    return False


def choose_promotion(store, board, count, found):
    """Make found[count] the promotion that a code, which cannot tell, means: the one whose position is in the book.

    The queen comes first; a code that stands there twice means two of them.
    """
    source: cython.int = source_of(found[count].move)
    target: cython.int = target_of(found[count].move)
    piece: cython.int = QUEEN
    while piece >= KNIGHT:
        move: cython.int = move_of(source, target, piece)
        if not is_listed(found, count, move):
            statistics = reached_by(store, board, move)
            if statistics != cython.NULL:
                found[count].move = move
                found[count].statistics = statistics
                return
        piece -= 1


def find_moves(store, board, found):
    """Fill up to MAX_MOVES legal moves with the positions they lead to; their number, or -1 if the book knows none."""
    record: Record
    frame: Frame
    mask: cython.int
    move: cython.int
    count: cython.int = 0
    if not find_board(store, board, cython.address(mask), cython.address(record)):
        return -1
    frame_of_board(board, True, cython.address(frame))
    for number in range(record.move_count):
        move = move_of_code(cython.address(frame), record.moves[2 * number])
        if move <= 0:
            continue
        move = real_move(move, mask)
        if not is_legal(board, move):
            continue
        found[count].move = move
        found[count].nag = record.moves[2 * number + 1]
        found[count].statistics = cython.NULL
        if promotion_of(move):
            choose_promotion(store, board, count, found)
        else:
            found[count].statistics = reached_by(store, board, move)
        if not is_listed(found, count, found[count].move):
            count += 1
    return count


def numbers_of(statistics):
    """Statistics as numbers in the order of ``columns.STATISTICS`` and ``columns.MARKS``."""
    return (
        read_24(statistics + AT_GAMES),
        read_24(statistics + AT_WINS),
        read_24(statistics + AT_LOSSES),
        read_24(statistics + AT_DRAWS),
        read_32(statistics + AT_SCORE),
        read_24(statistics + AT_RATED),
        read_32(statistics + AT_RATING_SUM),
        read_24(statistics + AT_OPPONENTS_RATED),
        read_32(statistics + AT_OPPONENTS_SUM),
        statistics[AT_MARKS],
        statistics[AT_MARKS + 1],
        statistics[AT_MARKS + 2],
    )


MOST_PAGES = cython.declare(cython.Py_ssize_t, 32768)  # kept in memory: 128 MB
NO_PAGE = cython.declare(uint8_t[PAGE_SIZE])  # nothing but zeros: no records


def load_page(owner, number):
    with cython.gil:
        return cython.cast(Pages, owner).load(number)


@cython.cclass
class Pages:
    """The files of a book: .ctg, the bitmap of .ctb and the slots of .cto behind their heads.

    Instead of bitmap and slots an index will do, sorted numbers hash << 32 | page. ``ctg`` gives slices of bytes.
    """

    def __init__(self, ctg: object, bitmap: cython.const[uint8_t][::1], slots: object, index: object):
        if len(ctg) < PAGE_SIZE or (slots is None) == (index is None):
            raise ValueError("a book needs a whole first page, and slots or an index")
        self.file = ctg
        self.bitmap = bitmap
        self.slots = slots
        self.index = index
        self.store.ctg_size = len(ctg)
        self.store.load = load_page
        self.store.owner = cython.cast(cython.p_void, self)
        self.store.pages = cython.cast(
            cython.pointer[cython.pointer[uint8_t]],
            calloc(page_count(cython.address(self.store)) + 1, cython.sizeof(cython.pointer[uint8_t])),
        )
        if self.store.pages == cython.NULL:
            raise MemoryError("no memory for the pages of a book")
        if self.bitmap.shape[0]:
            self.store.bitmap = cython.address(self.bitmap[0])
            self.store.bitmap_size = self.bitmap.shape[0]
        if slots is not None:
            # An empty table is one all the same: nothing is found through it.
            self.store.slots = cython.address(self.slots[0]) if self.slots.shape[0] else NO_PAGE
            self.store.slot_count = self.slots.shape[0] // 4
        elif self.index.shape[0]:
            self.store.index = cython.address(self.index[0])
            self.store.index_size = self.index.shape[0]

    def __dealloc__(self):
        if self.store.pages != cython.NULL:
            self.free_pages()
            free(self.store.pages)

    def load(self, number):
        """Return a page from the file; an empty one if it cannot be read, and then the call fails at its end."""
        begin: int64_t = (number + 1) * PAGE_SIZE
        page: cython.pointer[uint8_t] = cython.NULL
        try:
            data: bytes = self.file[begin : begin + PAGE_SIZE]
            if self.store.pages[number] != cython.NULL:  # another thread was quicker
                return self.store.pages[number]
            page = cython.cast(cython.pointer[uint8_t], calloc(1, PAGE_SIZE))
            if page == cython.NULL:
                raise MemoryError("no memory for a page of a book")
            memcpy(page, cython.cast(cython.p_char, data), min(len(data), PAGE_SIZE))
        except BaseException as error:  # noqa: BLE001 - raised again by ``end``
            self.error = error
            return NO_PAGE
        self.store.pages[number] = page
        self.loaded += 1
        return page

    def free_pages(self):
        for number in range(page_count(cython.address(self.store))):
            free(self.store.pages[number])
            self.store.pages[number] = cython.NULL
        self.loaded = 0

    def begin(self):
        """Note that a call uses pages, which must stay until it has ended."""
        self.active += 1

    def end(self):
        """Raise what went wrong while pages were read, in all calls that were under way."""
        error = self.error
        self.active -= 1
        if self.active == 0:
            self.error = None
            if self.loaded > MOST_PAGES:
                self.free_pages()
        if error is not None:
            raise error
        return 0

    @property
    def page_count(self) -> int:
        """Data pages in the file, one that is cut off included."""
        return page_count(cython.address(self.store))

    def probe(self, position: PositionCore):
        """Return moves as (token, NAG, numbers of the position reached or None); None for an unknown position."""
        found: Found[MAX_MOVES]
        moves: list = []
        self.begin()
        count: cython.int = find_moves(cython.address(self.store), cython.address(position.board), found)
        for number in range(count):
            statistics = found[number].statistics
            numbers = None if statistics == cython.NULL else numbers_of(statistics)
            moves.append((found[number].move, found[number].nag, numbers))
        self.end()
        return None if count < 0 else moves

    def numbers(self, position: PositionCore):
        """Return the numbers of a position, or None."""
        record: Record
        mask: cython.int
        found: tuple = None
        self.begin()
        if find_board(
            cython.address(self.store),
            cython.address(position.board),
            cython.address(mask),
            cython.address(record),
        ):
            found = numbers_of(record.statistics)
        self.end()
        return found

    def record(self, position: PositionCore):
        """Return the mask of a position's frame and the bytes of its record, or None."""
        record: Record
        mask: cython.int
        found: tuple = None
        self.begin()
        if find_board(
            cython.address(self.store),
            cython.address(position.board),
            cython.address(mask),
            cython.address(record),
        ):
            found = mask, cython.cast("const unsigned char*", record.signature)[: record.size]
        self.end()
        return found

    def find(self, signature: bytes):
        """Return the bytes of the record with this signature, or None."""
        packed: uint8_t[SIGNATURE_ROOM]
        record: Record
        found: bytes = None
        take_signature(signature, packed)
        self.begin()
        if find_record(cython.address(self.store), packed, cython.address(record)):
            found = cython.cast("const unsigned char*", record.signature)[: record.size]
        self.end()
        return found

    def node(self, signature: bytes) -> tuple:
        """Return the leaf that a signature belongs to, and its page or -1."""
        packed: uint8_t[SIGNATURE_ROOM]
        take_signature(signature, packed)
        node: uint64_t = leaf_of(cython.address(self.store), hash_of(packed))
        return node, page_of_node(cython.address(self.store), node)

    def page_problem(self, number: cython.longlong) -> int:
        """Why a page cannot be read to its end, as a code of ``pages.pxd``; 0 if it can."""
        page: Page
        record: Record
        if not 0 <= number < page_count(cython.address(self.store)):
            raise ValueError("no such page")
        self.begin()
        open_page(cython.address(self.store), number, cython.address(page))
        while next_record(cython.address(page), cython.address(record)):
            pass
        self.end()
        return page.problem


def index_pages(
    ctg: cython.const[uint8_t][::1], first: cython.longlong, last: cython.longlong, out: uint64_t[::1]
) -> int:
    """Write hash << 32 | page for the records of some pages, as far as there is room; return how many there are."""
    store: Store
    page: Page
    record: Record
    count: cython.Py_ssize_t = 0
    memset(cython.address(store), 0, cython.sizeof(Store))
    if ctg.shape[0] < PAGE_SIZE:
        raise ValueError("a book needs a whole first page")
    store.ctg = cython.address(ctg[0])
    store.ctg_size = ctg.shape[0]
    if not 0 <= first <= last <= page_count(cython.address(store)):
        raise ValueError("no such pages")
    with cython.nogil:
        for number in range(first, last):
            open_page(cython.address(store), number, cython.address(page))
            while next_record(cython.address(page), cython.address(record)):
                if count < out.shape[0]:
                    out[count] = cython.cast(uint64_t, hash_of(record.signature)) << 32 | cython.cast(uint64_t, number)
                count += 1
    return count
