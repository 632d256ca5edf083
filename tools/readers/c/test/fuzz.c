/* fuzz LIST SEED COUNT FOLDER: opens COUNT damaged books, journals and sets of shares, and asks those that can be opened. LIST is what `golden.py --lay-out` writes; FOLDER is for files.
 *
 * Built with sanitizers, or run under valgrind, it shows that nothing is read outside a book: each is in a piece of memory of its own, exactly as long. Checksums
 * are most often made right again after the damage, so that what is behind them is reached. Answers have to be the same one by one and in batches. */
#define TABIA_IMPLEMENTATION
#define TABIA_JOURNAL_IMPLEMENTATION
#define TABIA_SET_IMPLEMENTATION
#include "../tabia_set.h"

#include <inttypes.h>
#include <stdlib.h>

enum { FILES = 1000, KEYS = 64, ROOM = 100, SHARES = 4 };
typedef struct { char path[300], of[300]; uint8_t *bytes; size_t length; uint64_t keys[KEYS]; size_t count; } File;
static File files[FILES];
static size_t file_count, opened, refused, damaged, overlaid, sets;
static uint64_t state;
static TabiaMove moves[KEYS][ROOM], alone[ROOM];
static TabiaColumns columns[KEYS][ROOM];

static uint64_t dice(uint64_t sides) { return tabia__high(tabia__mix(state += UINT64_C(0x9e3779b97f4a7c15)), sides); }
static void fail(const char *what, const File *file) { fprintf(stderr, "%s: %s\n", file->path, what), exit(1); }

static void put(uint8_t *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(value >> 8 * i);
}

static void read_file(File *file) {
    FILE *from = fopen(file->path, "rb");
    if (!from) fail("can't be read", file);
    file->bytes = (uint8_t *)malloc(1 << 22);
    file->length = fread(file->bytes, 1, 1 << 22, from);
    fclose(from);
}

static void read_list(const char *path) {
    FILE *list = fopen(path, "r");
    char line[4000];
    while (list && fgets(line, sizeof line, list) && file_count < FILES) {
        File *file = &files[file_count++];
        char *word = strtok(line, " \n");
        snprintf(file->path, sizeof file->path, "%s", word);
        snprintf(file->of, sizeof file->of, "%s", strtok(NULL, " \n"));
        while (file->count < KEYS && (word = strtok(NULL, " \n")) != NULL) file->keys[file->count++] = strtoull(word, NULL, 16);
        read_file(file);
        if (file->length > 200000) free(file->bytes), file->bytes = NULL, file_count--; /* smaller ones have all there is */
    }
    if (list) fclose(list);
}

/* Another value for a number: near it, of one bit, or an extreme one. */
static uint64_t changed(uint64_t value, int bytes) {
    static const uint64_t extremes[] = { 0, 1, 2, 24, 63, 64, 255, 4095, 4096, 65535, 0x7fffffff, 0xffffffff, UINT64_C(0x7fffffffffffffff), ~UINT64_C(0), ~UINT64_C(4095) };
    switch (dice(4)) {
        case 0: return extremes[dice(sizeof extremes / 8)];
        case 1: return value + dice(9) - 4;
        case 2: return value ^ UINT64_C(1) << dice((uint64_t)bytes * 8);
        default: return tabia__mix(state);
    }
}

static void damage(uint8_t *bytes, size_t length, size_t from, size_t to) {
    if (to > length) to = length;
    if (from + 8 > to) return;
    for (uint64_t n = 1 + dice(4); n--;) {
        static const int widths[] = { 1, 2, 4, 8 };
        int width = widths[dice(4)];
        size_t at = (from + (size_t)dice(to - from - 7)) & ~(size_t)(width - 1);
        put(bytes + at, changed(tabia__number(bytes + at, (uint32_t)width), width), width);
    }
}

