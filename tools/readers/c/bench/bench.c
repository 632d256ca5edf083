/* The C half of the bench: loops over keys, by tabia.h. Each returns the wrapping sum of what `answer` makes of what is found, which src/main.rs makes too. */
#define TABIA_IMPLEMENTATION
#include "../tabia.h"

enum { POSITION, MOVES, BOTH };
enum { ROOM = 256, BATCH = 128 };
static TabiaMove moves[BATCH][ROOM];

size_t bench_size(void) { return sizeof(TabiaBook); }

int bench_open(TabiaBook *book, const char *path) { return tabia_open(book, path, 0, NULL); }

/* Reads a byte of each page, so that all of them are mapped. */
uint64_t bench_touch(const TabiaBook *book) {
    uint64_t sum = 0;
    for (uint64_t at = 0; at < book->length; at += 4096) sum += book->bytes[at];
    return sum;
}

static uint64_t answer(uint32_t wins, uint32_t draws, uint32_t losses) { return (uint64_t)wins + ((uint64_t)draws << 21) + ((uint64_t)losses << 42); }

static uint64_t of_moves(const TabiaMove *move, int count) {
    uint64_t sum = 0;
    for (int i = 0; i < count && i < ROOM; i++) sum += answer(move[i].wins, move[i].draws, move[i].losses) ^ move[i].code;
    return sum;
}

static inline uint64_t one(const TabiaBook *book, int what, uint64_t key) {
    TabiaPosition position;
    TabiaProbe probe;
    if (what == POSITION) return tabia_position(book, key, &position) == 1 ? answer(position.wins, position.draws, position.losses) : 0;
    if (what == MOVES) return of_moves(moves[0], tabia_moves(book, key, moves[0], ROOM));
    probe.key = key, probe.moves = moves[0], probe.columns = NULL, probe.room = ROOM;
    tabia_probe(book, &probe, 1, TABIA_POSITIONS | TABIA_MOVES, NULL);
    return (probe.found ? answer(probe.position.wins, probe.position.draws, probe.position.losses) : 0) + of_moves(moves[0], probe.count);
}

/* One after the other. */
uint64_t bench_independent(const TabiaBook *book, int what, const uint64_t *keys, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += one(book, what, keys[i]);
    return sum;
}

/* Each when the answer before it is there: `nothing` is 0, but the compiler doesn't know. */
uint64_t bench_dependent(const TabiaBook *book, int what, const uint64_t *keys, size_t count, uint64_t nothing) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += one(book, what, keys[i] ^ (sum & nothing));
    return sum;
}

/* `batch` at a time. */
uint64_t bench_batch(const TabiaBook *book, int what, const uint64_t *keys, size_t count, size_t batch) {
    static const int wanted[] = { TABIA_POSITIONS, TABIA_MOVES, TABIA_POSITIONS | TABIA_MOVES };
    TabiaProbe probes[BATCH];
    uint64_t sum = 0;
    for (size_t i = 0; i < BATCH; i++) probes[i].moves = moves[i], probes[i].columns = NULL, probes[i].room = ROOM;
    for (; count; keys += batch, count -= batch) {
        if (batch > count) batch = count;
        for (size_t i = 0; i < batch; i++) probes[i].key = keys[i];
        tabia_probe(book, probes, batch, wanted[what], NULL);
        for (size_t i = 0; i < batch; i++) {
            if (probes[i].found) sum += answer(probes[i].position.wins, probes[i].position.draws, probes[i].position.losses);
            sum += of_moves(moves[i], probes[i].count);
        }
    }
    return sum;
}
