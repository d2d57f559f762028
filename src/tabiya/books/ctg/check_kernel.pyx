"""Checks every record of a page: the position, its place, its moves, the positions they lead to, its numbers.

Linear in the records of the page, except for the search for duplicate positions, which compares all of them.
"""

from libc.stdint cimport int64_t
from libc.string cimport memcmp

from tabiya.books.ctg.signature_kernel cimport (
    CODE_TABLES, NO_MOVE, SIGNATURE_OK, Frame, board_of_frame, hash_of, move_of_code, signature_length,
    signature_problem, unpack
)
from tabiya.books.ctg.pages cimport (
    AT_DRAWS, AT_GAMES, AT_LOSSES, AT_WINS, PAGE_HEAD, Page, Record, Store, leaf_of, next_record, open_page, page_count,
    page_of_node, read_24, read_record
)
from tabiya.books.ctg.store_kernel cimport Pages, reached_by
from tabiya.chess.board cimport KNIGHT, QUEEN, Board, is_legal, move_of, promotion_of, source_of, target_of

# Problems; the messages are in ``check.py``. Codes of pages and of signatures come first.
cdef enum:
    FOUND_PAGE = 0            # plus a code of pages.pxd
    FOUND_SIGNATURE = 10      # plus a code of signature_kernel.pxd
    FOUND_MISPLACED = 20
    FOUND_TWICE = 21
    FOUND_CODE = 22           # a byte without a move
    FOUND_PIECE = 23          # a move of a missing piece
    FOUND_ILLEGAL = 24
    FOUND_REPEATED = 25       # a repeated move
    FOUND_CHILD = 26          # the position after the move is not in the book
    FOUND_RESULTS = 27        # more results than games
    MAX_FOUND = 512

ctypedef struct Finding:
    int code
    int offset                # within the page
    int detail                # a code of a move

ctypedef struct Findings:
    Finding items[MAX_FOUND]
    int count


cdef void note(Findings* findings, int code, int offset, int detail) noexcept nogil:
    if findings.count < MAX_FOUND:
        findings.items[findings.count] = Finding(code=code, offset=offset, detail=detail)
        findings.count += 1


cdef bint is_twice(const Page* page, const Record* record) noexcept nogil:
    """Return whether an earlier record of the page has the same position."""
    cdef int place = PAGE_HEAD
    cdef Record earlier
    cdef int length = signature_length(record.signature)
    while page.data + place < record.signature:
        if read_record(page.data + place, page.end - place, &earlier):
            return False
        if memcmp(earlier.signature, record.signature, length) == 0:
            return True
        place += earlier.size
    return False


cdef bint has_child(const Store* store, const Board* board, int move) noexcept nogil:
    """Return whether the position after the move is in the book; of a promotion, to any piece on that square."""
    if not promotion_of(move):
        return reached_by(store, board, move) != NULL
    cdef int piece = KNIGHT
    while piece <= QUEEN:
        if reached_by(store, board, move_of(source_of(move), target_of(move), piece)) != NULL:
            return True
        piece += 1
    return False


cdef int move_problem(const Store* store, const Frame* frame, const Board* board, int code) noexcept nogil:
    if CODE_TABLES.meaning[code].special == NO_MOVE:
        return FOUND_CODE
    cdef int move = move_of_code(frame, code)
    if move < 0:
        return FOUND_PIECE
    if move == 0:  # the null move has a code, so it may occur
        return 0
    if not is_legal(board, move):
        return FOUND_ILLEGAL
    return 0 if has_child(store, board, move) else FOUND_CHILD


cdef void check_moves(
    const Store* store, const Record* record, const Frame* frame, const Board* board, int offset, Findings* findings
) noexcept nogil:
    cdef int code
    cdef int problem
    for number in range(record.move_count):
        code = record.moves[2 * number]
        problem = move_problem(store, frame, board, code)
        for earlier in range(number):
            if record.moves[2 * earlier] == code and not problem:
                problem = FOUND_REPEATED
        if problem:
            note(findings, problem, offset, code)


cdef void check_record(
    const Store* store, int64_t number, const Page* page, const Record* record, bint placed, Findings* findings
) noexcept nogil:
    cdef Frame frame
    cdef Board board
    cdef int offset = <int> (record.signature - page.data)
    statistics = record.statistics
    if placed and page_of_node(store, leaf_of(store, hash_of(record.signature))) != number:
        note(findings, FOUND_MISPLACED, offset, 0)
    if is_twice(page, record):
        note(findings, FOUND_TWICE, offset, 0)
    if read_24(statistics + AT_WINS) + read_24(statistics + AT_LOSSES) + read_24(statistics + AT_DRAWS) > read_24(
        statistics + AT_GAMES
    ):
        note(findings, FOUND_RESULTS, offset, 0)
    cdef int problem = unpack(record.signature, &frame)
    if problem == SIGNATURE_OK:
        problem = board_of_frame(&frame, &board)
    if problem != SIGNATURE_OK:
        note(findings, FOUND_SIGNATURE + problem, offset, 0)
        return
    problem = signature_problem(record.signature, &frame, &board)
    if problem != SIGNATURE_OK:
        note(findings, FOUND_SIGNATURE + problem, offset, 0)
    check_moves(store, record, &frame, &board, offset, findings)


def check_page(Pages pages not None, long long number, bint placed) -> tuple:
    """Return the number of readable records of a page, and their faults as (code, offset in the page, move code).

    ``placed`` also checks whether the directory leads to the records.
    """
    cdef Store* store = &pages.store
    cdef Page page
    cdef Record record
    cdef Findings findings
    cdef int count = 0
    findings.count = 0
    if not 0 <= number < page_count(store):
        raise ValueError("no such page")
    pages.begin()
    with nogil:
        open_page(store, number, &page)
        while next_record(&page, &record):
            count += 1
            check_record(store, number, &page, &record, placed, &findings)
        if page.problem:
            note(&findings, FOUND_PAGE + page.problem, page.place, 0)
    pages.end()
    found = [
        (findings.items[item].code, findings.items[item].offset, findings.items[item].detail)
        for item in range(findings.count)
    ]
    return count, found
