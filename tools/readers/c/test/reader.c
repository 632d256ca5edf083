/* reader [-b] [-c] [-j | -o | -m] BOOK KEY...: prints what a book holds about positions, by tabia.h. KEY is 16 hex digits; - reads keys from standard input.
 * reader -s [-b] [-c] BOOK... -- KEY...: the same of a set of shares, by tabia_set.h.
 *
 * -b asks for the keys in batches; -c prints columns too; -j ignores a journal beside the book, -o lays it over; -m reads the book into memory first. A position and its moves are
 * asked for in three ways (alone, and both by one probe), which have to agree. Lines are those of format-spec/golden/answers.tsv: position, move; ratings, game, years.
 * `reader BOOK` alone prints the book's digest, share, game, rows and facts; of a set the first two are left out. Exit code: 0 found, 1 not in the book, 2 not a readable book (one line on stderr
 * names the file and the rule). */
#define TABIA_IMPLEMENTATION
#define TABIA_JOURNAL_IMPLEMENTATION
#define TABIA_SET_IMPLEMENTATION
#include "../tabia_set.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ROOM = 66000, KEYS = 40 }; /* moves of a position that are shown; keys of a batch: not a multiple of those that tabia.h takes at a time */
static const char *path;
static int with_columns, overlaid, is_set;
static TabiaJournal journal;
static TabiaSet set;
static TabiaMove moves[KEYS][ROOM], alone[ROOM];
static TabiaColumns columns[KEYS][ROOM];

static void refuse(const TabiaError *error) {
    fprintf(stderr, "%s: %s (%s %" PRIu64 ")\n", path, error->what, error->kind == TABIA_NOT_A_SET ? "share" : "at byte", error->place);
    exit(2);
}

static void print_position(uint64_t key, const TabiaPosition *p) {
    printf("position %016" PRIx64 " %" PRIu32 " %" PRIu32 " %" PRIu32 " ", key, p->wins, p->draws, p->losses);
    if (p->eval == TABIA_NO_EVAL) printf("- %u %02x\n", p->depth, p->flags);
    else printf("%d %u %02x\n", p->eval, p->depth, p->flags);
}

static void print_move(const TabiaBook *book, uint64_t key, const TabiaMove *m, const TabiaColumns *c) {
    printf("move %016" PRIx64 " %04x %" PRIu32 " %" PRIu32 " %" PRIu32 " %02x\n", key, m->code, m->wins, m->draws, m->losses, m->marks);
    if (!with_columns) return;
    if (book->columns & 1)
        printf("ratings %016" PRIx64 " %04x %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", key, m->code, c->mover_rating_sum, c->opponent_rating_sum,
            c->rated_games, c->rated_score);
    if (book->columns & 2) printf("game %016" PRIx64 " %04x %u %012" PRIx64 "\n", key, m->code, (unsigned)(c->game >> 48), c->game & UINT64_C(0xffffffffffff));
    if (book->columns & 4) printf("years %016" PRIx64 " %04x %" PRIu64 " %" PRIu64 "\n", key, m->code, c->first_year, c->last_year);
}

static void disagree(uint64_t key, const char *what) {
    fprintf(stderr, "%s: %016" PRIx64 ": %s differ by the way they are asked for\n", path, key, what);
    exit(3);
}

/* Compares an answer with those of the other functions. */
static void compare(const TabiaBook *book, const TabiaProbe *probe) {
    TabiaPosition position;
    int found = is_set ? tabia_set_position(&set, probe->key, &position) : tabia_position(book, probe->key, &position);
    int count = is_set ? tabia_set_moves(&set, probe->key, alone, ROOM) : tabia_moves(book, probe->key, alone, ROOM);
    if (found != probe->found || (found && memcmp(&position, &probe->position, sizeof position))) disagree(probe->key, "positions");
    if (count != probe->count || memcmp(alone, probe->moves, (size_t)count * sizeof *alone)) disagree(probe->key, "moves");
    if ((is_set ? tabia_set_moves(&set, probe->key, NULL, 0) : tabia_moves(book, probe->key, NULL, 0)) != 0 || probe->total < count || (count < ROOM && probe->total != count)) disagree(probe->key, "numbers of moves");
}

static int print(const TabiaBook *book, const TabiaProbe *probe) {
    if (!overlaid) compare(book, probe);
    if (probe->found) print_position(probe->key, &probe->position);
    for (int i = 0; i < probe->count; i++) print_move(book, probe->key, &probe->moves[i], &probe->columns[i]);
    return probe->found || probe->count;
}

