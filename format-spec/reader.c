/* reader BOOK KEY: prints what a Tabia book, version 1, holds about one position. KEY is 16 hex digits.
 *
 * Written from README.md alone, to prove that it suffices. It reads the bare book: no journal is overlaid, no block is verified, no
 * column is looked at. Rules B-1 to B-10, B-20, B-23 and B-25 are checked when it opens the book, so that no damaged or hostile file
 * makes it read outside the file or loop. A share answers for the keys that it has; TAGS are asked if they are there.
 *
 *   position KEY WINS DRAWS LOSSES EVAL DEPTH FLAGS     at most one line; EVAL is - if there is none, FLAGS are 2 hex digits
 *   move KEY MOVE WINS DRAWS LOSSES MARKS               a line for each move, in the book's order; MOVE 4 hex digits, MARKS 2
 *
 * Exit code: 0 found, 1 not in the book, 2 not a readable book (a line on stderr names the file and the rule). cc -std=c99 -O2 reader.c */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { PAGE = 4096, ROW = 24, ENTRY = 96, MOST = 39 };
enum { POSN, TAGS, MOVE, RTNG, GAME, YEAR, SRCS, FACT, OTHER }; /* known sections in their order; OTHER: one that is not known */
typedef struct { uint64_t offset, length, rows, homes, displacement, slots; } Section; /* offset 0: it is not there */

static const char tags[OTHER][5] = { "POSN", "TAGS", "MOVE", "RTNG", "GAME", "YEAR", "SRCS", "FACT" };
static const uint64_t cells[OTHER] = { ROW, 2, ROW, 24, 8, 4, 0, 0 };
static Section section[OTHER + 1];
static const uint8_t *book;
static uint64_t share_bits, share_number;
static const char *name;

static void hold(int good, const char *rule) { if (!good) { fprintf(stderr, "%s: %s\n", name, rule); exit(2); } }

static uint64_t number(const uint8_t *at, int bytes) { /* little-endian */
    uint64_t n = 0;
    while (bytes--) n = n << 8 | at[bytes];
    return n;
}

static int is(const uint8_t *at, const char *tag) { return !memcmp(at, tag, 4); }

static int zero(const uint8_t *at, size_t bytes) {
    while (bytes && !at[bytes - 1]) bytes--;
    return !bytes;
}

static uint32_t crc32(const uint8_t *at, size_t bytes) { /* IEEE 802.3, reflected */
    uint32_t crc = 0xffffffff;
    while (bytes--) {
        crc ^= *at++;
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
    }
    return ~crc;
}

static int name_is_good(const uint8_t *at) { /* 1 to 16 of a-z 0-9 -, then NUL to the end */
    size_t n = 0;
    while (n < 16 && ((at[n] >= 'a' && at[n] <= 'z') || (at[n] >= '0' && at[n] <= '9') || at[n] == '-')) n++;
    return n && zero(at + n, 16 - n);
}

static uint64_t mix(uint64_t x) {
    x ^= x >> 30; x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27; x *= UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t home(uint64_t h, uint64_t homes) { /* ((h << b) * homes) >> 64 */
    uint64_t a = h << share_bits, al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)homes, bh = homes >> 32;
    uint64_t middle = ah * bl + (al * bl >> 32), other = al * bh + (uint32_t)middle;
    return ah * bh + (middle >> 32) + (other >> 32);
}

static void open_table(Section *s, uint64_t load) {
    hold(s->length % ROW == 0 && s->homes >= 1 && s->homes <= s->slots && s->rows <= s->slots, "B-7: a table's length, homes or rows");
    uint64_t homes = s->rows / load * 1000 + (s->rows % load * 1000 + load - 1) / load; /* ceil(rows * 1000 / load) */
    hold(s->homes == (homes ? homes : 1), "B-8: homes are not those of rows and load");
    uint64_t slack = s->rows <= 1024 ? s->rows : 1024;
    hold(s->displacement <= s->slots - s->homes, "B-23: max displacement is greater than slack");
    while (s->rows > 1024 && slack < s->displacement) slack *= 4; /* ends, as max displacement is less than 2^60 here */
    hold(s->slots - s->homes == slack, "B-23: slack is not that of rows and max displacement");
}

