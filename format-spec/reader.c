/* reader BOOK KEY: prints what a Tabia book, version 1, holds about one position. KEY is 16 hex digits.
 *
 * Written from README.md alone, to prove that it suffices. It reads the bare book: no journal is overlaid, no table block is verified.
 * Rules B-1 to B-10 are checked when it opens the book, so that no damaged or hostile file makes it read outside the book or loop.
 *
 *   position KEY WINS DRAWS LOSSES EVAL DEPTH FLAGS     at most one line; EVAL is - if there is none, FLAGS are 2 hex digits
 *   move KEY MOVE WINS DRAWS LOSSES MARKS [RATINGS]     a line for each move, in the book's order; MOVE 4 hex digits, MARKS 2
 *
 * RATINGS, in a book that has them, are the sum of the movers' ratings, that of their opponents', the rated games and their score.
 *
 * Exit code: 0 found, 1 not in the book, 2 not a readable book (a line on stderr names the file and the rule). cc -std=c99 -O2 reader.c */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096, ROW = 24, RATED_ROW = 48, ENTRY = 96, FILT = 0, POSN = 1, MOVE = 3, SRCS = 5, TAGS = 6 };
typedef struct { uint64_t offset, length, rows, homes, reach; int there; } Section;

static const char *name;
static int fd, rated; /* rated: moves have ratings */
static Section section[TAGS + 1]; /* in the order of the tags; the last is for unknown ones */

static void refuse(const char *why) { fprintf(stderr, "%s: %s\n", name, why); exit(2); }
static void hold(int good, const char *rule) { if (!good) refuse(rule); }

static uint64_t number(const uint8_t *at, int bytes) { /* little-endian */
    uint64_t n = 0;
    while (bytes--) n = n << 8 | at[bytes];
    return n;
}

static void read_at(uint8_t *to, size_t bytes, uint64_t offset) {
    while (bytes) {
        ssize_t got = pread(fd, to, bytes, (off_t)offset);
        if (got <= 0) refuse("the book can't be read");
        to += got, offset += (uint64_t)got, bytes -= (size_t)got;
    }
}

static int all_zero(const uint8_t *at, size_t bytes) {
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
    return n && all_zero(at + n, 16 - n);
}

static uint64_t mix(uint64_t x) {
    x ^= x >> 30; x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27; x *= UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t high_product(uint64_t a, uint64_t b) { /* (a * b) >> 64 */
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t middle = ah * bl + (al * bl >> 32), other = al * bh + (uint32_t)middle;
    return ah * bh + (middle >> 32) + (other >> 32);
}

static uint64_t row_size(int tag) { return tag == MOVE && rated ? RATED_ROW : ROW; }

static void open_section(const uint8_t *entry, int tag, uint64_t load) { /* B-7, B-8, B-10; B-6 held its place */
    Section *s = &section[tag];
    *s = (Section){ number(entry + 8, 8), number(entry + 16, 8), number(entry + 32, 8), number(entry + 40, 8), number(entry + 48, 8), 1 };
    hold(all_zero(entry + 80, 16), "B-10: reserved bytes of a section's entry are not zero");
    if (tag != POSN && tag != MOVE) {
        hold(all_zero(entry + 4, 4) && all_zero(entry + 32, 48), "B-10: a section without rows has table fields that are not zero");
        if (tag == POSN + 1 || tag == MOVE + 1)
            hold(s->length == ((s - 1)->length + PAGE - 1) / PAGE * 8, "B-7: the length of a table's sums");
        return;
    }
    uint64_t size = row_size(tag), slots = s->length / size;
    hold(number(entry + 4, 4) == size && s->length % size == 0, "B-7: row size");
    hold(s->homes >= 1 && s->homes <= slots && s->reach == slots - s->homes && s->rows <= slots, "B-7: rows, homes, reach and length");
    uint64_t homes = s->rows / load * 1000 + (s->rows % load * 1000 + load - 1) / load; /* ceil(rows * 1000 / load) */
    hold(s->homes == (homes ? homes : 1), "B-8: homes are not those of rows and load");
    hold(all_zero(entry + 24, 8), "B-10: a table's entry has a checksum");
}

static void open_book(void) {
    static const char tags[TAGS][5] = { "FILT", "POSN", "PSUM", "MOVE", "MSUM", "SRCS" };
    struct stat file;
    uint8_t page[PAGE];
    if ((fd = open(name, O_RDONLY)) < 0 || fstat(fd, &file) || !S_ISREG(file.st_mode)) refuse("the book can't be opened");
    hold(file.st_size >= 8, "B-1: not a Tabia book");
    read_at(page, 8, 0);
    hold(!memcmp(page, "\x89TABIA\r\n", 8), "B-1: not a Tabia book");
    hold(file.st_size >= PAGE, "B-5: the file is shorter than its header");
    read_at(page, PAGE, 0);
    hold(crc32(page, PAGE - 4) == number(page + PAGE - 4, 4), "B-2: the header is damaged");
    hold(number(page + 8, 4) == 1 && number(page + 12, 4) == PAGE && number(page + 72, 4) == PAGE, "B-3: made by another version");
    hold(number(page + 16, 8) < 4, "B-4: needs features that version 1 does not know"); /* bit 1, counts without results, changes nothing here */
    rated = page[16] & 1;
    uint64_t length = number(page + 80, 8), load = number(page + 68, 4), count = number(page + 76, 4), at = PAGE;
    hold(length == (uint64_t)file.st_size && length % PAGE == 0 && length >= 2 * PAGE, "B-5: the file is not as long as its header says");
    hold(name_is_good(page + 32) && name_is_good(page + 48) && page[64] <= 1 && load >= 500 && load <= 980, "B-9: game, keys, keyed or load");
    hold(count >= 1 && count <= 39, "B-6: section count");
    const uint8_t *table = page + 256;
    hold(all_zero(page + 65, 3) && all_zero(page + 128, 128) && all_zero(table + count * ENTRY, PAGE - 4 - 256 - count * ENTRY),
         "B-10: reserved bytes of the header are not zero");
    int next = 0, sums_due = 0; /* the lowest tag that may come now; whether it must be that one */
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *entry = table + i * ENTRY;
        uint64_t bytes = number(entry + 16, 8);
        int tag = 0;
        while (tag < TAGS && memcmp(entry, tags[tag], 4)) tag++;
        for (int c = 0; c < 4; c++) hold(entry[c] >= 'A' && entry[c] <= 'Z', "B-6: a tag is not four capital letters");
        for (uint64_t j = 0; j < i; j++) hold(memcmp(entry, table + j * ENTRY, 4), "B-6: two sections have the same tag");
        hold(sums_due ? tag == next : tag == TAGS || (tag >= next && tag != POSN + 1 && tag != MOVE + 1), "B-6: the order of the sections");
        sums_due = tag == POSN || tag == MOVE;
        if (tag < TAGS) next = tag + 1;
        hold(number(entry + 8, 8) == at && bytes <= length - PAGE - at, "B-6: a section's offset or length");
        at += (bytes + PAGE - 1) / PAGE * PAGE;
        open_section(entry, tag, load);
    }
    hold(!sums_due && section[SRCS].there && (section[POSN].there || section[MOVE].there), "B-6: a section is missing");
    hold(!rated || section[MOVE].there, "B-7: ratings of moves without moves");
    hold(at == length - PAGE, "B-6: the sections don't end where the last page begins");
    uint64_t blocks = section[POSN].rows * 10 / 512 + (section[POSN].rows * 10 % 512 > 0);
    if (section[FILT].there) hold(section[POSN].there && section[FILT].length == 64 * (blocks ? blocks : 1), "B-20: the filter's length");
}

