#!/bin/sh
# Never loses twice in the same way (Buro 1999): a player with a book that learns each game by
# `tabia-match --learn`, against an opponent who always answers the same; and the same without a
# book. GAMES games each (40), in chess by stockfish, in Othello by gtp-rhino, in Go by gnugo, in
# English and international draughts by our own search.
# A slow proof, not a part of test.sh: needs these three (Debian has them) and half an hour; for
# draughts alone (WHICH="checkers draughts-10") nothing, and a few minutes. TABIA is a command that is
# built already, with tabia-match beside it.
set -eu
cd "$(dirname "$0")/.."
programs=${TABIA:+$(dirname "$TABIA")}
[ -n "$programs" ] && [ -x "$programs/tabia-match" ] || {
    cargo build --release --locked -q -p tabia-cli -p tabia-match
    programs=$PWD/target/release
}
PATH="$programs:$PATH:/usr/games"
games=${GAMES:-40}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "game learns: games won drawn lost alike"

# play GAME NAME FIRST SECOND LIMITS LEARNING
play() {
    game=$1 book="$folder/$1.tabia"
    tabia grow "$book" --game "$game" --budget "0 expansions" -q
    # Engines are started anew for each game that is learned, here by a book that nobody asks.
    tabia grow "$folder/unused-$game.tabia" --game "$game" --budget "0 expansions" -q
    tabia-match --game "$game" --first "$2" --second "$3" --games "$games" $4 \
        --learn "$folder/unused-$game.tabia" --learn-nodes 1 \
        --output "$folder/$game-plain" >/dev/null
    result=$(python3 tests/lost_once.py "$folder/$game-plain")
    echo "$game no: $result"
    tabia-match --game "$game" --second "$3" --games "$games" $4 \
        --first "tabia play --protocol $6 $book --rule negamax -- $2" \
        --learn "$book" $5 --output "$folder/$game-learning" >/dev/null
    result=$(python3 tests/lost_once.py "$folder/$game-learning")
    echo "$game yes: $result"
    tabia check "$book" | tail -1
    [ "${result##* }" = 0 ] || exit 1
}

for which in ${WHICH:-chess othello go-9 checkers draughts-10}; do
    case $which in
    chess) play chess stockfish stockfish "--nodes 2000 --first-option Hash=1 --second-option Hash=16" \
        "--learn-engine stockfish --learn-nodes 5000" uci ;;
    othello) play othello "gtp-rhino -l 1 -b 0 -r 0" "gtp-rhino -l 3 -b 0 -r 0" "" \
        "--learn-nodes 5000" gtp ;;
    go-9) play go-9 "gnugo --mode gtp --level 1 --seed 1" "gnugo --mode gtp --level 8 --seed 1" "" \
        "--learn-nodes 20000" gtp ;;
    checkers | draughts-10) play "$which" "tabia engine --game $which --nodes 200" \
        "tabia engine --game $which --nodes 2000" "" "--learn-nodes 5000" gtp ;;
    esac
done
