/* tabia_set.h: the shares of a book, opened as one. Optional, beside tabia.h and tabia_journal.h: for books that were made in shares (`tabia merge --share 1/4`).
 *
 *     #define TABIA_IMPLEMENTATION            in one source file
 *     #define TABIA_JOURNAL_IMPLEMENTATION
 *     #define TABIA_SET_IMPLEMENTATION
 *     #include "tabia_set.h"                  it includes the other two
 *
 *     const char *paths[] = { "masters/1.tabia", "masters/2.tabia" };
 *     TabiaSet set; TabiaError error; TabiaMove moves[256];
 *     if (tabia_set_open(&set, paths, 2, &error)) { fprintf(stderr, "%s: %s\n", paths[set.failed], error.what); exit(1); }
 *     int count = tabia_set_moves(&set, key, moves, 256);
 *
 * The journal of each share is laid over it, as tabia_journal.h does. Opening needs memory, by malloc: 1 KB a share, what the journals need, and for a while
 * 32 bytes for each source or fact. Probes allocate nothing, and any number of threads may ask. License: MIT OR Apache-2.0. */
#ifndef TABIA_SET_H
#define TABIA_SET_H
#include "tabia_journal.h"
#ifdef __cplusplus
extern "C" {
#endif

/* One share of an open set. */
typedef struct TabiaShare {
    TabiaBook book;
    TabiaJournal journal;
    size_t path; /* which of the paths led to it, counted from 0 */
} TabiaShare;

/* An open set: together its shares are a whole book. Game, keys, columns and facts are those of any of them: shares[0].book. */
typedef struct TabiaSet {
    TabiaShare *shares; /* in the order of their numbers */
    size_t count;       /* a power of two; 1 for a whole book */
    size_t failed;      /* when it could not be opened: which of the paths the error is about, counted from 0; 0 if a share is missing */
    uint64_t position_rows, move_rows; /* of all shares, without their journals */
} TabiaSet;

/* Opens all shares of a book, whose `count` paths may be in any order, or one whole book. Returns TABIA_OK, or the kind of the error, which `error` (may be NULL)
 * describes: those of tabia_open_overlaid; TABIA_NOT_A_SET if the files are not the shares of one book (S-1), or a share is missing or there twice (S-2), where
 * `place` is the number of the share. Their sources and facts are compared, with those of their journals: a set that was added to in part is refused. */
TABIA_API int tabia_set_open(TabiaSet *set, const char *const *paths, size_t count, TabiaError *error);
/* Closes all shares. A set that is closed, could not be opened, or is all zeros, may be closed, and may be asked: it has nothing. */
TABIA_API void tabia_set_close(TabiaSet *set);

/* As tabia_position: 1 and its row, 0 if the position isn't in the set, or TABIA_DAMAGED. */
TABIA_API int tabia_set_position(const TabiaSet *set, uint64_t key, TabiaPosition *position);
/* As tabia_moves: how many were stored, at most `room`, or TABIA_DAMAGED. With a journal, which of more than `room` moves are stored is not said. */
TABIA_API int tabia_set_moves(const TabiaSet *set, uint64_t key, TabiaMove *moves, int room);
/* As tabia_probe_overlaid: memory is asked for in all shares before the first is waited for. */
TABIA_API int tabia_set_probe(const TabiaSet *set, TabiaProbe *probes, size_t count, int what, TabiaError *error);

#ifdef __cplusplus
}
#endif
#endif

#ifdef TABIA_SET_IMPLEMENTATION
#undef TABIA_SET_IMPLEMENTATION
#include <stdlib.h>

#define TABIA__SET(good, text) TABIA__REFUSE(good, TABIA_NOT_A_SET, text)

/* ---- S-1: what all shares have in common ---- */
/* Whether all tables and columns of a book, those that this reader doesn't know too, are in another one. */
static int tabia__are_in(const TabiaBook *book, const TabiaBook *other) {
    const uint8_t *entry = book->bytes + 256, *end = entry + tabia__u32(book->bytes + 76) * TABIA__ENTRY;
    const uint8_t *found, *others = other->bytes + 256, *others_end = others + tabia__u32(other->bytes + 76) * TABIA__ENTRY;
    for (; entry < end; entry += TABIA__ENTRY) {
        if (!tabia__is(entry, "POSN") && !tabia__is(entry, "MOVE") && (tabia__zero(entry + 80, 4) || tabia__is(entry, "TAGS"))) continue;
        for (found = others; found < others_end && (memcmp(found, entry, 8) || memcmp(found + 80, entry + 80, 4));) found += TABIA__ENTRY; /* tag and cell size; beside */
        if (found == others_end) return 0;
    }
    return 1;
}

