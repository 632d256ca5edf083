/* tabia.h: reads Tabia's opening books, format version 1, plain and packed. One header, C99 and C++17, no dependency but the system.
 *
 *     #define TABIA_IMPLEMENTATION       in one source file
 *     #include "tabia.h"                 in all that use it
 *
 *     TabiaBook book; TabiaError error; TabiaMove moves[256];
 *     if (tabia_open(&book, "masters.tabia", 0, &error)) { fprintf(stderr, "%s\n", error.what); exit(1); }
 *     int count = tabia_moves(&book, key, moves, 256);     key: of the position; for chess its Polyglot key (tabia_chess.h has it)
 *     int best = tabia_best(moves, count);
 *     if (best >= 0) play(moves[best].code);
 *
 * Probes allocate nothing, take no lock and change nothing: any number of threads may use a book until it is closed. Whatever a file holds, a probe ends and
 * reads nothing outside it. The file is mapped: a book that is replaced by a rename stays as it was opened, but who cuts a mapped file short in place ends the
 * process (SIGBUS); where that may happen, read the file and open it by tabia_open_bytes. Opening checks the header; damaged rows are found by `tabia check`.
 *
 * Written from Tabia's format-spec/ alone; B-nn and J-n are rules of it. License: MIT OR Apache-2.0. */
#ifndef TABIA_H
#define TABIA_H
#include <stddef.h>
#include <stdint.h>
#ifndef TABIA_API
#define TABIA_API extern /* `static inline` keeps all of it in the file that has the implementation */
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* What a position is worth, however reached. Counts are games, seen by the side to move; with `results_unknown` all are draws. */
typedef struct TabiaPosition {
    uint32_t wins, draws, losses;
    int16_t eval;  /* for the side to move, in the game's unit (centipawns, discs ...); TABIA_NO_EVAL: none */
    uint8_t depth; /* what the eval is worth */
    uint8_t flags; /* 1 proven win, 2 proven draw, 4 proven loss, 8 public draw, 16 expanded */
} TabiaPosition;
enum { TABIA_NO_EVAL = -32768 };

/* A move that was played at a position. Counts are games, seen by the side that made it. */
typedef struct TabiaMove {
    uint32_t wins, draws, losses;
    uint16_t code; /* which move: format-spec/keys.md; for chess Polyglot's code */
    uint8_t marks; /* 1 !, 2 ?, 4 !!, 8 ??, 16 !?, 32 ?!, 64 never to be played, 128 always */
    uint8_t reserved;
} TabiaMove;

/* What some books say of a move besides; zeros where a book doesn't. */
typedef struct TabiaColumns {
    uint64_t mover_rating_sum, opponent_rating_sum, rated_games; /* over the games in which both players had a rating */
    uint64_t rated_score;                                        /* two for each of these that was won, one for each that was drawn */
    uint64_t game;                                               /* the best game: its rank in the upper 16 bits, its digest in the lower 48 */
    uint64_t first_year, last_year;                              /* 0: not known */
} TabiaColumns;

/* What went wrong, as functions return it. */
enum {
    TABIA_OK = 0,
    TABIA_NO_FILE = -1,       /* it can't be opened or mapped: errno, or GetLastError(), says why */
    TABIA_NOT_A_BOOK = -2,    /* B-1 */
    TABIA_OTHER_VERSION = -3, /* B-3, B-4, B-20: made by a newer, or by an unreleased, version */
    TABIA_DAMAGED = -4,       /* all other rules of books */
    TABIA_HAS_JOURNAL = -5,   /* additions stand beside the book: see tabia_open */
    TABIA_BAD_JOURNAL = -6,   /* J-1 to J-4: what stands beside the book as its journal is damaged, or another book's */
    TABIA_NOT_A_SET = -7      /* S-1, S-2: the files are not the shares of one book (tabia_set.h) */
};
typedef struct TabiaError {
    int kind;
    const char *what; /* one line with the rule: "B-2: the header is damaged" */
    uint64_t place;   /* where in the book, or in the journal, in bytes */
} TabiaError;

typedef struct Tabia__Section {
    const uint8_t *body; /* NULL: the book doesn't have it */
    uint64_t length, rows, homes, displacement, slots;
} Tabia__Section;

/* An open book. Compare `game` and `keys` with what the program plays before it is asked. */
typedef struct TabiaBook {
    char game[17], keys[17]; /* "chess" and "polyglot", ... */
    int keyed_by_line, results_unknown, packed;
    int columns;                       /* which of them it has: 1 ratings, 2 game, 4 years */
    uint32_t share_bits, share_number; /* 0 in a whole book. A share has no other's rows: tabia_set.h opens all of them as one book */
    uint64_t position_rows, move_rows;
    uint8_t digest[16]; /* of the contents */
    /* private: */
    int mapped;
    int32_t least_eval;
    const uint8_t *bytes, *classes, *codes, *pairs;
    uint64_t length, file[2], inverse, least[7];
    Tabia__Section section[12];
    uint32_t salt, k, w, group_buckets, page_buckets, groups, group_inverse, c, m, e, p, codes_count, pairs_count, fields, fields_bits, told, swap, game_bits;
    uint8_t width[7], field[7];
} TabiaBook;

/* Opens a book and maps it, in microseconds whatever its size. Returns TABIA_OK, or the kind of the error, which `error` (may be NULL) describes. `how`: 0
 * refuses a book that has additions beside it, in its journal PATH-journal, with TABIA_HAS_JOURNAL (`tabia compact` puts them into the book);
 * TABIA_IGNORE_JOURNAL opens it without them. On Windows the path is in the ANSI code page. */
enum { TABIA_IGNORE_JOURNAL = 1 };
TABIA_API int tabia_open(TabiaBook *book, const char *path, int how, TabiaError *error);
/* The same of a book in memory, which has to stay there. Nothing is known of a journal. */
TABIA_API int tabia_open_bytes(TabiaBook *book, const void *bytes, size_t length, TabiaError *error);
/* Unmaps a book. One that is closed, could not be opened, or is all zeros, may be closed, and may be asked: it has nothing. */
TABIA_API void tabia_close(TabiaBook *book);
/* Whether the path now leads to another file than the one that was opened, or to none. */
TABIA_API int tabia_is_replaced(const TabiaBook *book, const char *path);

/* What is known of a position: 1 and its row, 0 if it isn't in the book, or TABIA_DAMAGED (packed books only). */
TABIA_API int tabia_position(const TabiaBook *book, uint64_t key, TabiaPosition *position);
/* Its moves in ascending order of their codes, at most `room`. Returns how many were stored (0: it isn't in the book), or TABIA_DAMAGED. */
TABIA_API int tabia_moves(const TabiaBook *book, uint64_t key, TabiaMove *moves, int room);

/* A question, and its answer. */
typedef struct TabiaProbe {
    uint64_t key;
    TabiaMove *moves;       /* room for moves */
    TabiaColumns *columns;  /* room for the columns of these; NULL: they aren't wanted */
    int room;               /* for how many */
    int found;              /* answer: 1 if the position has a row, else 0 */
    int count;              /* answer: how many moves were stored, at most `room` */
    int total;              /* answer: how many it has */
    TabiaPosition position; /* answer, if found */
} TabiaProbe;
/* Answers many at once: several times faster than one by one, as memory is asked for all before the first is waited for. `what` is TABIA_POSITIONS, TABIA_MOVES
 * or both: in a plain book each is a look of its own, a packed one has both in one place. Returns TABIA_OK, or the kind of the first error, where it stops. */
enum { TABIA_POSITIONS = 1, TABIA_MOVES = 2 };
TABIA_API int tabia_probe(const TabiaBook *book, TabiaProbe *probes, size_t count, int what, TabiaError *error);

/* Choosing among moves: none that is marked `never`; if some are marked `always`, one of these. Both return an index, -1 if there is none to choose.
 * The most played one, of equals the first; and one drawn in proportion to its points (two a win, one a draw) by 64 random bits. */
TABIA_API int tabia_best(const TabiaMove *moves, int count);
TABIA_API int tabia_draw(const TabiaMove *moves, int count, uint64_t random);

/* How the book was made. Begins with a fact of zeros; returns 1 for the next one, 0 behind the last one, or TABIA_DAMAGED. Names and values have no NUL at their
 * end. `subject`: 16 bytes, the digest of an archive, or zeros for the whole book. */
typedef struct TabiaFact {
    const uint8_t *subject;
    const char *name, *value;
    uint32_t name_length, value_length;
    uint64_t next, index;
} TabiaFact;
TABIA_API int tabia_fact(const TabiaBook *book, TabiaFact *fact);

#ifdef __cplusplus
}
#endif
#endif

#ifdef TABIA_IMPLEMENTATION
#undef TABIA_IMPLEMENTATION
#if !defined _WIN32 && !defined _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* for madvise, if this file comes first */
#endif
#include <errno.h>
#include <stdio.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
#ifdef __GNUC__
#define TABIA__INLINE static inline __attribute__((always_inline))
#define TABIA__PREFETCH(at) __builtin_prefetch(at)
#else
#define TABIA__INLINE static inline
#define TABIA__PREFETCH(at) ((void)(at))
#endif