/* Makes the checksums right again that a reader looks at when it opens a book. */
static void mend_book(uint8_t *bytes, size_t length) {
    uint64_t high = 0, low, at = tabia__u64(bytes + 256 + 8), size = tabia__u64(bytes + 256 + 16);
    uint8_t page[4096];
    if (length < 8192) return;
    if (dice(10)) put(bytes + 80, length, 8);
    if (bytes[16] & 16 && at < length && size >= 32 && size <= length - at) {
        uint32_t last = tabia__u32(bytes + 76) - 1;
        uint64_t salt = tabia__sum(bytes + at, (size_t)size, NULL), page_at = tabia__u64(bytes + 352 + 8), pages = tabia__u64(bytes + 352 + 16) / 4096;
        put(bytes + 256 + 24, salt, 8);
        for (uint64_t i = 0; i < pages && page_at < length && length - page_at >= 4096; i++, page_at += 4096) put(bytes + page_at + 4, (uint32_t)(salt + i), 4);
        if (last < 39 && dice(10)) memcpy(bytes + 256 + 96 * last + 16, bytes + 256 + 16, 16);
    }
    memcpy(page, bytes, sizeof page);
    memset(page + 88, 0, 40), memset(page + 4092, 0, 4);
    low = tabia__sum(page, sizeof page, &high);
    for (int i = 0; i < 8; i++) bytes[88 + i] = (uint8_t)(high >> (56 - 8 * i)), bytes[96 + i] = (uint8_t)(low >> (56 - 8 * i));
    put(bytes + 4092, tabia__crc(0, bytes, 4092), 4);
}

static void mend_journal(uint8_t *bytes, size_t length) {
    uint32_t previous;
    if (length < 64) return;
    put(bytes + 56, tabia__sum(bytes + 32, 24, NULL), 8);
    put(bytes + 12, previous = tabia__crc(0, bytes + 16, 48), 4);
    for (size_t at = 64; length - at >= 40;) {
        uint64_t size = tabia__u64(bytes + at + 8);
        if (size > length - at - 40) return;
        put(bytes + at + 24, tabia__crc(0, bytes + at + 40, (size_t)size), 4);
        put(bytes + at + 32, previous, 4);
        put(bytes + at + 4, previous = tabia__crc(tabia__crc(0, bytes + 56, 8), bytes + at + 8, 32), 4);
        at += 40 + (size_t)size;
    }
}

static int same(const TabiaProbe *p, int found, const TabiaPosition *position, int count) {
    return found == p->found && count == p->count && p->total >= count && (!found || !memcmp(position, &p->position, sizeof *position)) &&
        !memcmp(alone, p->moves, (size_t)count * sizeof *alone);
}

/* Asks for all keys, and some others, in a batch and one by one. */
static void ask(const TabiaBook *book, const File *file) {
    TabiaProbe probes[KEYS];
    TabiaError error = { 0, "", 0 };
    int bad, worse = 0;
    for (size_t i = 0; i < KEYS; i++) {
        probes[i].key = i < file->count ? file->keys[i] : tabia__mix(state + i);
        probes[i].moves = moves[i], probes[i].columns = columns[i], probes[i].room = ROOM;
    }
    bad = tabia_probe(book, probes, KEYS, TABIA_POSITIONS | TABIA_MOVES, &error);
    if (bad && (bad != TABIA_DAMAGED || (strncmp(error.what, "B-32: ", 6) && strncmp(error.what, "B-31: ", 6)) || error.place > book->length)) fail("an error without a place", file);
    for (size_t i = 0; i < KEYS; i++) {
        TabiaPosition position;
        int found = tabia_position(book, probes[i].key, &position), count = tabia_moves(book, probes[i].key, alone, ROOM);
        worse |= found < 0 || count < 0;
        if (!bad && !same(&probes[i], found, &position, count)) fail("answers differ by the way they are asked for", file);
    }
    if (bad && !worse) { /* columns alone can be wrong, too */
        for (size_t i = 0; i < KEYS && !worse; i++) worse |= tabia_probe(book, &probes[i], 1, TABIA_POSITIONS | TABIA_MOVES, &error);
        if (!worse) fail("a batch is damaged, and none of its keys", file);
    }
    damaged += (size_t)(bad != 0);
}

static void list_facts(const TabiaBook *book, const File *file) {
    TabiaFact fact = { NULL, NULL, NULL, 0, 0, 0, 0 };
    uint64_t bytes = 0;
    while (tabia_fact(book, &fact) > 0)
        if ((bytes += fact.name_length + fact.value_length) > book->length || tabia__zero((const uint8_t *)fact.value, fact.value_length) > 1) fail("endless facts", file);
}

