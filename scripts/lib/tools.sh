# Finds and installs the tools that scripts need. Sourced, never run.

missing_packages=
missing_required=

say() {
    printf '==> %s\n' "$*" >&2
}

fail() {
    printf 'error: %s\n' "$1" >&2
    shift
    for hint in "$@"; do printf 'hint: %s\n' "$hint" >&2; done
    exit 1
}

# need_program PROGRAM PACKAGES required|wished
need_program() {
    command -v "$1" >/dev/null 2>&1 && return
    missing_packages="$missing_packages $2"
    # In CI a test that is left out is a test that nobody misses.
    if [ "$3" = required ] || [ -n "${CI:-}" ]; then missing_required="$missing_required $1"; fi
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

can_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null
}

# install_packages PACKAGE…
install_packages() {
    say "installing with apt-get: $*"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
        as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

install_missing() {
    [ -n "$missing_packages" ] || return 0
    # Unquoted: a list of words.
    if can_install && install_packages $missing_packages; then return; fi
    [ -z "$missing_required" ] || fail "not installed:$missing_required" \
        "install the packages$missing_packages and run this again"
    say "not installed:$missing_packages; the tests that need them say so and pass by"
}

# The lowest Rust that the workspace builds with, from its manifest.
wanted_rust() {
    sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml
}

rust_is_new_enough() {
    command -v cargo >/dev/null 2>&1 || return 1
    have=$(cargo --version 2>/dev/null | sed 's/^cargo \([0-9.]*\).*/\1/')
    [ -n "$have" ] || return 1
    [ "$(printf '%s\n%s\n' "$(wanted_rust)" "$have" | sort -V | head -n 1)" = "$(wanted_rust)" ]
}

need_rust() {
    PATH="$PATH:${CARGO_HOME:-${HOME:-/root}/.cargo}/bin"
    export PATH
    rust_is_new_enough && return
    if ! command -v rustup >/dev/null 2>&1; then
        { can_install && install_packages rustup ca-certificates; } ||
            fail "Rust $(wanted_rust) or newer is not installed" "install it with rustup and run this again"
    fi
    say "installing the stable Rust toolchain with rustup"
    rustup toolchain install stable --profile minimal --no-self-update
    RUSTUP_TOOLCHAIN=stable
    export RUSTUP_TOOLCHAIN
    rust_is_new_enough || fail "Rust $(wanted_rust) or newer is needed, and $(cargo --version) is what there is"
}

# need_component COMPONENT PROGRAM
need_component() {
    cargo "$2" --version >/dev/null 2>&1 && return
    command -v rustup >/dev/null 2>&1 || fail "$1 is not installed" "install it with your Rust toolchain"
    say "installing the component $1 with rustup"
    rustup component add "$1"
}
