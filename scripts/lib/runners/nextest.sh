# cargo nextest. Sourced by scripts/record-runners; the projects are those of cargo test.

. "$sources/cargo-test.sh"

cases="passing failing fail-fast skipped no-tests compile-error killed crashed lying coloured"

install_runner() {
    need_rust
    cargo nextest --version >/dev/null 2>&1 || cargo install cargo-nextest --locked --quiet
}

versions() {
    cargo nextest --version | head -n 1
    cargo --version
}

run_case() {
    case $1 in
    fail-fast) cargo nextest run --fail-fast -j 1 ;;
    coloured) cargo nextest run --no-fail-fast --color=always ;;
    *) cargo nextest run --no-fail-fast ;;
    esac
}