static int tabia__check_headers(const TabiaBook *book, const TabiaBook *first, TabiaError *error) {
    error->place = book->share_number;
    TABIA__SET(!strcmp(book->game, first->game), "S-1: the share is of another game than the first one");
    TABIA__SET(!strcmp(book->keys, first->keys), "S-1: the share has another key scheme than the first one");
    TABIA__SET(book->keyed_by_line == first->keyed_by_line, "S-1: of this share and the first one, one is keyed by line, the other one by position");
    TABIA__SET(book->share_bits == first->share_bits, "S-1: the share is one of more, or of fewer, shares than the first one");
    TABIA__SET(book->packed == first->packed, "S-1: of this share and the first one, one is packed, the other one is not");
    TABIA__SET(book->results_unknown == first->results_unknown, "S-1: of this share and the first one, one has results, the other one has not");
    TABIA__SET(!memcmp(book->bytes + 68, first->bytes + 68, 4), "S-1: the share has another load than the first one");
    TABIA__SET(tabia__are_in(book, first) && tabia__are_in(first, book), "S-1: the share has other tables or columns than the first one");
    return TABIA_OK;
}

/* A source or a fact, with its padding; and many of them. */
typedef struct Tabia__Entry {
    const uint8_t *at;
    size_t size;
} Tabia__Entry;
typedef struct Tabia__Entries {
    Tabia__Entry *all;
    size_t count, room;
} Tabia__Entries;

static int tabia__compare_entries(const void *one, const void *other) {
    const Tabia__Entry *a = (const Tabia__Entry *)one, *b = (const Tabia__Entry *)other;
    return a->size != b->size ? (a->size < b->size ? -1 : 1) : memcmp(a->at, b->at, a->size);
}

/* Takes those that fill `length` bytes, which are well formed. */
static int tabia__take_entries(Tabia__Entries *to, const uint8_t *at, size_t length, int facts, TabiaError *error) {
    for (size_t size; length; at += size, length -= size) {
        size = facts ? 24 + (size_t)tabia__u32(at + 16) + tabia__u32(at + 20) : 32 + (size_t)tabia__u32(at + 24), size += (0 - size) % 8;
        if (to->count == to->room) {
            size_t room = to->room * 2 + 64;
            void *more = room > SIZE_MAX / sizeof *to->all ? NULL : realloc(to->all, room * sizeof *to->all);
            TABIA__REFUSE(more, TABIA_NO_FILE, "there are too many sources or facts for the memory");
            to->all = (Tabia__Entry *)more, to->room = room;
        }
        to->all[to->count].at = at, to->all[to->count++].size = size;
    }
    return TABIA_OK;
}

