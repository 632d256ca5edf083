/* Answers lines `FEN` or `FEN|MOVE` by tabia_chess.h: the key; the move's code, and that code as UCI in standard chess and in chess960. `bad` for what is no FEN. */
#define TABIA_CHESS_IMPLEMENTATION
#include "../tabia_chess.h"

#include <inttypes.h>
#include <stdio.h>

int main(void) {
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        TabiaBoard board;
        char *move, standard[6] = "", chess960[6] = "";
        line[strcspn(line, "\n")] = 0;
        if ((move = strchr(line, '|')) != NULL) *move++ = 0;
        if (!tabia_board(&board, line)) {
            puts("bad");
            continue;
        }
        printf("%016" PRIx64, tabia_key(&board));
        if (move) {
            int code = tabia_code(&board, move);
            if (code >= 0) tabia_uci(&board, (uint16_t)code, 0, standard), tabia_uci(&board, (uint16_t)code, 1, chess960);
            printf(" %d %s %s", code, standard, chess960);
        }
        puts("");
    }
    return 0;
}
