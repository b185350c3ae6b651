# Test runners of JavaScript for the gym: pinned, kept between runs. Sourced, never run.

js_runners_edition=1
WINDLASS_JS_RUNNERS=${WINDLASS_COMPAT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/windlass-compat}/js-runners-$js_runners_edition

# need_js_runners: fetches them from npm where they are not there, and says where they are in WINDLASS_JS_RUNNERS.
need_js_runners() {
    export WINDLASS_JS_RUNNERS
    js_runner vitest vitest@4.1.12
    js_runner jest jest@30.5.2 @babel/preset-typescript@7.29.7 @babel/plugin-transform-modules-commonjs@7.29.14
    js_runner mocha mocha@12.0.3 chai@6.3.0
}

# js_runner NAME PACKAGE…: each in a folder of its own, as a project has it.
js_runner() {
    name=$1
    shift
    [ ! -e "$WINDLASS_JS_RUNNERS/$name/.whole" ] || return 0
    say "fetching $* from npm, once"
    rm -rf "${WINDLASS_JS_RUNNERS:?}/$name"
    mkdir -p "$WINDLASS_JS_RUNNERS/$name"
    timeout -k 5 300 npm install --prefix "$WINDLASS_JS_RUNNERS/$name" --no-audit --no-fund --loglevel=error \
        --ignore-scripts --fetch-retries=1 --fetch-timeout=60000 "$@" </dev/null >&2 ||
        fail "$* could not be fetched from npm"
    : >"$WINDLASS_JS_RUNNERS/$name/.whole"
}