#define TABIA__NONE (~UINT64_C(0))
#define TABIA__LITTLE (*(const uint8_t *)&tabia__order == 1) /* known when it is compiled */
static const uint16_t tabia__order = 1;
enum { TABIA__PAGE_SIZE = 4096, TABIA__ROOM = 4088, TABIA__END = 8 * TABIA__ROOM, TABIA__ROW = 24, TABIA__ENTRY = 96, TABIA__BATCH = 32, TABIA__MOST_MOVES = 65536 };
enum { TABIA__PACK, TABIA__PAGE, TABIA__POSN, TABIA__TAGS, TABIA__MOVE, TABIA__RTNG, TABIA__GAME, TABIA__YEAR, TABIA__DICT, TABIA__SRCS, TABIA__FACT, TABIA__COPY, TABIA__OTHER };
static const char tabia__tags[TABIA__OTHER][5] = { "PACK", "PAGE", "POSN", "TAGS", "MOVE", "RTNG", "GAME", "YEAR", "DICT", "SRCS", "FACT", "COPY" };
static const uint8_t tabia__cells[TABIA__OTHER] = { 0, 0, 24, 2, 24, 24, 8, 4, 16, 0, 0, 0 }; /* bytes of a cell */
static const uint8_t tabia__fields[7][3] = { { 0, 0, 6 }, { 0, 6, 6 }, { 0, 12, 4 }, { 0, 16, 8 }, { 1, 0, 8 }, { 2, 0, 2 }, { 2, 2, 2 } }; /* column, place, bytes */

/* Leaves a function that returns a kind of error unless something holds. Where it is, error->place, is set before. */
#define TABIA__REFUSE(good, code, text) do { if (!(good)) return error->what = (text), error->kind = (code); } while (0)
#define TABIA__HOLD(good, text) TABIA__REFUSE(good, TABIA_DAMAGED, text)

/* ---- Numbers ---- */
static uint64_t tabia__number(const uint8_t *at, uint32_t bytes) { /* little-endian */
    uint64_t n = 0;
    while (bytes--) n = n << 8 | at[bytes];
    return n;
}
TABIA__INLINE uint64_t tabia__u64(const uint8_t *at) {
    uint64_t n;
    if (!TABIA__LITTLE) return tabia__number(at, 8);
    memcpy(&n, at, 8);
    return n;
}
TABIA__INLINE uint32_t tabia__u16(const uint8_t *at) { return (uint32_t)at[0] | (uint32_t)at[1] << 8; }
TABIA__INLINE uint32_t tabia__u32(const uint8_t *at) { return tabia__u16(at) | tabia__u16(at + 2) << 16; }

TABIA__INLINE uint64_t tabia__high(uint64_t a, uint64_t b) { /* the upper half of the product */
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 Wide;
    return (uint64_t)((Wide)a * b >> 64);
#else
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32, middle = ah * bl + (al * bl >> 32), other = al * bh + (uint32_t)middle;
    return ah * bh + (middle >> 32) + (other >> 32);
#endif
}