/* Takes all sources, or all facts, of a share and its journal, in an order that depends on them alone. */
static int tabia__take_all(Tabia__Entries *to, const TabiaShare *share, int facts, TabiaError *error) {
    const Tabia__Section *s = &share->book.section[facts ? TABIA__FACT : TABIA__SRCS];
    const uint8_t *frame = share->journal.frames ? share->journal.bytes + TABIA__JOURNAL_HEAD : NULL, *part;
    uint64_t sequence = tabia__u64(share->book.bytes + 120);
    size_t size, unlike = 0;
    int bad;
    to->count = 0, error->place = (uint64_t)(s->body - share->book.bytes);
    TABIA__HOLD(s->length >= 8 && tabia__u64(s->body) <= UINT32_MAX && tabia__are_entries(s->body + 8, s->length - 8, (uint32_t)tabia__u64(s->body), facts),
        facts ? "B-27: the facts are damaged" : "B-19: the sources are damaged");
    if ((bad = tabia__take_entries(to, s->body + 8, (size_t)s->length - 8, facts, error)) != 0) return bad;
    for (uint64_t frames = share->journal.frames; frames; frame += TABIA__FRAME_HEAD + (size_t)tabia__u64(frame + 8)) {
        if (tabia__u64(frame + 16) <= sequence) continue; /* it is in the book */
        part = frame + TABIA__FRAME_HEAD, frames--;
        for (uint32_t parts = tabia__u32(frame + 28); parts; parts--, part += TABIA__PART_HEAD + size + (0 - size) % 8) {
            size = (size_t)tabia__u64(part + 8);
            if (part[0] != (facts ? TABIA__FACTS : TABIA__SOURCES)) continue;
            if ((bad = tabia__take_entries(to, part + TABIA__PART_HEAD, size, facts, error)) != 0) return bad;
        }
    }
    if (to->count > 1) qsort(to->all, to->count, sizeof *to->all, tabia__compare_entries);
    for (size_t i = 0; facts && i < to->count; i++) /* one that is there twice is one */
        if (!unlike || tabia__compare_entries(&to->all[unlike - 1], &to->all[i])) to->all[unlike++] = to->all[i];
    if (facts) to->count = unlike;
    return TABIA_OK;
}

/* Compares what all shares were made of: their sources, or their facts. Both lists are freed by the caller. */
static int tabia__compare_made(TabiaSet *set, Tabia__Entries *first, Tabia__Entries *other, int facts, TabiaError *error) {
    int bad = tabia__take_all(first, &set->shares[set->failed = 0], facts, error);
    for (size_t i = 1; !bad && i < set->count; i++) {
        int same = (bad = tabia__take_all(other, &set->shares[set->failed = i], facts, error)) == 0 && first->count == other->count;
        for (size_t n = 0; same && n < first->count; n++) same = !tabia__compare_entries(&first->all[n], &other->all[n]);
        if (bad) break;
        error->place = set->shares[i].book.share_number;
        TABIA__SET(same, facts ? "S-1: the share was made in another way than the first one: its facts are others" : "S-1: the share is made of other archives than the first one");
    }
    return bad;
}

/* ---- Opening ---- */
static int tabia__compare_shares(const void *one, const void *other) {
    const TabiaShare *a = (const TabiaShare *)one, *b = (const TabiaShare *)other;
    return a->book.share_number != b->book.share_number ? (a->book.share_number < b->book.share_number ? -1 : 1) : (a->path > b->path) - (a->path < b->path);
}

static int tabia__check_numbers(TabiaSet *set, TabiaError *error) { /* S-2; the shares are in order */
    for (size_t i = 0; i < set->count; i++) {
        uint32_t number = set->shares[i].book.share_number;
        error->place = number < i ? number : i, set->failed = number < i ? set->shares[i].path : 0;
        TABIA__SET(number >= i, "S-2: the share is there twice");
        TABIA__SET(number == i, "S-2: a share is missing");
    }
    error->place = set->count;
    TABIA__SET(set->count == UINT64_C(1) << set->shares->book.share_bits, "S-2: a share is missing");
    return TABIA_OK;
}

static int tabia__open_shares(TabiaSet *set, const char *const *paths, size_t count, TabiaError *error) {
    Tabia__Entries first = { NULL, 0, 0 }, other = { NULL, 0, 0 };
    int bad = TABIA_OK;
    error->place = 0;
    TABIA__SET(count, "S-2: there is no share");
    set->shares = (TabiaShare *)calloc(count, sizeof *set->shares);
    TABIA__REFUSE(set->shares, TABIA_NO_FILE, "there are too many shares for the memory");
    set->count = count;
    for (size_t i = 0; i < count; i++) {
        TabiaShare *share = &set->shares[i];
        set->failed = share->path = i;
        if ((bad = tabia_open_overlaid(&share->book, &share->journal, paths[i], error)) != 0) return bad;
        if ((bad = tabia__check_headers(&share->book, &set->shares->book, error)) != 0) return bad;
        set->position_rows += share->book.position_rows, set->move_rows += share->book.move_rows;
    }
    for (int facts = 0; !bad && facts < 2; facts++) bad = tabia__compare_made(set, &first, &other, facts, error);
    free(first.all), free(other.all);
    if (bad) return bad;
    qsort(set->shares, count, sizeof *set->shares, tabia__compare_shares);
    return tabia__check_numbers(set, error);
}

