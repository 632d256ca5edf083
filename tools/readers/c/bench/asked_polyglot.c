/* `asked_polyglot BOOK.bin KEYS`: what finding a position's entries in a Polyglot book costs as engines do it, a binary search, at its best: of a book that is mapped.
 * It is asked and answers as asked.c does; it knows `find_all` alone, and tells the sum of the weights. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

static uint64_t big(const uint8_t *at, int bytes) {
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++) number = number << 8 | at[i];
    return number;
}

static uint64_t weights(const uint8_t *book, size_t entries, uint64_t key) {
    size_t low = 0, high = entries;
    uint64_t sum = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (big(book + 16 * middle, 8) < key) low = middle + 1;
        else high = middle;
    }
    for (; low < entries && big(book + 16 * low, 8) == key; low++) sum += big(book + 16 * low + 10, 2);
    return sum;
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv) {
    static uint64_t keys[1 << 20];
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    size_t there = file ? fread(keys, 8, sizeof keys / sizeof *keys, file) : 0, count;
    struct stat is;
    int book = there ? open(argv[1], O_RDONLY) : -1;
    if (book < 0 || fstat(book, &is)) return fprintf(stderr, "usage: asked_polyglot BOOK.bin KEYS\n"), 2;
    const uint8_t *bytes = mmap(NULL, (size_t)is.st_size, PROT_READ, MAP_SHARED, book, 0);
    if (bytes == MAP_FAILED) return perror(argv[1]), 2;
    while (scanf(" find_all %zu", &count) == 1 && count <= there) {
        uint64_t sum = 0;
        long long start = now();
        for (size_t i = 0; i < count; i++) sum += weights(bytes, (size_t)is.st_size / 16, keys[i]);
        printf("%lld %llu\n", now() - start, (unsigned long long)sum);
        fflush(stdout);
    }
    return 0;
}