static void try_book(const File *file) {
    size_t length = dice(20) ? file->length : (size_t)dice(file->length + 5000);
    uint8_t *bytes = (uint8_t *)malloc(length ? length : 1);
    TabiaBook book;
    TabiaError error;
    memset(bytes, 0, length);
    memcpy(bytes, file->bytes, length < file->length ? length : file->length);
    switch (dice(4)) {
        case 0: damage(bytes, length, 0, 256 + 96 * 14); break; /* the header */
        case 1: damage(bytes, length, 4096, 8192); break;       /* PACK, or the first rows */
        default: damage(bytes, length, 4096, length);
    }
    if (dice(10) && length >= 4096) mend_book(bytes, length);
    if (tabia_open_bytes(&book, bytes, length, &error) == TABIA_OK) {
        opened++;
        ask(&book, file);
        list_facts(&book, file);
    } else {
        refused++;
        if (error.kind >= 0 || strncmp(error.what, "B-", 2) || error.place > length) fail("an error without a rule or a place", file);
    }
    tabia_close(&book);
    free(bytes);
}

static void write_file(const char *path, const uint8_t *bytes, size_t length) {
    FILE *to = fopen(path, "wb");
    if (!to || fwrite(bytes, 1, length, to) != length || fclose(to)) perror(path), exit(1);
}

/* Asks by the journal laid over: answers in a batch, of which most have no room, end where they should. */
static void ask_overlaid(const TabiaBook *book, const TabiaJournal *journal, const File *file) {
    TabiaProbe probes[KEYS];
    for (size_t i = 0; i < KEYS; i++) {
        probes[i].key = i < file->count ? file->keys[i] : tabia__mix(state + i);
        probes[i].moves = moves[i], probes[i].columns = i % 2 ? columns[i] : NULL, probes[i].room = i % 3 ? (int)(i % 5) : ROOM;
    }
    if (tabia_probe_overlaid(book, journal, probes, KEYS, TABIA_POSITIONS | TABIA_MOVES, NULL) == TABIA_OK)
        for (size_t i = 0; i < KEYS; i++) {
            if (probes[i].count > probes[i].room || probes[i].count > probes[i].total) fail("more moves than there is room", file);
            for (int m = 1; m < probes[i].count; m++)
                if (moves[i][m - 1].code >= moves[i][m].code) fail("moves are not in order", file);
        }
}

static void try_journal(const File *file, const char *folder) {
    static uint8_t bytes[1 << 18];
    size_t length = dice(10) ? file->length : (size_t)dice(file->length + 100);
    char path[400], beside[400];
    const File *of = files;
    TabiaBook book;
    TabiaJournal journal;
    TabiaError error;
    int good, laid;
    while (strcmp(of->path, file->of)) of++;
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, file->bytes, file->length);
    damage(bytes, length, 0, dice(2) ? length : 64);
    if (dice(10)) mend_journal(bytes, length);
    snprintf(path, sizeof path, "%s/fuzzed", folder), snprintf(beside, sizeof beside, "%s/fuzzed-journal", folder);
    write_file(path, of->bytes, of->length), write_file(beside, bytes, length);
    laid = tabia_open_overlaid(&book, &journal, path, &error) == TABIA_OK;
    if (laid) overlaid++, ask_overlaid(&book, &journal, file);
    else if (error.kind != TABIA_BAD_JOURNAL || strncmp(error.what, "J-", 2) || error.place > length) fail(error.what, file);
    good = laid && !journal.frames && !journal.torn;
    tabia_close_overlaid(&book, &journal);
    if (tabia_open(&book, path, 0, &error) == TABIA_OK) opened++, ask(&book, file);
    else if (good) fail("refused by tabia_open for a journal that has nothing", file);
    else if (refused++, (strncmp(error.what, "J-", 2) && error.kind != TABIA_HAS_JOURNAL) || error.place > length) fail(error.what, file);
    tabia_close(&book);
}