/* Prints the rows of a key in one table, and returns their number. */
static uint64_t print_rows(int tag, const char *key, uint64_t h) {
    const Section *s = &section[tag];
    uint64_t found = 0;
    if (!s->there) return 0;
    for (uint64_t slot = high_product(h, s->homes), last = slot + s->reach; slot <= last; slot++) {
        uint8_t row[RATED_ROW];
        read_at(row, row_size(tag), s->offset + slot * row_size(tag));
        uint64_t here = number(row, 8);
        if (here < h) continue;
        if (here > h || row[ROW - 1] == 0xff) break; /* a greater row, or an empty slot */
        uint64_t wins = number(row + 8, 4), draws = number(row + 12, 4), losses = number(row + 16, 4), last_but_one = row[22];
        int eval = (int)(number(row + 20, 2) ^ 0x8000) - 0x8000;
        found++;
        printf("%s %s ", tag == POSN ? "position" : "move", key);
        if (tag == MOVE) printf("%04x ", (unsigned)number(row + 20, 2));
        printf("%" PRIu64 " %" PRIu64 " %" PRIu64, wins, draws, losses);
        if (tag == MOVE) {
            printf(" %02x", (unsigned)last_but_one);
            if (rated) printf(" %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, number(row + 24, 6), number(row + 30, 6), number(row + 36, 4), number(row + 40, 8));
            putchar('\n');
        }
        else if (eval == -32768) printf(" - %u %02x\n", (unsigned)last_but_one, row[23]);
        else printf(" %d %u %02x\n", eval, (unsigned)last_but_one, row[23]);
        if (tag == POSN) break; /* a key has one row here */
    }
    return found;
}

int main(int count, char **args) {
    name = count == 3 ? args[1] : "usage";
    if (count != 3 || strlen(args[2]) != 16 || strspn(args[2], "0123456789abcdefABCDEF") != 16) refuse("reader BOOK KEY, where KEY is 16 hex digits");
    open_book();
    char key[17];
    uint64_t number_of_key = strtoull(args[2], NULL, 16), h = mix(number_of_key);
    snprintf(key, sizeof key, "%016" PRIx64, number_of_key);
    uint64_t rows = print_rows(POSN, key, h);
    rows += print_rows(MOVE, key, h);
    return rows ? 0 : 1;
}
