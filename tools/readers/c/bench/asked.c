/* `asked BOOK KEYS`: what tabia.h costs, for tools/readers/python/benches/probes.py, which measures all readers in turn. KEYS is a file of keys of eight bytes each. Every
 * line of standard input names some work (get, find_all, positions, moves) and how many of the keys it is for; the answer is how many nanoseconds of the processor
 * it took, and the games that were found, which have to be those of other readers. */
#define _POSIX_C_SOURCE 200809L
#define TABIA_IMPLEMENTATION
#include "../tabia.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROOM = 256, BATCH = 32 };
static TabiaMove moves[BATCH][ROOM];

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static uint64_t of_position(const TabiaPosition *row) { return (uint64_t)row->wins + row->draws + row->losses; }

static uint64_t of_moves(const TabiaMove *row, int count) {
    uint64_t games = 0;
    for (int i = 0; i < count && i < ROOM; i++) games += (uint64_t)row[i].wins + row[i].draws + row[i].losses;
    return games;
}

static uint64_t single(const TabiaBook *book, int with_moves, const uint64_t *keys, size_t count) {
    uint64_t games = 0;
    for (size_t i = 0; i < count; i++) {
        TabiaPosition position = { 0 };
        if (with_moves) games += of_moves(moves[0], tabia_moves(book, keys[i], moves[0], ROOM));
        else if (tabia_position(book, keys[i], &position) == 1) games += of_position(&position);
    }
    return games;
}

/* Batches with moves come with positions too, as those of the Rust reader do. */
static uint64_t batches(const TabiaBook *book, int with_moves, const uint64_t *keys, size_t count) {
    TabiaProbe probes[BATCH];
    uint64_t games = 0;
    for (size_t i = 0; i < BATCH; i++) probes[i].moves = moves[i], probes[i].columns = NULL, probes[i].room = ROOM;
    for (size_t some; count; keys += some, count -= some) {
        some = count < BATCH ? count : BATCH;
        for (size_t i = 0; i < some; i++) probes[i].key = keys[i];
        tabia_probe(book, probes, some, with_moves ? TABIA_POSITIONS | TABIA_MOVES : TABIA_POSITIONS, NULL);
        for (size_t i = 0; i < some; i++) {
            if (with_moves) games += of_moves(moves[i], probes[i].count);
            else if (probes[i].found) games += of_position(&probes[i].position);
        }
    }
    return games;
}

int main(int argc, char **argv) {
    static uint64_t keys[1 << 20];
    TabiaBook book;
    TabiaError error;
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    size_t there = file ? fread(keys, 8, sizeof keys / sizeof *keys, file) : 0, count;
    char work[16];
    if (!there) return fprintf(stderr, "usage: asked BOOK KEYS\n"), 2;
    if (tabia_open(&book, argv[1], 0, &error)) return fprintf(stderr, "%s: %s\n", argv[1], error.what), 2;
    while (scanf("%15s %zu", work, &count) == 2 && count <= there) {
        int is_single = !strcmp(work, "get") || !strcmp(work, "find_all");
        int with_moves = !strcmp(work, "find_all") || !strcmp(work, "moves");
        long long start = now();
        uint64_t games = is_single ? single(&book, with_moves, keys, count) : batches(&book, with_moves, keys, count);
        printf("%lld %llu\n", now() - start, (unsigned long long)games);
        fflush(stdout);
    }
    return 0;
}
