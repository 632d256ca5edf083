# Makes the files that examples in helps name, and programs that they start: see cli/examples.rs.
set -e
mkdir -p bin archives go parts shares .local/share/bash-completion/completions .config/fish/completions
cat > bin/stockfish <<'END'
#!/bin/sh
# It mates by any move, so that books that grow are solved at once.
while read -r line; do case $line in
    uci) echo 'option name MultiPV type spin default 1 min 1 max 500'; echo uciok;; isready) echo readyok;; quit) exit;;
    *searchmoves*)
        n=1; for move in ${line#*searchmoves }; do
            echo "info depth 1 multipv $n score mate 1 nodes 1 pv $move"; n=$((n + 1))
        done
        set -- ${line#*searchmoves }; echo bestmove $1;;
    go*) echo bestmove 0000;;
esac; done
END
printf '#!/bin/sh\nshift; exec sh -c "$*"\n' > bin/ssh
for name in gnugo edax; do
    cat > bin/$name <<'END'
#!/bin/sh
while read -r line; do case $line in
    uci) echo uciok;; isready) echo readyok;; go*) echo bestmove 0000;; quit) exit;;
    genmove*) printf '= resign\n\n';; *) printf '=\n\n';;
esac; done
END
done
for name in dot jq man zstd; do printf '#!/bin/sh\ncat\n' > bin/$name; done
printf '#!/bin/sh\ntest -s rows.moves.parquet\n' > bin/duckdb
cat > bin/parallel <<'END'
#!/bin/sh
command=; while [ "$1" != ::: ]; do command="$command $1"; shift; done; shift
for n; do sh -c "$(echo "$command" | sed "s/{}/$n/")" || exit; done
END
printf '#!/bin/sh\nSLURM_ARRAY_TASK_ID=2 exec sh -c "$3"\n' > bin/sbatch
chmod +x bin/*
printf '[TimeControl "180+2"]\n[WhiteElo "1700"]\n[BlackElo "1650"]\n[UTCDate "2024.01.05"]\n[Result "1-0"]\n\n1. e4 1-0\n' > lichess.pgn.zst
cp sample.pgn masters.pgn.zst; cp players.pgn league.pgn archives; cp league.pgn this-week.pgn
echo "(;SZ[19]RE[B+R];B[qd];W[dp];B[oc];W[fq];B[cn])" > go/game.sgf
cp book.bin performance.bin; cp book.bin learned.bin; cp edax.dat book.dat; cp evals.jsonl evals.jsonl.zst
gunzip -c arena.abk.gz > perfect.abk; head -c 4096 /dev/zero > powerbook.ctg
echo "{0 7 15 {+41 4 9 {-31 1 2} {-33 1 3}} {+1 2 4 {-81 1 2}}}" > tree.mcst; echo "{0 1 1 {+41 1 1}}" > tree.txt.zst
printf 'eco\tname\tpgn\nC20\tOpen Game\t1. e4 e5\n' > openings.tsv
printf 'first\\second lcb nr\nlcb 50 0\nnr 100 50\n' > matrix.tsv
printf '#positions\tkey\twins\n0000000000000001\t1\n' > rows.tsv
tabia build --games -o masters.tabia masters.pgn.zst; cp masters.tabia games.tabia; cp masters.tabia old.tabia
tabia build -o club.tabia club.pgn; cp club.tabia 2023.tabia; cp club.tabia before.tabia; cp club.tabia parts
tabia build -o mine.tabia league.pgn; cp mine.tabia 2024.tabia; cp mine.tabia after.tabia; cp mine.tabia parts
tabia build -q -o this-week.tabia odd.pgn
tabia merge -o all.tabia club.tabia mine.tabia; for n in 1 2; do tabia merge --share $n/2 -o shares/$n.tabia club.tabia; done
cp masters.tabia broken.tabia; printf x | dd of=broken.tabia bs=1 seek=4200 conv=notrunc status=none
tabia build --games -o wthor.tabia othello.pgn; tabia build -o go9.tabia go.sgf; tabia import mcst tree.mcst -o go.tabia
tabia dump masters.tabia -o masters.parquet; tabia pack masters.tabia -o small.tabia
tabia plan -o lichess.json --parts 2 --shares 2 archives
cp club.tabia repertoire.tabia
