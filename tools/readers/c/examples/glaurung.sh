#!/usr/bin/env bash
# glaurung.sh FOLDER: fetches the source of Glaurung 2.2 (a UCI engine by Tord Romstad, GPL) from Debian, patches tabia.h in, and builds FOLDER/glaurung.
# apt-get checks the signatures. Nothing of the system is changed: lists and archives of packages are in FOLDER. Fails if the source can't be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1/lists/partial" "$1/cache/archives/partial"
cd "$1"
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main" >sources.list
cat >apt.conf <<END
Dir::Etc::sourcelist "$PWD/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::lists "$PWD/lists";
Dir::Cache "$PWD/cache";
APT::Sandbox::User "";
END
export APT_CONFIG=$PWD/apt.conf
apt-get update
apt-get source --download-only glaurung=2.2-4
tar xf glaurung_2.2.orig.tar.gz
patch -d glaurung-2.2 -p1 <"$here/glaurung-2.2.patch"
cp "$here"/../tabia.h "$here"/../tabia_chess.h glaurung-2.2/src
# Its evaluation counts beyond an array's end on purpose of no one, which newer compilers' loops take advantage of
make -C glaurung-2.2/src CXX="g++ -O1 -w -fno-aggressive-loop-optimizations" glaurung
mv glaurung-2.2/src/glaurung .
