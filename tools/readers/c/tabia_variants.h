/* tabia_variants.h: what tabia_chess.h does, for lichess's variants of chess too: keys (format-spec/keys.md), and moves as UCI writes them. Of chess, and of variants
 * without pieces in hand and counted checks, positions have the keys of tabia_chess.h; rules are the engine's own.
 *
 *     #define TABIA_CHESS_IMPLEMENTATION     in one source file
 *     #define TABIA_VARIANTS_IMPLEMENTATION
 *     #include "tabia_variants.h"            in all that use it, with tabia_chess.h beside it
 *
 *     TabiaVariant position;
 *     if (tabia_variant(&position, "crazyhouse", "4k3/8/8/8/8/8/8/4K3[Nq] w - - 0 1")) ask the book for tabia_variant_key(&position) ...
 *
 * License: MIT OR Apache-2.0. */
#ifndef TABIA_VARIANTS_H
#define TABIA_VARIANTS_H
#include "tabia_chess.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A position. Engines fill it from a FEN, or from their own board. */
typedef struct TabiaVariant {
    TabiaBoard board;
    uint8_t checks[2];  /* Three-check: how many checks White and Black may still give; 3 elsewhere */
    uint8_t hand[2][5]; /* Crazyhouse: how many pawns, knights, bishops, rooks, queens White and Black have in hand */
    uint64_t promoted;  /* Crazyhouse: the squares of pieces that were pawns, a1 in the lowest bit */
} TabiaVariant;

/* Reads a FEN of a game as books name it (`antichess`, `three-check`) as tabia_board does, with pieces in hand in brackets behind the board or as a ninth row, `~` behind
 * pieces that were pawns, and checks that may still be given (`3+3` as the fifth field) or were given (`+0+0` as the last one). Rights to castle that the game
 * doesn't know are left out. Returns 0, and leaves anything in `position`, if it isn't one. */
TABIA_API int tabia_variant(TabiaVariant *position, const char *game, const char *fen);
/* The key that books have. */
TABIA_API uint64_t tabia_variant_key(const TabiaVariant *position);
/* As tabia_uci: the move with a code, "N@f3" and "P@f3" for drops, "b2a1k" for a pawn that becomes a king. Returns 0 if no move here can have it. */
TABIA_API int tabia_variant_uci(const TabiaVariant *position, uint16_t code, int chess960, char uci[6]);
/* As tabia_code: the code of a move as UCI writes it; -1 if that is no move. */
TABIA_API int tabia_variant_code(const TabiaVariant *position, const char *uci);

#ifdef __cplusplus
}
#endif
#endif

#ifdef TABIA_VARIANTS_IMPLEMENTATION
#undef TABIA_VARIANTS_IMPLEMENTATION

static const char tabia__held[] = "pPnNbBrRqQ", tabia__dropped[] = "PNBRQ";

/* The checks of a field of a FEN, `2+3` to be given or `+1+0` given. Returns 0 if they can't be, 1 if they were read or it is another field. */
static int tabia__checks_of(TabiaVariant *v, const char *field) {
    int given = *field == '+', white, black;
    field += given;
    if (field[0] < '0' || field[0] > '9' || field[1] != '+' || field[2] < '0' || field[2] > '9' || (field[3] && field[3] != ' ')) return 1;
    white = field[0] - '0', black = field[2] - '0';
    if (white > 3 || black > 3) return 0;
    v->checks[0] = (uint8_t)(given ? 3 - white : white), v->checks[1] = (uint8_t)(given ? 3 - black : black);
    return 1;
}

/* The pieces in hand of a FEN, up to a space or "]": where that is; NULL if they are none, or too many. */
static const char *tabia__hands(TabiaVariant *v, const char *fen) {
    for (const char *piece; *fen && *fen != ']' && *fen != ' '; fen++) {
        uint8_t *held;
        if (*fen == '-') continue;
        if ((piece = strchr(tabia__held, *fen)) == NULL) return NULL;
        held = &v->hand[(piece - tabia__held + 1) % 2][(piece - tabia__held) / 2];
        if (*held == 255) return NULL;
        ++*held;
    }
    return fen;
}

