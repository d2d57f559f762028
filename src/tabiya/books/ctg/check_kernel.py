"""Looks at every record of a page: the position, its place, its moves, the positions they lead to, its numbers.

Linear in the records of the page, but for the search for positions that stand there twice, which looks at them all.
"""

import cython
from cython.cimports.libc.string import memcmp
from cython.cimports.tabiya.books.ctg.codes_kernel import CODE_TABLES, NO_MOVE
from cython.cimports.tabiya.books.ctg.frame_kernel import (
    SIGNATURE_OK,
    Frame,
    board_of_frame,
    hash_of,
    move_of_code,
    signature_length,
    signature_problem,
    unpack,
)
from cython.cimports.tabiya.books.ctg.pages import (
    AT_DRAWS,
    AT_GAMES,
    AT_LOSSES,
    AT_WINS,
    PAGE_HEAD,
    Page,
    Record,
    Store,
    leaf_of,
    next_record,
    open_page,
    page_count,
    page_of_node,
    read_24,
    read_record,
)
from cython.cimports.tabiya.books.ctg.store_kernel import Pages, reached_by
from cython.cimports.tabiya.chess.board import (
    KNIGHT,
    QUEEN,
    Board,
    is_legal,
    move_of,
    promotion_of,
    source_of,
    target_of,
)


def note(findings, code, offset, detail):
    if findings.count < MAX_FOUND:
        findings.items[findings.count] = Finding(code=code, offset=offset, detail=detail)
        findings.count += 1


def is_twice(page, record):
    """Return whether an earlier record of the page has the same position."""
    place: cython.int = PAGE_HEAD
    earlier: Record
    length: cython.int = signature_length(record.signature)
    while page.data + place < record.signature:
        if read_record(page.data + place, page.end - place, cython.address(earlier)):
            return False
        if memcmp(earlier.signature, record.signature, length) == 0:
            return True
        place += earlier.size
    return False


def has_child(store, board, move):
    """Return whether the position after a move is there; of a promotion, that after any one on the same square."""
    if not promotion_of(move):
        return reached_by(store, board, move) != cython.NULL
    piece: cython.int = KNIGHT
    while piece <= QUEEN:
        if reached_by(store, board, move_of(source_of(move), target_of(move), piece)) != cython.NULL:
            return True
        piece += 1
    return False


def move_problem(store, frame, board, code):
    if CODE_TABLES.meaning[code].special == NO_MOVE:
        return FOUND_CODE
    move: cython.int = move_of_code(frame, code)
    if move < 0:
        return FOUND_PIECE
    if move == 0:  # the null move has a code, so it may stand there
        return 0
    if not is_legal(board, move):
        return FOUND_ILLEGAL
    return 0 if has_child(store, board, move) else FOUND_CHILD


def check_moves(store, record, frame, board, offset, findings):
    for number in range(record.move_count):
        code: cython.int = record.moves[2 * number]
        problem: cython.int = move_problem(store, frame, board, code)
        for earlier in range(number):
            if record.moves[2 * earlier] == code and not problem:
                problem = FOUND_REPEATED
        if problem:
            note(findings, problem, offset, code)


def check_record(store, number, page, record, placed, findings):
    frame: Frame
    board: Board
    offset: cython.int = cython.cast(cython.int, record.signature - page.data)
    statistics = record.statistics
    if placed and page_of_node(store, leaf_of(store, hash_of(record.signature))) != number:
        note(findings, FOUND_MISPLACED, offset, 0)
    if is_twice(page, record):
        note(findings, FOUND_TWICE, offset, 0)
    if read_24(statistics + AT_WINS) + read_24(statistics + AT_LOSSES) + read_24(statistics + AT_DRAWS) > read_24(
        statistics + AT_GAMES
    ):
        note(findings, FOUND_RESULTS, offset, 0)
    problem: cython.int = unpack(record.signature, cython.address(frame))
    if problem == SIGNATURE_OK:
        problem = board_of_frame(cython.address(frame), cython.address(board))
    if problem != SIGNATURE_OK:
        note(findings, FOUND_SIGNATURE + problem, offset, 0)
        return
    problem = signature_problem(record.signature, cython.address(frame), cython.address(board))
    if problem != SIGNATURE_OK:
        note(findings, FOUND_SIGNATURE + problem, offset, 0)
    check_moves(store, record, cython.address(frame), cython.address(board), offset, findings)


def check_page(pages: Pages, number: cython.longlong, placed: cython.bint) -> tuple:
    """Return the number of readable records of a page, and their faults as (code, offset in the page, move code).

    ``placed`` asks whether records stand where the directory looks for them.
    """
    store: cython.pointer[Store] = cython.address(pages.store)
    page: Page
    record: Record
    findings: Findings
    count: cython.int = 0
    findings.count = 0
    if not 0 <= number < page_count(store):
        raise ValueError("no such page")
    pages.begin()
    with cython.nogil:
        open_page(store, number, cython.address(page))
        while next_record(cython.address(page), cython.address(record)):
            count += 1
            check_record(store, number, cython.address(page), cython.address(record), placed, cython.address(findings))
        if page.problem:
            note(cython.address(findings), FOUND_PAGE + page.problem, page.place, 0)
    pages.end()
    found = [
        (findings.items[item].code, findings.items[item].offset, findings.items[item].detail)
        for item in range(findings.count)
    ]
    return count, found
