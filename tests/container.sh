#!/usr/bin/env bash
# The image of tools/serve/operate/Containerfile, by podman, from nothing but Debian's packages and this machine's Rust: as no registry of containers is asked, the image with the compiler is
# made by debootstrap, and Rust and its crates are mounted into it. The image is small, not root's, has no shell, and builds, explores and serves a book, read-only and without a network but for
# the server's port.
# tests/container.sh [FOLDER]: keeps the image there as tabia-image-VERSION.tar; where FOLDER has the command of tests/reproducible.sh, that of the image has to be the same.
# Needs root, podman, buildah, runc, debootstrap and a mirror of Debian. Everything is in a temporary folder, images too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh

what="the container"
for program in podman buildah runc debootstrap curl; do have "$program" "$what" || exit 0; done
[ "$(id -u)" = 0 ] || { skip "$what: only root may"; exit 0; }
work=$(mktemp -d)
store=(--root "$work/store" --runroot "$work/run" --storage-driver vfs)
server=
clean() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    buildah "${store[@]}" rm --all >/dev/null 2>&1 || true
    ! mountpoint -q "$work/store/vfs" || umount "$work/store/vfs"
    rm -rf --one-file-system "$work"
}
trap clean EXIT
SECONDS=0
say() {
    printf '%4d s  %s\n' "$SECONDS" "$*"
    SECONDS=0
}

# Instead of docker.io's image of Rust: Debian with a C compiler. The release is that of this machine, so that compiler and linker are the same.
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
debootstrap --variant=minbase --include=gcc,libc6-dev "$release" "$work/debian" >"$work/log" 2>&1 || {
    if grep -qE "Failed getting release|Couldn't download|Unable to fetch|Could not resolve" "$work/log"; then skip "$what: Debian's mirror can't be reached"; exit 0; fi
    tail -n 5 "$work/log"
    exit 1
}
container=$(buildah "${store[@]}" from scratch 2>/dev/null)
tar -C "$work/debian" -c . >"$work/debian.tar"
rm -rf --one-file-system "$work/debian"
buildah "${store[@]}" add --quiet "$container" "$work/debian.tar" / >/dev/null 2>&1
rm "$work/debian.tar"
cargo=${CARGO_HOME:-$HOME/.cargo}
buildah "${store[@]}" config --env PATH=/rust/toolchain/bin:/usr/bin:/bin --env CARGO_HOME=/rust/cargo "$container"
buildah "${store[@]}" commit --quiet --rm "$container" tabia-builder >/dev/null 2>&1
say "an image with a compiler, of Debian $release"

mkdir "$work/tree"
git archive HEAD | tar -x -C "$work/tree"
buildah "${store[@]}" bud --quiet --isolation chroot --network host --build-arg BUILDER=localhost/tabia-builder --tag tabia --file "$work/tree/tools/serve/operate/Containerfile" \
    --volume "$(rustc --print sysroot):/rust/toolchain:ro" --volume "$cargo/registry:/rust/cargo/registry" "$work/tree" >"$work/log" 2>&1 || { tail -n 30 "$work/log"; exit 1; }
[ "$(buildah "${store[@]}" inspect --type image --format '{{.OCIv1.Config.User}}' tabia)" = 65534:65534 ]
image=$(podman "${store[@]}" image mount tabia 2>/dev/null)
files=$(find "$image" -type f | wc -l)
size=$(du -sb "$image" | cut -f1)
cp "$image/usr/bin/tabia" "$work/tabia"
podman "${store[@]}" image umount tabia >/dev/null
[ "$size" -lt 30000000 ] || { echo "the image has $size bytes"; exit 1; }
say "the image: $files files, $size bytes"
if [ -n "${1:-}" ] && [ -e "$1/tabia" ]; then
    cmp "$work/tabia" "$1/tabia"
    echo "        its command is the one that was built outside, byte for byte"
fi

# As the file's first lines say, with nothing that isn't needed; the limits are those that a container without privileges may set.
run() { podman "${store[@]}" --runtime runc --cgroup-manager cgroupfs run --rm --read-only --cap-drop all --ulimit nofile=4096:4096 --ulimit nproc=4096:4096 --volume "$work/books:/books" "$@"; }
mkdir -m 777 "$work/books"
cp tests/sample.pgn "$work/books"
run --network none tabia build -q -o sample.tabia sample.pgn
run --network none tabia explore sample.tabia --moves "e4 c5" | grep '26 games' >/dev/null
[ "$(stat -c %u "$work/books/sample.tabia")" = 65534 ]
! run --network none --entrypoint /bin/sh tabia -c true 2>/dev/null || { echo "there is a shell in the image"; exit 1; }
say "a book, built and explored"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
run --network host --name tabia-server tabia serve /books --bind "127.0.0.1:$port" >"$work/log" 2>&1 &
server=$!
for _ in $(seq 100); do ! curl -sf "http://127.0.0.1:$port/v1/books" >"$work/books.json" || break; sleep 0.1; done
grep -q '"name":"sample"' "$work/books.json" || { cat "$work/log"; exit 1; }
podman "${store[@]}" --runtime runc --cgroup-manager cgroupfs stop -t 5 tabia-server >/dev/null
wait "$server" || true
server=
say "served"
if [ -n "${1:-}" ]; then
    mkdir -p "$1"
    podman "${store[@]}" save --quiet --format oci-archive -o "$1/tabia-image-$("$work/tabia" --version | cut -d' ' -f2).tar" tabia >/dev/null
fi
