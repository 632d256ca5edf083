/* Answers lines `FEN` or `FEN|MOVE` by tabia_chess.h, with `v GAME|` in front of them by tabia_variants.h: the key; the move's code, and that code as UCI in standard chess and in chess960. `bad` for what is no FEN. */
#define TABIA_CHESS_IMPLEMENTATION
#define TABIA_VARIANTS_IMPLEMENTATION
#include "../tabia_variants.h"

#include <inttypes.h>
#include <stdio.h>

int main(void) {
    char line[1024];
    while (fgets(line, sizeof line, stdin)) {
        TabiaVariant variant;
        int is_variant = *line == 'v';
        char *fen = line, *move, standard[6] = "", chess960[6] = "";
        line[strcspn(line, "\n")] = 0;
        if (is_variant && (fen = strchr(line, '|')) != NULL) *fen++ = 0;
        if (!fen) return 1;
        if ((move = strchr(fen, '|')) != NULL) *move++ = 0;
        if (!(is_variant ? tabia_variant(&variant, line + 2, fen) : tabia_board(&variant.board, fen))) {
            puts("bad");
            continue;
        }
        printf("%016" PRIx64, is_variant ? tabia_variant_key(&variant) : tabia_key(&variant.board));
        if (move) {
            int code = is_variant ? tabia_variant_code(&variant, move) : tabia_code(&variant.board, move);
            for (int kind = 0; kind < 2 && code >= 0; kind++) {
                char *uci = kind ? chess960 : standard;
                if (is_variant) tabia_variant_uci(&variant, (uint16_t)code, kind, uci);
                else tabia_uci(&variant.board, (uint16_t)code, kind, uci);
            }
            printf(" %d %s %s", code, standard, chess960);
        }
        puts("");
    }
    return 0;
}
