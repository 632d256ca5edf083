# What the scripts of tests share, sourced from the root of the repository: programs that may be missing, skipped parts, the Python environment, and the command.

# skip WHAT: reports that something is skipped; with TABIA_ALL=1 that is a failure. The list of what was skipped goes to the file TABIA_SKIPS.
skip() {
    echo "skipped: $*"
    [ -z "${TABIA_SKIPS:-}" ] || echo "${0#"$PWD"/}: $*" >>"$TABIA_SKIPS"
    [ "${TABIA_ALL:-}" != 1 ] || exit 1
}

# have COMMAND WHAT: whether a command is there; without it WHAT is skipped. tests/install.sh installs them all.
have() {
    command -v "$1" >/dev/null && return
    skip "$2: there is no $1"
    return 1
}

# python_with PACKAGE...: sets python to the one environment of all scripts, target/python, with these packages from PyPI.
python_with() {
    local environment=$PWD/target/python wanted missing=() lock
    python=$environment/bin/python
    # Scripts that run side by side make and change it one after the other.
    mkdir -p target
    exec {lock}>target/python.lock
    ! command -v flock >/dev/null || flock "$lock"
    if ! { [ -x "$python" ] || python3 -m venv "$environment"; } >/dev/null 2>&1; then
        skip "what needs Python: python3 or its venv is not here"
        exec {lock}>&-
        return 1
    fi
    mkdir -p "$environment/installed"
    for wanted; do [ -e "$environment/installed/$wanted" ] || missing+=("$wanted"); done
    if [ ${#missing[@]} -gt 0 ] && ! "$python" -m pip install --quiet --disable-pip-version-check "${missing[@]}" >/dev/null 2>&1; then
        skip "what needs ${missing[*]}: PyPI can't be reached"
        exec {lock}>&-
        return 1
    fi
    for wanted in "${missing[@]}"; do touch "$environment/installed/$wanted"; done
    exec {lock}>&-
}

# node_with PACKAGE...: sets modules to the folder of these packages from npm, target/node/node_modules.
node_with() {
    modules=$PWD/target/node/node_modules
    local wanted missing=()
    mkdir -p target/node
    [ -f target/node/package.json ] || echo '{ "private": true }' >target/node/package.json
    for wanted; do [ -d "$modules/${wanted%@*}" ] || missing+=("$wanted"); done
    [ ${#missing[@]} -eq 0 ] || npm install --prefix target/node --ignore-scripts --no-audit --no-fund "${missing[@]}" >/dev/null 2>&1 ||
        { skip "what needs ${missing[*]}: npm can't install them"; return 1; }
}

# cargo_with NAME@VERSION [OPTION...]: puts a program of crates.io on the PATH, from target/rust, into which it is built first, with these options of cargo install; hardly optimized, which
# takes half the time.
cargo_with() {
    local lock
    PATH=$PWD/target/rust/bin:$PATH
    mkdir -p target
    exec {lock}>target/rust.lock
    ! command -v flock >/dev/null || flock "$lock"
    if ! grep -qs "^\"${1%@*} ${1#*@} " target/rust/.crates.toml && ! env -u CARGO_TARGET_DIR -u RUSTFLAGS CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off \
        CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=0 cargo install --quiet --locked --force --root target/rust "$@" >target/rust.log 2>&1; then
        if grep -qiE "failed to (download|fetch|get|query)|spurious network|could not resolve" target/rust.log; then skip "what needs ${1%@*}: crates.io can't be reached"; else cat target/rust.log; skip "what needs ${1%@*}: it can't be built"; fi
        exec {lock}>&-
        return 1
    fi
    exec {lock}>&-
}

# find_tabia: sets tabia to the command named by TABIA, or to the one that is built here.
find_tabia() {
    tabia=${TABIA:-${CARGO_TARGET_DIR:-target}/debug/tabia}
    [ -n "${TABIA:-}" ] || cargo build --quiet --locked -p tabia-cli
    tabia=$(realpath "$tabia")
}
