/* tabia_journal.h: a book with its journal laid over it. Optional, beside tabia.h: for programs that want this week's games without `tabia compact`.
 *
 *     #define TABIA_IMPLEMENTATION            in one source file, tabia.h first
 *     #include "tabia.h"
 *     #define TABIA_JOURNAL_IMPLEMENTATION
 *     #include "tabia_journal.h"
 *
 *     TabiaBook book; TabiaJournal journal; TabiaError error;
 *     if (tabia_open_overlaid(&book, &journal, "masters.tabia", &error)) ...
 *     tabia_probe_overlaid(&book, &journal, probes, count, TABIA_POSITIONS | TABIA_MOVES, &error);
 *
 * The journal is read whole, checked (J-1 to J-10) and indexed when it is opened, with malloc; probes allocate nothing, and any number of threads may ask. What is
 * added to it later is not seen. License: MIT OR Apache-2.0. */
#ifndef TABIA_JOURNAL_H
#define TABIA_JOURNAL_H
#include "tabia.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct Tabia__Change { /* of a row */
    uint64_t h;
    const uint8_t *part;         /* the header of the part that it is in */
    uint32_t i, frame;           /* which row of the part; the frame's number, from 0 */
    uint32_t code;               /* of the move, 0 in a table of positions */
} Tabia__Change;

/* A journal, read. It belongs to the book that it was opened with. */
typedef struct TabiaJournal {
    uint64_t frames; /* batches that lie over the book; 0 without a journal */
    uint64_t torn;   /* bytes at its end that a crash left, and that don't count */
    /* private: */
    uint8_t *bytes;
    uint64_t length;
    Tabia__Change *changes[2]; /* of positions, of moves, in ascending order of (h, code, frame) */
    size_t count[2], room[2];
    uint32_t cells[2], column[3]; /* bytes of all cells of a row; where those of RTNG, GAME and YEAR begin among them */
} TabiaJournal;

/* Opens a book as tabia_open does, and what stands beside it as its journal. Returns TABIA_OK (also without a journal, or with one that doesn't count any more), or
 * the kind of the error: TABIA_BAD_JOURNAL for one that is damaged or another book's (`place`: in the journal). Close both by tabia_close_overlaid. */
TABIA_API int tabia_open_overlaid(TabiaBook *book, TabiaJournal *journal, const char *path, TabiaError *error);
TABIA_API void tabia_close_overlaid(TabiaBook *book, TabiaJournal *journal);
/* As tabia_probe. If `total` of an answer is more than `room`, ask again with more room: which of the moves are stored then is not said. */
TABIA_API int tabia_probe_overlaid(const TabiaBook *book, const TabiaJournal *journal, TabiaProbe *probes, size_t count, int what, TabiaError *error);

#ifdef __cplusplus
}
#endif
#endif

#ifdef TABIA_JOURNAL_IMPLEMENTATION
#undef TABIA_JOURNAL_IMPLEMENTATION
#include <stdlib.h>

enum { TABIA__ADD = 1, TABIA__PUT, TABIA__DELETE, TABIA__SOURCES, TABIA__FACTS };
enum { TABIA__JOURNAL_HEAD = 64, TABIA__FRAME_HEAD = 40, TABIA__PART_HEAD = 16, TABIA__MOST_ENTRIES = 1 << 26 };
#define TABIA__JOURNAL(good, text) TABIA__REFUSE(good, TABIA_BAD_JOURNAL, text)
static const char tabia__contents[] = "J-5: the contents of a frame are damaged";

/* ---- Frames ---- */
/* Whether a header of a frame of this journal is at a place. */
static int tabia__is_frame(const TabiaJournal *j, uint64_t at) {
    const uint8_t *head = j->bytes + (size_t)at;
    return j->length - at >= TABIA__FRAME_HEAD && !memcmp(head, "FRAM", 4) && tabia__crc(tabia__crc(0, j->bytes + 56, 8), head + 8, 32) == tabia__u32(head + 4);
}

static int tabia__is_good(const TabiaJournal *j, uint64_t at, uint32_t previous) {
    const uint8_t *head = j->bytes + (size_t)at;
    return tabia__is_frame(j, at) && tabia__u32(head + 32) == previous && tabia__u64(head + 8) <= j->length - at - TABIA__FRAME_HEAD &&
        tabia__crc(0, head + TABIA__FRAME_HEAD, (size_t)tabia__u64(head + 8)) == tabia__u32(head + 24);
}

