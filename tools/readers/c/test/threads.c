/* threads LIST: eight threads ask the same books at once, each in an order of its own, and have to get what one thread got. Built with -fsanitize=thread. LIST is
 * what `golden.py --lay-out` writes. */
#define TABIA_IMPLEMENTATION
#include "../tabia.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 8, KEYS = 64, ROOM = 100, ROUNDS = 20 };
typedef struct { const TabiaBook *book; const uint64_t *keys; size_t count, first; uint64_t sum; } Work;

static uint64_t of(const void *bytes, size_t length) {
    uint64_t sum = 0;
    for (size_t i = 0; i < length; i++) sum = sum * 31 + ((const uint8_t *)bytes)[i];
    return sum;
}

/* The sum of what is found of all keys, beginning with the one numbered `first`: one by one and in a batch. */
static void *ask(void *of_thread) {
    Work *work = (Work *)of_thread;
    TabiaMove(*moves)[ROOM] = (TabiaMove(*)[ROOM])malloc(sizeof(TabiaMove[KEYS][ROOM]));
    TabiaProbe probes[KEYS];
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < work->count; i++) {
            probes[i].key = work->keys[(i + work->first) % work->count];
            probes[i].moves = moves[i], probes[i].columns = NULL, probes[i].room = ROOM;
        }
        tabia_probe(work->book, probes, work->count, TABIA_POSITIONS | TABIA_MOVES, NULL);
        for (size_t i = 0; i < work->count; i++) {
            TabiaMove one[ROOM];
            TabiaPosition position;
            int count = tabia_moves(work->book, probes[i].key, one, ROOM), found = tabia_position(work->book, probes[i].key, &position);
            work->sum += of(moves[i], (size_t)probes[i].count * sizeof *one) + of(one, (size_t)count * sizeof *one);
            if (found) work->sum += of(&position, sizeof position) + of(&probes[i].position, sizeof position);
        }
    }
    free(moves);
    return NULL;
}

static int run(const TabiaBook *book, const uint64_t *keys, size_t count) {
    Work works[THREADS + 1];
    pthread_t threads[THREADS];
    int good = 1;
    for (size_t i = 0; i <= THREADS; i++) works[i].book = book, works[i].keys = keys, works[i].count = count, works[i].first = i * 7, works[i].sum = 0;
    ask(&works[THREADS]);
    for (size_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, ask, &works[i]);
    for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL), good &= works[i].sum == works[THREADS].sum;
    return good && works[0].sum;
}

int main(int count, char **args) {
    FILE *list = fopen(count == 2 ? args[1] : "", "r");
    char line[4000];
    int books = 0, wrong = 0;
    while (list && fgets(line, sizeof line, list)) {
        char *path = strtok(line, " \n"), *word = strtok(NULL, " \n");
        uint64_t keys[KEYS];
        size_t n = 0;
        TabiaBook book;
        while (n < KEYS && (word = strtok(NULL, " \n")) != NULL) keys[n++] = strtoull(word, NULL, 16);
        if (n < 10 || tabia_open(&book, path, TABIA_IGNORE_JOURNAL, NULL)) continue;
        wrong += !run(&book, keys, n), books++;
        tabia_close(&book);
    }
    if (list) fclose(list);
    printf("%d books asked by %d threads, %d wrong\n", books, THREADS, wrong);
    return wrong || books < 10;
}
