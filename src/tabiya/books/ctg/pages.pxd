# The bytes of a book: pages, records, and the lookup of a page by hash. Numbers are big-endian.
#
# Files are not trusted: pages may be truncated, counts and lengths may be wrong.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp

from tabiya.books.ctg.signature_kernel cimport hash_of, signature_length

cdef enum:
    PAGE_SIZE = 4096
    PAGE_HEAD = 4           # number of records, used bytes including this header
    STATISTICS_SIZE = 33
    MAX_RECORD = 31 + 255 + 33

cdef enum:
    AT_GAMES = 0
    AT_WINS = 3
    AT_LOSSES = 6
    AT_DRAWS = 9
    AT_SCORE = 12
    AT_RATED = 16
    AT_RATING_SUM = 19
    AT_OPPONENTS_RATED = 23
    AT_OPPONENTS_SUM = 26
    AT_MARKS = 30           # recommendation, its second byte, NAG of the position

# Problems of a page or a record; the messages are in ``book.py`` and ``check.py``.
cdef enum:
    PAGE_OK = 0
    PAGE_CUT = 1            # the file ends within the page
    PAGE_USED = 2           # the number of bytes used is impossible
    PAGE_COUNT = 3          # bytes remain after the last record that the page counts
    RECORD_END = 4          # a record extends beyond the bytes used
    RECORD_LENGTH = 5       # a signature without length
    RECORD_MOVES = 6        # an even length of the list of moves

# Reads a page of the file; never NULL.
ctypedef const uint8_t* (*LoadPage)(void* owner, int64_t number) noexcept nogil

# The files of a book. Without a directory (``slots`` is NULL) ``index`` maps hashes to pages.
ctypedef struct Store:
    const uint8_t* ctg      # all of it; or NULL, and pages are read as needed
    Py_ssize_t ctg_size
    uint8_t** pages         # pages read so far, the others NULL
    LoadPage load
    void* owner
    const uint8_t* bitmap
    Py_ssize_t bitmap_size
    const uint8_t* slots
    Py_ssize_t slot_count
    const uint64_t* index   # hash << 32 | page, sorted
    Py_ssize_t index_size

ctypedef struct Record:
    const uint8_t* signature
    const uint8_t* moves      # pairs of code and NAG
    const uint8_t* statistics
    int move_count
    int size

# A page that is being read, record by record.
ctypedef struct Page:
    const uint8_t* data
    int end                   # where the records end, within the file
    int place
    int records               # number of records left according to the count of the page
    int problem               # why reading stopped, PAGE_OK at a regular end


cdef inline uint32_t read_16(const uint8_t* data) noexcept nogil:
    return <uint32_t> data[0] << 8 | data[1]


cdef inline uint32_t read_24(const uint8_t* data) noexcept nogil:
    return <uint32_t> data[0] << 16 | <uint32_t> data[1] << 8 | data[2]


cdef inline uint32_t read_32(const uint8_t* data) noexcept nogil:
    return <uint32_t> data[0] << 24 | read_24(data + 1)


cdef inline void write_16(uint8_t* data, uint32_t value) noexcept nogil:
    data[0] = value >> 8 & 255
    data[1] = value & 255


cdef inline void write_24(uint8_t* data, uint32_t value) noexcept nogil:
    data[0] = value >> 16 & 255
    write_16(data + 1, value)


cdef inline void write_32(uint8_t* data, uint32_t value) noexcept nogil:
    write_16(data, value >> 16)
    write_16(data + 2, value)


cdef inline int64_t page_count(const Store* store) noexcept nogil:
    """Number of data pages in the file; the last one may be truncated."""
    return (store.ctg_size - 1) // PAGE_SIZE if store.ctg_size > PAGE_SIZE else 0


