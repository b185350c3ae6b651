# Runs a tiny project with a real test runner and keeps what it prints. Sourced, never run.
#
# A runner's file has: `cases`, a list; `install_runner`; `versions`, which prints the programs' versions;
# `project CASE`, which writes the files into the current directory; and `run_case CASE`.

# Seconds until a recording is given up, and until a sleeping test has begun.
recording_limit=300

# prepare: an environment that does not depend on whose machine this is.
prepare() {
    for name in $(env | sed -n 's/^\(CARGO_[A-Z_]*\|NEXTEST_[A-Z_]*\|PYTEST_[A-Z_]*\|RUST_[A-Z_]*\|CI\|FORCE_COLOR\|NO_COLOR\|TERM\|COLORTERM\)=.*/\1/p'); do
        [ "$name" = CARGO_HOME ] || unset "$name"
    done
    LC_ALL=C.UTF-8
    COLUMNS=100
    export LC_ALL COLUMNS tools sources
}

# record CASE: one that is called `killed` is ended when its sleeping test has begun.
record() {
    work=$tools/$runner-$1
    # Where the sleeping test of the case `killed` says that it has begun.
    BEGUN=$tools/$runner-$1.begun
    export BEGUN
    mkdir -p "$work"
    (cd "$work" && project "$1")
    raw=$tools/$runner-$1.raw
    # setsid: without a terminal.
    (
        cd "$work"
        setsid sh -c '. "$sources/$1.sh"; run_case "$2" 2>&1 </dev/null | cat >"$3"' sh "$runner" "$1" "$raw"
    ) &
    shell=$!
    case $1 in *killed) end_when_begun ;; esac
    wait "$shell" || :
    normalised <"$raw" >"$tools/recorded/$runner/$1.txt"
}

# end_when_begun: as windlass ends a check, by TERM and then by KILL.
end_when_begun() {
    waited=0
    while [ ! -e "$BEGUN" ] && [ "$waited" -lt "$recording_limit" ]; do
        sleep 1
        waited=$((waited + 1))
    done
    [ -e "$BEGUN" ] || fail "$runner: the sleeping test did not begin"
    sleep 1
    end_all TERM
    sleep 2
    end_all KILL
}

# end_all SIGNAL: every process whose environment names this recording's mark, but for `cat`, which keeps
# what the others print.
end_all() {
    for environ in /proc/[0-9]*/environ; do
        process=${environ#/proc/}
        process=${process%/environ}
        grep -qsFz "BEGUN=$BEGUN" "$environ" || continue
        [ "$(cat "/proc/$process/comm" 2>/dev/null)" = cat ] || kill "-$1" "$process" 2>/dev/null || :
    done
}

# normalised: without paths and times of this machine.
normalised() {
    python=$(python3 -c 'import sys; print(sys.base_prefix)' 2>/dev/null || echo /nonexistent)
    sed -E \
        -e "s#(/private)?$work#/project#g" \
        -e "s#$tools#/tools#g" \
        -e "s#$python#/python#g" \
        -e "s#${HOME:-/root}#/home#g" \
        -e 's#/tmp/[A-Za-z0-9._-]+#/scratch#g' \
        -e 's#([^0-9.])[0-9]+\.[0-9]+( ?)(s|ms|sec|secs|seconds|min)\b#\10.01\2\3#g' \
        -e 's#([^0-9.:])[0-9]+( ?)(ms|µs)\b#\11\2\3#g' \
        -e 's#(BUILD (SUCCESSFUL|FAILED) in) .*#\1 1s#' \
        -e 's#(duration_ms:?) [0-9.]+#\1 0.1#g' \
        -e 's#[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9:]+)#2026-01-01T00:00:00Z#g' \
        -e 's#[0-9]{2}:[0-9]{2}:[0-9]{2}#00:00:00#g' \
        -e 's#Time: [0-9]{2}:[0-9]{2}\.[0-9]{3}#Time: 00:00.001#g' \
        -e 's#Time: [0-9.]+$#Time: 0.01#g' \
        -e 's#-[0-9a-f]{16}\b#-0000000000000000#g' \
        -e "s#(thread '[^']*') \([0-9]+\)#\1 (1)#g" \
        -e 's#[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}#00000000-0000-0000-0000-000000000000#g' \
        -e 's#0x[0-9a-f]{6,}#0x000000#g' \
        -e 's#\b(pid|PID) [0-9]+#\1 1#g' \
        -e 's#[0-9]+ wallclock secs \(.*\)#0 wallclock secs (0.00 usr)#' \
        -e 's#bats\.[0-9]+#bats.1#g' \
        -e 's#[0-9]+(\x1b\[2mms)#1\1#g' \
        -e 's#goroutine [0-9]+#goroutine 1#g' \
        -e 's#(surefire(booter|_)?)[0-9_]{5,}#\11#g' \
        -e 's#Time elapsed: 0 s#Time elapsed: 0.01 s#' \
        -e 's#[ \t]+$##'
}

# venv PACKAGE…: into $tools/venv.
venv() {
    [ -d "$tools/venv" ] || python3 -m venv "$tools/venv"
    "$tools/venv/bin/pip" install --quiet --disable-pip-version-check --no-input "$@" </dev/null >&2
}

# npm_packages PACKAGE…: into $tools/npm.
npm_packages() {
    npm install --prefix "$tools/npm" --no-audit --no-fund --loglevel=error "$@" </dev/null >&2
}
