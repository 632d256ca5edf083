# Games of chess by chance: awk -v seed=1 -v games=30 -f games.awk. Their moves are legal in whatever order
# they are played, so that many lines lead to the same positions.

function chance(n) {
    seed = seed * 16807 % 2147483647
    return seed % n
}

function next_move(side,    at, move) {
    at = chance(left[side]) + 1
    move = moves[side, at]
    moves[side, at] = moves[side, left[side]--]
    return length(move) > 1 ? move : move (side ? 7 - ++steps[side, move] : 2 + ++steps[side, move])
}

BEGIN {
    seed = seed * 7919 + 1
    split("1-0 0-1 1/2-1/2", results, " ")
    for (game = 1; game <= games; game++) {
        result = results[chance(3) + 1]
        printf "[Event \"By chance\"]\n[WhiteElo \"%d\"]\n[BlackElo \"%d\"]\n", 2000 + chance(600), 1900 + chance(700)
        printf "[Date \"%d.01.02\"]\n[Result \"%s\"]\n\n", 1980 + chance(40), result
        split("", steps)
        for (side = 0; side < 2; side++) {
            left[side] = split("a a b b d d e e g g h h " (side ? "Nf6 Nc6" : "Nf3 Nc3"), list, " ")
            for (at in list) moves[side, at] = list[at]
        }
        for (ply = 0; ply < (plies ? plies : 28); ply++) printf "%s ", next_move(ply % 2)
        print result "\n"
    }
}
