# Conveniences; nothing needs them. `just` lists them.

_:
    @just --list

# Sets up what the tests need and runs all of them
test *args:
    scripts/test {{ args }}

# Tries windlass with the real agents
compat *agents:
    scripts/compat {{ agents }}

# Lets scripted agents loose on the rules, and counts what is stopped right
gym:
    scripts/gym

# All that must hold before a change goes in
ci:
    .ci/run

# What takes longer: containers, the crash loop, every real agent, the dist profile
nightly *parts:
    scripts/nightly {{ parts }}

# Compiles and lints
check:
    cargo clippy --workspace --all-targets --all-features --locked

# Formats, and mends what lints can mend
fix:
    cargo clippy --workspace --all-targets --all-features --fix --allow-dirty --allow-staged
    cargo fmt --all

# Looks through changed snapshots
review:
    cargo insta review

# The first minute, without any agent or key
demo:
    cargo run --release -- demo

# Writes the generated documents anew
docs:
    WINDLASS_UPDATE_DOCS=1 cargo nextest run -p windlass-cli docs
