#!/usr/bin/env bash
# tools/readers/c: tabia.h, tabia_chess.h and tabia_variants.h. Compilers and warnings, golden files right and wrong, journals, sets of shares, random books against `tabia dump`, a book of master
# games against `tabia get`, keys against python-chess, damaged books under sanitizers and valgrind, threads, other machines by qemu, Windows' compiler, each block of
# the page, and an engine nobody here wrote. What is not here is skipped, and said so.
# tests/reader_c.sh [TIMES [BOOK...]]: TIMES as many damaged and random books, 1 if not said. BOOK: a plain book with positions for 100,000 keys, and others of the
# same contents; without it 20 MB of the archive are built. TABIA: the command, built if not said.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/tools.sh
root=$PWD c=tools/readers/c
times=${1:-1}
books=("${@:2}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

say() { printf '%4d s  %s\n' "$SECONDS" "$*"; }
# told WHAT COMMAND...: says what a command says. It ends the script if it fails, which a command within an argument doesn't.
told() {
    local said
    said=$("${@:2}")
    say "$1: $said"
}
warn=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
sanitize=(-std=c99 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all)

lines=$(cat $c/tabia.h $c/tabia_chess.h | wc -l)
[ "$lines" -le 1250 ] || { echo "the headers have $lines lines, more than 1,250"; exit 1; }

compilers=("gcc -std=c99")
if have g++ "the reader in C++"; then compilers+=("g++ -std=c++17 -x c++"); fi
have python3 "the reader in C" || exit 0
if have clang "a second compiler"; then compilers+=("clang -std=c99" "clang++ -std=c++17 -x c++"); fi
for compiler in "${compilers[@]}"; do
    for source in reader chess fuzz threads; do $compiler "${warn[@]}" -fsyntax-only $c/test/$source.c; done
    printf '#include "tabia.h"\n#include "tabia_variants.h"\nint main(void) { TabiaMove none = { 0, 0, 0, 0, 0, 0 }; return tabia_best(&none, 1) + 1; }\n' >"$folder/main.c"
    $compiler "${warn[@]}" -I$c -c "$folder/main.c" -o "$folder/main.o"
    for api in extern "static inline"; do
        printf '#define TABIA_API %s\n#define TABIA_IMPLEMENTATION\n#include "tabia.h"\n#define TABIA_CHESS_IMPLEMENTATION\n#define TABIA_VARIANTS_IMPLEMENTATION\n#include "tabia_variants.h"\n' "$api" >"$folder/tabia.c"
        $compiler "${warn[@]}" -Wno-unused-const-variable -I$c -O2 -c "$folder/tabia.c" -o "$folder/static.o"
        printf '#define TABIA_API %s\n#define TABIA_IMPLEMENTATION\n#define TABIA_JOURNAL_IMPLEMENTATION\n#define TABIA_SET_IMPLEMENTATION\n#include "tabia_set.h"\n' "$api" >"$folder/set.c"
        $compiler "${warn[@]}" -Wno-unused-const-variable -I$c -O2 -c "$folder/set.c" -o "$folder/set.o"
        [ "$api" != extern ] || mv "$folder/static.o" "$folder/tabia.o"
    done
    ${compiler%% *} "$folder/main.o" "$folder/tabia.o" -o "$folder/main"
    "$folder/main"
done
if nm -u "$folder/tabia.o" | grep -E ' (malloc|calloc|realloc|_Zn)'; then echo "tabia.h allocates"; exit 1; fi
say "${#compilers[@]} compilers, no warning, no allocation, $lines lines"

if have x86_64-w64-mingw32-gcc "the reader for Windows" && have x86_64-w64-mingw32-g++ "the reader for Windows"; then
    for compiler in "x86_64-w64-mingw32-gcc -std=c99" "x86_64-w64-mingw32-g++ -std=c++17 -x c++"; do
        for source in reader chess; do $compiler "${warn[@]}" -D__USE_MINGW_ANSI_STDIO=1 -O1 $c/test/$source.c -o "$folder/$source.exe"; done
    done
    say "compiled and linked for Windows"
fi

gcc -std=c99 "${warn[@]}" -O2 $c/test/reader.c -o "$folder/reader"
gcc "${sanitize[@]}" $c/test/reader.c -o "$folder/reader-sanitized"
gcc "${sanitize[@]}" $c/test/fuzz.c -o "$folder/fuzz-sanitized"
gcc -std=c99 "${warn[@]}" -O1 -g $c/test/fuzz.c -o "$folder/fuzz"
gcc -std=c99 -O1 -g -fsanitize=thread -pthread $c/test/threads.c -o "$folder/threads"
gcc -std=c99 -O2 $c/test/chess.c -o "$folder/chess"
told "golden files" python3 $c/test/golden.py "$folder/reader"
told "golden files, with sanitizers" python3 $c/test/golden.py "$folder/reader-sanitized" --quick
python3 $c/test/golden.py --lay-out "$folder/laid"
told "damaged, with sanitizers" "$folder/fuzz-sanitized" "$folder/laid/list" 1 $((100000 * times)) "$folder/laid"
if have valgrind "damaged books under valgrind"; then
    told "damaged, under valgrind" valgrind -q --error-exitcode=99 "$folder/fuzz" "$folder/laid/list" 2 $((2000 * times)) "$folder/laid"
fi
told "threads, with their sanitizer" "$folder/threads" "$folder/laid/list"

if python_with chess xxhash; then
    told "keys and moves" "$python" $c/test/chess_keys.py "$folder/chess" $((40 * times))
    "$python" format-spec/golden/make_golden.py --large "$folder/large" >/dev/null
    told "large golden files" python3 $c/test/golden.py "$folder/reader" --quick --folder "$folder/large"
else
    python=
fi

# Another machine: its compiler's name, its emulator
machine() {
    { have "$1-gcc" "the reader on $1" && have "$2" "the reader on $1"; } || return 0
    for source in reader fuzz chess; do
        "$1-gcc" -std=c99 "${warn[@]}" -O2 -static $c/test/$source.c -o "$folder/$1-$source.elf"
        printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$2" "$folder/$1-$source.elf" >"$folder/$1-$source"
        chmod +x "$folder/$1-$source"
    done
    told "$1" python3 $c/test/golden.py "$folder/$1-reader" --quick
    told "$1" "$folder/$1-fuzz" "$folder/laid/list" 3 $((2000 * times)) "$folder/laid"
    [ -z "$python" ] || told "$1" "$python" $c/test/chess_keys.py "$folder/$1-chess" 6
}
machine s390x-linux-gnu qemu-s390x
machine i686-linux-gnu qemu-i386

find_tabia
told "random books" python3 $c/test/books.py "$folder/reader" "$tabia" --books $((12 * times))
mkdir "$folder/page" "$folder/bin"
ln -s "$root" "$folder/tabia"
ln -s "$tabia" "$folder/bin/tabia"
told "the page" env "PATH=$folder/bin:$PATH" python3 $c/test/page.py $c/README.md "$folder/page"

archive=../shared/data/chess/masters.pgn.zst
if [ ${#books[@]} -gt 0 ]; then
    told "${books[*]}" python3 $c/test/books.py "$folder/reader" "$tabia" --book "${books[@]}"
elif [ -r "$archive" ] && have zstdcat "master games"; then
    (zstdcat "$archive" || true) 2>/dev/null | head -c 20000000 >"$folder/masters.pgn"
    "$tabia" build --quiet --ratings --years --games -o "$folder/masters.tabia" "$folder/masters.pgn" >/dev/null
    "$tabia" pack --quiet "$folder/masters.tabia" -o "$folder/masters-packed.tabia" >/dev/null
    books=("$folder/masters.tabia")
    told "master games" python3 $c/test/books.py "$folder/reader" "$tabia" --book "${books[0]}" "$folder/masters-packed.tabia"
else
    books=("$folder/page/book.tabia")
    skip "$archive is not here: no 100,000 keys of master games"
fi

if [ -n "$python" ] && $c/examples/glaurung.sh "$folder/glaurung" >"$folder/said" 2>&1; then
    told "glaurung" "$python" $c/examples/uci.py "$folder/glaurung/glaurung" "$tabia" "${books[0]}" --positions $((200 * times))
else
    [ ! -s "$folder/said" ] || tail -3 "$folder/said"
    skip "the source of glaurung, a UCI engine in Debian, can't be had or built"
fi
say done
