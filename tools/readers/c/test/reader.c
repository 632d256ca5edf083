/* reader [-b | -j | -m] BOOK KEY...: prints what a book holds about positions, by tabia.h. KEY is 16 hex digits; - reads keys from standard input.
 *
 * -b asks for all keys in one batch; -j ignores a journal beside the book; -m reads the book into memory first. A book's position and its moves are asked
 * for in three ways (alone, and both by one probe), which have to agree. Lines are those of format-spec/golden/answers.tsv: position, move, ratings, game, years.
 * `reader BOOK` alone prints the book's game, keys, digest, rows and facts. Exit code: 0 found, 1 not in the book, 2 not a readable book (one line on stderr
 * names the file and the rule). */
#define TABIA_IMPLEMENTATION
#include "../tabia.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ROOM = 1000 };
static const char *path;
static TabiaMove moves[TABIA__BATCH][ROOM], alone[ROOM];
static TabiaColumns columns[TABIA__BATCH][ROOM];

static void refuse(const TabiaError *error) {
    fprintf(stderr, "%s: %s (at byte %" PRIu64 ")\n", path, error->what, error->place);
    exit(2);
}

static void print_position(uint64_t key, const TabiaPosition *p) {
    printf("position %016" PRIx64 " %" PRIu32 " %" PRIu32 " %" PRIu32 " ", key, p->wins, p->draws, p->losses);
    if (p->eval == TABIA_NO_EVAL) printf("- %u %02x\n", p->depth, p->flags);
    else printf("%d %u %02x\n", p->eval, p->depth, p->flags);
}

static void print_move(const TabiaBook *book, uint64_t key, const TabiaMove *m, const TabiaColumns *c) {
    printf("move %016" PRIx64 " %04x %" PRIu32 " %" PRIu32 " %" PRIu32 " %02x\n", key, m->code, m->wins, m->draws, m->losses, m->marks);
    if (book->columns & 1)
        printf("ratings %016" PRIx64 " %04x %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu64 "\n", key, m->code, c->mover_rating_sum, c->opponent_rating_sum,
            c->rated_games, c->rated_score);
    if (book->columns & 2) printf("game %016" PRIx64 " %04x %u %012" PRIx64 "\n", key, m->code, (unsigned)(c->game >> 48), c->game & UINT64_C(0xffffffffffff));
    if (book->columns & 4) printf("years %016" PRIx64 " %04x %u %u\n", key, m->code, c->first_year, c->last_year);
}

static void disagree(uint64_t key, const char *what) {
    fprintf(stderr, "%s: %016" PRIx64 ": %s differ by the way they are asked for\n", path, key, what);
    exit(3);
}

/* Prints an answer, and compares it with those of the other functions. */
static int print(const TabiaBook *book, const TabiaProbe *probe) {
    TabiaPosition position;
    int shown = probe->count < ROOM ? probe->count : ROOM;
    int found = tabia_position(book, probe->key, &position), count = tabia_moves(book, probe->key, alone, ROOM);
    if (found != probe->found || (found && memcmp(&position, &probe->position, sizeof position))) disagree(probe->key, "positions");
    if (count != probe->count || memcmp(alone, probe->moves, (size_t)shown * sizeof *alone)) disagree(probe->key, "moves");
    if (tabia_moves(book, probe->key, NULL, 0) != count) disagree(probe->key, "numbers of moves");
    if (probe->found) print_position(probe->key, &probe->position);
    for (int i = 0; i < shown; i++) print_move(book, probe->key, &probe->moves[i], &probe->columns[i]);
    return probe->found || probe->count;
}

static int ask(const TabiaBook *book, const uint64_t *keys, size_t count) {
    TabiaProbe probes[TABIA__BATCH];
    TabiaError error;
    int found = 0;
    for (size_t i = 0; i < count; i++) {
        TabiaProbe probe = { 0, NULL, NULL, 0, 0, 0, { 0, 0, 0, 0, 0, 0 } };
        probe.key = keys[i], probe.moves = moves[i], probe.columns = columns[i], probe.room = ROOM;
        probes[i] = probe;
    }
    if (tabia_probe(book, probes, count, TABIA_POSITIONS | TABIA_MOVES, &error)) refuse(&error);
    for (size_t i = 0; i < count; i++) found |= print(book, &probes[i]);
    return found;
}

static int next_key(char **args, char *line, uint64_t *key) { /* from the arguments, or the input */
    const char *text = *args;
    if (text && !strcmp(text, "-")) text = fgets(line, 64, stdin);
    if (!text) return 0;
    if (strspn(text, "0123456789abcdefABCDEF") != 16) {
        fprintf(stderr, "reader: a key has 16 hex digits\n");
        exit(2);
    }
    *key = strtoull(text, NULL, 16);
    return 1;
}

static void describe(const TabiaBook *book) {
    TabiaFact fact = { NULL, NULL, NULL, 0, 0, 0, 0 };
    int more;
    printf("game %s %s\ndigest ", book->game, book->keys);
    for (int i = 0; i < 16; i++) printf("%02x", book->digest[i]);
    printf("\nrows %" PRIu64 " %" PRIu64 "\n", book->position_rows, book->move_rows);
    while ((more = tabia_fact(book, &fact)) > 0) {
        printf("fact ");
        for (int i = 0; i < 16; i++) printf("%02x", fact.subject[i]);
        printf(" %.*s %.*s\n", (int)fact.name_length, fact.name, (int)fact.value_length, fact.value);
    }
    if (more < 0) {
        fprintf(stderr, "%s: B-27: facts are damaged\n", path);
        exit(2);
    }
}

static void *read_whole(size_t *length) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t more = 1;
    for (*length = 0; file && more; *length += more) {
        bytes = (char *)realloc(bytes, *length + 65536);
        more = fread(bytes + *length, 1, 65536, file);
    }
    if (file) fclose(file);
    return (char *)realloc(bytes, *length + 1); /* so that a reader beyond the end is seen */
}

int main(int count, char **args) {
    TabiaBook book;
    TabiaError error = { 0, "", 0 };
    uint64_t keys[TABIA__BATCH];
    size_t length, n = 0, most = 1;
    char line[64];
    int how = 0, in_memory = 0, found = 0;
    void *bytes = NULL;
    for (args++; *args && **args == '-' && (*args)[1]; args++) {
        if (!strcmp(*args, "-b")) most = TABIA__BATCH;
        else if (!strcmp(*args, "-j")) how = TABIA_IGNORE_JOURNAL;
        else in_memory = 1;
    }
    if (!*args) {
        fprintf(stderr, "usage: reader [-b | -j | -m] BOOK KEY...\n");
        return 2;
    }
    path = *args++;
    if (in_memory) bytes = read_whole(&length);
    if (in_memory ? tabia_open_bytes(&book, bytes, length, &error) : tabia_open(&book, path, how, &error)) refuse(&error);
    if (!*args) describe(&book), found = 1;
    while (next_key(args, line, &keys[n])) {
        if (strcmp(*args, "-")) args++;
        if (++n == most) found |= ask(&book, keys, n), n = 0;
    }
    if (n) found |= ask(&book, keys, n);
    tabia_close(&book);
    free(bytes);
    (void)count;
    return !found;
}
