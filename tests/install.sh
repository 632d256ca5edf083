#!/usr/bin/env bash
# Installs Debian's packages that the tests make use of, as `./test.sh --install` and `./proofs.sh --install` do: engines, browsers, servers, compilers for other
# machines, valgrind; and cargo-fuzz from crates.io. Nothing else that they run installs anything outside of target/. Fails if one can't be had; what is there already is left as it is.
# tests/install.sh [--whole]: `--whole` also installs what `./proofs.sh --ci` leaves out, and `./release.sh`: debootstrap, podman and buildah.
set -euo pipefail

# Each command, and the package that has it.
wanted=(
    stockfish=stockfish gnugo=gnugo gtp-rhino=grhino polyglot=polyglot
    c++=g++ clang=clang valgrind=valgrind make=make cmake=cmake pkg-config=pkgconf patch=patch zstd=zstd script=bsdutils
    python3=python3-venv node=nodejs npm=npm chromium=chromium nginx=nginx-light openssl=openssl curl=curl
    x86_64-w64-mingw32-gcc=gcc-mingw-w64-x86-64 x86_64-w64-mingw32-g++=g++-mingw-w64-x86-64
    parallel=parallel
    s390x-linux-gnu-gcc=gcc-s390x-linux-gnu,libc6-dev-s390x-cross i686-linux-gnu-gcc=gcc-i686-linux-gnu,libc6-dev-i386-cross qemu-s390x=qemu-user
)
[ "${1:-}" != --whole ] || wanted+=(dpkg-shlibdeps=dpkg-dev debootstrap=debootstrap podman=podman buildah=buildah runc=runc wine=wine,wine64)
packages=()
for pair in "${wanted[@]}"; do
    PATH=$PATH:/usr/games command -v "${pair%%=*}" >/dev/null || packages+=(${pair#*=})
done
IFS=, read -r -a packages <<<"$(IFS=,; echo "${packages[*]}")"
if [ ${#packages[@]} -gt 0 ]; then
    echo "installing ${packages[*]}"
    apt-get update -qq >/dev/null
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${packages[@]}" >/dev/null
fi
# The fuzzer is in no Debian package.
command -v cargo-fuzz >/dev/null || cargo install --quiet --locked cargo-fuzz --version '^0.13'