TABIA__INLINE uint32_t tabia__ones(uint64_t x) {
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return (uint32_t)(((x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >> 56);
}

/* How many 0 are below the lowest 1 of x, which is not 0; and 0 for 0, else 1 + floor(log2 x). */
#ifdef __GNUC__
TABIA__INLINE uint32_t tabia__zeros(uint64_t x) { return (uint32_t)__builtin_ctzll(x); }
TABIA__INLINE uint32_t tabia__bits(uint64_t x) { return x ? 64 - (uint32_t)__builtin_clzll(x) : 0; }
#else
TABIA__INLINE uint32_t tabia__zeros(uint64_t x) { return tabia__ones(~x & (x - 1)); }
TABIA__INLINE uint32_t tabia__bits(uint64_t x) {
    for (int i = 1; i < 64; i *= 2) x |= x >> i;
    return tabia__ones(x);
}
#endif
TABIA__INLINE uint64_t tabia__mask(uint32_t width) { return (UINT64_C(1) << width) - 1; }

/* The place of the 1 that has `rank` others below it; 63 if there is none. A loop is best here: how often it runs is known long before x is there. */
TABIA__INLINE uint32_t tabia__select(uint64_t x, uint32_t rank) {
#if defined __BMI2__ && defined __x86_64__ && defined __GNUC__
    x = __builtin_ia32_pdep_di(UINT64_C(1) << rank, x);
#else
    while (rank--) x &= x - 1;
#endif
    return tabia__zeros(x | UINT64_C(1) << 63);
}
TABIA__INLINE uint64_t tabia__mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}
static int tabia__zero(const uint8_t *at, size_t bytes) {
    while (bytes && !at[bytes - 1]) bytes--;
    return !bytes;
}

/* ---- Checksums ---- */
static uint32_t tabia__crc(uint32_t crc, const uint8_t *at, size_t bytes) { /* IEEE 802.3, going on from `crc` */
    static const uint32_t of[16] = { 0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
        0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c };
    for (crc = ~crc; bytes--; crc = crc >> 4 ^ of[crc & 15]) crc ^= *at++, crc = crc >> 4 ^ of[crc & 15];
    return ~crc;
}

static const uint8_t tabia__secret[193] = /* of XXH3 */
    "\xb8\xfe\x6c\x39\x23\xa4\x4b\xbe\x7c\x01\x81\x2c\xf7\x21\xad\x1c\xde\xd4\x6d\xe9\x83\x90\x97\xdb\x72\x40\xa4\xa4\xb7\xb3\x67\x1f\xcb\x79\xe6\x4e\xcc\xc0\xe5\x78\x82\x5a\xd0\x7d\xcc\xff\x72\x21"
    "\xb8\x08\x46\x74\xf7\x43\x24\x8e\xe0\x35\x90\xe6\x81\x3a\x26\x4c\x3c\x28\x52\xbb\x91\xc3\x00\xcb\x88\xd0\x65\x8b\x1b\x53\x2e\xa3\x71\x64\x48\x97\xa2\x0d\xf9\x4e\x38\x19\xef\x46\xa9\xde\xac\xd8"
    "\xa8\xfa\x76\x3f\xe3\x9c\x34\x3f\xf9\xdc\xbb\xc7\xc7\x0b\x4f\x1d\x8a\x51\xe0\x4b\xcd\xb4\x59\x31\xc8\x9f\x7e\xc9\xd9\x78\x73\x64\xea\xc5\xac\x83\x34\xd3\xeb\xc3\xc5\x81\xa0\xff\xfa\x13\x63\xeb"
    "\x17\x0d\xdd\x51\xb7\xf0\xda\x49\xd3\x16\x55\x26\x29\xd4\x68\x9e\x2b\x16\xbe\x58\x7d\x47\xa1\xfc\x8f\xf8\xb8\xd1\x7a\xd0\x31\xce\x45\xcb\x3a\x8f\x95\x16\x04\x28\xaf\xd7\xfb\xca\xbb\x4b\x40\x7e";
static const uint64_t tabia__prime[] = { UINT64_C(0x9e3779b185ebca87), UINT64_C(0xc2b2ae3d27d4eb4f), UINT64_C(0x165667b19e3779f9),
    UINT64_C(0x85ebca77c2b2ae63), UINT64_C(0x27d4eb2f165667c5), 0x9e3779b1, 0x85ebca77, 0xc2b2ae3d };

static uint64_t tabia__fold(uint64_t a, uint64_t b) { return tabia__high(a, b) ^ a * b; }
static uint64_t tabia__fold16(const uint8_t *at, const uint8_t *secret) {
    return tabia__fold(tabia__u64(at) ^ tabia__u64(secret), tabia__u64(at + 8) ^ tabia__u64(secret + 8));
}
static uint64_t tabia__avalanche(uint64_t x) {
    x = (x ^ x >> 37) * UINT64_C(0x165667919e3779f9);
    return x ^ x >> 32;
}
static uint64_t tabia__short_sum(const uint8_t *at, size_t length) { /* of 17 to 240 bytes */
    const uint8_t *secret = tabia__secret, *end = at + length;
    uint64_t sum = length * tabia__prime[0];
    for (size_t i = (length - 1) / 32 + 1; length <= 128 && i--;)
        sum += tabia__fold16(at + 16 * i, secret + 32 * i) + tabia__fold16(end - 16 * i - 16, secret + 32 * i + 16);
    if (length <= 128) return tabia__avalanche(sum);
    for (size_t i = 0; i < 8; i++) sum += tabia__fold16(at + 16 * i, secret + 16 * i);
    sum = tabia__avalanche(sum);
    for (size_t i = 8; i < length / 16; i++) sum += tabia__fold16(at + 16 * i, secret + 16 * i - 125);
    return tabia__avalanche(sum + tabia__fold16(end - 16, secret + 119));
}
static void tabia__stripe(uint64_t *lanes, const uint8_t *at, const uint8_t *secret) {
    for (size_t i = 0; i < 8; i++) {
        uint64_t value = tabia__u64(at + 8 * i), keyed = value ^ tabia__u64(secret + 8 * i);
        lanes[i ^ 1] += value, lanes[i] += (uint32_t)keyed * (keyed >> 32);
    }
}
static uint64_t tabia__join(const uint64_t *lanes, const uint8_t *secret, uint64_t sum) {
    for (size_t i = 0; i < 8; i += 2) sum += tabia__fold(lanes[i] ^ tabia__u64(secret + 8 * i), lanes[i + 1] ^ tabia__u64(secret + 8 * i + 8));
    return tabia__avalanche(sum);
}

/* XXH3-64, seed 0, of at least 17 bytes. `high`: of more than 240 bytes the upper half of XXH3-128, whose lower half this then is; or NULL. */
static uint64_t tabia__sum(const uint8_t *at, size_t length, uint64_t *high) {
    const uint64_t *p = tabia__prime;
    uint64_t lanes[8] = { p[7], p[0], p[1], p[2], p[3], p[6], p[4], p[5] };
    if (length <= 240) return tabia__short_sum(at, length);
    for (size_t stripe = 0; stripe < (length - 1) / 64; stripe++) {
        tabia__stripe(lanes, at + 64 * stripe, tabia__secret + 8 * (stripe % 16));
        for (size_t i = 0; stripe % 16 == 15 && i < 8; i++) lanes[i] = (lanes[i] ^ lanes[i] >> 47 ^ tabia__u64(tabia__secret + 128 + 8 * i)) * p[5];
    }
    tabia__stripe(lanes, at + length - 64, tabia__secret + 121);
    if (high) *high = tabia__join(lanes, tabia__secret + 117, ~(length * p[1]));
    return tabia__join(lanes, tabia__secret + 11, length * p[0]);
}

/* ---- Opening ---- */
static int tabia__is(const uint8_t *at, const char *tag) { return !memcmp(at, tag, 4); }
static int tabia__is_name(const uint8_t *at) { /* 1 to 16 of a-z 0-9 -, then NUL to the end */
    size_t n = 0;
    while (n < 16 && ((at[n] >= 'a' && at[n] <= 'z') || (at[n] >= '0' && at[n] <= '9') || at[n] == '-')) n++;
    return n && tabia__zero(at + n, 16 - n);
}
static int tabia__is_digest(const uint8_t *page) {
    uint8_t copy[TABIA__PAGE_SIZE];
    uint64_t high = 0, low, bad = 0;
    memcpy(copy, page, sizeof copy);
    memset(copy + 88, 0, 40), memset(copy + 4092, 0, 4);
    low = tabia__sum(copy, sizeof copy, &high);
    for (int i = 0; i < 8; i++) bad |= (page[88 + i] ^ (high >> (56 - 8 * i) & 255)) | (page[96 + i] ^ (low >> (56 - 8 * i) & 255));
    return !bad;
}

static int tabia__open_header(TabiaBook *book, TabiaError *error) {
    const uint8_t *page = book->bytes, *entry = page + 256;
    uint64_t length = book->length, features;
    uint32_t load, count;
    int old = 0;
    TABIA__REFUSE(length >= 8 && !memcmp(page, "\x89TABIA\r\n", 8), TABIA_NOT_A_BOOK, "B-1: not a Tabia book");
    TABIA__HOLD(length >= TABIA__PAGE_SIZE, "B-5: the file is shorter than its header");
    TABIA__HOLD(tabia__crc(0, page, 4092) == tabia__u32(page + 4092), "B-2: the header is damaged");
    features = tabia__u64(page + 16), load = tabia__u32(page + 68), count = tabia__u32(page + 76);
    TABIA__REFUSE(tabia__u32(page + 8) == 1 && tabia__u32(page + 12) == 4096 && tabia__u32(page + 72) == 4096, TABIA_OTHER_VERSION, "B-3: made by another version");
    TABIA__REFUSE(features < 32, TABIA_OTHER_VERSION, "B-4: made by a newer version: it needs features that version 1 does not know");
    for (uint32_t i = 0; i < count && i < 39; i++, entry += TABIA__ENTRY) old |= tabia__is(entry, "FILT") || tabia__is(entry, "PSUM") || tabia__is(entry, "MSUM");
    TABIA__REFUSE(!old && !(features & 9), TABIA_OTHER_VERSION, "B-20: made by an unreleased version of Tabia: build it again");
    TABIA__HOLD(tabia__u64(page + 80) == length && length % TABIA__PAGE_SIZE == 0 && length >= 2 * TABIA__PAGE_SIZE, "B-5: the file is not as long as its header says");
    TABIA__HOLD(tabia__is_name(page + 32) && tabia__is_name(page + 48) && page[64] <= 1 && load >= 500 && load <= 980, "B-9: game, keys, keyed or load");
    book->share_bits = page[65], book->share_number = tabia__u32(page + 128);
    TABIA__HOLD(book->share_bits <= 32 && (uint64_t)book->share_number >> book->share_bits == 0 && !book->share_bits == !(features & 4), "B-9: the share");
    TABIA__HOLD(count >= 1 && count <= 39, "B-6: the section count");
    TABIA__HOLD(tabia__zero(page + 66, 2) && tabia__zero(page + 132, 124) && tabia__zero(entry, (size_t)(page + 4092 - entry)), "B-10: reserved bytes of the header");
    TABIA__HOLD(tabia__is_digest(page), "B-11: the digest is not that of the header");
    memcpy(book->game, page + 32, 16), memcpy(book->keys, page + 48, 16), memcpy(book->digest, page + 88, 16);
    book->keyed_by_line = page[64], book->results_unknown = (int)(features >> 1 & 1), book->packed = (int)(features >> 4 & 1);
    return TABIA_OK;
}

static int tabia__open_table(const TabiaBook *book, const Tabia__Section *s, TabiaError *error) {
    uint64_t load = tabia__u32(book->bytes + 68), homes, slack = s->rows <= 1024 ? s->rows : 1024;
    TABIA__HOLD(!book->packed || (!s->homes && !s->displacement && s->length % TABIA__ROW == 0), "B-30: a table's length, homes or max displacement");
    if (book->packed) return TABIA_OK;
    TABIA__HOLD(s->length % TABIA__ROW == 0 && s->homes >= 1 && s->homes <= s->slots && s->rows <= s->slots, "B-7: a table's length, homes or rows");
    homes = s->rows / load * 1000 + (s->rows % load * 1000 + load - 1) / load; /* ceil(rows * 1000 / load) */
    TABIA__HOLD(s->homes == (homes ? homes : 1), "B-8: homes are not those of rows and load");
    while (s->rows > 1024 && slack < s->displacement && slack < s->slots) slack *= 4;
    TABIA__HOLD(s->displacement <= slack && s->slots - s->homes == slack, "B-23: slack is not that of rows and max displacement");
    return TABIA_OK;
}

static int tabia__open_column(const TabiaBook *book, const Tabia__Section *s, int tag, const uint8_t *entry, TabiaError *error) {
    const char *what = book->packed ? "B-30: a column's table, cell size or length, or an unknown column" : "B-25: a column's table, cell size or length";
    uint64_t cell = tabia__u32(entry + 4);
    int of = tabia__is(entry + 80, "POSN") ? TABIA__POSN : TABIA__MOVE;
    TABIA__HOLD(tabia__is(entry + 80, tabia__tags[of]) && book->section[of].body, what);
    TABIA__HOLD(tag == TABIA__OTHER ? !book->packed && cell : cell == tabia__cells[tag] && of == (tag == TABIA__TAGS ? TABIA__POSN : TABIA__MOVE), what);
    if (tag == TABIA__DICT && s->length % cell == 0) return TABIA_OK;
    TABIA__HOLD(s->length % cell == 0 && s->length / cell == (book->packed && tag == TABIA__TAGS ? 0 : book->section[of].slots), what);
    return TABIA_OK;
}

/* Reads the entry of a section that isn't sums. `sums`: the length of those that must follow; TABIA__NONE if it has none. */
static int tabia__open_section(TabiaBook *book, const uint8_t *entry, int tag, uint64_t *sums, TabiaError *error) {
    int table = tag == TABIA__POSN || tag == TABIA__MOVE, page = tag == TABIA__PAGE, beside = !tabia__zero(entry + 80, 4);
    int column = tag == TABIA__TAGS || (tag >= TABIA__RTNG && tag <= TABIA__DICT) || (tag == TABIA__OTHER && beside);
    uint64_t length = tabia__u64(entry + 16), pages = length / TABIA__PAGE_SIZE, rest = length % TABIA__PAGE_SIZE;
    uint32_t cell = tabia__u32(entry + 4);
    Tabia__Section other, *s = tag == TABIA__OTHER ? &other : &book->section[tag];
    s->body = book->bytes + (size_t)tabia__u64(entry + 8), s->length = length, s->slots = length / TABIA__ROW;
    s->rows = tabia__u64(entry + 32), s->homes = tabia__u64(entry + 40), s->displacement = tabia__u64(entry + 48);
    TABIA__HOLD(tabia__zero(entry + 84, 12) && (table || page || tabia__zero(entry + 32, 48)), "B-10: reserved bytes, or fields of tables, of an entry");
    TABIA__HOLD(column || !beside, "B-10: a section is beside a table that can't be");
    TABIA__HOLD(!(table || column) || tabia__zero(entry + 24, 8), "B-10: a section with sums has a checksum");
    TABIA__HOLD(!table || cell == TABIA__ROW, "B-7: a table's cell size");
    TABIA__HOLD(table || column || page || !cell, "B-10: a section without cells has a cell size");
    TABIA__HOLD(!page || (cell == TABIA__PAGE_SIZE && tabia__zero(entry + 48, 32) && !rest && s->homes >= 1 && pages - s->homes <= 2), "B-30: the pages");
    *sums = table || column ? (pages + (rest != 0)) * 8 : TABIA__NONE;
    return table ? tabia__open_table(book, s, error) : column ? tabia__open_column(book, s, tag, entry, error) : TABIA_OK;
}

static int tabia__open_sections(TabiaBook *book, TabiaError *error) {
    const uint8_t *table = book->bytes + 256, *entry = table, *last = table + (tabia__u32(book->bytes + 76) - 1) * TABIA__ENTRY;
    const Tabia__Section *s = book->section;
    uint64_t at = TABIA__PAGE_SIZE, end = book->length - TABIA__PAGE_SIZE, sums = TABIA__NONE; /* where the next section begins; its length, if it has to be sums */
    for (int bad, tag, next = 0; entry <= last; entry += TABIA__ENTRY) { /* next: the least known tag that may come now */
        uint64_t length = tabia__u64(entry + 16);
        error->place = (uint64_t)(entry - book->bytes);
        for (const uint8_t *earlier = table; earlier < entry; earlier += TABIA__ENTRY) TABIA__HOLD(memcmp(entry, earlier, 4), "B-6: two sections have the same tag");
        TABIA__HOLD(tabia__u64(entry + 8) == at && length <= end - at, "B-6: a section's offset or length");
        at += length + (0 - length) % TABIA__PAGE_SIZE;
        for (int i = 0; i < 4; i++)
            TABIA__HOLD(sums != TABIA__NONE ? entry[i] == entry[i - TABIA__ENTRY] + 'a' - 'A' : entry[i] >= 'A' && entry[i] <= 'Z', "B-6: a tag that can't be there");
        if (sums != TABIA__NONE) {
            TABIA__HOLD(tabia__zero(entry + 4, 4) && tabia__zero(entry + 32, 64), "B-10: sums have a cell size, rows or a table");
            TABIA__HOLD(length == sums, "B-7: the length of sums");
            sums = TABIA__NONE;
            continue;
        }
        for (tag = 0; tag < TABIA__OTHER && !tabia__is(entry, tabia__tags[tag]);) tag++;
        TABIA__HOLD(book->packed || (tag != TABIA__PACK && tag != TABIA__PAGE && tag != TABIA__DICT && tag != TABIA__COPY), "B-30: pages in a book that is not packed");
        TABIA__HOLD(tag >= next, "B-6: the order of the sections");
        if (tag < TABIA__OTHER) next = tag + 1;
        if ((bad = tabia__open_section(book, entry, tag, &sums, error)) != 0) return bad;
    }
    TABIA__HOLD(sums == TABIA__NONE && s[TABIA__SRCS].body && s[TABIA__FACT].body && (s[TABIA__POSN].body || s[TABIA__MOVE].body), "B-6: a section is missing");
    TABIA__HOLD(at == end, "B-6: the sections don't end where the last page begins");
    TABIA__HOLD(!book->packed || (tabia__is(table, "PACK") && tabia__is(table + TABIA__ENTRY, "PAGE") && tabia__is(last, "COPY") && !memcmp(table + 16, last + 16, 16)),
        "B-30: PACK and PAGE are not the first sections, or the last one is not a COPY of PACK");
    TABIA__HOLD(!book->packed || !s[TABIA__DICT].body == !s[TABIA__GAME].body, "B-30: only one of GAME and DICT");
    book->position_rows = s[TABIA__POSN].rows, book->move_rows = s[TABIA__MOVE].rows;
    for (int i = 0; i < 3; i++) book->columns |= (s[TABIA__RTNG + i].body != NULL) << i;
    return TABIA_OK;
}

static int tabia__open_codes(const TabiaBook *book, TabiaError *error) { /* the tables of PACK */
    uint8_t seen[8192] = { 0 };
    int behind = 0; /* the classes that have a triple */
    for (const uint8_t *triple = book->classes; triple < book->codes; triple += 12) {
        int none = tabia__u64(triple) == TABIA__NONE && tabia__u32(triple + 8) == UINT32_MAX;
        TABIA__HOLD(none || (!behind && tabia__u32(triple) <= 15 && tabia__u32(triple + 4) <= 15 && tabia__u32(triple + 8) <= 15), "B-29: a class");
        behind |= none;
    }
    for (const uint8_t *code = book->codes; code < book->pairs; code += 2) {
        uint8_t *place = &seen[code[0] | (code[1] & 31) << 8], bit = (uint8_t)(1 << (code[1] >> 5));
        TABIA__HOLD(!(*place & bit), "B-29: two codes are the same");
        *place = *place | bit;
    }
    for (const uint8_t *first = book->pairs, *pair = first; pair < first + 2 * book->pairs_count; pair += 2)
        TABIA__HOLD(pair[1] < 32 && (pair == first || memcmp(pair - 2, pair, 2) < 0), "B-29: a pair of depth and flags");
    return TABIA_OK;
}

static int tabia__open_pack(TabiaBook *book, TabiaError *error) {
    const uint8_t *at = book->section[TABIA__PACK].body, *field;
    uint64_t length = book->section[TABIA__PACK].length, buckets;
    uint32_t most = 64 - book->share_bits < 56 ? 64 - book->share_bits : 56;
    error->place = TABIA__PAGE_SIZE;
    TABIA__HOLD(length >= 40 && tabia__sum(at, (size_t)length, NULL) == tabia__u64(book->bytes + 256 + 24), "B-29: PACK is damaged");
    book->k = tabia__u32(at), book->group_buckets = tabia__u32(at + 4), book->page_buckets = tabia__u32(at + 8);
    book->c = at[12], book->m = at[13], book->e = at[14], book->p = at[15], book->least_eval = (int16_t)tabia__u16(at + 16);
    book->pairs_count = tabia__u32(at + 20), book->codes_count = tabia__u32(at + 24), book->fields = tabia__u32(at + 28);
    TABIA__HOLD(book->k >= 4 && book->k <= most && book->group_buckets >= 4 && book->group_buckets <= 32, "B-29: buckets");
    buckets = UINT64_C(1) << book->k;
    TABIA__HOLD(book->page_buckets >= 1 && book->page_buckets <= buckets && book->page_buckets <= 150 * book->group_buckets, "B-29: the buckets of a page");
    TABIA__HOLD(book->section[TABIA__PAGE].homes == (buckets + book->page_buckets - 1) / book->page_buckets, "B-29: the home pages are not those of PACK");
    TABIA__HOLD(book->c <= 6 && book->e <= 16 && tabia__u16(at + 18) == book->share_bits, "B-29: widths, or the share");
    TABIA__HOLD(book->m == (book->codes_count ? tabia__bits(book->codes_count - 1) : 0) && book->p == (book->pairs_count ? tabia__bits(book->pairs_count - 1) : 0),
        "B-29: the widths of numbers of codes and pairs");
    TABIA__HOLD(book->codes_count <= 65536 && book->pairs_count <= 8192 && book->fields <= 7, "B-29: more codes, pairs or fields than can be");
    book->classes = at + 40, book->salt = tabia__u32(book->bytes + 256 + 24), book->codes = book->classes + 12 * tabia__mask(book->c), book->pairs = book->codes + 2 * book->codes_count;
    field = book->pairs + 2 * book->pairs_count;
    TABIA__HOLD(length == (uint64_t)(field - at) + 16 * book->fields, "B-29: the length of PACK");
    TABIA__HOLD(book->fields == (uint32_t)(book->columns % 2 * 4 + book->columns / 4 * 2), "B-29: the fields of the columns");
    for (uint32_t i = 0, n = 0; i < 7; i++) {
        if (tabia__fields[i][0] == 1 || !(book->columns >> tabia__fields[i][0] & 1)) continue;
        TABIA__HOLD(tabia__u64(field + 8) <= 64, "B-29: the width of a field");
        book->field[n] = (uint8_t)i, book->least[n] = tabia__u64(field), book->width[n++] = field[8], book->fields_bits += field[8], field += 16;
    }
    if (book->columns & 2) {
        book->told = book->columns != 2, book->swap = book->columns & 1, book->game_bits = book->swap;
        for (uint64_t games = book->section[TABIA__DICT].length / 16; games; games /= 2) book->game_bits++;
    }
    book->w = 64 - book->share_bits - book->k;
    book->groups = (book->page_buckets + book->group_buckets - 1) / book->group_buckets;
    book->inverse = ~UINT64_C(0) / book->page_buckets, book->group_inverse = (1u << 20) / book->group_buckets + 1; /* to divide by multiplying */
    return tabia__open_codes(book, error);
}

/* ---- Rows and columns ---- */
TABIA__INLINE void tabia__read_row(void *to, const uint8_t *row) { /* TabiaPosition and TabiaMove are laid out as rows behind their h */
    TabiaMove m = { tabia__u32(row + 8), tabia__u32(row + 12), tabia__u32(row + 16), (uint16_t)tabia__u16(row + 20), row[22], row[23] };
    memcpy(to, TABIA__LITTLE ? (const void *)(row + 8) : (const void *)&m, sizeof m);
}

static void tabia__read_columns(const TabiaBook *book, size_t slot, TabiaColumns *columns) { /* of a row of MOVE */
    uint64_t values[7]; /* as TabiaColumns has them */
    for (int i = 0; i < 7; i++) {
        const uint8_t *field = tabia__fields[i], *cells = book->section[TABIA__RTNG + field[0]].body;
        values[i] = cells ? tabia__number(cells + slot * tabia__cells[TABIA__RTNG + field[0]] + field[1], field[2]) : 0;
    }
    memcpy(columns, values, sizeof values);
}
TABIA__INLINE void tabia__put(TabiaProbe *probe, const TabiaMove *move) {
    if (probe->total++ < probe->room) probe->moves[probe->count++] = *move;
}

TABIA__INLINE void tabia__put_rows(const TabiaBook *book, const uint8_t *row, const uint8_t *last, uint64_t h, TabiaProbe *probe) { /* of MOVE, up to `last` */
    TabiaMove move;
    for (; tabia__u64(row) == h && row[23] != 0xff && probe->total < TABIA__MOST_MOVES; row += TABIA__ROW) {
        tabia__read_row(&move, row);
        if (probe->columns && probe->total < probe->room)
            tabia__read_columns(book, (size_t)(row - book->section[TABIA__MOVE].body) / TABIA__ROW, &probe->columns[probe->count]);
        tabia__put(probe, &move);
        if (row == last) return;
    }
}

/* ---- Plain books ---- */
TABIA__INLINE int tabia__holds(const TabiaBook *book, uint64_t h) { return !book->share_bits || h >> (64 - book->share_bits) == book->share_number; }
TABIA__INLINE size_t tabia__home(const TabiaBook *book, int table, uint64_t h) { return (size_t)tabia__high(h << book->share_bits, book->section[table].homes); }

static const uint8_t *tabia__find_by_tag(const TabiaBook *book, uint64_t h) { /* the row of a position; NULL if there is none */
    const Tabia__Section *s = &book->section[TABIA__POSN];
    size_t home = tabia__home(book, TABIA__POSN, h);
    const uint8_t *tag = book->section[TABIA__TAGS].body + 2 * home, *row = s->body + home * TABIA__ROW;
    uint32_t mine = (uint32_t)((home & 127) << 9 | (h << book->share_bits) * s->homes >> 55), more;
    for (uint64_t i = 0; i <= s->displacement; i++, tag += 2, row += TABIA__ROW) {
        more = (tabia__u16(tag) - mine) & 0xffff;
        if (!more && tabia__u64(row) == h && row[23] != 0xff) return row;
        if (more && more <= (i + 1) * 512 && s->displacement <= 126) return NULL; /* a greater tag */
    }
    return NULL;
}

/* Looks into a table for h, whose home is in the row `home`, or NULL: not known yet. */
TABIA__INLINE void tabia__look_up(const TabiaBook *book, int table, const uint8_t *home, uint64_t h, TabiaProbe *probe) {
    const uint8_t *row = home ? home : book->section[table].body + tabia__home(book, table, h) * TABIA__ROW;
    const uint8_t *last = row + (size_t)book->section[table].displacement * TABIA__ROW;
    if (table == TABIA__POSN && book->section[TABIA__TAGS].body) row = tabia__find_by_tag(book, h);
    else if (home && last - row > 4 * TABIA__ROW && ((size_t)(home - book->bytes) & 4095) <= 4096 - 5 * TABIA__ROW) /* looked at together: no branch is guessed wrong */
        row += TABIA__ROW * tabia__zeros((uint64_t)(32 | (tabia__u64(home) >= h) | (tabia__u64(home + 24) >= h) << 1 | (tabia__u64(home + 48) >= h) << 2 | (tabia__u64(home + 72) >= h) << 3 | (tabia__u64(home + 96) >= h) << 4));
    for (; row && tabia__u64(row) < h; row += TABIA__ROW)
        if (row == last) return;
    if (!row || tabia__u64(row) != h || row[23] == 0xff) return;
    if (table == TABIA__MOVE) tabia__put_rows(book, row, last, h, probe);
    else tabia__read_row(&probe->position, row), probe->found = 1;
}

/* At most TABIA__BATCH of them: first all that will be read is asked for, then it is read. */
TABIA__INLINE void tabia__plain_batch(const TabiaBook *book, int table, TabiaProbe *probes, size_t count) {
    const Tabia__Section s = book->section[table];
    const uint8_t *tags = table == TABIA__POSN ? book->section[TABIA__TAGS].body : NULL, *homes[TABIA__BATCH];
    uint64_t hashes[TABIA__BATCH], share_bits = book->share_bits, share_number = book->share_number;
    for (size_t i = 0; s.body && i < count; i++) {
        uint64_t h = hashes[i] = tabia__mix(probes[i].key);
        size_t home = (size_t)tabia__high(h << share_bits, s.homes);
        homes[i] = s.body + home * TABIA__ROW;
        TABIA__PREFETCH(homes[i]);
        TABIA__PREFETCH(homes[i] + 64); /* most often it is there or one line on */
        if (tags) TABIA__PREFETCH(tags + 2 * home);
    }
    for (size_t i = 0; s.body && i < count; i++)
        if (!share_bits || hashes[i] >> (64 - share_bits) == share_number) tabia__look_up(book, table, homes[i], hashes[i], &probes[i]);
}

/* ---- Packed books: the way to an h, by its page, group and entry. What ends with _at is in bits from the page's start ---- */
typedef struct Tabia__Way {
    const TabiaBook *book;
    const uint8_t *page;
    uint64_t h;
    uint32_t number, start, bucket, buckets;  /* the group's number among those of its home page, its first byte (0: not found); the bucket of h, and how many it has */
    uint32_t n, i, longs, longs_before;       /* its entries, and which one it is; how many are long, and how many of those before it */
    uint32_t classes_at, codes_at, told_at, games_at, fields_at; /* where these begin */
    uint32_t at, moved;                       /* where tabia__take reads; whether another page stands in a page's place */
} Tabia__Way;

/* Bits are checked against TABIA__END after they were read: a page is followed by another one, so they are in the file. At least 57 are right. */
TABIA__INLINE uint64_t tabia__peek(const uint8_t *page, uint32_t at) { return tabia__u64(page + (at >> 3)) >> (at & 7); }
TABIA__INLINE uint64_t tabia__take(Tabia__Way *way, uint32_t width) { /* at most 56 bits */
    way->at += width;
    return tabia__peek(way->page, way->at - width) & tabia__mask(width);
}
static uint64_t tabia__take_long(Tabia__Way *way, uint32_t width) { /* at most 64 bits */
    uint64_t low = tabia__take(way, width < 32 ? width : 32);
    return width < 32 ? low : low | tabia__take(way, width - 32) << 32;
}
TABIA__INLINE uint64_t tabia__gamma(Tabia__Way *way) { /* 0 for what has more than 40 bits: no count has */
    uint32_t zeros = tabia__zeros(tabia__peek(way->page, way->at) | UINT64_C(1) << 40);
    way->at += zeros + 1;
    return zeros < 40 ? UINT64_C(1) << zeros | tabia__take(way, zeros) : 0;
}

TABIA__INLINE void tabia__find_page(const TabiaBook *book, uint64_t h, Tabia__Way *way) { /* its home page */
    uint64_t bucket = h << book->share_bits >> (64 - book->k), page = tabia__high(bucket, book->inverse), rest = bucket - page * book->page_buckets;
    for (; rest >= book->page_buckets; page++) rest -= book->page_buckets; /* at most once */
    way->book = book, way->h = h, way->page = book->section[TABIA__PAGE].body + (size_t)page * TABIA__PAGE_SIZE;
    way->number = (uint32_t)rest * book->group_inverse >> 20, way->bucket = (uint32_t)rest - way->number * book->group_buckets;
    way->buckets = book->page_buckets - way->number * book->group_buckets;
    if (way->buckets > book->group_buckets) way->buckets = book->group_buckets;
    TABIA__PREFETCH(way->page);
    TABIA__PREFETCH(way->page + 8 + 2 * way->number);
}

TABIA__INLINE void tabia__find_group(Tabia__Way *way) {
    const Tabia__Section *pages = &way->book->section[TABIA__PAGE];
    const uint8_t *page = way->page, *end = pages->body + (size_t)pages->length;
    way->start = 0, way->moved = 0;
    for (uint32_t before = 0, i = 0; i < 3 && page < end; i++, before += way->book->groups, page += TABIA__PAGE_SIZE) { /* before: groups of pages before this one */
        uint32_t place = way->number + tabia__u16(page), count = tabia__u16(page + 2), page_number = (uint32_t)((size_t)(page - pages->body) / TABIA__PAGE_SIZE);
        way->moved = tabia__u32(page + 4) != way->book->salt + page_number;
        if (!way->moved && place >= before && place - before >= count) continue;
        if (way->moved || place < before || 8 + 2 * count > TABIA__ROOM || tabia__u16(page + 8 + 2 * (place - before)) >= TABIA__ROOM) return;
        way->page = page, way->start = tabia__u16(page + 8 + 2 * (place - before));
        for (uint32_t line = 0; line < 192; line += 64) TABIA__PREFETCH(page + way->start + line);
        return;
    }
}

/* How many entries a bucket has, and `first`, how many come before, by a string that has a 1 for each entry and a 0 behind each bucket. */
static uint32_t tabia__long_bucket(const Tabia__Way *way, uint32_t at, uint32_t *first) {
    uint32_t run = 0, left = way->bucket;
    for (uint32_t end = at + way->buckets + way->n; at < end; at++)
        if (way->page[at >> 3] >> (at & 7) & 1) ++*(left ? first : &run);
        else if (!left--) break;
    return run;
}

TABIA__INLINE int tabia__equal(const uint8_t *page, uint32_t at, uint32_t width, uint64_t x) { /* whether so many bits are those of x */
    if (width > 56 && ((tabia__peek(page, at + 32) ^ x >> 32) & tabia__mask(width - 32))) return 0;
    return !((tabia__peek(page, at) ^ x) & tabia__mask(width < 56 ? width : 56));
}

/* Finds the entry of h in its group: 1, or 0 if it isn't there, or TABIA_DAMAGED. */
TABIA__INLINE int tabia__find_entry(Tabia__Way *way, TabiaError *error) {
    uint32_t at = 8 * (way->start + 1), w = way->book->w, length = way->buckets + way->n, first = 0, run, rests_at;
    if (length <= 56) {
        uint64_t begins = (~tabia__peek(way->page, at) & tabia__mask(length)) << 1 | 1; /* a 1 where a bucket begins */
        uint32_t begin = tabia__select(begins, way->bucket);
        first = begin - way->bucket, run = tabia__zeros(begins >> begin >> 1 | UINT64_C(1) << 63);
    } else run = tabia__long_bucket(way, at, &first);
    way->classes_at = at + length, rests_at = way->classes_at + way->book->c * way->n, way->codes_at = rests_at + w * way->n;
    TABIA__HOLD(first <= way->n && run <= way->n - first && way->codes_at <= TABIA__END, "B-32: the entries of a group");
    for (way->i = first; way->i < first + run; way->i++)
        if (tabia__equal(way->page, rests_at + w * way->i, w, way->h & tabia__mask(w))) return 1;
    return 0;
}

/* How many of n entries have a 1 in all these planes of a bit for each; `before`: how many of the first i. */
TABIA__INLINE uint32_t tabia__count(const Tabia__Way *way, uint32_t n, uint32_t i, uint32_t at, uint32_t planes, uint32_t *before) {
    uint32_t all = *before = 0;
    for (uint32_t base = 0; base < n; base += 56) { /* most often once */
        uint64_t ones = tabia__mask(n - base < 56 ? n - base : 56);
        for (uint32_t plane = 0; plane < planes; plane++) ones &= tabia__peek(way->page, at + plane * n + base);
        all += tabia__ones(ones);
        if (base <= i) *before += tabia__ones(i - base < 56 ? ones & tabia__mask(i - base) : ones);
    }
    return all;
}

/* Reads the entry's evaluation, if it has one, and sets where the fields begin, in a book that has evaluations. */
static int tabia__evaluation(Tabia__Way *way, TabiaPosition *position, TabiaError *error) {
    const TabiaBook *book = way->book;
    uint32_t flags_at = way->fields_at, width = book->e + book->p, before, pair;
    int32_t eval;
    TABIA__HOLD(flags_at <= TABIA__END, "B-32: the entries of a group");
    way->fields_at += way->n + width * tabia__count(way, way->n, way->i, flags_at, 1, &before);
    TABIA__HOLD(way->fields_at <= TABIA__END, "B-32: the evaluations of a group");
    if (!(tabia__peek(way->page, flags_at + way->i) & 1)) return TABIA_OK;
    way->at = flags_at + way->n + width * before;
    eval = (int32_t)tabia__take(way, book->e), pair = (uint32_t)tabia__take(way, book->p);
    TABIA__HOLD(pair < book->pairs_count && (!eval || book->least_eval + eval - 1 <= INT16_MAX), "B-32: an evaluation");
    position->eval = (int16_t)(eval ? book->least_eval + eval - 1 : TABIA_NO_EVAL);
    position->depth = book->pairs[2 * pair], position->flags = book->pairs[2 * pair + 1];
    return TABIA_OK;
}

/* Puts a move, given by its number, with the values of its columns' fields. */
TABIA__INLINE int tabia__put_packed(const TabiaBook *book, TabiaProbe *probe, uint64_t number, TabiaMove *move, const uint64_t *values, TabiaError *error) {
    TABIA__HOLD(number < book->codes_count, "B-32: the number of a move");
    move->code = (uint16_t)tabia__u16(book->codes + 2 * number);
    if (probe->columns && probe->total < probe->room) {
        for (int i = 0; i < 7; i++) TABIA__HOLD(tabia__fields[i][2] == 8 || !(values[i] >> 8 * tabia__fields[i][2]), "B-32: a cell");
        memcpy(&probe->columns[probe->count], values, sizeof *probe->columns);
    }
    tabia__put(probe, move);
    return TABIA_OK;
}

/* Finds the cells of short entries, and how many of these have no fields; `before`: of those before a place. */
TABIA__INLINE int tabia__find_cells(Tabia__Way *way, uint32_t place, uint32_t *told, uint32_t *before, TabiaError *error) {
    uint32_t shorts = way->n - way->longs;
    way->told_at = way->fields_at, way->games_at = way->told_at + way->book->told * shorts, way->fields_at = way->games_at + way->book->game_bits * shorts;
    TABIA__HOLD(way->fields_at <= TABIA__END, "B-32: the entries of a group");
    *told = *before = 0;
    if (way->book->told) *told = tabia__count(way, shorts, place, way->told_at, 1, before);
    return TABIA_OK;
}

/* What a game tells of the cells of a move: all of them, or its own. */
static int tabia__tell(const TabiaBook *book, uint64_t game, uint64_t told, const TabiaMove *move, uint64_t *values, TabiaError *error) {
    uint64_t number = game & tabia__mask(book->game_bits - book->swap), games = (uint64_t)move->wins + move->draws + move->losses;
    const uint8_t *at = book->section[TABIA__DICT].body;
    int swapped = number != game;
    memset(values, 0, 7 * sizeof *values);
    if (!number) return TABIA_OK;
    TABIA__HOLD(number <= book->section[TABIA__DICT].length / 16, "B-32: the number of a game");
    at += (size_t)(16 * (number - 1)), values[4] = tabia__u64(at);
    if (told && (book->columns & 4)) values[5] = tabia__u16(at + 8), values[6] = tabia__u16(at + 10);
    if (told && (book->columns & 1) && tabia__u32(at + 12)) {
        values[swapped] = games * tabia__u16(at + 12), values[1 - swapped] = games * tabia__u16(at + 14);
        values[2] = games, values[3] = 2 * (uint64_t)move->wins + move->draws;
    }
    return TABIA_OK;
}

TABIA__INLINE int tabia__short(Tabia__Way *way, uint32_t class_of, int what, TabiaProbe *probe, TabiaError *error) { /* an entry of a class */
    const TabiaBook *book = way->book;
    const uint8_t *triple = book->classes + 12 * class_of;
    TabiaMove move = { tabia__u32(triple), tabia__u32(triple + 4), tabia__u32(triple + 8), 0, 0, 0 };
    uint64_t values[7] = { 0 }, value;
    uint32_t place, told, before, is_told;
    TABIA__HOLD(move.wins <= 15, "B-32: a class without a triple");
    probe->position.wins = move.wins, probe->position.draws = move.draws, probe->position.losses = move.losses;
    probe->found = (what & TABIA_POSITIONS) && book->section[TABIA__POSN].body;
    if (!(what & TABIA_MOVES) || !book->section[TABIA__MOVE].body) return TABIA_OK;
    place = way->i - way->longs_before;
    TABIA__HOLD(way->fields_at <= TABIA__END, "B-32: the entries of a group");
    if (probe->columns && book->columns) {
        if (tabia__find_cells(way, place, &told, &before, error)) return TABIA_DAMAGED;
        is_told = book->told & (uint32_t)tabia__peek(way->page, way->told_at + place);
        way->at = way->games_at + book->game_bits * place;
        if (tabia__tell(book, tabia__take_long(way, book->game_bits), is_told, &move, values, error)) return TABIA_DAMAGED;
        way->at = way->fields_at + book->fields_bits * (place - before);
        for (uint32_t i = 0; !is_told && i < book->fields; i++)
            if ((value = tabia__take_long(way, book->width[i])) != 0) values[book->field[i]] = book->least[i] + value - 1;
        TABIA__HOLD(way->at <= TABIA__END, "B-32: the entries of a group");
    }
    return tabia__put_packed(book, probe, tabia__peek(way->page, way->codes_at + book->m * place) & tabia__mask(book->m), &move, values, error);
}

typedef struct Tabia__Counts {
    uint64_t wins, draws, losses;
} Tabia__Counts;
static const Tabia__Counts tabia__any = { TABIA__NONE, TABIA__NONE, TABIA__NONE };

/* Reads counts, none greater than those of `most`; 0 if that isn't so. */
TABIA__INLINE int tabia__counts(Tabia__Way *way, uint64_t less, const Tabia__Counts *most, Tabia__Counts *c) {
    uint64_t games = tabia__gamma(way) - less, rest;
    if (games >> 40) return 0;
    c->wins = tabia__take(way, tabia__bits(games < most->wins ? games : most->wins)), rest = games - c->wins;
    if (rest > games) return 0;
    c->draws = tabia__take(way, tabia__bits(rest < most->draws ? rest : most->draws)), c->losses = rest - c->draws;
    return c->wins <= most->wins && c->draws <= most->draws && c->losses <= most->losses && !((c->wins | c->draws | c->losses) >> 32);
}

/* The moves of a long entry, from its record, which goes up to `end`. `left`: the counts of the position, if it has a row. */
static int tabia__record_moves(Tabia__Way *way, uint32_t end, int positioned, Tabia__Counts left, TabiaProbe *probe, TabiaError *error) {
    Tabia__Counts counts;
    uint64_t moves = tabia__gamma(way) - (uint64_t)positioned, flags = moves ? tabia__take(way, 4) : 0, values[7] = { 0 }, number, width, told, game;
    int within = flags & 1, exact = flags >> 1 & 1, marks = flags >> 2 & 1;
    TABIA__HOLD(moves <= TABIA__MOST_MOVES && (moves || positioned) && (positioned || !within), "B-32: the moves of a record");
    while (moves--) {
        TabiaMove move = { 0, 0, 0, 0, 0, 0 };
        number = tabia__take(way, way->book->m);
        if (marks) move.marks = (uint8_t)tabia__take(way, 8);
        if (within && exact && !moves) counts = left;
        else TABIA__HOLD(tabia__counts(way, flags >> 3, within ? &left : &tabia__any, &counts), "B-32: the counts of a record");
        if (within) left.wins -= counts.wins, left.draws -= counts.draws, left.losses -= counts.losses;
        told = tabia__take(way, way->book->told), game = tabia__take_long(way, way->book->game_bits);
        move.wins = (uint32_t)counts.wins, move.draws = (uint32_t)counts.draws, move.losses = (uint32_t)counts.losses;
        TABIA__HOLD(way->at <= end, "B-32: a record goes beyond its end");
        if (probe->columns && tabia__tell(way->book, game, told, &move, values, error)) return TABIA_DAMAGED;
        for (uint32_t i = 0; !told && i < way->book->fields; i++) {
            TABIA__HOLD((width = tabia__take(way, 7)) <= 64, "B-32: a cell");
            values[way->book->field[i]] = width ? UINT64_C(1) << (width - 1) | tabia__take_long(way, (uint32_t)width - 1) : 0;
        }
        TABIA__HOLD(way->at <= end, "B-32: a record goes beyond its end");
        if (tabia__put_packed(way->book, probe, number, &move, values, error)) return TABIA_DAMAGED;
    }
    return TABIA_OK;
}

static int tabia__long(Tabia__Way *way, int what, TabiaProbe *probe, TabiaError *error) { /* an entry with a record */
    uint32_t at, told, before = 0, size = 0, bytes;
    int has_moves = way->book->section[TABIA__MOVE].body != NULL, positioned;
    Tabia__Counts counts = { 0, 0, 0 };
    if (tabia__find_cells(way, 0, &told, &before, error)) return TABIA_DAMAGED;
    at = (way->fields_at + way->book->fields_bits * (way->n - way->longs - told) + 7) / 8;
    TABIA__HOLD(at <= TABIA__ROOM, "B-32: the entries of a group");
    for (uint32_t i = 0; i < way->longs; i++) { /* how many bytes the records have */
        if ((bytes = way->page[at++]) == 255) bytes = tabia__u16(way->page + at), at += 2;
        if (i < way->longs_before) before += bytes;
        if (i == way->longs_before) size = bytes;
    }
    at += before, way->at = 8 * at;
    TABIA__HOLD(at + size <= TABIA__ROOM, "B-32: a record goes beyond its page");
    positioned = way->book->section[TABIA__POSN].body && (!has_moves || tabia__take(way, 1));
    TABIA__HOLD(!positioned || (tabia__counts(way, 1, &tabia__any, &counts) && way->at <= 8 * (at + size)), "B-32: the counts of a record");
    probe->position.wins = (uint32_t)counts.wins, probe->position.draws = (uint32_t)counts.draws, probe->position.losses = (uint32_t)counts.losses;
    probe->found = positioned && (what & TABIA_POSITIONS);
    return has_moves && (what & TABIA_MOVES) ? tabia__record_moves(way, 8 * (at + size), positioned, counts, probe, error) : TABIA_OK;
}

static int tabia__large(const Tabia__Way *way, int what, TabiaProbe *probe, TabiaError *error) { /* a group whose rows are in the bodies of POSN and MOVE */
    const uint8_t *group = way->page + way->start;
    TABIA__HOLD(way->start + 25 <= TABIA__ROOM, "B-32: a group goes beyond its page");
    for (int i = 0; i < 2; i++) {
        const Tabia__Section *s = &way->book->section[i ? TABIA__MOVE : TABIA__POSN];
        uint64_t low = tabia__u64(group + 1 + 8 * i), count = tabia__u32(group + 17 + 4 * i), high = low + count, end = high, middle;
        const uint8_t *row;
        TABIA__HOLD(low <= s->slots && count <= s->slots - low, "B-32: the rows of a large group");
        if (!count || !(what & (i ? TABIA_MOVES : TABIA_POSITIONS))) continue;
        while (low < high) { /* the first row whose h is not less */
            middle = low + (high - low) / 2;
            if (tabia__u64(s->body + (size_t)middle * TABIA__ROW) < way->h) low = middle + 1;
            else high = middle;
        }
        row = s->body + (size_t)low * TABIA__ROW;
        if (low == end || tabia__u64(row) != way->h || row[23] == 0xff) continue;
        if (i) tabia__put_rows(way->book, row, s->body + (size_t)(end - 1) * TABIA__ROW, way->h, probe);
        else tabia__read_row(&probe->position, row), probe->found = 1;
    }
    return TABIA_OK;
}

static int tabia__read_entry(Tabia__Way *way, int what, TabiaProbe *probe, TabiaError *error) { /* the one that was found */
    const TabiaBook *book = way->book;
    uint32_t class_of = 0;
    int is_long;
    for (uint32_t i = 0; i < book->c; i++) class_of |= (uint32_t)(tabia__peek(way->page, way->classes_at + i * way->n + way->i) & 1) << i;
    is_long = class_of == tabia__mask(book->c);
    probe->position.eval = TABIA_NO_EVAL, probe->position.depth = probe->position.flags = 0;
    if (is_long || book->pairs_count || what != TABIA_POSITIONS) { /* what else is read begins behind parts that some entries have */
        way->longs = tabia__count(way, way->n, way->i, way->classes_at, book->c, &way->longs_before);
        way->fields_at = way->codes_at + book->m * (way->n - way->longs);
        if (book->pairs_count && tabia__evaluation(way, &probe->position, error)) return TABIA_DAMAGED;
    }
    return is_long ? tabia__long(way, what, probe, error) : tabia__short(way, class_of, what, probe, error);
}

TABIA__INLINE int tabia__packed(Tabia__Way *way, int what, TabiaProbe *probe, TabiaError *error) {
    int found;
    error->place = (uint64_t)(way->page - way->book->bytes);
    TABIA__HOLD(way->start, way->moved ? "B-31: another page stands in a page's place" : "B-32: a group is not in the pages where it has to be");
    way->n = way->page[way->start];
    if (way->n == 255) return tabia__large(way, what, probe, error);
    if (!way->n || (found = tabia__find_entry(way, error)) == 0) return TABIA_OK;
    return found < 0 ? found : tabia__read_entry(way, what, probe, error);
}

/* At most TABIA__BATCH of them: a group is asked for when the page says where it is. */
static int tabia__packed_batch(const TabiaBook *book, TabiaProbe *probes, size_t count, int what, TabiaError *error) {
    Tabia__Way ways[TABIA__BATCH];
    for (size_t i = 0; i < count; i++) tabia__find_page(book, tabia__mix(probes[i].key), &ways[i]);
    for (size_t i = 0; i < count; i++) tabia__find_group(&ways[i]);
    for (size_t i = 0; i < count; i++)
        if (tabia__holds(book, ways[i].h) && tabia__packed(&ways[i], what, &probes[i], error)) return TABIA_DAMAGED;
    return TABIA_OK;
}

/* ---- Probes ---- */
static int tabia__one(const TabiaBook *book, TabiaProbe *probe, int what, TabiaError *error) {
    Tabia__Way way;
    uint64_t h = tabia__mix(probe->key);
    probe->found = probe->count = probe->total = 0;
    if (!tabia__holds(book, h)) return TABIA_OK;
    if (book->packed) {
        tabia__find_page(book, h, &way);
        tabia__find_group(&way);
        return tabia__packed(&way, what, probe, error);
    }
    if ((what & TABIA_POSITIONS) && book->section[TABIA__POSN].body) tabia__look_up(book, TABIA__POSN, NULL, h, probe);
    if ((what & TABIA_MOVES) && book->section[TABIA__MOVE].body) tabia__look_up(book, TABIA__MOVE, NULL, h, probe);
    return TABIA_OK;
}

TABIA_API int tabia_position(const TabiaBook *book, uint64_t key, TabiaPosition *position) {
    TabiaError error;
    TabiaProbe probe = { key, NULL, NULL, 0, 0, 0, 0, { 0, 0, 0, 0, 0, 0 } };
    int bad = tabia__one(book, &probe, TABIA_POSITIONS, &error);
    if (probe.found) *position = probe.position;
    return bad ? bad : probe.found;
}
TABIA_API int tabia_moves(const TabiaBook *book, uint64_t key, TabiaMove *moves, int room) {
    TabiaError error;
    TabiaProbe probe = { key, moves, NULL, room, 0, 0, 0, { 0, 0, 0, 0, 0, 0 } };
    int bad = tabia__one(book, &probe, TABIA_MOVES, &error);
    return bad ? bad : probe.count;
}

TABIA_API int tabia_probe(const TabiaBook *book, TabiaProbe *probes, size_t count, int what, TabiaError *error) {
    TabiaError unseen;
    if (!error) error = &unseen;
    if (count == 1) return tabia__one(book, probes, what, error);
    for (size_t some; count; probes += some, count -= some) {
        some = count < TABIA__BATCH ? count : (size_t)TABIA__BATCH;
        for (size_t i = 0; i < some; i++) probes[i].found = probes[i].count = probes[i].total = 0;
        if (book->packed && tabia__packed_batch(book, probes, some, what, error)) return TABIA_DAMAGED;
        if (!book->packed && (what & TABIA_POSITIONS)) tabia__plain_batch(book, TABIA__POSN, probes, some);
        if (!book->packed && (what & TABIA_MOVES)) tabia__plain_batch(book, TABIA__MOVE, probes, some);
    }
    return TABIA_OK;
}

/* The sum of a move's counts, so many times each; 0 if it is not to be chosen among these. */
static uint64_t tabia__weight(const TabiaMove *moves, int count, const TabiaMove *move, uint32_t wins, uint32_t losses) {
    int always = 0;
    for (int i = 0; i < count; i++) always |= moves[i].marks & 64 ? 0 : moves[i].marks & 128;
    return (move->marks & 64) || (move->marks & 128) != always ? 0 : (uint64_t)move->wins * wins + move->draws + (uint64_t)move->losses * losses;
}

TABIA_API int tabia_best(const TabiaMove *moves, int count) {
    uint64_t most = 0, games;
    int best = -1;
    for (int i = 0; i < count; i++)
        if ((games = tabia__weight(moves, count, &moves[i], 1, 1)) > most) best = i, most = games;
    return best;
}
TABIA_API int tabia_draw(const TabiaMove *moves, int count, uint64_t random) {
    uint64_t points = 0, drawn, weight;
    for (int i = 0; i < count; i++) points += tabia__weight(moves, count, &moves[i], 2, 0);
    drawn = tabia__high(random, points);
    for (int i = 0; i < count; drawn -= weight, i++)
        if (drawn < (weight = tabia__weight(moves, count, &moves[i], 2, 0))) return i;
    return -1;
}

TABIA_API int tabia_fact(const TabiaBook *book, TabiaFact *fact) {
    const Tabia__Section *s = &book->section[TABIA__FACT];
    const uint8_t *at = s->body + (size_t)(fact->next += fact->next ? 0 : 8);
    uint64_t bytes;
    if (s->length < 8 || (s->length == fact->next) != (fact->index == tabia__u64(s->body))) return TABIA_DAMAGED;
    if (s->length == fact->next) return 0;
    if (fact->next > s->length - 24 || s->length < 24) return TABIA_DAMAGED;
    fact->name_length = tabia__u32(at + 16), fact->value_length = tabia__u32(at + 20);
    bytes = 24 + (uint64_t)fact->name_length + fact->value_length, bytes += (0 - bytes) % 8;
    if (bytes > s->length - fact->next || fact->name_length < 1 || fact->name_length > 64 || fact->value_length > 65536) return TABIA_DAMAGED;
    fact->subject = at, fact->name = (const char *)at + 24, fact->value = fact->name + fact->name_length;
    fact->next += bytes, fact->index++;
    return 1;
}

/* ---- Files ---- */
/* Maps a file, which `id` tells from others; with `bytes` NULL it only looks. Returns 1; 0 if there is none; -1 if the system refuses, or if it is something else. */
#ifdef _WIN32
static int tabia__map(const char *path, const uint8_t **bytes, uint64_t *length, uint64_t *id) {
    HANDLE file = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING, FILE_FLAG_RANDOM_ACCESS, NULL), map;
    BY_HANDLE_FILE_INFORMATION about;
    int good;
    if (file == INVALID_HANDLE_VALUE) return GetLastError() == ERROR_FILE_NOT_FOUND ? 0 : -1;
    good = GetFileType(file) == FILE_TYPE_DISK && GetFileInformationByHandle(file, &about);
    if (good) id[0] = about.dwVolumeSerialNumber, id[1] = (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow, *length = (uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow;
    if (good && bytes && *length) {
        map = *length <= SIZE_MAX ? CreateFileMappingA(file, NULL, PAGE_READONLY, 0, 0, NULL) : NULL;
        *bytes = map ? (const uint8_t *)MapViewOfFile(map, FILE_MAP_READ, 0, 0, (size_t)*length) : NULL;
        good = *bytes != NULL;
        if (map) CloseHandle(map);
    }
    CloseHandle(file);
    return good ? 1 : -1;
}
static void tabia__unmap(const uint8_t *bytes, uint64_t length) { (void)length, UnmapViewOfFile(bytes); }
#else
static int tabia__map(const char *path, const uint8_t **bytes, uint64_t *length, uint64_t *id) {
    int file = open(path, O_RDONLY | O_NONBLOCK), good;
    struct stat about;
    if (file < 0) return errno == ENOENT ? 0 : -1;
    good = !fstat(file, &about) && S_ISREG(about.st_mode);
    if (good) id[0] = (uint64_t)about.st_dev, id[1] = (uint64_t)about.st_ino, *length = (uint64_t)about.st_size;
    if (good && bytes && *length) {
        void *map = *length <= SIZE_MAX ? mmap(NULL, (size_t)*length, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
        good = map != MAP_FAILED, *bytes = good ? (const uint8_t *)map : NULL;
#ifdef MADV_RANDOM
        if (good) (void)madvise(map, (size_t)*length, MADV_RANDOM); /* or the system reads dozens of pages for each probe of a cold book */
#endif
    }
    (void)close(file);
    return good ? 1 : -1;
}
static void tabia__unmap(const uint8_t *bytes, uint64_t length) { (void)munmap((void *)(uintptr_t)bytes, (size_t)length); }
#endif

/* Whether a journal is one whose creation never ended, so that it holds nothing (J-1). `head`: its first 64 bytes, or zeros behind its end. */
static int tabia__is_unfinished(FILE *file, const uint8_t *head, size_t length) {
    size_t same = 0;
    int next = length == 64 ? getc(file) : EOF;
    while (tabia__zero(head, 64) && next == 0) next = getc(file);
    while (same < 12 && head[same] == (uint8_t)"\x89TABJL\r\n\1\0\0"[same]) same++;
    return next == EOF && (same < 12 ? tabia__zero(head + same, 64 - same) : tabia__zero(head + 16, 16));
}

/* Refuses a book whose journal is not empty or stale (J-3), or a bad one. */
static int tabia__check_journal(const TabiaBook *book, FILE *file, TabiaError *error) {
    uint8_t head[64] = { 0 }, frame[48], piece[4096]; /* frame: the journal's salt, and a frame's header */
    size_t length = fread(head, 1, 64, file), n;
    uint64_t sequence = tabia__u64(book->bytes + 120), first = tabia__u64(head + 48), last = first - 1, left = 0;
    uint32_t previous = tabia__u32(head + 12), crc = 0;
    int whole, own = !memcmp(head + 32, book->digest, 16), parents = !tabia__zero(head + 32, 16) && !memcmp(head + 32, book->bytes + 104, 16);
    error->place = 0;
    if (length < 64 || tabia__crc(0, head + 16, 48) != previous) {
        TABIA__REFUSE(tabia__is_unfinished(file, head, length), TABIA_BAD_JOURNAL, "J-1: the header of the journal is damaged");
        return TABIA_OK;
    }
    TABIA__REFUSE(!memcmp(head, "\x89TABJL\r\n\1\0\0", 12) && tabia__zero(head + 16, 8) && tabia__sum(head + 32, 24, NULL) == tabia__u64(head + 56),
        TABIA_BAD_JOURNAL, "J-1: the journal is not one, or made by another version");
    TABIA__REFUSE(own || parents, TABIA_BAD_JOURNAL, "J-2: the journal is another book's");
    TABIA__REFUSE(last <= sequence, TABIA_BAD_JOURNAL, "J-4: frames between the book and its journal are missing");
    memcpy(frame, head + 56, 8);
    for (error->place = 64; (whole = (n = fread(frame + 8, 1, 40, file)) == 0) == 0; error->place += 40 + tabia__u64(frame + 16)) {
        if (n < 40 || memcmp(frame + 8, "FRAM", 4) || tabia__crc(tabia__crc(0, frame, 8), frame + 16, 32) != tabia__u32(frame + 12)) break;
        for (left = tabia__u64(frame + 16), crc = 0; left && (n = fread(piece, 1, left < sizeof piece ? (size_t)left : sizeof piece, file)) != 0; left -= n)
            crc = tabia__crc(crc, piece, n);
        if (left || crc != tabia__u32(frame + 32) || tabia__u32(frame + 40) != previous) break;
        TABIA__REFUSE(tabia__u64(frame + 24) == ++last, TABIA_BAD_JOURNAL, "J-4: a frame of the journal is missing, or of another one");
        previous = tabia__u32(frame + 12);
    }
    TABIA__REFUSE(!ferror(file), TABIA_NO_FILE, "the journal beside the book can't be read");
    TABIA__REFUSE(own || last <= sequence, TABIA_BAD_JOURNAL, "J-3: the journal is of the book's parent, and has what the book has not");
    TABIA__REFUSE(last <= sequence && (whole || last >= first || last < sequence), TABIA_HAS_JOURNAL,
        "additions stand beside the book, in its journal: `tabia compact` puts them into it");
    return TABIA_OK;
}

static int tabia__look_beside(const TabiaBook *book, const char *path, TabiaError *error) {
    char name[4096];
    uint64_t length, id[2];
    int is_long = (size_t)snprintf(name, sizeof name, "%s-journal", path) >= sizeof name, there = is_long ? -1 : tabia__map(name, NULL, &length, id), bad;
    FILE *file = there > 0 ? fopen(name, "rb") : NULL;
    TABIA__REFUSE(!there || file, TABIA_NO_FILE, "the journal beside the book can't be opened, or its path is too long");
    bad = file ? tabia__check_journal(book, file, error) : TABIA_OK;
    if (file) (void)fclose(file);
    return bad;
}

TABIA_API int tabia_open_bytes(TabiaBook *book, const void *bytes, size_t length, TabiaError *error) {
    TabiaError unseen;
    int bad;
    if (!error) error = &unseen;
    memset(book, 0, sizeof *book);
    error->kind = TABIA_OK, error->what = "", error->place = 0;
    book->bytes = (const uint8_t *)bytes, book->length = length;
    if ((bad = tabia__open_header(book, error)) == 0 && (bad = tabia__open_sections(book, error)) == 0 && book->packed) bad = tabia__open_pack(book, error);
    if (bad) memset(book, 0, sizeof *book);
    return bad;
}

TABIA_API int tabia_open(TabiaBook *book, const char *path, int how, TabiaError *error) {
    TabiaError unseen;
    if (!error) error = &unseen;
    for (int i = 0; i < 100; i++) { /* again, if the book is replaced between the look at it and that at its journal */
        const uint8_t *bytes = NULL;
        uint64_t length = 0, file[2] = { 0, 0 };
        int bad, replaced;
        memset(book, 0, sizeof *book);
        error->place = 0;
        TABIA__REFUSE(tabia__map(path, &bytes, &length, file) > 0, TABIA_NO_FILE, "the file can't be opened or mapped");
        if ((bad = tabia_open_bytes(book, bytes, (size_t)length, error)) != 0 && bytes) tabia__unmap(bytes, length);
        if (bad) return bad;
        book->mapped = 1, book->file[0] = file[0], book->file[1] = file[1];
        if (how & TABIA_IGNORE_JOURNAL) return TABIA_OK;
        bad = tabia__look_beside(book, path, error), replaced = tabia_is_replaced(book, path);
        if (bad || replaced) tabia_close(book);
        if (!replaced) return bad;
    }
    return error->what = "the book is replaced again and again", error->kind = TABIA_NO_FILE;
}
TABIA_API void tabia_close(TabiaBook *book) {
    if (book->mapped) tabia__unmap(book->bytes, book->length);
    memset(book, 0, sizeof *book);
}
TABIA_API int tabia_is_replaced(const TabiaBook *book, const char *path) {
    uint64_t length, file[2];
    return tabia__map(path, NULL, &length, file) <= 0 || memcmp(file, book->file, sizeof file) != 0;
}
#endif