/* Section 8.4: whether what begins at `at`, where the frame `next` should be, is a torn tail, or damage. */
static int tabia__check_tail(const TabiaJournal *j, uint64_t at, uint64_t next, uint32_t previous, TabiaError *error) {
    const uint8_t *head = j->bytes + (size_t)at;
    int own = tabia__is_frame(j, at), sound = own && tabia__u64(head + 16) == next && tabia__u32(head + 32) == previous;
    error->place = at;
    TABIA__JOURNAL(!own || tabia__u64(head + 16) <= next, "J-4: a frame of the journal is missing");
    for (uint64_t other = at + 1; other < j->length; other++) {
        const uint8_t *found = (const uint8_t *)memchr(j->bytes + (size_t)other, 'F', (size_t)(j->length - other));
        uint64_t sequence;
        uint32_t before;
        if (!found) break;
        other = (uint64_t)(found - j->bytes);
        if (!tabia__is_frame(j, other)) continue;
        sequence = tabia__u64(found + 16), before = tabia__u32(found + 32);
        TABIA__JOURNAL(sequence != next || before != previous, "J-4: something is between two frames of the journal");
        TABIA__JOURNAL(sequence <= next || (sequence == next + 1 && sound && before != tabia__u32(head + 4)), "J-5: a frame of the journal is damaged");
    }
    return TABIA_OK;
}

/* ---- Parts ---- */
static int tabia__is_text(const uint8_t *at, size_t length) { /* whether it is UTF-8 */
    for (size_t i = 0; i < length;) {
        uint32_t first = at[i++], more = first < 0x80 ? 0 : first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : 9, code;
        if (more > length - i) return 0;
        for (code = first & (0x7fu >> (more + (more > 0))); more; more--, i++) {
            if (at[i] >> 6 != 2) return 0;
            code = code << 6 | (at[i] & 63);
        }
        if ((first >= 0xf0 && (code < 0x10000 || code > 0x10ffff)) || (first >= 0xe0 && first < 0xf0 && (code < 0x800 || code >> 11 == 0x1b))) return 0;
    }
    return 1;
}

/* Whether sources or facts are as sections 7.1 and 7.2 say. */
static int tabia__are_entries(const uint8_t *at, uint64_t length, uint32_t count, int facts) {
    uint64_t head = facts ? 24 : 32, size, n, m;
    for (; count--; at += (size_t)size, length -= size) {
        if (length < head) return 0;
        n = tabia__u32(at + (facts ? 16 : 24)), m = facts ? tabia__u32(at + 20) : 0, size = head + n + m, size += (0 - size) % 8;
        if (facts ? n < 1 || n > 64 || m > 65536 : n > 4096 || !tabia__zero(at + 28, 4)) return 0;
        if (size > length || !tabia__zero(at + (size_t)(head + n + m), (size_t)(size - head - n - m))) return 0;
        for (uint64_t i = 0; facts && i < n; i++)
            if (!at[24 + i] || !strchr("abcdefghijklmnopqrstuvwxyz0123456789.-", at[24 + i])) return 0;
        if (!tabia__is_text(at + (size_t)(head + (facts ? n : 0)), (size_t)(facts ? m : n))) return 0;
    }
    return !length;
}

/* Row i of a part; and its cell of a column, whose cells have so many `bytes`, and those of all columns before it `before`. */
static const uint8_t *tabia__row(const uint8_t *part, uint32_t i) { return part + TABIA__PART_HEAD + (size_t)i * TABIA__ROW; }
static const uint8_t *tabia__cell(const uint8_t *part, uint32_t i, uint32_t before, uint32_t bytes) {
    return tabia__row(part, tabia__u32(part + 4)) + (size_t)tabia__u32(part + 4) * before + (size_t)i * bytes;
}