cdef inline void open_page(const Store* store, int64_t number, Page* page) noexcept nogil:
    """Begin to read a page with a number below ``page_count``."""
    cdef int64_t begin = (number + 1) * PAGE_SIZE
    cdef int size = PAGE_SIZE if store.ctg_size - begin >= PAGE_SIZE else <int> (store.ctg_size - begin)
    if store.ctg != NULL:
        page.data = store.ctg + begin
    elif store.pages[number] != NULL:
        page.data = store.pages[number]
    else:
        page.data = store.load(store.owner, number)
    page.place = PAGE_HEAD
    page.records = 0
    page.end = PAGE_HEAD
    page.problem = PAGE_OK
    if size < PAGE_HEAD:
        page.problem = PAGE_CUT
        return
    page.records = read_16(page.data)
    page.end = read_16(page.data + 2)
    if page.end < PAGE_HEAD or page.end > PAGE_SIZE:
        # Then only the count of the page can be used.
        page.problem = PAGE_USED
        page.end = size
    elif page.end > size:
        page.problem = PAGE_CUT
        page.end = size


cdef inline int read_record(const uint8_t* data, int size, Record* record) noexcept nogil:
    """Find the parts of a record in at most ``size`` bytes; PAGE_OK, or the problem."""
    cdef int length, block
    if size < 1:
        return RECORD_END
    length = signature_length(data)
    if length == 0:
        return RECORD_LENGTH
    if length >= size:
        return RECORD_END
    block = data[length]
    if not block & 1:
        return RECORD_MOVES
    record.size = length + block + STATISTICS_SIZE
    if record.size > size:
        return RECORD_END
    record.signature = data
    record.moves = data + length + 1
    record.move_count = block >> 1
    record.statistics = data + length + block
    return PAGE_OK


cdef inline bint next_record(Page* page, Record* record) noexcept nogil:
    """Read the next record; False at the end, where ``problem`` reports whether it was regular."""
    cdef int problem
    if page.records == 0:
        if page.place != page.end and page.problem == PAGE_OK:
            page.problem = PAGE_COUNT
        return False
    problem = read_record(page.data + page.place, page.end - page.place, record)
    if problem != PAGE_OK:
        if page.problem == PAGE_OK:
            page.problem = problem
        page.records = 0
        return False
    page.place += record.size
    page.records -= 1
    return True


cdef inline bint is_split(const Store* store, uint64_t node) noexcept nogil:
    return node >> 3 < <uint64_t> store.bitmap_size and store.bitmap[node >> 3] >> (node & 7) & 1


cdef inline uint64_t leaf_of(const Store* store, uint32_t hash) noexcept nogil:
    """The leaf of the tree for a hash: from the root, one bit of the hash at every split."""
    cdef uint64_t mask = 0
    while mask <= 0x7fffffff and is_split(store, (hash & mask) + mask):
        mask = 2 * mask + 1
    return (hash & mask) + mask


cdef inline int64_t page_of_node(const Store* store, uint64_t node) noexcept nogil:
    """The page of a leaf, or -1 if it has none or the file lacks it."""
    cdef int64_t page
    if node >= <uint64_t> store.slot_count:
        return -1
    page = <int32_t> read_32(store.slots + 4 * node)
    return page if 0 <= page < page_count(store) else -1


cdef inline bint find_on_page(const Store* store, int64_t number, const uint8_t* signature,
                              Record* record) noexcept nogil:
    cdef Page page
    cdef int length = signature_length(signature)
    open_page(store, number, &page)
    while next_record(&page, record):
        if record.signature[0] == signature[0] and memcmp(record.signature, signature, length) == 0:
            return True
    return False


cdef inline Py_ssize_t first_of_hash(const Store* store, uint32_t hash) noexcept nogil:
    """The first entry of a hash in the index."""
    cdef Py_ssize_t low = 0, high = store.index_size, middle
    while low < high:
        middle = low + high >> 1
        if store.index[middle] >> 32 < hash:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline bint find_record(const Store* store, const uint8_t* signature, Record* record) noexcept nogil:
    """Look up a position: on one page by the directory, or on all pages with its hash by the index."""
    cdef uint32_t hash = hash_of(signature)
    cdef Py_ssize_t place
    cdef int64_t page
    if store.slots != NULL:
        page = page_of_node(store, leaf_of(store, hash))
        return page >= 0 and find_on_page(store, page, signature, record)
    place = first_of_hash(store, hash)
    while place < store.index_size and store.index[place] >> 32 == hash:
        page = <int64_t> (store.index[place] & <uint64_t> 0xffffffff)
        if page < page_count(store) and find_on_page(store, page, signature, record):
            return True
        place += 1
    return False
