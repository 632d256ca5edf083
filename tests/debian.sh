#!/usr/bin/env bash
# The Debian package of the command (tools/cli/Cargo.toml says what is in it), made twice to the same bytes, and installed in a Debian that has nothing else: there `tabia` builds a book of
# tests/sample.pgn and explores it, man pages, completions and units are where they belong, and removing the package leaves nothing.
# tests/debian.sh [COMMAND [FOLDER]]: of this `tabia`, or of one that is built here; keeps the package in FOLDER. Needs root, debootstrap and a mirror of
# Debian; cargo-deb comes from crates.io into target/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh

what="the Debian package"
have dpkg-deb "$what" && have dpkg-shlibdeps "$what" && cargo_with cargo-deb@3.8.0 || exit 0
command=${1:-}
if [ -z "$command" ]; then
    cargo build --quiet --release --locked -p tabia-cli
    command=${CARGO_TARGET_DIR:-target}/release/tabia
fi
work=$(mktemp -d)
unmount() { ! mountpoint -q "$work/debian/proc" || umount "$work/debian/proc"; }
trap 'unmount && rm -rf --one-file-system "$work"' EXIT
SECONDS=0
say() {
    printf '%4d s  %s\n' "$SECONDS" "$*"
    SECONDS=0
}

# Man pages, of every verb and every format, and completions, as the command prints them, where the package's list of files looks for them.
files=target/debian-files
rm -rf "$files"
mkdir -p "$files/man" "$work/target/release"
cp "$command" "$work/target/release/tabia"
tabia=$work/target/release/tabia
"$tabia" man >"$files/man/tabia.1"
for verb in $("$tabia" --help | sed -n '/^Options:/q; s/^  \([a-z-]*\)  .*/\1/p'); do
    "$tabia" man "$verb" >"$files/man/tabia-$verb.1"
    for format in $("$tabia" "$verb" --help | sed -n '/^Formats:/,/^$/s/^  \([a-z][a-z-]*\)  .*/\1/p'); do "$tabia" man "$verb" "$format" >"$files/man/tabia-$verb-$format.1"; done
done
"$tabia" completions bash >"$files/tabia.bash"
"$tabia" completions fish >"$files/tabia.fish"
"$tabia" completions zsh >"$files/_tabia"
# The licences of the crates in the command, if they were gathered (tests/licences.sh).
mkdir "$files/doc"
cp README.md tools/COPYING "$files/doc"
[ ! -e "${2:-}/LICENSES.txt" ] || cp "$2/LICENSES.txt" "$files/doc"

# The time of the commit is that of all files, and owner and order don't depend on the machine.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
for made in first second; do
    CARGO_TARGET_DIR=$work/target cargo deb --quiet --no-build --package tabia-cli --locked --output "$work/$made.deb" >/dev/null 2>"$work/log" || { cat "$work/log"; exit 1; }
done
! grep -i warning "$work/log" || exit 1
cmp "$work/first.deb" "$work/second.deb"
package=tabia_$(dpkg-deb --field "$work/first.deb" Version)_$(dpkg-deb --field "$work/first.deb" Architecture).deb
mv "$work/first.deb" "$work/$package"
dpkg-deb --contents "$work/$package" >"$work/contents"
for wanted in usr/bin/tabia usr/share/man/man1/tabia.1.gz usr/share/man/man1/tabia-build.1.gz usr/share/man/man1/tabia-export-polyglot.1.gz usr/share/bash-completion/completions/tabia \
    usr/share/fish/vendor_completions.d/tabia.fish usr/share/zsh/vendor-completions/_tabia usr/lib/systemd/system/tabia.service usr/lib/systemd/system/tabia.socket usr/share/doc/tabia/copyright usr/share/doc/tabia/COPYING; do
    grep -q " \./$wanted$" "$work/contents" || { echo "$wanted is not in $package"; cat "$work/contents"; exit 1; }
done
[ -z "${2:-}" ] || { mkdir -p "$2"; cp "$work/$package" "$2"; }
say "$package: $(stat -c %s "$work/$package") bytes, $(wc -l <"$work/contents") files; it depends on $(dpkg-deb --field "$work/$package" Depends)"

have debootstrap "$what, installed" || exit 0
[ "$(id -u)" = 0 ] || { skip "$what, installed: only root may"; exit 0; }
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
debootstrap --variant=minbase "$release" "$work/debian" >"$work/log" 2>&1 || {
    if grep -qE "Failed getting release|Couldn't download|Unable to fetch|Could not resolve" "$work/log"; then skip "$what, installed: Debian's mirror can't be reached"; exit 0; fi
    tail -5 "$work/log"
    exit 1
}
mount -t proc proc "$work/debian/proc"
say "a Debian $release that has nothing else"
inside() { chroot "$work/debian" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive HOME=/root "$@"; }
cp "$work/$package" tests/sample.pgn "$work/debian/root"
inside apt-get install -qq -y --no-install-recommends "/root/$package" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
say "installed"
inside sh -ec 'cd && tabia build -q -o sample.tabia sample.pgn && tabia explore sample.tabia --moves "e4 c5" && tabia check sample.tabia' >"$work/said"
grep -q '26 games' "$work/said" || { cat "$work/said"; exit 1; }
inside bash -ec '. /usr/share/bash-completion/completions/tabia; complete -p tabia | grep -q tabia; zcat /usr/share/man/man1/tabia-build.1.gz | grep -q "Build a book"'
say "a book of tests/sample.pgn, built and explored there"
inside apt-get purge -qq -y tabia >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
left=$(cut -c 49- "$work/contents" | sed -n 's/^.* \.\(\/.*[^/]\)$/\1/p' | while read -r file; do [ ! -e "$work/debian$file" ] || echo "$file"; done)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
say "removed, and nothing left behind"