static int tabia__check_row(const TabiaBook *book, const uint8_t *part, const uint8_t *row, TabiaError *error) {
    int positions = part[1] == 1;
    TABIA__JOURNAL(positions ? row[23] < 32 : !row[23], tabia__contents);
    TABIA__JOURNAL(part[0] != TABIA__DELETE || (tabia__zero(row + 8, 12) && (!positions || tabia__zero(row + 20, 2)) && tabia__zero(row + 22, 2)), tabia__contents);
    TABIA__JOURNAL(!book->results_unknown || (!tabia__u32(row + 8) && !tabia__u32(row + 16)), "J-9: the journal has results, the book has none");
    TABIA__JOURNAL(tabia__holds(book, tabia__u64(row)), "J-10: a row of the journal is of another share");
    return TABIA_OK;
}

static int tabia__add_change(TabiaJournal *j, int table, Tabia__Change change, TabiaError *error) {
    if (j->count[table] == j->room[table]) {
        size_t room = j->room[table] * 2 + 64;
        void *more = room > SIZE_MAX / sizeof change ? NULL : realloc(j->changes[table], room * sizeof change);
        TABIA__REFUSE(more, TABIA_NO_FILE, "the journal is too large for the memory");
        j->changes[table] = (Tabia__Change *)more, j->room[table] = room;
    }
    j->changes[table][j->count[table]++] = change;
    return TABIA_OK;
}

/* Takes a part of rows in. `last`: the row before of the same operation and table of this frame; NULL if there is none. */
static int tabia__take_rows(const TabiaBook *book, TabiaJournal *j, const uint8_t *part, uint32_t frame, const uint8_t **last, TabiaError *error) {
    int table = part[1] - 1, bad;
    uint32_t count = tabia__u32(part + 4);
    TABIA__JOURNAL(book->section[table ? TABIA__MOVE : TABIA__POSN].body, "J-8: the journal has rows for a table that the book has not");
    TABIA__JOURNAL(tabia__u16(part + 2) == TABIA__ROW + j->cells[table], "J-8: rows of the journal are not of the book's columns");
    TABIA__JOURNAL(tabia__u64(part + 8) == (uint64_t)count * tabia__u16(part + 2), tabia__contents);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *row = tabia__row(part, i);
        Tabia__Change change = { 0, part, 0, frame, 0 };
        change.h = tabia__u64(row), change.i = i, change.code = table ? tabia__u16(row + 20) : 0;
        if ((bad = tabia__check_row(book, part, row, error)) != 0) return bad;
        if (*last) {
            uint64_t before = tabia__u64(*last);
            TABIA__JOURNAL(before < change.h || (before == change.h && table && tabia__u16(*last + 20) < change.code), tabia__contents);
        }
        *last = row;
        if ((bad = tabia__add_change(j, table, change, error)) != 0) return bad;
    }
    TABIA__JOURNAL(part[0] != TABIA__DELETE || tabia__zero(tabia__row(part, count), (size_t)count * j->cells[table]), tabia__contents);
    return TABIA_OK;
}

/* Takes a good frame in, whose body is `length` bytes. `entries`: bytes of sources and facts so far. */
static int tabia__take_frame(const TabiaBook *book, TabiaJournal *j, const uint8_t *head, uint64_t length, uint64_t *entries, TabiaError *error) {
    const uint8_t *part = head + TABIA__FRAME_HEAD, *last[8] = { NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL };
    uint32_t parts = tabia__u32(head + 28);
    TABIA__JOURNAL(length % 8 == 0 && tabia__zero(head + 36, 4), tabia__contents);
    while (parts--) {
        uint64_t size, padded;
        int rows, bad;
        TABIA__JOURNAL(length >= TABIA__PART_HEAD, tabia__contents);
        size = tabia__u64(part + 8), length -= TABIA__PART_HEAD, rows = part[0] >= TABIA__ADD && part[0] <= TABIA__DELETE;
        TABIA__JOURNAL(size <= length && (rows ? part[1] == 1 || part[1] == 2 : part[0] == TABIA__SOURCES || part[0] == TABIA__FACTS), tabia__contents);
        padded = size + (0 - size) % 8;
        TABIA__JOURNAL(tabia__zero(part + TABIA__PART_HEAD + (size_t)size, (size_t)(padded - size)), tabia__contents);
        if (rows && (bad = tabia__take_rows(book, j, part, (uint32_t)j->frames, &last[part[0] * 2 + part[1] - 3], error)) != 0) return bad;
        if (!rows) {
            TABIA__JOURNAL(!part[1] && !tabia__u16(part + 2) && (*entries += size) <= TABIA__MOST_ENTRIES, tabia__contents);
            TABIA__JOURNAL(tabia__are_entries(part + TABIA__PART_HEAD, size, tabia__u32(part + 4), part[0] == TABIA__FACTS), tabia__contents);
        }
        part += TABIA__PART_HEAD + (size_t)padded, length -= padded;
    }
    TABIA__JOURNAL(!length, tabia__contents);
    return TABIA_OK;
}

