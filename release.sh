#!/usr/bin/env bash
# Everything of a release up to the uploads: makes all that is published into target/dist, tries each as its users will, dry-runs the uploads, and prints at the end the one command for each
# registry that is left for the owner (if all steps were run). It uploads nothing, and changes nothing outside of target/.
# ./release.sh [STEP...]: all steps, or those of these names: versions interface command materials guide debian packages container uploads. Skips are listed, as by ./proofs.sh; ADVISORIES names
# a copy of RustSec's advisory-db (tests/licences.sh). What ./test.sh and ./proofs.sh show is not shown again: run them first.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
for name; do
    case $name in versions | interface | command | materials | guide | debian | packages | container | uploads) ;; *) sed -n '2,/^set /{/^set /d; s/^# //; p}' "$0" >&2; exit 2 ;; esac
done
. tests/steps.sh
. tests/tools.sh
export CARGO_TERM_PROGRESS_WHEN=never
dist=$PWD/target/dist
mkdir -p "$dist"
# That of `tabia` and of the command; that of the libraries behind it and of the readers in other languages.
version=$(sed -n '/^\[package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
libraries=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
only=" $* "
wanted() { [ "$only" = "  " ] || [[ $only == *" $1 "* ]] && step "${@}"; }

# Two versions and no other, the compiler that is promised, nothing that isn't committed.
versions() {
    local files=0 found
    for found in $(git ls-files '*Cargo.toml' '*pyproject.toml' '*package.json' | grep -vE '^(fuzz|benches|tests|tools/readers/(c|python)/bench)'); do
        ! grep -HnE '^ *"?version"?( =|:) "[0-9]' "$found" | grep -vE "\"($version|$libraries)\"" || { echo "$found: neither $version nor $libraries"; return 1; }
        files=$((files + 1))
    done
    grep -HnE '^tabia = \{ version = "' Cargo.toml | grep -v "\"$version\"" && { echo "a dependency of another version"; return 1; }
    grep -HnE '^tabia-[a-z-]* = \{ version = "' Cargo.toml | grep -v "\"$libraries\"" && { echo "a dependency of another version"; return 1; }
    grep -q "^version = \"$version\"" tools/cli/Cargo.toml || { echo "the command is not $version"; return 1; }
    grep -qE "^## $version(,|$| )" CHANGELOG.md || { echo "CHANGELOG.md has no $version"; return 1; }
    found=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    [[ $(rustc --version) == "rustc $found."* ]] || { echo "the oldest compiler is said to be $found; this is $(rustc --version): build with $found"; return 1; }
    [ -z "$(git status --porcelain)" ] || { echo "there are changes that aren't committed:"; git status --short; return 1; }
    echo "$version, or $libraries, in $files manifests, rustc $found, commit $(git rev-parse --short HEAD)"
}

container() { tests/container.sh "$dist"; }

# What each registry's client says of what it would be given.
uploads() {
    cargo publish --quiet --workspace --exclude tabia-testing --dry-run --no-verify --locked || return 1
    python_with twine && { "$python" -m twine check --strict "$dist"/tabia*.whl "$dist"/tabia*.tar.gz || return 1; }
    have npm "the upload to npm" && { npm publish --dry-run --access public --ignore-scripts "$dist/tabia-reader-$libraries.tgz" 2>&1 | tail -n 3 || return 1; }
    (cd "$dist" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS)
    echo "$(wc -l <"$dist/SHA256SUMS") files in target/dist"
}

wanted versions versions
wanted interface tests/semver.sh
wanted command tests/reproducible.sh "$dist"
wanted materials tests/licences.sh "$dist"
wanted guide env TABIA_WHOLE=1 TABIA="$dist/tabia" tests/guide.sh
wanted debian tests/debian.sh "$dist/tabia" "$dist"
wanted packages env TABIA_WHOLE=1 tests/packages.sh "$dist"
wanted container container
wanted uploads uploads

(finish) || exit 1
[ "$only" = "  " ] || exit 0
cat <<END

=== what is left for the owner
crates.io   cargo publish --workspace --exclude tabia-testing --locked
PyPI        target/python/bin/python -m twine upload target/dist/tabia-$libraries-py3-none-any.whl target/dist/tabia-$libraries.tar.gz target/dist/tabia_engine-$libraries*
npm         npm publish --access public target/dist/tabia-reader-$libraries.tgz
containers  podman load -i target/dist/tabia-image-$version.tar && podman push localhost/tabia REGISTRY/tabia:$version
the tag     git tag -s v$version && git push origin v$version; the rest of target/dist, with SHA256SUMS, belongs to it
END
