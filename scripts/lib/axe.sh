# axe-core, which looks for what keeps people from using the dashboard: pinned, kept between runs. Sourced,
# never run.

axe_version=4.10.3
axe_cache=${WINDLASS_COMPAT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/windlass-compat}/axe-core-$axe_version

# need_axe: fetches it from npm where it is not there, and says where it is in WINDLASS_AXE.
need_axe() {
    WINDLASS_AXE=$axe_cache/node_modules/axe-core/axe.min.js
    export WINDLASS_AXE
    [ ! -s "$WINDLASS_AXE" ] || return 0
    if command -v npm >/dev/null 2>&1; then
        say "fetching axe-core $axe_version from npm, once"
        mkdir -p "$axe_cache"
        timeout -k 5 120 npm install --prefix "$axe_cache" --no-audit --no-fund --loglevel=error \
            --ignore-scripts --fetch-retries=1 --fetch-timeout=60000 "axe-core@$axe_version" </dev/null >&2 || :
    fi
    [ -s "$WINDLASS_AXE" ] ||
        say "SKIPPED: axe-core $axe_version could not be fetched from npm, so nobody looks whether the dashboard is accessible"
}