static int tabia__compare_changes(const void *one, const void *other) {
    const Tabia__Change *a = (const Tabia__Change *)one, *b = (const Tabia__Change *)other;
    if (a->h != b->h) return a->h < b->h ? -1 : 1;
    return a->code != b->code ? (a->code < b->code ? -1 : 1) : (a->frame > b->frame) - (a->frame < b->frame);
}

/* ---- Opening ---- */
/* The columns that the book has beside its tables, unknown ones too: a row of the journal has cells for all of them. */
static void tabia__find_columns(const TabiaBook *book, TabiaJournal *j) {
    const uint8_t *entry = book->bytes + 256, *end = entry + tabia__u32(book->bytes + 76) * TABIA__ENTRY;
    for (; entry < end; entry += TABIA__ENTRY) {
        int table = tabia__is(entry + 80, "MOVE");
        if (tabia__zero(entry + 80, 4) || tabia__is(entry, "TAGS")) continue;
        for (int i = 0; i < 3; i++)
            if (tabia__is(entry, tabia__tags[TABIA__RTNG + i])) j->column[i] = j->cells[table];
        if (!tabia__is(entry, "DICT")) j->cells[table] = tabia__u32(entry + 4) < 65536 ? j->cells[table] + tabia__u32(entry + 4) : 65536; /* more than a row can have: J-8 */
    }
}

static int tabia__read_journal(const TabiaBook *book, TabiaJournal *j, TabiaError *error) {
    const uint8_t *head = j->bytes;
    uint64_t own_sequence = tabia__u64(book->bytes + 120), next, at = TABIA__JOURNAL_HEAD, entries = 0;
    uint32_t previous;
    int own, parents, bad;
    TABIA__JOURNAL(!memcmp(head, "\x89TABJL\r\n\1\0\0", 12) && tabia__zero(head + 16, 8) && tabia__sum(head + 32, 24, NULL) == tabia__u64(head + 56),
        "J-1: the journal is not one, or made by another version");
    own = !memcmp(head + 32, book->digest, 16), parents = !tabia__zero(head + 32, 16) && !memcmp(head + 32, book->bytes + 104, 16);
    TABIA__JOURNAL(own || parents, "J-2: the journal is another book's");
    next = tabia__u64(head + 48), previous = tabia__u32(head + 12);
    TABIA__JOURNAL(next >= 1 && next - 1 <= own_sequence, "J-4: frames between the book and its journal are missing");
    for (; at < j->length && tabia__is_good(j, at, previous); at += TABIA__FRAME_HEAD + tabia__u64(head + 8), next++) {
        head = j->bytes + (size_t)at, error->place = at;
        TABIA__JOURNAL(tabia__u64(head + 16) == next, "J-4: a frame of the journal is missing, or twice there");
        previous = tabia__u32(head + 4);
        if (next <= own_sequence) continue;
        TABIA__JOURNAL(own, "J-3: the journal is of the book's parent, and has what the book has not");
        if ((bad = tabia__take_frame(book, j, head, tabia__u64(head + 8), &entries, error)) != 0) return bad;
        j->frames++;
    }
    j->torn = j->length - at;
    if (j->torn && (bad = tabia__check_tail(j, at, next, previous, error)) != 0) return bad;
    for (int table = 0; table < 2; table++) {
        const Tabia__Change *change = j->changes[table], *end = change + j->count[table];
        if (j->count[table] > 1) qsort(j->changes[table], j->count[table], sizeof *change, tabia__compare_changes);
        for (error->place = 0; j->count[table] && ++change < end;)
            TABIA__JOURNAL(tabia__compare_changes(change - 1, change), "J-5: two operations of a frame affect the same row");
    }
    return TABIA_OK;
}

