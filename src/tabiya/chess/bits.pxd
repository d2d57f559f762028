# Bit intrinsics. Only this file depends on the compiler (gcc, clang, MSVC).

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #ifndef TABIYA_BITS
    #define TABIYA_BITS
    #include <stdint.h>
    #if defined(_MSC_VER)
      #include <intrin.h>
      #include <stdlib.h>
      static __forceinline int tabiya_lowest(uint64_t bits) {
          unsigned long index;
          _BitScanForward64(&index, bits);
          return (int)index;
      }
      #define tabiya_byteswap(bits) _byteswap_uint64(bits)
      #define tabiya_likely(condition) (condition)
      #define tabiya_unlikely(condition) (condition)
    #else
      #define tabiya_lowest(bits) __builtin_ctzll(bits)
      #define tabiya_byteswap(bits) __builtin_bswap64(bits)
      #define tabiya_likely(condition) __builtin_expect(!!(condition), 1)
      #define tabiya_unlikely(condition) __builtin_expect(!!(condition), 0)
    #endif
    /* Cython turns large literals into Python objects under nogil, so these stand here. */
    #define TABIYA_ONE ((uint64_t)1)
    #define TABIYA_LOW_BITS ((uint64_t)0x0101010101010101ULL)
    #endif
    """
    # Index of the lowest set bit; undefined for 0.
    int lowest "tabiya_lowest"(uint64_t bits) noexcept nogil
    # The board turned upside down: rank 1 <-> rank 8.
    uint64_t byteswap "tabiya_byteswap"(uint64_t bits) noexcept nogil
    bint likely "tabiya_likely"(bint condition) noexcept nogil
    bint unlikely "tabiya_unlikely"(bint condition) noexcept nogil
    const uint64_t ONE "TABIYA_ONE"
    # The lowest bit of each of eight bytes.
    const uint64_t LOW_BITS "TABIYA_LOW_BITS"


cdef inline uint64_t bit(int square) noexcept nogil:
    return ONE << square


cdef inline bint several(uint64_t bits) noexcept nogil:
    return (bits & (bits - 1)) != 0
