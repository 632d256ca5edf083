#!/usr/bin/env bash
# Whether the engine compiles for Windows, macOS, FreeBSD and WebAssembly, and the command for Windows; whether that command, under Wine, makes the bytes that it makes here; and whether a book
# is read in WebAssembly, by node. No other system's standard library is here: it is compiled from Debian's package of the sources, by the compiler that goes with it. Both are unpacked in
# target/systems; nothing is installed. What is not here is skipped, and said so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/tools.sh
folder=$PWD/target/systems

# Debian's compiler, the sources of its library, and what it is linked with.
have apt-get "other systems" || exit 0
if [ ! -x "$folder/usr/bin/rustc" ]; then
    mkdir -p "$folder/packages"
    (
        cd "$folder/packages"
        needs() { apt-cache depends "$1" | sed -n 's/^ *Depends: \(lib\(std-rust-web\|llvm\).*\)/\1/p'; }
        library=$(needs libstd-rust-web-dev)
        apt-get download -qq rustc-web rust-web-src libstd-rust-web-dev "$library" "$(needs "$library")"
    ) >/dev/null 2>&1 || { rm -rf "$folder/packages"; skip "other systems: Debian has no rustc-web that can be had"; exit 0; }
    for package in "$folder"/packages/*.deb; do dpkg -x "$package" "$folder"; done
    rm -r "$folder/packages"
    # Where cargo looks for the sources.
    sources=("$folder"/usr/src/rustc-*)
    mkdir -p "$folder/usr/lib/rustlib/src"
    ln -sfn "${sources[0]}" "$folder/usr/lib/rustlib/src/rust"
fi
for_system() {
    env LD_LIBRARY_PATH="$folder/usr/lib/x86_64-linux-gnu" RUSTC="$folder/usr/bin/rustc" RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="$folder/target" CARGO_INCREMENTAL=0 \
        CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$(rustc --print sysroot)/lib/rustlib/$(rustc --print host-tuple)/bin/rust-lld" \
        cargo "$@" --quiet --locked -Zbuild-std=std,panic_abort,panic_unwind
}

passed=0
for system in aarch64-apple-darwin x86_64-unknown-freebsd wasm32-unknown-unknown x86_64-pc-windows-gnu; do
    for_system check -p tabia --target $system
    echo "the engine compiles for $system"
    passed=$((passed + 1))
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find_tabia
"$tabia" -q build tests/sample.pgn --games -o "$work/here.tabia"
"$tabia" -q pack "$work/here.tabia" -o "$work/packed.tabia"

# A book in the memory of WebAssembly.
if have node "a book in WebAssembly"; then
    (cd tests/systems/wasm && for_system build --release --target wasm32-unknown-unknown)
    for book in here packed; do
        node -e '
            const [wasm, book, key] = process.argv.slice(1), read = require("fs").readFileSync
            WebAssembly.instantiate(read(wasm)).then(({ instance: { exports: { memory, room, games } } }) => {
                const bytes = read(book), put = () => {
                    const at = room(bytes.length)
                    new Uint8Array(memory.buffer, at, bytes.length).set(bytes)
                }
                put()
                const found = games(BigInt(key)), absent = games(1n)
                bytes.fill(0, 0, 8)
                put()
                const damaged = games(BigInt(key))
                console.log("a book in WebAssembly:", found, absent, damaged)
                process.exit(found === 300.06 && absent === -1 && damaged === -2 ? 0 : 1)
            })' "$folder/target/wasm32-unknown-unknown/release/book_in_memory.wasm" "$work/$book.tabia" 0x463b96181691fc9c
        passed=$((passed + 1))
    done
fi

# The command on Windows. It has no `serve` there, and Wine 8 can't replace a file that is open.
have x86_64-w64-mingw32-gcc "the command for Windows" || exit 0
have wine "the command under Wine" || exit 0
for_system build -p tabia-cli --no-default-features --features chess,othello,go,draughts,connect,bzip2,gzip,tar,zstd,parquet --target x86_64-pc-windows-gnu
cp "$folder/target/x86_64-pc-windows-gnu/debug/tabia.exe" tests/sample.pgn "$work"
x86_64-w64-mingw32-gcc -shared -o "$work/bcryptprimitives.dll" tests/systems/bcryptprimitives.c -ladvapi32
cd "$work"
export WINEPREFIX=$work/wine WINEDEBUG=-all
there() { timeout 300 wine ./tabia.exe -q "$@" 2>"$work/said" || { cat "$work/said"; return 1; }; }
refused() {
    if there "$@" >"$work/output"; then echo "not refused: $*"; exit 1; fi
    grep -q '^tabia: ' "$work/output" || { cat "$work/output"; exit 1; }
}
there build sample.pgn --games -o there.tabia
there pack there.tabia -o there-packed.tabia
cmp here.tabia there.tabia && cmp here.tabia-games there.tabia-games && cmp packed.tabia there-packed.tabia
there check there.tabia
there explore there.tabia | diff - <("$tabia" -q explore here.tabia)
refused build sample.pgn -o there.tabia
for book in here there; do
    run=there; [ $book = there ] || run="$tabia -q"
    $run add $book.tabia sample.pgn --allow-duplicate-sources >/dev/null
    $run check $book.tabia >/dev/null
    $run merge $book.tabia packed.tabia -o $book-merged.tabia --allow-duplicate-sources >/dev/null
done
cmp here.tabia-journal there.tabia-journal && cmp here-merged.tabia there-merged.tabia
# Where that system replaces a file that is open, it does what is done here; else the files stay as they are.
if there compact there.tabia; then "$tabia" -q compact here.tabia; else grep '^tabia: ' said; fi
cmp <(cat here.tabia*) <(cat there.tabia*)
there check there.tabia
echo "the command for Windows, under $(wine --version | tail -n 1), made the same book, packed, journal, games and merged bytes as here"
echo "$((passed + 1)) passed, 0 failed"