/* Reads the entry of a section that isn't sums; returns the length of its sums, 0 if it has none. */
static uint64_t open_section(const uint8_t *entry, int tag, uint64_t load) {
    uint64_t cell = number(entry + 4, 4), length = number(entry + 16, 8);
    int is_table = tag == POSN || tag == MOVE, beside = !zero(entry + 80, 4), column = tag < SRCS || beside, of = is(entry + 80, "POSN") ? POSN : MOVE;
    hold(zero(entry + 84, 12) && (is_table || zero(entry + 32, 48)), "B-10: reserved bytes, or fields of tables, of an entry");
    section[tag] = (Section){ number(entry + 8, 8), length, number(entry + 32, 8), number(entry + 40, 8), number(entry + 48, 8), length / ROW };
    hold(!is_table || cell == ROW, "B-7: a table's cell size");
    hold((!is_table && tag != SRCS && tag != FACT) || !beside, "B-10: a section is beside a table that can't be");
    hold(!column || zero(entry + 24, 8), "B-10: a section with sums has a checksum");
    hold(column || !cell, "B-10: a section without cells has a cell size");
    if (is_table) open_table(&section[tag], load);
    else if (column) {
        hold(is(entry + 80, tags[of]) && section[of].offset && (tag == OTHER || of == (tag == TAGS ? POSN : MOVE)), "B-25: the table that a section is beside");
        hold(cell && (tag == OTHER || cell == cells[tag]) && length % cell == 0 && length / cell == section[of].slots, "B-25: cell size or length");
    }
    return column ? (length + PAGE - 1) / PAGE * 8 : 0;
}

static void open_sections(const uint8_t *table, uint64_t count, uint64_t end, uint64_t load) {
    uint64_t at = PAGE, sums = 0; /* where the next section begins; the length of the sums that it has to be */
    for (int i = 0, tag, next = 0; i < (int)count; i++) { /* next: the least known tag that may come now */
        const uint8_t *entry = table + i * ENTRY;
        uint64_t length = number(entry + 16, 8);
        for (int j = 0; j < i; j++) hold(memcmp(entry, table + j * ENTRY, 4), "B-6: two sections have the same tag");
        hold(number(entry + 8, 8) == at && length <= end - at, "B-6: a section's offset or length");
        at += (length + PAGE - 1) / PAGE * PAGE;
        for (int c = 0; c < 4; c++)
            hold(sums ? entry[c] == entry[c - ENTRY] + 'a' - 'A' : entry[c] >= 'A' && entry[c] <= 'Z', "B-6: a tag is not that of sums, or of a section");
        if (sums) {
            hold(zero(entry + 4, 4) && zero(entry + 32, 64), "B-10: sums have a cell size, rows or a table");
            hold(length == sums, "B-7: the length of sums");
            sums = 0;
            continue;
        }
        for (tag = 0; tag < OTHER && !is(entry, tags[tag]);) tag++;
        hold(!is(entry, "PACK") && !is(entry, "PAGE") && !is(entry, "DICT"), "B-30: pages in a book that is not packed");
        hold(tag >= next, "B-6: the order of the sections");
        if (tag < OTHER) next = tag + 1;
        sums = open_section(entry, tag, load);
    }
    hold(!sums && section[SRCS].offset && section[FACT].offset && (section[POSN].offset || section[MOVE].offset), "B-6: a section is missing");
    hold(at == end, "B-6: the sections don't end where the last page begins");
}