static int tabia__load_journal(const TabiaBook *book, TabiaJournal *j, const char *path, TabiaError *error) {
    uint8_t head[64] = { 0 };
    char name[4096];
    uint64_t id[2];
    size_t first;
    int is_long = (size_t)snprintf(name, sizeof name, "%s-journal", path) >= sizeof name, there = is_long ? -1 : tabia__map(name, NULL, &j->length, id), unfinished;
    FILE *file = there > 0 ? fopen(name, "rb") : NULL;
    error->place = 0;
    TABIA__REFUSE(!there || file, TABIA_NO_FILE, "the journal beside the book can't be opened, or its path is too long");
    if (!file) return TABIA_OK;
    first = fread(head, 1, 64, file), unfinished = first < 64 || tabia__crc(0, head + 16, 48) != tabia__u32(head + 12);
    if (unfinished) {
        unfinished = tabia__is_unfinished(file, head, first), (void)fclose(file);
        TABIA__JOURNAL(unfinished, "J-1: the header of the journal is damaged");
        return TABIA_OK;
    }
    j->bytes = j->length <= SIZE_MAX ? (uint8_t *)malloc((size_t)j->length) : NULL;
    if (j->bytes) memcpy(j->bytes, head, 64), j->length = j->length < 64 ? 64 : 64 + fread(j->bytes + 64, 1, (size_t)j->length - 64, file);
    (void)fclose(file);
    TABIA__REFUSE(j->bytes, TABIA_NO_FILE, "the journal is too large for the memory");
    tabia__find_columns(book, j);
    return tabia__read_journal(book, j, error);
}

TABIA_API void tabia_close_overlaid(TabiaBook *book, TabiaJournal *journal) {
    tabia_close(book);
    free(journal->changes[0]), free(journal->changes[1]), free(journal->bytes);
    memset(journal, 0, sizeof *journal);
}

TABIA_API int tabia_open_overlaid(TabiaBook *book, TabiaJournal *journal, const char *path, TabiaError *error) {
    TabiaError unseen;
    if (!error) error = &unseen;
    for (int i = 0; i < 100; i++) { /* again, if the book is replaced between the look at it and that at its journal */
        int bad, replaced;
        memset(journal, 0, sizeof *journal);
        if ((bad = tabia_open(book, path, TABIA_IGNORE_JOURNAL, error)) != 0) return bad;
        bad = tabia__load_journal(book, journal, path, error), replaced = tabia_is_replaced(book, path);
        if (bad || replaced) tabia_close_overlaid(book, journal);
        if (!replaced) return bad;
    }
    return error->what = "the book is replaced again and again", error->kind = TABIA_NO_FILE;
}

/* ---- Merging (section 4.1) ---- */
static uint64_t tabia__sum_of(uint64_t a, uint64_t b, uint64_t most) { return b > most || a > most - b ? most : a + b; }

static void tabia__add_position(TabiaPosition *to, const TabiaPosition *p) {
    int nearer = (p->eval < 0 ? -p->eval : p->eval) - (to->eval < 0 ? -to->eval : to->eval);
    to->wins = (uint32_t)tabia__sum_of(to->wins, p->wins, UINT32_MAX), to->draws = (uint32_t)tabia__sum_of(to->draws, p->draws, UINT32_MAX);
    to->losses = (uint32_t)tabia__sum_of(to->losses, p->losses, UINT32_MAX), to->flags |= p->flags;
    if (p->eval == TABIA_NO_EVAL) nearer = 1;
    else if (to->eval == TABIA_NO_EVAL || p->depth > to->depth) nearer = -1;
    else if (p->depth < to->depth) nearer = 1;
    if (nearer < 0 || (!nearer && p->eval < to->eval)) to->eval = p->eval, to->depth = p->depth;
}

static void tabia__add_columns(TabiaColumns *to, const TabiaColumns *c) {
    const uint64_t most = UINT64_C(0xffffffffffff);
    to->mover_rating_sum = tabia__sum_of(to->mover_rating_sum, c->mover_rating_sum, most);
    to->opponent_rating_sum = tabia__sum_of(to->opponent_rating_sum, c->opponent_rating_sum, most);
    to->rated_games = tabia__sum_of(to->rated_games, c->rated_games, UINT32_MAX), to->rated_score = tabia__sum_of(to->rated_score, c->rated_score, UINT64_MAX);
    if (c->game > to->game) to->game = c->game;
    if (c->first_year && (!to->first_year || c->first_year < to->first_year)) to->first_year = c->first_year;
    if (c->last_year > to->last_year) to->last_year = c->last_year;
}

