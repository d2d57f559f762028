"""Looks up positions in the files of a book. Its pages are read as needed, and cached.

A probe is one call: it normalises, hashes, finds the page, decodes the moves and looks up their positions. Linear in
the records of a page and in the moves of the position. Files are not trusted: illegal moves are left out.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from tabiya.books.ctg.signature_kernel cimport (
    SIGNATURE_SIZE, Frame, frame_of_board, hash_of, move_of_code, pack, take_signature
)
from tabiya.books.ctg.pages cimport (
    AT_DRAWS, AT_GAMES, AT_LOSSES, AT_MARKS, AT_OPPONENTS_RATED, AT_OPPONENTS_SUM, AT_RATED, AT_RATING_SUM, AT_SCORE,
    AT_WINS, PAGE_SIZE, Page, Record, find_record, leaf_of, next_record, open_page, page_count, page_of_node, read_24,
    read_32
)
from tabiya.chess.board cimport KNIGHT, NO_FILE, QUEEN, is_legal, make_move, move_of, promotion_of, source_of, target_of
from tabiya.chess.position_kernel cimport PositionCore
from tabiya.positions.frame cimport real_move

cdef enum:
    MAX_MOVES = 127      # the length of the list has one byte

# A move of a book on the real board.
ctypedef struct Found:
    int move
    uint8_t nag
    const uint8_t* statistics   # of the position reached; NULL if the book does not have it


cdef bint find_board(const Store* store, const Board* board, int* mask, Record* record) noexcept nogil:
    """Look up a position; ``mask`` then maps its squares to those of the record.

    Programs disagree about an en passant capture that a pin forbids: both interpretations are tried, first without it.
    """
    cdef Frame frame
    cdef uint8_t signature[SIGNATURE_SIZE]
    frame_of_board(board, False, &frame)
    mask[0] = frame.mask
    if pack(&frame, signature) and find_record(store, signature, record):
        return True
    if board.state.ep_file == NO_FILE or frame.ep_file != NO_FILE:
        return False
    frame_of_board(board, True, &frame)
    return pack(&frame, signature) != 0 and find_record(store, signature, record)


cdef const uint8_t* reached_by(const Store* store, const Board* board, int move) noexcept nogil:
    """Return the statistics of the position after a legal move, or NULL."""
    cdef Board after = board[0]
    cdef Record record
    cdef int mask
    make_move(&after, move)
    if find_board(store, &after, &mask, &record):
        return record.statistics
    return NULL


cdef bint is_listed(const Found* found, int count, int move) noexcept nogil:
    for number in range(count):
        if found[number].move == move:
            return True
    return False


cdef void choose_promotion(const Store* store, const Board* board, int count, Found* found) noexcept nogil:
    """Make found[count] the promotion that an ambiguous code means: the one whose position is in the book.

    The queen comes first; a repeated code means two promotions.
    """
    cdef int move
    cdef int source = source_of(found[count].move)
    cdef int target = target_of(found[count].move)
    cdef int piece = QUEEN
    while piece >= KNIGHT:
        move = move_of(source, target, piece)
        if not is_listed(found, count, move):
            statistics = reached_by(store, board, move)
            if statistics != NULL:
                found[count].move = move
                found[count].statistics = statistics
                return
        piece -= 1


cdef int find_moves(const Store* store, const Board* board, Found* found) noexcept nogil:
    """Fill in up to MAX_MOVES legal moves with the positions they lead to; return their number, or -1 if unknown."""
    cdef Record record
    cdef Frame frame
    cdef int mask
    cdef int move
    cdef int count = 0
    if not find_board(store, board, &mask, &record):
        return -1
    frame_of_board(board, True, &frame)
    for number in range(record.move_count):
        move = move_of_code(&frame, record.moves[2 * number])
        if move <= 0:
            continue
        move = real_move(move, mask)
        if not is_legal(board, move):
            continue
        found[count].move = move
        found[count].nag = record.moves[2 * number + 1]
        found[count].statistics = NULL
        if promotion_of(move):
            choose_promotion(store, board, count, found)
        else:
            found[count].statistics = reached_by(store, board, move)
        if not is_listed(found, count, found[count].move):
            count += 1
    return count


cdef tuple numbers_of(const uint8_t* statistics):
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


cdef Py_ssize_t MOST_PAGES = 32768  # cached pages: 128 MB
cdef uint8_t NO_PAGE[PAGE_SIZE]  # only zeros: no records


cdef const uint8_t* load_page(void* owner, int64_t number) noexcept nogil:
    with gil:
        return (<Pages> owner).load(number)


cdef class Pages:
    """The files of a book: .ctg, the bitmap of .ctb and the slots of .cto, both without their heads.

    An index of sorted numbers hash << 32 | page can replace bitmap and slots. ``ctg`` gives slices of bytes.
    """

    def __init__(self, ctg, const uint8_t[::1] bitmap not None, slots, index):
        if len(ctg) < PAGE_SIZE or (slots is None) == (index is None):
            raise ValueError("a book needs a whole first page, and slots or an index")
        self.file = ctg
        self.bitmap = bitmap
        self.slots = slots
        self.index = index
        self.store.ctg_size = len(ctg)
        self.store.load = load_page
        self.store.owner = <void*> self
        self.store.pages = <uint8_t**> calloc(page_count(&self.store) + 1, sizeof(uint8_t*))
        if self.store.pages == NULL:
            raise MemoryError("no memory for the pages of a book")
        if self.bitmap.shape[0]:
            self.store.bitmap = &self.bitmap[0]
            self.store.bitmap_size = self.bitmap.shape[0]
        if slots is not None:
            # An empty table is valid: it leads to no position.
            self.store.slots = &self.slots[0] if self.slots.shape[0] else NO_PAGE
            self.store.slot_count = self.slots.shape[0] // 4
        elif self.index.shape[0]:
            self.store.index = &self.index[0]
            self.store.index_size = self.index.shape[0]

    def __dealloc__(self):
        if self.store.pages != NULL:
            self.free_pages()
            free(self.store.pages)

    cdef const uint8_t* load(self, int64_t number) noexcept:
        """Return a page from the file; an empty one if it cannot be read, and then the call fails at its end."""
        cdef bytes data
        cdef int64_t begin = (number + 1) * PAGE_SIZE
        cdef uint8_t* page = NULL
        try:
            data = self.file[begin : begin + PAGE_SIZE]
            if self.store.pages[number] != NULL:  # another thread was faster
                return self.store.pages[number]
            page = <uint8_t*> calloc(1, PAGE_SIZE)
            if page == NULL:
                raise MemoryError("no memory for a page of a book")
            memcpy(page, <char*> data, min(len(data), PAGE_SIZE))
        except BaseException as error:  # noqa: BLE001 - raised again by ``end``
            self.error = error
            return NO_PAGE
        self.store.pages[number] = page
        self.loaded += 1
        return page

    cdef void free_pages(self) noexcept:
        for number in range(page_count(&self.store)):
            free(self.store.pages[number])
            self.store.pages[number] = NULL
        self.loaded = 0

    cdef void begin(self) noexcept:
        """Register a call that uses pages, which must be kept until it ends."""
        self.active += 1

    cdef int end(self) except -1:
        """Raise the error that occurred while pages were read, in all calls that were in progress."""
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
        return page_count(&self.store)

    def probe(self, PositionCore position not None):
        """Return moves as (token, NAG, numbers of the position reached or None); None for an unknown position."""
        cdef Found found[MAX_MOVES]
        cdef list moves = []
        self.begin()
        cdef int count = find_moves(&self.store, &position.board, found)
        for number in range(count):
            statistics = found[number].statistics
            numbers = None if statistics == NULL else numbers_of(statistics)
            moves.append((found[number].move, found[number].nag, numbers))
        self.end()
        return None if count < 0 else moves

    def numbers(self, PositionCore position not None):
        """Return the numbers of a position, or None."""
        cdef Record record
        cdef int mask
        cdef tuple found = None
        self.begin()
        if find_board(&self.store, &position.board, &mask, &record):
            found = numbers_of(record.statistics)
        self.end()
        return found

    def record(self, PositionCore position not None):
        """Return the mask of a position's frame and the bytes of its record, or None."""
        cdef Record record
        cdef int mask
        cdef tuple found = None
        self.begin()
        if find_board(&self.store, &position.board, &mask, &record):
            found = mask, (<const unsigned char*> record.signature)[: record.size]
        self.end()
        return found

    def find(self, bytes signature not None):
        """Return the bytes of the record with this signature, or None."""
        cdef uint8_t packed[SIGNATURE_SIZE]
        cdef Record record
        cdef bytes found = None
        take_signature(signature, packed)
        self.begin()
        if find_record(&self.store, packed, &record):
            found = (<const unsigned char*> record.signature)[: record.size]
        self.end()
        return found

    def node(self, bytes signature not None) -> tuple:
        """Return the leaf that a signature belongs to, and its page or -1."""
        cdef uint8_t packed[SIGNATURE_SIZE]
        take_signature(signature, packed)
        cdef uint64_t node = leaf_of(&self.store, hash_of(packed))
        return node, page_of_node(&self.store, node)

    def page_problem(self, long long number) -> int:
        """Why a page cannot be read to its end, as a code of ``pages.pxd``; 0 if it can."""
        cdef Page page
        cdef Record record
        if not 0 <= number < page_count(&self.store):
            raise ValueError("no such page")
        self.begin()
        open_page(&self.store, number, &page)
        while next_record(&page, &record):
            pass
        self.end()
        return page.problem


def index_pages(const uint8_t[::1] ctg not None, long long first, long long last, uint64_t[::1] out not None) -> int:
    """Write hash << 32 | page for the records of some pages, as far as there is space; return the number of records."""
    cdef Store store
    cdef Page page
    cdef Record record
    cdef Py_ssize_t count = 0
    memset(&store, 0, sizeof(Store))
    if ctg.shape[0] < PAGE_SIZE:
        raise ValueError("a book needs a whole first page")
    store.ctg = &ctg[0]
    store.ctg_size = ctg.shape[0]
    if not 0 <= first <= last <= page_count(&store):
        raise ValueError("no such pages")
    with nogil:
        for number in range(first, last):
            open_page(&store, number, &page)
            while next_record(&page, &record):
                if count < out.shape[0]:
                    out[count] = <uint64_t> hash_of(record.signature) << 32 | <uint64_t> number
                count += 1
    return count