static void open_book(void) {
    struct stat file;
    int fd = open(name, O_RDONLY), old;
    hold(fd >= 0 && !fstat(fd, &file) && S_ISREG(file.st_mode), "the book can't be opened");
    hold(file.st_size >= 8, "B-1: not a Tabia book");
    book = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_SHARED, fd, 0);
    hold(book != MAP_FAILED, "the book can't be read");
    hold(!memcmp(book, "\x89TABIA\r\n", 8), "B-1: not a Tabia book");
    hold(file.st_size >= PAGE, "B-5: the file is shorter than its header");
    hold(crc32(book, PAGE - 4) == number(book + PAGE - 4, 4), "B-2: the header is damaged");
    hold(number(book + 8, 4) == 1 && number(book + 12, 4) == PAGE && number(book + 72, 4) == PAGE, "B-3: made by another version");
    hold(number(book + 16, 8) < 32, "B-4: needs features that version 1 does not know"); /* bit 1, counts without results, changes nothing here */
    hold(!(book[16] & 16), "B-4: a packed book, which this reader does not read");
    uint64_t length = number(book + 80, 8), load = number(book + 68, 4), count = number(book + 76, 4);
    const uint8_t *table = book + 256, *entry = table;
    for (old = book[16] & 9; entry < table + (count < MOST ? count : MOST) * ENTRY; entry += ENTRY)
        old |= is(entry, "FILT") || is(entry, "PSUM") || is(entry, "MSUM");
    hold(!old, "B-20: made by an unreleased version of Tabia: build it again");
    hold(length == (uint64_t)file.st_size && length % PAGE == 0 && length >= 2 * PAGE, "B-5: the file is not as long as its header says");
    hold(name_is_good(book + 32) && name_is_good(book + 48) && book[64] <= 1 && load >= 500 && load <= 980, "B-9: game, keys, keyed or load");
    share_bits = book[65], share_number = number(book + 128, 4);
    hold(share_bits <= 32 && share_number >> share_bits == 0 && !share_bits == !(book[16] & 4), "B-9: the share");
    hold(count >= 1 && count <= MOST, "B-6: section count");
    hold(zero(book + 66, 2) && zero(book + 132, 124) && zero(entry, (size_t)(book + PAGE - 4 - entry)), "B-10: reserved bytes of the header");
    open_sections(table, count, length - PAGE, load);
}

/* The first slot from `slot` to `last` whose tag is that of h, if no greater one comes before it; last + 1 if there is none. */
static uint64_t ask_tags(const Section *s, uint64_t slot, uint64_t last, uint64_t h) {
    uint64_t first = home(h, s->homes), mine = (first & 127) << 9 | ((h << share_bits) * s->homes) >> 55;
    for (; slot <= last; slot++) {
        uint64_t more = (number(book + section[TAGS].offset + 2 * slot, 2) - mine) & 0xffff;
        if (!more) return slot;
        if (s->displacement <= 126 && more <= (slot - first + 1) * 512) break; /* a greater tag */
    }
    return last + 1;
}

/* Prints the rows of a key in one table, and returns their number. */
static uint64_t print_rows(int tag, const char *key, uint64_t h) {
    const Section *s = &section[tag];
    uint64_t found = 0, slot = home(h, s->homes), last = slot + s->displacement;
    if (!s->offset || (share_bits && h >> (64 - share_bits) != share_number)) return 0;
    for (; slot <= last; slot++) {
        if (tag == POSN && section[TAGS].offset && (slot = ask_tags(s, slot, last, h)) > last) break;
        const uint8_t *row = book + s->offset + slot * ROW;
        if (number(row, 8) < h) continue;
        if (number(row, 8) > h || row[23] == 0xff) break; /* a greater row, or an empty slot */
        uint64_t wins = number(row + 8, 4), draws = number(row + 12, 4), losses = number(row + 16, 4), move = number(row + 20, 2);
        found++;
        printf("%s %s ", tag == POSN ? "position" : "move", key);
        if (tag == MOVE) printf("%04x ", (unsigned)move);
        printf("%" PRIu64 " %" PRIu64 " %" PRIu64, wins, draws, losses);
        if (tag == MOVE) printf(" %02x\n", row[22]);
        else if (move == 0x8000) printf(" - %u %02x\n", row[22], row[23]); /* here it is the eval */
        else printf(" %d %u %02x\n", (int)(move ^ 0x8000) - 0x8000, row[22], row[23]);
        if (tag == POSN) break; /* a key has one row here */
    }
    return found;
}

int main(int count, char **args) {
    name = count == 3 ? args[1] : "usage";
    hold(count == 3 && strlen(args[2]) == 16 && strspn(args[2], "0123456789abcdefABCDEF") == 16, "reader BOOK KEY, where KEY is 16 hex digits");
    open_book();
    char key[17];
    uint64_t number_of_key = strtoull(args[2], NULL, 16), h = mix(number_of_key);
    snprintf(key, sizeof key, "%016" PRIx64, number_of_key);
    uint64_t rows = print_rows(POSN, key, h);
    rows += print_rows(MOVE, key, h);
    return rows ? 0 : 1;
}