static int ask(const TabiaBook *book, const uint64_t *keys, size_t count) {
    TabiaProbe probes[KEYS];
    TabiaError error;
    int found = 0;
    for (size_t i = 0; i < count; i++) {
        TabiaProbe probe = { 0, NULL, NULL, 0, 0, 0, 0, { 0, 0, 0, 0, 0, 0 } };
        probe.key = keys[i], probe.moves = moves[i], probe.columns = columns[i], probe.room = ROOM;
        probes[i] = probe;
    }
    if (is_set   ? tabia_set_probe(&set, probes, count, TABIA_POSITIONS | TABIA_MOVES, &error) :
        overlaid ? tabia_probe_overlaid(book, &journal, probes, count, TABIA_POSITIONS | TABIA_MOVES, &error) :
                   tabia_probe(book, probes, count, TABIA_POSITIONS | TABIA_MOVES, &error)) refuse(&error);
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

static void print_text(const char *text, uint32_t length) { /* with \\ \t \n \r for what would break a line */
    static const char escaped[] = "\\\t\n\r", letters[] = "\\tnr";
    for (uint32_t i = 0; i < length; i++) {
        const char *found = text[i] ? strchr(escaped, text[i]) : NULL;
        if (found) printf("\\%c", letters[found - escaped]);
        else putchar(text[i]);
    }
}

static void describe(const TabiaBook *book) {
    TabiaFact fact = { NULL, NULL, NULL, 0, 0, 0, 0 };
    int more;
    if (!is_set) {
        printf("digest ");
        for (int i = 0; i < 16; i++) printf("%02x", book->digest[i]);
        puts("");
    }
    if (!is_set && book->share_bits) printf("share %" PRIu32 " %" PRIu32 "\n", book->share_bits, book->share_number);
    printf("game %s %s %d %d\n", book->game, book->keys, book->keyed_by_line, book->results_unknown);
    printf("rows %" PRIu64 " %" PRIu64 "\n", is_set ? set.position_rows : book->position_rows, is_set ? set.move_rows : book->move_rows);
    while ((more = tabia_fact(book, &fact)) > 0) {
        printf("fact ");
        for (int i = 0; i < 16; i++) printf("%02x", fact.subject[i]);
        printf(" %.*s ", (int)fact.name_length, fact.name);
        print_text(fact.value, fact.value_length);
        puts("");
    }
    if (more < 0) {
        fprintf(stderr, "%s: B-27: facts are damaged\n", path);
        exit(2);
    }
}

/* Opens the shares that `args` begins with, up to --, as a set; returns what is behind them. */
static char **open_set(char **args) {
    TabiaError error;
    size_t count = 0;
    while (args[count] && strcmp(args[count], "--")) count++;
    path = count ? args[0] : "no share";
    if (tabia_set_open(&set, (const char *const *)args, count, &error)) {
        if (count) path = args[set.failed];
        refuse(&error);
    }
    return args + count + (args[count] != NULL);
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
    const TabiaBook *asked = &book; /* of a set, the first share */
    TabiaError error = { 0, "", 0 };
    uint64_t keys[KEYS];
    size_t length, n = 0, most = 1;
    char line[64];
    int how = 0, in_memory = 0, found = 0;
    void *bytes = NULL;
    for (args++; *args && **args == '-' && (*args)[1]; args++) {
        if (!strcmp(*args, "-b")) most = KEYS;
        else if (!strcmp(*args, "-c")) with_columns = 1;
        else if (!strcmp(*args, "-j")) how = TABIA_IGNORE_JOURNAL;
        else if (!strcmp(*args, "-o")) overlaid = 1;
        else if (!strcmp(*args, "-m")) in_memory = 1;
        else if (!strcmp(*args, "-s")) is_set = 1;
        else break;
    }
    if (!is_set && (!*args || **args == '-')) {
        fprintf(stderr, "usage: reader [-b] [-c] [-j | -o | -m] BOOK KEY...\n       reader -s [-b] [-c] BOOK... -- KEY...\n");
        return 2;
    }
    memset(&book, 0, sizeof book);
    if (is_set) args = open_set(args), asked = &set.shares[0].book;
    else path = *args++;
    if (in_memory) bytes = read_whole(&length);
    if (!is_set && (in_memory ? tabia_open_bytes(&book, bytes, length, &error) :
                    overlaid  ? tabia_open_overlaid(&book, &journal, path, &error) :
                                tabia_open(&book, path, how, &error))) refuse(&error);
    if (!*args) describe(asked), found = 1;
    while (next_key(args, line, &keys[n])) {
        if (strcmp(*args, "-")) args++;
        if (++n == most) found |= ask(asked, keys, n), n = 0;
    }
    if (n) found |= ask(asked, keys, n);
    tabia_close_overlaid(&book, &journal);
    tabia_set_close(&set);
    free(bytes);
    (void)count;
    return !found;
}