static void tabia__add_move(TabiaMove *to, const TabiaMove *m) {
    to->wins = (uint32_t)tabia__sum_of(to->wins, m->wins, UINT32_MAX), to->draws = (uint32_t)tabia__sum_of(to->draws, m->draws, UINT32_MAX);
    to->losses = (uint32_t)tabia__sum_of(to->losses, m->losses, UINT32_MAX), to->marks |= m->marks;
}

/* ---- Probes ---- */
/* The first change of an h; behind the last one if there is none that isn't less. */
static const Tabia__Change *tabia__first_change(const TabiaJournal *j, int table, uint64_t h) {
    size_t low = 0, high = j->count[table];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (j->changes[table][middle].h < h) low = middle + 1;
        else high = middle;
    }
    return j->changes[table] + low;
}

static void tabia__overlay_position(TabiaProbe *probe, const Tabia__Change *change) {
    TabiaPosition position;
    tabia__read_row(&position, tabia__row(change->part, change->i));
    if (change->part[0] == TABIA__ADD && probe->found) tabia__add_position(&probe->position, &position);
    else probe->found = change->part[0] != TABIA__DELETE, probe->position = position;
}

static void tabia__columns_of(const TabiaBook *book, const TabiaJournal *j, const Tabia__Change *change, TabiaColumns *columns) {
    uint64_t values[7] = { 0 };
    for (int i = 0; i < 7; i++) {
        const uint8_t *field = tabia__fields[i];
        uint32_t bytes = tabia__cells[TABIA__RTNG + field[0]];
        if (book->columns >> field[0] & 1) values[i] = tabia__number(tabia__cell(change->part, change->i, j->column[field[0]], bytes) + field[1], field[2]);
    }
    memcpy(columns, values, sizeof values);
}

/* Makes room for a move at a place, or takes it out. */
static void tabia__shift(TabiaProbe *probe, int at, int insert) {
    int count = insert ? probe->count + (probe->count < probe->room) : probe->count - 1, moved = count - at - insert;
    if (moved > 0) {
        memmove(probe->moves + at + insert, probe->moves + at + !insert, (size_t)moved * sizeof *probe->moves);
        if (probe->columns) memmove(probe->columns + at + insert, probe->columns + at + !insert, (size_t)moved * sizeof *probe->columns);
    }
    probe->count = count, probe->total += insert ? 1 : -1;
}

static void tabia__overlay_move(const TabiaBook *book, const TabiaJournal *j, TabiaProbe *probe, const Tabia__Change *change) {
    TabiaMove move;
    TabiaColumns columns;
    int at = 0, there, is_delete = change->part[0] == TABIA__DELETE;
    while (at < probe->count && probe->moves[at].code < change->code) at++;
    there = at < probe->count && probe->moves[at].code == change->code;
    if (is_delete && there) tabia__shift(probe, at, 0);
    if (is_delete) return;
    if (!there) tabia__shift(probe, at, 1);
    if (at >= probe->count) return; /* no room */
    tabia__read_row(&move, tabia__row(change->part, change->i));
    tabia__columns_of(book, j, change, &columns);
    if (there && change->part[0] == TABIA__ADD) {
        tabia__add_move(&probe->moves[at], &move);
        if (probe->columns) tabia__add_columns(&probe->columns[at], &columns);
    } else {
        probe->moves[at] = move;
        if (probe->columns) probe->columns[at] = columns;
    }
}

TABIA_API int tabia_probe_overlaid(const TabiaBook *book, const TabiaJournal *j, TabiaProbe *probes, size_t count, int what, TabiaError *error) {
    int bad = tabia_probe(book, probes, count, what, error);
    for (size_t i = 0; !bad && i < count; i++) {
        uint64_t h = tabia__mix(probes[i].key);
        const Tabia__Change *change = tabia__first_change(j, 0, h), *end = j->changes[0] + j->count[0];
        for (; (what & TABIA_POSITIONS) && change < end && change->h == h; change++) tabia__overlay_position(&probes[i], change);
        change = tabia__first_change(j, 1, h), end = j->changes[1] + j->count[1];
        for (; (what & TABIA_MOVES) && change < end && change->h == h; change++) tabia__overlay_move(book, j, &probes[i], change);
    }
    return bad;
}
#endif