TABIA_API int tabia_set_open(TabiaSet *set, const char *const *paths, size_t count, TabiaError *error) {
    TabiaError unseen;
    int bad;
    if (!error) error = &unseen;
    memset(set, 0, sizeof *set);
    if ((bad = tabia__open_shares(set, paths, count, error)) != 0) {
        size_t failed = set->failed;
        tabia_set_close(set);
        set->failed = failed;
        return bad;
    }
    error->kind = TABIA_OK, error->what = "", error->place = 0;
    return TABIA_OK;
}

TABIA_API void tabia_set_close(TabiaSet *set) {
    for (size_t i = 0; i < set->count; i++) tabia_close_overlaid(&set->shares[i].book, &set->shares[i].journal);
    free(set->shares);
    memset(set, 0, sizeof *set);
}

/* ---- Probes ---- */
static const TabiaShare *tabia__share_of(const TabiaSet *set, uint64_t h) {
    uint32_t bits = set->shares->book.share_bits;
    return &set->shares[bits ? (size_t)(h >> (64 - bits)) : 0];
}

/* Asks for the memory that probes will read, at most TABIA__BATCH of them. */
static void tabia__ask_for(const TabiaSet *set, const TabiaProbe *probes, size_t count, int what) {
    Tabia__Way ways[TABIA__BATCH];
    int packed = set->shares->book.packed;
    for (size_t i = 0; i < count; i++) {
        uint64_t h = tabia__mix(probes[i].key);
        const TabiaBook *book = &tabia__share_of(set, h)->book;
        const Tabia__Section *s = book->section;
        if (packed) tabia__find_page(book, h, &ways[i]);
        if (packed) continue;
        if ((what & TABIA_POSITIONS) && s[TABIA__POSN].body) TABIA__PREFETCH(s[TABIA__POSN].body + tabia__home(book, TABIA__POSN, h) * TABIA__ROW);
        if ((what & TABIA_POSITIONS) && s[TABIA__TAGS].body) TABIA__PREFETCH(s[TABIA__TAGS].body + tabia__home(book, TABIA__POSN, h) * 2);
        if ((what & TABIA_MOVES) && s[TABIA__MOVE].body) TABIA__PREFETCH(s[TABIA__MOVE].body + tabia__home(book, TABIA__MOVE, h) * TABIA__ROW);
    }
    for (size_t i = 0; packed && i < count; i++) tabia__find_group(&ways[i]);
}

TABIA_API int tabia_set_probe(const TabiaSet *set, TabiaProbe *probes, size_t count, int what, TabiaError *error) {
    for (size_t i = 0; i < count; i++) {
        const TabiaShare *share;
        int bad;
        probes[i].found = probes[i].count = probes[i].total = 0;
        if (!set->count) continue;
        if (count > 1 && i % TABIA__BATCH == 0) tabia__ask_for(set, probes + i, count - i < TABIA__BATCH ? count - i : (size_t)TABIA__BATCH, what);
        share = tabia__share_of(set, tabia__mix(probes[i].key));
        if ((bad = tabia_probe_overlaid(&share->book, &share->journal, &probes[i], 1, what, error)) != 0) return bad;
    }
    return TABIA_OK;
}

TABIA_API int tabia_set_position(const TabiaSet *set, uint64_t key, TabiaPosition *position) {
    TabiaProbe probe = { key, NULL, NULL, 0, 0, 0, 0, { 0, 0, 0, 0, 0, 0 } };
    int bad = tabia_set_probe(set, &probe, 1, TABIA_POSITIONS, NULL);
    if (probe.found) *position = probe.position;
    return bad ? bad : probe.found;
}
TABIA_API int tabia_set_moves(const TabiaSet *set, uint64_t key, TabiaMove *moves, int room) {
    TabiaProbe probe = { key, moves, NULL, room, 0, 0, 0, { 0, 0, 0, 0, 0, 0 } };
    int bad = tabia_set_probe(set, &probe, 1, TABIA_MOVES, NULL);
    return bad ? bad : probe.count;
}
#endif