/* The file of the list whose path ends so. */
static const File *named(const char *name) {
    for (size_t i = 0, length = strlen(name); i < file_count; i++) {
        size_t whole = strlen(files[i].path);
        if (whole > length && files[i].path[whole - length - 1] == '/' && !strcmp(files[i].path + whole - length, name)) return &files[i];
    }
    fprintf(stderr, "%s is not in the list\n", name), exit(1);
}

/* Asks a set in a batch and one by one. */
static void ask_set(const TabiaSet *set, const File *file) {
    TabiaProbe probes[KEYS];
    int bad;
    for (size_t i = 0; i < KEYS; i++) {
        probes[i].key = i < file->count && i % 4 ? file->keys[i] : tabia__mix(state + i);
        probes[i].moves = moves[i], probes[i].columns = columns[i], probes[i].room = ROOM;
    }
    bad = tabia_set_probe(set, probes, KEYS, TABIA_POSITIONS | TABIA_MOVES, NULL);
    for (size_t i = 0; i < KEYS; i++) {
        TabiaPosition position;
        int found = tabia_set_position(set, probes[i].key, &position), count = tabia_set_moves(set, probes[i].key, alone, ROOM);
        if (!bad && !same(&probes[i], found, &position, count)) fail("answers of a set differ by the way they are asked for", file);
    }
}

/* Opens the golden shares as a set, one of them damaged, or its journal. */
static void try_set(const char *folder) {
    static const char *const names[SHARES] = { "share-0.tabia", "share-1.tabia", "share-2.tabia", "share-3.tabia" };
    static uint8_t bytes[1 << 18];
    const char *paths[SHARES];
    char path[400], beside[400];
    int with_journal = !dice(3);
    size_t which = with_journal ? 1 : (size_t)dice(SHARES), length = named(names[which])->length;
    const File *share = named(names[which]), *journal = named("journal-share.tabia-journal");
    TabiaSet set;
    TabiaError error;
    snprintf(path, sizeof path, "%s/share", folder), snprintf(beside, sizeof beside, "%s/share-journal", folder);
    for (size_t i = 0; i < SHARES; i++) paths[(i + 3) % SHARES] = i == which ? path : named(names[i])->path;
    memcpy(bytes, share->bytes, length);
    if (!with_journal && dice(3)) damage(bytes, length, 0, 256 + 96 * 14), mend_book(bytes, length);
    else if (!with_journal) { /* its sources and facts, which are the last sections */
        uint32_t sections = tabia__u32(bytes + 76);
        damage(bytes, length, (size_t)tabia__u64(bytes + 256 + 96 * (sections - 2) + 8), length - 4096);
    }
    write_file(path, bytes, length), remove(beside);
    if (with_journal) {
        memcpy(bytes, journal->bytes, journal->length);
        damage(bytes, journal->length, 0, journal->length), mend_journal(bytes, journal->length);
        write_file(beside, bytes, journal->length);
    }
    if (tabia_set_open(&set, paths, SHARES, &error) == TABIA_OK) {
        sets++;
        ask_set(&set, share);
    } else if (refused++, strncmp(error.what, error.kind == TABIA_NOT_A_SET ? "S-" : error.kind == TABIA_BAD_JOURNAL ? "J-" : "B-", 2) || set.failed >= SHARES || set.count)
        fail(error.what, share);
    tabia_set_close(&set);
    ask_set(&set, share);
}

int main(int count, char **args) {
    if (count != 5) return fprintf(stderr, "usage: fuzz LIST SEED COUNT FOLDER\n"), 2;
    read_list(args[1]);
    state = strtoull(args[2], NULL, 10) << 32;
    for (uint64_t n = strtoull(args[3], NULL, 10); n--;) {
        const File *file = &files[dice(file_count)];
        if (!dice(50)) try_set(args[4]);
        else if (*file->of == '-') try_book(file);
        else if (!dice(4)) try_journal(file, args[4]); /* files take time */
        else n++;
    }
    printf("%s inputs: %zu opened, %zu of them found damaged when asked, %zu refused; %zu journals laid over, %zu sets\n", args[3], opened, damaged, refused, overlaid, sets);
    for (size_t i = 0; i < file_count; i++) free(files[i].bytes);
    return 0;
}