TABIA_API int tabia_variant(TabiaVariant *v, const char *game, const char *fen) {
    char plain[128]; /* the FEN without what only variants have */
    size_t length = 0;
    int square = 56, rows = 1;
    memset(v, 0, sizeof *v);
    v->checks[0] = v->checks[1] = 3;
    for (; *fen && *fen != ' ' && *fen != '[' && length < 80; fen++) {
        if (*fen == '/' && ++rows == 9) break;
        if (*fen == '~' && length > 0 && plain[length - 1] > '8') {
            if (!strchr("pPkK", plain[length - 1])) v->promoted |= (uint64_t)1 << ((square - 1) & 63);
            continue;
        }
        square += *fen == '/' ? -16 : *fen >= '1' && *fen <= '8' ? *fen - '0' : 1;
        plain[length++] = *fen;
    }
    if (*fen == '[' || *fen == '/') {
        int brackets = *fen == '[';
        if ((fen = tabia__hands(v, fen + 1)) == NULL || (*fen == ']') != brackets) return 0;
        fen += brackets;
    }
    if (*fen != ' ') return 0;
    for (const char *field = fen; field; field = strchr(field, ' '))
        if (!tabia__checks_of(v, ++field)) return 0;
    while (*fen && length < sizeof plain - 1) plain[length++] = *fen++; /* what is asked for is in front */
    plain[length] = '\0';
    if (!tabia_board(&v->board, plain)) return 0;
    if (strcmp(game, "antichess") == 0 || strcmp(game, "racing-kings") == 0) memset(v->board.castling, 64, sizeof v->board.castling);
    return 1;
}

/* Number `i` of a stream of keys.md, whose seed is its name. */
static uint64_t tabia__streamed(uint64_t seed, int i) {
    uint64_t n = seed + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(i + 1);
    n = (n ^ n >> 30) * UINT64_C(0xbf58476d1ce4e5b9), n = (n ^ n >> 27) * UINT64_C(0x94d049bb133111eb);
    return n ^ n >> 31;
}

TABIA_API uint64_t tabia_variant_key(const TabiaVariant *v) {
    uint64_t key = tabia_key(&v->board);
    for (int s = 0; s < 64; s++)
        if (v->promoted >> s & 1) key ^= tabia__streamed(UINT64_C(0x6465746f6d6f7270), s); /* "promoted" */
    for (int c = 0; c < 2; c++) {
        if (v->checks[c] < 3) key ^= tabia__streamed(UINT64_C(0x0000736b63656863), 3 * c + v->checks[c]); /* "checks" */
        for (int k = 0; k < 5; k++)
            if (v->hand[c][k]) key ^= tabia__streamed(UINT64_C(0x007374656b636f70), 256 * (6 * c + k) + v->hand[c][k]); /* "pockets" */
    }
    return key;
}

TABIA_API int tabia_variant_uci(const TabiaVariant *v, uint16_t code, int chess960, char uci[6]) {
    int to = code & 63, kind = code >> 12;
    if (to == (code >> 6 & 63)) {
        if (kind > 4 || (kind == 0 && (to < 8 || to >= 56)) || v->board.piece[to] || !v->hand[!v->board.white_to_move][kind]) return 0;
        uci[0] = tabia__dropped[kind], uci[1] = '@', uci[2] = (char)('a' + to % 8), uci[3] = (char)('1' + to / 8), uci[4] = uci[5] = '\0';
        return 1;
    }
    if (kind != 5) return tabia_uci(&v->board, code, chess960, uci);
    if (v->board.piece[code >> 6 & 63] != 1 + v->board.white_to_move || (to >= 8 && to < 56)) return 0;
    if (!tabia_uci(&v->board, code & 0xfff, chess960, uci)) return 0;
    uci[4] = 'k', uci[5] = '\0';
    return 1;
}

TABIA_API int tabia_variant_code(const TabiaVariant *v, const char *uci) {
    char bare[5] = "";
    const char *kind;
    int code, drops = uci[0] && uci[1] == '@';
    if (!drops && (strlen(uci) != 5 || uci[4] != 'k')) return tabia_code(&v->board, uci);
    if (drops && ((kind = strchr(tabia__dropped, uci[0])) == NULL || strlen(uci) != 4)) return -1;
    memcpy(bare, drops ? uci + 2 : uci, drops ? 2 : 4);
    if (drops) memcpy(bare + 2, uci + 2, 2);
    code = tabia_code(&v->board, bare);
    return code < 0 ? -1 : code | (drops ? (int)(strchr(tabia__dropped, uci[0]) - tabia__dropped) : 5) << 12;
}
#endif
