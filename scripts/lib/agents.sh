# The real programs that windlass is tried with, agents and Jujutsu: pinned, kept between runs. Sourced,
# never run.

# AGENT VERSION SOURCE PACKAGE MEGABYTES
pinned_agents="
claude   2.1.197 npm  @anthropic-ai/claude-code 240
codex    0.166.0 npm  @openai/codex             440
opencode 1.18.33 npm  opencode-ai               360
gemini   0.61.0  npm  @google/gemini-cli        100
aider    0.86.2  pypi aider-chat                690
jj       0.45.1  cargo jj-cli                   60
"

agent_cache=${WINDLASS_COMPAT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/windlass-compat}

# Seconds that one install may take.
npm_limit=180
pypi_limit=600
cargo_limit=3600

# agent_folder AGENT VERSION
agent_folder() {
    printf '%s/%s-%s' "$agent_cache" "$1" "$2"
}

# agent_program AGENT VERSION: where the program is, once it is installed.
agent_program() {
    case $1 in
    aider | jj) printf '%s/bin/%s' "$(agent_folder "$1" "$2")" "$1" ;;
    *) printf '%s/node_modules/.bin/%s' "$(agent_folder "$1" "$2")" "$1" ;;
    esac
}

# is_installed AGENT VERSION: the mark is the last thing that an install leaves.
is_installed() {
    [ -e "$(agent_folder "$1" "$2")/.installed" ] && [ -x "$(agent_program "$1" "$2")" ]
}

# skip AGENT WHY…: `this_run` is a folder of the script that sources this.
skip() {
    agent=$1
    shift
    printf 'SKIPPED: %s\n' "$*" >"$this_run/why/$agent"
}

# why_skipped AGENT: nothing where it is tried.
why_skipped() {
    cat "$this_run/why/$1" 2>/dev/null || :
}

# What stands in the way of an install, if anything does. missing_for SOURCE
missing_for() {
    case $1 in
    npm)
        command -v node >/dev/null 2>&1 || echo "node is not installed"
        command -v npm >/dev/null 2>&1 || echo "npm is not installed"
        ;;
    pypi)
        python3 -c 'import ensurepip, venv' 2>/dev/null || echo "python3 with venv is not installed"
        ;;
    cargo)
        # Only once, for the program is kept; but not unasked.
        [ -n "${WINDLASS_COMPAT_JJ:-}" ] ||
            echo "building it takes some 15 minutes of CPU: \`WINDLASS_COMPAT_JJ=1 scripts/compat jj\` does"
        ;;
    esac
}

# install_npm FOLDER PACKAGE VERSION
install_npm() {
    timeout -k 5 "$npm_limit" npm install --prefix "$1" --no-audit --no-fund --loglevel=error \
        --fetch-retries=1 --fetch-timeout=60000 "$2@$3" </dev/null
}

# install_pypi FOLDER PACKAGE VERSION
install_pypi() {
    python3 -m venv "$1" && timeout -k 5 "$pypi_limit" "$1/bin/pip" install --quiet \
        --disable-pip-version-check --no-input --retries 1 "$2==$3" </dev/null
}

# install_cargo FOLDER PACKAGE VERSION
install_cargo() {
    timeout -k 5 "$cargo_limit" cargo install --quiet --locked --root "$1" "$2@$3" </dev/null
}

# reason LOG: the line that says most of why an install failed.
reason() {
    grep -m 1 -i 'reason: \|timed out\|requires-python\|no space' "$1" ||
        grep -v '^[[:space:]]*$' "$1" | tail -n 1 | grep . || echo "it took too long, or said nothing"
}

# install_agent AGENT VERSION SOURCE PACKAGE MEGABYTES: never fails; `skip` says what went wrong.
install_agent() {
    folder=$(agent_folder "$1" "$2")
    if is_installed "$1" "$2"; then
        say "$1 $2: in the cache"
        return
    fi
    missing=$(missing_for "$3" | head -n 1)
    if [ -n "$missing" ]; then
        skip "$1" "$missing"
        return
    fi
    say "installing $1 $2 from $3 ($4, about $5 MB)"
    began=$(date +%s)
    rm -rf "$folder" && mkdir -p "$folder"
    log=$this_run/why/$1.log
    if "install_$3" "$folder" "$4" "$2" >"$log" 2>&1 && [ -x "$(agent_program "$1" "$2")" ]; then
        touch "$folder/.installed"
        say "$1 $2: installed in $(($(date +%s) - began)) s"
    else
        rm -rf "$folder"
        skip "$1" "could not be installed within $(($(date +%s) - began)) s: $(reason "$log")"
    fi
}

# install_agents SOURCE AGENT…: those of the list that come from there, one after the other.
install_agents() {
    from=$1
    shift
    for wanted in "$@"; do
        line=$(printf '%s' "$pinned_agents" | grep "^$wanted " || :)
        # Unquoted: the columns.
        set -- $line
        [ "${3:-}" != "$from" ] || install_agent "$@"
    done
}

# version_of AGENT
version_of() {
    printf '%s' "$pinned_agents" | sed -n "s/^$1  *\([^ ]*\) .*/\1/p"
}
